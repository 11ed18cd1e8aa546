"""Messages between parent and child: a kind, a length, a body. Shared by both sides, imports nothing of ours.

A body of kind `JSON` is one JSON object in UTF-8, of kind `BYTES` a saved session. Nothing else crosses.
"""

from __future__ import annotations

import struct

__all__ = ["BYTES", "HEADER", "JSON", "frame"]

HEADER = struct.Struct(">cI")
JSON = b"j"
BYTES = b"b"


def frame(kind: bytes, body: bytes) -> bytes:
    """One message as it stands on the pipe."""
    return HEADER.pack(kind, len(body)) + body
