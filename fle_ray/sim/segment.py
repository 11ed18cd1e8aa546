"""Segments: boxes that share one fluid, and what flows in and out of them.

A segment has one fluid, one amount, one temperature; a box holds its share by volume (changelog 2.0.7; Friday Facts
416). Crafts move fluid in portions, as they happen. What runs at a rate (offshore pumps, boilers, generators) is
described by cumulative functions of time, so the level of a segment is, without a loop per tick,

    min(capacity, amount + rate * ticks - drawn(ticks))

with `rate` the sum of what its sources could give. Sources at a full segment give just what is drawn, which this
formula says by itself; a segment that may run empty is looked at again before it can. Amounts are written down only
when something changes, so looking at the world changes nothing.
"""

from __future__ import annotations

from math import ceil, floor, inf
from typing import TYPE_CHECKING, Any

from fle_ray.sim.core import NETWORKS

if TYPE_CHECKING:
    from fle_ray.sim.fluidbox import FluidBox

__all__ = ["Segment"]

_FIRST = 1 << 40  # segments act before networks, the oldest first
_PER_OWNER = 64  # more boxes than any entity has
_NEARLY = 1e-9
_RESERVE = 2  # ticks of the greatest draw that are kept back when a segment is about to run empty
_STOCK = 60  # ticks of missing inflow that must be in stock before sinks draw freely again
_RECHECK = 60  # ticks between two looks at a segment that ran dry


