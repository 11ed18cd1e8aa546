"""Solar panels: 60 kW at full light, used before every other source."""

from __future__ import annotations

from typing import Any

from fle_ray.sim.entity import Entity
from fle_ray.sim.plug import Producer

__all__ = ["SolarPanel"]


class _SolarPlug(Producer):
    """A panel's plug. `peak`: microwatts at full light."""

    __slots__ = ("peak",)
    table = "solars"

    def __init__(self, owner: Any) -> None:
        super().__init__(owner)
        self.peak = round(owner.prototype.solar.production_w * 1e6)


class SolarPanel(Entity):
    """A solar panel."""

    __slots__ = ("plug",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.plug = _SolarPlug(self)

    def connect(self) -> None:
        self.plug.connect()

    def gone(self) -> None:
        self.plug.gone()

    @property
    def network(self) -> int | None:
        """Number of its network, None when no pole reaches it."""
        return self.plug.network.number if self.plug.network is not None else None

    @property
    def output_w(self) -> float:
        """Watts it can give now."""
        power = self.world.power_grid
        return self.plug.peak * power.light(power.clock()) / 1e6

    @property
    def energy(self) -> float:
        return self.output_w / 60

    @property
    def status(self) -> str:
        if self.plug.network is None:
            return "not_plugged_in_electric_network"
        return "working" if self.output_w > 0 else "low_power"
