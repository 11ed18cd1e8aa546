"""Rigs with belts and burner inserters in fle_ray and in factory-sim, compared tick by tick.

factory-sim merges the lines of newly built belts after a delay that it takes from a table measured tile by tile.
Two tables are used here: the measured one, and one with which every chain of belts is merged from its first tick on
and never parted again, which is what fle_ray does. A rig depends on the delay exactly when factory-sim itself plays
it differently with the two.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import fsim
from fsim import ffi, lib

from fle_ray.errors import CannotPlace
from fle_ray.sim import World
from fle_ray.sim.inserter import Inserter

KINDS = {name: kind for kind, name in fsim.KIND_NAME.items()}
MEASURED, AT_ONCE = "measured", "at once"
SAME = "the same in every tick"
MERGE_DELAY = "on which the delay of merging belts shows"
YOUNG_BELTS = "with an inserter at belts that have not merged"
DELAY_DECIDES = "whose end the delay decides (an inserter out of fuel, a blocked belt)"
LEFT_ASLEEP = "with an inserter that factory-sim leaves asleep"
kinds: Counter[str] = Counter()  # how many rigs of each the tests have played
_SPAN = 40  # the table of the second kind covers [-40, 40) both ways
NEAR = 1e-9
TEN_MINUTES = 36_000
FUEL_LIMIT, SOURCE_LIMIT = 5, 2  # where inserters stop


@dataclass(frozen=True)
class Thing:
    """One entity of a rig: its direction is the engine's (0, 4, 8, 12)."""

    name: str
    x: float
    y: float
    direction: int = 0
    contents: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Rig:
    """Ore tiles (name, x, y, amount), things in the order they are built, and what is done when.

    Steps are (tick, "put", thing, item, count), (tick, "lane", thing, lane, position, item),
    (tick, "take", thing, lane, place in the lane), (tick, "turn", thing, 4 or 12) and (tick, "remove", thing),
    done after that many ticks have run.
    """

    ore: tuple[tuple[str, int, int, int], ...] = ()
    things: tuple[Thing, ...] = ()
    steps: tuple[tuple, ...] = field(default=())


# -- ours ----------------------------------------------------------------------------------------------------


