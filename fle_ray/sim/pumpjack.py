"""Pumpjacks: oil out of a well, less as the well gives less.

A completion takes one second at speed 1 and gives 10 units times the well's yield, which is its amount over
300,000. It takes 10 off the amount, which never falls below 60,000, a fifth of a full yield (prototype data; wiki:
Pumpjack).
"""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.machine import Machine
from fle_ray.sim.map import Resource

__all__ = ["Pumpjack"]

_MINING_BONUS = "mining-drill-productivity-bonus"


class Pumpjack(Machine):
    """A pumpjack. Its outlet is a port (see fluidbox.py)."""

    __slots__ = ("outlet",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.outlet = FluidBox(self, self.prototype.output_fluid_box, 0, "output")
        self.outlet.fluid = self.world.fluids.fluid_of_well(self)

    @property
    def fluid_boxes(self) -> tuple[FluidBox, ...]:
        return (self.outlet,)

    def base_speed(self) -> float:
        return self.prototype.mining.speed

    @property
    def well(self) -> Resource | None:
        """The well it stands on."""
        return self.world.map.resource_at(floor(self.x), floor(self.y))

    resource = well

    @property
    def yield_(self) -> float:
        """Units of fluid that a completion gives, without productivity."""
        well = self.well
        if well is None:
            return 0.0
        record = self.world.data.resources[well.name]
        return record.minable.products[0].amount * well.amount / record.resource.normal

    # -- life -------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        super().connect()
        self.outlet.connect()

    def built(self) -> None:
        self.world.fluids.settle_in(self.fluid_boxes)
        super().built()

    def gone(self) -> None:
        super().gone()
        self.outlet.gone()

    def rotate(self, direction: int) -> None:
        self.outlet.gone()
        super().rotate(direction)
        self.outlet.connect()
        self.world.fluids.settle_in(self.fluid_boxes)

    # -- working ----------------------------------------------------------------------------------------------

    def ready(self) -> bool:
        return self.well is not None and self.outlet.room >= self.yield_

    def begin(self) -> None:
        self.duration = self.world.data.resources[self.well.name].minable.mining_time_s

    def complete(self) -> None:
        well = self.well
        record = self.world.data.resources[well.name].resource
        bonus = self.modules.productivity + self.world.force.bonuses.get(_MINING_BONUS, 0.0)
        amount = self.yield_ * (1 + self.free_crafts(bonus))
        self.world.statistics.made(self.outlet.fluid, amount)
        self.outlet.put(min(amount, self.outlet.room))
        lost = min(record.infinite_depletion_amount, max(0, well.amount - record.minimum))
        if lost:
            self.world.map.deplete(well, lost)

    def idle_status(self) -> str:
        return "no_minable_resources" if self.well is None else "full_output"

    # -- what it shows ----------------------------------------------------------------------------------------

    def contents(self) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        if self.outlet.content:
            found["fluids"] = {self.outlet.content: self.outlet.amount}
        if self.modules.installed:
            found["mining_drill_modules"] = self.modules.contents()
        return found

    def save(self) -> dict[str, Any]:
        state = super().save()
        state["outlet"] = self.outlet.save()
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.outlet.load(state["outlet"])
