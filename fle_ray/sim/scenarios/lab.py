"""The lab map: four ore fields at the corners of a square, a pond between each pair, oil in the middle.

Figures were read out of the saved lab map that the Factorio Learning Environment ships; the exact place of
its trees and of the ten shallow water tiles is ours. After every reset each ore tile holds 10,000 and each
well 300,000 (a yield of 100 %).
"""

from __future__ import annotations

from collections.abc import Iterator

from fle_ray.sim.map import CHUNK, Chunk, Tile

__all__ = ["ORE_AMOUNT", "WELL_AMOUNT", "LabTerrain"]

ORE_AMOUNT = 10_000
WELL_AMOUNT = 300_000

# name, first and last tile column, first and last tile row
_FIELDS = (
    ("coal", 15, 38, -4, 20),
    ("stone", -71, -47, -4, 20),
    ("iron-ore", 15, 38, 70, 95),
    ("copper-ore", -71, -47, 70, 95),
)
_MISSING = {(-49, -2)}  # one tile of the stone field
_WELL_COLUMNS = (tuple(range(-70, -48, 3)), tuple(range(17, 39, 3)))
_WELL_ROWS = (40, 43, 46, 49)
_PONDS = ((-22, -12, -3, 20), (-22, -12, 71, 95))
_SHALLOW = tuple((x, 95) for x in range(-22, -12))
_FLOOR = (-152, 111, -69, 160)  # refined concrete, columns and rows
_HALF = 500  # the map is 1,000 x 1,000 tiles
_HEDGE_STEP = 0.9
# trees a side, 485 in all: first and last tree of the side, number of trees, whether it runs along x
_HEDGE = (
    ((-102.0, -19.0), (62.0, -19.0), 136, True),
    ((-102.0, 111.0), (62.0, 111.0), 136, True),
    ((-102.0, -18.1), (-102.0, 110.1), 106, False),
    ((62.0, -18.1), (62.0, 110.1), 107, False),
)


def _hedge() -> Iterator[tuple[str, float, float]]:
    """Trees 0.9 tile apart along a rectangle, each side open in its middle so that one can walk out."""
    for (x0, y0), (x1, y1), count, along_x in _HEDGE:
        first = (count + 1) // 2
        for k in range(count):
            steps = k if k < first else k + 1 - count
            start = (x0, y0) if k < first else (x1, y1)
            offset = round(steps * _HEDGE_STEP * 256) / 256
            yield ("tree-01", start[0] + offset, start[1]) if along_x else ("tree-01", start[0], start[1] + offset)


class LabTerrain:
    """The lab map; the seed changes nothing."""

    name = "lab"
    seed = 0
    bounds = (-_HALF, -_HALF, _HALF, _HALF)

    def __init__(self) -> None:
        tiles: dict[Tile, dict[Tile, str]] = {}
        resources: dict[Tile, dict[Tile, tuple[str, int]]] = {}
        naturals: dict[Tile, list[tuple[str, float, float]]] = {}

        def chunk_of(tx: int, ty: int) -> Tile:
            return tx // CHUNK, ty // CHUNK

        for name, x0, x1, y0, y1 in _FIELDS:
            for ty in range(y0, y1 + 1):
                for tx in range(x0, x1 + 1):
                    if (tx, ty) not in _MISSING:
                        resources.setdefault(chunk_of(tx, ty), {})[tx, ty] = (name, ORE_AMOUNT)
        for columns in _WELL_COLUMNS:
            for tx in columns:
                for ty in _WELL_ROWS:
                    resources.setdefault(chunk_of(tx, ty), {})[tx, ty] = ("crude-oil", WELL_AMOUNT)
        for x0, x1, y0, y1 in _PONDS:
            for tx in range(x0, x1 + 1):
                for ty in range(y0, y1 + 1):
                    tiles.setdefault(chunk_of(tx, ty), {})[tx, ty] = "water"
        for tx, ty in _SHALLOW:
            tiles[chunk_of(tx, ty)][tx, ty] = "water-shallow"
        for name, x, y in _hedge():
            naturals.setdefault(chunk_of(int(x // 1), int(y // 1)), []).append((name, x, y))
        low, high = -_HALF // CHUNK, (_HALF - 1) // CHUNK
        self.start_chunks: tuple[Tile, ...] = tuple(
            (cx, cy) for cx in range(low, high + 1) for cy in range(low, high + 1)
        )
        self._special = {
            key: Chunk(tiles.get(key, {}), resources.get(key, {}), tuple(naturals.get(key, ())))
            for key in {*tiles, *resources, *naturals}
        }
        self._plain = Chunk()

    def ground(self, tx: int, ty: int) -> str:
        left, right, top, bottom = _FLOOR
        if left <= tx <= right and top <= ty <= bottom:
            return "refined-concrete"
        return "lab-dark-1" if (tx + ty) % 2 else "lab-dark-2"

    def chunk(self, cx: int, cy: int) -> Chunk:
        return self._special.get((cx, cy), self._plain)
