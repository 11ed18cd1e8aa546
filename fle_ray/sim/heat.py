"""Heat: reactors make it, heat pipes hold and carry it, heat exchangers use it.

Buffers joined by connections share one temperature. (The engine lets heat flow from pipe to pipe; how fast is not
known, so we let it flow at once.) A buffer holds `specific_heat` joules per degree above 15 C, at most up to its
greatest temperature; a reactor goes on burning when it is full. A neighbouring reactor at work adds 100 % to what a
reactor gives (prototype data; wiki: Nuclear reactor).

Heat is a segment like those of fluids (see segment.py) whose amount is in joules; what lies below 500 C cannot be
drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import TYPE_CHECKING, Any

from fle_ray.game.prototypes import rotate
from fle_ray.sim.burner import Burner
from fle_ray.sim.core import NETWORKS
from fle_ray.sim.entity import Entity
from fle_ray.sim.fluids import STEPS
from fle_ray.sim.segment import Segment

if TYPE_CHECKING:
    from fle_ray.game.prototypes import HeatBuffer
    from fle_ray.sim.world import World

__all__ = ["Heat", "HeatBox", "HeatPipe", "Reactor"]

_WORKING_TEMPERATURE = 500.0  # of everything that draws heat
_HEAT_ORDER = 1 << 41  # heat acts before fluids


class HeatBox:
    """The heat buffer of an entity. `segment`: what it is joined to."""

    __slots__ = ("owner", "record", "segment", "volume")
    index = 0
    kind = "member"
    fluid = None

    def __init__(self, owner: Any, record: HeatBuffer) -> None:
        self.owner = owner
        self.record = record
        self.segment: HeatSegment | None = None
        self.volume = (record.max_temperature - record.default_temperature) * record.specific_heat_j

    @property
    def key(self) -> tuple[int, int]:
        return self.owner.number, 0

    @property
    def temperature(self) -> float:
        """Degrees C."""
        return self.segment.heat if self.segment is not None else self.record.default_temperature

    @property
    def joules(self) -> float:
        """Joules above the default temperature."""
        return (self.temperature - self.record.default_temperature) * self.record.specific_heat_j

    def points(self) -> list[tuple[int, int, int]]:
        """Its connections on the map: (tile x, tile y, side)."""
        facing = self.owner.direction // 4 * 4
        found = []
        for x, y, side in self.record.connections:
            dx, dy = rotate((x, y), facing)
            found.append((floor(self.owner.x + dx), floor(self.owner.y + dy), (side + facing) % 16))
        return found

    def turn(self, change: Callable[[], None]) -> None:
        """Let `change` turn the owner; its heat stays with it."""
        joules = self.joules
        self.gone()
        change()
        self.connect()
        self.segment.give_heat(joules)

    def connect(self) -> None:
        self.owner.world.heat.enter(self)

    def gone(self) -> None:
        self.owner.world.heat.leave(self)


class HeatSegment(Segment):
    """Buffers that share one temperature; `amount` and `capacity` in joules above 15 C."""

    __slots__ = ("per_degree", "start")

    def __init__(self, system: Heat, key: tuple[int, int]) -> None:
        super().__init__(system, key)
        self.order += _HEAT_ORDER
        self.per_degree = 1.0
        self.start = 15.0

    @property
    def heat(self) -> float:
        """Temperature now, degrees C."""
        return self.start + self.level() / self.per_degree

    def give_heat(self, joules: float) -> None:
        """Put heat in, as far as it fits."""
        self.write_down(self.system.clock())
        self.amount = min(self.capacity, self.amount + joules)
        self.serve()

    def measure(self) -> None:
        """Work out what its buffers make together."""
        self.per_degree = sum([b.record.specific_heat_j for b in self.boxes])
        self.start = self.boxes[0].record.default_temperature
        self.bottom = (_WORKING_TEMPERATURE - self.start) * self.per_degree


class Heat:
    """All heat buffers of a world, joined into segments."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.segments: dict[tuple[int, int], HeatSegment] = {}
        self._points: dict[tuple[int, int, int], HeatBox] = {}
        self._boxes: dict[tuple[int, int], HeatBox] = {}

    def clock(self) -> int:
        """The last tick that has run to its end."""
        calendar = self.world.calendar
        return calendar.tick if calendar.phase < 0 else calendar.tick - 1

    def enter(self, box: HeatBox) -> None:
        self._boxes[box.key] = box
        for point in box.points():
            self._points[point] = box
        if not self.world.restoring:
            self._rebuild([box], None)

    def leave(self, box: HeatBox) -> None:
        around = self._around(box)
        for point in box.points():
            del self._points[point]
        del self._boxes[box.key]
        self._rebuild(around, box)

    def _around(self, box: HeatBox) -> list[HeatBox]:
        found: dict[tuple[int, int], HeatBox] = {}
        for x, y, side in box.points():
            dx, dy = STEPS[side]
            other = self._points.get((x + dx, y + dy, (side + 8) % 16))
            if other is not None and other is not box:
                found[other.key] = other
        return [found[key] for key in sorted(found)]

    def _rebuild(self, seeds: list[HeatBox], leaving: HeatBox | None) -> None:
        """Join anew what hangs together with the seeds; each box brings its own heat along."""
        clock = self.clock()
        shares: dict[tuple[int, int], float] = {}
        region: dict[tuple[int, int], HeatBox] = {}
        todo = list(seeds)

        def dissolve(segment: HeatSegment) -> None:
            segment.write_down(clock)
            for box in segment.boxes:
                shares[box.key] = segment.amount * box.record.specific_heat_j / segment.per_degree
                box.segment = None
            todo.extend(segment.boxes)
            del self.segments[segment.key]
            self.world.calendar.cancel(segment)

        if leaving is not None and leaving.segment is not None:
            dissolve(leaving.segment)
        while todo:
            box = todo.pop()
            if box.key in region or box is leaving:
                continue
            region[box.key] = box
            if box.segment is not None:
                dissolve(box.segment)
            todo.extend(self._around(box))
        made = self._join(list(region.values()))
        for segment in made:
            segment.amount = min(segment.capacity, sum([shares.get(b.key, 0.0) for b in segment.boxes]))
            segment.dry = segment.cold = segment.amount < segment.bottom
        for segment in made:
            segment.retune()

    def _join(self, boxes: list[HeatBox]) -> list[HeatSegment]:
        made = []
        left = {b.key: b for b in sorted(boxes, key=lambda b: b.key)}
        while left:
            first = left.pop(next(iter(left)))
            group = [first]
            todo = [first]
            while todo:
                for other in self._around(todo.pop()):
                    if other.key in left:
                        group.append(left.pop(other.key))
                        todo.append(other)
            segment = HeatSegment(self, min(b.key for b in group))
            segment.boxes = sorted(group, key=lambda b: b.key)
            segment.capacity = sum([b.volume for b in segment.boxes])
            segment.measure()
            for box in segment.boxes:
                box.segment = segment
            self.segments[segment.key] = segment
            made.append(segment)
            for box in segment.boxes:
                box.owner.attach(box, segment)
        return made

    def save(self) -> Any:
        segments = sorted(self.segments.values(), key=lambda s: s.key)
        return [[*s.key, s.amount, s.since, s.dry, s.cold, s.wanted, s.due] for s in segments]

    def load(self, state: Any) -> None:
        self._join(list(self._boxes.values()))
        for number, index, amount, since, dry, cold, wanted, due in state:
            segment = self.segments[number, index]
            segment.amount, segment.since, segment.wanted = amount, since, wanted
            segment.dry, segment.cold = dry, cold
            segment.rate = sum([s.potential for s in segment.sources])
            if due:
                self.world.calendar.schedule(segment, due)


