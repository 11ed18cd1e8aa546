"""Inserters: an arm that takes things from one place and puts them in another.

Rules (measured tick by tick on 2.0.60 by the FactorioGym probes, burner inserters): an inserter takes only what its
target would accept, checked before it picks up; from a chest the last slot holding something wanted. From a belt it
chases one item, the lane nearer to it first (lane 1 if the belt runs along the arm or turns), then the item furthest
upstream, and keeps to its choice until the item leaves the tile; if that happens while the hand is over the tile, it
does nothing for a tick. With nothing to take or no room it waits, on a machine asleep until the machine's contents
change: it then acts in the next tick, those that fell asleep first before the others. A burner inserter that holds
fuel while its own slot is empty carries it there.

Larger hands (research): the whole hand is filled from a machine in one tick; from a belt it goes on to the next item
of the same kind while there is one on the tile (our choice). Onto a belt one item a tick is dropped, while each fits.

Between the ticks in which an inserter arrives, loses its item or is told that something has changed, its arm just
turns: those ticks are worked out ahead (arm.py) and not run.
"""

from __future__ import annotations

from bisect import bisect_left
from math import floor
from typing import Any

from fle_ray.sim.arm import Arm, Path, Pose, Quiet, Step, Target, arm_of, over_tile, quiet_steps, step, target_at
from fle_ray.sim.belt import Carrier
from fle_ray.sim.belts import Part
from fle_ray.sim.burner import Burner
from fle_ray.sim.core import INSERTERS
from fle_ray.sim.energy import source_of
from fle_ray.sim.entity import Entity
from fle_ray.sim.ground import PILE_HALF, GroundItem, pile_at
from fle_ray.sim.lanes import STRAIGHT, TILE, vector
from fle_ray.sim.line import NEVER, Line
from fle_ray.sim.map import tiles_of

__all__ = ["Inserter"]

# Stages of the cycle. As built, the hand stretches out to the pickup point.
APPROACH, TO_DROP, TO_PICKUP, WAIT_PICKUP, WAIT_DROP, TO_SELF, SELF_BACK = range(7)
# What the lines at its ends tell it: of room to drop, of items for its tile, of all that comes and goes as well, or
# of what becomes of the item it chases on lane 0 or 1.
_NOTHING, _ROOM, _ITEMS, _ALL, _PATH = range(5)
_EMPTY_HANDED = frozenset({APPROACH, TO_PICKUP, WAIT_PICKUP, SELF_BACK})
_SELF = 2.56  # its own fuel slot: 0.01 tile to the right and behind, for one that faces north (FactorioGym probe)
_HAND_BONUS = "inserter-stack-size-bonus"
_BULK_BONUS = "bulk-inserter-capacity-bonus"
_UNLIMITED = 1e18
_SHORT = 1e-6  # joules by which a buffer may be short of full and still count as full


