"""`nearest`: the nearest resource, tree, water or building."""

from __future__ import annotations

from math import ceil, floor, hypot

from fle_ray.errors import ToolError
from fle_ray.game.values import Position, Prototype, ResourceName
from fle_ray.tools.context import Context

__all__ = ["nearest", "resource_name"]

_REACH = 500


def resource_name(value: object) -> str | None:
    """The name that a Resource, a Prototype or a ResourceName stands for, None for anything else."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        return value[0]
    if isinstance(value, Prototype):
        return value.value[0]
    if isinstance(value, ResourceName):
        return value.value
    return None


def nearest(context: Context, type: object) -> Position:
    """Position of the nearest `type` within 500 tiles of the character: a Resource, or a Prototype built somewhere.

    Ties go to the least y, then the least x. Water is given as its tile's top left corner. Takes no time.
    """
    name = resource_name(type)
    if name is None:
        raise ToolError(f"nearest: expected a Resource such as Resource.Coal or a Prototype, not {type!r}.")
    x, y = context.character.position
    box = (x - _REACH, y - _REACH, x + _REACH, y + _REACH)
    land = context.world.map
    found: list[tuple[float, float, float]] = []
    if name == "water":
        land.explore_box(box)
        best = _nearest_water(context, x, y)
        if best is not None:
            return Position(x=best[0], y=best[1])
    elif name == "wood":
        land.explore_box(box)
        found = [(hypot(n.x - x, n.y - y), n.y, n.x) for n in land.naturals() if n.prototype.type == "tree"]
    elif name in context.world.data.resources:
        found = [(hypot(r.x - x, r.y - y), r.y, r.x) for r in land.resources_in(box, name)]
    else:
        found = [(hypot(e.x - x, e.y - y), e.y, e.x) for e in context.world.entities.values() if e.name == name]
    found = [f for f in found if abs(f[2] - x) <= _REACH and abs(f[1] - y) <= _REACH]
    if not found:
        raise ToolError(
            f"Could not find nearest {name}: there is none within {_REACH} tiles of ({x:.1f}, {y:.1f}). "
            f"Explore further, or build it first."
        )
    _, best_y, best_x = min(found)
    return Position(x=best_x, y=best_y)


def _nearest_water(context: Context, x: float, y: float) -> tuple[int, int] | None:
    """Top left corner of the nearest tile called exactly `water`, looking outwards ring by ring."""
    tile = context.world.map.tile
    cx, cy = floor(x), floor(y)
    best: tuple[float, int, int] | None = None
    for ring in range(_REACH + 1):
        if best is not None and ring > ceil(best[0]) + 1:
            break
        for tx in range(cx - ring, cx + ring + 1):
            edge = tx in (cx - ring, cx + ring)
            for ty in range(cy - ring, cy + ring + 1) if edge else (cy - ring, cy + ring):
                if tile(tx, ty) == "water":
                    candidate = (hypot(tx - x, ty - y), ty, tx)
                    if best is None or candidate < best:
                        best = candidate
    return None if best is None else (best[2], best[1])
