"""Plugs: what connects an entity to an electric network, consumers and producers.

Demand is counted in whole microwatts, so that sums do not depend on the order of adding. A start counts from the
tick in which it happens, a rest from the next. When supply would not suffice for a start it counts, and the machine
works, from the next tick on, after the network was solved. Energies are in microwatt-ticks: joules = value / 60e6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fle_ray.sim.network import Network

__all__ = ["PER_JOULE", "ElectricSource", "Plug", "Producer"]

PER_JOULE = 60_000_000  # microwatt-ticks in a joule
_FOREVER = 1 << 60
_BUFFER_TICKS = 2  # a consumer's energy buffer holds this many ticks of use and drain


class Plug:
    """What connects an entity to a network. Subclasses are consumers and producers.

    Attributes:
        owner: the entity; network: the network it is in, None when no pole reaches it.
    """

    __slots__ = ("network", "owner")
    produces = False

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.network: Network | None = None

    def connect(self) -> None:
        """Enter the power system; called from the owner's `connect`."""
        self.owner.world.power_grid.enter(self)

    def gone(self) -> None:
        """Leave it; called from the owner's `gone`."""
        self.owner.world.power_grid.leave(self)

    def move(self, network: Network | None) -> None:
        """Be in another network from now on; what has been used and made so far is settled."""
        raise NotImplementedError

    def adopt(self, network: Network | None) -> None:
        """Be in a network again after a restore: nothing but the link changes."""
        self.network = network
        if network is not None:
            self.register(network)

    def register(self, network: Network) -> None:
        """Enter the network's list of its kind."""
        raise NotImplementedError

    def unregister(self, network: Network) -> None:
        raise NotImplementedError


class Producer(Plug):
    """A plug that gives power: the network is solved anew when it comes or goes.

    Subclasses keep the list in `table`, a name of a dict of the network.
    """

    __slots__ = ()
    produces = True
    table = ""

    def move(self, network: Network | None) -> None:
        if self.network is not None:
            self.network.write_down(self.network.clock())
            self.unregister(self.network)
            self.network.disturb()
        self.network = network
        if network is not None:
            network.write_down(network.clock())
            self.register(network)
            network.disturb()

    def register(self, network: Network) -> None:
        table = getattr(network, self.table)
        table[self.owner.number] = self
        if len(table) > 1:
            setattr(network, self.table, dict(sorted(table.items())))

    def unregister(self, network: Network) -> None:
        getattr(network, self.table).pop(self.owner.number, None)


