"""`harvest_resource`: mine ore, trees and rocks by hand."""

from __future__ import annotations

from math import ceil, hypot
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.sim.map import Natural, Resource
from fle_ray.tools.arguments import as_count, as_position
from fle_ray.tools.context import Context, xy

__all__ = ["harvest_resource"]

_REACH = 2.7  # from the character to the place
_AT = 1.5  # something to harvest must be this near to the place


def harvest_resource(context: Context, position: Any, quantity: Any = 1, radius: float = 10) -> int:
    """Mine up to `quantity` at a place within 2.7 tiles: the kind of thing that is there, within `radius` of it.

    Ore takes 60 ticks a piece. A tree is never split, so wood may come to more than asked. Returns what was
    harvested.
    """
    place = as_position("harvest_resource", "position", position, error="AssertionError")
    wanted = as_count("harvest_resource", "quantity", quantity)
    x, y = xy(place)
    if context.character.distance((x, y)) > _REACH:
        px, py = context.character.position
        raise ToolError(
            f"Could not harvest. Nothing within reach: ({x:g}, {y:g}) is {context.character.distance((x, y)):.1f} "
            f"tiles from you at ({px:.1f}, {py:.1f}) and you reach {_REACH}. Move there first."
        )
    first = _nearest_to(_harvestable(context, x, y, _AT), x, y)
    if first is None:
        raise ToolError(f"Could not harvest. Nothing within reach of ({x:g}, {y:g}): no ore, tree or rock is there.")
    name, kind = first.name, type(first)
    if kind is Resource:
        _check_minable(context, name)
    harvested = 0
    ticks = 0
    room = context.character.slots
    targets = [t for t in _harvestable(context, x, y, max(radius, _REACH)) if t.name == name]
    targets.sort(key=lambda t: (hypot(t.x - x, t.y - y), t.y, t.x))
    for target in targets:
        while harvested < wanted:
            minable = _minable(context, target)
            gain = {p.name: int(p.amount) for p in minable.products}
            if any(room.room(item) < count for item, count in gain.items()):
                if not harvested:
                    raise ToolError("Could not harvest. Inventory is full.")
                context.advance(ticks)
                return harvested
            ticks += ceil(round(minable.mining_time_s * 60, 6))
            if isinstance(target, Natural):
                for item, count in context.world.harvest(target).items():
                    context.character.give(item, count)
                    harvested += count
                break
            item = next(iter(gain))
            context.world.statistics.mined_by_hand(item, 1)
            context.character.give(item, 1)
            context.world.map.deplete(target, 1)
            harvested += 1
            if target.amount <= 0:
                break
        if harvested >= wanted:
            break
    context.advance(ticks)
    return harvested


def _harvestable(context: Context, x: float, y: float, reach: float) -> list[Any]:
    land = context.world.map
    box = (x - reach, y - reach, x + reach, y + reach)
    found: list[Any] = [t for t in land.things_in(box) if isinstance(t, Natural)]
    found += land.resources_in(box)
    return [t for t in found if hypot(t.x - x, t.y - y) <= reach]


def _nearest_to(targets: list[Any], x: float, y: float) -> Any | None:
    """Trees and rocks before ore, the nearest first."""
    return min(targets, key=lambda t: (isinstance(t, Resource), hypot(t.x - x, t.y - y), t.y, t.x), default=None)


def _minable(context: Context, target: Any) -> Any:
    if isinstance(target, Resource):
        return context.world.data.resources[target.name].minable
    return target.prototype.minable


def _check_minable(context: Context, name: str) -> None:
    record = context.world.data.resources[name]
    hands = context.world.data.entity("character").character
    if record.resource.category not in hands.mining_categories or record.minable.required_fluid:
        raise ToolError(f"Could not harvest. {name} cannot be mined by hand; it needs a machine.")
