"""Belt lines: what one lane of consecutive belts holds, kept as blocks of touching items.

The rules (measured tick by tick on 2.0.60 by the FactorioGym probes): each tick the front item moves its step, at
most to what stops it, and so on back; items keep 64/256 tile apart, never move backwards, and one that has been put
closer than that in front of another is left alone until it is 64 away. So the position of item i after n ticks is
min(p, max(p - n * speed, position of item i - 1 + 64)), whatever n is, and nothing has to be done per tick.

A line's coordinates run from its front, the downstream edge of its last tile (0), upstream. Blocks are runs of items
exactly 64 apart. A moving block keeps `position + speed * tick`, which is constant; a standing one its position. A
block stands because it is at the end of the line, because it has run into a standing one, or because something was
put closer than 64 in front of it; each of these ends at a tick that follows from what the blocks hold, so `settle`
puts blocks together when someone looks.

What leaves a line at its front goes through its outlet. Items are only ever touched when they are put on, taken
off or leave; a line that is full or empty and still costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from fle_ray.sim.core import BELTS, Calendar
from fle_ray.sim.lanes import CLEARANCE

__all__ = ["Block", "Drain", "Join", "Line", "Outlet", "Side"]

NEVER = 1 << 60


class Block:
    """A run of items 64 apart, front first.

    Attributes:
        at: position of the first item; of a moving block plus speed times tick.
    """

    __slots__ = ("at", "items", "moving")

    def __init__(self, at: int, items: list[str], moving: bool) -> None:
        self.at = at
        self.items = items
        self.moving = moving


class Outlet(Protocol):
    """Where the front of a line leads. `actor`: the calendar's actor that calls `Line.deliver`."""

    actor: Any

    def hand_over(self, line: Line, item: str, old: int, tick: int) -> bool:
        """Take an item that was at `old` (less than one step from the front) the tick before; False for no room."""

    def room(self, line: Line, tick: int) -> int:
        """First tick, not before `tick`, in which there may be room; 0 for not before something changes."""

    def watch(self, line: Line, watch: bool) -> None:
        """Have `line.room_changed` called (or no longer) when something changes."""

    def enter(self, line: Line) -> None:
        """The line leads here from now on."""

    def leave(self, line: Line) -> None:
        """The line no longer leads here."""


