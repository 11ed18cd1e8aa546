"""Electricity on the map: which poles are joined, what stands within their reach, and the light of the day.

A network is the poles joined by wire and every consumer and producer that stands in one of their supply areas. What
several networks reach belongs to one of them: the oldest that has any producer (the game lets it draw on all).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fle_ray.sim.map import tiles_of
from fle_ray.sim.network import Network
from fle_ray.sim.plug import Plug

if TYPE_CHECKING:
    from fle_ray.sim.pole import Pole
    from fle_ray.sim.world import World

__all__ = ["Power"]

_FOREVER = 1 << 60
_LIGHT_STEP = 60  # ticks for which a solar panel's output is taken as constant at dusk and dawn (its mean)
_NEARLY = 1e-9


class Power:
    """All poles and plugs of a world, joined into networks.

    Attributes:
        networks: number -> network. poles: number -> pole. plugs: number of the owner -> plug.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.networks: dict[int, Network] = {}
        self.poles: dict[int, Pole] = {}
        self.plugs: dict[int, Plug] = {}
        self._covered: dict[tuple[int, int], list[Pole]] = {}
        self._torn: dict[int, Plug] = {}  # plugs within reach of more than one network
        self._always_day = True

    def clock(self) -> int:
        """The last tick that has run to its end."""
        calendar = self.world.calendar
        return calendar.tick if calendar.phase < 0 else calendar.tick - 1

    # -- day and night ---------------------------------------------------------------------------------------

    @property
    def always_day(self) -> bool:
        """Whether the sun stands still at noon."""
        return self._always_day

    @always_day.setter
    def always_day(self, value: bool) -> None:
        self._always_day = bool(value)
        for network in self.networks.values():
            if network.solars:
                network.disturb()

    def light(self, clock: int) -> float:
        """Share of full sunlight in the ticks after `clock`."""
        if self._always_day:
            return 1.0
        return self.world.data.constants.daylight(clock // _LIGHT_STEP * _LIGHT_STEP + (_LIGHT_STEP - 1) / 2)

    def light_lasts(self, clock: int) -> int:
        """For how many ticks after `clock` the light stays the same."""
        if self._always_day:
            return _FOREVER
        constants = self.world.data.constants
        day = constants.day_ticks
        dusk, evening, morning, dawn = (
            round(share * day)
            for share in (constants.dusk, constants.evening, constants.morning, constants.dawn)
        )
        part = clock % day
        if part < dusk:
            return dusk - part
        if part >= dawn:
            return day + dusk - part
        if evening <= part < morning:
            return morning - part
        return _LIGHT_STEP - part % _LIGHT_STEP

    # -- plugs -------------------------------------------------------------------------------------------------

    def enter(self, plug: Plug) -> None:
        """A plug is there now (a restore assigns all at once)."""
        self.plugs[plug.owner.number] = plug
        if not self.world.restoring:
            self._assign(plug)
            if plug.produces:
                self._settle_torn()

    def leave(self, plug: Plug) -> None:
        del self.plugs[plug.owner.number]
        self._torn.pop(plug.owner.number, None)
        plug.move(None)
        if plug.produces:
            self._settle_torn()

    def _choose(self, plug: Plug) -> Network | None:
        """The network a plug belongs to: of those that reach it the oldest that has any producer, else the oldest."""
        found: dict[int, Network] = {}
        for tile in tiles_of(plug.owner.box):
            for pole in self._covered.get(tile, ()):
                found[pole.grid.number] = pole.grid
        if not found:
            self._torn.pop(plug.owner.number, None)
            return None
        numbers = sorted(found)
        if len(numbers) == 1:
            self._torn.pop(plug.owner.number, None)
            return found[numbers[0]]
        self._torn[plug.owner.number] = plug
        if not plug.produces:
            for number in numbers:
                if found[number].live:
                    return found[number]
        return found[numbers[0]]

    def _assign(self, plug: Plug) -> None:
        network = self._choose(plug)
        if network is not plug.network:
            plug.move(network)

    def _settle_torn(self) -> None:
        for number in sorted(self._torn):
            self._assign(self._torn[number])

    def plugs_in(self, box: tuple[float, float, float, float]) -> list[Plug]:
        """Plugs whose owner overlaps a box, by creation number."""
        numbers = {t.number for t in self.world.map.things_in(box) if getattr(t, "number", None) in self.plugs}
        return [self.plugs[n] for n in sorted(numbers)]

    # -- poles ---------------------------------------------------------------------------------------------------

    def enter_pole(self, pole: Pole) -> None:
        """A pole is there now, not wired yet (or wired as it was, after a restore)."""
        self.poles[pole.number] = pole
        for tile in tiles_of(pole.supply):
            self._covered.setdefault(tile, []).append(pole)
        if not self.world.restoring:
            pole.grid = Network(self, pole.number)
            pole.grid.poles[pole.number] = pole
            pole.grid.endless = int(pole.endless)
            self.networks[pole.number] = pole.grid
            for number in self.reached(pole):
                self.wire(pole, self.poles[number])
            for plug in self.plugs_in(pole.supply):
                self._assign(plug)
            self._settle_torn()

    def reached(self, pole: Pole) -> list[int]:
        """Poles a new one is wired to: those in reach, nearest first, but none that one just wired is wired to."""
        near = []
        for other in self.poles.values():
            if other is pole:
                continue
            distance = ((other.x - pole.x) ** 2 + (other.y - pole.y) ** 2) ** 0.5
            if distance <= min(other.prototype.pole.wire_reach, pole.prototype.pole.wire_reach) + _NEARLY:
                near.append((distance, other.number))
        near.sort()
        wired: list[int] = []
        for _, number in near:
            if not any(number in self.poles[w].wires for w in wired):
                wired.append(number)
        return wired

    def wire(self, a: Pole, b: Pole) -> None:
        """Join two poles by wire."""
        if b.number in a.wires:
            return
        a.wires = sorted((*a.wires, b.number))
        b.wires = sorted((*b.wires, a.number))
        if a.grid is b.grid:
            return
        keep, drop = sorted((a.grid, b.grid), key=lambda n: n.number)
        for pole in drop.poles.values():
            pole.grid = keep
        keep.poles.update(drop.poles)
        keep.endless += drop.endless
        self._move_all(drop)
        self._drop(drop)
        keep.disturb()

    def unwire(self, a: Pole, b: Pole) -> None:
        """Take a wire away."""
        a.wires = [n for n in a.wires if n != b.number]
        b.wires = [n for n in b.wires if n != a.number]
        self._split(a.grid)

    def leave_pole(self, pole: Pole) -> None:
        """A pole is taken away, and its wires."""
        network = pole.grid
        for number in pole.wires:
            other = self.poles[number]
            other.wires = [n for n in other.wires if n != pole.number]
        del self.poles[pole.number]
        del network.poles[pole.number]
        network.endless -= int(pole.endless)
        for tile in tiles_of(pole.supply):
            here = self._covered[tile]
            here.remove(pole)
            if not here:
                del self._covered[tile]
        self._split(network)
        self._settle_torn()

    def _components(self, poles: dict[int, Pole]) -> list[dict[int, Pole]]:
        found = []
        left = dict(sorted(poles.items()))
        while left:
            number, first = next(iter(left.items()))
            del left[number]
            part = {number: first}
            todo = [first]
            while todo:
                for other in todo.pop().wires:
                    if other in left:
                        part[other] = left.pop(other)
                        todo.append(part[other])
            found.append(dict(sorted(part.items())))
        return found

    def _split(self, network: Network) -> None:
        """Make networks of the parts a network has fallen into."""
        parts = self._components(network.poles)
        kept = False
        for part in parts:
            if next(iter(part)) == network.number:
                network.poles = part
                network.endless = sum(int(p.endless) for p in part.values())
                kept = True
                continue
            new = Network(self, next(iter(part)))
            new.shares = list(network.shares)
            new.poles = part
            new.endless = sum(int(p.endless) for p in part.values())
            for pole in part.values():
                pole.grid = new
            self.networks[new.number] = new
            new.disturb()
        self._move_all(network)
        if kept:
            network.disturb()
        else:
            self._drop(network)

    def _move_all(self, network: Network) -> None:
        """Assign every plug of a network anew."""
        plugs: list[Plug] = [
            *network.consumers,
            *network.solars.values(),
            *network.generators.values(),
            *network.accumulators.values(),
        ]
        for plug in sorted(plugs, key=lambda p: p.owner.number):
            self._assign(plug)

    def _drop(self, network: Network) -> None:
        self.world.calendar.cancel(network)
        self.networks.pop(network.number, None)

    def fluids_changed(self, segments: list[Any]) -> None:
        """Segments were put together anew: so are the groups of the generators on them."""
        changed = {s.key for s in segments}
        for number in sorted(self.networks):
            network = self.networks[number]
            if any(p.segment is not None and p.segment.key in changed for p in network.generators.values()):
                network.regroup()

    # -- state ---------------------------------------------------------------------------------------------------

    def save(self) -> Any:
        return [self._always_day, [self.networks[n].save() for n in sorted(self.networks)]]

    def load(self, state: Any) -> None:
        self._always_day, networks = state
        for part in self._components(self.poles):
            network = Network(self, next(iter(part)))
            network.poles = part
            network.endless = sum(int(p.endless) for p in part.values())
            for pole in part.values():
                pole.grid = network
            self.networks[network.number] = network
        # Which network a plug is in depends on which have producers, so these come first.
        plugs = sorted(self.plugs.values(), key=lambda p: (not p.produces, p.owner.number))
        for plug in plugs:
            plug.adopt(self._choose(plug))
        for saved in networks:
            self.networks[saved[0]].load(saved)
