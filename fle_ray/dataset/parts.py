"""Parts: the Parquet files of a run, and how a journal becomes them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fle_ray.dataset.journal import JournalContent
from fle_ray.dataset.layout import (
    atomic_file,
    fsync_folder,
    is_temporary,
    split_stem,
    stem_of,
    storage_errors,
    temporary_name,
)
from fle_ray.dataset.location import Location
from fle_ray.dataset.rows import Row, flow_rows, table_of
from fle_ray.dataset.schema import schema
from fle_ray.dataset.states import KeepStates

__all__ = ["PartStore", "episode_stems", "finalize", "kept_states", "parquet_writer", "state_references"]


def parquet_writer(sink: Any, table: str, *, dictionary: bool = True) -> pq.ParquetWriter:
    """A writer of one Parquet file of a table, as every file of a dataset is written.

    The Arrow schema is not stored beside Parquet's own: it adds nothing to these types, and 5 KB to each file.

    Args:
        dictionary: encode columns by dictionary. Worth it in big files; in an episode's few rows zstd alone is
            smaller and a third faster.
    """
    writer = pq.ParquetWriter(
        sink, schema(table), compression="zstd", compression_level=3, use_dictionary=dictionary, store_schema=False
    )
    writer.add_key_value_metadata(schema(table).metadata)
    return writer


class PartStore:
    """The finished Parquet files of one run, local or remote."""

    def __init__(self, root: Location, *, fsync: bool = True) -> None:
        self.root = root
        self._fsync = fsync

    def stems(self, table: str) -> list[str]:
        """Names without ending of the finished files of a table, sorted."""
        return [
            name.removesuffix(".parquet")
            for name in (self.root / table).names()
            if name.endswith(".parquet") and not name.startswith(".")
        ]

    def write(self, table: str, stem: str, rows: pa.Table) -> None:
        """Make a part visible, whole and durable; one of that name is replaced.

        Raises:
            StorageError: it could not be written. What was visible before is as it was.
        """
        target = self.root / table / f"{stem}.parquet"
        with storage_errors(f"write {target}"):
            if target.local is not None:
                folder = target.local.parent
                if not folder.is_dir():
                    folder.mkdir(parents=True, exist_ok=True)
                    fsync_folder(folder.parent)
                with atomic_file(target.local, fsync=self._fsync) as temporary:
                    with pa.OSFile(str(temporary), "wb") as sink:
                        _write(sink, table, rows)
            else:
                sink = pa.BufferOutputStream()
                _write(sink, table, rows)
                target.write_bytes(sink.getvalue(), temporary_name(f"{stem}.parquet"))

    def read(self, table: str, stem: str, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of one part."""
        file = self.root / table / f"{stem}.parquet"
        with self.root.filesystem.open_input_file(file.path) as source:
            return pq.ParquetFile(source).read(columns=columns)

    def read_all(self, table: str, columns: Sequence[str]) -> Iterable[pa.Table]:
        """Some columns of every part of a table."""
        for stem in self.stems(table):
            yield self.read(table, stem, columns)

    def sweep(self, tables: Iterable[str]) -> list[str]:
        """Delete temporary files that a killed writer left; returns their paths."""
        swept = []
        for table in tables:
            folder = self.root / table
            for name in folder.names():
                if is_temporary(name):
                    self.root.filesystem.delete_file((folder / name).path)
                    swept.append(str(folder / name))
        return swept


def _write(sink: pa.NativeFile, table: str, rows: pa.Table) -> None:
    with parquet_writer(sink, table, dictionary=False) as writer:
        writer.write_table(rows)


def kept_states(steps: Sequence[Row], keep: KeepStates) -> tuple[list[str | None], list[str | None]]:
    """Which states of an episode's steps stay: (world_state, session_state) per row, None where it goes.

    Kept are those of the steps that `keep` names, the world after the last accepted step and each agent's
    variables after its own last accepted step.
    """
    last_world, last_session = -1, {}
    for index, row in enumerate(steps):
        if row["accepted"]:
            if row.get("world_state"):
                last_world = index
            if row.get("session_state"):
                last_session[row["agent_idx"]] = index
    sessions = set(last_session.values())
    stays = [keep.keeps(row["step"]) for row in steps]
    return (
        [row.get("world_state") if stays[i] or i == last_world else None for i, row in enumerate(steps)],
        [row.get("session_state") if stays[i] or i in sessions else None for i, row in enumerate(steps)],
    )


def state_references(parts: PartStore) -> Counter[str]:
    """How many steps in finished parts refer to each state."""
    counts: Counter[str] = Counter()
    for table in parts.read_all("steps", ["world_state", "session_state"]):
        for column in table.columns:
            counts.update(value for value in column.to_pylist() if value is not None)
    return counts


def finalize(content: JournalContent, parts: PartStore, keep: KeepStates) -> None:
    """Turn a closed or sealed journal into parts, then delete it.

    Each part has a fixed name and content, so a finalisation that was killed anywhere is completed by doing
    it again. The episode's own row comes last: where it is visible, all its parts are.

    Raises:
        StorageError: a part could not be written; the journal stays, and readers go on reading it.
    """
    stem = content.path.name.removesuffix(".jsonl")
    steps = content.rows["steps"]
    worlds, sessions = kept_states(steps, keep)
    kept = [
        {**row, "world_state": world, "session_state": session}
        for row, world, session in zip(steps, worlds, sessions, strict=True)
    ]
    for table, rows in {**content.rows, "steps": kept, "flows": flow_rows(steps)}.items():
        if rows:
            parts.write(table, stem, table_of(table, rows))
    if content.end is not None:
        parts.write("episodes", content.end["episode_id"], table_of("episodes", [content.end]))
    with storage_errors(f"delete the finished journal {content.path}"):
        # Not synced: a journal that comes back after a power cut is finalised once more, to the same parts.
        content.path.unlink(missing_ok=True)


def episode_stems(parts: PartStore, journal_folder: Path) -> dict[str, dict[str, list[str]]]:
    """episode_id -> table -> stems of its own parts; the pseudo-table `journal` lists its journals."""
    found: dict[str, dict[str, list[str]]] = {}
    for table in ("steps", "calls", "messages", "flows", "events"):
        for stem in parts.stems(table):
            if split := split_stem(stem):
                found.setdefault(split[0], {}).setdefault(table, []).append(stem)
    for name in sorted(os.listdir(journal_folder)) if journal_folder.is_dir() else ():
        if name.endswith(".jsonl") and (split := split_stem(name.removesuffix(".jsonl"))):
            stem = stem_of(*split)
            found.setdefault(split[0], {}).setdefault("journal", []).append(stem)
    return found
