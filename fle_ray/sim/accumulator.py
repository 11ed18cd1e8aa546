"""Accumulators: 5 MJ, charged from any surplus at up to 300 kW, used last."""

from __future__ import annotations

from typing import Any

from fle_ray.sim.entity import Entity
from fle_ray.sim.network import Network
from fle_ray.sim.plug import PER_JOULE, Producer

__all__ = ["Accumulator"]

_TRACE = 60.0  # a microjoule; less than this counts as nothing


class _AccumulatorPlug(Producer):
    """What one accumulator holds, in microwatt-ticks.

    Attributes:
        capacity; stored: up to the network's last solution; part: its part of what flows since.
    """

    __slots__ = ("capacity", "inflow", "outflow", "part", "stored")
    table = "accumulators"

    def __init__(self, owner: Any) -> None:
        super().__init__(owner)
        record = owner.prototype.energy_source
        self.capacity = record.buffer_capacity_j * PER_JOULE
        self.inflow = record.input_flow_limit_w * 1e6
        self.outflow = record.output_flow_limit_w * 1e6
        self.stored = 0.0
        self.part = 0.0

    def move(self, network: Network | None) -> None:
        super().move(network)
        self.part = 0.0
        if network is not None:
            network.charging = [a for a in network.charging if a is not self]

    def unregister(self, network: Network) -> None:
        super().unregister(network)
        network.charging = [a for a in network.charging if a is not self]

    def store(self, energy: float) -> None:
        """Take up (or give, when negative) what flowed."""
        self.stored = min(max(self.stored + energy, 0.0), self.capacity)

    @property
    def room(self) -> float:
        return self.capacity - self.stored

    @property
    def can_take(self) -> float:
        """Microwatts it can take up in the next tick."""
        room = self.capacity - self.stored
        return min(self.inflow, room) if room > _TRACE else 0.0

    @property
    def can_give(self) -> float:
        return min(self.outflow, self.stored) if self.stored > _TRACE else 0.0

    def now(self) -> float:
        """What it holds after the last tick that has run."""
        network = self.network
        if network is None or not self.part:
            return self.stored
        flowed = network.charge_since(network.clock()) * self.part
        return min(max(self.stored + flowed, 0.0), self.capacity)


class Accumulator(Entity):
    """An accumulator."""

    __slots__ = ("plug",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.plug = _AccumulatorPlug(self)

    def connect(self) -> None:
        self.plug.connect()

    def gone(self) -> None:
        self.plug.gone()

    @property
    def network(self) -> int | None:
        """Number of its network, None when no pole reaches it."""
        return self.plug.network.number if self.plug.network is not None else None

    @property
    def energy(self) -> float:
        """Joules stored."""
        return self.plug.now() / PER_JOULE

    @property
    def status(self) -> str:
        plug = self.plug
        network = plug.network
        if network is None:
            return "not_plugged_in_electric_network"
        if plug.part:
            flow = network.charge_base + network.charge_slope * network.total
            if flow > 0:
                return "charging"
            if flow < 0:
                return "discharging"
        return "fully_charged" if plug.room <= _TRACE else "charging" if plug.stored <= _TRACE else "normal"

    def save(self) -> dict[str, Any]:
        return {"stored": self.plug.stored, "part": self.plug.part}

    def load(self, state: dict[str, Any]) -> None:
        self.plug.stored, self.plug.part = state["stored"], state["part"]
