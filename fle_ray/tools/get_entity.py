"""`get_entity`: the entity of a kind at a place."""

from __future__ import annotations

from math import hypot
from typing import Any

from fle_ray.game.values import EntityGroup, Prototype, prototype_by_name
from fle_ray.tools.arguments import as_position, as_prototype
from fle_ray.tools.context import Context, xy
from fle_ray.tools.describe import describe
from fle_ray.tools.get_entities import get_entities
from fle_ray.tools.lookup import built_in, nearest_of, placed_name

__all__ = ["get_entity", "group_members", "same_group"]

_REACH = 1.0
_GROUP_REACH = 1000
_GROUPS = frozenset({Prototype.BeltGroup, Prototype.PipeGroup, Prototype.ElectricityGroup})


def group_members(group: EntityGroup) -> list[Any]:
    """The members of any kind of group."""
    return [m for name in ("belts", "pipes", "poles", "entities") for m in getattr(group, name, ())]


def same_group(context: Context, group: EntityGroup) -> Any:
    """A group as it is now: the one of its kind with the member nearest to its first."""
    return _nearest_group(context, prototype_by_name[group.name], group_members(group)[0].position)


def _nearest_group(context: Context, member: Prototype, place: Any) -> Any:
    x, y = xy(place)
    return min(
        get_entities(context, member, place, _GROUP_REACH),
        key=lambda g: min(hypot(m.position.x - x, m.position.y - y) for m in group_members(g)),
        default=None,
    )


def get_entity(context: Context, entity: Any, position: Any) -> Any:
    """The `entity` nearest to `position` within 1 tile, as it is now; None when there is none.

    For a group Prototype: the group with the member nearest to the position. Takes no time.
    """
    member = as_prototype("get_entity", "entity", entity)
    place = as_position("get_entity", "position", position, error="AssertionError")
    if member in _GROUPS:
        return _nearest_group(context, member, place)
    x, y = xy(place)
    name = placed_name(context, member.value[0])
    found = nearest_of(built_in(context, (x - _REACH, y - _REACH, x + _REACH, y + _REACH), name), x, y)
    return None if found is None else describe(found)
