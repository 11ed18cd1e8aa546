"""Compaction: the many small parts of complete episodes become few well-sized files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from fle_ray.dataset.layout import JOURNAL, RUN_STEM, fsync_folder, split_stem, storage_errors, temporary_name
from fle_ray.dataset.location import locate
from fle_ray.dataset.lock import RunLock
from fle_ray.dataset.parts import parquet_writer
from fle_ray.dataset.records import TABLES
from fle_ray.dataset.recover import Recovery, recover_run
from fle_ray.dataset.schema import schema
from fle_ray.dataset.swap import replace_folder
from fle_ray.errors import ConfigError, StorageError

__all__ = ["Compacted", "compact_run", "compact_tables"]

ROWS_PER_GROUP = 4_000  # least time to read one episode of a million steps (scripts/bench_dataset.py)
ROWS_PER_FILE = 250_000
BYTES_PER_GROUP = 64_000_000  # in memory; a group of long texts ends before it is full
_PREFIX = "compact-"


@dataclass(frozen=True, slots=True)
class Compacted:
    """What compaction did to one table. The rows stay the same."""

    table: str
    files_before: int
    files_after: int
    bytes_before: int
    bytes_after: int
    rows: int


def compact_run(
    run_dir: Path | str, *, rows_per_file: int = ROWS_PER_FILE, rows_per_group: int = ROWS_PER_GROUP
) -> list[Compacted]:
    """Compact a run that nobody writes; what an earlier writer left is repaired first.

    Only complete episodes are compacted: those in progress or owed keep files of their own, which change when
    they go on.

    Args:
        run_dir: the run's folder, local.
        rows_per_file: a new file is begun after that many rows.
        rows_per_group: rows of a row group, the least that a reader of one episode has to read.

    Raises:
        ConfigError: no such run, or it is not local.
        StorageError: another process writes it, or a file could not be read or written. The run is as before.
    """
    where = locate(run_dir)
    if where.local is None:
        raise ConfigError(f"{run_dir} is not local. Copy the run here, compact it, and copy it back.")
    if not where.local.is_dir():
        raise ConfigError(f"There is no run {run_dir}.")
    with RunLock(where.local):
        recovery = recover_run(where.local)
        return compact_tables(where.local, recovery, rows_per_file=rows_per_file, rows_per_group=rows_per_group)


def compact_tables(
    run_dir: Path,
    recovery: Recovery,
    *,
    rows_per_file: int = ROWS_PER_FILE,
    rows_per_group: int = ROWS_PER_GROUP,
) -> list[Compacted]:
    """Compact every table of a run whose lock this process holds."""
    complete = set(recovery.complete)
    if (journals := run_dir / JOURNAL).is_dir():
        fsync_folder(journals)  # no finished journal may come back once its parts have other names
    return [
        _compact_table(run_dir / table, complete, rows_per_file, rows_per_group)
        for table in TABLES
        if (run_dir / table).is_dir()
    ]


def _compact_table(folder: Path, complete: set[str], rows_per_file: int, rows_per_group: int) -> Compacted:
    table = folder.name
    files = sorted(path for path in folder.glob("*.parquet") if not path.name.startswith("."))
    loose, stay, generation = [], [], 0
    for path in files:
        if path.stem.startswith(_PREFIX):
            generation = max(generation, int(path.stem.split("-")[1].removeprefix("g")))
            well_sized = pq.read_metadata(path).num_rows * 2 > rows_per_file
            (stay if well_sized else loose).append(path)
        else:
            episode_id = path.stem if table == "episodes" else _episode_of(path.stem)
            (loose if episode_id in complete or episode_id == RUN_STEM else stay).append(path)
    rows_before = sum(pq.read_metadata(path).num_rows for path in files)
    bytes_before = sum(path.stat().st_size for path in files)
    if len(loose) < 2:
        return Compacted(table, len(files), len(files), bytes_before, bytes_before, rows_before)

    built = folder.with_name(temporary_name(table))
    with storage_errors(f"compact {folder}"):
        try:
            built.mkdir()
            for path in stay:
                _link(path, built / path.name)
            _write_files(table, loose, built, generation + 1, rows_per_file, rows_per_group)
            made = sorted(built.glob("*.parquet"))
            rows_after = sum(pq.read_metadata(path).num_rows for path in made)
            if rows_after != rows_before:
                raise StorageError(
                    f"Compacting {folder} would have made {rows_after} of {rows_before} rows; it is left as "
                    "it was. Check it with `python -m fle_ray.dataset verify`."
                )
            bytes_after = sum(path.stat().st_size for path in made)
            replace_folder(folder, built)
        except pa.ArrowException as error:
            shutil.rmtree(built, ignore_errors=True)
            raise StorageError(
                f"Cannot compact {folder}: {error}. It is left as it was; find the damaged file with "
                "`python -m fle_ray.dataset verify`."
            ) from error
        except BaseException:
            shutil.rmtree(built, ignore_errors=True)
            raise
    return Compacted(table, len(files), len(made), bytes_before, bytes_after, rows_after)


def _episode_of(stem: str) -> str:
    split = split_stem(stem)
    return split[0] if split else stem


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # a file system without hard links
        shutil.copy2(source, target)
        _fsync(target)


def _fsync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _write_files(
    table: str, sources: list[Path], folder: Path, generation: int, rows_per_file: int, rows_per_group: int
) -> None:
    target = schema(table)
    groups = _groups(sources, target, min(rows_per_group, rows_per_file))
    number, pending = 0, next(groups, None)
    while pending is not None:
        path = folder / f"{_PREFIX}g{generation:03d}-{number:03d}.parquet"
        rows = 0
        with parquet_writer(path, table) as writer:
            while pending is not None and (rows == 0 or rows + len(pending) <= rows_per_file):
                writer.write_table(pending, row_group_size=rows_per_group)
                rows += len(pending)
                pending = next(groups, None)
        _fsync(path)
        number += 1


def _groups(sources: Iterable[Path], target: pa.Schema, rows_per_group: int) -> Iterator[pa.Table]:
    """The rows of all sources in row groups, in order: full of rows or full of bytes, but for the last."""
    waiting: list[pa.Table] = []
    rows = size = 0
    for path in sources:
        file = pq.ParquetFile(path)
        if set(file.schema_arrow.names) != set(target.names):
            raise StorageError(
                f"{path} has the columns of another schema version; compact the run with the fle_ray that wrote it."
            )
        for batch in file.iter_batches(batch_size=rows_per_group):
            part = pa.Table.from_batches([batch]).select(target.names).cast(target)
            waiting.append(part)
            rows, size = rows + len(part), size + part.nbytes
            if rows < rows_per_group and size < BYTES_PER_GROUP:
                continue
            together = pa.concat_tables(waiting)
            yield together.slice(0, rows_per_group).combine_chunks()
            rest = together.slice(rows_per_group)  # less than a group, since the part before was not yet one
            waiting, rows, size = [rest], len(rest), rest.nbytes
    if rows:
        yield pa.concat_tables(waiting).combine_chunks()
