"""What the placing tools share: can it be built, and why not, in words that help."""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.errors import CannotPlace, ToolError
from fle_ray.game.prototypes import Entity as Prototype
from fle_ray.game.values import Direction
from fle_ray.sim import placing
from fle_ray.tools.context import Context
from fle_ray.tools.describe import describe
from fle_ray.tools.orientation import engine_direction

__all__ = ["REACH", "SHORE_RINGS", "build", "obstacle", "placed_by", "shore", "too_far"]

REACH = 10.0  # tiles from the character to what it places
SHORE_RINGS = 20  # tiles round a place within which a shore is looked for
# neighbour tiles in the order they are tried for water, and what a pump then faces: away from it
_SHORE_SIDES = (((0, 1), Direction.UP), ((1, 0), Direction.LEFT), ((0, -1), Direction.DOWN), ((-1, 0), Direction.RIGHT))


def placed_by(context: Context, member: Any) -> Prototype:
    """The entity record that a Prototype places. Raises ToolError when it places none."""
    name = member.value[0]
    data = context.world.data
    item = data.items.get(name)
    if item is not None and item.place_result is not None:
        return data.entities[item.place_result]
    if item is not None:
        raise ToolError(f"{name} is an item that cannot be placed.")
    if name in data.fluids:
        raise ToolError(f"{name} is a fluid and cannot be placed.")
    if name.endswith("-group"):
        raise ToolError(f"{name} stands for groups in queries and cannot be placed; see connect_entities.")
    raise ToolError(f"{name} does not exist in this version of the game.")


def obstacle(
    context: Context, prototype: Prototype, position: tuple[float, float], direction: Direction
) -> CannotPlace | None:
    """Why something cannot be built, None when it can; characters step aside."""
    engine = engine_direction(prototype, direction)
    try:
        placing.check(
            context.world, prototype, placing.snap(prototype, position, engine), engine, ignore_characters=True
        )
    except CannotPlace as reason:
        return reason
    return None


def build(
    context: Context, prototype: Prototype, position: tuple[float, float], direction: Direction, item: str
) -> Any:
    """Build it, take one item, and return the value agents see. Raises CannotPlace."""
    entity = context.world.place(
        prototype.name, position, engine_direction(prototype, direction), ignore_characters=True
    )
    context.character.slots.remove(item, 1)
    return describe(entity)


def shore(
    context: Context, prototype: Prototype, where: tuple[float, float]
) -> tuple[tuple[float, float], Direction] | None:
    """Where an offshore pump fits near a place, and what it faces there; None for nowhere.

    The first free land tile with water beside it, on square rings outwards, each row by row.
    """
    is_water = context.world.map.is_water
    tx, ty = floor(where[0]), floor(where[1])
    for ring in range(SHORE_RINGS + 1):
        for dy in range(-ring, ring + 1):
            for dx in range(-ring, ring + 1):
                if max(abs(dx), abs(dy)) != ring or is_water(tx + dx, ty + dy):
                    continue
                for (wx, wy), away in _SHORE_SIDES:
                    if not is_water(tx + dx + wx, ty + dy + wy):
                        continue
                    spot = (tx + dx + 0.5, ty + dy + 0.5)
                    if obstacle(context, prototype, spot, away) is None:
                        return spot, away
    return None


def too_far(context: Context, x: float, y: float) -> str | None:
    """A sentence when a place is out of reach, None when it is not."""
    distance = context.character.distance((x, y))
    if distance <= REACH:
        return None
    px, py = context.character.position
    return (
        f"the target is too far away: you are at ({px:.2f}, {py:.2f}), {distance:.2f} tiles from ({x:g}, {y:g}), "
        f"and can reach {REACH:g}. Move closer first."
    )
