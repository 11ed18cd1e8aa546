"""Snapshots and digests: the whole state of a world as bytes, and a short hash of it.

A snapshot is a header with the format version and compressed JSON: plain values only, so reading one can run
nothing. Lazily kept figures are settled first, so that equal worlds have equal states whoever looked at them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from fle_ray.errors import SnapshotError

__all__ = ["FORMAT", "copied", "digest_of", "pack", "unpack"]

FORMAT = 2  # raise it with every change of what is saved, or of what a seed's land is
_MAGIC = b"FLEW"
_LEVEL = 3
_MOST_BYTES = 1 << 28  # a world's JSON is far smaller; a forged snapshot must not fill the memory


def _text(state: dict[str, Any]) -> bytes:
    return json.dumps(state, sort_keys=True, separators=(",", ":")).encode()


def copied(state: dict[str, Any]) -> dict[str, Any]:
    """A plain state that shares nothing with `state`."""
    return json.loads(json.dumps(state))


def pack(state: dict[str, Any]) -> bytes:
    """Plain state -> bytes."""
    return _MAGIC + FORMAT.to_bytes(2, "big") + zlib.compress(_text(state), _LEVEL)


def unpack(data: bytes) -> dict[str, Any]:
    """Bytes -> plain state. Raises SnapshotError when damaged or of another version."""
    if data[:4] != _MAGIC:
        raise SnapshotError("This is no snapshot of a simulated world (its first bytes are wrong).")
    version = int.from_bytes(data[4:6], "big")
    if version != FORMAT:
        raise SnapshotError(
            f"This snapshot has format version {version}, this simulator reads version {FORMAT}: "
            f"restore it with the {'older' if version < FORMAT else 'newer'} fle_ray that made it, or play anew."
        )
    try:
        inflate = zlib.decompressobj()
        text = inflate.decompress(data[6:], _MOST_BYTES)
        if not inflate.eof:
            raise SnapshotError("This snapshot is cut short or too large.")
        state = json.loads(text)
    except (zlib.error, ValueError) as error:
        raise SnapshotError(f"This snapshot is damaged: {error}.") from error
    if not isinstance(state, dict):
        raise SnapshotError("This snapshot is damaged: it holds no world.")
    return state


def digest_of(state: dict[str, Any]) -> str:
    """32 hex digits of a plain state."""
    return hashlib.blake2b(_text(state), digest_size=16).hexdigest()
