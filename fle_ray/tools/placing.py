"""What the placing tools share: can it be built, and why not, in words that help."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import CannotPlace, ToolError
from fle_ray.game.prototypes import Entity as Prototype
from fle_ray.game.values import Direction
from fle_ray.sim import placing
from fle_ray.tools.context import Context
from fle_ray.tools.describe import describe
from fle_ray.tools.orientation import engine_direction

__all__ = ["REACH", "build", "obstacle", "placed_by", "too_far"]

REACH = 10.0  # tiles from the character to what it places


def placed_by(context: Context, member: Any) -> Prototype:
    """The entity record that a Prototype places. Raises ToolError when it places none."""
    name = member.value[0]
    data = context.world.data
    item = data.items.get(name)
    if item is not None and item.place_result is not None:
        return data.entities[item.place_result]
    if item is not None:
        raise ToolError(f"{name} is an item that cannot be placed.")
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
