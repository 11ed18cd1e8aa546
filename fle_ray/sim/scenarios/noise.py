"""Chance and noise for made land: keyed hashes of a purpose and a place, blended by whole numbers.

Nothing here depends on the order of asking or on the machine.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from fle_ray.sim.map import CHUNK

__all__ = ["ONE", "Draws", "Field", "Noise", "random_tiles"]

Field = NDArray[np.int64]

ONE = 1 << 16
"""Noise of one octave of weight 1 runs from -ONE to just under ONE."""

_LATTICE = 8  # a hash of 64 bytes gives 8 x 8 points of a noise lattice


class Draws:
    """Whole numbers drawn one after the other for one purpose and place."""

    def __init__(self, key: bytes, purpose: str, *place: int) -> None:
        self._key = key
        self._text = f"{purpose}:{':'.join(map(str, place))}"
        self._count = 0

    def below(self, limit: int) -> int:
        """Evenly from 0 to limit - 1."""
        digest = blake2b(f"{self._text}:{self._count}".encode(), digest_size=8, key=self._key).digest()
        self._count += 1
        return int.from_bytes(digest, "little") * limit >> 64

    def between(self, least: int, most: int) -> int:
        """Evenly from least to most, both included."""
        return least + self.below(most - least + 1)


def _weights(scale: int) -> list[Field]:
    """For every place a chunk may have in a lattice cell: rows of weights (of 256) that blend lattice values."""

    def smooth(k: int) -> int:
        return 256 * (3 * k * k * scale - 2 * k * k * k) // scale**3

    points = max(CHUNK // scale, 1) + 1
    found = []
    for start in range(0, max(scale, CHUNK), CHUNK):
        matrix = np.zeros((CHUNK, points), dtype=np.int64)
        for row in range(CHUNK):
            cell, k = divmod(start + row, scale)
            matrix[row, cell] = 256 - smooth(k)
            matrix[row, cell + 1] = smooth(k)
        found.append(matrix)
    return found


class Noise:
    """Smooth noise from -ONE to ONE: octaves of random lattices, blended between their points.

    `octaves` are (scale, weight): scale in tiles is a power of two, the weight a whole number.
    """

    def __init__(self, key: bytes, purpose: str, octaves: tuple[tuple[int, int], ...]) -> None:
        self._key = key
        self._octaves = [(scale, weight, _weights(scale), f"{purpose}:{scale}") for scale, weight in octaves]
        self._block = lru_cache(maxsize=4096)(self._draw_block)

    def _draw_block(self, purpose: str, bx: int, by: int) -> Field:
        digest = blake2b(f"{purpose}:{bx}:{by}".encode(), digest_size=64, key=self._key).digest()
        return np.frombuffer(digest, dtype=np.uint8).reshape(_LATTICE, _LATTICE).astype(np.int64) - 128

    def _points(self, purpose: str, ix: int, iy: int, count: int) -> Field:
        """Lattice values of count x count points, from point (ix, iy); rows are y."""
        bx, ox = divmod(ix, _LATTICE)
        by, oy = divmod(iy, _LATTICE)
        if ox + count <= _LATTICE and oy + count <= _LATTICE:
            return self._block(purpose, bx, by)[oy : oy + count, ox : ox + count]
        rows = [np.hstack([self._block(purpose, bx, y), self._block(purpose, bx + 1, y)]) for y in (by, by + 1)]
        return np.vstack(rows)[oy : oy + count, ox : ox + count]

    def field(self, cx: int, cy: int) -> Field:
        """Weighted sum of the octaves on the 32 x 32 tiles of a chunk, [row y, column x]."""
        total = np.zeros((CHUNK, CHUNK), dtype=np.int64)
        for scale, weight, weights, purpose in self._octaves:
            ix, ox = divmod(cx * CHUNK, scale)
            iy, oy = divmod(cy * CHUNK, scale)
            across = weights[ox // CHUNK]
            down = weights[oy // CHUNK]
            points = self._points(purpose, ix, iy, across.shape[1])
            # 256 * 256 * 128 is 2**23; down to the 2**16 of ONE
            total += (down @ points @ across.T >> 7) * weight
        return total


def random_tiles(key: bytes, purpose: str, cx: int, cy: int) -> NDArray[np.uint16]:
    """Two layers of numbers below 65,536 for the tiles of a chunk, [layer, row y, column x]."""
    needed = 2 * 2 * CHUNK * CHUNK // 64
    text = f"{purpose}:{cx}:{cy}:"
    parts = [blake2b(f"{text}{k}".encode(), digest_size=64, key=key).digest() for k in range(needed)]
    return np.frombuffer(b"".join(parts), dtype="<u2").reshape(2, CHUNK, CHUNK)
