"""Things that are placed and do little: they stand in the way, hold items, draw power.

`Consumer` is the base of what draws its power all the time (beacons, radars, combinators ...).
"""

from __future__ import annotations

from typing import Any

from fle_ray.sim.energy import source_of
from fle_ray.sim.entity import Entity

__all__ = ["Consumer"]


class Consumer(Entity):
    """An entity that draws its full power all the time.

    Attributes:
        source: see energy.py; powered: it had energy when it last looked; since: first tick not yet paid for.
    """

    __slots__ = ("powered", "since", "source")
    STATE: tuple[str, ...] = ("powered",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.source = source_of(self)
        self.powered = False
        self.since = 0

    def connect(self) -> None:
        self.source.connect()

    def built(self) -> None:
        self.since = self.world.calendar.tick + 1
        self.source.start()
        self.world.calendar.wake(self)

    def gone(self) -> None:
        self.source.gone()

    def update(self, tick: int) -> None:
        self.settle(tick - 1)
        self.source.work()
        self.source.refill()
        self.since = tick + 1
        powered = self.source.on()
        if powered != self.powered:
            self.powered = powered
            self.power_changed()

    def power_changed(self) -> None:
        """Power came or went."""

    def settle(self, tick: int) -> None:
        count = tick + 1 - self.since
        if count > 0:
            if self.source.on():
                self.source.spend(count)
            self.since = tick + 1

    @property
    def status(self) -> str:
        return self.source.working_status() if self.source.on() else self.source.starved_status()

    @property
    def energy(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.source.energy

    @property
    def energy_used(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.source.used

    def save(self) -> dict[str, Any]:
        self.settle(self.world.calendar.tick)
        state = super().save()
        state["source"] = self.source.save()
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.since = self.world.calendar.tick + 1
        self.source.load(state["source"])
