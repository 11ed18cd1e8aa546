"""Where things lie in a run's folder, and how a file becomes visible: whole and durable, or not at all.

    <run>/<table>/<episode_id>-p000.parquet   part 0 of an episode; `-p001` after it was taken up again
    <run>/episodes/<episode_id>.parquet       the episode's one row
    <run>/<table>/compact-g001-000.parquet    what compaction made
    <run>/journal/<episode_id>-p000.jsonl     the journal that becomes the parts of the same stem
    <run>/states/<2 hex>/<address>.zst        snapshots

Names that begin with a dot are temporary or private; no reader of Parquet folders opens them.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fle_ray.errors import StorageError

__all__ = [
    "JOURNAL",
    "RUN_STEM",
    "STATES",
    "atomic_file",
    "check_episode_id",
    "fsync_folder",
    "is_temporary",
    "split_stem",
    "stem_of",
    "storage_errors",
    "temporary_name",
]

JOURNAL = "journal"
STATES = "states"
RUN_STEM = "run"  # names the events that belong to no episode, so no episode may be called so

_EPISODE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,199}")
_STEM = re.compile(r"(?P<episode>.+)-p(?P<part>\d{3,})")
_TEMPORARY = re.compile(r"\..+\.tmp-(?P<pid>\d+)")


def check_episode_id(episode_id: str) -> str:
    """The id itself when it can name files.

    Raises:
        ValueError: it is not 1 to 200 letters, digits, dots and dashes beginning with a letter or digit, or
            it is "run".
    """
    if not isinstance(episode_id, str) or episode_id == RUN_STEM or not _EPISODE_ID.fullmatch(episode_id):
        raise ValueError(
            f"episode_id {episode_id!r} cannot name a file: use 1 to 200 letters, digits, dots and dashes, "
            "beginning with a letter or digit, and not 'run'."
        )
    return episode_id


def stem_of(episode_id: str, part: int) -> str:
    """File name without ending of part `part` (from 0) of an episode."""
    return f"{episode_id}-p{part:03d}"


def split_stem(stem: str) -> tuple[str, int] | None:
    """(episode_id, part) of a part's file name without ending; None for other names."""
    match = _STEM.fullmatch(stem)
    return (match["episode"], int(match["part"])) if match else None


def temporary_name(name: str) -> str:
    """The name a file has while this process writes it: `.<name>.tmp-<pid>`."""
    return f".{name}.tmp-{os.getpid()}"


def is_temporary(name: str) -> bool:
    return _TEMPORARY.fullmatch(name) is not None


@contextmanager
def storage_errors(doing: str) -> Iterator[None]:
    """Turn an OSError inside into one StorageError that says what failed and what to do next."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT) or "No space left" in str(error):
            raise StorageError(
                f"Cannot {doing}: the disk is full. Everything acknowledged is kept; free some space, then "
                "resume the run."
            ) from error
        reason = error.strerror or str(error)
        raise StorageError(
            f"Cannot {doing}: {reason}. Everything acknowledged is kept; resume the run when that is mended."
        ) from error


def fsync_folder(folder: Path) -> None:
    """Make names created, renamed or deleted in `folder` durable."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextmanager
def atomic_file(path: Path, *, fsync: bool = True) -> Iterator[Path]:
    """Gives a temporary path beside `path`; when the block ends well, the file is synced and takes its name.

    After an error the temporary file is gone and `path` is as it was.
    """
    temporary = path.with_name(temporary_name(path.name))
    try:
        yield temporary
        if fsync:
            fd = os.open(temporary, os.O_RDONLY)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if fsync:
        fsync_folder(path.parent)
