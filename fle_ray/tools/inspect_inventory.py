"""`inspect_inventory`: what the agent, or an entity, holds."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import BeltGroup, Entity, Inventory, Position
from fle_ray.tools.context import Context
from fle_ray.tools.lookup import entity_meant

__all__ = ["inspect_inventory"]

_REACH = 2.0
_SHOWN = (
    "inventory",
    "furnace_source",
    "furnace_result",
    "assembling_machine_input",
    "assembling_machine_output",
    "lab_input",
    "rocket_silo_input",
    "rocket_silo_output",
    "trunk_inventory",
    "turret_ammo",
)


def inspect_inventory(context: Context, entity: Any = None, all_players: bool = False) -> Any:
    """The agent's main inventory; an entity's, inputs and outputs summed, without fuel and modules.

    Args:
        entity: an entity, or the Position of one; None for the agent itself.
        all_players: a list with every agent's inventory instead.
    """
    if all_players:
        return [Inventory(c.inventory) for c in context.world.characters]
    if entity is None:
        return Inventory(context.character.inventory)
    if not isinstance(entity, (Entity, Position)):
        raise ToolError(
            f"inspect_inventory: expected an entity, a Position or nothing, not {type(entity).__name__}."
            f"{_hint(entity)}",
            type="ValueError",
        )
    found = entity_meant(context, entity, reach=_REACH)
    if found is None:
        raise ToolError(f"Could not inspect inventory: there is no {_what(entity)} within {_REACH:g} tiles.")
    totals: dict[str, float] = {}
    contents = found.contents()
    for name in _SHOWN:
        for item, count in contents.get(name, {}).items():
            totals[item] = totals.get(item, 0) + count
    return Inventory(totals)


def _hint(value: Any) -> str:
    return " A group of belts shows its items in its field inventory." if isinstance(value, BeltGroup) else ""


def _what(entity: Any) -> str:
    if isinstance(entity, Position):
        return f"entity at ({entity.x:g}, {entity.y:g})"
    return f"{entity.name} at ({entity.position.x:g}, {entity.position.y:g})"
