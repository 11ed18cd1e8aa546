"""Research: what labs work on, how far it is, and the technologies that come by themselves.

Several labs share one technology: each adds its share of a unit per tick. Between two ticks in which some lab
starts, stops or changes speed the sum grows evenly, so the tick in which it is complete is known. Progress is
counted in whole numbers (`UNIT` of them to a unit), so that nothing depends on the order of adding.

A technology with a trigger is learned 24 ticks after the item it waits for was made that often (FactorioGym probe:
24 ticks after the 50th iron plate), or after its last prerequisite was learned if that is later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fle_ray.errors import CannotResearch
from fle_ray.game.prototypes import Technology
from fle_ray.sim.core import MACHINES

if TYPE_CHECKING:
    from fle_ray.sim.lab import Lab
    from fle_ray.sim.world import World

__all__ = ["NEARLY", "UNIT", "ResearchQueue"]

UNIT = 10**15  # one unit of research, and one science pack's wear
NEARLY = 10**7  # what may miss to a whole one: shares per tick are cut to whole numbers
TRIGGER_DELAY = 24  # ticks from the event to the technology (FactorioGym probe)
MOST_QUEUED = 7  # technologies in the game's queue, the current one included


class ResearchQueue:
    """The force's research, and an actor that completes it.

    Attributes:
        queue: names of technologies to research, the current one first.
        orbited: item -> how often it was sent to orbit.
    """

    phase = MACHINES
    order = -1  # after every machine of the tick

    def __init__(self, world: World) -> None:
        self.world = world
        self.due = 0
        self.queue: list[str] = []
        self.orbited: dict[str, int] = {}
        self._saved: dict[str, int] = {}  # progress of technologies begun and left
        self._progress = 0  # of the current one, at the end of tick `_since`
        self._since = 0
        self._shares: dict[int, int] = {}  # lab's number -> progress a tick
        self._rate = 0  # their sum
        self._pending: list[list] = []  # [tick, technology] of triggers that went off
        world.statistics.reached = self._goal_reached
        self._set_goals()

    # -- what is researched -------------------------------------------------------------------------------

    @property
    def current(self) -> str | None:
        """Name of the technology labs work on, None for none."""
        return self.queue[0] if self.queue else None

    @property
    def technology(self) -> Technology | None:
        """Record of the current technology."""
        return self.world.data.technologies[self.queue[0]] if self.queue else None

    def units(self, name: str) -> int:
        """Units that the next level of a technology needs; 0 for a triggered one. Raises UnknownName."""
        technology = self.world.data.technology(name)
        return technology.units(self.world.force.level(technology)) if technology.infinite else technology.units()

    def progress(self, name: str | None = None) -> float:
        """Share of a technology that is done, 0..1: of the current one by default, else what was saved of it.

        0.0 when nothing is researched. Raises UnknownName.
        """
        if name is None:
            name = self.current
            if name is None:
                return 0.0
        total = self.units(name) * UNIT
        if name in self.world.force.researched and not self.world.data.technologies[name].infinite:
            return 1.0
        done = self._at(self.world.calendar.done(self)) if name == self.current else self._saved.get(name, 0)
        return min(1.0, done / total) if total else 0.0

    def begun(self) -> list[str]:
        """Technologies of which a part is done, by name."""
        some = {*self._saved, *self.queue[:1]}
        return [
            name for name in sorted(some) if name not in self.world.force.researched and self.progress(name) > 0
        ]

    def start(self, name: str) -> None:
        """Research a technology now, and nothing after it. What was done of others is kept.

        Raises UnknownName; CannotResearch when it is known, disabled, triggered, or lacks a prerequisite.
        """
        self._check(name, ())
        self._leave()
        self.queue = [name]
        self._take_up()

    def enqueue(self, name: str) -> None:
        """Research a technology after those in the queue. Raises as `start`, and when the queue is full."""
        if not self.queue:
            self.start(name)
            return
        self._check(name, self.queue)
        if len(self.queue) >= MOST_QUEUED:
            raise CannotResearch(f"The research queue is full: {', '.join(self.queue)}.", reason="queue-full")
        self.queue.append(name)

    def cancel(self) -> None:
        """Empty the queue; what was done is kept."""
        self._leave()
        self.queue = []
        self._take_up()

    def _check(self, name: str, ahead: tuple[str, ...] | list[str]) -> None:
        technology = self.world.data.technology(name)
        force = self.world.force
        if name in ahead or (name in force.researched and not technology.infinite):
            raise CannotResearch(f"{name} is already researched or in the queue.", reason="researched")
        if not technology.enabled:
            raise CannotResearch(f"{name} is not enabled.", reason="disabled")
        missing = [p for p in technology.prerequisites if p not in force.researched and p not in ahead]
        if missing:
            raise CannotResearch(f"{name} needs {', '.join(missing)} first.", reason="prerequisites")
        if technology.trigger is not None:
            trigger = technology.trigger
            raise CannotResearch(
                f"{name} is not researched in labs: it comes by {trigger.type} of {trigger.count} {trigger.target}.",
                reason="trigger",
            )

    def _leave(self) -> None:
        """Put the current technology aside: labs stop, what they did is kept."""
        if self.queue:
            self._stop_labs()
            done = self._at(self.world.calendar.done(self))
            if done:
                self._saved[self.queue[0]] = done

    def _take_up(self) -> None:
        """Begin with what is first in the queue now."""
        self._since = self.world.calendar.done(self)
        self._progress = self._saved.pop(self.queue[0], 0) if self.queue else 0
        self._plan()
        for lab in self._labs():
            lab.research_changed()

    def _labs(self) -> list[Lab]:
        return [e for e in self.world.entities.values() if e.prototype.type == "lab"]

    def _stop_labs(self) -> None:
        for number in sorted(self._shares):
            self.world.entities[number].halt()

    # -- what labs tell -------------------------------------------------------------------------------------

    def set_share(self, lab: Lab, share: int, after: int, more: int = 0) -> None:
        """A lab adds `share` a tick from the tick after `after` on, 0 for a lab at rest; once `more` on top."""
        change = share - self._shares.get(lab.number, 0)
        if share:
            self._shares[lab.number] = share
        else:
            self._shares.pop(lab.number, None)
        self._progress += change * (self._since - after) + more
        self._rate += change
        if change or more:
            self._plan()

    def _at(self, tick: int) -> int:
        """Progress of the current technology at the end of a tick."""
        return self._progress + self._rate * (tick - self._since)

    def _plan(self) -> None:
        """Be due when the current technology is complete or a trigger's delay is over."""
        calendar = self.world.calendar
        when = [tick for tick, _ in self._pending]
        if self.queue:
            missing = self.units(self.queue[0]) * UNIT - NEARLY - self._progress
            if self._rate > 0:
                when.append(self._since + max(0, -(-missing // self._rate)))
            elif missing <= 0:  # the last pack was worn out in the tick that completes it, and the lab rests
                when.append(self._since)
        if not when:
            calendar.cancel(self)
            return
        calendar.cancel(self)
        if min(when) > calendar.tick:
            calendar.schedule(self, min(when))
        else:
            calendar.wake(self)

    # -- what becomes known -----------------------------------------------------------------------------------

    def update(self, tick: int) -> None:
        learned = [name for when, name in self._pending if when <= tick]
        self._pending = [entry for entry in self._pending if entry[0] > tick]
        for name in learned:
            self.world.force.learn(name)
        if self.queue and self._at(tick) >= self.units(self.queue[0]) * UNIT - NEARLY:
            self._stop_labs()
            name = self.queue.pop(0)
            self.world.force.learn(name)
            learned.append(name)
            self._take_up()
        else:
            self._plan()
        if learned:
            self.world.inform()

    def informed(self) -> None:
        """The force's knowledge has changed: drop what is known from the queue, look at the triggers anew."""
        technologies = self.world.data.technologies
        force = self.world.force
        known = [n for n in self.queue if n in force.researched and not technologies[n].infinite]
        if known:
            leaving = self.queue[0] in known
            if leaving:
                self._stop_labs()
            self.queue = [n for n in self.queue if n not in known]
            if leaving:
                self._take_up()
        self._set_goals()

    def _set_goals(self) -> None:
        """Watch for what triggers the technologies that could come now."""
        statistics = self.world.statistics
        force = self.world.force
        statistics.goals = {}
        pending = {name for _, name in self._pending}
        for name, technology in self.world.data.technologies.items():
            trigger = technology.trigger
            if trigger is None or name in force.researched or name in pending or not force.available(technology):
                continue
            if trigger.type == "send-item-to-orbit":
                reached = self.orbited.get(trigger.target, 0) >= trigger.count
            elif trigger.type == "build-entity":
                reached = any(e.name == trigger.target for e in self.world.entities.values())
            else:
                goal = min(trigger.count, statistics.goals.get(trigger.target, trigger.count))
                reached = statistics.produced.get(trigger.target, 0) >= trigger.count
                if not reached:
                    statistics.goals[trigger.target] = goal
            if reached:
                self._pending.append([self.world.calendar.tick + TRIGGER_DELAY, name])
        self._plan()

    def _goal_reached(self) -> None:
        self._set_goals()

    def sent_to_orbit(self, item: str) -> None:
        """A rocket has brought an item to orbit."""
        self.orbited[item] = self.orbited.get(item, 0) + 1
        self._set_goals()

    # -- state --------------------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        return {
            "due": self.due,
            "queue": list(self.queue),
            "progress": self._at(self.world.calendar.tick) if self.queue else 0,
            "saved": dict(sorted(self._saved.items())),
            "shares": sorted(self._shares.items()),
            "pending": [list(entry) for entry in self._pending],
            "orbited": dict(sorted(self.orbited.items())),
        }

    def load(self, state: dict[str, Any]) -> None:
        calendar = self.world.calendar
        calendar.cancel(self)
        self.queue = list(state["queue"])
        self._progress = state["progress"]
        self._since = calendar.tick
        self._saved = dict(state["saved"])
        self._shares = {number: share for number, share in state["shares"]}
        self._rate = sum(self._shares.values())
        self._pending = [list(entry) for entry in state["pending"]]
        self.orbited = dict(state["orbited"])
        self._set_goals()
        calendar.cancel(self)
        if state["due"]:
            calendar.schedule(self, state["due"])