class Line:
    """One lane of consecutive belts of one speed, and the turns of the lines that lead into it.

    Attributes:
        key: what orders lines: (number of the owner of the front tile, its half, lane).
        speed: 1/256 tile a tick; length: 1/256 tile.
        blocks: front first; standing: how many of them stand.
        count: items on it; counts: item -> how many.
        outlet: where the front leads, None for nowhere.
        feeders: lines that lead into this one, in the order they take their turn when all of them stood still.
        circle: lines that lead into each other in a circle, this one among them; empty for none.
        try_at: tick in which the front item may leave, 0 for none planned.
        moved_at: last tick in which something moved, as far as nothing moves now; touched_at: last tick in which
            something was put on or taken off; stamp: rank among lines by when they last came to life.
        waiting: who waits for room on it -> its point; lookers: who waits for an item to come by -> (low, high)
            of its tile; chasers: who follows an item; idlers: who cares which items there are at all.
    """

    __slots__ = (
        "_next",
        "belts",
        "blocks",
        "calendar",
        "chasers",
        "circle",
        "count",
        "counts",
        "due",
        "feeders",
        "idlers",
        "key",
        "length",
        "lookers",
        "moved_at",
        "order",
        "outlet",
        "pieces",
        "speed",
        "stamp",
        "standing",
        "touched_at",
        "try_at",
        "waiting",
    )
    phase = BELTS

    def __init__(self, belts: Any, key: tuple[int, int, int], speed: int) -> None:
        self.belts = belts
        self.calendar: Calendar = belts.calendar
        self.key = key
        self.speed = speed
        self.length = 0
        self.pieces: list[tuple[Any, int]] = []
        self.blocks: list[Block] = []
        self.standing = 0
        self.count = 0
        self.counts: dict[str, int] = {}
        self.outlet: Outlet | None = None
        self.feeders: list[Line] = []
        self.circle: tuple[Line, ...] = ()
        self.try_at = 0
        self.order = 0
        self.due = 0
        self.moved_at = -1
        self.touched_at = -1
        self.stamp = 0
        self.waiting: dict[Any, int] = {}
        self.lookers: dict[Any, tuple[int, int]] = {}
        self.chasers: dict[Any, None] = {}
        self.idlers: dict[Any, None] = {}
        self._next = NEVER

    def __repr__(self) -> str:
        return f"<line {self.key} of {self.length}/256 with {self.count} items>"

    # -- time -----------------------------------------------------------------------------------------

    def settle(self, tick: int) -> None:
        """Put together the blocks that have run into each other up to and including `tick`."""
        if tick < self._next:
            return
        speed = self.speed
        blocks = self.blocks
        way = speed * tick
        soonest = NEVER
        standing = self.standing
        seen = 0
        previous: Block | None = None
        k = 0
        while k < len(blocks):
            block = blocks[k]
            if block.moving:
                if previous is None:
                    if self.outlet is None:
                        arrival = -(-block.at // speed)
                        if arrival <= tick:
                            if arrival > self.moved_at:
                                self.moved_at = arrival
                            block.moving = False
                            block.at = 0
                            standing += 1
                            seen += 1
                        else:
                            soonest = arrival
                else:
                    limit = previous.at + CLEARANCE * len(previous.items)
                    if previous.moving:
                        if block.at <= limit:
                            previous.items += block.items
                            del blocks[k]
                            continue
                        if seen == standing:
                            break  # the rest moves freely
                    else:
                        arrival = -((limit - block.at) // speed)
                        if arrival <= tick:
                            if arrival > self.moved_at:
                                self.moved_at = arrival
                            previous.items += block.items
                            del blocks[k]
                            continue
                        if arrival < soonest:
                            soonest = arrival
            else:
                seen += 1
                if previous is not None:
                    limit = previous.at + CLEARANCE * len(previous.items)
                    if previous.moving:
                        if limit - way < block.at:  # what was too close in front has gone: it follows, touching
                            previous.items += block.items
                            del blocks[k]
                            standing -= 1
                            seen -= 1
                            continue
                        release = (limit - block.at) // speed + 1
                        if release < soonest:
                            soonest = release
                    elif limit <= block.at:
                        previous.items += block.items
                        del blocks[k]
                        standing -= 1
                        seen -= 1
                        continue
            previous = block
            k += 1
        self.standing = standing
        self._next = soonest

    def moved(self, tick: int) -> int:
        """The last tick, up to `tick`, in which anything on it moved."""
        self.settle(tick)
        return tick if len(self.blocks) > self.standing else self.moved_at

    def awake(self, tick: int) -> bool:
        """Whether the game had it among its active lines as `tick` began."""
        return self.count > 0 and max(self.moved(tick - 1), self.touched_at) >= tick - 1

    def latest(self, tick: int) -> int:
        """The latest stamp of it and the active lines that lead into it from outside its circle; -1 if it is still."""
        if not self.awake(tick):
            return -1
        found = self.stamp
        for feeder in self.feeders:
            if feeder not in self.circle:
                found = max(found, feeder.latest(tick))
        return found

    def _touch(self, tick: int) -> None:
        """Something is put on or taken off; the line is settled."""
        if self.touched_at < tick:
            if len(self.blocks) == self.standing and self.moved_at < tick:
                self.stamp = self.belts.next_stamp()
            self.touched_at = tick

    # -- looking ------------------------------------------------------------------------------------------

    def _find(self, position: int, tick: int) -> int:
        """Index of the last block whose first item is at or ahead of a position, -1 for none; line settled."""
        blocks = self.blocks
        low, high = 0, len(blocks)
        if high < 4:  # most lines
            ahead = position + self.speed * tick
            while high:
                high -= 1
                block = blocks[high]
                if block.at <= (ahead if block.moving else position):
                    return high
            return -1
        ahead = position + self.speed * tick
        while low < high:
            middle = (low + high) >> 1
            block = blocks[middle]
            if block.at <= (ahead if block.moving else position):
                low = middle + 1
            else:
                high = middle
        return low - 1

    def where(self, block: Block, tick: int) -> int:
        """Position of a block's first item after `tick`."""
        return block.at - self.speed * tick if block.moving else block.at

    def items(self, tick: int) -> list[tuple[str, int]]:
        """(item, position) of everything on it after `tick`, front first."""
        self.settle(tick)
        found = []
        for block in self.blocks:
            position = self.where(block, tick)
            for item in block.items:
                found.append((item, position))
                position += CLEARANCE
        return found

    def items_in(self, low: int, high: int, tick: int) -> list[tuple[str, int]]:
        """(item, position) of what lies in [low, high) after `tick`, front first."""
        self.settle(tick)
        blocks = self.blocks
        k = self._find(low, tick)
        if k < 0:
            k = 0
        found = []
        for block in blocks[k:]:
            position = self.where(block, tick)
            if position >= high:
                break
            skip = max(0, -((position - low) // CLEARANCE))
            position += CLEARANCE * skip
            for item in block.items[skip:]:
                if position >= high:
                    break
                found.append((item, position))
                position += CLEARANCE
        return found

    def last_in(self, low: int, high: int, tick: int, wanted: Callable[[str], bool]) -> int:
        """Position of the wanted item furthest upstream in [low, high), -1 for none."""
        for sought in self.counts:
            if wanted(sought):
                break
        else:
            return -1
        if tick >= self._next:
            self.settle(tick)
        blocks = self.blocks
        k = self._find(high - 1, tick)
        refused = None
        while k >= 0:
            block = blocks[k]
            first = block.at - self.speed * tick if block.moving else block.at
            items = block.items
            j = (high - 1 - first) // CLEARANCE
            if j >= len(items):
                j = len(items) - 1
            position = first + CLEARANCE * j
            while position >= low:
                item = items[j]
                if item is sought:
                    return position
                if item is not refused:
                    if wanted(item):
                        return position
                    refused = item
                if not j:
                    break
                j -= 1
                position -= CLEARANCE
            else:
                return -1
            k -= 1
        return -1

    def item_at(self, position: int, tick: int) -> str | None:
        """What lies exactly at a position after `tick`."""
        self.settle(tick)
        k = self._find(position, tick)
        if k < 0:
            return None
        block = self.blocks[k]
        j, rest = divmod(position - self.where(block, tick), CLEARANCE)
        return block.items[j] if not rest and j < len(block.items) else None

    def next_arrival(self, high: int, tick: int, wanted: Callable[[str], bool]) -> int:
        """First tick after `tick` in which the next wanted item from upstream may be past `high`; 0: none in sight."""
        if tick >= self._next:
            self.settle(tick)
        blocks = self.blocks
        if not blocks:
            return 0
        block = blocks[-1]
        way = self.speed * tick
        if (block.at - way if block.moving else block.at) + CLEARANCE * (len(block.items) - 1) < high:
            return 0
        for sought in self.counts:
            if wanted(sought):
                break
        else:
            return 0
        k = self._find(high - 1, tick)
        j = 0
        if k >= 0:
            block = blocks[k]
            j = (high - 1 - (block.at - way if block.moving else block.at)) // CLEARANCE + 1
        else:
            k = 0
        refused = None
        for i in range(k, len(blocks)):
            items = blocks[i].items
            while j < len(items):
                item = items[j]
                if item is sought:
                    return self._passes(i, j, high, tick)
                if item is not refused:
                    if wanted(item):
                        return self._passes(i, j, high, tick)
                    refused = item
                j += 1
            j = 0
        return 0

    def _passes(self, k: int, j: int, position: int, tick: int) -> int:
        """First tick after `tick` in which item j of block k may be past a position, never too late; 0 for never."""
        block = self.blocks[k]
        if block.moving:
            when = (block.at + CLEARANCE * j - position) // self.speed + 1
        else:
            first = block.at + CLEARANCE * j
            if first < position:
                return tick + 1
            if k == 0 or not any(b.moving for b in self.blocks[:k]):
                return 0
            when = tick + (first - position) // self.speed + 1  # were it to start at once
        return when if when > tick else tick + 1

    def path_at(self, position: int, tick: int) -> tuple[bool, int]:
        """How the item at a position goes on after `tick`: (moving, last tick for which that surely holds)."""
        self.settle(tick)
        k = self._find(position, tick)
        block = self.blocks[k]
        if block.moving:
            # It may at soonest be stopped where everything ahead has piled up behind the last thing that stands.
            limit = 0
            for i in range(k - 1, -1, -1):
                ahead = self.blocks[i]
                limit += CLEARANCE * len(ahead.items)
                if not ahead.moving:
                    limit += ahead.at
                    break
            until = (block.at - limit) // self.speed
            return True, until if until > tick else tick
        if k and self.blocks[k - 1].moving:
            ahead = self.blocks[k - 1]
            return False, (ahead.at + CLEARANCE * len(ahead.items) - block.at) // self.speed
        if k and any(b.moving for b in self.blocks[:k]):
            return False, tick
        return False, NEVER

    def _rest_of(self, k: int) -> int:
        """Where the first item of block k, which moves, will stand if nothing is taken off; -NEVER for not known.

        It is known behind what stands for good, and where the line leads nowhere.
        """
        if self.circle:
            return -NEVER
        blocks = self.blocks
        rest = 0
        for i in range(k - 1, -1, -1):
            ahead = blocks[i]
            rest += CLEARANCE * len(ahead.items)
            if not ahead.moving:
                return -NEVER if i and any([b.moving for b in blocks[:i]]) else ahead.at + rest
        return rest if self.outlet is None else -NEVER

    def room_at(self, point: int, tick: int) -> int:
        """First tick, not before `tick`, in which `put` at a point may succeed; 0 for not before something changes.

        Never too late; it may be too early where something is held back.
        """
        now = min(tick, self.calendar.tick)
        self.settle(now)
        blocks = self.blocks
        if not blocks:
            return tick
        speed = self.speed
        k = self._find(point, now)
        if k < 0:
            first = blocks[0]
            if not first.moving or first.at - speed * tick > point:
                return tick
            k = 0
        for i in range(k, len(blocks)):
            block = blocks[i]
            last = block.at + CLEARANCE * (len(block.items) - 1)
            if block.moving:
                if self._rest_of(i) + CLEARANCE * (len(block.items) - 1) >= point:
                    return 0  # it will stand here first
                when = (last - point) // speed + 1
                if when < tick:
                    when = tick
            elif last < point:
                when = tick
            elif i == 0 or not any(b.moving for b in blocks[:i]):
                return 0
            else:
                when = max(tick, now + (last - point) // speed + 1)
            if i + 1 == len(blocks):
                return when
            after = blocks[i + 1]
            if after.moving:
                if block.moving and after.at - last <= CLEARANCE:
                    continue
                if after.at - speed * when > (point if block.moving else max(point, last + CLEARANCE)):
                    return when
            elif not block.moving and after.at > max(point, last + CLEARANCE):
                return when  # else it is held back, and then follows, touching
        return 0

    def clear_at(self, point: int, tick: int) -> int:
        """First tick, not before `tick`, in which nothing lies within 64 ahead of a point; 0 if none is in sight."""
        now = min(tick, self.calendar.tick)
        self.settle(now)
        k = self._find(point, now)
        if k < 0:
            return tick
        block = self.blocks[k]
        j = min(len(block.items) - 1, (point - self.where(block, now)) // CLEARANCE)
        last = block.at + CLEARANCE * j
        if block.moving:
            return max(tick, -((point - CLEARANCE - last) // self.speed))
        if last + CLEARANCE <= point:
            return tick
        if any(b.moving for b in self.blocks[:k]):
            return max(tick, now + 1)
        return 0

    def back(self, tick: int) -> int | None:
        """Position of the last item after `tick`, None when it is empty."""
        self.settle(tick)
        if not self.blocks:
            return None
        block = self.blocks[-1]
        return self.where(block, tick) + CLEARANCE * (len(block.items) - 1)

    # -- putting on and taking off ----------------------------------------------------------------------------

    def put(
        self, point: int, target: int, item: str, tick: int, *, limit: int = NEVER, exact: bool = False
    ) -> bool:
        """Put an item on, aimed at `target`, judged from `point`; it moves once at once. False for no room.

        It goes at the first place at or behind the target that is 64 clear of every item ahead, and only if that
        is less than 64 behind the point and leaves it ahead of `limit`; items behind are not looked at.
        `exact`: only at the target itself.
        """
        if tick >= self._next:
            self.settle(tick)
        blocks = self.blocks
        place = point
        ahead = None
        k = -1
        if blocks:
            k = self._find(point if point < limit else limit - 1, tick)
        if k >= 0:
            block = blocks[k]
            first = block.at - self.speed * tick if block.moving else block.at
            j = (point - first) // CLEARANCE
            last = len(block.items) - 1
            if j > last:
                j = last
            ahead = first + CLEARANCE * j
            if ahead + CLEARANCE > place:
                place = ahead + CLEARANCE
                if place - point >= CLEARANCE or j < last:
                    return False
                if k + 1 < len(blocks) and self.where(blocks[k + 1], tick) <= place:
                    return False
        elif blocks and self.circle and isinstance(self.outlet, Join) and self.outlet.actor is self:
            ahead = self.back(tick) - self.length  # past the seam of a circle
            if ahead + CLEARANCE > place:
                place = ahead + CLEARANCE
                if place - point >= CLEARANCE or self.where(blocks[0], tick) <= place:
                    return False
        if place < target:
            place = target
        if exact and place != target:
            return False
        moved = place - self.speed
        if ahead is not None and ahead + CLEARANCE > moved:
            moved = min(ahead + CLEARANCE, place)
        if moved < 0:
            moved = 0
        if moved >= limit:
            return False
        self._touch(tick)
        self._enter(k, ahead, moved, item, tick)
        return True

    def put_back(self, position: int, item: str, tick: int) -> None:
        """Put an item on behind all others, where it has moved already."""
        self.settle(tick)
        self._touch(tick)
        self._enter(len(self.blocks) - 1, self.back(tick), position, item, tick)

    def _enter(self, k: int, ahead: int | None, position: int, item: str, tick: int) -> None:
        """Put an item at a position, behind block k, whose last item is at `ahead`."""
        blocks = self.blocks
        way = self.speed * tick
        block = blocks[k] if k >= 0 else None
        if block is not None and ahead + CLEARANCE == position:
            block.items.append(item)
        else:
            held = ahead is not None and ahead + CLEARANCE > position
            block = Block(position if held else position + way, [item], not held)
            self.standing += held
            blocks.insert(k + 1, block)
            k += 1
        if k + 1 < len(blocks):
            after = blocks[k + 1]
            if after.moving and after.at - way - position < CLEARANCE:
                after.at -= way
                after.moving = False
                self.standing += 1
                self.moved_at = tick
        self._next = 0
        self.count += 1
        have = self.counts.get(item, 0)
        self.counts[item] = have + 1
        if k == 0 and self.outlet is not None and block.moving and len(block.items) == 1:
            self.plan_exit()
        if self.chasers:
            for chaser in tuple(self.chasers):
                chaser.path_disturbed(self, position)
        if self.lookers:
            for looker, (low, high) in tuple(self.lookers.items()):
                if position >= high:
                    looker.expect(item, (position - high) // self.speed + 1 + tick)
                elif position >= low:
                    looker.appear()
        if self.idlers:
            for idler in tuple(self.idlers):
                idler.line_filled(self, position)

    def take(self, position: int, tick: int) -> str:
        """Take off the item at a position, which must be there."""
        if tick >= self._next:
            self.settle(tick)
        self._touch(tick)
        blocks = self.blocks
        k = self._find(position, tick)
        block = blocks[k]
        way = self.speed * tick
        standing = not block.moving
        j = (position - (block.at if standing else block.at - way)) // CLEARANCE
        item = block.items[j]
        if not standing:
            self.moved_at = tick
        front = k == 0 and j == 0
        if front and standing and self.outlet is not None:
            self.outlet.watch(self, False)
        rest = block.items[j + 1 :]
        if j:
            del block.items[j:]
            if rest:
                blocks.insert(k + 1, Block(position + CLEARANCE + way, rest, True))
            else:
                self._free_behind(k + 1, tick)
        elif rest:
            block.items = rest
            if standing:
                block.at = position + CLEARANCE + way
                block.moving = True
                self.standing -= 1
            else:
                block.at += CLEARANCE
        else:
            del blocks[k]
            if standing:
                self.standing -= 1
            self._free_behind(k, tick)
        self._next = 0
        if self.count == 1:
            self.moved_at = self.touched_at = -1  # the game drops a line from its list when an entity empties it
        self._lost(item, position, standing, tick)
        if front and self.outlet is not None:
            self.plan_exit()
        return item

    def _free_behind(self, k: int, tick: int) -> None:
        """The item ahead of block k has gone: if the block was held back by it, it may go on."""
        if k >= len(self.blocks):
            return
        block = self.blocks[k]
        if block.moving:
            return
        if k:
            ahead = self.blocks[k - 1]
            end = self.where(ahead, tick) + CLEARANCE * len(ahead.items)
            if end >= block.at:
                return
        elif block.at == 0 and self.outlet is None:
            return
        block.moving = True
        block.at += self.speed * tick
        self.standing -= 1

    def _lost(self, item: str, position: int, standing: bool, tick: int) -> None:
        """An item has gone from a position: tell whoever may care."""
        self.count -= 1
        left = self.counts[item] - 1
        if left:
            self.counts[item] = left
        else:
            del self.counts[item]
        if self.waiting:
            settles = self.outlet is None or self.standing > 0  # what follows it will stand further on: see `room_at`
            for waiter, point in tuple(self.waiting.items()):
                if point > position - CLEARANCE if standing else point < position + CLEARANCE or settles:
                    waiter.room_changed(self)
        if self.chasers:
            for chaser in tuple(self.chasers):
                chaser.path_freed(self, position, standing)
        if standing and self.lookers:
            for looker, (_, high) in tuple(self.lookers.items()):
                if high > position:
                    when = self.next_arrival(high, tick, looker.wanted)
                    if when:
                        looker.expect(None, when)
        if not left and self.idlers:
            for idler in tuple(self.idlers):
                idler.line_emptied(self)

    # -- the front ------------------------------------------------------------------------------------------

    def plan_exit(self) -> None:
        """Work out when the front item may leave, and have it tried then."""
        if not self.blocks:
            self.try_at = 0
            return
        block = self.blocks[0]
        if block.moving:
            when = block.at // self.speed + 1
            actor = self.outlet.actor
            turn = self.calendar.turn(actor)
            self.expect_try(when if when > turn else turn)
        else:
            self.room_changed(None)

    def expect_try(self, tick: int) -> None:
        self.try_at = tick
        self.calendar.stir(self.outlet.actor, tick)

    def room_changed(self, line: Line | None) -> None:
        """What stopped the front item may have gone."""
        if not self.blocks or self.blocks[0].moving:
            return
        when = self.outlet.room(self, self.calendar.turn(self.outlet.actor))
        if when:
            self.expect_try(when)
        else:
            self.try_at = 0

    @property
    def blocked(self) -> bool:
        """Whether the front item stands before an outlet that has no room."""
        return self.outlet is not None and bool(self.blocks) and not self.blocks[0].moving

    def deliver(self, tick: int) -> bool:
        """The front item's turn to leave; returns whether it left."""
        self.try_at = 0
        if not self.blocks:
            return False
        before = tick - 1
        self.settle(before)
        block = self.blocks[0]
        old = block.at - self.speed * before if block.moving else block.at
        if old >= self.speed:
            self.plan_exit()
            return False
        item = block.items[0]
        if not self.outlet.hand_over(self, item, old, tick):
            if block.moving:
                self.moved_at = max(self.moved_at, tick if old else before)
                block.moving = False
                block.at = 0
                self.standing += 1
                self._next = 0
                self.outlet.watch(self, True)
            when = self.outlet.room(self, tick + 1)
            if when:
                self.expect_try(when)
            return False
        standing = not block.moving
        if standing:
            self.outlet.watch(self, False)
            if not self.awake(tick):
                self.stamp = self.belts.next_stamp()
            self.standing -= 1
        rest = block.items[1:]
        way = self.speed * before
        if rest:
            block.items = rest
            block.at = block.at + CLEARANCE + (way if standing else 0)
            block.moving = True
        else:
            del self.blocks[0]
            if self.blocks:
                block = self.blocks[0]
                if not block.moving:
                    # What was too close behind goes on; past the end of its line an item still holds it back.
                    position = block.at - self.speed
                    if isinstance(self.outlet, Join):
                        position = max(position, min(block.at, old - self.speed + CLEARANCE))
                    block.moving = True
                    block.at = position + self.speed * tick
                    self.standing -= 1
        self.moved_at = tick
        self._next = 0
        self._lost(item, 0, standing, tick)
        self.plan_exit()
        return True

    # -- turns of the lines that lead here ----------------------------------------------------------------------

    def update(self, tick: int) -> None:
        """Let the lines that lead here hand over what is due, in the game's order.

        Those that had stood still go first; the others by when they came to life, latest first. On a line that was
        itself still, an item that was just put on moves once more before the next is. Lines in a circle take their
        turns against its direction, ending with the one that came to life last.
        """
        circle = self.circle
        if len(circle) > 1:
            first = max(range(len(circle)), key=lambda k: circle[k].latest(tick))
            for line in (circle[first], *reversed(circle[first + 1 :] + circle[:first])):
                line._turns(tick)
                line.replan()
        else:
            self._turns(tick)
            self.replan()

    def _turns(self, tick: int) -> None:
        """The turns of the lines that lead here."""
        ready = [feeder for feeder in self.feeders if feeder.try_at == tick]
        if not ready:
            return
        if len(self.feeders) == 1:
            ready[0].deliver(tick)
        elif self.awake(tick) or self.moved(tick) >= tick:
            latest = {feeder: feeder.latest(tick) for feeder in ready}
            for feeder in sorted(ready, key=lambda f: (latest[f] >= 0, -latest[f])):
                feeder.deliver(tick)
        else:
            self._come_alive(ready, tick)

    def _come_alive(self, ready: list[Line], tick: int) -> None:
        """The turns of the lines that lead here when this one was still as the tick began.

        Once something has been put on, the turn of the next active line that leads here moves this one first.
        """
        latest = {feeder: feeder.latest(tick) for feeder in self.feeders}
        still = [feeder for feeder in ready if latest[feeder] < 0]
        active = sorted((f for f in self.feeders if latest[f] >= 0), key=lambda f: -latest[f])
        fresh = moved = False
        for feeder in active:
            if fresh and not moved:
                self._step_fresh(tick)
                moved = True
                for other in still:
                    other.deliver(tick)
            if feeder.try_at == tick and feeder.deliver(tick):
                fresh = True

    def replan(self) -> None:
        """Be due for the next turn of a line that leads here."""
        soonest = 0
        for feeder in self.feeders:
            if feeder.try_at and (not soonest or feeder.try_at < soonest):
                soonest = feeder.try_at
        if soonest:
            self.calendar.stir(self, soonest)

    def _step_fresh(self, tick: int) -> None:
        """Move what was put on in this tick once more."""
        for k, block in enumerate(self.blocks):
            if not block.moving:
                continue
            position = self.where(block, tick) - self.speed
            limit = 0
            if k:
                ahead = self.blocks[k - 1]
                limit = self.where(ahead, tick) + CLEARANCE * len(ahead.items)
            block.at += max(position, limit) - self.where(block, tick)
        self._next = 0
        for looker, (_, high) in tuple(self.lookers.items()):
            when = self.next_arrival(high, tick, looker.wanted)
            if when:
                looker.expect(None, when)
        if self.outlet is not None:
            self.plan_exit()

    # -- state --------------------------------------------------------------------------------------------------

    def save(self, tick: int) -> list:
        """Plain form: [items, positions, blocked, last move, last touch, stamp]."""
        found = self.items(tick)
        return [
            [item for item, _ in found],
            [position for _, position in found],
            self.blocked,
            self.moved(tick),
            self.touched_at,
            self.stamp,
        ]

    def load(self, state: list, tick: int) -> None:
        """Bring an empty line to a saved state."""
        items, positions, blocked, self.moved_at, self.touched_at, self.stamp = state
        self.fill(list(zip(items, positions, strict=True)), tick, blocked)

    def fill(self, items: list[tuple[str, int]], tick: int, blocked: bool = False) -> None:
        """Lay items, front first, on an empty line."""
        way = self.speed * tick
        end = 0
        for item, position in items:
            self.counts[item] = self.counts.get(item, 0) + 1
            blocks = self.blocks
            if blocks and position == end:
                blocks[-1].items.append(item)
            else:
                if blocks:
                    moving = position > end
                else:
                    moving = position > 0 or not (blocked or self.outlet is None)
                blocks.append(Block(position + way if moving else position, [item], moving))
                if not moving:
                    self.standing += 1
            end = position + CLEARANCE
        self.count = len(items)
        self._next = 0
        if self.outlet is not None and self.blocks:
            if self.blocked:
                self.outlet.watch(self, True)
            self.plan_exit()


class _IntoLine:
    """An outlet into another line."""

    __slots__ = ("actor",)

    def __init__(self, line: Line) -> None:
        self.actor = line

    def enter(self, line: Line) -> None:
        feeders = self.actor.feeders
        feeders.append(line)
        feeders.sort(key=lambda f: (f.outlet.place, f.key))

    def leave(self, line: Line) -> None:
        self.actor.feeders.remove(line)


class Side(_IntoLine):
    """An outlet into the side of another line, at a point of it, on the tile that begins at `place`."""

    __slots__ = ("place", "point")

    def __init__(self, line: Line, point: int, place: int) -> None:
        super().__init__(line)
        self.point = point
        self.place = place

    def hand_over(self, line: Line, item: str, old: int, tick: int) -> bool:
        target = self.actor
        circle = line.circle
        if circle and target in circle and line.awake(tick):
            first = max(one.latest(tick) for one in circle)
            if target.latest(tick) == first >= 0:
                # In a circle the line whose turn comes first moves last: what leads into its side finds it as it was.
                return target.put(self.point, self.point + old, item, tick - 1)
        return target.put(self.point, self.point + old, item, tick)

    def room(self, line: Line, tick: int) -> int:
        return self.actor.room_at(self.point, tick)

    def watch(self, line: Line, watch: bool) -> None:
        if watch:
            self.actor.waiting[line] = self.point
        else:
            self.actor.waiting.pop(line, None)


class Join(_IntoLine):
    """An outlet into the back of another line, or of the same one if belts run in a circle."""

    __slots__ = ()

    @property
    def place(self) -> int:
        return self.actor.length

    def hand_over(self, line: Line, item: str, old: int, tick: int) -> bool:
        if line is self.actor:  # past the seam of a circle it moves once more as far as it came (FactorioGym probe)
            return enter_back(line, line.speed, item, old, tick, again=True)
        return enter_back(self.actor, line.speed, item, old, tick)

    def room(self, line: Line, tick: int) -> int:
        return room_at_back(self.actor, tick)

    def watch(self, line: Line, watch: bool) -> None:
        if watch:
            self.actor.waiting[line] = self.actor.length
        else:
            self.actor.waiting.pop(line, None)


def enter_back(line: Line, speed: int, item: str, old: int, tick: int, again: bool = False) -> bool:
    """Move an item that was at `old` on a tile behind onto the back of a line; False for no room.

    `again`: it has come round a circle. Then there always is room, and it moves once more as far as it came in.
    """
    position = line.length + old - speed
    back = line.back(tick)
    if again:
        least = position + old - speed
        if back is not None and back + CLEARANCE > least:
            least = back + CLEARANCE
        position = min(position, least)
    elif back is not None and back + CLEARANCE > position:
        position = back + CLEARANCE
        if position >= line.length:
            return False
    line.put_back(position, item, tick)
    return True


def room_at_back(line: Line, tick: int) -> int:
    """First tick, not before `tick`, in which `enter_back` may succeed; 0 for not before something changes."""
    return line.clear_at(line.length - 1, tick)


class Drain:
    """The end of a line at which everything that arrives vanishes (for rigs).

    Attributes:
        taken: item -> how many have gone; lines: the lines that end here.
    """

    phase = BELTS

    def __init__(self, calendar: Calendar, order: int) -> None:
        self.actor = self
        self.calendar = calendar
        self.order = order
        self.due = 0
        self.taken: dict[str, int] = {}
        self.lines: list[Line] = []

    @property
    def count(self) -> int:
        """Items that have gone, of all kinds."""
        return sum(self.taken.values())

    def hand_over(self, line: Line, item: str, old: int, tick: int) -> bool:
        self.taken[item] = self.taken.get(item, 0) + 1
        return True

    def room(self, line: Line, tick: int) -> int:
        return tick

    def watch(self, line: Line, watch: bool) -> None:
        """There is always room."""

    def enter(self, line: Line) -> None:
        self.lines.append(line)

    def leave(self, line: Line) -> None:
        self.lines.remove(line)

    def update(self, tick: int) -> None:
        for line in self.lines:
            if line.try_at == tick:
                line.deliver(tick)
        soonest = min((line.try_at for line in self.lines if line.try_at), default=0)
        if soonest:
            self.calendar.stir(self, soonest)
