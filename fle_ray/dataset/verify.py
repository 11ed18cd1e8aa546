"""Checking a run: every Parquet file's footer and pages, every journal line, every state's checksum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from fle_ray.dataset.journal import read_journal
from fle_ray.dataset.layout import JOURNAL, STATES
from fle_ray.dataset.location import locate
from fle_ray.dataset.parts import PartStore, state_references
from fle_ray.dataset.records import TABLES
from fle_ray.dataset.states import StateStore
from fle_ray.errors import ConfigError, StorageError

__all__ = ["Verified", "verify_run"]


@dataclass(frozen=True, slots=True)
class Verified:
    """What a check found.

    Attributes:
        files, rows, journals, states: how many were read and found whole.
        problems: one sentence each, about a file that is damaged or missing; empty when all is well.
    """

    files: int
    rows: int
    journals: int
    states: int
    problems: tuple[str, ...]


def verify_run(run_dir: str | Path) -> Verified:
    """Read everything a run holds and check it; changes nothing.

    Raises:
        ConfigError: there is no such folder, or it is not local.
    """
    where = locate(run_dir)
    if where.local is None or not where.local.is_dir():
        raise ConfigError(f"There is no local run {run_dir}.")
    problems: list[str] = []
    files = rows = journals = states = 0
    for table in TABLES:
        for path in _visible(where.local / table):
            try:
                rows += _check_parquet(path)
                files += 1
            except (pa.ArrowException, OSError, ValueError) as error:
                problems.append(f"{path}: {error}")
    for path in _visible(where.local / JOURNAL):
        if path.suffix == ".jsonl":
            try:
                content = read_journal(path)
            except StorageError as error:
                problems.append(str(error))
                continue
            journals += 1
            if content.torn:
                problems.append(
                    f"{path}: {len(content.torn)} bytes after the last whole line; resuming sets them aside."
                )
    store = StateStore(where.local / STATES)
    for address in store.addresses():
        try:
            store.get(address)
            states += 1
        except StorageError as error:
            problems.append(str(error))
    if not problems:
        for address in state_references(PartStore(where)):
            if address not in store:
                problems.append(f"{store.path_of(address)}: missing, but a step refers to it.")
    return Verified(files, rows, journals, states, tuple(problems))


def _visible(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (path for path in sorted(folder.iterdir()) if not path.name.startswith("."))


def _check_parquet(path: Path) -> int:
    """Rows of a file whose every page was read."""
    file = pq.ParquetFile(path, page_checksum_verification=True)
    read = sum(batch.num_rows for batch in file.iter_batches())
    if read != file.metadata.num_rows:
        raise ValueError(f"holds {read} rows, its footer says {file.metadata.num_rows}.")
    return read
