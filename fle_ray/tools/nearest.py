"""`nearest`: the nearest resource, tree, water or building."""

from __future__ import annotations

from fle_ray.errors import ToolError
from fle_ray.game.values import Position, Prototype, ResourceName
from fle_ray.tools.context import Context
from fle_ray.tools.lookup import placed_name

__all__ = ["nearest", "resource_name"]

_REACH = 500


def resource_name(value: object) -> str | None:
    """The name that a Resource, a Prototype or a ResourceName stands for, None for anything else."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        return value[0]
    if isinstance(value, Prototype):
        return value.value[0]
    if isinstance(value, ResourceName):
        return value.value
    return None


def nearest(context: Context, type: object) -> Position:
    """Position of the nearest `type` within 500 tiles of the character: a Resource, or a Prototype built somewhere.

    Ties go to the least y, then the least x. Water is given as its tile's top left corner. Takes no time.
    """
    name = resource_name(type)
    if name is None:
        raise ToolError(f"nearest: expected a Resource such as Resource.Coal or a Prototype, not {type!r}.")
    x, y = context.character.position
    land = context.world.map
    found: tuple[float, float] | None = None
    if name == "water":
        found = land.nearest_tile(name, x, y, _REACH)
    elif name == "wood":
        tree = land.nearest_natural("tree", x, y, _REACH)
        found = (tree.x, tree.y) if tree is not None else None
    elif name in context.world.data.resources:
        resource = land.nearest_resource(name, x, y, _REACH)
        found = (resource.x, resource.y) if resource is not None else None
    else:
        name = placed_name(context, name)
        near = [e for e in context.world.entities.values() if e.name == name]
        near = [e for e in near if abs(e.x - x) <= _REACH and abs(e.y - y) <= _REACH]
        nearest_one = min(near, key=lambda e: ((e.x - x) ** 2 + (e.y - y) ** 2, e.y, e.x), default=None)
        found = nearest_one.position if nearest_one is not None else None
    if found is None:
        raise ToolError(
            f"Could not find nearest {name}: there is none within {_REACH} tiles of ({x:.1f}, {y:.1f}). "
            f"Explore further, or build it first."
        )
    return Position(x=found[0], y=found[1])
