"""`extract_item`: take items out of something."""

from __future__ import annotations

from math import hypot
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Entity, Position
from fle_ray.tools.arguments import as_count, as_prototype
from fle_ray.tools.context import Context, xy
from fle_ray.tools.lookup import built_in, entity_meant

__all__ = ["extract_item"]

_REACH = 10.0


def extract_item(context: Context, entity: Any, source: Any, quantity: Any = 5) -> int:
    """Take up to `quantity` of an item out of an entity's inventories (fuel, input, output, chest, modules).

    Args:
        source: the entity, or a Position: the entity there, else the nearest one within 10 tiles that holds it.

    Returns how many were moved; raises when none were. Takes no time.
    """
    member = as_prototype("extract_item", "entity", entity)
    count = as_count("extract_item", "quantity", quantity)
    item = member.value[0]
    if not isinstance(source, (Entity, Position)):
        raise ToolError(
            f"Could not extract {item}: the source must be an entity or a Position, not {type(source).__name__}.",
            type="ValueError",
        )
    place = source if isinstance(source, Position) else source.position
    x, y = xy(place)
    found = entity_meant(context, source, reach=0.5)
    if found is None or not _holds(found, item):
        name = None if isinstance(source, Position) else source.name
        near = built_in(context, (x - _REACH, y - _REACH, x + _REACH, y + _REACH), name)
        if not near:
            raise ToolError(f"Could not extract {item}: there is nothing within {_REACH:g} tiles of ({x:g}, {y:g}).")
        holding = [e for e in near if _holds(e, item)]
        if not holding:
            raise ToolError(
                f"Could not extract: could not find a valid {name or 'entity'} containing {item} within "
                f"{_REACH:g} tiles of ({x:g}, {y:g})."
            )
        found = min(holding, key=lambda e: (hypot(e.x - x, e.y - y), e.number))
    room = context.character.slots.room(item)
    if not room:
        raise ToolError(f"Could not extract {item} from {found.name} at ({found.x:g}, {found.y:g}): Inventory is full.")
    moved = found.extract(item, min(count, room))
    if not moved:
        raise ToolError(f"Could not extract {item} from {found.name} at ({found.x:g}, {found.y:g}).")
    context.character.slots.insert(item, moved)
    return moved


def _holds(entity: Any, item: str) -> bool:
    return any(item in items for name, items in entity.contents().items() if name not in ("fluids", "item"))
