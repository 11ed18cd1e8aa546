"""Fluids on the map: which boxes are joined to which, and which fluids may meet.

Boxes joined by connections form segments (segment.py). Besides pipes and tanks these cover the boxes of boilers,
generators, offshore pumps and drills, through which fluid passes on. Crafting machines and pumpjacks have stores of
their own (ports, see fluidbox.py) that exchange with the segment whenever one side can. A run of pipes,
pipes-to-ground and tanks that extends over more than 320 tiles in x or y does not flow (prototype data,
`default_pipeline_extent`); it is then a segment by itself. Connecting two different fluids is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import floor, inf
from typing import TYPE_CHECKING, Any

from fle_ray.errors import CannotPlace
from fle_ray.game.prototypes import rotate
from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.segment import Segment

if TYPE_CHECKING:
    from fle_ray.game.prototypes import PipeConnection
    from fle_ray.sim.world import World

__all__ = ["PIPES", "STEPS", "Fluids"]

PIPES = frozenset({"pipe", "pipe-to-ground", "storage-tank"})  # what counts for the extent of a segment
STEPS = {0: (0, -1), 4: (1, 0), 8: (0, 1), 12: (-1, 0)}  # side -> the tile next to it
_PAIR = 32  # index of a segment made of two ports that touch


class _Site:
    """Where an entity is about to stand."""

    number = 0

    def __init__(self, prototype: Any, position: tuple[float, float], direction: int) -> None:
        self.prototype = prototype
        self.name = prototype.name
        self.position = position
        self.x, self.y = position
        self.direction = direction


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
        around = [other for other, _, _ in self.neighbours(box)] + self._along(box)
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
            self._rebuild([*boxes, *(other for box in boxes for other in self._along(box))])

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
        limit = self.world.data.constants.default_pipeline_extent
        if box.key < segment.key or segment.blocked or _wider(bounds, limit):
            return False
        segment.write_down(self.clock())
        segment.bounds = bounds
        segment.boxes.append(box)
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

    def _along(self, box: FluidBox) -> list[FluidBox]:
        """Boxes whose underground connections a new or old one on their line may come between."""
        found: dict[tuple[int, int], FluidBox] = {}
        for (x, y, side), connection in box.points():
            if connection.connection_type != "underground":
                continue
            dx, dy = STEPS[side]
            back = (side + 8) % 16
            for step in range(1, connection.max_underground_distance + 1):
                for sign in (step, -step):
                    for way in (side, back):
                        meets = self._points.get((x + dx * sign, y + dy * sign, way, True))
                        if meets is not None:
                            found[meets[0].key] = meets[0]
        return [found[key] for key in sorted(found)]

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

    def check_turn(self, entity: Any, direction: int) -> None:
        """The same for an entity that is about to face another way."""
        site = _Site(entity.prototype, entity.position, direction)
        wanted = []
        for box in getattr(entity, "fluid_boxes", ()):
            turned = FluidBox(site, box.record, box.index, box.kind, box.connections)
            if box.kind == "member" or box.fluid is not None:
                wanted.append((turned, box.fluid))
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
