"""`get_entity`: the entity of a kind at a place."""

from __future__ import annotations

from typing import Any

from fle_ray.tools.arguments import as_position, as_prototype
from fle_ray.tools.context import Context, xy
from fle_ray.tools.describe import describe
from fle_ray.tools.lookup import built_in, nearest_of

__all__ = ["get_entity"]

_REACH = 1.0


def get_entity(context: Context, entity: Any, position: Any) -> Any:
    """The `entity` nearest to `position` within 1 tile, as it is now; None when there is none."""
    member = as_prototype("get_entity", "entity", entity)
    x, y = xy(as_position("get_entity", "position", position, error="AssertionError"))
    name = member.value[0]
    item = context.world.data.items.get(name)
    built = item.place_result if item is not None and item.place_result else name
    found = nearest_of(built_in(context, (x - _REACH, y - _REACH, x + _REACH, y + _REACH), built), x, y)
    return None if found is None else describe(found)