class ElectricSource(Plug):
    """The electric energy source of one machine (see energy.py).

    `start()` and `rest()` turn the use per tick on and off, drain is drawn all the time. While the network cannot
    satisfy the demand, `rate()` is the share it can; when that changes, the machine is settled and woken.

    Attributes:
        use, drain: microwatts while at work, and always; draw: what it asks for now; started: at work.
        rank: 0 for `primary-input`, 1 for the others.
    """

    __slots__ = ("_seen", "_used", "_wait", "_worked", "drain", "draw", "rank", "started", "use")
    kind = "electric"

    def __init__(self, owner: Any, use_w: float | None = None) -> None:
        super().__init__(owner)
        record = owner.prototype.energy_source
        self.use = round((owner.prototype.energy_usage_w if use_w is None else use_w) * 1e6)
        self.drain = round(record.drain_w * 1e6)
        self.draw = self.drain
        self.started = False
        self.rank = 0 if record.usage_priority == "primary-input" else 1
        self._used: float = 0  # microwatt-ticks settled
        self._seen: float = 0  # the network's `work` up to which they are
        self._wait = -1  # tick of a start that supply did not suffice for: work begins in the next
        self._worked = -1  # the last tick in which the owner asked for power

    # -- an energy source of a machine (see energy.py) ---------------------------------------------------

    def on(self) -> bool:
        """Whether any power arrives."""
        return self.network is not None and self.network.shares[self.rank] > 0

    def empty(self) -> bool:
        return not self.on()

    def rate(self) -> float:
        """Share of full speed at which the owner works, 0..1."""
        return 0.0 if self.network is None else self.network.shares[self.rank]

    def start(self) -> None:
        """The owner begins to work, in this tick."""
        if not self.started:
            self.started = True
            self._turn(self.use)

    def rest(self) -> None:
        """The owner has stopped working; this tick still counts."""
        if self.started:
            self.started = False
            self._turn(-self.use)

    def _turn(self, change: int) -> None:
        network = self.network
        if network is None:
            self.draw += change
            return
        calendar = network.calendar
        clock = network.clock()
        rank = self.rank
        work = network.work_at(rank, clock)
        self._used += self.draw * (work - self._seen)
        self._seen = work
        self.draw += change
        enough = network.shift(rank, change, clock)
        if change > 0:
            if not enough:  # counts from the next tick on: nothing of this one
                self._wait = clock + 1
                self._pay(-change)
        elif calendar.phase >= 0 and self._worked == calendar.tick:
            self._pay(-change)  # at rest from the next tick on, but this one was worked

    def _pay(self, use: int) -> None:
        """Count one tick of `use` more (or less) than the demand says."""
        network = self.network
        lump = use * network.shares[self.rank]
        self._used += lump
        network.integral += lump

    def work(self, use: float | None = None) -> float:
        """Share of a full tick's work that this tick's power allows."""
        network = self.network
        if network is None:
            return 0.0
        tick = network.calendar.tick
        if self._wait == tick:
            return 0.0
        self._worked = tick
        return network.shares[self.rank]

    def refill(self) -> None:
        """The network fills the buffer."""

    def horizon(self) -> int:
        return _FOREVER

    def spend(self, ticks: int) -> None:
        """Use is counted by the network's clock."""

    def set_use(self, joules_per_tick: float) -> None:
        """Use this much in each full tick of work from now on; the owner has settled."""
        use = round(joules_per_tick * PER_JOULE)
        if use == self.use:
            return
        change = use - self.use
        self.use = use
        if self.network is not None:
            self.network.possible += change
        if self.started:
            worked, self._worked = self._worked, -1
            self._turn(change)
            self._worked = worked

    def working_status(self) -> str:
        return "working" if self.rate() >= 1 else "low_power"

    def starved_status(self) -> str:
        """The same with and without a pole: `not_plugged_in_electric_network` is for producers (API: entity_status)."""
        return "no_power"

    def contents(self) -> dict[str, dict[str, float]]:
        """No inventory."""
        return {}

    @property
    def energy(self) -> float:
        """Joules in the buffer."""
        return (self.use + self.drain) * _BUFFER_TICKS * self.rate() / PER_JOULE

    @property
    def used(self) -> float:
        """Joules used since the owner was built, drain included."""
        network = self.network
        if network is None:
            return self._used / PER_JOULE
        work = network.work_at(self.rank, network.clock())
        return max(0.0, self._used + self.draw * (work - self._seen)) / PER_JOULE

    # -- a plug --------------------------------------------------------------------------------------------

    def move(self, network: Network | None) -> None:
        owner = self.owner
        before = self.rate()
        calendar = owner.world.calendar
        clock = self.owner.world.power_grid.clock()
        owner.settle(clock)
        if self.network is not None:
            self._used += self.draw * (self.network.work_at(self.rank, clock) - self._seen)
            self.network.shift(self.rank, -self.draw, clock)
            self.unregister(self.network)
        self.network = network
        if network is not None:
            self.register(network)
            network.shift(self.rank, self.draw, clock)
            self._seen = network.work_at(self.rank, clock)
        if self.rate() != before and not owner.removed:
            calendar.wake(owner)

    def adopt(self, network: Network | None) -> None:
        super().adopt(network)
        if network is not None:
            network.demand[self.rank] += self.draw
            network.total += self.draw

    def register(self, network: Network) -> None:
        network.consumers[self] = None
        network.possible += self.use + self.drain

    def unregister(self, network: Network) -> None:
        network.consumers.pop(self, None)
        network.possible -= self.use + self.drain

    def save(self) -> list:
        return [self.use, self.draw, self.started, self._used, self._seen, self._wait]

    def load(self, state: list) -> None:
        self.use, self.draw, self.started, self._used, self._seen, self._wait = state
