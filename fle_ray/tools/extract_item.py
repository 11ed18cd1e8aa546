"""`extract_item`: take items out of something."""

from __future__ import annotations

from math import hypot
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import BeltGroup, Entity, EntityGroup, Position
from fle_ray.tools.arguments import as_count, as_prototype
from fle_ray.tools.context import Context, xy
from fle_ray.tools.get_entity import group_members
from fle_ray.tools.lookup import built_in, entity_meant

__all__ = ["extract_item"]

_REACH = 10.0


def extract_item(context: Context, entity: Any, source: Any, quantity: Any = 5) -> int:
    """Take up to `quantity` of an item out of an entity's inventories (fuel, input, output, chest, modules).

    Args:
        source: the entity, a Position, or a group of belts. The entity meant is taken from first; when it holds
            none, the nearest one of its name (at a Position: of any name) within 10 tiles that does.

    Returns how many were moved; raises when none were. Takes no time.
    """
    member = as_prototype("extract_item", "entity", entity)
    count = as_count("extract_item", "quantity", quantity)
    item = member.value[0]
    if isinstance(source, EntityGroup):
        return _off_belts(context, source, item, count)
    if not isinstance(source, (Entity, Position)):
        raise ToolError(
            f"Could not extract {item}: the source must be an entity, a group of belts or a Position, not "
            f"{type(source).__name__}.",
            type="ValueError",
        )
    place = source if isinstance(source, Position) else source.position
    x, y = xy(place)
    found = entity_meant(context, source, reach=0.5)
    if found is None or not _holds(found, item):
        name = None if isinstance(source, Position) else source.name
        near = built_in(context, (x - _REACH, y - _REACH, x + _REACH, y + _REACH), name)
        if not near:
            raise ToolError(
                f"Could not extract {item} from {name or 'anything'} at ({x:g}, {y:g}): there is nothing within "
                f"{_REACH:g} tiles of it."
            )
        holding = [e for e in near if _holds(e, item)]
        if not holding:
            raise ToolError(
                f"Could not extract {item} from {name or 'anything'} at ({x:g}, {y:g}): could not find a valid "
                f"{name or 'entity'} containing {item} within {_REACH:g} tiles.{_holding(found)}"
            )
        found = min(holding, key=lambda e: (hypot(e.x - x, e.y - y), e.number))
    moved = _move(context, found, item, count)
    if not moved:
        raise ToolError(
            f"Could not extract {item} from {found.name} at ({found.x:g}, {found.y:g}): your inventory is full."
        )
    return moved


def _off_belts(context: Context, group: EntityGroup, item: str, count: int) -> int:
    if not isinstance(group, BeltGroup):
        raise ToolError(
            f"Could not extract {item} from {group.name}: only groups of belts hold items. Name an entity instead."
        )
    moved = 0
    lying = False
    for belt in group_members(group):
        found = entity_meant(context, belt, reach=0.5)
        if found is not None and moved < count and _holds(found, item):
            lying = True
            moved += _move(context, found, item, count - moved)
    if not moved:
        why = "your inventory is full" if lying else "none of it lies on them now"
        raise ToolError(
            f"Could not extract {item} from the belts at ({group.position.x:g}, {group.position.y:g}): {why}."
        )
    return moved


def _move(context: Context, found: Any, item: str, count: int) -> int:
    """Take as many as fit into the agent's inventory."""
    slots = context.character.slots
    room = min(count, slots.room(item))
    moved = found.extract(item, room) if room else 0
    slots.insert(item, moved)
    return moved


def _holds(entity: Any, item: str) -> bool:
    return any(item in items for name, items in entity.contents().items() if name not in ("fluids", "item"))


def _holding(found: Any) -> str:
    if found is None:
        return ""
    held = {name: dict(items) for name, items in found.contents().items()}
    return f" The {found.name} there holds {held or 'nothing'}."
