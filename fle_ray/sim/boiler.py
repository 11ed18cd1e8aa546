"""Boilers and heat exchangers: water and heat in, steam out, as much as the steam side takes.

Water at 2 kJ per unit and degree gives steam at 0.2 kJ per unit and degree: ten units from one (changelog 2.0.7).
A boiler of 1.8 MW makes 60 steam of 165 C a second, a heat exchanger of 10 MW 103.1 of 500 C; the exchanger works
while its heat is at least 500 C (prototype data; wiki: Heat exchanger).
"""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.sim.burner import Burner
from fle_ray.sim.core import NETWORKS
from fle_ray.sim.entity import Entity
from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.heat import HeatBox
from fle_ray.sim.segment import Segment

__all__ = ["Boiler"]

_FULL = 1 - 1e-9


class _Draw:
    """What a boiler draws from a segment as it makes steam: a sink of the segment (see segment.py).

    Attributes:
        each: units (of water, joules of heat) per unit of steam.
        base: steam the boiler had made when the segment was written down.
    """

    __slots__ = ("base", "boiler", "counted", "each")

    def __init__(self, boiler: Boiler, each: float, counted: bool) -> None:
        self.boiler = boiler
        self.each = each
        self.counted = counted
        self.base = 0.0

    @property
    def rank(self) -> tuple:
        return 0, self.boiler.number

    @property
    def most(self) -> float:
        """Units a tick it draws at most as things are."""
        return self.boiler.potential * self.each

    @property
    def desired(self) -> float:
        """Units a tick it would draw at full work."""
        return self.boiler.rated * self.each if self.boiler.fired else 0.0

    def drawn(self, clock: int) -> float:
        return max(0.0, self.boiler.total(clock) - self.base) * self.each

    def rebase(self, clock: int) -> None:
        if self.counted:
            used = self.drawn(clock)
            if used:
                self.boiler.world.statistics.used(self.boiler.water.fluid, used)
        self.base = self.boiler.total(clock)

    def supply_changed(self) -> None:
        self.boiler.retune()


