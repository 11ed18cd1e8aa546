"""`craft_item`: make something by hand."""

from __future__ import annotations

from math import ceil
from typing import Any

from fle_ray.errors import ToolError, UnknownName
from fle_ray.game.values import Prototype
from fle_ray.sim.inventory import Slots
from fle_ray.tools.arguments import as_count
from fle_ray.tools.context import Context

__all__ = ["craft_item"]


def craft_item(context: Context, entity: Any, quantity: Any = 1) -> int:
    """Craft at least `quantity` of something by hand, missing intermediates first; surplus stays in the inventory.

    Takes the recipes' own time, intermediates included. Either everything is made or nothing is used.
    Returns the quantity asked for.
    """
    if not isinstance(entity, (Prototype, str)):
        raise ToolError(
            f"craft_item: expected a Prototype or an item's name, not {type(entity).__name__}.", type="ValueError"
        )
    name = entity if isinstance(entity, str) else entity.value[0]
    count = as_count("craft_item", "quantity", quantity)
    data = context.world.data
    failure = f"Failed to craft {count}x {name} because"
    if name not in data.recipes:
        if name in data.items or name in data.resources:
            raise ToolError(f"{failure} it is a raw resource, which must be gathered: see harvest_resource.")
        raise ToolError(f"{failure} there is no such recipe. {UnknownName('recipe', name, data.recipes)}")
    recipe = data.recipe(name)
    if name not in context.world.force.recipes:
        raise ToolError(f"{failure} {_technology(context, name)}.")
    if not data.by_hand(name):
        raise ToolError(f"{failure} {_machine(context, name)}.")
    product = next((p for p in recipe.products if p.name == name), recipe.products[0])
    crafts = ceil(count / int(product.amount))
    character = context.character
    plan = character.plan(name, crafts)
    if plan.missing:
        raise ToolError(f"{failure} of missing ingredients: {_missing(context, plan)}. {_inventory(context)}")
    trial = Slots(character.slots.size, character.slots.stacks)
    trial.load(character.slots.save())
    for item, amount in plan.taken.items():
        trial.remove(item, amount)
    if any(trial.insert(item, amount) < amount for item, amount in plan.left.items()):
        raise ToolError(f"{failure} {_no_room(character.slots, plan)}")
    context.afford(plan.ticks)
    character.carry_out(plan)
    context.advance(plan.ticks)
    return count


def _no_room(slots: Slots, plan: Any) -> str:
    needed = sum(ceil(amount / slots.stacks[item]) for item, amount in plan.left.items())
    free = slots.slots.count(None)
    made = ", ".join(f"{item} x{amount}" for item, amount in plan.left.items())
    return f"Inventory is full: {made} needs {needed} slots and {free} are free. Put something into a chest first."


def _inventory(context: Context) -> str:
    return f"Your inventory holds: {context.inventory_text()}."


def _technology(context: Context, name: str) -> str:
    unlocking = [t.name for t in context.world.data.technologies_unlocking(name)]
    return f"its recipe is not known: research {' or '.join(unlocking) or 'nothing'} first"


def _machine(context: Context, name: str) -> str:
    recipe = context.world.data.recipe(name)
    machines = ", ".join(m.name for m in context.world.data.machines_for(name))
    return f"{recipe.category} cannot be done by hand; use one of: {machines}"


def _missing(context: Context, plan: Any) -> str:
    parts = []
    for item, amount in plan.missing.items():
        why = plan.blocked.get(item)
        note = ""
        if why == "category":
            note = f" ({_machine(context, item)})"
        elif why == "research":
            note = f" ({_technology(context, item)})"
        parts.append(f"{item} x{amount}{note}")
    return ", ".join(parts)
