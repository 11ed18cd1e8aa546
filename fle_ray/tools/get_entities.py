"""`get_entities`: everything built in an area."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Prototype
from fle_ray.tools.arguments import as_position, as_radius
from fle_ray.tools.context import Context, xy
from fle_ray.tools.describe import describe
from fle_ray.tools.groups import BELT_NAMES, PIPE_NAMES, POLE_NAMES, group_all
from fle_ray.tools.lookup import built_in, placed_name

__all__ = ["get_entities"]

_POINT = 1e-6  # radius 0 finds what covers the point
_GROUPS = {"belt-group": BELT_NAMES, "pipe-group": PIPE_NAMES, "electricity-group": POLE_NAMES}


def get_entities(context: Context, entities: Any = (), position: Any = None, radius: float = 1000) -> list[Any]:
    """Entities in the square of half-side `radius` round `position` (the character without one).

    Belts, pipes, poles and walls come as groups, after the other entities, when everything is asked for, when
    a group Prototype is, or when a place is given; asked for by their own Prototype without a place they come
    one by one. Takes no time.

    Args:
        entities: a Prototype, or several: only these. Without, everything.
    """
    names, grouped = _wanted(context, entities if entities is not None else ())
    if position is None:
        x, y = context.character.position
    else:
        x, y = xy(as_position("get_entities", "position", position))
        grouped = True
    radius = max(as_radius("get_entities", radius), _POINT)
    found = []
    for entity in built_in(context, (x - radius, y - radius, x + radius, y + radius)):
        if names is None or entity.name in names:
            value = describe(entity)
            if value is not None:
                found.append(value)
    return group_all(found) if grouped else found


def _wanted(context: Context, entities: Any) -> tuple[set[str] | None, bool]:
    """(names asked for, None for all; whether they come as groups)."""
    if isinstance(entities, Prototype):
        entities = (entities,)
    if not isinstance(entities, Iterable) or isinstance(entities, (str, dict)):
        raise ToolError(f"get_entities: expected Prototypes, not {type(entities).__name__}.", type="ValueError")
    names: set[str] = set()
    grouped = False
    for member in entities:
        if not isinstance(member, Prototype):
            raise ToolError(f"get_entities: expected Prototypes, not {member!r}.", type="ValueError")
        group = _GROUPS.get(member.value[0])
        if group is not None:
            names |= group
            grouped = True
        else:
            names.add(placed_name(context, member.value[0]))
    return (names, grouped) if names else (None, True)
