"""Burning fuel: an energy buffer fed from fuel items.

Rules (measured on 2.0.60 by the FactorioGym probes): the buffer holds 16/15 of the use per tick; each tick
the machine first spends, then the buffer is filled from the item that burns, taking the next item when that
is used up, in mid-tick if need be. With less in the buffer than a tick needs, that fraction of a tick's work
is done. Nothing is spent while idle.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from fle_ray.sim.inventory import Slots

__all__ = ["INSERTER_FUEL_LIMIT", "Burner"]

INSERTER_FUEL_LIMIT = 5  # an inserter stops at five items in a fuel slot (FactorioGym probe)
_BUFFER = 16.0 / 15.0


@cache
def _fuels(data: Any, categories: frozenset[str]) -> frozenset[str]:
    """Items that burn in a burner of these categories."""
    return frozenset(name for name, item in data.items.items() if item.fuel_category in categories)


class Burner:
    """The burner of one entity (its `owner`).

    Attributes:
        use: joules per tick at full work; capacity: joules the buffer holds.
        energy: joules in the buffer; remaining: joules left in the item that burns; burning: that item.
        used: joules spent since built. fuel, burnt: the inventories; fuels: names of what it burns.
    """

    __slots__ = (
        "burning",
        "burnt",
        "capacity",
        "energy",
        "fuel",
        "fuels",
        "items",
        "owner",
        "remaining",
        "statistics",
        "use",
        "used",
    )
    kind = "burner"

    def __init__(self, owner: Any, use: float) -> None:
        world = owner.world
        source = owner.prototype.energy_source
        self.owner = owner
        self.items = world.data.items
        self.statistics = world.statistics
        self.use = use
        self.capacity = use * _BUFFER
        self.fuels = _fuels(world.data, source.fuel_categories)
        self.fuel = Slots(source.fuel_inventory_size, world.stacks)
        self.burnt = Slots(source.burnt_inventory_size, world.stacks) if source.burnt_inventory_size else None
        self.energy = 0.0
        self.remaining = 0.0
        self.burning: str | None = None
        self.used = 0.0

    def is_fuel(self, item: str) -> bool:
        """Whether this burner burns `item`."""
        return item in self.fuels

    # -- an energy source of a machine (see energy.py) -------------------------------------------------

    def connect(self) -> None:
        """Nothing to connect to."""

    def gone(self) -> None:
        """Nothing to disconnect from."""

    def start(self) -> None:
        """The owner begins to work; a burner has nobody to tell."""

    def rest(self) -> None:
        """The owner stops working; idle burners spend nothing."""

    def rate(self) -> float:
        """Share of full speed at which the owner works."""
        return 1.0

    def working_status(self) -> str:
        return "working"

    def starved_status(self) -> str:
        return "no_fuel"

    def on(self) -> bool:
        """Whether there is anything in the buffer."""
        return self.energy > 0

    def empty(self) -> bool:
        """Nothing in the buffer, nothing burning, no fuel."""
        return self.energy <= 0 and self.remaining <= 0 and not self.fuel.totals

    def work(self, use: float | None = None) -> float:
        """Spend one tick's use; returns the fraction of a tick's work that the buffer allowed, 0..1."""
        if use is None:
            use = self.use
        energy = self.energy
        if energy <= 0:
            return 0.0
        if energy >= use:
            self.energy = energy - use
            self.used += use
            return 1.0
        self.energy = 0.0
        self.used += energy
        return energy / use

    def refill(self) -> None:
        """Fill the buffer from what burns, taking the next item when that is used up."""
        needed = self.capacity - self.energy
        if 0 < needed < self.remaining:
            self.energy += needed
            self.remaining -= needed
            if self.energy >= self.capacity:
                return
        while True:
            needed = self.capacity - self.energy
            if needed <= 0:
                break
            if self.remaining <= 0 and not self._light():
                break
            part = needed if needed < self.remaining else self.remaining
            self.energy += part
            self.remaining -= part
        if self.remaining <= 0:
            self.remaining = 0.0
            self.burn_out()

    def _light(self) -> bool:
        """Take the next fuel item; False when there is none."""
        for slot in self.fuel.slots:
            if slot is not None:
                break
        else:
            return False
        item = slot[0]
        self.burn_out()
        record = self.items[item]
        if self.burnt is not None and record.burnt_result and not self.burnt.has_room(record.burnt_result):
            return False
        self.fuel.remove(item, 1)
        self.burning = item
        self.remaining = record.fuel_value_j
        self.statistics.used(item, 1)
        self.owner.changed()
        return True

    def burn_out(self) -> None:
        """What burned is used up: what it leaves behind, if anything, goes where it belongs."""
        if self.burning is not None and self.burnt is not None:
            result = self.items[self.burning].burnt_result
            if result:
                self.burnt.insert(result, 1)
                self.statistics.made(result, 1)
                self.owner.changed()
        self.burning = None

    def light(self) -> bool:
        """Take the next fuel item on top of what burns, for owners without a buffer; False when there is none."""
        left = self.remaining
        if not self._light():
            return False
        self.remaining += left
        return True

    def horizon(self) -> int:
        """How many full ticks of work go by before a tick in which fuel is taken or runs short."""
        if self.energy != self.capacity:
            return 0
        return int(self.remaining // self.use)

    def spend(self, ticks: int) -> None:
        """Account for `ticks` full ticks of work, at most `horizon()`."""
        joules = ticks * self.use
        self.remaining -= joules
        self.used += joules

    def set_use(self, joules_per_tick: float) -> None:
        """Spend this much in each full tick of work from now on; the owner has settled."""
        self.use = joules_per_tick
        self.capacity = joules_per_tick * _BUFFER

    # -- what the machine's owner needs --------------------------------------------------------------

    def insert(self, item: str, count: int) -> int:
        return self.fuel.insert(item, count)

    def wants(self, item: str) -> bool:
        """Whether an inserter may drop one of `item` into the fuel slot."""
        fuel = self.fuel
        return item in self.fuels and fuel.totals.get(item, 0) < INSERTER_FUEL_LIMIT and fuel.has_room(item)

    def full_for_inserters(self) -> bool:
        return sum(self.fuel.totals.values()) >= INSERTER_FUEL_LIMIT

    def contents(self) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        if self.fuel:
            found["fuel"] = dict(self.fuel.totals)
        if self.burnt:
            found["burnt_result"] = dict(self.burnt.totals)
        return found

    def save(self) -> list:
        return [
            self.energy,
            self.remaining,
            self.burning,
            self.used,
            self.fuel.save(),
            self.burnt.save() if self.burnt is not None else None,
        ]

    def load(self, state: list) -> None:
        self.energy, self.remaining, self.burning, self.used, fuel, burnt = state
        self.fuel.load(fuel)
        if self.burnt is not None:
            self.burnt.load(burnt or [])
