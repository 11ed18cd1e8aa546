"""`insert_item`: put items from the inventory into something."""

from __future__ import annotations

from math import ceil
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import BeltGroup, EntityGroup
from fle_ray.tools.arguments import as_count, as_entity, as_prototype
from fle_ray.tools.context import Context
from fle_ray.tools.describe import describe
from fle_ray.tools.get_entity import group_members, same_group
from fle_ray.tools.lookup import entity_meant

__all__ = ["insert_item"]

_REACH = 1.0
_ON_A_BELT = 8  # items on a tile of belt


def insert_item(context: Context, entity: Any, target: Any, quantity: Any = 5) -> Any:
    """Put up to `quantity` of an item into an entity or onto belts; what does not fit stays in the inventory.

    Fuel goes into the fuel slot, ingredients into the input, products into the output, modules into module
    slots; a group of belts is filled from its first input on. Asking for more than you carry puts in what you
    carry. Raises when nothing went in. Returns the target as it is now. Takes no time.
    """
    member = as_prototype("insert_item", "entity", entity)
    value = as_entity("insert_item", "target", target, error="AssertionError", groups=True)
    count = as_count("insert_item", "quantity", quantity, error="AssertionError")
    item = member.value[0]
    have = context.count(item)
    if not have:
        raise ToolError(
            f"Could not insert: there is no {item} in your inventory, which holds: {context.inventory_text()}."
        )
    count = min(count, have)
    if isinstance(value, EntityGroup):
        return _onto_belts(context, value, item, count)
    found = entity_meant(context, value, reach=_REACH)
    where = f"({value.position.x:g}, {value.position.y:g})"
    if found is None:
        raise ToolError(
            f"Could not insert: Could not find a {value.name} near {where} that accepts {item}; "
            f"it may have been removed."
        )
    refusal = _refusal(context, found, item)
    if refusal is not None:
        raise ToolError(
            f"Could not insert: Could not find an entity near {where} that accepts {item}: "
            f"{found.name} at ({found.x:g}, {found.y:g}) {refusal}"
        )
    moved = found.insert(item, count)
    if not moved:
        raise ToolError(f"Could not insert: {_nothing_went_in(found, item, count)}")
    context.character.slots.remove(item, moved)
    return describe(found)


def _onto_belts(context: Context, group: Any, item: str, count: int) -> Any:
    """Fill the belts of a group in the order of their flow, from its first input (else output, else belt) on."""
    if not isinstance(group, BeltGroup):
        raise ToolError(
            f"Could not insert: Could not find an entity that accepts {item}: a {group.name} holds no items. "
            f"Insert into one of the entities, or into a group of belts."
        )
    first = (*group.inputs, *group.outputs, *group.belts)[:1]
    members = group_members(group)
    start = next((i for i, m in enumerate(members) if first and m.id == first[0].id), 0)
    line = (*members[start:], *members[:start])
    needed = ceil(count / _ON_A_BELT)
    moved = 0
    # the belts that it takes from their far end back, so that what lies there already does not push on
    for belt in (*reversed(line[:needed]), *line[needed:]):
        found = entity_meant(context, belt, reach=0.5)
        if found is not None and moved < count:
            moved += found.insert(item, count - moved)
    where = f"({group.position.x:g}, {group.position.y:g})"
    if not moved:
        raise ToolError(
            f"Could not insert: failed to insert {item} into the belts at {where}: none of {count} fitted, they are "
            f"full or have been removed. They hold {group.inventory!r}."
        )
    context.character.slots.remove(item, moved)
    return same_group(context, group)


def _refusal(context: Context, found: Any, item: str) -> str | None:
    """Why a kind of entity never takes an item, as the end of a sentence; None when it may."""
    record = context.world.data.items[item]
    kind = found.prototype.type
    fuel = _burner(found)
    if kind == "lab":
        if item not in found.packs:
            return f"takes science packs: {', '.join(found.packs)}."
    elif kind == "assembling-machine":
        if record.module_effects:
            return found.modules.refusal(item) and f"refuses it: {found.modules.refusal(item)}."
        if found.recipe is None:
            return "has no recipe set. Set one with set_entity_recipe first."
        if item not in found.inputs and item not in found.outputs:
            parts = ", ".join((*found.inputs, *found.outputs)) or "nothing solid"
            return f"makes {found.recipe.name}, whose ingredients and products are {parts}."
    elif kind == "furnace":
        inside = found.ingredient
        if fuel is not None and fuel.is_fuel(item) or record.module_effects:
            return None
        if found.recipe_for(item) is None:
            burns = "" if fuel is not None or not record.fuel_category else " It runs on electricity, not on fuel."
            return f"smelts ore, stone and iron plates, not {item}.{burns}"
        if inside is not None and inside[0] != item:
            return f"holds {inside[0]} in its source slot, which {item} cannot be mixed with. Extract that first."
    elif fuel is not None and not fuel.is_fuel(item):
        return "takes fuel only, such as coal or wood."
    return None


def _burner(found: Any) -> Any:
    """The burner of an entity, None without one."""
    for source in (getattr(found, "source", None), getattr(found, "burner", None)):
        if source is not None and getattr(source, "kind", None) == "burner":
            return source
    return None


def _nothing_went_in(found: Any, item: str, tried: int) -> str:
    held = {name: dict(items) for name, items in found.contents().items()}
    total = sum(count for items in held.values() for count in items.values())
    return (
        f"failed to insert {item} into {found.name} ({found.prototype.type}) at ({found.x:g}, {found.y:g}): none of "
        f"{tried} went in. " + (f"It is full, or refuses {item}; it holds {held}." if total else f"It refuses {item}.")
    )
