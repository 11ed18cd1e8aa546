"""Walls: one on every tile of the way, existing ones included in it."""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.tools.connecting.ends import End
from fle_ray.tools.connecting.materials import Tier
from fle_ray.tools.connecting.plan import Piece, Plan, Sketch
from fle_ray.tools.connecting.route import SURFACE, WAYS, Goal, Start, Tile, find

__all__ = ["WallPlanner"]


class WallPlanner:
    """Plans walls on a sketch, pair by pair."""

    reach = 0  # no tunnels

    def __init__(self, sketch: Sketch, tier: Tier) -> None:
        self.sketch = sketch
        self.name = tier.surface
        self.prototype = sketch.world.data.entities[tier.surface]

    # -- a ground for routes ---------------------------------------------------------------------------------

    def surface(self, tile: Tile) -> int | None:
        if self._stands(tile):
            return 0
        if not self.sketch.clear(self.prototype, tile):
            return None
        if self.sketch.watched(tile) or self.sketch.world.fluids.facing(*tile):
            return None
        return 0

    def opening(self, tile: Tile, way: int, entrance: bool) -> bool:
        return False

    def tunnel(self, entrance: Tile, exit_: Tile, way: int) -> bool:
        return False

    def _stands(self, tile: Tile) -> bool:
        return self.sketch.stands(self.prototype, tile)

    # -- planning -----------------------------------------------------------------------------------------------

    def plan(self, source: End | Tile, target: End) -> tuple[Plan, Tile]:
        """The walls from `source` (a waypoint, or the tile where the last pair ended) to `target`."""
        starts = [source] if isinstance(source, tuple) else self._tiles(source)
        goals = self._tiles(target)
        route = find([Start(tile, laid=not self._stands(tile)) for tile in starts], [Goal(t) for t in goals], self)
        if route is None:
            raise ToolError("no way is free for a wall on every tile: what is in the way has to be removed first.")
        plan = Plan(member=route[0].tile)
        for leg in route:
            x, y = leg.tile[0] + 0.5, leg.tile[1] + 0.5
            plan.walk.append((x, y))
            if leg.role == SURFACE and not self._stands(leg.tile):
                plan.pieces.append(Piece(self.name, leg.tile, (x, y)))
        return plan, route[-1].tile

    def _tiles(self, end: End) -> list[Tile]:
        """Where a wall that reaches an end can stand."""
        found: list[Tile] = []
        for thing in end.things():
            if thing.name == self.name:
                found.append((floor(thing.x), floor(thing.y)))
            else:
                found += [tile for tile in _ring(thing) if self.surface(tile) is not None]
        if end.bare:
            tile = end.tile if self._stands(end.tile) else self.sketch.landed(self.prototype, end.tile)
            if tile is None:
                blocker = self.sketch.blocker(self.prototype, end.tile)
                raise ToolError(f"{end.shown} is not free: {blocker} is there. Choose a free place.")
            found.append(tile)
        if not found:
            raise ToolError(f"there is no free tile beside {end.shown}.")
        return found


def _ring(thing: Any) -> list[Tile]:
    """The tiles whose edges touch an entity."""
    left, top, right, bottom = (int(round(edge)) for edge in thing.area)
    inside = {(x, y) for x in range(left, right) for y in range(top, bottom)}
    around = {(x + dx, y + dy) for x, y in inside for dx, dy in WAYS} - inside
    return sorted(around, key=lambda t: (t[1], t[0]))