class Ours:
    """A rig played by fle_ray."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.recalled: int | None = None
        self.world = World(scenario="empty", seed=0)
        for name, tx, ty, amount in rig.ore:
            self.world.ore(name, (tx, ty, tx + 1, ty + 1), amount=amount)
        self.things = [self.world.build(t.name, (t.x, t.y), t.direction) for t in rig.things]
        for entity, thing in zip(self.things, rig.things, strict=True):
            for item, count in thing.contents:
                entity.put(item, count)
        _OF_WORLD[self.world] = self

    def do(self, step: tuple) -> None:
        _, what, index, *rest = step
        entity = self.things[index]
        if what == "put":
            entity.put(*rest)
        elif what == "lane":
            lane, position, item = rest
            entity.place(item, lane + 1, position)
        elif what == "take":
            lane, place = rest
            found = entity.lanes()[lane]
            if place < len(found):
                part = entity.parts[0]
                position = part.span(lane)[0] + found[place][1]
                part.lines[lane].take(position, self.world.belts.clock())
        elif what == "turn":
            self.world.rotate(entity, (entity.direction + rest[0]) % 16)
        elif what == "remove":
            self.world.remove(entity)

    def advance(self) -> None:
        self.world.advance(1)

    def readings(self) -> list[tuple]:
        found = []
        for e in self.things:
            name = e.name
            if e.removed:
                found.append(())
            elif name == "transport-belt":
                one, two = e.lanes()
                found.append((tuple(one), tuple(two)))
            elif name == "burner-inserter":
                pose = e.arm
                fuel = tuple(e.source.fuel.totals.items())
                found.append(
                    (e.held, fuel, e.status, pose.turn, pose.length, e.energy, e.energy_remaining, e.source.burning)
                )
            elif name == "wooden-chest":
                found.append(tuple(sorted(e.inventory.totals.items())))
            elif name == "stone-furnace":
                found.append(
                    (
                        tuple(e.source.fuel.totals.items()),
                        tuple(e.ingredient or ()),
                        tuple(e.product or ()),
                        e.status,
                        e.energy,
                        e.source.remaining,
                        e.progress,
                    )
                )
            else:
                fuel = tuple(e.source.fuel.totals.items())
                found.append((fuel, e.held, e.status, e.energy, e.source.remaining, e.progress))
        piles = tuple(
            sorted(
                (e.item, round(e.x * 256), round(e.y * 256))
                for e in self.world.entities.values()
                if e.name == "item-on-ground"
            )
        )
        found.append(piles)
        return found

    def counts(self) -> dict[tuple[int, str], int]:
        return _counts(self.rig, self.readings())

    def fronts(self) -> set[tuple[int, int, int]]:
        """(x, y, lane) of the downstream end of every line."""
        found = set()
        for line in self.world.belts.lines.values():
            part, lane = line.pieces[0]
            found.add((*part.tile, lane))
        return found


_OF_WORLD: WeakKeyDictionary[World, Ours] = WeakKeyDictionary()
_CHASE = Inserter._chase


def _noting_recalls(inserter: Inserter, tick: int) -> None:
    asleep = inserter.asleep
    _CHASE(inserter, tick)
    player = _OF_WORLD.get(inserter.world)
    if asleep and not inserter.asleep and player is not None and player.recalled is None:
        player.recalled = tick


Inserter._chase = _noting_recalls


# -- theirs ----------------------------------------------------------------------------------------------------


def use_table(kind: str, fronts: set[tuple[int, int, int]] = frozenset()) -> None:
    """Have factory-sim merge belts by the measured table, or all at once."""
    if kind == MEASURED:
        fsim._load_belt_delay()
        return
    side = 2 * _SPAN
    values = [1] * (2 * side * side)
    for x, y, lane in fronts:  # a front lane without a delay never splits its chain
        values[lane * side * side + (y + _SPAN) * side + (x + _SPAN)] = 0
    rects = ffi.new("int32_t[]", [-_SPAN, -_SPAN, _SPAN, _SPAN])
    lib.fsim_set_belt_delay(1, rects, ffi.new("uint16_t[]", values))


def _item(number: int) -> str | None:
    return fsim.ITEM_NAMES[number] if number else None


def _stack(stack) -> tuple:
    return ((_item(stack.item), stack.count),) if stack.count else ()


def _slot(stack) -> tuple:
    return (_item(stack.item), stack.count) if stack.count else ()


class Theirs:
    """A rig played by factory-sim, with the table of belt delays in use now."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.env = env = ffi.gc(lib.fsim_new(), lib.fsim_free)
        scene, self._keep = fsim.scene_struct(
            {
                "resources": [
                    {"name": n, "position": [x + 0.5, y + 0.5], "amount": amount} for n, x, y, amount in rig.ore
                ],
                "character": {"position": [1000, 1000]},
            }
        )
        lib.fsim_reset(env, scene)
        self.index = []
        for t in rig.things:
            at = lib.fsim_add_entity(env, KINDS[t.name], round(t.x * 256), round(t.y * 256), t.direction)
            assert at >= 0
            self.index.append(at)
        for at, thing in zip(self.index, rig.things, strict=True):
            for item, count in thing.contents:
                lib.fsim_entity_insert(env, at, fsim.ITEM_IDS[item], count)
        lib.fsim_refresh(env)

    def do(self, step: tuple) -> None:
        _, what, index, *rest = step
        at = self.index[index]
        if what == "put":
            item, count = rest
            lib.fsim_entity_insert(self.env, at, fsim.ITEM_IDS[item], count)
        elif what == "lane":
            lane, position, item = rest
            if position >= self.env.entities[at].lane_length[lane]:
                lib.fsim_belt_insert_back(self.env, at, lane, fsim.ITEM_IDS[item])
            else:
                lib.fsim_belt_insert(self.env, at, lane, position, fsim.ITEM_IDS[item])
        elif what == "take":
            lane, place = rest
            lib.fsim_belt_remove(self.env, at, lane, place)
        elif what == "turn":
            lib.fsim_script_rotate(self.env, at, rest[0] == 12)
        elif what == "remove":
            lib.fsim_script_destroy(self.env, at)

    def advance(self, ticks: int = 1) -> None:
        lib.fsim_advance(self.env, ticks)

    def readings(self) -> list[tuple]:
        env = self.env
        found: list[tuple] = []
        for at in self.index:
            e = env.entities[at]
            kind = e.kind
            if not e.alive:
                found.append(())
            elif kind == lib.K_BELT:
                lanes = []
                for lane in (e.lanes[0], e.lanes[1]):
                    items = lane.items
                    lanes.append(tuple((_item(items[k].item), items[k].pos) for k in range(lane.count)))
                found.append(tuple(lanes))
            elif kind == lib.K_INSERTER:
                burning = _item(e.burning)
                status = fsim.STATUS_NAME[e.status]
                found.append(
                    (_item(e.held), _stack(e.fuel), status, e.arm_w, e.arm_len, e.energy, e.remaining, burning)
                )
            elif kind == lib.K_CHEST:
                totals: dict[str, int] = {}
                for slot in e.chest:
                    if slot.count:
                        totals[_item(slot.item)] = totals.get(_item(slot.item), 0) + slot.count
                found.append(tuple(sorted(totals.items())))
            elif kind == lib.K_FURNACE:
                status = fsim.STATUS_NAME[e.status]
                found.append(
                    (
                        _stack(e.fuel),
                        _slot(e.source),
                        _slot(e.result),
                        status,
                        e.energy,
                        e.remaining,
                        e.progress,
                    )
                )
            else:
                status = fsim.STATUS_NAME[e.status]
                found.append((_stack(e.fuel), _item(e.held), status, e.energy, e.remaining, e.progress))
        piles = []
        for i in range(env.entity_count):
            e = env.entities[i]
            if e.kind == lib.K_PILE and e.alive and e.pile.count:
                piles.append((_item(e.pile.item), e.pos.x, e.pos.y))
        found.append(tuple(sorted(piles)))
        return found

    def counts(self) -> dict[tuple[int, str], int]:
        return _counts(self.rig, self.readings())

    def leaves_asleep(self) -> bool:
        """Whether an inserter sleeps on while something that its target would take lies on its pickup tile."""
        env = self.env
        for at in self.index:
            arm = env.entities[at]
            if arm.kind != lib.K_INSERTER or not arm.sleep_seq or arm.pickup_target < 0 or arm.drop_target < 0:
                continue
            belt, target = env.entities[arm.pickup_target], env.entities[arm.drop_target]
            if belt.kind != lib.K_BELT:
                continue
            items = {lane.items[k].item for lane in (belt.lanes[0], belt.lanes[1]) for k in range(lane.count)}
            fuels = items & {fsim.ITEM_IDS["coal"], fsim.ITEM_IDS["wood"]}
            if target.fuel.count < FUEL_LIMIT and any(target.fuel.item in (0, item) for item in fuels):
                return True
            ores = items & {fsim.ITEM_IDS["iron-ore"], fsim.ITEM_IDS["copper-ore"]}
            if target.kind == lib.K_FURNACE and target.source.count < SOURCE_LIMIT:
                if any(target.source.item in (0, item) for item in ores):
                    return True
        return False


