"""`place_entity`: build something at a place in reach."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import CannotPlace, ToolError
from fle_ray.game.values import Direction
from fle_ray.tools.arguments import as_direction, as_position, as_prototype
from fle_ray.tools.context import ORIGIN, Context, xy
from fle_ray.tools.placing import SHORE_RINGS, build, obstacle, placed_by, shore, too_far

__all__ = ["place_entity"]

_SEARCH_RINGS = 10


def place_entity(
    context: Context,
    entity: Any,
    direction: Any = Direction.UP,
    position: Any = ORIGIN,
    exact: bool = True,
) -> Any:
    """Place an entity from the inventory within 10 tiles; it snaps to the grid. Returns it. Takes no time.

    Args:
        exact: False searches the nearest free place within 10 tiles of `position` instead of failing.
            Offshore pumps always search for a shore.
    """
    member = as_prototype("place_entity", "entity", entity, error="Exception")
    facing = as_direction("place_entity", "direction", direction)
    where = xy(as_position("place_entity", "position", position))
    name = member.value[0]

    def refuse(reason: str) -> ToolError:
        return ToolError(f"Could not place {name} at ({where[0]:g}, {where[1]:g}), {reason}")

    far = too_far(context, *where)
    if far is not None:
        raise refuse(far)
    try:
        prototype = placed_by(context, member)
    except ToolError as error:
        raise refuse(str(error)) from error
    if not context.count(name):
        raise refuse(f"no {name} in your inventory, which holds: {context.inventory_text()}.")
    if prototype.type == "offshore-pump":
        return _place_on_shore(context, prototype, where, facing, name, refuse)
    reason = obstacle(context, prototype, where, facing)
    if reason is None:
        return build(context, prototype, where, facing, name)
    if exact:
        covering = context.world.entity_at(where)
        if covering is not None and covering.name == prototype.name:
            raise refuse(f"a {name} already exists there at ({covering.x:g}, {covering.y:g}). Remove it first.")
        raise refuse(f"because {reason} {_advice(reason)}")
    for ring in range(1, _SEARCH_RINGS + 1):
        for dx in range(-ring, ring + 1):
            for dy in range(-ring, ring + 1):
                if max(abs(dx), abs(dy)) != ring:
                    continue
                spot = (where[0] + dx, where[1] + dy)
                if obstacle(context, prototype, spot, facing) is None:
                    return build(context, prototype, spot, facing, name)
    raise refuse(f"there is no suitable place within {_SEARCH_RINGS} tiles of it: {reason}")


def _advice(reason: CannotPlace) -> str:
    return {
        "entity": "Pick up what is in the way, or choose another place; nearest_buildable finds one.",
        "water": "Choose a place on land; nearest_buildable finds one.",
        "no-resource": "Place it on a resource patch: see nearest(Resource...) and get_resource_patch.",
        "fluid-mixing": "Keep pipes with different fluids apart.",
    }.get(reason.reason, "")


def _place_on_shore(
    context: Context, prototype: Any, where: tuple[float, float], facing: Direction, name: str, refuse: Any
) -> Any:
    """An offshore pump at the asked spot, else at the nearest free land tile beside water."""
    if obstacle(context, prototype, where, facing) is None:
        return build(context, prototype, where, facing, name)
    found = shore(context, prototype, where)
    if found is not None:
        return build(context, prototype, *found, name)
    raise refuse(
        f"there is no shore with room for it within {SHORE_RINGS} tiles. Use nearest(Resource.Water) to find water."
    )