class Inserter(Entity):
    """Inserters of all kinds.

    Attributes:
        source: see energy.py; burner: the same if it burns fuel, else None.
        pose: where the arm is as of the last tick that was run.
        stage: where it is in its cycle; held, count: what is in the hand.
        chased: [lane, position on the tile, as of tick, speed] of the item it chases, None for none.
        asleep: rank among those that sleep on a machine, 0 for awake; dozing: asleep on an empty belt.
        pickup, drop: the entities at its ends, None for the ground; tile: the belt tile at its pickup.
        pickup_position, drop_position: where these ends are.
        filters: names it takes, empty for all.
    """

    __slots__ = (
        "_arm",
        "_full",
        "_full_before",
        "_full_since",
        "_hand",
        "_hoped",
        "_lanes",
        "_lines",
        "_looked",
        "_next_step",
        "_shown",
        "_starved",
        "_sure_until",
        "_status",
        "_tile_offset",
        "_told",
        "_whole",
        "_woken",
        "asleep",
        "burner",
        "chased",
        "count",
        "dozing",
        "drop",
        "drop_position",
        "filters",
        "held",
        "pickup",
        "pickup_position",
        "pose",
        "quiet",
        "quiet_count",
        "quiet_path",
        "quiet_start",
        "resting",
        "source",
        "stage",
        "targets",
        "tile",
        "watched",
    )
    phase = INSERTERS

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        record = self.prototype.inserter
        self.source = source_of(self)
        self.burner: Burner | None = self.source if isinstance(self.source, Burner) else None
        self.stage = APPROACH
        self.held: str | None = None
        self.count = 0
        self.chased: list | None = None
        self.asleep = 0
        self.dozing = False
        self.resting = False
        self.filters: tuple[str, ...] = ()
        self.pickup: Entity | None = None
        self.drop: Entity | None = None
        self.tile: Part | None = None
        self.watched: tuple[tuple[int, int], ...] = ()
        self.quiet: Quiet | None = None
        self.quiet_count = 0
        self.quiet_start = 0  # tick of its first step
        self.quiet_path: Target | Path | None = None
        self._whole = 0  # number of steps it was worked out for
        self._lines: tuple[Line, ...] = ()
        self._told = _NOTHING  # what these lines tell it
        self._next_step: Step | None = None  # the step of the running tick, when it was worked out ahead
        self._tile_offset = (0, 0)  # from it to the middle of the pickup tile, 1/256 tile
        self._lanes = (0, 1)  # the lanes of the pickup tile, the one it takes from first first
        self._woken = -1  # tick in which something put on its line woke it after the belts had moved: it acts next
        self._sure_until = -1  # last tick for which the chased item goes as worked out
        self._hoped: frozenset[str] | None = None  # see `_hoped_for`, as it last came to rest at its pickup
        self._looked = -1  # last tick in which it found nothing on its pickup tile
        self._status = "working"
        self._shown = False  # `_status` is what it shows, whatever it does
        self._starved = False
        self._full = self._full_before = False
        self._full_since = 0
        self._aim()
        self.pose = Pose(self.targets[0].turn, record.starting_distance)
        self._arm = arm_of(record, 1.0)
        self._hand = self._hand_size()
        if self.burner is None:
            self.source.set_use(self._mean_use())
        else:
            self.source.set_use(self._most_use())
            if self.prototype.energy_source.initial_fuel:
                self._light_initial_fuel()

    def _light_initial_fuel(self) -> None:
        """A burner inserter is born with something burning."""
        record = self.prototype.energy_source
        burner = self.source
        burner.burning = record.initial_fuel
        burner.remaining = self.world.data.items[record.initial_fuel].fuel_value_j * record.initial_fuel_percent

    def _most_use(self) -> float:
        """Joules a tick of stretching and turning at once."""
        record = self.prototype.inserter
        return (
            record.extension_speed * record.energy_per_movement_j
            + record.rotation_speed * record.energy_per_rotation_j
        )

    def _mean_use(self) -> float:
        """Joules a tick of the way from pickup to drop, which an electric inserter is taken to use while it moves."""
        arm = arm_of(self.prototype.inserter, 1.0)
        quiet = quiet_steps(arm, Pose(*self.targets[0]), self.targets[1], 4096)
        _, stretch_j, turn_j, _ = step(arm, quiet.poses[-1], self.targets[1], _UNLIMITED)
        return (quiet.spent[-1] + stretch_j + turn_j) / (quiet.count + 1)

    def _aim(self) -> None:
        """The poses over pickup, drop and its own fuel slot."""
        record = self.prototype.inserter
        direction = self.direction

        def turned(x: float, y: float) -> Target:
            match direction:
                case 4:
                    return target_at(-y, x)
                case 8:
                    return target_at(-x, -y)
                case 12:
                    return target_at(y, -x)
            return target_at(x, y)

        x, y = record.pickup_position
        dx, dy = record.insert_position
        # The way to its own slot is the one of a north-facing inserter turned (east) or mirrored (south, west).
        own = {4: (-_SELF, _SELF), 8: (_SELF, -_SELF), 12: (_SELF, _SELF)}.get(direction, (_SELF, _SELF))
        self.targets = turned(x * TILE, y * TILE), turned(dx * TILE, dy * TILE), target_at(*own)
        self.pickup_position = self.offset(x, y)
        self.drop_position = self.offset(dx, dy)

    def _hand_size(self) -> int:
        record = self.prototype.inserter
        bonus = self.world.force.bonuses.get(_BULK_BONUS if record.bulk else _HAND_BONUS, 0)
        return 1 + record.stack_size_bonus + int(bonus)

    # -- life -----------------------------------------------------------------------------------------

    def connect(self) -> None:
        self._watch()
        self._find()
        self.source.connect()

    def built(self) -> None:
        self.order = self.world.next_order()
        self._full = self._full_before = self._target_full()
        self.world.calendar.wake(self)

    def gone(self) -> None:
        self._forget()
        self._unregister()
        for tile in self.watched:
            self.world.map.unwatch(tile, self)
        self.watched = ()
        self.source.gone()

    def rotate(self, direction: int) -> None:
        self._catch_up()
        self._unregister()
        for tile in self.watched:
            self.world.map.unwatch(tile, self)
        super().rotate(direction)
        self._aim()
        self._watch()
        self.resting = False
        self.chased = None
        self.retarget()

    def _watch(self) -> None:
        x, y = self.pickup_position
        dx, dy = self.drop_position
        reach = 3 * PILE_HALF
        tiles = {(floor(x), floor(y)): None}
        for tile in tiles_of((dx - reach, dy - reach, dx + reach, dy + reach)):
            tiles[tile] = None
        self.watched = tuple(tiles)
        for tile in self.watched:
            self.world.map.watch(tile, self)

    def _find(self) -> None:
        """See what stands at the two ends, and be told of changes there."""
        world = self.world
        self.pickup = world.entity_at(self.pickup_position, besides=self)
        self.drop = world.entity_at(self.drop_position, besides=self)
        self.tile = world.belts.at(self.pickup_position) if isinstance(self.pickup, Carrier) else None
        self._order_lanes()
        for place in (self.pickup, self.drop):
            if place is None or self in place.watchers:
                continue
            rank = self.asleep
            at = 0
            while at < len(place.watchers) and getattr(place.watchers[at], "asleep", 0) > rank:
                at += 1
            place.watchers.insert(at, self)

    def _forget(self) -> None:
        for place in (self.pickup, self.drop):
            if place is not None and self in place.watchers:
                place.watchers.remove(self)

    def retarget(self) -> None:
        before = self.pickup, self.drop
        self._forget()
        self._find()
        changed = before != (self.pickup, self.drop)
        if changed:
            self._catch_up()
            self._unregister()
            self.chased = None
            self.dozing = False
            self._note_full(self._target_full())
        if self.asleep:
            if changed:
                self._wake()
        else:
            self.world.calendar.stir(self)

    def informed(self) -> None:
        self._hand = self._hand_size()
        self.source_changed(self)

    def configure(self, **options: Any) -> None:
        """Set `filter`: an item, several, or None for all. Raises UnknownName and Unsupported."""
        if "filter" in options:
            names = options.pop("filter")
            names = () if names is None else (names,) if isinstance(names, str) else tuple(names)
            self.filters = tuple(self.world.data.item(name).name for name in names)
            if self.number in self.world.entities:
                self.source_changed(self)
        super().configure(**options)

    set = configure

    # -- being told -----------------------------------------------------------------------------------

    def source_changed(self, entity: Entity) -> None:
        """The contents of something at either end changed (or its own settings, with itself)."""
        if entity is self.drop:
            full = entity.full_for_inserters()
            if full != self._full:
                self._note_full(full)
        if self.asleep:
            if self._would_sleep_on():
                self._status = self._waiting_status(self._full)
            else:
                self._wake()
            return
        stage = self.stage
        if stage == TO_DROP or stage == TO_SELF or self.chased is not None:
            return  # it does not look
        if self.tile is not None and stage != WAIT_DROP:
            one, two = self.tile.lines
            if self.dozing:
                if one.count or two.count:
                    self.world.calendar.stir(self)
            elif stage != WAIT_PICKUP or self._hoped_for() != self._hoped:
                self.world.calendar.stir(self)
        elif stage == WAIT_PICKUP or stage == WAIT_DROP:
            self.world.calendar.stir(self)

    def _note_full(self, full: bool) -> None:
        """The target's being full shows from its next turn on."""
        if full != self._full:
            calendar = self.world.calendar
            done = calendar.done(self)
            self._full_before = self._shows_full(done)
            self._full = full
            its_turn = calendar.phase == INSERTERS and calendar.order == self.order
            self._full_since = done if its_turn else done + 1

    def _shows_full(self, tick: int) -> bool:
        return self._full if tick >= self._full_since else self._full_before

    def _target_full(self) -> bool:
        return self.drop is not None and not isinstance(self.drop, Carrier) and self.drop.full_for_inserters()

    def _would_sleep_on(self) -> bool:
        """Whether, woken, it would only fall asleep again, with nobody else asleep on the same machines.

        Its turn is then left out: nothing but its rank among those others could come of it.
        """
        if self.stage != WAIT_PICKUP or self.tile is not None or self.pickup is None:
            return False
        for place in (self.pickup, self.drop):
            if place is not None:
                for other in place.watchers:
                    if other is not self and getattr(other, "asleep", 0):
                        return False
        return self.pickup.offer(self.wanted) is None

    def _wake(self) -> None:
        """Back to the end of the update list."""
        self.asleep = 0
        self.order = self.world.next_order()
        self._status = self._waiting_status(self._target_full())
        self._shown = True
        self.world.calendar.wake(self)

    def _sleep(self) -> None:
        """Leave the update list until a machine's contents change."""
        self._status = self._waiting_status(self._target_full())
        self._shown = True
        self.asleep = self.world.next_order()
        for place in (self.pickup, self.drop):
            if place is not None and place.watchers[0] is not self:
                place.watchers.remove(self)
                place.watchers.insert(0, self)  # the one that fell asleep last is told first: it runs last

    # a line tells about what it holds

    def appear(self) -> None:
        """Something was put on the pickup tile."""
        if not self.asleep or self._stuck():
            self.world.calendar.stir(self)

    def expect(self, item: str | None, tick: int) -> None:
        """An item (None: one it wants) may come onto the pickup tile at a tick."""
        if (item is None or self.wanted(item)) and (not self.asleep or self._stuck()):
            self.world.calendar.stir(self, tick)

    def line_filled(self, line: Line, position: int) -> None:
        """Something was put on a line it waits at: that wakes it, unless it is on the pickup tile (see `appear`)."""
        if self.dozing:
            low, high = self.tile.span(self.tile.lines.index(line))
            if not low <= position < high:
                self.dozing = False
                calendar = self.world.calendar
                if calendar.phase >= INSERTERS:
                    self._woken = calendar.tick
                calendar.wake(self)

    def line_emptied(self, line: Line) -> None:
        """The last item of a kind left a line it waits at."""
        if not self.asleep and not self.dozing and not self._hopes():
            self.world.calendar.stir(self)

    def _stuck(self) -> bool:
        """Whether, asleep, only something new on its belt can help: its target rests and would take it."""
        return not (self.drop is not None and self.drop.due) and self._hopes()

    def _hoped_for(self) -> frozenset[str]:
        """What it would take of the things on the lines of its pickup tile."""
        one, two = self.tile.lines
        wanted = self.wanted
        return frozenset([item for item in (*one.counts, *two.counts) if wanted(item)])

    def _hopes(self) -> bool:
        """Whether anything it would take is on the lines of its pickup tile."""
        return any(self.wanted(item) for line in self.tile.lines for item in line.counts)

    def path_disturbed(self, line: Line, position: int) -> None:
        """Something was put on the line of the chased item."""
        if self.tile.offsets[self.chased[0]] + self.chased[1] >= position:
            self._replan()

    def path_freed(self, line: Line, position: int, standing: bool) -> None:
        """Something left the line of the chased item."""
        lane, at, since, speed = self.chased
        now = self.tile.offsets[lane] + at - speed * (self.world.belts.clock() - since)
        if now == position:
            self._sure_until = -1
            self.world.calendar.stir(self)
        elif standing and now > position:
            self._replan()

    def room_changed(self, line: Line) -> None:
        """There may be room on the belt it drops on."""
        if self.stage != WAIT_DROP:
            return
        calendar = self.world.calendar
        when = line.room_at(line.waiting[self], calendar.turn(self))
        if when:
            calendar.stir(self, when)

    def belt_leaving(self, tick: int) -> None:
        """The belts of its ends are about to change."""
        self._catch_up()
        self._sure_until = -1
        if self.chased is not None and self.tile is not None:
            lane, at, since, speed = self.chased
            now = at - speed * (tick - since)
            items = self.tile.items(lane, tick)
            places = [i for i, (_, position) in enumerate(items) if position == now]
            self.chased = [lane, -1 - places[0], tick, 0] if places else None

    def belt_changed(self) -> None:
        """They have changed."""
        self._lines = ()
        self._told = _NOTHING
        if self.removed:
            return
        self._order_lanes()
        if self.chased is not None and self.chased[1] < 0:
            lane, place, since, _ = self.chased
            items = self.tile.items(lane, since) if self.tile is not None and self.tile.lines else []
            self.chased = [lane, items[-1 - place][1], since, 0] if len(items) > -1 - place else None
        self._register()
        if not self.asleep:
            self.world.calendar.stir(self)

    def rejoin_belts(self) -> None:
        """After a restore, when the lines are there again: be told by them as before."""
        if isinstance(self.pickup, Carrier):
            self.tile = self.world.belts.at(self.pickup_position)
        self._order_lanes()
        self._register()

    # -- acting ---------------------------------------------------------------------------------------

    def update(self, tick: int) -> None:
        if self._woken == tick:
            self.world.calendar.schedule(self, tick + 1)
            return
        quiet = self.quiet
        if quiet is not None:
            count = self.quiet_count
            if count == tick - self.quiet_start:
                if count == quiet.count:
                    self._next_step = quiet.last
                self._take_steps(quiet, count)
            else:
                self._advance(tick - 1)
        self._act(tick)
        if not self.dozing and not self.asleep:
            self._shown = False
        self._next_step = None
        if self.quiet is None:  # else it has set out already
            self._plan(tick)

    def _act(self, tick: int) -> None:
        """One tick of the cycle."""
        if self.burner is None:
            source = self.source
            if not source.on():
                source.rest()
                return
            arm = arm_of(self.prototype.inserter, source.work())
            if arm != self._arm:
                self._arm = arm
                self._next_step = None
        stage = self.stage
        if self.tile is not None and stage in _EMPTY_HANDED:
            self._chase(tick)
            return
        if stage == TO_DROP or stage == TO_SELF:
            if self._for_itself(self.held):
                self.stage = TO_SELF
                target = self.targets[2]
            else:
                self.stage = TO_DROP
                target = self.targets[1]
            acted = not self._step(target) or self._arrive(tick)
        elif stage == WAIT_PICKUP:
            acted = self._pick()
        elif stage == WAIT_DROP:
            acted = self._put(tick)
        else:
            acted = not self._step(self.targets[0]) or self._arrive(tick)
        if acted:
            self._refill()
        else:
            self._wait()

    def _step(self, target: Target) -> bool:
        """Move the arm for a tick; returns whether it has arrived."""
        burner = self.burner
        ahead = self._next_step
        if burner is None:
            self.source.start()
        if ahead is not None and ahead[0] == target:
            _, self.pose, stretch_j, turn_j = ahead
            arrived = True
        else:
            budget = _UNLIMITED if burner is None else burner.energy
            self.pose, stretch_j, turn_j, arrived = step(self._arm, self.pose, target, budget)
        if burner is not None:
            left = burner.energy - stretch_j - turn_j
            burner.energy = left if left > 0 else 0.0
            burner.used += stretch_j + turn_j
        self.resting = arrived
        return arrived

    def _refill(self) -> None:
        burner = self.burner
        if burner is not None:
            if burner.energy < burner.capacity or burner.remaining <= 0:
                burner.refill()
            self._starved = burner.energy <= 0

    def _arrive(self, tick: int) -> bool:
        """At the end of a way: act. False when it now waits."""
        if self.stage == TO_DROP:
            if self._put(tick):
                return True
            self.stage = WAIT_DROP
            return False
        if self.stage == TO_SELF:
            moved = self.source.insert(self.held, self.count)
            if not moved:
                self.stage = TO_DROP
                return True
            self._let_go(moved)
            self.stage = SELF_BACK if self.held is None else TO_DROP
            self.changed()
            return True
        if self._pick():
            return True
        self.stage = WAIT_PICKUP
        return False

    def _let_go(self, count: int) -> None:
        self.count -= count
        if not self.count:
            self.held = None

    # -- what it takes ----------------------------------------------------------------------------------

    def _for_itself(self, item: str | None) -> bool:
        burner = self.burner
        return burner is not None and not burner.fuel.totals and item in burner.fuels

    def wanted(self, item: str) -> bool:
        """Whether it would take an item now."""
        if self.filters and item not in self.filters:
            return False
        if self.held is not None and item != self.held:
            return False
        burner = self.burner
        if burner is not None and not burner.fuel.totals and item in burner.fuels:
            return True
        return self.drop is None or self.drop.wants(item)

    def _pick(self) -> bool:
        """The hand is at the pickup: take what is wanted."""
        place = self.pickup
        if place is None:
            pile = self._pile()
            if pile is None:
                return False
            item, count = pile.item, 1
            self.world.remove(pile)
        else:
            found = place.offer(self.wanted)
            if found is None:
                return False
            item = found
            count = place.pick(item, min(self._hand, self.world.stacks[item]))
            if not count:
                return False
        self._hold(item, count)
        return True

    def _hold(self, item: str, count: int) -> None:
        self.held = item
        self.count += count
        self.stage = TO_SELF if self._for_itself(item) else TO_DROP

    def _pile(self) -> GroundItem | None:
        """The item on the ground it takes: the furthest along its facing, then the northmost, then the westmost."""
        x, y = self.pickup_position
        ux, uy = vector(self.direction)
        best = None
        for pile in self.world.piles_on((floor(x), floor(y))):
            if self.wanted(pile.item):
                key = (-(pile.x * ux + pile.y * uy), pile.y, pile.x)
                if best is None or key < best[0]:
                    best = key, pile
        return best[1] if best is not None else None

    def _put(self, tick: int) -> bool:
        """The hand is at the drop: put down what fits; False when nothing does."""
        place = self.drop
        point = self.drop_position
        if place is None:
            if pile_at(self.world, *point) is not None:
                return False
            self.world.drop_on_ground(self.held, point)
            self._let_go(1)
        elif isinstance(place, Carrier):
            if not place.drop_on_lane(self.held, point):
                return False
            self._let_go(1)
        else:
            moved = place.insert(self.held, self.count, "inserter")
            if not moved:
                return False
            self._let_go(moved)
        self.stage = TO_PICKUP if self.held is None else WAIT_DROP
        return True

    # -- waiting ----------------------------------------------------------------------------------------

    def _waiting_status(self, full: bool) -> str:
        if self.stage == WAIT_DROP or full:
            return "waiting_for_space_in_destination"
        return "waiting_for_source_items"

    def _wait(self) -> None:
        """It cannot act: asleep on a machine; awake at a belt, the ground or another inserter."""
        if self.burner is None:
            self.source.rest()
        on = self.pickup
        if self.stage == WAIT_DROP or not (on is None or isinstance(on, Carrier) or not on.holds_anything()):
            on = self.drop
        if on is None or isinstance(on, Inserter):
            self._refill()
        elif not isinstance(on, Carrier):
            self._sleep()

    # -- belts -------------------------------------------------------------------------------------------

    def _order_lanes(self) -> None:
        """Work out where the pickup tile lies, and which of its lanes it takes from first."""
        part = self.tile
        self._lanes = (0, 1)
        if part is not None:
            x, y = part.tile
            half = TILE // 2
            self._tile_offset = x * TILE + half - round(self.x * TILE), y * TILE + half - round(self.y * TILE)
            ux, uy = vector(self.direction)
            bx, by = vector(part.direction)
            if part.shape == STRAIGHT and by * ux - bx * uy > 0:  # lane 0, left of travel, is the farther one
                self._lanes = (1, 0)

    def _choose(self, tick: int) -> tuple[int, int] | None:
        """(lane, position on the tile) of the item to chase, None when there is none."""
        part = self.tile
        for lane in self._lanes:
            line = part.lines[lane]
            if line.count:
                low, high = part.spans[lane]
                position = line.last_in(low, high, tick, self.wanted)
                if position >= 0:
                    return lane, position - low
        return None

    def _chased_at(self, tick: int) -> tuple[int, int] | None:
        """(lane, position on the tile) of the chased item after the belts have moved in `tick`; None when it left."""
        lane, at, since, speed = self.chased
        part = self.tile
        if tick <= self._sure_until:
            position = at - speed * (tick - since)
            return (lane, position) if position >= 0 else None
        line = part.lines[lane]
        low, high = part.spans[lane]
        if since >= tick:
            first = last = low + at
        else:
            last = low + at - speed * (tick - 1 - since)
            first = last - line.speed
        found = line.items_in(max(first, low), min(last + 1, high), tick)
        return (lane, found[-1][1] - low) if found else None

    def _path(self, lane: int, position: int, speed: int) -> Path:
        part = self.tile
        return Path(part.shape, part.direction, lane, *self._tile_offset, position, speed)

    def _chase(self, tick: int) -> None:
        """One tick with an empty hand (or one not yet full) and a belt at the pickup."""
        ahead = self._next_step
        if ahead is not None and tick <= self._sure_until and self.chased is not None:
            lane, at, since, speed = self.chased
            at -= speed * (tick - since)
            if at >= 0:  # it reaches the item where it was to be
                self._step(ahead[0])
                self._take_from_belt(lane, at, tick)
                self._refill()
                return
        pick = None
        if self.asleep:
            # It slept because its line held nothing its target would take; what has come now wakes it. (Not measured:
            # factory-sim lets it sleep until the target changes, and a furnace out of fuel would wait for ever.)
            pick = self._choose(tick)
            if pick is None:
                return
            self.asleep = 0
        elif self.dozing:
            pick = self._choose(tick)
            if pick is None:
                return
            self.dozing = False
        elif self.chased is not None:
            pick = self._chased_at(tick)
            if pick is None and over_tile(self.pose, vector(self.direction), self._reach()):
                self.chased = None
                self._refill()
                return
        new = pick is None or self.chased is None
        if pick is None:
            pick = self._choose(tick)
        if pick is None:
            self.chased = None
            self._looked = tick
            if self.held is not None:  # no more of what it collects
                self.stage = TO_SELF if self._for_itself(self.held) else TO_DROP
                self._act(tick)
                return
            target = self.targets[0]
        else:
            self.chased = [pick[0], pick[1], tick, 0]
            if new and self._set_out(tick):
                return
            target = self._path(pick[0], pick[1], 0).target(0)
        arrived = True
        if pick is not None or not self.resting or self.stage != WAIT_PICKUP:
            arrived = self._step(target)
        if arrived and pick is not None:
            self._take_from_belt(*pick, tick)
        elif arrived:
            self.stage = WAIT_PICKUP
            if self.burner is None:
                self.source.rest()
            one, two = self.tile.lines
            if not one.count and not two.count:
                self.dozing = True
                self._status = self._waiting_status(self._shows_full(tick))
                self._shown = True
                return
            self._hoped = self._hoped_for()
            if not self._hoped and self.drop is not None and not isinstance(self.drop, Carrier):
                self._sleep()
                return
        elif self.stage == WAIT_PICKUP:
            self.stage = TO_PICKUP
        self._refill()

    def _reach(self) -> int:
        """Tiles to the pickup tile."""
        x, y = self.prototype.inserter.pickup_position
        return round(abs(x) + abs(y))

    def _take_from_belt(self, lane: int, position: int, tick: int) -> None:
        self._unregister()
        line = self.tile.lines[lane]
        self.chased = None
        self._hold(line.take(self.tile.span(lane)[0] + position, tick), 1)
        more = self._hand > 1 and self.count < min(self._hand, self.world.stacks[self.held])
        if more and self._choose(tick) is not None:
            self.stage = TO_PICKUP

    # -- ticks that are not run -----------------------------------------------------------------------------

    def _advance(self, tick: int) -> None:
        """Take the steps worked out ahead up to and including `tick`."""
        quiet = self.quiet
        if quiet is None:
            return
        self._take_steps(quiet, min(max(tick + 1 - self.quiet_start, 0), self.quiet_count))

    def _take_steps(self, quiet: Quiet, count: int) -> None:
        """Take the first steps of those worked out ahead, and forget the others."""
        self.quiet = None
        if count:
            self.pose = quiet.poses[count]
            self.resting = False
            burner = self.burner
            if burner is not None:
                burner.remaining = quiet.after(burner.remaining, count, burner.capacity)
                burner.used += quiet.spent[count]

    def _catch_up(self) -> None:
        self._advance(self.world.calendar.done(self))

    def _replan(self) -> None:
        """The chased item will go another way than was worked out."""
        done = self.world.calendar.done(self)
        self._advance(done)
        lane, at, since, speed = self.chased
        clock = self.world.belts.clock()
        if clock > since:
            now = self._chased_at_clock(clock)
            if now is None:
                self.world.calendar.stir(self)
                return
            self.chased = [lane, now, clock, 0]
        self._plan(done)

    def _chased_at_clock(self, clock: int) -> int | None:
        """Position of the chased item now, where it was to be as worked out before."""
        lane, at, since, speed = self.chased
        low = self.tile.span(lane)[0]
        now = at - speed * (clock - since)
        return now if self.tile.lines[lane].item_at(low + now, clock) is not None else None

    def _plan(self, tick: int) -> None:
        """After the turn in `tick`: work out the steps in which nothing else happens, and be due after them."""
        calendar = self.world.calendar
        stage = self.stage
        self._register()
        if self.asleep or self.dozing:
            calendar.cancel(self)
            return
        chased = self.chased
        if chased is None and (stage == WAIT_PICKUP or stage == WAIT_DROP):
            self._plan_wait(tick)
            return
        burner = self.burner
        if burner is None:
            share = self.source.rate()
            if share <= 0:
                calendar.cancel(self)
                return
            self._arm = arm_of(self.prototype.inserter, share)
        most = NEVER
        path: Target | Path
        looking = False
        if chased is not None:
            path, most = self._ahead(tick)
        elif stage == TO_DROP or stage == TO_SELF:
            path = self.targets[2 if self._for_itself(self.held) else 1]
        else:
            path = self.targets[0]
            looking = self.tile is not None
        if burner is not None and burner.energy < burner.capacity - _SHORT:
            if not burner.empty():
                calendar.schedule(self, tick + 1)
            elif chased is not None and most < NEVER:  # it cannot move until it gets fuel; what it chases goes by
                calendar.schedule(self, tick + 1 + most)
            else:
                calendar.cancel(self)
            if looking:
                self._look_out(tick)
            return
        arrival = 0
        if looking:
            arrival = self._outlook(tick)
            if self._looked < tick and 0 < arrival <= tick + 1:
                calendar.schedule(self, tick + 1)
                return
        elif most <= 0:
            calendar.schedule(self, tick + 1)
            return
        if burner is None:
            self.source.start()  # it has waited until now
        self._go(tick, path, most, self._way(path))
        if arrival:
            calendar.stir(self, arrival)

    def _way(self, path: Target | Path) -> Quiet:
        """The steps of a way from here."""
        whole = path.position // path.speed + 1 if isinstance(path, Path) and path.speed else NEVER
        self._whole = whole
        return quiet_steps(self._arm, self.pose, path, whole)

    def _go(self, tick: int, path: Target | Path, most: int, quiet: Quiet) -> None:
        """Be on a way from tick + 1 on, for at most so many ticks, and due after them."""
        count = quiet.count if quiet.count < most else most
        burner = self.burner
        if burner is not None and count and quiet.spent[count] >= burner.remaining - _SHORT:
            count = max(bisect_left(quiet.spent, burner.remaining - _SHORT) - 1, 0)
        self.quiet = quiet
        self.quiet_count = count
        self.quiet_start = tick + 1
        self.quiet_path = path
        self.world.calendar.schedule(self, tick + 1 + count)

    def _set_out(self, tick: int) -> bool:
        """Go after a newly chosen item from `tick` on; False when that tick is not like the others of the way."""
        burner = self.burner
        if burner is None:
            self.source.start()
            if self._arm != arm_of(self.prototype.inserter, self.source.rate()):
                return False
        elif burner.energy < burner.capacity - _SHORT:
            return False
        path, most = self._ahead(tick - 1)
        quiet = self._way(path)
        if not quiet.count or most <= 0 or (burner is not None and quiet.spent[1] >= burner.remaining - _SHORT):
            return False
        if self.stage == WAIT_PICKUP:
            self.stage = TO_PICKUP
        self._register()
        self._go(tick - 1, path, most, quiet)
        return True

    def _outlook(self, tick: int) -> int:
        """First tick after `tick` in which something it would take may lie on its pickup tile; 0 for none in sight."""
        clock = self.world.belts.clock()
        if self._looked < tick and self._choose(clock) is not None:
            return tick + 1
        soonest = 0
        spans = self.tile.spans
        for lane, line in enumerate(self.tile.lines):
            if line.count:
                when = line.next_arrival(spans[lane][1], clock, self.wanted)
                if when and (not soonest or when < soonest):
                    soonest = when
        return soonest

    def _ahead(self, tick: int) -> tuple[Path, int]:
        """How the chased item goes on from tick + 1, and for how many ticks that surely holds."""
        lane, at, since, _ = self.chased
        line = self.tile.lines[lane]
        low = self.tile.span(lane)[0]
        moving, until = line.path_at(low + at, since)
        self._sure_until = until
        speed = line.speed if moving else 0
        self.chased[3] = speed
        if moving:
            until = min(until, since + at // speed)
        return self._path(lane, at - speed * (tick + 1 - since), speed), min(until - tick, NEVER)

    def _plan_wait(self, tick: int) -> None:
        calendar = self.world.calendar
        calendar.cancel(self)
        if self.stage == WAIT_DROP and isinstance(self.drop, Carrier):
            line, point, _ = self.drop.aim(self.drop_position)
            when = line.room_at(point, calendar.turn(self))
            if when:
                calendar.schedule(self, when)
        elif self.stage == WAIT_DROP and self.drop is None:
            if pile_at(self.world, *self.drop_position) is None:
                calendar.schedule(self, tick + 1)
        elif self.tile is not None and self.stage == WAIT_PICKUP:
            self._look_out(tick)

    def _look_out(self, tick: int) -> None:
        """With an empty hand and nothing to chase: be due when something may come onto the pickup tile."""
        when = self._outlook(tick)
        if when:
            self.world.calendar.stir(self, when)

    # -- who tells it ------------------------------------------------------------------------------------------

    def _register(self) -> None:
        """Be told by the lines of what matters in the present stage, and by no others."""
        stage = self.stage
        told = _NOTHING
        if stage == TO_DROP or stage == TO_SELF:
            if not self._told:
                return
        elif stage == WAIT_DROP:
            if isinstance(self.drop, Carrier) and self.drop.parts[0].lines:
                told = _ROOM
        else:
            part = self.tile
            if part is not None and part.lines:
                chased = self.chased
                told = _PATH + chased[0] if chased is not None else _ALL if stage == WAIT_PICKUP else _ITEMS
        if told == self._told:
            return
        if self._told:
            self._unregister()
        self._told = told
        if told == _ROOM:
            line, point, _ = self.drop.aim(self.drop_position)
            line.waiting[self] = point
            self._lines = (line,)
        elif told >= _PATH:
            line = self.tile.lines[told - _PATH]
            line.chasers[self] = None
            self._lines = (line,)
        elif told:
            part = self.tile
            self._lines = one, two = part.lines
            one.lookers[self], two.lookers[self] = part.spans
            if told == _ALL:
                one.idlers[self] = two.idlers[self] = None

    def _unregister(self) -> None:
        told = self._told
        for line in self._lines:
            if told >= _PATH:
                line.chasers.pop(self, None)
            elif told == _ROOM:
                line.waiting.pop(self, None)
            else:
                line.lookers.pop(self, None)
                if told == _ALL:
                    line.idlers.pop(self, None)
        self._lines = ()
        self._told = _NOTHING

    # -- transfers ---------------------------------------------------------------------------------------------

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        """Fuel."""
        if self.source.kind != "burner" or not self.source.is_fuel(item):
            return 0
        moved = self.source.insert(item, count)
        if moved:
            self._starved = False
            if not self.asleep:
                if self.held is not None or (self.burner.energy < self.burner.capacity - _SHORT and not self.dozing):
                    self.world.calendar.stir(self)
                else:
                    self.source_changed(self)  # with fuel in its slot it wants less
            self.changed()
        return moved

    put = insert

    def wants(self, item: str) -> bool:
        return self.source.kind == "burner" and self.source.wants(item)

    def extract(self, item: str, count: int) -> int:
        moved = 0
        if self.source.kind == "burner":
            moved = self.source.fuel.remove(item, count)
            if moved:
                self.changed()
                if not self.asleep:
                    if self.held is not None:
                        self.world.calendar.stir(self)
                    else:
                        self.source_changed(self)
        if moved < count and self.held == item:
            part = min(count - moved, self.count)
            self._catch_up()
            self._let_go(part)
            moved += part
            if self.held is None:
                self._unregister()
                self.stage = TO_PICKUP
                if self.asleep:
                    self._wake()
                else:
                    self.world.calendar.stir(self)
        return moved

    take = extract

    def clear(self) -> dict[str, int]:
        held = dict(self.source.fuel.clear()) if self.source.kind == "burner" else {}
        if self.held is not None:
            held[self.held] = held.get(self.held, 0) + self.count
            self.held = None
            self.count = 0
        return held

    # -- what it shows -----------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        source = self.source
        if source.kind == "electric" and not source.on():
            return source.starved_status()
        if self._shown:
            return self._status
        full = self._shows_full(self.world.calendar.tick)
        if self.stage in (WAIT_PICKUP, WAIT_DROP) and self.chased is None:
            return self._waiting_status(full)
        if self._starved:
            return "no_fuel"
        if full:
            return "waiting_for_space_in_destination"
        return source.working_status()

    def _taken(self) -> int:
        """How many of the steps worked out ahead have been taken."""
        if self.quiet is None:
            return 0
        return min(max(self.world.calendar.done(self) + 1 - self.quiet_start, 0), self.quiet_count)

    def settle(self, tick: int) -> None:
        if self.source.kind == "electric" and self.quiet is not None:
            self._advance(tick)
            self._plan(tick)

    def pacing(self, tick: int) -> None:
        """The steps worked out ahead know their speed."""

    def paced(self, tick: int) -> None:
        calendar = self.world.calendar
        if self.quiet is None or self.chased is not None or self.due <= tick + 1:
            calendar.wake(self)  # it acts at once, and plans then
            return
        self._advance(tick)
        self._plan(tick)

    @property
    def energy(self) -> float:
        return self.source.energy

    @property
    def energy_used(self) -> float:
        if self.source.kind != "burner":
            return self.source.used
        return self.source.used + (self.quiet.spent[self._taken()] if self.quiet is not None else 0.0)

    @property
    def energy_remaining(self) -> float:
        """Joules left in the fuel item that burns."""
        if self.source.kind != "burner":
            return 0.0
        remaining = self.source.remaining
        return remaining if self.quiet is None else self.quiet.after(remaining, self._taken(), self.source.capacity)

    def contents(self) -> dict[str, dict[str, float]]:
        found = dict(self.source.contents())
        if self.held is not None:
            found["hand"] = {self.held: self.count}
        return found

    # -- state ---------------------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        path = self.quiet_path
        quiet = None
        if self.quiet is not None:
            quiet = [list(path), self.quiet_count, self.quiet_start, list(self._arm), self._whole]
        lag = self._full_since > self.world.calendar.tick
        return {
            "pose": list(self.pose),
            "stage": self.stage,
            "held": self.held,
            "count": self.count,
            "chased": self.chased,
            "asleep": self.asleep,
            "dozing": self.dozing,
            "resting": self.resting,
            "filters": list(self.filters),
            "quiet": quiet,
            "shown": [self._status if self._shown else "", self._shown, self._starved],
            "full": [self._full, self._full_before, self._full_since] if lag else [self._full, self._full, 0],
            "source": self.source.save(),
        }

    def load(self, state: dict[str, Any]) -> None:
        self.pose = Pose(*state["pose"])
        self.stage = state["stage"]
        self.held = state["held"]
        self.count = state["count"]
        self.chased = state["chased"]
        self.asleep = state["asleep"]
        self.dozing = state["dozing"]
        self.resting = state["resting"]
        self.filters = tuple(state["filters"])
        self._status, self._shown, self._starved = state["shown"]
        self._full, self._full_before, self._full_since = state["full"]
        self.source.load(state["source"])
        if state["quiet"] is not None:
            path, self.quiet_count, self.quiet_start, arm, self._whole = state["quiet"]
            self.quiet_path = Target(*path) if len(path) == 2 else Path(*path)
            self._arm = Arm(*arm)
            self.quiet = quiet_steps(self._arm, self.pose, self.quiet_path, self._whole)

    @property
    def arm(self) -> Pose:
        """Where the arm is now."""
        return self.pose if self.quiet is None else self.quiet.poses[self._taken()]

