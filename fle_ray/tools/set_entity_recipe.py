"""`set_entity_recipe`: what a machine makes, or what an inserter moves."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import CannotSet, ToolError
from fle_ray.game.values import Prototype, RecipeName
from fle_ray.tools.arguments import as_entity
from fle_ray.tools.context import Context
from fle_ray.tools.describe import describe
from fle_ray.tools.get_prototype_recipe import recipe_name
from fle_ray.tools.lookup import built_in, entity_meant, nearest_of

__all__ = ["set_entity_recipe"]

_REACH = 1.0
_KINDS = frozenset({"assembling-machine", "inserter", "rocket-silo"})


def set_entity_recipe(context: Context, entity: Any, prototype: Any) -> Any:
    """Set what an assembling machine, plant, refinery or centrifuge makes; for an inserter, the one item it moves.

    Items of the old recipe go back to the inventory. Returns the entity. Takes no time.
    """
    value = as_entity("set_entity_recipe", "entity", entity)
    if not isinstance(prototype, (Prototype, RecipeName)):
        raise ToolError(
            f"set_entity_recipe: expected a Prototype or a RecipeName, such as Prototype.IronGearWheel, not "
            f"{prototype!r} ({type(prototype).__name__}).",
            type="ValueError",
        )
    found = entity_meant(context, value, reach=_REACH)
    if found is None or found.prototype.type not in _KINDS:
        x, y = float(value.position.x), float(value.position.y)
        near = built_in(context, (x - _REACH, y - _REACH, x + _REACH, y + _REACH))
        found = nearest_of([e for e in near if e.prototype.type in _KINDS], x, y)
    if found is None:
        raise ToolError(
            f"Could not set recipe: there is no machine that takes one at ({value.position.x:g}, {value.position.y:g})."
        )
    if found.prototype.type == "inserter":
        found.configure(filter=_item(context, prototype))
        return describe(found)
    name = recipe_name(context, "set_entity_recipe", prototype)
    try:
        returned = found.configure(recipe=name)
    except CannotSet as reason:
        raise ToolError(f"Could not set recipe: {reason}") from reason
    for item, count in (returned or {}).items():
        context.character.give(item, count)
    return describe(found)


def _item(context: Context, prototype: Prototype | RecipeName) -> str:
    name = prototype.value[0] if isinstance(prototype, Prototype) else prototype.value
    return context.world.data.item(name).name
