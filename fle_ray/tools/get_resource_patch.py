"""`get_resource_patch`: how large a deposit is, and where it lies."""

from __future__ import annotations

from math import ceil, floor, hypot
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import BoundingBox, Position, ResourcePatch
from fle_ray.sim.map import CHUNK
from fle_ray.tools.arguments import as_count, as_position
from fle_ray.tools.context import Context, xy
from fle_ray.tools.nearest import resource_name

__all__ = ["get_resource_patch"]

_FARTHEST = 500  # as far as `nearest` looks


def get_resource_patch(context: Context, resource: Any, position: Any, radius: Any = 30) -> ResourcePatch:
    """The patch of a resource whose nearest tile lies within `radius` of a place.

    Ore: everything connected (eight neighbours) to that tile; size is the total amount, the box runs from tile
    edge to tile edge. Water: the water tiles within the radius, size their number. Wood: the trees within the
    radius, size the wood in them. Takes no time.
    """
    name = resource_name(resource)
    if name is None:
        raise ToolError(f"get_resource_patch: expected a Resource such as Resource.Coal, not {resource!r}.")
    x, y = xy(as_position("get_resource_patch", "position", position))
    reach = min(as_count("get_resource_patch", "radius", radius, least=0), _FARTHEST)
    if name == "water":
        tiles = _water(context, x, y, reach)
        return _patch(name, len(tiles), tiles, x, y)
    if name == "wood":
        span = max(reach, 0.5)
        trees = [
            n
            for n in context.world.map.naturals((x - span, y - span, x + span, y + span))
            if n.prototype.type == "tree" and hypot(n.x - x, n.y - y) <= span
        ]
        wood = sum(int(p.amount) for n in trees for p in n.prototype.minable.products)
        return _patch(name, wood, {(floor(n.x), floor(n.y)) for n in trees}, x, y)
    return _ore(context, name, x, y, reach)


def _ore(context: Context, name: str, x: float, y: float, reach: int) -> ResourcePatch:
    land = context.world.map
    span = max(reach, 0.5)
    near = [r for r in land.resources_in((x - span, y - span, x + span, y + span), name)]
    least = max(reach, 0.7072)
    first: tuple[float, float, float] | None = None
    for r in near:
        rank = hypot(r.x - x, r.y - y), r.y, r.x
        if rank[0] <= least and (first is None or rank < first):
            first = rank
    if first is None:
        return _patch(name, 0, set(), x, y)
    tile = floor(first[2]), floor(first[1])
    resources = land.resources
    endless = land.terrain.bounds is None
    seen = {tile}
    edge = [tile]
    amount = 0
    while edge:
        tx, ty = edge.pop()
        amount += resources[tx, ty].amount
        for beside in (
            (tx - 1, ty - 1), (tx - 1, ty), (tx - 1, ty + 1), (tx, ty - 1),
            (tx, ty + 1), (tx + 1, ty - 1), (tx + 1, ty), (tx + 1, ty + 1),
        ):  # fmt: skip
            if beside not in seen:
                neighbour = land.resource_at(*beside) if endless else resources.get(beside)
                if neighbour is not None and neighbour.name == name:
                    seen.add(beside)
                    edge.append(beside)
    return _patch(name, amount, seen, x, y)


def _water(context: Context, x: float, y: float, reach: int) -> set[tuple[int, int]]:
    land = context.world.map
    land.explore_box((x - reach, y - reach, x + reach + CHUNK, y + reach + CHUNK))
    return {
        (tx, ty)
        for tx in range(floor(x - reach), ceil(x + reach) + 1)
        for ty in range(floor(y - reach), ceil(y + reach) + 1)
        if hypot(tx + 0.5 - x, ty + 0.5 - y) <= max(reach, 0.7072) and land.tile(tx, ty) == "water"
    }


def _patch(name: str, size: int, tiles: set[tuple[int, int]], x: float, y: float) -> ResourcePatch:
    if not tiles:
        raise ToolError(
            f"Could not get {name} at ({x:g}, {y:g}): there is none within the radius. "
            f"nearest(...) tells where the nearest is."
        )
    left, top = min(t[0] for t in tiles), min(t[1] for t in tiles)
    right, bottom = max(t[0] for t in tiles) + 1, max(t[1] for t in tiles) + 1
    return ResourcePatch(
        name=name,
        size=size,
        bounding_box=BoundingBox(
            left_top=Position(x=left, y=top),
            right_bottom=Position(x=right, y=bottom),
            left_bottom=Position(x=left, y=bottom),
            right_top=Position(x=right, y=top),
        ),
    )