class Segment:
    """Boxes that share one fluid.

    Attributes:
        system: the `Fluids` (or `Heat`) it belongs to; key: the smallest key of its boxes, its identity (of a pair of
            ports: that of the output).
        boxes: members. ports: ports of machines that touch it. taps: inlets of pumps that draw from it; feeders: pumps
            that pump into it. bounds: the rectangle its pipes and tanks cover.
        sources: what gives at a rate (`potential` units a tick, `credit(units)`, `hurry()`), oldest first.
        sinks: what draws at a rate (`drawn(clock)`, `rebase(clock)`, `most` and `desired` units a tick,
            `supply_changed()`), ordered by `rank`.
        fluid, temperature, capacity; amount: units in it after tick `since`.
        rate: sum of the sources' potentials. dry: it ran empty, so sinks may draw no more than comes in.
        wanted: what all sinks would draw at full work, as last looked at.
        blocked: too long to flow. bottom: what cannot be drawn (of heat); cold: less than that is in it.
        waiting: members whose owner asked for more than there was.
    """

    __slots__ = (
        "amount",
        "blocked",
        "bottom",
        "bounds",
        "boxes",
        "capacity",
        "cold",
        "dry",
        "due",
        "feeders",
        "fluid",
        "key",
        "order",
        "ports",
        "rate",
        "since",
        "sinks",
        "sources",
        "system",
        "taps",
        "temperature",
        "waiting",
        "wanted",
    )
    phase = NETWORKS

    def __init__(self, system: Any, key: tuple[int, int]) -> None:
        self.system = system
        self.key = key
        self.order = _FIRST - key[0] * _PER_OWNER - key[1]
        self.due = 0
        self.boxes: list[FluidBox] = []
        self.ports: list[FluidBox] = []
        self.taps: list[Any] = []
        self.sources: list[Any] = []
        self.sinks: list[Any] = []
        self.feeders: list[Any] = []
        self.waiting: list[FluidBox] = []
        self.capacity = 0.0
        self.amount = 0.0
        self.temperature = 0.0
        self.fluid: str | None = None
        self.rate = 0.0
        self.since = system.clock()
        self.wanted = 0.0
        self.dry = False
        self.blocked = False
        self.bounds = (inf, inf, -inf, -inf)
        self.bottom = 0.0
        self.cold = False

    def __repr__(self) -> str:
        return f"<segment {self.key} of {len(self.boxes)} boxes, {self.amount:g}/{self.capacity:g} {self.fluid}>"

    # -- what is in it -----------------------------------------------------------------------------------

    def drawn(self, clock: int) -> float:
        """Units that sinks have drawn since `since`, up to and including tick `clock`."""
        return sum([sink.drawn(clock) for sink in self.sinks])

    def level(self, clock: int | None = None) -> float:
        """Units in it after tick `clock` (by default after the last tick that has run)."""
        if clock is None:
            clock = self.system.clock()
        level = self.amount
        if self.rate:
            level += self.rate * (clock - self.since)
        if self.sinks:
            level -= self.drawn(clock)
        if level > self.capacity:
            return self.capacity
        return level if level > 0 else 0.0

    def made(self, clock: int) -> float:
        """Units that sources have given since `since`."""
        if not self.rate:
            return 0.0
        drawn = self.drawn(clock) if self.sinks else 0.0
        return max(0.0, self.level(clock) - self.amount + drawn)

    def write_down(self, clock: int) -> None:
        """Settle amount, sources and sinks up to and including tick `clock`."""
        if clock == self.since and not self.sinks:
            return
        level = self.level(clock)
        made = self.made(clock)
        if made:
            rate = self.rate
            warmth = 0.0
            for source in self.sources:
                part = made * (source.potential / rate)
                if part:
                    warmth += part * source.temperature
                    source.credit(part)
            held = self.amount
            self.temperature = (held * self.temperature + warmth) / (held + made)
        for sink in self.sinks:
            sink.rebase(clock)
        self.amount = level
        self.since = clock

    @property
    def carried(self) -> str | None:
        """The fluid that nothing else may be connected to; None for an empty segment of pipes."""
        if self.sources or self.sinks:
            return self.fluid
        for port in self.ports:
            if port.fluid is not None:
                return port.fluid
        for box in self.boxes:
            if box.fluid is not None:
                return box.fluid
        return self.fluid if self.level() > 0 else None

    @property
    def spare(self) -> float:
        """What may be taken in portions: all but what the sinks may draw before they can be held back.

        The amount is written down.
        """
        if not self.sinks:
            return self.amount
        lacking = sum([sink.most for sink in self.sinks]) - self.rate
        return max(0.0, self.amount - _RESERVE * lacking) if lacking > 0 else self.amount

    # -- portions ------------------------------------------------------------------------------------------

    def give(self, fluid: str, amount: float, temperature: float) -> float:
        """Put up to `amount` of its fluid in; returns what fitted."""
        clock = self.system.clock()
        self.write_down(clock)
        amount = min(amount, self.capacity - self.amount)
        if amount <= 0:
            return 0.0
        total = self.amount + amount
        self.temperature = (self.amount * self.temperature + amount * temperature) / total
        self.amount = total
        self.fluid = fluid
        self.serve()
        return amount

    def draw(self, amount: float) -> float:
        """Take up to `amount` out; returns what there was."""
        clock = self.system.clock()
        self.write_down(clock)
        amount = min(amount, self.spare)
        if amount <= 0:
            return 0.0
        self.amount -= amount
        self.hurry()
        self.serve()
        return amount

    def take_for(self, box: FluidBox, amount: float) -> bool:
        """Take exactly `amount` for a member's owner; False, and it is told when more has come."""
        self.write_down(self.system.clock())
        if self.blocked or self.spare + _NEARLY < amount:
            if box not in self.waiting:
                self.waiting.append(box)
                self.waiting.sort(key=lambda b: b.key)
            self.replan()
            return False
        self.draw(amount)
        return True

    def serve(self) -> None:
        """Let the ports exchange with the segment, tell whoever waits, and look ahead."""
        if self.blocked:
            return
        if self.ports:
            self._exchange()
        if self.waiting and self.amount > 0:
            waiting, self.waiting = self.waiting, []
            for box in waiting:
                box.owner.stirred()
        for tap in self.taps:
            tap.owner.stirred()
        for pump in self.feeders:
            pump.stirred()
        self.replan()

    def _exchange(self) -> None:
        hungry = [p for p in self.ports if p.kind == "input" and p.fluid is not None and p.stored < p.limit]
        giving = [p for p in self.ports if p.kind == "output" and p.stored > 0]
        if not hungry and not giving:
            return
        self.write_down(self.system.clock())
        want = sum([p.limit - p.stored for p in hungry])
        offer = sum([p.stored for p in giving])
        moved = min(want, self.spare + offer)
        level = min(self.capacity, self.amount + offer - moved)
        given = moved + level - self.amount
        if given > _NEARLY:
            given = min(given, offer)
            warmth = self.amount * self.temperature
            for port, part in zip(giving, _fair([p.stored for p in giving], given), strict=True):
                port.stored -= part
                warmth += part * port.heat
                if port.stored <= _NEARLY:
                    port.stored = 0.0
                port.owner.stirred()
            self.temperature = warmth / (self.amount + given)
            self.fluid = giving[0].fluid
        if moved > _NEARLY:
            for port, part in zip(hungry, _fair([p.limit - p.stored for p in hungry], moved), strict=True):
                if part <= 0:
                    continue
                total = port.stored + part
                port.heat = (port.stored * port.heat + part * self.temperature) / total
                port.stored = total
                if port.limit - total <= _NEARLY:
                    port.stored = port.limit
                port.owner.stirred()
        self.amount = level
        if moved > given:
            self.hurry()

    def hurry(self) -> None:
        """More is drawn, or may be, than sources reckoned with."""
        for source in self.sources:
            source.hurry()

    # -- looking ahead -----------------------------------------------------------------------------------------

    def replan(self) -> None:
        """See whether sinks must be held back, and when to look again. The amount is written down."""
        if self.blocked:
            return
        system = self.system
        clock = system.clock()
        look = 0
        if self.sinks:
            look = self._foresee(clock)
        if self.rate and (self.waiting or self._hungry()):
            look = min(look or inf, self._when_to_serve())
        calendar = system.world.calendar
        if look:
            calendar.schedule(self, clock + 1 + int(look))
        elif self.due:
            calendar.cancel(self)

    def _hungry(self) -> bool:
        return any(p.kind == "input" and p.fluid is not None and p.stored < p.limit for p in self.ports)

    def _when_to_serve(self) -> int:
        """Ticks until enough has flowed in to make a look at the waiting machines worth while."""
        wants = [p.limit - p.stored for p in self.ports if p.kind == "input" and p.stored < p.limit]
        least = min(wants, default=1.0)
        return max(1, ceil(min(least, max(self.capacity / 2, self.rate)) / self.rate))

    def _foresee(self, clock: int) -> int:
        """Ticks after which the segment must be looked at, since it may run empty; 0 for never."""
        self.write_down(clock)
        stock = self.amount - self.bottom
        self.wanted = sum([sink.desired for sink in self.sinks])
        most = sum([sink.most for sink in self.sinks])
        if self.dry:
            cold = stock < -_NEARLY * self.bottom
            if cold != self.cold or most > (0.0 if cold else self.rate) * (1 + _NEARLY):
                self.cold = cold
                self._hold_back()
            if cold:
                return max(1, ceil(-stock / self.rate)) if self.rate else 0
            missing = self.wanted - self.rate
            if missing > 0 and stock < min(_STOCK * missing, (self.capacity - self.bottom) / 4):
                return _RECHECK if self.rate else 0
            self.dry = False
            self._hold_back()
            most = sum([sink.most for sink in self.sinks])
        net = most - self.rate
        if net <= _NEARLY * most:
            return 0
        ticks = floor((stock - _RESERVE * most) / net)
        if ticks >= 1:
            return ticks
        self.dry = True
        self.cold = stock < -_NEARLY * self.bottom
        self._hold_back()
        return _RECHECK if self.rate else 0

    def run_low(self, wanted: float) -> None:
        """Sinks are about to draw `wanted` units a tick in all: hold them back when there is not enough for that."""
        if not self.dry and wanted > self.rate and self.level() < _RESERVE * wanted:
            self.dry = True
            self._hold_back()

    def _hold_back(self) -> None:
        for sink in self.sinks:
            sink.supply_changed()

    @property
    def inflow(self) -> float:
        """Units a tick that sinks may draw together while it is dry."""
        return 0.0 if self.cold else self.rate

    def update(self, tick: int) -> None:
        self.write_down(tick - 1)
        self.serve()

    def retune(self) -> None:
        """The potential of a source changes: the caller has written the segment down and sets it next."""
        self.rate = 0.0 if self.blocked else sum([source.potential for source in self.sources])
        if self.amount <= 0 and self.sources:
            self.temperature = self.sources[0].temperature
        for sink in self.sinks:
            sink.supply_changed()
        self.hurry()
        self.serve()


def _fair(wants: list[float], total: float) -> list[float]:
    """Divide `total` among `wants`, equally up to what each wants."""
    if len(wants) == 1:
        return [total]
    parts = [0.0] * len(wants)
    order = sorted(range(len(wants)), key=lambda i: wants[i])
    left = total
    for place, index in enumerate(order):
        part = min(wants[index], left / (len(order) - place))
        parts[index] = part
        left -= part
    return parts
