"""`harvest_resource`: mine ore, trees and rocks by hand."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, hypot
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.sim.map import Natural, Resource
from fle_ray.tools.arguments import as_count, as_position, as_radius
from fle_ray.tools.context import Context, xy

__all__ = ["harvest_resource"]

_REACH = 2.7  # from the character to the place, and from the place to what is mined first
_FARTHEST = 500.0  # as far as `nearest` looks
_AT = 1.5  # something to harvest must be this near to the place


def harvest_resource(context: Context, position: Any, quantity: Any = 1, radius: float = 10) -> int:
    """Mine up to `quantity` of what is at a place within 2.7 tiles of you: ore, trees or rocks.

    The same kind within 2.7 tiles of the place is taken first, the nearest first; then whatever within `radius`
    of it gives the same (trees, rocks, ore). Ore comes piece by piece, in 60 ticks each. Trees and rocks are
    never split, so it may come to more than asked. Stops early when there is nothing left or the inventory is
    full. Returns how many were harvested.
    """
    place = as_position("harvest_resource", "position", position, error="AssertionError")
    wanted = as_count("harvest_resource", "quantity", quantity)
    reach = min(as_radius("harvest_resource", radius), _FARTHEST)
    x, y = xy(place)
    away = context.character.distance((x, y))
    if away > _REACH:
        px, py = context.character.position
        raise ToolError(
            f"Could not harvest. Nothing within reach: ({x:g}, {y:g}) is {away:.1f} tiles from you at "
            f"({px:.1f}, {py:.1f}) and you reach {_REACH}. Move there first."
        )
    first = min(_found(context, x, y, _AT), key=lambda t: _order(t, x, y), default=None)
    if first is None:
        raise ToolError(f"Could not harvest. Nothing within reach of ({x:g}, {y:g}): no ore, tree or rock is there.")
    if isinstance(first, Resource):
        _check_minable(context, first.name)
    return _Harvest(context, wanted).run(_targets(context, first, x, y, wanted, reach))


def _targets(
    context: Context, first: Any, x: float, y: float, wanted: int, radius: float
) -> Iterator[list[Any]]:
    """What to mine, in rounds: first the same kind close by, then single things further off that give the same."""
    same = [t for t in _found(context, x, y, _REACH) if t.name == first.name and type(t) is type(first)]
    same.sort(key=lambda t: _order(t, x, y))
    yield same[:wanted]
    item = _minable(context, first).products[0].name
    gone = set(map(id, same[:wanted]))
    rest = [
        t
        for t in _found(context, x, y, radius)
        if id(t) not in gone
        and any(p.name == item for p in _minable(context, t).products)
        and (not isinstance(t, Resource) or _by_hand(context, t.name))
    ]
    rest.sort(key=lambda t: (_rank(t), *_order(t, x, y)))
    for target in rest:
        yield [target]


class _Harvest:
    """One call's work: gains things as long as wanted, room, and the step's time last; then pays for it."""

    def __init__(self, context: Context, wanted: int) -> None:
        self.context = context
        self.wanted = wanted
        self.harvested = 0
        self.ticks = 0
        self.full = False
        self.unpaid = 0  # ticks of the mining that the step is too short for

    @property
    def over(self) -> bool:
        return self.harvested >= self.wanted or self.full or bool(self.unpaid)

    def run(self, rounds: Iterator[list[Any]]) -> int:
        for targets in rounds:
            naturals = [t for t in targets if isinstance(t, Natural)]
            for natural in naturals:
                if self.over:
                    break
                self._fell(natural)
            self._dig([t for t in targets if isinstance(t, Resource)])
            if self.over:
                break
        if self.full and not self.harvested:
            raise ToolError("Could not harvest. Inventory is full: put something into a chest first.")
        self.context.advance(self.ticks + self.unpaid)
        return self.harvested

    def _dig(self, ores: list[Resource]) -> None:
        """Mine tiles in turn, one piece each, until enough is there."""
        while ores and not self.over:
            for ore in list(ores):
                item = _minable(self.context, ore).products[0].name
                if self.over or not self._ready(ore, {item: 1}):
                    return
                self.context.world.statistics.mined_by_hand(item, 1)
                self.context.character.give(item, 1)
                self.context.world.map.deplete(ore, 1)
                self.harvested += 1
                if ore.amount <= 0:
                    ores.remove(ore)

    def _fell(self, natural: Natural) -> None:
        gain = {p.name: int(p.amount) for p in natural.prototype.minable.products}
        if not self._ready(natural, gain):
            return
        for item, count in self.context.world.harvest(natural).items():
            self.context.character.give(item, count)
            if self.harvested < self.wanted:
                self.harvested += count

    def _ready(self, target: Any, gain: dict[str, int]) -> bool:
        """Whether there is room and time for one more mining; counts its time."""
        slots = self.context.character.slots
        if any(slots.room(item) < count for item, count in gain.items()):
            self.full = True
            return False
        ticks = ceil(round(_minable(self.context, target).mining_time_s * 60, 6))
        left = self.context.ticks_left
        if left is not None and self.ticks + ticks > left:
            self.unpaid = ticks
            return False
        self.ticks += ticks
        return True


def _found(context: Context, x: float, y: float, reach: float) -> list[Any]:
    """Trees, rocks and resources whose centre is within `reach`."""
    land = context.world.map
    box = (x - reach, y - reach, x + reach, y + reach)
    found: list[Any] = [t for t in land.things_in(box) if isinstance(t, Natural)]
    found += land.resources_in(box)
    return [t for t in found if hypot(t.x - x, t.y - y) <= reach]


def _order(target: Any, x: float, y: float) -> tuple:
    """The nearest first; of equals what stands on the ground, then by row and column."""
    return hypot(target.x - x, target.y - y), isinstance(target, Resource), target.y, target.x


def _rank(target: Any) -> int:
    """Trees before rocks before ore."""
    if isinstance(target, Resource):
        return 2
    return 0 if target.prototype.type == "tree" else 1


def _minable(context: Context, target: Any) -> Any:
    if isinstance(target, Resource):
        return context.world.data.resources[target.name].minable
    return target.prototype.minable


def _by_hand(context: Context, name: str) -> bool:
    record = context.world.data.resources[name]
    hands = context.world.data.entity("character").character
    return record.resource.category in hands.mining_categories and not record.minable.required_fluid


def _check_minable(context: Context, name: str) -> None:
    if not _by_hand(context, name):
        raise ToolError(f"Could not harvest. {name} cannot be mined by hand; it needs a machine.")
