"""Short sentences about what is amiss with an entity, worked out afresh each time.

Each rule looks at the simulator's entity and says its sentences; `RULES` is the order in which agents see them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor
from typing import Any

__all__ = ["RULES", "warnings_of"]

_BLOCKED = "waiting_for_space_in_destination"
_BELTS = frozenset({"transport-belt", "underground-belt", "splitter"})
_STORES = frozenset({"container", "logistic-container"})
_PRODUCERS = frozenset({"solar-panel", "generator"})
_STEAM = frozenset({"boiler", "generator"})


def warnings_of(entity: Any) -> list[str]:
    """Warnings in the order agents know them by."""
    return [sentence for rule in RULES for sentence in rule(entity)]


def _burner(entity: Any) -> Any:
    for source in (getattr(entity, "source", None), getattr(entity, "burner", None)):
        if source is not None and getattr(source, "kind", None) == "burner":
            return source
    return None


def _nothing_to_mine(entity: Any) -> Iterator[str]:
    if entity.prototype.type == "mining-drill":
        target = entity.well if hasattr(entity, "well") else entity.resource()
        if target is None:
            yield "nothing to mine"


def _out_of_fuel(entity: Any) -> Iterator[str]:
    burner = _burner(entity)
    if burner is not None and burner.remaining <= 0 and not burner.fuel:
        yield "out of fuel"


def _nothing_to_smelt(entity: Any) -> Iterator[str]:
    if entity.prototype.type == "furnace" and not entity.busy:
        yield "no ingredients to smelt"


def _empty_source(entity: Any) -> Iterator[str]:
    if entity.prototype.type != "inserter":
        return
    source = entity.pickup
    if source is not None and source.prototype.type in _STORES and not source.holds_anything():
        yield "inserter waiting for source items"


def _full_inventories(entity: Any) -> Iterator[str]:
    kind = entity.prototype.type
    stacks = entity.world.stacks
    burner = _burner(entity)
    if kind in _STORES and entity.inventory.is_full():
        yield "chest is full"
    if burner is not None and burner.fuel.is_full():
        yield "furnace fuel source is full" if kind == "furnace" else "fuel source is full"
    if kind == "furnace":
        for name, slot in (("source", entity.ingredient), ("result", entity.product)):
            if slot is not None and slot[1] >= stacks[slot[0]]:
                yield f"furnace {name} is full"
    bins = []
    if kind == "assembling-machine":
        bins = [("assembler input", entity.inputs), ("assembler output", entity.outputs)]
    elif kind == "rocket-silo":
        bins = [("rocket silo input", entity.inputs)]
    for name, held in bins:
        if held and all(count >= stacks[item] for item, count in held.items()):
            yield f"{name} is full"


def _blocked_output(entity: Any) -> Iterator[str]:
    if entity.status != _BLOCKED:
        return
    drop = entity.drop_position if entity.prototype.type == "inserter" else getattr(entity, "drop", None)
    if drop is None:
        yield "waiting for space in destination"
        return
    where = f"({floor(drop[0] * 2 + 0.5) / 2:g}, {floor(drop[1] * 2 + 0.5) / 2:g})"
    target = entity.world.entity_at(drop)
    if target is None:
        yield f"output blocked by item on the ground at {where}"
    elif target.prototype.type in _STORES:
        yield f"chest at drop position is full, at {where}; take something out of it"
    elif target.prototype.type == "furnace":
        yield "furnace at drop position is blocked."
    elif target.prototype.type in _BELTS:
        yield f"transport belt at drop position is blocked, at {where}"
    else:
        yield "waiting for space in destination"


def _no_electricity(entity: Any) -> Iterator[str]:
    record = entity.prototype.energy_source
    if record is None or record.type != "electric":
        return
    network = getattr(_plug(entity), "network", None)
    producer = entity.prototype.type in _PRODUCERS
    if network is None:
        yield "not connected to power network"
    elif not producer and entity.prototype.type != "accumulator" and not _plug(entity).on():
        yield "not receiving electricity"


def _missing_ingredients(entity: Any) -> Iterator[str]:
    if entity.prototype.type != "assembling-machine" or entity.recipe is None or entity.busy:
        return
    short = [
        (part.name, int(part.amount) - entity.inputs[part.name])
        for part in entity.recipe.ingredients
        if part.type == "item" and entity.inputs[part.name] < part.amount
    ]
    if short:
        missing = ", ".join(f"{name} ({count})" for name, count in short)
        yield f"cannot create {entity.recipe.name} due to missing resources: {missing}"


def _no_liquid(entity: Any) -> Iterator[str]:
    if entity.prototype.type in _STEAM and entity.fluid_boxes and not entity.fluid_boxes[0].content:
        yield "no input liquid"


RULES: tuple[Callable[[Any], Iterator[str]], ...] = (
    _nothing_to_mine,
    _out_of_fuel,
    _nothing_to_smelt,
    _empty_source,
    _full_inventories,
    _blocked_output,
    _no_electricity,
    _missing_ingredients,
    _no_liquid,
)


def _plug(entity: Any) -> Any:
    return getattr(entity, "source", None) or getattr(entity, "plug", None)