def _counts(rig: Rig, readings: list[tuple]) -> dict[tuple[int, str], int]:
    """(thing, item) -> how many a chest holds and a furnace has made and not given away."""
    found: dict[tuple[int, str], int] = {}
    for index, (thing, reading) in enumerate(zip(rig.things, readings, strict=False)):
        if thing.name == "wooden-chest":
            found.update(((index, item), count) for item, count in reading)
        elif thing.name == "stone-furnace" and reading[2]:
            item, count = reading[2]
            found[index, item] = count
    return found


# -- side by side ------------------------------------------------------------------------------------------------


def _same(a, b) -> bool:
    if a == b:
        return True
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= NEAR * max(1.0, abs(b))
    return False


@dataclass(frozen=True)
class Difference:
    """The first tick in which two players of a rig differ: thing number, its name, and both readings."""

    tick: int
    thing: int
    name: str
    ours: tuple
    theirs: tuple

    def __str__(self) -> str:
        return f"tick {self.tick}, thing {self.thing} ({self.name}):\n  {self.ours}\n  {self.theirs}"


def _difference(rig: Rig, tick: int, a: list[tuple], b: list[tuple]) -> Difference | None:
    if a == b:
        return None
    for index, (one, other) in enumerate(zip(a, b, strict=True)):
        if not _same(one, other):
            name = rig.things[index].name if index < len(rig.things) else "ground"
            return Difference(tick, index, name, one, other)
    return None


