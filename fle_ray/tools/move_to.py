"""`move_to`: walk to a place."""

from __future__ import annotations

from math import floor, hypot
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Position
from fle_ray.sim.map import Natural
from fle_ray.tools.arguments import as_position
from fle_ray.tools.context import Context
from fle_ray.tools.pathfinding import grid_path, line_is_free, straighten

__all__ = ["move_to", "standable"]

_SEARCH = 200  # tiles round the target within which a place to stand is looked for
_WALK_LAYER = "player"


def standable(context: Context, tile: tuple[int, int]) -> bool:
    """Whether one can walk over a tile: land, no tree or rock. Own entities never block."""
    world = context.world
    if _WALK_LAYER in world.map.tile_layers(*tile):
        return False
    return not any(
        isinstance(thing, Natural) and _WALK_LAYER in thing.prototype.collision_layers
        for thing in world.map.standing_on(*tile)
    )


def _free_to_stand(context: Context, tile: tuple[int, int]) -> bool:
    """Whether a 1x1 thing would fit there: standable, and nothing built on it."""
    return standable(context, tile) and context.world.entity_at((tile[0] + 0.5, tile[1] + 0.5)) is None


def _stopping_place(context: Context, target: tuple[float, float]) -> tuple[float, float] | None:
    """The target itself when one can stand there, else the nearest tile centre where one can."""
    tile = (floor(target[0]), floor(target[1]))
    if _free_to_stand(context, tile):
        return target
    best: tuple[float, float, float] | None = None
    for ring in range(1, _SEARCH + 1):
        if best is not None and ring > best[0] + 1:
            break
        for tx in range(tile[0] - ring, tile[0] + ring + 1):
            edge = tx in (tile[0] - ring, tile[0] + ring)
            rows = range(tile[1] - ring, tile[1] + ring + 1) if edge else (tile[1] - ring, tile[1] + ring)
            for ty in rows:
                distance = hypot(tx + 0.5 - target[0], ty + 0.5 - target[1])
                if best is not None and (distance, ty + 0.5, tx + 0.5) >= (best[0], best[2], best[1]):
                    continue
                if _free_to_stand(context, (tx, ty)):
                    best = (distance, tx + 0.5, ty + 0.5)
    return None if best is None else (best[1], best[2])


def move_to(context: Context, position: Position, laying: Any = None, leading: Any = None) -> Position:
    """Walk to `position`, or to the nearest free place beside it; own buildings never block the way.

    Takes the walking time: ceil(length / 0.15) ticks for each straight stretch. Returns where the character
    stands, generally not exactly the target.
    """
    if laying is not None or leading is not None:
        raise ToolError("move_to: laying and leading are not supported; use connect_entities to lay things.")
    target = as_position("move_to", "position", position)
    x, y = floor(target.x * 4) / 4, floor(target.y * 4) / 4
    start = context.character.position
    goal = _stopping_place(context, (x, y))
    if goal is None:
        raise ToolError(f"Could not get path to ({x:g}, {y:g}): there is no free land within {_SEARCH} tiles of it.")

    def passable(tile: tuple[int, int]) -> bool:
        return standable(context, tile)

    if line_is_free(start, goal, passable):
        points = [start, goal]
    else:
        tiles = grid_path(
            (floor(start[0]), floor(start[1])), [(floor(goal[0]), floor(goal[1]))], passable, diagonal=True
        )
        if tiles is None:
            raise ToolError(
                f"Could not get path to ({x:g}, {y:g}): water, trees, rocks or the edge of the map close it off "
                f"from ({start[0]:.1f}, {start[1]:.1f}). Try a place on this side of the obstacle."
            )
        points = straighten([start, *((tx + 0.5, ty + 0.5) for tx, ty in tiles[1:-1]), goal], passable)
    for a, b in zip(points, points[1:], strict=False):
        context.advance(context.walking_ticks(hypot(b[0] - a[0], b[1] - a[1])))
        context.character.teleport(b)
    return context.place
