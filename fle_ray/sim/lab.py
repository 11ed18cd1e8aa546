"""Labs: wear science packs down for the technology that is researched.

A lab works while it has power and at least one of each pack the technology needs. Every tick it adds a share of a
unit: speed / 60 / the unit's lab seconds. Research speed and modules multiply (wiki: Lab), and a productivity
bonus is added to the share itself, not to a bar. A pack is worn by the unbonused share and gone when it is worn
out; it counts as used then. Inserters stop at two units' worth of a pack (wiki: Inserters).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fle_ray.sim.machine import Machine
from fle_ray.sim.research import NEARLY, UNIT

__all__ = ["Lab"]

_UNITS_HELD = 2  # inserters fill up to this many units' worth of a pack


class Lab(Machine):
    """Labs.

    Attributes:
        packs: science pack -> count, the one being worn included; worn: pack -> wear of that one, of `UNIT`.
        share: wear a tick at present, 0 while it rests.
    """

    __slots__ = ("packs", "share", "worn")
    STATE: tuple[str, ...] = ("share",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.packs: dict[str, int] = dict.fromkeys(self.prototype.lab.inputs, 0)
        self.worn: dict[str, int] = {}
        self.share = 0

    def base_speed(self) -> float:
        return self.prototype.lab.researching_speed * (1 + self.world.force.bonuses.get("laboratory-speed", 0))

    # -- acting ---------------------------------------------------------------------------------------

    def needs(self) -> tuple[tuple[str, int], ...]:
        """(pack, packs a unit) of the current technology; empty when nothing is researched."""
        technology = self.world.research_queue.technology
        return technology.ingredients if technology is not None else ()

    def ready(self) -> bool:
        """Whether there is something to research and a pack of each kind for it."""
        needs = self.needs()
        packs = self.packs
        return bool(needs) and all(packs.get(pack, 0) > 0 for pack, _ in needs)

    def update(self, tick: int) -> None:
        self.settle(tick - 1)
        source = self.source
        if not self.ready():
            self._rest(tick - 1)
            return
        source.start()
        fraction = source.work()
        unit_s = self.world.research_queue.technology.unit_time_s
        full = self.speed / 60.0 / unit_s
        self.since = tick + 1
        once = self._wear(int(fraction * full * UNIT))
        rate = source.rate() if source.on() else 0.0
        share = int(rate * full * UNIT)
        self._set_share(share, tick - 1, once - share)
        if self.ready():
            self._schedule(tick)
        else:
            self._rest(tick)

    def _schedule(self, tick: int) -> None:
        """Be due when the first pack is worn out."""
        share = self.share
        if not share:
            self.world.calendar.cancel(self)  # asleep until power comes
            return
        ticks = min(
            max(1, -(-(UNIT - NEARLY - self.worn.get(pack, 0)) // (share * amount))) for pack, amount in self.needs()
        )
        self.world.calendar.cancel(self)
        self.world.calendar.schedule(self, tick + ticks)

    def _bonused(self, wear: int) -> int:
        """Research that comes of a wear."""
        productivity = self.modules.productivity
        return wear + int(wear * productivity) if productivity else wear

    def _set_share(self, share: int, after: int, more: int = 0) -> None:
        """Work at `share` a tick after a tick, the first of which brings `more` than that."""
        self.share = share
        self.busy = bool(share)
        self.world.research_queue.set_share(self, self._bonused(share), after, self._bonused(more))

    def _rest(self, after: int) -> None:
        if self.share:
            self._set_share(0, after)
        self.source.rest()

    def halt(self) -> None:
        """Stop at once: the technology is complete, or another one is taken up."""
        calendar = self.world.calendar
        done = calendar.done(self)
        self.settle(done)
        if calendar.phase >= 0 and done == calendar.tick:
            self.source.work()  # this tick was worked
        self._rest(done)
        calendar.cancel(self)

    def paced(self, tick: int) -> None:
        self.world.calendar.wake(self)

    def settle(self, tick: int) -> None:
        count = tick + 1 - self.since
        if count <= 0:
            return
        if self.share:
            self._wear(count * self.share)
        self.since = tick + 1

    def _wear(self, wear: int) -> int:
        """Wear the packs of the current technology down by a share of a unit, which is returned."""
        for pack, amount in self.needs() if wear else ():
            worn = self.worn.get(pack, 0) + wear * amount
            while worn >= UNIT - NEARLY and self.packs[pack]:
                worn = max(0, worn - UNIT)
                self.packs[pack] -= 1
                self.world.statistics.used(pack, 1)
                if not self.packs[pack]:
                    worn = 0
                self.changed()
            self.worn[pack] = worn
        return wear

    def research_changed(self) -> None:
        """Another technology is up."""
        self.world.calendar.wake(self)

    def informed(self) -> None:
        if round(self.base_speed() * self.modules.speed, 9) != self.speed:
            self.modules_changed()

    def modules_changed(self) -> None:
        super().modules_changed()
        if self.number in self.world.entities:
            self.world.calendar.wake(self)

    def gone(self) -> None:
        self._rest(self.world.calendar.done(self))
        super().gone()

    def stirred(self) -> None:
        if not self.share:
            self.world.calendar.wake(self)

    # -- transfers --------------------------------------------------------------------------------------

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        if item in self.packs:
            room = self.world.stacks[item] - self.packs[item]
            moved = count if by == "inserter" else max(0, min(count, room))
            self.packs[item] += moved
        else:
            moved = self.modules.insert(item, count) if by == "hand" else 0
        if moved:
            self.changed()
            self.stirred()
        return moved

    put = insert

    def limit(self, pack: str) -> int:
        """How many of a pack inserters fill up to."""
        technology = self.world.research_queue.technology
        amounts = dict(technology.ingredients) if technology is not None else {}
        return _UNITS_HELD * amounts.get(pack, 1)

    def wants(self, item: str) -> bool:
        have = self.packs.get(item)
        return have is not None and have < self.limit(item)

    def offer(self, wanted: Callable[[str], bool]) -> str | None:
        for pack, count in self.packs.items():
            if self._spare(pack, count) and wanted(pack):
                return pack
        return None

    def _spare(self, pack: str, count: int) -> int:
        """How many of a pack may be handed on to another lab: all but a worn one."""
        in_use = self.worn.get(pack) or (self.share and any(pack == name for name, _ in self.needs()))
        return count - 1 if count and in_use else count

    def pick(self, item: str, count: int) -> int:
        moved = min(count, self._spare(item, self.packs.get(item, 0)))
        if moved <= 0:
            return 0
        self.settle(self.world.calendar.done(self))
        self.packs[item] -= moved
        self.changed()
        if not self.packs[item]:
            self.world.calendar.wake(self)
        return moved

    def holds_anything(self) -> bool:
        return any(self._spare(pack, count) for pack, count in self.packs.items())

    def full_for_inserters(self) -> bool:
        return all(not self.wants(pack) for pack in self.packs)

    def extract(self, item: str, count: int) -> int:
        self.settle(self.world.calendar.done(self))
        have = self.packs.get(item, 0)
        moved = min(count, have)
        if moved > 0:
            self.packs[item] = have - moved
            if not self.packs[item]:
                self.worn.pop(item, None)
            self.world.calendar.wake(self)
        else:
            moved = self.modules.remove(item, count)
        if moved:
            self.changed()
        return moved

    take = extract

    # -- what it shows --------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        source = self.source
        if not source.on():
            return source.starved_status()
        if self.world.research_queue.current is None:
            return "no_research_in_progress"
        if not self.ready():
            return "missing_science_packs"
        return source.working_status()

    @property
    def progress(self) -> float:
        """Share of the current unit that is done."""
        self.settle(self.world.calendar.tick)
        return max((self.worn.get(pack, 0) for pack, _ in self.needs()), default=0) / UNIT

    def contents(self) -> dict[str, dict[str, float]]:
        self.settle(self.world.calendar.tick)
        found: dict[str, dict[str, float]] = {
            "lab_input": {pack: count for pack, count in self.packs.items() if count},
            "lab_modules": self.modules.contents(),
        }
        return {name: held for name, held in found.items() if held}

    def clear(self) -> dict[str, int]:
        held = {pack: count for pack, count in self.packs.items() if count}
        self.packs = dict.fromkeys(self.packs, 0)
        self.worn = {}
        for item, count in self.modules.clear().items():
            held[item] = held.get(item, 0) + count
        return held

    # -- state ----------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        state = super().save()
        state["packs"] = list(self.packs.values())
        state["worn"] = {pack: worn for pack, worn in sorted(self.worn.items()) if worn}
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.busy = bool(self.share)
        self.packs = dict(zip(self.packs, state["packs"], strict=True))
        self.worn = dict(state["worn"])
        self.speed = round(self.base_speed() * self.modules.speed, 9)
