"""`can_place_entity`: would `place_entity` succeed?"""

from __future__ import annotations

from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Direction
from fle_ray.tools.arguments import as_direction, as_position, as_prototype
from fle_ray.tools.context import ORIGIN, Context, xy
from fle_ray.tools.placing import obstacle, placed_by, shore, too_far

__all__ = ["can_place_entity"]


def can_place_entity(context: Context, entity: Any, direction: Any = Direction.UP, position: Any = ORIGIN) -> bool:
    """Whether the entity can be placed there facing that way, by this character, with what it carries.

    For an offshore pump a place on water counts as well, when there is a shore that `place_entity` would find.
    Uses nothing up and takes no time.
    """
    member = as_prototype("can_place_entity", "entity", entity)
    facing = as_direction("can_place_entity", "direction", direction, error="AssertionError")
    where = xy(as_position("can_place_entity", "position", position, error="AssertionError"))
    try:
        prototype = placed_by(context, member)
    except ToolError:
        return False
    if too_far(context, *where) is not None or not context.count(member.value[0]):
        return False
    if obstacle(context, prototype, where, facing) is None:
        return True
    if prototype.type == "offshore-pump" and context.world.map.is_water(int(where[0] // 1), int(where[1] // 1)):
        return shore(context, prototype, where) is not None
    return False
