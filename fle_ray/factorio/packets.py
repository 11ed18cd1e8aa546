"""Packets of the Source RCON protocol: framing, both ways.

A packet is a little-endian int32 length of what follows, an int32 id, an int32 type, the body in UTF-8, and two
zero bytes (Valve's page "Source RCON Protocol").
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

__all__ = ["AUTH", "AUTH_REPLY", "COMMAND", "MOST_BYTES", "REPLY", "BadPacket", "Packet", "Reader", "split"]

AUTH = 3
COMMAND = 2
AUTH_REPLY = 2
REPLY = 0

MOST_BYTES = 4 * 1024 * 1024  # of one packet from a client that has given the password: scripts are some 100 kB
MOST_BYTES_BEFORE_AUTH = 4096  # the protocol's own limit

_HEAD = struct.Struct("<ii")
_LENGTH = struct.Struct("<i")
_LEAST = _HEAD.size + 2


class BadPacket(ValueError):
    """Bytes that are no packet; the connection cannot be read further."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet. `id` is chosen by the client and comes back in the reply; -1 refuses a password."""

    id: int
    type: int
    body: str

    def encoded(self) -> bytes:
        """The packet as bytes. Zero characters cannot stand in a body and are left out."""
        data = _HEAD.pack(self.id, self.type) + self.body.replace("\0", "").encode("utf-8", "replace") + b"\0\0"
        return _LENGTH.pack(len(data)) + data


class Reader:
    """Cuts a stream of bytes into packets.

    Attributes:
        most_bytes: the largest length accepted; may be raised once a client is trusted.
    """

    def __init__(self, most_bytes: int = MOST_BYTES_BEFORE_AUTH) -> None:
        self.most_bytes = most_bytes
        self._held = bytearray()

    def feed(self, data: bytes) -> None:
        """Add what came in."""
        self._held += data

    def next(self) -> Packet | None:
        """The next whole packet; None when more bytes are needed. Raises BadPacket."""
        if len(self._held) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._held)
        if not _LEAST <= length <= self.most_bytes:
            raise BadPacket(f"A packet says it has {length} bytes; expected {_LEAST} to {self.most_bytes}.")
        if len(self._held) < _LENGTH.size + length:
            return None
        data = bytes(self._held[_LENGTH.size : _LENGTH.size + length])
        del self._held[: _LENGTH.size + length]
        if data[-2:] != b"\0\0":
            raise BadPacket("A packet does not end in two zero bytes.")
        number, kind = _HEAD.unpack_from(data)
        body = data[_HEAD.size : -2]
        if b"\0" in body:
            raise BadPacket("A packet's body holds a zero byte.")
        try:
            return Packet(number, kind, body.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise BadPacket(f"A packet's body is not UTF-8: {error}.") from error


def split(body: str, most_bytes: int) -> list[str]:
    """A reply's body in pieces of at most `most_bytes` bytes, never within a character; one piece for an empty body."""
    data = body.encode("utf-8", "replace")
    pieces = []
    while len(data) > most_bytes:
        end = most_bytes
        while data[end] & 0xC0 == 0x80:
            end -= 1
        pieces.append(data[:end].decode("utf-8"))
        data = data[end:]
    return [*pieces, data.decode("utf-8")]
