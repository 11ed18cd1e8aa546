"""Fluids: what is joined to what, how much is where, and what flows.

Boxes joined by connections share one *segment*: one fluid, one amount, one temperature; a box holds its share by
volume (changelog 2.0.7; Friday Facts 416). Besides pipes and tanks this covers the boxes of boilers, generators,
offshore pumps and drills, through which fluid passes on. Crafting machines and pumpjacks have stores of their own
(ports, see fluidbox.py) that exchange with the segment whenever one side can. A run of pipes, pipes-to-ground and
tanks that extends over more than 320 tiles in x or y does not flow (prototype data, `default_pipeline_extent`); it
is then a segment by itself. Connecting two different fluids is refused.

How it works without a loop per tick: crafts move fluid in portions, as they happen. What runs at a rate (offshore
pumps, boilers, generators) is described by cumulative functions of time, so the level of a segment is

    min(capacity, amount + rate * ticks - drawn(ticks))

with `rate` the sum of what its sources could give. Sources at a full segment give just what is drawn, which this
formula says by itself; a segment that may run empty is looked at again before it can. Amounts are written down only
when something changes, so looking at the world changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import ceil, floor, inf
from typing import TYPE_CHECKING, Any

from fle_ray.errors import CannotPlace
from fle_ray.game.prototypes import rotate
from fle_ray.sim.core import NETWORKS
from fle_ray.sim.fluidbox import FluidBox

if TYPE_CHECKING:
    from fle_ray.game.prototypes import PipeConnection
    from fle_ray.sim.world import World

__all__ = ["STEPS", "Fluids", "Segment"]

PIPES = frozenset({"pipe", "pipe-to-ground", "storage-tank"})  # what counts for the extent of a segment
STEPS = {0: (0, -1), 4: (1, 0), 8: (0, 1), 12: (-1, 0)}  # side -> the tile next to it
_FIRST = 1 << 40  # segments act before networks, the oldest first
_PER_OWNER = 64  # more boxes than any entity has
_PAIR = 32  # index of a segment made of two ports that touch
_NEARLY = 1e-9
_RESERVE = 2  # ticks of the greatest draw that are kept back when a segment is about to run empty
_STOCK = 60  # ticks of missing inflow that must be in stock before sinks draw freely again
_RECHECK = 60  # ticks between two looks at a segment that ran dry


class Segment:
    """Boxes that share one fluid.

    Attributes:
        key: the smallest key of its boxes, its identity (of a pair of ports: that of the output).
        boxes: members. ports: ports of machines that touch it. taps: inlets of pumps that draw from it.
        sources: what gives at a rate (`potential` units a tick, `credit(units)`, `hurry()`), oldest first.
        sinks: what draws at a rate (`drawn(clock)`, `rebase(clock)`, `most` units a tick).
        fluid, temperature, capacity; amount: units in it after tick `since`.
        rate: sum of the sources' potentials. dry: it ran empty, so sinks may draw no more than comes in.
        wanted: what all sinks would draw at full work, as last looked at.
        blocked: too long to flow. bottom: what cannot be drawn (of heat); cold: less than that is in it.
        bounds: the rectangle its pipes and tanks cover. feeders: pumps that pump into it. waiting: members whose owner asked for more than there was.
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

    def __init__(self, system: Fluids, key: tuple[int, int]) -> None:
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


class _Site:
    """Where an entity is about to stand."""

    number = 0

    def __init__(self, prototype: Any, position: tuple[float, float], direction: int) -> None:
        self.prototype = prototype
        self.name = prototype.name
        self.position = position
        self.x, self.y = position
        self.direction = direction


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


