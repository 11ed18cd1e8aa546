"""Beacons: send the effects of their modules to every machine that their area touches.

A beacon draws its full power all the time and sends nothing while it has none. That beacons without modules or
power do not count as reaching a machine, when the profile is looked up, is our choice.
"""

from __future__ import annotations

from typing import Any

from fle_ray.sim.map import Box, overlaps
from fle_ray.sim.modules import Modules
from fle_ray.sim.passive import Consumer

__all__ = ["Beacon"]


class Beacon(Consumer):
    """Beacons.

    Attributes:
        modules: what it holds; sending: it has modules and power; receivers: machines in its area, by creation
            number.
    """

    __slots__ = ("modules", "receivers", "sending")
    STATE = (*Consumer.STATE, "sending")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.modules = Modules(self)
        self.receivers: list[Any] = []
        self.sending = False

    @property
    def supply_area(self) -> Box:
        """Where it reaches: its tiles and `supply_area_distance` round them."""
        left, top, right, bottom = self.area
        reach = self.prototype.beacon.supply_area_distance
        return left - reach, top - reach, right + reach, bottom + reach

    def transmitted(self, kind: str) -> float:
        """Sum of one kind of effect of its modules."""
        items = self.world.data.items
        return sum(items[name].module_effects.get(kind, 0.0) for name in self.modules.installed)

    def allows_productivity(self) -> bool:
        return False

    # -- whom it reaches --------------------------------------------------------------------------------

    def connect(self) -> None:
        self.world.beacons.append(self)
        for thing in self.world.map.things_in(self.supply_area):
            self.reach(thing)
        super().connect()

    def gone(self) -> None:
        self.world.beacons.remove(self)
        for receiver in tuple(self.receivers):
            self.forget(receiver)
            if self.sending:
                receiver.modules_changed()
        super().gone()

    def reach(self, thing: Any) -> None:
        """Link up with a machine, if it takes effects and stands in the area."""
        modules = getattr(thing, "modules", None)
        if modules is None or not modules.allowed or isinstance(thing, Beacon) or thing in self.receivers:
            return
        if overlaps(self.supply_area, thing.box):
            self.receivers.append(thing)
            self.receivers.sort(key=lambda e: e.number)
            modules.link(self)

    def forget(self, thing: Any) -> None:
        """A machine or the beacon goes."""
        self.receivers.remove(thing)
        thing.modules.unlink(self)

    def _send(self) -> None:
        for receiver in self.receivers:
            receiver.modules_changed()

    def power_changed(self) -> None:
        sending = bool(self.modules.installed) and self.powered
        if sending != self.sending:
            self.sending = sending
            self._send()

    # -- modules ----------------------------------------------------------------------------------------

    def configure(self, **options: Any) -> dict[str, int]:
        """Set `modules`; returns those that come out. Raises CannotSet and Unsupported as machines do."""
        out = self.modules.replace(options.pop("modules")) if "modules" in options else {}
        super().configure(**options)
        return out

    set = configure

    def modules_changed(self) -> None:
        """Other modules are inside."""
        before = self.sending
        self.sending = bool(self.modules.installed) and self.powered
        if before or self.sending:
            self._send()

    def insert(self, item: str, count: int, by: str = "hand") -> int:
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
        held = self.modules.clear()
        self.modules_changed()
        return held

    def contents(self) -> dict[str, dict[str, float]]:
        return {"beacon_modules": dict(self.modules.contents())} if self.modules.installed else {}

    # -- what it shows ------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        if not self.source.on():
            return self.source.starved_status()
        if not self.modules.installed:
            return "no_modules_to_transmit"
        return self.source.working_status()

    def save(self) -> dict[str, Any]:
        state = super().save()
        state["modules"] = list(self.modules.installed)
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.modules.installed = list(state["modules"])
