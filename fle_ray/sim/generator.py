"""Steam engines and turbines: they turn steam into just the power that is asked for.

An engine uses at most 0.5 steam a tick, a turbine 1; a unit gives its heat above the fluid's default temperature,
up to the generator's own maximum temperature: hotter steam gives no more (prototype data; wiki: Steam engine).
"""

from __future__ import annotations

from typing import Any

from fle_ray.sim.entity import Entity
from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.network import Network
from fle_ray.sim.plug import PER_JOULE, Producer
from fle_ray.sim.segment import Segment

__all__ = ["Generator", "SteamGroup"]


class SteamGroup:
    """The generators of one kind that draw from one segment into one network; they share alike.

    A sink of the segment (see segment.py). Powers in microwatts, energies in microwatt-ticks.

    Attributes:
        able: what it can give now; sustained: what it can give from what flows in alone; part: its part of what
            all groups of the network give.
        given: what it gave up to the network's last solution. base: `given` when the segment was written down.
        most: units a tick it may draw while the network's solution holds; desired: at full load.
        unit: energy of one unit of steam.
    """

    __slots__ = (
        "able",
        "base",
        "count",
        "desired",
        "given",
        "most",
        "network",
        "part",
        "prototype",
        "segment",
        "sustained",
        "unit",
    )

    def __init__(self, network: Network, segment: Segment, prototype: Any) -> None:
        self.network = network
        self.segment = segment
        self.prototype = prototype
        self.count = 0
        self.able = self.sustained = self.part = 0.0
        self.given = self.base = 0.0
        self.most = self.desired = 0.0
        self.unit = self._unit()
        segment.sinks.append(self)
        segment.sinks.sort(key=lambda s: s.rank)

    @property
    def rank(self) -> tuple:
        """Order among the sinks of a segment."""
        return 1, self.network.number, self.prototype.name

    def _unit(self) -> float:
        generator = self.prototype.generator
        fluid = self.network.power.world.data.fluids[self.prototype.fluid_box.filter]
        degrees = min(self.segment.temperature, generator.maximum_temperature) - fluid.default_temperature
        return max(0.0, degrees) * fluid.heat_capacity_j * generator.effectivity * PER_JOULE

    def add(self) -> None:
        """One more generator."""
        self.count += 1
        self.desired = self.count * self.prototype.generator.fluid_usage_per_tick

    def leave(self, clock: int) -> None:
        """Draw no longer from the segment."""
        segment = self.segment
        if self in segment.sinks:
            segment.write_down(clock)
            segment.sinks.remove(self)

    def refresh(self) -> None:
        """Work out what it can give now."""
        segment = self.segment
        if self._unit() != self.unit:
            segment.write_down(self.network.clock())
        rated = self.desired * self.unit
        wanted = sum([s.desired for s in segment.sinks])
        self.sustained = segment.rate * (self.desired / wanted) * self.unit
        segment.run_low(wanted)
        self.able = min(rated, self.sustained) if segment.dry else rated

    def plan(self, power: float) -> None:
        """At most `power` is asked of it from now on."""
        most = power / self.unit if self.unit else 0.0
        if most != self.most:
            more = most > self.most
            self.most = most
            self.segment.replan()
            if more:
                self.segment.hurry()

    # -- a sink of the segment -----------------------------------------------------------------------------

    def total(self, clock: int) -> float:
        """Energy given, up to and including tick `clock`."""
        if not self.part:
            return self.given
        return self.given + self.part * self.network.steam_since(clock)

    def drawn(self, clock: int) -> float:
        """Steam drawn since the segment was written down."""
        return max(0.0, (self.total(clock) - self.base) / self.unit) if self.unit else 0.0

    def rebase(self, clock: int) -> None:
        """The segment is written down: what was drawn is counted as used."""
        used = self.drawn(clock)
        if used:
            self.network.power.world.statistics.used(self.segment.fluid, used)
        self.base = self.total(clock)
        unit = self._unit()
        if unit != self.unit:
            self.unit = unit
            if clock != self.network.solved:
                self.network.disturb()

    def supply_changed(self) -> None:
        """More or less steam flows in, or the stock is used up: what it can give changes."""
        self.network.disturb()

    def save(self) -> list:
        return [self.able, self.sustained, self.part, self.given, self.base, self.most, self.unit]

    def load(self, state: list) -> None:
        self.able, self.sustained, self.part, self.given, self.base, self.most, self.unit = state


class _GeneratorPlug(Producer):
    """A generator's plug."""

    __slots__ = ()
    table = "generators"

    @property
    def segment(self) -> Segment | None:
        return self.owner.fluid_box.segment

    def move(self, network: Network | None) -> None:
        before = self.network
        super().move(network)
        for changed in (before, network):
            if changed is not None:
                changed.regroup()

    def join_group(self, groups: dict[Any, SteamGroup]) -> None:
        """Enter the group of its kind and segment, made when there is none."""
        segment = self.segment
        if segment is None or segment.blocked:
            return
        prototype = self.owner.prototype
        key = (segment.key, prototype.name)
        if key not in groups:
            groups[key] = SteamGroup(self.network, segment, prototype)
        groups[key].add()


class Generator(Entity):
    """A steam engine or turbine."""

    __slots__ = ("fluid_box", "plug")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fluid_box = FluidBox(self, self.prototype.fluid_box, 0, "member")
        self.plug = _GeneratorPlug(self)

    @property
    def fluid_boxes(self) -> tuple[FluidBox, ...]:
        return (self.fluid_box,)

    def connect(self) -> None:
        self.fluid_box.connect()
        self.plug.connect()

    def built(self) -> None:
        self.world.fluids.settle_in(self.fluid_boxes)

    def gone(self) -> None:
        self.plug.gone()
        self.fluid_box.gone()

    def rotate(self, direction: int) -> None:
        self.plug.gone()
        self.world.fluids.turn(self.fluid_boxes, lambda: super(Generator, self).rotate(direction))
        self.plug.connect()

    def attach(self, box: FluidBox, segment: Segment) -> None:
        """Its network puts generators together by segment (see Network.regroup)."""
        if segment.fluid is None:
            segment.fluid = box.fluid

    @property
    def network(self) -> int | None:
        """Number of its network, None when no pole reaches it."""
        return self.plug.network.number if self.plug.network is not None else None

    @property
    def _group(self) -> SteamGroup | None:
        network = self.plug.network
        if network is None:
            return None
        for group in network.groups:
            if group.segment is self.fluid_box.segment and group.prototype is self.prototype:
                return group
        return None

    @property
    def output_w(self) -> float:
        """Watts it gives now."""
        group = self._group
        if group is None or not group.part:
            return 0.0
        network = self.plug.network
        steam = network.steam_base + network.steam_slope * network.total
        return max(0.0, steam) * group.part / group.count / 1e6

    @property
    def energy(self) -> float:
        """Joules it gave in the last tick."""
        return self.output_w / 60

    @property
    def status(self) -> str:
        if self.plug.network is None:
            return "not_plugged_in_electric_network"
        segment = self.fluid_box.segment
        if segment is None or (segment.level() <= 0 and not segment.rate):
            return "no_input_fluid"
        return "working"

    def contents(self) -> dict[str, dict[str, float]]:
        return {"fluids": {self.fluid_box.content: self.fluid_box.amount}} if self.fluid_box.content else {}
