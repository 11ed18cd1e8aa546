"""`pickup_entity`: take something off the map, with all it holds."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Entity, EntityGroup, Position, Prototype, UndergroundBelt
from fle_ray.sim.inventory import Slots
from fle_ray.tools.context import Context
from fle_ray.tools.get_entity import group_members
from fle_ray.tools.lookup import built_in, entity_meant, nearest_of, placed_name

__all__ = ["pickup_entity"]

_REACH = 0.707
_LOST = frozenset({"fluids", "rocket_silo_output"})  # rocket parts go with the silo


def pickup_entity(context: Context, entity: Any, position: Any = None) -> bool:
    """Pick up an entity, a group, or the `entity` Prototype at `position`; its contents come along.

    Items lying on the ground can be picked up by their Prototype and place. Raises when there is nothing of
    that name, or when the inventory has no room for everything. Returns True. Takes no time.
    """
    if isinstance(entity, Prototype):
        if not isinstance(position, Position):
            raise ToolError(
                "pickup_entity: give the Position of what to pick up, or the entity itself.", type="ValueError"
            )
        return _pick(context, entity.value[0], position)
    if position is not None:
        raise ToolError("pickup_entity: give either an entity or a Prototype and a Position.", type="ValueError")
    if isinstance(entity, EntityGroup):
        for member in group_members(entity):
            pickup_entity(context, member)
        return True
    if not isinstance(entity, Entity):
        raise ToolError(
            f"pickup_entity: expected an entity, a group or a Prototype, not {type(entity).__name__}.",
            type="ValueError",
        )
    _pick(context, entity.name, entity.position)
    if _is_pair(entity):
        partner = context.world.entities.get(entity.connected_to)
        if partner is not None and partner.name == entity.name:
            _take(context, partner)
    return True


def _is_pair(entity: Entity) -> bool:
    """Whether a value stands for both ends of an underground belt, as groups show them: it goes out further on."""
    if not isinstance(entity, UndergroundBelt) or entity.connected_to is None:
        return False
    return entity.position.distance(entity.output_position) > 1.5


def _pick(context: Context, name: str, position: Position) -> bool:
    x, y = float(position.x), float(position.y)
    built = placed_name(context, name)
    found = entity_meant(context, position, reach=0.0, name=built)
    if found is None:
        box = (x - _REACH, y - _REACH, x + _REACH, y + _REACH)
        found = nearest_of(built_in(context, box, built), x, y)
        if found is None:
            piles = [e for e in context.world.find(box, "item-on-ground") if e.item == name]
            found = nearest_of(piles, x, y)
    if found is None:
        raise ToolError(f"Could not pickup: there is no {name} at ({x:g}, {y:g}).")
    return _take(context, found)


def _take(context: Context, found: Any) -> bool:
    minable = found.prototype.minable
    if minable is None:
        raise ToolError(f"Could not pickup: {found.name} cannot be picked up.")
    gained: dict[str, int] = {}
    for name, items in found.contents().items():
        for item, count in items.items():
            if item in context.world.stacks and name not in _LOST:
                gained[item] = gained.get(item, 0) + int(count)
    for product in minable.products:
        gained[product.name] = gained.get(product.name, 0) + int(product.amount)
    slots = context.character.slots
    trial = Slots(slots.size, slots.stacks)
    trial.load(slots.save())
    if any(trial.insert(item, count) < count for item, count in gained.items()):
        raise ToolError(f"Could not pickup: Inventory is full: no room for {found.name} and what it holds ({gained}).")
    for item, count in context.world.mine(found).items():
        context.character.give(item, count)
    return True