def playing(rig: Rig, players: list, ticks: int) -> Iterator[int]:
    steps = sorted(rig.steps, key=lambda s: s[0])
    done = 0
    for tick in range(ticks + 1):
        if tick:
            for player in players:
                player.advance()
        yield tick
        while done < len(steps) and steps[done][0] == tick:
            for player in players:
                player.do(steps[done])
            done += 1


@dataclass(frozen=True)
class Verdict:
    """How a rig was played.

    Attributes:
        wrong: the first difference of fle_ray from factory-sim with belts merged at once, None for none.
        delayed: the first difference of factory-sim so from factory-sim with the measured delays.
        recalled: tick in which fle_ray woke an inserter that factory-sim leaves asleep, None for never. It sleeps on
            a machine that takes nothing of what is on the belt; when something that it does take comes by and the
            machine is at rest, factory-sim lets it sleep on until the machine changes, which a machine without fuel
            never does. From that tick on the two are not compared.
    """

    wrong: Difference | None
    delayed: Difference | None
    recalled: int | None

    @property
    def kind(self) -> str:
        """What a rig is counted as."""
        if self.recalled is not None:
            return LEFT_ASLEEP
        if self.delayed is None:
            return SAME
        return YOUNG_BELTS if self.delayed.name == "burner-inserter" else MERGE_DELAY


def differ(rig: Rig, ticks: int) -> Verdict:
    """Play a rig for a number of ticks in fle_ray and, with both tables, in factory-sim."""
    ours = Ours(rig)
    use_table(AT_ONCE, ours.fronts())
    once = Theirs(rig)
    use_table(MEASURED)
    measured = Theirs(rig)
    wrong = delayed = None
    for tick in playing(rig, [ours, once, measured], ticks):
        theirs = once.readings()
        if wrong is None and ours.recalled is None:
            wrong = _difference(rig, tick, ours.readings(), theirs)
        if delayed is None:
            delayed = _difference(rig, tick, theirs, measured.readings())
        if (wrong is not None or ours.recalled is not None) and delayed is not None:
            break
    return Verdict(wrong, delayed, ours.recalled)


@dataclass(frozen=True)
class TenMinutes:
    """What chests and furnaces hold after 36,000 ticks, (thing, item) -> count.

    `theirs` is factory-sim with the measured delays, `once` with belts merged at once.
    `asleep`: factory-sim has an inserter asleep by then that it should wake (see `Verdict.recalled`), or had.
    """

    ours: dict[tuple[int, str], int]
    theirs: dict[tuple[int, str], int]
    once: dict[tuple[int, str], int]
    asleep: bool

    @property
    def apart(self) -> dict[tuple[int, str], tuple[int, int]]:
        """Where the two differ by more than 1: (ours, theirs)."""
        pairs = {k: (self.ours.get(k, 0), self.theirs.get(k, 0)) for k in self.ours.keys() | self.theirs.keys()}
        return {k: (a, b) for k, (a, b) in pairs.items() if abs(a - b) > 1}


def after_ten_minutes(rig: Rig) -> TenMinutes:
    """Play a rig for ten minutes in fle_ray, and in factory-sim with both tables."""
    ours = Ours(rig)
    use_table(AT_ONCE, ours.fronts())
    once = Theirs(rig)
    use_table(MEASURED)
    theirs = Theirs(rig)
    for _ in playing(rig, [ours, theirs, once], max((s[0] for s in rig.steps), default=0)):
        pass
    asleep = False
    while theirs.env.tick < TEN_MINUTES:
        ticks = min(600, TEN_MINUTES - theirs.env.tick)
        for player in (theirs, once):
            player.advance(ticks)
            asleep = asleep or player.leaves_asleep()
    ours.world.advance(TEN_MINUTES - ours.world.tick)
    return TenMinutes(ours.counts(), theirs.counts(), once.counts(), asleep or ours.recalled is not None)