class HeatPipe(Entity):
    """A heat pipe."""

    __slots__ = ("heat",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.heat = HeatBox(self, self.prototype.heat_buffer)

    def connect(self) -> None:
        self.heat.connect()

    def gone(self) -> None:
        self.heat.gone()

    def attach(self, box: HeatBox, segment: HeatSegment) -> None:
        """It neither makes nor uses heat."""

    @property
    def temperature(self) -> float:
        """Degrees C."""
        return self.heat.temperature

    @property
    def energy(self) -> float:
        return self.heat.joules


class Reactor(Entity):
    """A nuclear reactor: burns a fuel cell in 200 s whether or not its heat is used.

    A source of its heat segment: `potential` joules a tick.

    Attributes:
        burner: its fuel; fired: a cell burns; settled: the last tick whose fuel is accounted for.
    """

    __slots__ = ("burner", "fired", "heat", "potential", "settled")
    STATE = ("fired", "potential", "settled")
    phase = NETWORKS
    counted = False

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.heat = HeatBox(self, self.prototype.heat_buffer)
        self.burner = Burner(self, self.prototype.reactor.consumption_w / 60)
        self.fired = False
        self.potential = 0.0
        self.settled = 0

    def connect(self) -> None:
        self.heat.connect()

    def built(self) -> None:
        for other in self.beside():
            other.retune()

    def gone(self) -> None:
        self.fired = False
        around = self.beside()
        self.heat.gone()
        for other in around:
            other.retune()

    def attach(self, box: HeatBox, segment: HeatSegment) -> None:
        segment.sources.append(self)

    def credit(self, joules: float) -> None:
        """Heat is not counted in the statistics."""

    def hurry(self) -> None:
        """It burns whether or not its heat is used."""

    def beside(self) -> list[Reactor]:
        """Reactors that stand side by side with it, in line, by creation number."""
        width, height = self.prototype.tile_width, self.prototype.tile_height
        found = []
        for dx, dy in ((0, -height), (width, 0), (0, height), (-width, 0)):
            other = self.world.entity_at((self.x + dx, self.y + dy))
            if isinstance(other, Reactor) and other.position == (self.x + dx, self.y + dy):
                found.append(other)
        return sorted(found, key=lambda e: e.number)

    @property
    def temperature(self) -> float:
        """Degrees C."""
        return self.heat.temperature

    @property
    def bonus(self) -> float:
        """Share by which neighbours at work raise what it gives."""
        return self.prototype.reactor.neighbour_bonus * sum(other.fired for other in self.beside())

    def retune(self) -> None:
        """Work out what it gives now."""
        potential = self.burner.use * (1 + self.bonus) if self.fired else 0.0
        if potential == self.potential:
            return
        segment = self.heat.segment
        segment.write_down(self.world.heat.clock())
        self.potential = potential
        segment.retune()

    def update(self, tick: int) -> None:
        burner = self.burner
        if self.fired:
            ticks = tick - 1 - self.settled
            burner.remaining -= ticks * burner.use
            burner.used += ticks * burner.use
        self.settled = tick - 1
        while burner.remaining < burner.use and burner.light():
            pass
        fired = burner.remaining >= burner.use
        if not fired:
            burner.burn_out()
        if fired != self.fired:
            self.fired = fired
            self.retune()
            for other in self.beside():
                other.retune()
        if fired:
            self.world.calendar.schedule(self, tick + floor(burner.remaining / burner.use + 1e-9))

    # -- what it shows -------------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        return "working" if self.fired else "no_fuel"

    @property
    def energy(self) -> float:
        return self.heat.joules

    @property
    def energy_used(self) -> float:
        if not self.fired:
            return self.burner.used
        return self.burner.used + (self.world.heat.clock() - self.settled) * self.burner.use

    def contents(self) -> dict[str, dict[str, float]]:
        return self.burner.contents()

    # -- transfers -----------------------------------------------------------------------------------------------

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        if not self.burner.is_fuel(item):
            return 0
        moved = self.burner.insert(item, count)
        if moved:
            self.changed()
            if not self.fired:
                self.world.calendar.wake(self)
        return moved

    put = insert

    def wants(self, item: str) -> bool:
        return self.burner.wants(item)

    def full_for_inserters(self) -> bool:
        return self.burner.full_for_inserters()

    def extract(self, item: str, count: int) -> int:
        moved = self.burner.fuel.remove(item, count)
        if moved < count and self.burner.burnt is not None:
            moved += self.burner.burnt.remove(item, count - moved)
        if moved:
            self.changed()
        return moved

    take = extract

    def offer(self, wanted: Any) -> str | None:
        return self.burner.burnt.last(wanted)

    def pick(self, item: str, count: int) -> int:
        moved = self.burner.burnt.remove(item, count)
        if moved:
            self.changed()
        return moved

    def holds_anything(self) -> bool:
        return bool(self.burner.burnt)

    def clear(self) -> dict[str, int]:
        held = dict(self.burner.fuel.clear())
        for item, count in self.burner.burnt.clear().items():
            held[item] = held.get(item, 0) + count
        return held

    def save(self) -> dict[str, Any]:
        state = super().save()
        state["burner"] = self.burner.save()
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.burner.load(state["burner"])
