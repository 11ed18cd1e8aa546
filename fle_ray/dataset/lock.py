"""One writer a run at a time."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType

from fle_ray.dataset.layout import storage_errors
from fle_ray.errors import StorageError

__all__ = ["RunLock"]


class RunLock:
    """Lets one process at a time write a run; falls with its process, however that ends.

    Raises:
        StorageError: another process holds it, or the folder cannot be used.
    """

    def __init__(self, run_dir: Path) -> None:
        self._path = run_dir / ".lock"
        with storage_errors(f"lock {run_dir}"):
            run_dir.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(self._fd, 32).decode(errors="replace").strip() or "unknown"
                self.release()
                raise StorageError(
                    f"{run_dir} is being written by process {holder}. Wait for it or stop it; reading needs no lock."
                ) from None
            except OSError:
                self.release()
                raise
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Let others write; harmless when released already."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> RunLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