class Boiler(Entity):
    """A boiler (burns fuel) or heat exchanger (takes heat).

    A source of its steam segment, and a sink of its water segment and its heat.

    Attributes:
        water, steam: its fluid boxes. burner: of a boiler; heat: of an exchanger.
        rated: steam a tick at full work; potential: what it could make now, if there is room.
        made: steam made up to when the segment was written down. fuel_base: `made` when fuel was last settled.
        fired: it has fuel, or heat.
    """

    __slots__ = (
        "burner",
        "draws",
        "fired",
        "fuel_base",
        "heat",
        "joules",
        "made",
        "potential",
        "rated",
        "steam",
        "temperature",
        "water",
    )
    STATE = ("fired", "fuel_base", "made", "potential")
    phase = NETWORKS  # after the segments and before the electric networks, which it feeds
    counted = True

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        prototype = self.prototype
        fluids = self.world.data.fluids
        self.water = FluidBox(self, prototype.fluid_box, 0, "member")
        self.steam = FluidBox(self, prototype.output_fluid_box, 1, "member")
        self.temperature = prototype.boiler.target_temperature
        use = prototype.boiler.energy_consumption_w / 60
        steam, water = fluids[self.steam.fluid], fluids[self.water.fluid]
        self.joules = (self.temperature - steam.default_temperature) * steam.heat_capacity_j  # per unit of steam
        self.rated = use / self.joules
        self.potential = 0.0
        self.made = 0.0
        self.fuel_base = 0.0
        self.fired = False
        burns = prototype.energy_source.type == "burner"
        self.burner = Burner(self, use) if burns else None
        self.heat = None if burns else HeatBox(self, prototype.energy_source.heat)
        per_water = (self.temperature - water.default_temperature) * water.heat_capacity_j
        self.draws = [_Draw(self, self.joules / per_water, True)]
        if not burns:
            self.draws.append(_Draw(self, self.joules, False))

    @property
    def fluid_boxes(self) -> tuple[FluidBox, ...]:
        return self.water, self.steam

    # -- life -------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        self.water.connect()
        self.steam.connect()
        if self.heat is not None:
            self.heat.connect()

    def built(self) -> None:
        self.world.fluids.settle_in(self.fluid_boxes)
        self.world.calendar.wake(self)

    def gone(self) -> None:
        self.fired = False
        self.water.gone()
        self.steam.gone()
        if self.heat is not None:
            self.heat.gone()

    def rotate(self, direction: int) -> None:
        if self.heat is not None:
            self.heat.turn(lambda: self._turn(direction))
        else:
            self._turn(direction)
        self.world.calendar.wake(self)

    def _turn(self, direction: int) -> None:
        self.world.fluids.turn(self.fluid_boxes, lambda: super(Boiler, self).rotate(direction))

    def attach(self, box: FluidBox | HeatBox, segment: Segment) -> None:
        """Enter the segment of one of its boxes, as sink or source."""
        if box is self.steam:
            segment.fluid = box.fluid
            segment.sources.append(self)
            return
        if box is self.water:
            segment.fluid = box.fluid
        draw = self.draws[0] if box is self.water else self.draws[1]
        segment.sinks.append(draw)
        segment.sinks.sort(key=lambda s: s.rank)

    # -- a source of the steam segment -----------------------------------------------------------------------

    def credit(self, amount: float) -> None:
        """Steam that was made, as the segment is written down."""
        self.made += amount
        self.world.statistics.made(self.steam.fluid, amount)

    def total(self, clock: int) -> float:
        """Steam made since it was built, up to and including tick `clock`."""
        segment = self.steam.segment
        if not self.potential or segment is None or not segment.rate:
            return self.made
        return self.made + segment.made(clock) * (self.potential / segment.rate)

    # -- acting ------------------------------------------------------------------------------------------------

    def retune(self) -> None:
        """Fuel, heat or water changed: work out what it could make, and tell the steam side."""
        potential = 0.0
        steam = self.steam.segment
        if self.fired and steam is not None and not steam.blocked:
            potential = self.rated
            for box in (self.water, self.heat) if self.heat is not None else (self.water,):
                segment = box.segment
                if segment is None or segment.blocked:
                    potential = 0.0
                elif segment.dry:
                    share = segment.inflow / segment.wanted if segment.wanted else 0.0
                    potential = min(potential, self.rated * min(1.0, share))
        if potential == self.potential:
            return
        clock = self.world.fluids.clock()
        if steam is not None:
            steam.write_down(clock)
        self._settle_fuel(clock)
        self.potential = potential
        if steam is not None:
            steam.retune()
        self._plan(clock)

    def _settle_fuel(self, clock: int) -> None:
        burner = self.burner
        total = self.total(clock)
        if burner is not None:
            joules = (total - self.fuel_base) * self.joules
            burner.remaining = max(0.0, burner.remaining - joules)
            burner.used += joules
        self.fuel_base = total

    def update(self, tick: int) -> None:
        clock = tick - 1
        burner = self.burner
        self._settle_fuel(clock)
        fired = True
        if burner is not None:
            while burner.remaining < burner.use and burner.light():
                pass
            fired = burner.remaining >= burner.use
        changed = fired != self.fired
        self.fired = fired
        for box in (self.water, self.heat):  # the first look at what is there
            if changed and box is not None and box.segment is not None:
                box.segment.write_down(clock)
                box.segment.replan()
        self.retune()
        self._plan(clock)

    def _plan(self, clock: int) -> None:
        """Look again when the next fuel item may be needed."""
        if self.burner is None or not self.fired:
            return
        if not self.potential:
            self.world.calendar.cancel(self)
            return
        # Made in T ticks is at most potential * T, and at most its share of what there is room for and what is drawn.
        steam = self.steam.segment
        stock = self.burner.remaining / self.joules
        ticks = stock / self.potential
        share = self.potential / steam.rate
        spare = stock - share * (steam.capacity - steam.level(clock))
        most = share * sum([sink.most for sink in steam.sinks])
        if spare > ticks * most:
            if not most:
                self.world.calendar.cancel(self)
                return
            ticks = spare / most
        self.world.calendar.schedule(self, clock + 1 + max(1, floor(ticks + 1e-9)))

    def hurry(self) -> None:
        """More steam may be drawn than it reckoned with."""
        if self.fired and self.potential and self.burner is not None:
            clock = self.world.fluids.clock()
            self._settle_fuel(clock)
            self._plan(clock)

    def stirred(self) -> None:
        """Fuel came in."""
        if not self.fired:
            self.world.calendar.wake(self)

    # -- what it shows -------------------------------------------------------------------------------------------

    @property
    def output(self) -> float:
        """Steam a tick that it makes now."""
        segment = self.steam.segment
        if not self.potential or segment is None or not segment.rate:
            return 0.0
        clock = self.world.fluids.clock()
        if segment.level(clock) < segment.capacity * _FULL:
            return self.potential
        drawing = sum([s.drawn(clock + 1) - s.drawn(clock) for s in segment.sinks])
        return min(1.0, drawing / segment.rate) * self.potential

    @property
    def status(self) -> str:
        if self.heat is not None and self.heat.temperature < self.heat.record.min_working_temperature:
            return "low_temperature"
        if self.burner is not None and not self.fired and not self.burner.fuel:
            return "no_fuel"
        water = self.water.segment
        if water is None or (water.level() <= 0 and not water.rate):
            return "no_input_fluid"
        if self.fired and not self.output:
            return "full_output" if self.steam.amount >= self.steam.volume * _FULL else "no_input_fluid"
        return "working"

    @property
    def energy(self) -> float:
        if self.burner is None:
            return self.heat.joules
        return min(self.burner.capacity, self._remaining())

    def _remaining(self) -> float:
        used = (self.total(self.world.fluids.clock()) - self.fuel_base) * self.joules
        return max(0.0, self.burner.remaining - used)

    @property
    def energy_used(self) -> float:
        if self.burner is None:
            return self.total(self.world.fluids.clock()) * self.joules
        return self.burner.used + (self.total(self.world.fluids.clock()) - self.fuel_base) * self.joules

    def contents(self) -> dict[str, dict[str, float]]:
        found = self.burner.contents() if self.burner is not None else {}
        fluids = {b.content: b.amount for b in self.fluid_boxes if b.content}
        if fluids:
            found["fluids"] = fluids
        return found

    # -- transfers -----------------------------------------------------------------------------------------------

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        if self.burner is None or not self.burner.is_fuel(item):
            return 0
        moved = self.burner.insert(item, count)
        if moved:
            self.changed()
            self.stirred()
        return moved

    put = insert

    def wants(self, item: str) -> bool:
        return self.burner is not None and self.burner.wants(item)

    def full_for_inserters(self) -> bool:
        return self.burner is not None and self.burner.full_for_inserters()

    def extract(self, item: str, count: int) -> int:
        if self.burner is None:
            return 0
        moved = self.burner.fuel.remove(item, count)
        if moved:
            self.changed()
        return moved

    take = extract

    def clear(self) -> dict[str, int]:
        return dict(self.burner.fuel.clear()) if self.burner is not None else {}

    # -- state ---------------------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        state = super().save()
        state["draws"] = [d.base for d in self.draws]
        if self.burner is not None:
            state["burner"] = self.burner.save()
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        for draw, base in zip(self.draws, state["draws"], strict=True):
            draw.base = base
        if self.burner is not None:
            self.burner.load(state["burner"])
