"""The child's end of the pipes."""

from __future__ import annotations

import json
import os
from typing import Any

from fle_ray.interpreter.frames import BYTES, HEADER, JSON, frame

__all__ = ["Wire"]

# Cycles need not be looked for: the codec bounds how deep values nest.
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))


class Wire:
    """Sends and receives messages over two file descriptors. Ends the process when the parent is gone."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd

    def send(self, message: dict[str, Any]) -> None:
        self.send_body(dump(message))

    def send_body(self, body: bytes, kind: bytes = JSON) -> None:
        rest = memoryview(frame(kind, body))
        while rest:
            try:
                rest = rest[os.write(self._write_fd, rest) :]
            except BrokenPipeError:
                os._exit(0)

    def receive(self) -> dict[str, Any] | bytes:
        """The next message: an object, or the bytes of a session."""
        kind, length = HEADER.unpack(self._read(HEADER.size))
        body = self._read(length)
        return body if kind == BYTES else json.loads(body)

    def _read(self, count: int) -> bytes:
        chunk = os.read(self._read_fd, count)
        if len(chunk) == count:
            return chunk
        parts = [chunk]
        got = len(chunk)
        while got < count:
            if not chunk:
                os._exit(0)
            chunk = os.read(self._read_fd, min(count - got, 1 << 20))
            parts.append(chunk)
            got += len(chunk)
        return b"".join(parts)


def dump(message: Any) -> bytes:
    """Strict JSON in UTF-8.

    Raises:
        ValueError: an infinite or undefined float, an integer of thousands of digits, half a surrogate pair.
        TypeError: something that JSON does not have.
    """
    return _ENCODER.encode(message).encode("utf-8")
