"""Snapshots on disk: each stored once under its address, checked when read.

A world's snapshot has its world's digest as address, everything else the hash of its own bytes. A file is a
zstd stream that any zstd tool unpacks; a skippable frame in front of it holds the checksum and length of what
is inside.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from fle_ray.dataset.layout import atomic_file, fsync_folder, is_temporary, storage_errors
from fle_ray.errors import ConfigError, StorageError

__all__ = ["KeepStates", "StateStore", "state_address"]

_ADDRESS = re.compile(r"[0-9a-f]{8,128}")
_CHECKSUM_BYTES = 16
# RFC 8878 section 3.1.2: a skippable frame is a magic number of 0x184D2A50 to 0x184D2A5F, then its length.
_HEADER = struct.Struct(f"<II{_CHECKSUM_BYTES}sQ")
_SKIPPABLE = 0x184D2A50
_LEVEL = 3


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_CHECKSUM_BYTES).digest()


def state_address(data: bytes) -> str:
    """The address of bytes that have no digest of their own: 32 hex digits of BLAKE2b."""
    return _checksum(data).hex()


@dataclass(frozen=True, slots=True)
class KeepStates:
    """Which states of an episode are kept beside those that resuming needs.

    Attributes:
        mode: "all", "every_n" (every n-th step and the last) or "last".
        every: the n of "every_n", >= 1.
    """

    mode: str = "every_n"
    every: int = 10

    def __post_init__(self) -> None:
        if self.mode not in ("all", "every_n", "last"):
            raise ConfigError(f"dataset.states is {self.mode!r}; expected one of all, every_n, last.")
        if isinstance(self.every, bool) or not isinstance(self.every, int) or self.every < 1:
            raise ConfigError(f"dataset.states_every is {self.every!r}; expected a whole number of at least 1.")

    def keeps(self, step: int) -> bool:
        """Whether the states after step number `step` (from 0) are kept for good."""
        if self.mode == "every_n":
            return (step + 1) % self.every == 0
        return self.mode == "all"


class StateStore:
    """The folder `states/` of a run."""

    def __init__(self, root: Path | str, *, fsync: bool = True) -> None:
        self.root = Path(root)
        self._fsync = fsync

    def path_of(self, address: str) -> Path:
        """Where a state lies.

        Raises:
            ValueError: the address is not 8 to 128 lower-case hex digits.
        """
        if not isinstance(address, str) or not _ADDRESS.fullmatch(address):
            raise ValueError(f"State address {address!r} is not 8 to 128 lower-case hex digits.")
        return self.root / address[:2] / f"{address}.zst"

    def __contains__(self, address: str) -> bool:
        return self.path_of(address).exists()

    def put(self, data: bytes, address: str | None = None) -> str:
        """Store bytes durably and return their address; bytes that are there already are not written again.

        Args:
            data: the state.
            address: the digest that identifies it; the hash of the bytes when left out.

        Raises:
            StorageError: they could not be written.
        """
        address = address or state_address(data)
        path = self.path_of(address)
        if path.exists():
            return address
        header = _HEADER.pack(_SKIPPABLE, _HEADER.size - 8, _checksum(data), len(data))
        packed = pa.Codec("zstd", compression_level=_LEVEL).compress(data, asbytes=True)
        with storage_errors(f"store the state {path}"):
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True, exist_ok=True)
                if self._fsync:
                    fsync_folder(self.root)
            with atomic_file(path, fsync=self._fsync) as temporary, open(temporary, "wb") as file:
                file.write(header)
                file.write(packed)
        return address

    def get(self, address: str) -> bytes:
        """The bytes at an address.

        Raises:
            StorageError: nothing is there, or it is damaged.
        """
        path = self.path_of(address)
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            raise StorageError(
                f"There is no state {address} in {self.root}. It was not kept (dataset.states), or the "
                "folder was not copied along."
            ) from None
        try:
            magic, length, checksum, size = _HEADER.unpack_from(raw)
            if magic != _SKIPPABLE or length != _HEADER.size - 8:
                raise ValueError("its header is not one of ours")
            # As a stream, because a damaged length must not decide how much memory is asked for.
            with pa.input_stream(pa.BufferReader(raw[_HEADER.size :]), compression="zstd") as stream:
                data = stream.read()
            if len(data) != size or _checksum(data) != checksum:
                raise ValueError("its checksum differs")
        except (struct.error, ValueError, OSError) as error:
            raise StorageError(f"The state {path} is damaged: {error}. Take it from a copy.") from error
        return data

    def delete(self, address: str) -> None:
        """Remove a state; one that is not there is no error."""
        with storage_errors(f"delete the state {address}"):
            self.path_of(address).unlink(missing_ok=True)

    def addresses(self) -> Iterator[str]:
        """Every address there is, sorted."""
        for folder in sorted(self.root.iterdir()) if self.root.is_dir() else ():
            for path in sorted(folder.iterdir()) if folder.is_dir() else ():
                if path.suffix == ".zst" and _ADDRESS.fullmatch(path.stem):
                    yield path.stem

    def sweep(self) -> list[Path]:
        """Delete temporary files that a killed writer left; returns them."""
        swept = []
        for folder in self.root.iterdir() if self.root.is_dir() else ():
            for name in os.listdir(folder) if folder.is_dir() else ():
                if is_temporary(name):
                    (folder / name).unlink(missing_ok=True)
                    swept.append(folder / name)
        return swept
