"""A folder by path or by URL, as pyarrow's filesystems see it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.fs as pafs

from fle_ray.errors import ConfigError

__all__ = ["Location", "locate"]

_URL = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]+)://", re.IGNORECASE)
_OF_PYARROW = ("file", "s3", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs")
_WHOLE_OR_NOTHING = ("s3", "gs", "gcs", "abfs", "abfss")  # a file there appears when it is complete


@dataclass(frozen=True, slots=True)
class Location:
    """A folder somewhere.

    Attributes:
        filesystem: where.
        path: the folder in that filesystem, without a slash at the end.
        local: the same as a local path; None when it is elsewhere.
        needs_rename: whether a file being written can be seen under its final name.
    """

    filesystem: pafs.FileSystem
    path: str
    local: Path | None
    needs_rename: bool = True

    def __truediv__(self, name: str) -> Location:
        local = None if self.local is None else self.local / name
        return Location(self.filesystem, f"{self.path}/{name}", local, self.needs_rename)

    def __str__(self) -> str:
        return str(self.local) if self.local else self.path

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    def names(self) -> list[str]:
        """Names of the files in this folder, sorted; none when there is no such folder."""
        if self.local is not None:
            try:
                with os.scandir(self.local) as entries:
                    return sorted(entry.name for entry in entries if not entry.is_dir())
            except (FileNotFoundError, NotADirectoryError):
                return []
        return sorted(info.base_name for info in self._infos() if info.type == pafs.FileType.File)

    def folders(self) -> list[str]:
        """Names of the folders in this folder, sorted."""
        return sorted(info.base_name for info in self._infos() if info.type == pafs.FileType.Directory)

    def _infos(self) -> list[pafs.FileInfo]:
        return self.filesystem.get_file_info(pafs.FileSelector(self.path, allow_not_found=True))

    def read_bytes(self) -> bytes:
        """The content of this file. Raises FileNotFoundError."""
        with self.filesystem.open_input_stream(self.path) as stream:
            return stream.read()

    def write_bytes(self, data: bytes | pa.Buffer, temporary_name: str) -> None:
        """Write this file so that it is seen whole or not at all (local files: use layout.atomic_file)."""
        folder, _, name = self.path.rpartition("/")
        self.filesystem.create_dir(folder, recursive=True)
        target = f"{folder}/{temporary_name}" if self.needs_rename else self.path
        with self.filesystem.open_output_stream(target) as stream:
            stream.write(data)
        if self.needs_rename:
            self.filesystem.move(target, self.path)


def locate(where: str | os.PathLike[str] | Location) -> Location:
    """The location of a local path, a URL that pyarrow knows (s3, gs, abfs, hdfs, file) or one of fsspec's.

    Raises:
        ConfigError: the URL's scheme is unknown, or fsspec or its plug-in is not installed.
    """
    if isinstance(where, Location):
        return where
    text = os.fspath(where)
    match = _URL.match(text)
    if match is None or match["scheme"].lower() == "file":
        path = Path(text if match is None else pafs.FileSystem.from_uri(text)[1]).expanduser().absolute()
        return Location(pafs.LocalFileSystem(), path.as_posix(), path)
    scheme = match["scheme"].lower()
    try:
        if scheme in _OF_PYARROW:
            filesystem, path = pafs.FileSystem.from_uri(text)
        else:
            import fsspec

            handler, path = fsspec.core.url_to_fs(text)
            filesystem = pafs.PyFileSystem(pafs.FSSpecHandler(handler))
    except ImportError as error:
        raise ConfigError(
            f"Cannot open {text}: {error}. Install fsspec and its plug-in for {scheme!r}: pip install fsspec."
        ) from error
    except (ValueError, pa.ArrowException) as error:
        raise ConfigError(f"Cannot open {text}: {error}. Give a path, or a URL of pyarrow or fsspec.") from error
    return Location(filesystem, path.rstrip("/"), None, scheme not in _WHOLE_OR_NOTHING)
