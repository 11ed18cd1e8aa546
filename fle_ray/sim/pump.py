"""Pumps, which move fluid from one segment to another, and offshore pumps, which draw it from water.

Both move 20 units a tick (prototype data). A pump does it in portions: it moves what there is, at most what it can
in 15 ticks, and is then busy for as long as that takes; with nothing to move it sleeps until either side changes.
"""

from __future__ import annotations

from math import ceil
from typing import Any

from fle_ray.sim.energy import source_of
from fle_ray.sim.entity import Entity
from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.segment import Segment

__all__ = ["OffshorePump", "Pump"]

_PORTION_TICKS = 15  # a pump moves at most this many ticks' worth at once
_LOOK_TICKS = 30  # at most so long between two looks at a segment that fills or empties at a rate
_NEARLY = 1e-9


class Pump(Entity):
    """A pump: draws at its back, gives at its front, uses 29 kW while it moves anything.

    Attributes:
        inlet: what it draws from; outlet: its own box, part of the segment it pumps into.
        moving: it moved something when it last acted; busy_until: the tick from which it can act again.
    """

    __slots__ = ("busy_until", "inlet", "moving", "outlet", "source")
    STATE = ("busy_until", "moving")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        record = self.prototype.fluid_box
        self.source = source_of(self)
        ends = {c.flow_direction: c for c in record.connections}
        self.outlet = FluidBox(self, record, 0, "member", (ends["output"],))
        self.inlet = FluidBox(self, record, 1, "tap", (ends["input"],))
        self.busy_until = 0
        self.moving = False

    @property
    def fluid_boxes(self) -> tuple[FluidBox, ...]:
        return (self.outlet,)

    # -- life -------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        self.outlet.connect()
        self.inlet.connect()
        self.source.connect()

    def built(self) -> None:
        self.world.fluids.settle_in((self.outlet, self.inlet))
        self.world.calendar.wake(self)

    def gone(self) -> None:
        self.source.gone()
        self.outlet.gone()
        self.inlet.gone()

    def rotate(self, direction: int) -> None:
        self.world.fluids.turn((self.outlet, self.inlet), lambda: super(Pump, self).rotate(direction))
        self.world.calendar.wake(self)

    def attach(self, box: FluidBox, segment: Segment) -> None:
        segment.feeders.append(self)
        segment.feeders.sort(key=lambda p: p.number)

    # -- acting -----------------------------------------------------------------------------------------------

    @property
    def behind(self) -> Segment | None:
        """The segment it draws from."""
        return self.inlet.links[0] if self.inlet.links else None

    def stirred(self) -> None:
        """A segment at one of its ends changed."""
        if not self.due:
            self.world.calendar.wake(self)

    def update(self, tick: int) -> None:
        if tick < self.busy_until:
            self.world.calendar.schedule(self, self.busy_until)
            return
        behind, front = self.behind, self.outlet.segment
        rate = self.prototype.pump.pumping_speed * self.source.rate()
        if behind is None or front is None or behind.blocked or front.blocked or rate <= 0:
            self._pause(tick, 0)
            return
        clock = tick - 1
        behind.write_down(clock)
        level, room = behind.spare, front.capacity - front.level(clock)
        if front.carried not in (None, behind.fluid):
            room = 0.0
        amount = min(level, room, rate * _PORTION_TICKS)
        if amount <= _NEARLY:
            self._pause(tick, _look(behind, front, level, room))
            return
        self.moving = True
        self.source.start()
        self.busy_until = tick + max(1, ceil(amount / rate - _NEARLY))
        self.world.calendar.schedule(self, self.busy_until)
        temperature = behind.temperature
        front.give(behind.fluid, behind.draw(amount), temperature)

    def _pause(self, tick: int, ticks: int) -> None:
        self.moving = False
        self.source.rest()
        if ticks:
            self.world.calendar.schedule(self, tick + ticks)

    # -- what it shows ----------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        if not self.source.on():
            return self.source.starved_status()
        if self.moving:
            return self.source.working_status()
        behind = self.behind
        return "no_input_fluid" if behind is None or behind.level() <= _NEARLY else "full_output"

    @property
    def energy(self) -> float:
        return self.source.energy

    @property
    def energy_used(self) -> float:
        return self.source.used

    def contents(self) -> dict[str, dict[str, float]]:
        return {"fluids": {self.outlet.content: self.outlet.amount}} if self.outlet.content else {}

    def save(self) -> dict[str, Any]:
        state = super().save()
        state["source"] = self.source.save()
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.source.load(state["source"])


def _look(behind: Segment, front: Segment, level: float, room: float) -> int:
    """Ticks until a pump with nothing to move should look again; 0: when it is told."""
    ticks = 0
    if level <= _NEARLY and behind.rate > 0:
        ticks = min(_LOOK_TICKS, max(1, int(behind.capacity / 2 / behind.rate)))
    most = sum([sink.most for sink in front.sinks])
    if room <= _NEARLY and most > 0:
        ticks = min(ticks or _LOOK_TICKS, max(1, int(front.capacity / 2 / most)))
    return ticks


class OffshorePump(Entity):
    """An offshore pump: gives what the tile before it holds, as long as anything is connected to take it.

    A source of its segment (see segment.py).
    """

    __slots__ = ("fluid_box", "temperature")
    counted = True

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fluid_box = FluidBox(self, self.prototype.fluid_box, 0, "member")
        self.fluid_box.fluid = self.world.fluids.fluid_under(self)
        fluid = self.world.data.fluids.get(self.fluid_box.fluid)
        self.temperature = fluid.default_temperature if fluid is not None else 0.0

    @property
    def fluid_boxes(self) -> tuple[FluidBox, ...]:
        return (self.fluid_box,)

    def connect(self) -> None:
        self.fluid_box.connect()

    def built(self) -> None:
        self.world.fluids.settle_in(self.fluid_boxes)

    def gone(self) -> None:
        self.fluid_box.gone()

    def rotate(self, direction: int) -> None:
        self.world.fluids.turn(self.fluid_boxes, lambda: self._turn(direction))

    def _turn(self, direction: int) -> None:
        super().rotate(direction)
        self.fluid_box.fluid = self.world.fluids.fluid_under(self)

    def attach(self, box: FluidBox, segment: Segment) -> None:
        segment.fluid = box.fluid
        segment.sources.append(self)

    @property
    def potential(self) -> float:
        """Units a tick that it can give."""
        segment = self.fluid_box.segment
        if segment is None or self.fluid_box.fluid is None:
            return 0.0
        alone = len(segment.boxes) == 1 and not segment.ports and not segment.taps
        return 0.0 if alone else self.prototype.pump.pumping_speed

    def credit(self, amount: float) -> None:
        self.world.statistics.made(self.fluid_box.fluid, amount)

    def hurry(self) -> None:
        """It has no fuel to look after."""

    @property
    def status(self) -> str:
        return "working" if self.potential else "normal"

    def contents(self) -> dict[str, dict[str, float]]:
        return {"fluids": {self.fluid_box.content: self.fluid_box.amount}} if self.fluid_box.content else {}
