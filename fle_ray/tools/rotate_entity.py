"""`rotate_entity`: turn something that stands."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import CannotPlace, ToolError
from fle_ray.game.values import Direction
from fle_ray.tools.arguments import as_direction, as_entity
from fle_ray.tools.context import Context
from fle_ray.tools.describe import describe
from fle_ray.tools.lookup import entity_meant
from fle_ray.tools.orientation import agent_direction, engine_direction

__all__ = ["rotate_entity"]

_REACH = 0.5
# kinds that look the same from every side
_ROUND = frozenset(
    {
        "accumulator",
        "beacon",
        "container",
        "electric-pole",
        "furnace",
        "heat-pipe",
        "lab",
        "logistic-container",
        "pipe",
        "radar",
        "reactor",
        "roboport",
        "rocket-silo",
        "solar-panel",
        "wall",
    }
)


def rotate_entity(context: Context, entity: Any, direction: Any = Direction.UP) -> Any:
    """Turn an entity to `direction`, its contents and recipe kept. Returns it. Takes no time.

    Raises for kinds without sides (chests, furnaces, poles ...), and for an assembling machine without a recipe.
    """
    value = as_entity("rotate_entity", "entity", entity)
    facing = as_direction("rotate_entity", "direction", direction)
    found = entity_meant(context, value, reach=_REACH)
    if found is None:
        raise ToolError(
            f"Could not rotate: there is no {value.name} at ({value.position.x:g}, {value.position.y:g}); "
            f"it may have been removed."
        )
    wanted = engine_direction(found.prototype, facing)
    if found.direction == wanted:
        return describe(found)
    if found.prototype.type in _ROUND:
        raise ToolError(
            f"Could not rotate {found.name}. It looks the same from every side, so that its direction stays "
            f"{agent_direction(found.prototype, found.direction).name}."
        )
    if found.name.startswith("assembling-machine") and found.recipe is None:
        raise ToolError(f"Could not rotate {found.name}. Set its recipe first, with set_entity_recipe.")
    try:
        context.world.rotate(found, wanted)
    except CannotPlace as reason:
        raise ToolError(f"Could not rotate {found.name}. {reason}") from reason
    return describe(found)