class Fluids:
    """All fluid boxes of a world, joined into segments.

    Attributes:
        segments: key -> segment.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.segments: dict[tuple[int, int], Segment] = {}
        self._points: dict[tuple[int, int, int, bool], tuple[FluidBox, PipeConnection]] = {}
        self._boxes: dict[tuple[int, int], FluidBox] = {}
        world.statistics.lazy.append(self.unwritten)

    def clock(self) -> int:
        """The last tick that has run to its end."""
        calendar = self.world.calendar
        return calendar.tick if calendar.phase < 0 else calendar.tick - 1

    # -- entering and leaving ----------------------------------------------------------------------------------

    def enter(self, box: FluidBox) -> None:
        """A box is there now; `settle_in` joins it up (a restore joins all at once)."""
        self._boxes[box.key] = box
        for (x, y, side), connection in box.points():
            self._points[x, y, side, connection.connection_type == "underground"] = (box, connection)

    def leave(self, box: FluidBox) -> None:
        """A box is taken away, with what it held; what it joined is put together anew."""
        around = [other for other, _, _ in self.neighbours(box)]
        if box.kind != "member":
            for segment in box.links:
                segment.write_down(self.clock())
        elif box.segment is not None:
            around += [port for port in box.segment.ports if port not in around]
        for (x, y, side), connection in box.points():
            del self._points[x, y, side, connection.connection_type == "underground"]
        del self._boxes[box.key]
        self._rebuild(around, leaving=box)

    def settle_in(self, boxes: Iterable[FluidBox]) -> None:
        """Join boxes that have entered with what stands around them; called from the owner's `built`."""
        boxes = list(boxes)
        if len(boxes) != 1 or not self._extend(boxes[0]):
            self._rebuild(boxes)

    def turn(self, boxes: Iterable[FluidBox], change: Callable[[], None]) -> None:
        """Take boxes out, let `change` turn their owner, and join them again with the fluid they held."""
        boxes = list(boxes)
        held = [(box.content, box.amount, box.temperature) for box in boxes]
        for box in boxes:
            box.gone()
        change()
        for box in boxes:
            box.connect()
        self.settle_in(boxes)
        for box, (fluid, amount, temperature) in zip(boxes, held, strict=True):
            if fluid is not None and box.segment is not None and box.segment.carried in (None, fluid):
                box.segment.give(fluid, amount, temperature)

    def _extend(self, box: FluidBox) -> bool:
        """Let a pipe or tank at the end of one segment become part of it; False when there is more to it than that."""
        owner = box.owner
        if owner.prototype.type not in PIPES or owner.prototype.type == "pipe-to-ground" or box.fluid is not None:
            return False
        around = list(self.neighbours(box))
        segments = {other.segment.key: other.segment for other, _, _ in around if other.kind == "member"}
        if len(segments) != 1:
            return False
        (segment,) = segments.values()
        x1, y1, x2, y2 = owner.area
        left, top, right, bottom = segment.bounds
        bounds = min(left, x1), min(top, y1), max(right, x2), max(bottom, y2)
        if segment.blocked or _wider(bounds, self.world.data.constants.default_pipeline_extent):
            return False
        segment.write_down(self.clock())
        segment.bounds = bounds
        segment.boxes.append(box)  # the newest: they stay in order
        segment.boxes.sort(key=lambda b: b.key)
        segment.capacity = sum(b.volume for b in segment.boxes)
        box.segment = segment
        self._link(segment, box)
        segment.retune()
        return True

    def refit(self, box: FluidBox) -> None:
        """A port carries something else now: what it is joined to changes."""
        self._rebuild([box])

    def knows(self, box: FluidBox) -> bool:
        """Whether a box has entered."""
        return self._boxes.get(box.key) is box

    def serve(self, port: FluidBox) -> None:
        """The contents of a port changed: exchange with what it touches."""
        for segment in port.links:
            segment.serve()

    def neighbours(self, box: FluidBox) -> Iterator[tuple[FluidBox, PipeConnection, PipeConnection]]:
        """Boxes that a box is joined to: (box, own connection, its connection)."""
        for (x, y, side), connection in box.points():
            found = self._across(x, y, side, connection)
            if found is not None and found[0] is not box:
                yield found[0], connection, found[1]

    def facing(self, x: int, y: int) -> list[FluidBox]:
        """Boxes with a connection above ground that opens onto a tile: what a pipe there would be joined to."""
        found = []
        for side, (dx, dy) in STEPS.items():
            meets = self._points.get((x + dx, y + dy, (side + 8) % 16, False))
            if meets is not None:
                found.append(meets[0])
        return found

    def ends_below(self, x: int, y: int, side: int) -> FluidBox | None:
        """The box on a tile with an underground connection towards a side, None for none."""
        found = self._points.get((x, y, side, True))
        return found[0] if found is not None else None

    def _across(
        self, x: int, y: int, side: int, connection: PipeConnection
    ) -> tuple[FluidBox, PipeConnection] | None:
        """What the connection at a tile's side meets."""
        dx, dy = STEPS[side]
        back = (side + 8) % 16
        if connection.connection_type == "underground":
            for step in range(1, connection.max_underground_distance + 1):
                here = x + dx * step, y + dy * step
                found = self._points.get((*here, back, True))
                if found is not None:
                    return found
                if (*here, side, True) in self._points:
                    return None  # the one beyond belongs to this one
            return None
        found = self._points.get((x + dx, y + dy, back, False))
        if found is None:
            return None
        ways = {connection.flow_direction, found[1].flow_direction}
        if ways == {"output"} or ways == {"input"}:
            return None
        return found

    # -- which fluids may meet ---------------------------------------------------------------------------------

    def check_box(self, box: FluidBox, fluid: str) -> None:
        """Raise CannotPlace (reason "fluid-mixing") when what a box touches carries another fluid."""
        self._check([(box, fluid)])

    def check_place(self, prototype: Any, position: tuple[float, float], direction: int) -> None:
        """The same for an entity that is about to be built, without a recipe: pipes must not join two fluids."""
        site = _Site(prototype, position, direction)
        wanted = []
        for record in (prototype.fluid_box, prototype.output_fluid_box):
            if record is None:
                continue
            box = FluidBox(site, record, len(wanted), "member")
            if prototype.pump is not None and prototype.pump.fluid_source_offset is not None:
                box.fluid = self.fluid_under(site)
            elif prototype.mining is not None:
                box.fluid = self.fluid_of_well(site)
            wanted.append((box, box.fluid))
        if wanted:
            self._check(wanted)

    def fluid_under(self, pump: Any) -> str | None:
        """What an offshore pump draws from the tile before it."""
        dx, dy = rotate(pump.prototype.pump.fluid_source_offset, pump.direction // 4 * 4)
        tile = self.world.map.tile(floor(pump.x + dx), floor(pump.y + dy))
        return self.world.data.tiles[tile].fluid

    def fluid_of_well(self, pumpjack: Any) -> str | None:
        """What the well under a pumpjack gives."""
        well = self.world.map.resource_at(floor(pumpjack.x), floor(pumpjack.y))
        return None if well is None else self.world.data.resources[well.name].minable.products[0].name

    def _check(self, wanted: list[tuple[FluidBox, str | None]]) -> None:
        for box, fluid in wanted:
            carried = fluid
            for other, _, _ in self.neighbours(box):
                theirs = other.segment.carried if other.segment is not None else other.fluid
                if theirs is None:
                    continue
                if carried is None and box.kind == "member":
                    carried = theirs
                elif carried is not None and theirs != carried:
                    x, y = box.owner.position
                    raise CannotPlace(
                        f"{box.owner.name} at ({x:g}, {y:g}) would mix {carried} with {theirs}, which "
                        f"{other.owner.name} at ({other.owner.x:g}, {other.owner.y:g}) carries.",
                        reason="fluid-mixing",
                        blockers=((other.owner.name, other.owner.x, other.owner.y),),
                    )

    # -- joining ---------------------------------------------------------------------------------------------------

    def _rebuild(self, seeds: list[FluidBox], leaving: FluidBox | None = None) -> None:
        """Put together anew the segments round some boxes, each box taking its share of what there was along."""
        clock = self.clock()
        shares: dict[tuple[int, int], tuple[float, float, str | None]] = {}
        taken: dict[tuple[int, int], Segment] = {}
        waiting: list[FluidBox] = []

        def dissolve(segment: Segment) -> None:
            if segment.key in taken:
                return
            segment.write_down(clock)
            taken[segment.key] = segment
            waiting.extend(segment.waiting)
            for box in segment.boxes:
                share = segment.amount * box.volume / segment.capacity if segment.capacity else 0.0
                shares[box.key] = (share, segment.temperature, segment.fluid)
            for port in (*segment.ports, *segment.taps):
                port.links.remove(segment)
            if self.segments.get(segment.key) is segment:
                del self.segments[segment.key]
            self.world.calendar.cancel(segment)

        # Whatever hangs together with the seeds, or did so before, is joined anew.
        region: dict[tuple[int, int], FluidBox] = {}
        todo = list(seeds)
        if leaving is not None:
            for segment in _segments_of(leaving):
                dissolve(segment)
                todo.extend(segment.boxes)
        while todo:
            box = todo.pop()
            if box.key in region or box is leaving:
                continue
            region[box.key] = box
            for segment in _segments_of(box):
                if segment.key not in taken:
                    dissolve(segment)
                    todo.extend(segment.boxes)
            for other, _, _ in self.neighbours(box):
                if other.kind == "member" or box.kind != "member":
                    todo.append(other)
        touched = [b for b in region.values() if b.kind == "member"]
        ports = [b for b in region.values() if b.kind != "member"]
        for box in touched:
            box.segment = None
        if leaving is not None:
            leaving.segment = None
            leaving.links = []
        made = self._join(touched, ports)
        for segment in made:
            self._fill(segment, shares)
            segment.waiting = sorted((b for b in waiting if b.segment is segment), key=lambda b: b.key)
        for segment in made:
            self._attach(segment)
        self.world.power_grid.fluids_changed(made)
        for segment in made:
            segment.retune()

    def _join(self, members: list[FluidBox], ports: list[FluidBox]) -> list[Segment]:
        """Segments of some members (all that hang together) and of pairs of ports, linked to the ports."""
        made: list[Segment] = []
        todo = {b.key: b for b in sorted(members, key=lambda b: b.key)}
        long = self._too_long(members)
        while todo:
            first = next(iter(todo.values()))
            group = self._flood(first, long)
            for box in group:
                todo.pop(box.key, None)
            segment = Segment(self, min(b.key for b in group))
            segment.boxes = sorted(group, key=lambda b: b.key)
            segment.blocked = first.key in long
            segment.capacity = sum(b.volume for b in segment.boxes)
            segment.bounds = _bounds(b for b in segment.boxes if b.owner.prototype.type in PIPES)
            for box in segment.boxes:
                box.segment = segment
            self.segments[segment.key] = segment
            made.append(segment)
        for segment in made:
            for box in segment.boxes:
                self._link(segment, box)
        for port in sorted(ports, key=lambda b: b.key):
            for other, _, _ in self.neighbours(port):
                pair = self._pair(port, other)
                if pair is not None:
                    made.append(pair)
        made.sort(key=lambda s: s.key)
        return made

    def _link(self, segment: Segment, box: FluidBox) -> None:
        """Let the ports and pumps round a member know its segment."""
        for other, _, _ in self.neighbours(box):
            if other.kind == "tap" and other not in segment.taps:
                segment.taps.append(other)
                other.links.append(segment)
            elif other.kind in ("input", "output") and other.fluid and other not in segment.ports:
                segment.ports.append(other)
                other.links.append(segment)
        segment.ports.sort(key=lambda b: b.key)
        segment.taps.sort(key=lambda b: b.key)

    def _pair(self, a: FluidBox, b: FluidBox) -> Segment | None:
        """The segment of two ports, or a port and a pump, that touch with no pipe between."""
        giver, taker = (a, b) if a.kind == "output" else (b, a)
        if giver.kind != "output" or giver.fluid is None or taker.kind not in ("input", "tap"):
            return None
        if taker.kind == "input" and taker.fluid != giver.fluid:
            return None
        key = (giver.owner.number, _PAIR + giver.index)
        if key in self.segments:
            return None
        pair = Segment(self, key)
        pair.fluid = giver.fluid
        pair.ports = [giver]
        if taker.kind == "tap":
            pair.taps = [taker]
            pair.capacity = taker.volume
        else:
            pair.ports = sorted((giver, taker), key=lambda b: b.key)
        giver.links.append(pair)
        taker.links.append(pair)
        self.segments[key] = pair
        return pair

    def _flood(self, first: FluidBox, long: set[tuple[int, int]]) -> list[FluidBox]:
        """Members that hang together with one, runs that are too long apart."""
        apart = first.key in long
        seen = {first.key: first}
        todo = [first]
        while todo:
            for other, _, _ in self.neighbours(todo.pop()):
                if other.kind == "member" and other.key not in seen and (other.key in long) == apart:
                    if apart and other.owner.prototype.type not in PIPES:
                        continue
                    seen[other.key] = other
                    todo.append(other)
        return list(seen.values())

    def _too_long(self, members: list[FluidBox]) -> set[tuple[int, int]]:
        """Keys of the boxes in runs of pipes and tanks that extend too far to flow."""
        limit = self.world.data.constants.default_pipeline_extent
        pipes = {b.key: b for b in members if b.owner.prototype.type in PIPES}
        if not pipes or not _wider(_bounds(pipes.values()), limit):
            return set()
        long: set[tuple[int, int]] = set()
        todo = dict(pipes)
        while todo:
            _, first = todo.popitem()
            run = {first.key: first}
            stack = [first]
            while stack:
                for other, _, _ in self.neighbours(stack.pop()):
                    if other.key in pipes and other.key not in run:
                        run[other.key] = other
                        todo.pop(other.key, None)
                        stack.append(other)
            if _wider(_bounds(run.values()), limit):
                long.update(run)
        return long

    def _fill(self, segment: Segment, shares: dict[tuple[int, int], tuple[float, float, str | None]]) -> None:
        """What a new segment starts with: the shares of its boxes."""
        warmth = 0.0
        for box in segment.boxes:
            amount, temperature, fluid = shares.get(box.key, (0.0, 0.0, None))
            if amount > 0:
                segment.amount += amount
                warmth += amount * temperature
                segment.fluid = fluid
            elif segment.fluid is None:
                segment.fluid = box.fluid
        segment.amount = min(segment.amount, segment.capacity)
        if segment.amount:
            segment.temperature = warmth / segment.amount
        for box in (*segment.boxes, *segment.ports):
            if segment.fluid is None:
                segment.fluid = box.fluid

    def _attach(self, segment: Segment) -> None:
        """Let the owners of its boxes enter themselves as sources and sinks."""
        if segment.blocked:
            return
        for box in segment.boxes:
            box.owner.attach(box, segment)

    # -- statistics ----------------------------------------------------------------------------------------------

    def unwritten(self, produced: dict[str, float], consumed: dict[str, float]) -> None:
        """Add to totals what has flowed at a rate since it was last written down."""
        clock = self.clock()
        for segment in self.segments.values():
            if segment.rate:
                counted = sum([s.potential for s in segment.sources if s.counted])
                if counted:
                    made = segment.made(clock) * counted / segment.rate
                    if made:
                        produced[segment.fluid] = produced.get(segment.fluid, 0.0) + made
            if segment.sinks:
                drawn = segment.drawn(clock)
                if drawn:
                    consumed[segment.fluid] = consumed.get(segment.fluid, 0.0) + drawn

    # -- state -----------------------------------------------------------------------------------------------------

    def save(self) -> Any:
        return [
            [
                *s.key,
                s.fluid,
                s.amount,
                s.temperature,
                s.since,
                s.dry,
                s.wanted,
                s.due,
                [list(b.key) for b in s.waiting],
            ]
            for s in sorted(self.segments.values(), key=lambda s: s.key)
        ]

    def load(self, state: Any) -> None:
        boxes = list(self._boxes.values())
        for segment in self._join([b for b in boxes if b.kind == "member"], [b for b in boxes if b.kind != "member"]):
            self._attach(segment)
        for number, index, fluid, amount, temperature, since, dry, wanted, due, waiting in state:
            segment = self.segments[number, index]
            segment.fluid, segment.amount, segment.temperature = fluid, amount, temperature
            segment.since, segment.dry, segment.wanted = since, dry, wanted
            segment.waiting = [self._boxes[tuple(key)] for key in waiting]
            segment.rate = 0.0 if segment.blocked else sum([s.potential for s in segment.sources])
            if due:
                self.world.calendar.schedule(segment, due)


def _segments_of(box: FluidBox) -> list[Segment]:
    """The segments a box is part of or touches."""
    if box.kind != "member":
        return list(box.links)
    return [box.segment] if box.segment is not None else []


def _bounds(boxes: Iterable[FluidBox]) -> tuple[float, float, float, float]:
    """The rectangle that the owners of some boxes cover together."""
    left = top = inf
    right = bottom = -inf
    for box in boxes:
        x1, y1, x2, y2 = box.owner.area
        left, top, right, bottom = min(left, x1), min(top, y1), max(right, x2), max(bottom, y2)
    return left, top, right, bottom


def _wider(bounds: tuple[float, float, float, float], limit: int) -> bool:
    """Whether a rectangle reaches over more than `limit` tiles in x or y."""
    return bounds[2] - bounds[0] > limit or bounds[3] - bounds[1] > limit
