"""From the simulator's entities to the values agents see.

`describe` fills what every entity carries; what only some kinds have comes from a describer of their type, in
`details.py`. Fields are worked out afresh at each call: a value is a snapshot, never a view.
"""

from __future__ import annotations

from typing import Any

from fle_ray.game.values import (
    Dimensions,
    EntityCore,
    EntityStatus,
    Inventory,
    Position,
    Prototype,
    TileDimensions,
    prototype_by_name,
)
from fle_ray.sim.entity import Entity as SimEntity
from fle_ray.tools.details import DETAILS
from fle_ray.tools.machines import MACHINES
from fle_ray.tools.orientation import agent_direction
from fle_ray.tools.warnings import warnings_of

__all__ = ["describe", "member_of", "position_of"]

# inventories as the simulator names them -> the field that agents see them under
_INVENTORIES = {
    "fuel": "fuel",
    "burnt_result": "burnt_result",
    "inventory": "inventory",
    "furnace_source": "furnace_source",
    "furnace_result": "furnace_result",
    "furnace_modules": "furnace_modules",
    "assembling_machine_input": "assembling_machine_input",
    "assembling_machine_output": "assembling_machine_output",
    "assembling_machine_modules": "assembling_machine_modules",
    "lab_input": "lab_input",
    "lab_modules": "lab_modules",
    "turret_ammo": "turret_ammo",
    "rocket_silo_rocket": "rocket_inventory",
    "rocket_silo_input": "rocket_silo_input",
    "rocket_silo_modules": "rocket_silo_modules",
    "beacon_modules": "beacon_modules",
    "mining_drill_modules": "mining_drill_modules",
}
_TRUNKS = frozenset({"car", "spider-vehicle"})  # their inventory is called a trunk
_NEIGHBOUR_REACH = 0.707


def member_of(name: str) -> Prototype | None:
    """The Prototype that places or is called `name`, None when agents have no name for it."""
    return prototype_by_name.get("rail" if name == "straight-rail" else name)


def position_of(entity: Any) -> Position:
    return Position(x=entity.x, y=entity.y)


def describe(entity: SimEntity, *, neighbours: bool = True) -> Any:
    """The value of an entity's class, or None for one that agents have no name for."""
    member = member_of(entity.name)
    if member is None or member.value[1] is None:
        return None
    entity.settle(entity.world.tick)
    prototype = entity.prototype
    left, top, right, bottom = prototype.collision_box
    fields: dict[str, Any] = {
        "name": entity.name,
        "position": position_of(entity),
        "direction": agent_direction(prototype, entity.direction),
        "health": float(entity.health),
        "energy": float(entity.energy),
        "type": prototype.type,
        "status": EntityStatus.from_string(entity.status) or EntityStatus.NORMAL,
        "dimensions": Dimensions(width=right - left, height=bottom - top),
        "tile_dimensions": TileDimensions(tile_width=prototype.tile_width, tile_height=prototype.tile_height),
        "id": entity.number,
        "prototype": member,
    }
    wanted = member.value[1].model_fields
    contents = entity.contents()
    for name, shown in _INVENTORIES.items():
        if name in contents:
            trunk = name == "inventory" and prototype.type in _TRUNKS
            fields["trunk_inventory" if trunk else shown] = Inventory(contents[name])
    if "fuel" in wanted:
        fields["fuel_inventory"] = [f"{item}={count}" for item, count in contents.get("fuel", {}).items()]
        fields["remaining_fuel"] = sum(contents.get("fuel", {}).values())
    if neighbours and "neighbours" in wanted:
        fields["neighbours"] = _neighbours(entity)
    if "electrical_id" in wanted:
        fields["electrical_id"] = _network_number(entity)
    details = DETAILS.get(prototype.type) or MACHINES.get(prototype.type)
    if details is not None:
        fields.update(details(entity))
    if "status" in fields and isinstance(fields["status"], str):
        fields["status"] = EntityStatus.from_string(fields["status"]) or EntityStatus.NORMAL
    fields["warnings"] = [*fields.pop("more_warnings", []), *warnings_of(entity)]
    return member.value[1](**fields)


def _network_number(entity: SimEntity) -> int | None:
    """Number of the electric network it is in, None outside any."""
    plug = getattr(entity, "source", None) or getattr(entity, "plug", None)
    network = getattr(plug, "network", None) or getattr(entity, "network", None)
    return getattr(network, "number", network)


def _neighbours(entity: SimEntity) -> list[EntityCore]:
    left, top, right, bottom = entity.box
    box = (left - _NEIGHBOUR_REACH, top - _NEIGHBOUR_REACH, right + _NEIGHBOUR_REACH, bottom + _NEIGHBOUR_REACH)
    return [
        EntityCore(name=e.name, position=position_of(e), direction=agent_direction(e.prototype, e.direction))
        for e in entity.world.find(box)
        if e is not entity and e.prototype.type != "item-entity"
    ]
