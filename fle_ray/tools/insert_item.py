"""`insert_item`: put items from the inventory into something."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import ToolError
from fle_ray.tools.arguments import as_count, as_entity, as_prototype
from fle_ray.tools.context import Context
from fle_ray.tools.describe import describe
from fle_ray.tools.lookup import entity_meant

__all__ = ["insert_item"]

_REACH = 1.0


def insert_item(context: Context, entity: Any, target: Any, quantity: Any = 5) -> Any:
    """Put up to `quantity` of an item into an entity; what does not fit stays in the inventory.

    Fuel goes into the fuel slot, ingredients into the input, products into the output, modules into module
    slots. Returns the target as it is now. Takes no time.
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
    found = entity_meant(context, value, reach=_REACH)
    where = f"({value.position.x:g}, {value.position.y:g})"
    if found is None:
        raise ToolError(f"Could not find a {value.name} near {where} to put {item} into; it may have been removed.")
    moved = found.insert(item, min(count, have))
    if not moved:
        raise ToolError(f"Could not insert: {_why_not(found, item, min(count, have))}")
    context.character.slots.remove(item, moved)
    return describe(found)


def _why_not(found: Any, item: str, tried: int) -> str:
    held = {name: dict(items) for name, items in found.contents().items()}
    return (
        f"{found.name} at ({found.x:g}, {found.y:g}) took none of {tried} {item}: it is full, or it does not "
        f"accept {item}. It holds {held or 'nothing'}."
    )
