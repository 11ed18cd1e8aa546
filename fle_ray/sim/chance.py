"""Random draws that depend on who draws and how often it drew, and on nothing else.

The one generator is the world's seed; a draw hashes it with the creation number of the entity that draws and that
entity's own count of draws. So a result never depends on the order in which other entities act, and a snapshot
needs only the counts.
"""

from __future__ import annotations

import hashlib

__all__ = ["draw"]

_SPAN = float(1 << 53)


def draw(seed: int, number: int, count: int) -> float:
    """Evenly spread over [0, 1) for (world seed, creation number, draws so far)."""
    digest = hashlib.blake2b(f"{seed}:{number}:{count}".encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / _SPAN
