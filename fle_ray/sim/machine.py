"""Machines: entities that spend energy to fill a bar, and do something when it is full.

The rules of one tick, for crafting machines (measured by the FactorioGym probes on the stone furnace): a
machine with nothing begun begins a craft if it can, then does one tick of work, then fills its energy buffer.
With an empty buffer the first tick only fills it. When the bar is full the products appear, what is left of
the bar carries over, and the next craft begins in the same tick if it can.

Between the ticks in which something visible happens (a craft ends, fuel is taken, energy runs short) nothing
is computed; `settle` catches up when someone looks.
"""

from __future__ import annotations

from typing import Any

from fle_ray.sim.bar import additions_to_fill, after_additions, on_grid
from fle_ray.sim.energy import source_of
from fle_ray.sim.entity import Entity
from fle_ray.sim.modules import Modules

__all__ = ["Machine"]

_DIGITS = 9  # productivity bars are rounded here, so that ten times 0.1 fills one


class Machine(Entity):
    """Base of furnaces, assembling machines, labs, silos ...

    Subclasses give `base_speed`, `ready`, `begin`, `complete` and `idle_status`.

    Attributes:
        busy: a craft is under way; seconds: how far the bar is; duration: when it is full.
        speed: crafting speed with all effects, full power; since: first tick whose work `seconds` lacks.
        bonus: productivity bar, 0..1; source: see energy.py; modules: see modules.py.
    """

    __slots__ = ("_ahead", "_status", "bonus", "busy", "duration", "modules", "seconds", "since", "source", "speed")
    STATE = ("bonus", "busy", "duration", "seconds", "_status")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.busy = False
        self.bonus = 0.0
        self.seconds = 0.0
        self.duration = 1.0
        self.since = 0
        self.source = source_of(self)
        self.modules = Modules(self)
        self.speed = self.base_speed()
        self._status = "no_ingredients"
        self._ahead: tuple[int, float] = (0, 0.0)

    # -- what a subclass says -------------------------------------------------------------------------

    def base_speed(self) -> float:
        """Speed without modules and beacons."""
        return self.prototype.crafting.speed

    def allows_productivity(self) -> bool:
        """Whether what it makes may have a productivity bonus."""
        return True

    def ready(self) -> bool:
        """Whether a craft can begin."""
        raise NotImplementedError

    def begin(self) -> None:
        """Take the ingredients; set `duration`."""
        raise NotImplementedError

    def complete(self) -> None:
        """The bar is full: put out the products."""
        raise NotImplementedError

    def idle_status(self) -> str:
        """Status when no craft can begin."""
        raise NotImplementedError

    # -- life -----------------------------------------------------------------------------------------

    def connect(self) -> None:
        for beacon in self.world.beacons:
            beacon.reach(self)
        self.source.connect()

    def built(self) -> None:
        if self.modules.beacons:
            self.modules_changed()
        self.world.calendar.wake(self)

    def gone(self) -> None:
        for beacon in tuple(self.modules.beacons):
            beacon.forget(self)
        self.source.gone()

    def informed(self) -> None:
        self.stirred()

    def configure(self, **options: Any) -> dict[str, int]:
        """Set `modules` (names); returns those that come out. Raises CannotSet, and Unsupported for other options."""
        out = self.modules.replace(options.pop("modules")) if "modules" in options else {}
        super().configure(**options)
        return out

    set = configure

    # -- effects --------------------------------------------------------------------------------------

    def modules_changed(self) -> None:
        """Modules inside, beacons around or research changed: work at the new speed from now on."""
        self.settle(self.world.calendar.done(self))
        self.modules.refresh()
        self.apply_effects()
        if self.busy and self.number in self.world.entities:
            self.world.calendar.wake(self)

    def free_crafts(self, share: float) -> int:
        """Fill the productivity bar by the bonus share of one craft; returns how often it became full."""
        bonus = round(self.bonus + share, _DIGITS)
        full = int(bonus)
        self.bonus = round(bonus - full, _DIGITS)
        return full

    def apply_effects(self) -> None:
        """Take speed and energy use from the factors of `modules`."""
        self.speed = round(self.base_speed() * self.modules.speed, 9)
        self.source.set_use(round(self.prototype.energy_usage_w * self.modules.consumption, 6) / 60)

    # -- acting ---------------------------------------------------------------------------------------

    def step(self) -> float:
        """Seconds a tick of work adds to the bar."""
        rate = self.source.rate()
        return self.speed / 60.0 if rate == 1 else on_grid(rate * self.speed / 60.0)

    def update(self, tick: int) -> None:
        source = self.source
        ahead, before = self._ahead
        if ahead > 0 and tick - self.since == ahead and self.busy and source.kind == "electric" and source.work() == 1:
            self._finish_as_planned(tick, before)
            return
        self.settle(tick - 1)
        if not self.busy:
            if not self.ready():
                self.rest()
                return
            if not source.on():
                source.refill()
                if source.on():
                    self._status = source.working_status()
                    self.world.calendar.schedule(self, tick + 1)
                else:
                    self._status = source.starved_status()
                return
            self._start()
            source.start()
        fraction = source.work()
        if fraction > 0:
            self.seconds += self.step() if fraction == source.rate() else fraction * self.speed / 60.0
            self._check_full()
        self.since = tick + 1
        if self.busy:
            source.refill()
            self._status = source.working_status() if source.on() else source.starved_status()
            self.plan(tick)
        else:
            self.rest()

    def _finish_as_planned(self, tick: int, before: float) -> None:
        """The tick in which a craft ends that ran undisturbed at full electric power: what `update` comes to then."""
        step = self.speed / 60.0
        self.seconds = before + step
        self._ahead = (0, 0.0)
        self.since = tick + 1
        self._check_full()
        if self.busy:
            count, before = additions_to_fill(self.seconds, step, self.duration)
            self._ahead = (count - 1, before)
            self.world.calendar.schedule(self, tick + count)
        else:
            self.rest()

    def _start(self) -> None:
        self.busy = True
        self.begin()
        self.changed()

    def _check_full(self) -> None:
        progress = self.seconds / self.duration
        if progress < 1.0:
            return
        self.complete()
        if self.ready():
            self.seconds = (progress - 1.0) * self.duration
            self.begin()
        else:
            self.busy = False
            self.seconds = 0.0
        self.changed()

    def rest(self) -> None:
        """Nothing to do: sleep until something changes."""
        self._status = self.idle_status()
        self.source.rest()

    def plan(self, tick: int) -> None:
        """Schedule the next tick in which something visible happens."""
        if not self.source.on():
            return  # asleep until energy comes
        if self.source.rate() < 1:
            self.seconds = on_grid(self.seconds)
        count, before = additions_to_fill(self.seconds, self.step(), self.duration)
        self._ahead = (count - 1, before)
        horizon = self.source.horizon() + 1
        self.world.calendar.schedule(self, tick + (count if count < horizon else horizon))

    def settle(self, tick: int) -> None:
        count = tick + 1 - self.since
        if count <= 0:
            return
        if self.busy and self.source.on():
            if count == self._ahead[0]:
                self.seconds = self._ahead[1]
            else:
                self.seconds = after_additions(self.seconds, self.step(), count)
            self.source.spend(count)
            self._ahead = (0, 0.0)
        self.since = tick + 1

    def paced(self, tick: int) -> None:
        if not self.busy or self.due <= tick + 1:  # it acts at once, and plans then
            super().paced(tick)
            return
        self._status = self.source.working_status()
        self.plan(tick)

    def stirred(self) -> None:
        """Something came in or went out: see whether an idle machine can begin."""
        if not self.busy or not self.source.on():
            self.world.calendar.wake(self)

    # -- transfers ------------------------------------------------------------------------------------

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        """Modules, by hand; subclasses take more."""
        moved = self.modules.insert(item, count) if by == "hand" else 0
        if moved:
            self.changed()
        return moved

    put = insert

    def extract(self, item: str, count: int) -> int:
        moved = self.modules.remove(item, count)
        if moved:
            self.changed()
        return moved

    take = extract

    def clear(self) -> dict[str, int]:
        return self.modules.clear()

    # -- what it shows --------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        if self.source.kind == "electric" and not self.source.on():
            return self.source.starved_status()
        return self._status

    @property
    def energy(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.source.energy

    @property
    def energy_used(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.source.used

    @property
    def progress(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.seconds / self.duration if self.busy else 0.0

    def save(self) -> dict[str, Any]:
        self.settle(self.world.calendar.tick)  # one form for one state, whoever looked at it before
        state = super().save()
        state["source"] = self.source.save()
        effects = self.modules.save()
        if effects is not None:
            state["modules"] = effects
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.since = self.world.calendar.tick + 1
        if "modules" in state:
            self.modules.load(state["modules"])
            self.apply_effects()
        self.source.load(state["source"])
