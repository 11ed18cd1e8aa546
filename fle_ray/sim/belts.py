"""Belts put together: which tile leads where, and the lines that follow from it.

A `Part` is one tile of anything that carries items: a belt, an end of an underground belt, half a splitter. A part
that is fed from one side only and from nothing behind is a turn; one that is fed from behind, or from both sides, is
straight and its sides take feeds (FactorioGym probe). Parts of one speed that follow each other make a line per lane.

Whenever a part is built, turned or taken away, the lines it touches are taken apart and put together anew, with the
items where they lie. When a tile becomes a turn or stops being one, its items keep their lanes, each at
floor(position * (new length - 1) / old length) (FactorioGym probe).

The game merges young belts into longer lines only after a delay that follows no rule; here they are one at once.
That shows in nothing but the order of two items that reach one place in one tick, and in when an idle burner inserter
fills its buffer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import floor
from typing import TYPE_CHECKING, Any

from fle_ray.sim.core import MACHINES
from fle_ray.sim.lanes import LEFT, RIGHT, STRAIGHT, TILE, lane_lengths, side_entry, vector
from fle_ray.sim.line import Drain, Join, Line, Side

if TYPE_CHECKING:
    from fle_ray.sim.world import World

__all__ = ["BELT", "ENTRANCE", "EXIT", "SPLITTER", "Belts", "Part", "Source"]

BELT, ENTRANCE, EXIT, SPLITTER = "belt", "entrance", "exit", "splitter"
_HALF = TILE // 2
_LAST_ORDER = -(1 << 40)  # sources act after everything else in a tick

Tile = tuple[int, int]


class Part:
    """One tile that carries items.

    Attributes:
        owner: the entity it belongs to; half: 0, or 1 for the right half of a splitter.
        kind: BELT, ENTRANCE or EXIT of an underground belt, or SPLITTER.
        speed: 1/256 tile a tick; shape: see lanes.py; lengths: of its lanes, tunnels included.
        lines: the line of each lane; offsets: where on the line its downstream edge lies; spans: see `span`.
        partner: the other end of an underground belt, None for none.
        drain: what takes the items at its end, for rigs.
    """

    __slots__ = (
        "direction",
        "drain",
        "half",
        "kind",
        "lengths",
        "lines",
        "offsets",
        "owner",
        "partner",
        "reach",
        "shape",
        "spans",
        "speed",
        "tile",
    )

    def __init__(self, owner: Any, half: int, kind: str, tile: Tile, direction: int, reach: int = 0) -> None:
        self.owner = owner
        self.half = half
        self.kind = kind
        self.tile = tile
        self.direction = direction
        self.reach = reach
        self.speed = floor(owner.prototype.belt.speed * TILE)
        self.shape = STRAIGHT
        self.lengths = lane_lengths(STRAIGHT)
        self.lines: list[Line] = []
        self.offsets = [0, 0]
        self.spans = [(0, 0), (0, 0)]
        self.partner: Part | None = None
        self.drain: Drain | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.tile} of {self.owner!r}>"

    @property
    def key(self) -> tuple[int, int]:
        """What orders parts."""
        return self.owner.number, self.half

    @property
    def ahead(self) -> Tile:
        """The tile it leads to (an entrance leads to nothing but its exit)."""
        dx, dy = vector(self.direction)
        return self.tile[0] + dx, self.tile[1] + dy

    @property
    def behind(self) -> Tile:
        dx, dy = vector(self.direction)
        return self.tile[0] - dx, self.tile[1] - dy

    def open_from(self, lane: int) -> int:
        """Position on a lane at which the tile itself begins (what lies upstream of its length is tunnel)."""
        return self.lengths[lane] - TILE if self.kind == ENTRANCE else 0

    def span(self, lane: int) -> tuple[int, int]:
        """Where the tile lies on the line of a lane: [from, to)."""
        return self.spans[lane]

    def lie(self, lane: int, offset: int) -> None:
        """Its downstream edge lies there on the line of a lane."""
        self.offsets[lane] = offset
        self.spans[lane] = (offset + self.open_from(lane), offset + self.lengths[lane])

    def items(self, lane: int, tick: int) -> list[tuple[str, int]]:
        """(item, position from the downstream edge of the tile) on a lane, front first, tunnels included."""
        offset = self.offsets[lane]
        found = self.lines[lane].items_in(offset, offset + self.lengths[lane], tick)
        shift = offset + self.open_from(lane)
        return [(item, position - shift) for item, position in found]


class Source:
    """An endless feed of one item onto the upstream edge of one lane of a tile (for rigs)."""

    phase = MACHINES

    def __init__(self, belts: Belts, item: str, tile: Tile, lane: int, order: int) -> None:
        self.belts = belts
        self.item = item
        self.tile = tile
        self.lane = lane
        self.order = order
        self.due = 0
        self.given = 0

    def update(self, tick: int) -> None:
        part = self.belts.parts.get(self.tile)
        if part is None:
            return
        line = part.lines[self.lane]
        point = part.offsets[self.lane] + part.lengths[self.lane]
        line.waiting.pop(self, None)
        if line.put(point, point, self.item, tick, limit=point, exact=True):
            self.given += 1
        line.waiting[self] = point
        self.room_changed(line)

    def belt_leaving(self, tick: int) -> None:
        """The belt is about to change."""

    def belt_changed(self) -> None:
        """The belt has changed: feed what is there now."""
        self.belts.calendar.wake(self)

    def room_changed(self, line: Line) -> None:
        """There may be room."""
        calendar = self.belts.calendar
        when = line.clear_at(line.waiting[self], calendar.turn(self))
        if when:
            calendar.stir(self, when)


class Belts:
    """All parts and lines of a world.

    Attributes:
        parts: tile -> part. lines: key -> line. drains, sources: what rigs have put up, by tile (and lane).
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.calendar = world.calendar
        self.parts: dict[Tile, Part] = {}
        self.lines: dict[tuple[int, int, int], Line] = {}
        self.drains: dict[Tile, Drain] = {}
        self.sources: dict[tuple[int, int, int], Source] = {}
        self._stamp = 0
        self._late: list[Part] | None = None  # parts that wait to be joined up, see `together`

    def next_stamp(self) -> int:
        """Ranks lines by when they came to life."""
        self._stamp += 1
        return self._stamp

    def clock(self) -> int:
        """The last tick in which belts have moved."""
        calendar = self.calendar
        return calendar.tick if calendar.phase < 0 or calendar.phase > 1 else calendar.tick - 1

    def at(self, point: tuple[float, float]) -> Part | None:
        """The part under a point."""
        return self.parts.get((floor(point[0]), floor(point[1])))

    # -- what leads where -------------------------------------------------------------------------------

    def feeds(self, tile: Tile, into: Part) -> Part | None:
        """The part on a tile if it leads into another."""
        part = self.parts.get(tile)
        return part if part is not None and part.kind != ENTRANCE and part.ahead == into.tile else None

    def _feeders(self, part: Part) -> set[Part]:
        """The parts that lead into one, from behind and from its sides."""
        x, y = part.tile
        around = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        return {feeder for tile in around if (feeder := self.feeds(tile, part)) is not None}

    def _shape(self, part: Part) -> str:
        if part.kind != BELT:
            return STRAIGHT
        behind = self.feeds(part.behind, part)
        if behind is not None:
            return STRAIGHT
        dx, dy = vector(part.direction)
        x, y = part.tile
        from_right = self.feeds((x - dy, y + dx), part) is not None
        from_left = self.feeds((x + dy, y - dx), part) is not None
        if from_right == from_left:
            return STRAIGHT
        return RIGHT if from_right else LEFT

    def _next(self, part: Part) -> tuple[str, Part] | None:
        """How a part goes on: ("on", part), ("side", part), ("splitter", half), or None for not at all."""
        if part.drain is not None:
            return None
        if part.kind == ENTRANCE:
            return ("on", part.partner) if part.partner is not None else None
        ahead = self.parts.get(part.ahead)
        if ahead is None or ahead.direction == (part.direction + 8) % 16:
            return None
        if ahead.direction == part.direction:
            if ahead.kind == SPLITTER:
                return "splitter", ahead
            return None if ahead.kind == EXIT else ("on", ahead)
        if ahead.kind == SPLITTER:
            return None
        if ahead.shape != STRAIGHT:
            return "on", ahead
        return "side", ahead

    def pair_of(self, part: Part) -> Part | None:
        """The other end of an underground belt, as things stand."""
        if part.kind not in (ENTRANCE, EXIT):
            return None
        dx, dy = vector(part.direction)
        if part.kind == EXIT:
            dx, dy = -dx, -dy
        x, y = part.tile
        for distance in range(1, part.reach + 1):
            other = self.parts.get((x + dx * distance, y + dy * distance))
            if other is None or other.owner.prototype is not part.owner.prototype:
                continue
            if other.direction == part.direction:
                return other if other.kind != part.kind else None
        return None

    # -- changes ----------------------------------------------------------------------------------------

    def enter(self, parts: Iterable[Part]) -> None:
        """These parts are there now."""
        parts = list(parts)
        for part in parts:
            self.parts[part.tile] = part
            part.drain = self.drains.get(part.tile)
        if self._late is not None:
            self._late += parts
        elif not self.world.restoring:
            self._rebuild(self._round(parts))

    @contextmanager
    def together(self) -> Iterator[None]:
        """Parts that enter meanwhile are joined up once, at the end: for long lines that are built at a stroke."""
        self._late = []
        try:
            yield
        finally:
            parts, self._late = self._late, None
            if parts:
                self._rebuild(self._round(parts))

    def leave(self, parts: Iterable[Part]) -> list[str]:
        """These parts go; returns the items they held, lane 1 then lane 2."""
        parts = list(parts)
        tick = self.clock()
        held = [item for part in parts for lane in (0, 1) for item, _ in part.items(lane, tick)]
        affected = self._round(parts)
        for part in parts:
            del self.parts[part.tile]
        self._rebuild(affected, gone=parts)
        return held

    def turned(self, parts: Iterable[Part], change: Any) -> None:
        """Parts change (direction, kind): `change()` does it."""
        parts = list(parts)
        affected = self._round(parts)
        for part in parts:
            self.parts.pop(part.tile, None)
        change()
        for part in parts:
            self.parts[part.tile] = part
            part.drain = self.drains.get(part.tile)
        self._rebuild(affected | self._round(parts))

    def _round(self, parts: list[Part]) -> set[Part]:
        """Parts whose shape, links or partner may depend on these."""
        found = set(parts)
        for part in parts:
            x, y = part.tile
            for tile in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
                if tile in self.parts:
                    found.add(self.parts[tile])
            if part.reach:
                for dx, dy in map(vector, (0, 4, 8, 12)):
                    for distance in range(1, part.reach + 1):
                        other = self.parts.get((x + dx * distance, y + dy * distance))
                        if other is not None and other.reach:
                            found.add(other)
        return found

    def _rebuild(self, affected: set[Part], gone: Iterable[Part] = ()) -> None:
        """Take the lines of these parts apart and put them together anew."""
        tick = self.clock()
        for part in tuple(affected):
            if self.parts.get(part.tile) is part and self._shape(part) != part.shape:
                affected |= self._feeders(part)  # a side feed of what becomes a turn goes on in its line from now on
        parts = dict.fromkeys(sorted(affected, key=lambda p: p.key))
        dead = dict.fromkeys(line for part in parts for line in part.lines)
        held: dict[tuple[Part, int], list[tuple[str, int]]] = {}
        fed: dict[Line, None] = {}
        interested: dict[Any, None] = {}
        state = [-1, -1, 0]
        for line in dead:
            for part, lane in line.pieces:
                parts[part] = None
                offset = part.offsets[lane]
                items = line.items_in(offset, offset + part.lengths[lane], tick)
                held[part, lane] = [(item, position - offset) for item, position in items]
            if line.count:
                state[0] = max(state[0], line.moved(tick))
                state[1] = tick
            state[2] = max(state[2], line.stamp)
            fed.update(dict.fromkeys(line.feeders))
            for group in (line.waiting, line.lookers, line.chasers, line.idlers):
                for who in group:
                    (fed if isinstance(who, Line) else interested)[who] = None
        interested = dict.fromkeys(sorted(interested, key=lambda w: w.order))
        for who in interested:
            who.belt_leaving(tick)
        for line in dead:
            if line.outlet is not None:
                line.outlet.watch(line, False)
                line.outlet.leave(line)
            self.calendar.cancel(line)
            del self.lines[line.key]
        for part in gone:
            parts.pop(part, None)
            part.lines = []
        self._link(parts, held)
        lines = self._make_lines(parts)
        for line in lines:
            line.moved_at, line.touched_at, line.stamp = state
        lines += [line for line in fed if line not in dead]
        self._lead(lines, held, tick)
        for who in interested:
            who.belt_changed()

    def _link(self, parts: Iterable[Part], held: dict[tuple[Part, int], list[tuple[str, int]]]) -> None:
        """Work out partners, shapes and lengths, and lay the items of changed tiles anew."""
        for part in parts:
            part.partner = self.pair_of(part)
        for part in parts:
            before = part.lengths
            part.shape = self._shape(part)
            part.lengths = lane_lengths(part.shape)
            if part.kind == ENTRANCE and part.partner is not None:
                (x, y), (px, py) = part.tile, part.partner.tile
                part.lengths = (TILE * (abs(px - x) + abs(py - y)),) * 2
            for lane in (0, 1):
                old, new = before[lane], part.lengths[lane]
                items = held.get((part, lane))
                if old == new or not items:
                    continue
                if part.kind == ENTRANCE:
                    held[part, lane] = _in_tunnel(items, old, new)
                else:
                    held[part, lane] = [(item, position * (new - 1) // old) for item, position in items]

    def _make_lines(self, parts: dict[Part, None]) -> list[Line]:
        """Lines through these parts, which no living line runs through."""
        follows: dict[Part, Part] = {}
        fronts = []
        for part in parts:
            part.lines = []
            on = self._next(part)
            if on is not None and on[0] == "on" and on[1].speed == part.speed:
                follows[on[1]] = part
            else:
                fronts.append(part)
        made: list[Line] = []
        placed: set[Part] = set()
        for front in [*fronts, *sorted(parts, key=lambda p: p.key)]:  # what is left after the fronts are circles
            chain = []
            part: Part | None = front
            while part is not None and part not in placed:
                placed.add(part)
                chain.append(part)
                part = follows.get(part)
            if chain:
                made += (self._make_line(chain, lane) for lane in (0, 1))
        for line in made:
            self.lines[line.key] = line
        return made

    def _make_line(self, chain: list[Part], lane: int) -> Line:
        front = chain[0]
        line = Line(self, (front.owner.number, front.half, lane), front.speed)
        for part in chain:
            part.lines.append(line)
            part.lie(lane, line.length)
            line.pieces.append((part, lane))
            line.length += part.lengths[lane]
        return line

    def _lead(self, lines: list[Line], held: dict[tuple[Part, int], list[tuple[str, int]]], tick: int) -> None:
        """Give lines their outlets, and lay their items on them; lines that hold some already keep them."""
        linked = False
        for line in lines:
            if line.outlet is not None:
                line.outlet.watch(line, False)
                line.outlet.leave(line)
            line.outlet = self._outlet(line)
            if line.outlet is not None:
                line.outlet.enter(line)
                linked = True
        if linked:
            self._rank()
        for line in lines:
            items = []
            for part, lane in line.pieces:
                offset = part.offsets[lane]
                items += [(item, position + offset) for item, position in held.get((part, lane), ())]
            if items and not line.count:
                line.fill(items, tick)
            elif line.count and line.outlet is not None:
                if line.blocked:
                    line.outlet.watch(line, True)
                line.plan_exit()

    def _outlet(self, line: Line) -> Any:
        part, lane = line.pieces[0]
        if part.drain is not None:
            return part.drain
        on = self._next(part)
        if on is None:
            return None
        kind, ahead = on
        if kind == "splitter":
            return ahead.owner.inlets[ahead.half][lane]
        if kind == "on":
            return Join(ahead.lines[lane])
        dx, dy = vector(ahead.direction)
        right = (part.tile[0] - ahead.tile[0], part.tile[1] - ahead.tile[1]) == (-dy, dx)
        target_lane = 1 if right else 0
        entry = side_entry(part.direction, lane, ahead.direction)
        if ahead.kind != BELT and (entry > _HALF) != (ahead.kind == ENTRANCE):
            return None  # only the half of an underground's end that is belt takes anything
        place = ahead.span(target_lane)[0]
        return Side(ahead.lines[target_lane], place + entry, place)

    def _rank(self) -> None:
        """Let what lies downstream take its turn first within a tick."""
        depths: dict[Any, int] = {}
        for line in self.lines.values():
            if line.outlet is None:
                continue
            stack: list[Any] = [line]
            while stack:
                actor = stack[-1]
                after = self._after(actor)
                if actor not in depths:
                    depths[actor] = -1  # under way: what runs in a circle ends here
                    stack += (a for a in after if a not in depths)
                else:
                    stack.pop()
                    if depths[actor] < 0:
                        depths[actor] = 1 + max((depths[a] for a in after), default=-1)
        self._find_circles()
        for actor, depth in depths.items():
            actor.order = -(depth << 44) - _rank_of(actor)

    def _find_circles(self) -> None:
        """Tell lines that lead into each other in a circle."""
        seen: dict[Line, Line] = {}  # line -> where the walk began that came to it
        for start in self.lines.values():
            start.circle = ()
        for start in self.lines.values():
            line = start
            while isinstance(line, Line) and line not in seen:
                seen[line] = start
                line = line.outlet.actor if line.outlet is not None else None
            if isinstance(line, Line) and seen[line] is start and not line.circle:
                circle = [line]
                while circle[-1].outlet.actor is not line:
                    circle.append(circle[-1].outlet.actor)
                for one in circle:
                    one.circle = tuple(circle)

    def _after(self, actor: Any) -> list[Any]:
        """The actors that what leaves an actor's lines comes to."""
        if isinstance(actor, Line):
            outlet = actor.outlet
            return [] if outlet is None or outlet.actor is outlet else [outlet.actor]
        return [line for part in actor.parts for line in part.lines]

    # -- rigs ---------------------------------------------------------------------------------------------

    def add_source(self, item: str, tile: Tile, lane: int) -> Source:
        """Feed a lane (0 or 1) of a tile for ever."""
        source = Source(self, item, tile, lane, _LAST_ORDER - len(self.sources))
        self.sources[(*tile, lane)] = source
        self.calendar.wake(source)
        return source

    def add_drain(self, tile: Tile) -> Drain:
        """Take everything that arrives at the end of a tile."""
        drain = Drain(self.calendar, _LAST_ORDER - len(self.drains))
        self.drains[tile] = drain
        part = self.parts.get(tile)
        if part is not None:
            part.drain = drain
            self._rebuild(self._round([part]))
        return drain

    # -- state ----------------------------------------------------------------------------------------------

    def save(self) -> Any:
        tick = self.clock()
        lines = [
            [*key, *line.save(tick)] for key, line in sorted(self.lines.items()) if line.count or line.stamp
        ]
        sources = [[s.item, *s.tile, s.lane, s.order, s.due, s.given] for s in self.sources.values()]
        drains = [[*tile, d.order, sorted(d.taken.items())] for tile, d in self.drains.items()]
        return [self._stamp, lines, sources, drains]

    def load(self, state: Any) -> None:
        self._stamp, lines, sources, drains = state
        for x, y, order, taken in drains:
            drain = self.drains[x, y] = Drain(self.calendar, order)
            drain.taken = dict(taken)
            if (x, y) in self.parts:
                self.parts[x, y].drain = drain
        parts = dict.fromkeys(sorted(self.parts.values(), key=lambda p: p.key))
        self._link(parts, {})
        self._lead(self._make_lines(parts), {}, self.clock())
        for number, half, lane, *saved in lines:
            self.lines[number, half, lane].load(saved, self.clock())
        for item, x, y, lane, order, due, given in sources:
            source = self.sources[x, y, lane] = Source(self, item, (x, y), lane, order)
            source.given = given
            part = self.parts.get((x, y))
            if part is not None:
                part.lines[lane].waiting[source] = part.offsets[lane] + part.lengths[lane]
            if due:
                self.calendar.schedule(source, due)
        for entity in self.world.entities.values():
            rejoin = getattr(entity, "rejoin_belts", None)
            if rejoin is not None:
                rejoin()


def _rank_of(actor: Any) -> int:
    """A number that tells lines and splitters apart."""
    if isinstance(actor, Line):
        number, half, lane = actor.key
        return (number << 2) | (half << 1) | lane
    return actor.number << 2


def _in_tunnel(items: list[tuple[str, int]], old: int, new: int) -> list[tuple[str, int]]:
    """Items of an underground entrance whose tunnel got longer or shorter; what no longer fits is squeezed in."""
    shift = new - old
    moved = []
    for item, position in items:
        place = position + shift if position + TILE >= old or shift > 0 else min(position, new - 1)
        moved.append((item, max(0, place)))
    return moved
