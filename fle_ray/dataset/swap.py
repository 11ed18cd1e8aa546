"""Replacing a whole folder at once.

Compaction builds a table's new folder beside the old one and exchanges the two names in one step, so that
whoever lists the folder sees all old files or all new ones, never both and never none:

    .steps.tmp-<pid>   being built                   killed here: the old folder is visible, this is swept
    (exchange)         one system call, renameat2 with RENAME_EXCHANGE, atomic
    .steps.tmp-<pid>   now holds the old files       killed here: the new folder is visible, this is swept

Where the file system cannot exchange (NFS, systems other than Linux), two renames take its place, and between
them the table has no folder: `.steps.old` holds the old files then, `open_run` reads them there, plain
readers find nothing, and `repair_tables` renames it back.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from pathlib import Path

from fle_ray.dataset.layout import fsync_folder, is_temporary
from fle_ray.dataset.records import TABLES

__all__ = ["old_name", "repair_tables", "replace_folder"]

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_CANNOT = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EXDEV, errno.EPERM}


def old_name(table: str) -> str:
    """Where a table's old files lie for a moment when two renames are needed."""
    return f".{table}.old"


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two names atomically; False when the system or the file system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT:
        return False
    raise OSError(code, os.strerror(code), str(one))


def replace_folder(visible: Path, built: Path) -> None:
    """Let the files of `built` take the place of those of `visible`, then delete the old ones."""
    fsync_folder(built)
    old = built
    if not _exchange(built, visible):
        old = visible.with_name(old_name(visible.name))
        os.rename(visible, old)
        os.rename(built, visible)
    fsync_folder(visible.parent)
    shutil.rmtree(old)


def repair_tables(run_dir: Path) -> list[str]:
    """Complete or undo replacements that were killed; returns the folders deleted. Harmless when repeated."""
    swept = []
    for table in TABLES:
        old, visible = run_dir / old_name(table), run_dir / table
        if old.is_dir():
            if visible.is_dir():
                shutil.rmtree(old)
                swept.append(str(old))
            else:
                os.rename(old, visible)
    if run_dir.is_dir():
        for path in sorted(run_dir.iterdir()):
            if is_temporary(path.name) and path.is_dir():
                shutil.rmtree(path)
                swept.append(str(path))
    return swept
