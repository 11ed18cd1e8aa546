"""Clock and calendar of the simulator: what is due when, and in which order within a tick.

Everything that happens is an actor coming due at a tick. Within a tick the phases run in the game's order
(networks, characters, belts, inserters, machines); within a phase the actor with the highest `order` runs
first (machines: order is the creation number, so the last built runs first; inserters: the place in the
game's update list). An actor has at most one due tick; a stale entry in a bucket is skipped because the
actor's `due` no longer says so. Nothing is touched in a tick in which nothing is due, so time costs nothing.

The order inside a tick was measured on the game (2.0.60) by the FactorioGym probes.
"""

from __future__ import annotations

from bisect import insort
from heapq import heappop, heappush
from operator import attrgetter
from typing import Protocol

__all__ = ["BELTS", "CHARACTERS", "INSERTERS", "MACHINES", "NETWORKS", "Actor", "Calendar"]

NETWORKS, CHARACTERS, BELTS, INSERTERS, MACHINES = range(5)
_PHASES = 8  # buckets are numbered by tick and phase; a power of two, so that keys are told apart quickly
_ORDER = attrgetter("order")


class Actor(Protocol):
    """Something that acts when it is due.

    Attributes:
        phase: one of the five phases, constant per class.
        order: rank within the phase; the highest runs first.
        due: tick at which it runs next, 0 for never (asleep). Written by the calendar alone.
    """

    phase: int
    order: int
    due: int

    def update(self, tick: int) -> None: ...


class Calendar:
    """The clock and the queue. `tick` is the number of ticks that have run (while one runs: its number)."""

    __slots__ = ("_buckets", "_heap", "order", "phase", "tick")

    def __init__(self, tick: int = 0) -> None:
        self.tick = tick
        self.phase = -1  # the phase that is running, -1 between ticks
        self.order = 0  # order of the actor that is running
        self._buckets: dict[int, list[Actor]] = {}  # by tick and phase: 8 * tick + phase
        self._heap: list[int] = []

    def schedule(self, actor: Actor, tick: int) -> None:
        """Let `actor` run at `tick`, a tick that has not run yet; replaces what it was due for."""
        actor.due = tick
        key = tick * _PHASES + actor.phase
        bucket = self._buckets.get(key)
        if bucket is None:
            self._buckets[key] = [actor]
            heappush(self._heap, key)
        else:
            bucket.append(actor)

    def cancel(self, actor: Actor) -> None:
        """Put `actor` to sleep."""
        actor.due = 0

    def wake(self, actor: Actor) -> None:
        """Let `actor` run as soon as the order of the game allows; never later than it already was due.

        That is this tick if its phase is still to come, or if it is a machine (or a network) whose turn in the
        running phase of machines (or networks) has not come yet; otherwise the next tick.
        """
        tick = self.tick
        phase = self.phase
        if phase < 0:
            tick += 1
        elif actor.phase < phase:
            tick += 1
        elif actor.phase == phase:
            if (phase == MACHINES or phase == NETWORKS) and actor.order < self.order:
                if actor.due != tick:
                    actor.due = tick
                    insort(self._buckets[tick * _PHASES + phase], actor, key=_ORDER)
                return
            tick += 1
        if actor.due == 0 or actor.due > tick:
            self.schedule(actor, tick)

    def turn(self, actor: Actor) -> int:
        """The first tick in which the turn of `actor` is still to come, counting the running one."""
        phase = self.phase
        if phase >= 0 and (actor.phase > phase or (actor.phase == phase and actor.order < self.order)):
            return self.tick
        return self.tick + 1

    def stir(self, actor: Actor, tick: int = 0) -> None:
        """Let `actor` run at `tick`, or once its turn comes if that is later; never later than it was due already.

        Unlike `wake` this reaches an actor of any phase whose turn in the running phase is still to come.
        """
        phase = self.phase
        turn = self.tick
        if phase < 0 or actor.phase < phase or (actor.phase == phase and actor.order >= self.order):
            turn += 1
        if tick < turn:
            tick = turn
        due = actor.due
        if due and due <= tick:
            return
        if tick == self.tick and actor.phase == phase:
            actor.due = tick
            insort(self._buckets[tick * _PHASES + phase], actor, key=_ORDER)
        else:
            self.schedule(actor, tick)

    def done(self, actor: Actor) -> int:
        """The last tick in which the turn of `actor` has passed: what it has done so far goes up to there."""
        phase = self.phase
        if phase < 0 or actor.phase < phase or (actor.phase == phase and actor.order >= self.order):
            return self.tick
        return self.tick - 1

    def next_tick(self) -> int | None:
        """The first tick with anything in its bucket, None when nothing is due."""
        return self._heap[0] // _PHASES if self._heap else None

    def run(self, until: int) -> None:
        """Run every tick up to and including `until`."""
        heap = self._heap
        buckets = self._buckets
        end = (until + 1) * _PHASES
        try:
            while heap and heap[0] < end:
                key = heappop(heap)
                queue = buckets[key]
                tick = self.tick = key // _PHASES
                self.phase = key % _PHASES
                if len(queue) > 1:
                    queue.sort(key=_ORDER)
                while queue:
                    actor = queue.pop()
                    if actor.due == tick:
                        actor.due = 0
                        self.order = actor.order
                        actor.update(tick)
                del buckets[key]
        finally:
            self.phase = -1
        self.tick = until