def lanes_after(rig: Rig, ticks: int) -> tuple[list[tuple], list[tuple]]:
    """What lies on each lane of each belt after some ticks, front first: in fle_ray, and in factory-sim."""
    ours = Ours(rig)
    use_table(AT_ONCE, ours.fronts())
    theirs = Theirs(rig)
    for _ in playing(rig, [ours, theirs], ticks):
        pass
    found = []
    for player in (ours, theirs):
        readings = zip(rig.things, player.readings(), strict=False)
        lanes = [reading for thing, reading in readings if thing.name == "transport-belt"]
        found.append([tuple(tuple(item for item, _ in lane) for lane in reading) for reading in lanes])
    return found[0], found[1]


# -- generating ----------------------------------------------------------------------------------------------------

_STEP = {0: (0, -1), 4: (1, 0), 8: (0, 1), 12: (-1, 0)}
_ITEMS = ("iron-ore", "copper-ore", "coal", "iron-plate", "wood")  # factory-sim knows no stone bricks


class _Builder:
    """Builds a rig piece by piece on a scratch world, which says what fits."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.scratch = World(scenario="empty", seed=0)
        self.things: list[Thing] = []
        self.ore: list[tuple[str, int, int, int]] = []
        self.belts: list[int] = []

    def lay_ore(self) -> None:
        left, right = self.draw.sample(("iron-ore", "copper-ore", "coal"), 2)
        for x in range(-9, 9):
            for y in range(-9, 9):
                self.ore.append((left if x < 0 else right, x, y, 1000))
                self.scratch.ore(left if x < 0 else right, (x, y, x + 1, y + 1))

    def build(self, name: str, x: float, y: float, direction: int = 0, contents: dict[str, int] | None = None) -> int:
        """Index of the new thing, -1 when it does not fit."""
        try:
            self.scratch.build(name, (x, y), direction)
        except CannotPlace:
            return -1
        held = tuple(sorted((item, count) for item, count in (contents or {}).items() if count))
        self.things.append(Thing(name, x, y, direction, held))
        if name == "transport-belt":
            self.belts.append(len(self.things) - 1)
        return len(self.things) - 1

    def lay_belt(self) -> None:
        draw = self.draw
        x, y = draw.randint(-6, 6) + 0.5, draw.randint(-6, 6) + 0.5
        direction = draw.choice((0, 4, 8, 12))
        for _ in range(draw.randint(2, 12)):
            turn = direction
            if draw.random() < 0.2:
                turn = (direction + draw.choice((4, 12))) % 16
            if self.build("transport-belt", x, y, turn) < 0:
                return
            direction = turn
            dx, dy = _STEP[direction]
            x, y = x + dx, y + dy

    def fuel(self) -> dict[str, int]:
        return {self.draw.choice(("coal", "coal", "wood")): self.draw.choice((0, 1, 2, 5, 5, 10))}

    def end(self, x: float, y: float, giving: bool) -> None:
        """Something for an inserter to take from or give to, at a tile."""
        draw = self.draw
        what = draw.random()
        if what < 0.45:
            contents = {}
            if giving or draw.random() < 0.2:
                for item in draw.sample(_ITEMS, draw.randint(1, 2)):
                    contents[item] = draw.choice((1, 5, 20, 60))
            self.build("wooden-chest", x, y, 0, contents)
        elif what < 0.75:
            contents = self.fuel()
            if draw.random() < 0.4:
                contents[draw.choice(("iron-ore", "copper-ore"))] = draw.choice((1, 10, 40))
            ox, oy = draw.choice(((0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)))
            self.build("stone-furnace", x + ox, y + oy, 0, contents)
        elif what < 0.85:
            ox, oy = draw.choice(((0.5, 0.5), (-0.5, -0.5)))
            self.build("burner-mining-drill", x + ox, y + oy, draw.choice((0, 4, 8, 12)), self.fuel())

    def add_inserter(self) -> None:
        """An inserter beside a belt, taking from it or giving to it, with something at its other end."""
        draw = self.draw
        belt = self.things[draw.choice(self.belts)]
        side = draw.choice((0, 4, 8, 12))
        dx, dy = _STEP[side]
        x, y = belt.x + dx, belt.y + dy
        takes = draw.random() < 0.5
        direction = (side + 8) % 16 if takes else side
        if self.build("burner-inserter", x, y, direction, self.fuel() if draw.random() < 0.85 else None) >= 0:
            self.end(x + dx, y + dy, giving=not takes)

    def add_drill(self) -> None:
        """A drill that drops onto a belt."""
        draw = self.draw
        belt = self.things[draw.choice(self.belts)]
        direction = draw.choice((0, 4, 8, 12))
        # its drop tile lies over the left half of its front
        ox, oy = {0: (0.5, 1.5), 4: (-1.5, 0.5), 8: (-0.5, -1.5), 12: (1.5, -0.5)}[direction]
        self.build("burner-mining-drill", belt.x + ox, belt.y + oy, direction, self.fuel())


def generate(seed: int, ticks: int = 1500) -> Rig:
    """A random rig: belts with turns and feeds from the side, drills, inserters, furnaces, chests, scripted loads."""
    draw = random.Random(seed)
    builder = _Builder(draw)
    builder.lay_ore()
    while not builder.belts:
        builder.lay_belt()
    for _ in range(draw.randint(0, 3)):
        builder.lay_belt()
    for _ in range(draw.randint(0, 4)):
        builder.add_drill()
    for _ in range(draw.randint(0, 9)):
        builder.add_inserter()
    steps: list[tuple] = []
    for _ in range(draw.randint(0, 12)):
        belt = draw.choice(builder.belts)
        lane = draw.randint(0, 1)
        item = draw.choice(_ITEMS[:4])
        tick = draw.randint(0, ticks - 1)
        length = builder.scratch.entities[belt + 1].parts[0].lengths[lane]
        position = draw.choice((length, draw.randint(8, length - 1)))
        for k in range(draw.choice((1, 1, 4, 12))):
            steps.append((tick + 8 * k, "lane", belt, lane, position, item))
    burners = [i for i, t in enumerate(builder.things) if "burner" in t.name or t.name == "stone-furnace"]
    for _ in range(draw.randint(0, 3)):
        if burners:
            steps.append((draw.randint(0, ticks - 1), "put", draw.choice(burners), "coal", draw.randint(1, 3)))
    for _ in range(draw.randint(0, 2)):
        steps.append((draw.randint(0, ticks - 1), "take", draw.choice(builder.belts), draw.randint(0, 1), 0))
    return Rig(tuple(builder.ore), tuple(builder.things), tuple(s for s in steps if s[0] < ticks))


def generate_changing(seed: int, ticks: int = 600) -> Rig:
    """A random rig of belts and drills in which belts are turned and taken away."""
    draw = random.Random(f"changing {seed}")
    builder = _Builder(draw)
    builder.lay_ore()
    while len(builder.belts) < 3:
        builder.lay_belt()
    for _ in range(draw.randint(0, 3)):
        builder.lay_belt()
    for _ in range(draw.randint(1, 4)):
        builder.add_drill()
    steps: list[tuple] = []
    for _ in range(draw.randint(4, 14)):
        belt, lane, tick = draw.choice(builder.belts), draw.randint(0, 1), draw.randint(0, ticks - 100)
        for k in range(draw.choice((1, 4, 12))):
            steps.append((tick + 8 * k, "lane", belt, lane, draw.randint(8, 90), draw.choice(_ITEMS[:4])))
    gone: set[int] = set()
    for tick in sorted(draw.sample(range(1, ticks), draw.randint(1, 6))):
        belt = draw.choice([b for b in builder.belts if b not in gone] or builder.belts)
        if belt in gone:
            continue
        if draw.random() < 0.65:
            steps.append((tick, "turn", belt, draw.choice((4, 12))))
        else:
            steps.append((tick, "remove", belt))
            gone.add(belt)
    last = {s[2]: s[0] for s in steps if s[1] == "remove"}
    steps = [s for s in steps if s[1] == "remove" or s[2] not in last or s[0] < last[s[2]]]
    return Rig(tuple(builder.ore), tuple(builder.things), tuple(s for s in steps if s[0] < ticks))
