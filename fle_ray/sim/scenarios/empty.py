"""Endless flat land with nothing on it, for rigs and tests."""

from __future__ import annotations

from fle_ray.sim.map import Chunk, Tile

__all__ = ["EmptyTerrain"]

_NOTHING = Chunk()


class EmptyTerrain:
    """No resources, no water, no trees; every tile is `lab-white`."""

    name = "empty"
    seed = 0
    start_chunks: tuple[Tile, ...] = ()
    bounds = None

    def ground(self, tx: int, ty: int) -> str:
        return "lab-white"

    def chunk(self, cx: int, cy: int) -> Chunk:
        return _NOTHING
