"""Run an operation on copies of a folder, killing it with SIGKILL before its 1st, 2nd, ... change of the disk.

    python -m tests.dataset.kill_points OPERATION SOURCE OUT

leaves OUT/0, OUT/1, ... as the killed processes left them; the last copy is that of the undisturbed run.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import fle_ray.dataset.swap as swap
from fle_ray.dataset.compact import compact_run
from fle_ray.dataset.writer import RunWriter

from .samples import a_step, an_episode

CHANGES = ("replace", "rename", "unlink", "rmdir", "mkdir", "fsync", "fdatasync", "ftruncate", "link", "write")


def finish(run: Path) -> None:
    """Append a last step to ep0 and close it."""
    with RunWriter(run) as writer:
        writer.append(a_step(3))
        writer.finish_episode(an_episode(steps=4))


def compact(run: Path) -> None:
    compact_run(run, rows_per_file=8)


def compact_by_renames(run: Path) -> None:
    """As on a file system that cannot exchange two names."""
    swap._exchange = lambda one, other: False
    compact_run(run, rows_per_file=8)


def die_before(change: int) -> None:
    """Kill this process before its change number `change` (from 0) of the disk."""
    done = 0

    def counted(function: Callable) -> Callable:
        def call(*arguments, **named):
            nonlocal done
            if done == change:
                os.kill(os.getpid(), signal.SIGKILL)
            done += 1
            return function(*arguments, **named)

        return call

    for name in CHANGES:
        setattr(os, name, counted(getattr(os, name)))
    swap._exchange = counted(swap._exchange)
    import fle_ray.dataset.journal as journal

    journal._fsync_data = os.fdatasync


def main(operation: str, source: str, out: str) -> None:
    change = 0
    while True:
        run = Path(out) / str(change) / Path(source).name
        shutil.copytree(source, run)
        child = os.fork()
        if child == 0:
            act = globals()[operation]
            if operation == "compact_by_renames":
                swap._exchange = lambda one, other: False
            die_before(change)
            act(run) if operation != "compact_by_renames" else compact(run)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return
        if not os.WIFSIGNALED(status):
            raise SystemExit(f"{operation} failed at change {change} with status {status}")
        change += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
