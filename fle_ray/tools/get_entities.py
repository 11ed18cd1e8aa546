"""`get_entities`: everything built in an area."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Prototype
from fle_ray.tools.arguments import as_position
from fle_ray.tools.context import Context, xy
from fle_ray.tools.describe import describe
from fle_ray.tools.lookup import built_in

__all__ = ["get_entities"]


def get_entities(context: Context, entities: Any = (), position: Any = None, radius: float = 1000) -> list[Any]:
    """Entities in the square of half-side `radius` round `position` (the character without one).

    Args:
        entities: a Prototype, or several: only these. Without, everything.
    """
    wanted = _names(context, entities)
    if position is None:
        x, y = context.character.position
    else:
        x, y = xy(as_position("get_entities", "position", position))
    found = []
    for entity in built_in(context, (x - radius, y - radius, x + radius, y + radius)):
        if wanted is None or entity.name in wanted:
            value = describe(entity)
            if value is not None:
                found.append(value)
    return found


def _names(context: Context, entities: Any) -> set[str] | None:
    if isinstance(entities, Prototype):
        entities = (entities,)
    if not isinstance(entities, Iterable) or isinstance(entities, (str, dict)):
        raise ToolError(f"get_entities: expected Prototypes, not {type(entities).__name__}.", type="ValueError")
    names = set()
    for member in entities:
        if not isinstance(member, Prototype):
            raise ToolError(f"get_entities: expected Prototypes, not {member!r}.", type="ValueError")
        item = context.world.data.items.get(member.value[0])
        names.add(item.place_result if item is not None and item.place_result else member.value[0])
    return names or None
