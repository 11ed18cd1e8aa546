"""Electricity: networks of poles, what plugs into them, and how supply is shared.

A network is the poles joined by wire and every consumer and producer that stands in one of their supply areas.
Supply is used in the order solar, then steam (all generators at the same share of what they can do), then
accumulators; what is left over charges accumulators, steam included. Consumers of class `primary-input` are
served before the others; within a class all get the same share of what they ask for (API: ElectricUsagePriority;
wiki: Electric system).

How it works without a loop per tick: a network is *solved* when something about it changes that matters, and
between two solutions everything about it is a linear function of the time T since and of the demand integrated
over it: steam used = sa * T + sb * integral, accumulators charged = ca * T + cb * integral. Each solution holds for
a range of demand, so that machines that start and stop within it cost an addition each. What producers and
accumulators hold is read off these functions and written down only when the network is solved anew, so looking at
the world changes nothing.

Demand is counted in whole microwatts, so that sums do not depend on the order of adding. A start counts from the
tick in which it happens, a rest from the next. When supply would not suffice for a start it counts, and the machine
works, from the next tick on, after the network was solved.

Energies in here are in microwatt-ticks: joules = value / 60e6.
"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, Any

from fle_ray.sim.core import NETWORKS
from fle_ray.sim.map import tiles_of

if TYPE_CHECKING:
    from fle_ray.sim.pole import Pole
    from fle_ray.sim.world import World

__all__ = ["PER_JOULE", "ElectricSource", "Network", "Plug", "Power"]

PER_JOULE = 60_000_000  # microwatt-ticks in a joule
_FOREVER = 1 << 60
_BUFFER_TICKS = 2  # a consumer's energy buffer holds this many ticks of use and drain
_LIGHT_STEP = 60  # ticks for which a solar panel's output is taken as constant at dusk and dawn (its mean)
_MOST_CHECK = 1 << 30
_NO_LIMIT = 1e300  # stands for infinity, which JSON lacks
_NEARLY = 1e-9
_GROWTH = 4  # a solution holds until demand has grown so many times,
_FRACTION = 8  # or to this fraction of what all consumers together may ask for


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
        return "no_power" if self.network is not None else "not_plugged_in_electric_network"

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


class Network:
    """One electric network.

    Attributes:
        number: creation number of its oldest pole, its identity.
        poles: number -> pole. consumers: consumers, in order of joining.
        demand: microwatts asked for, by rank; total: their sum; possible: what all at work at once would ask for.
        shares: satisfaction by rank, 0..1.
        low, high: the range of total demand for which the present solution holds.
        integral: demand integrated since the solution, up to and including tick `since`.
        solved: the last tick before the present solution.
        work: integral of the shares, by rank, up to and including `solved`.
    """

    __slots__ = (
        "accumulators",
        "calendar",
        "charge_base",
        "charge_slope",
        "charging",
        "consumers",
        "demand",
        "due",
        "endless",
        "generators",
        "groups",
        "high",
        "integral",
        "low",
        "number",
        "order",
        "poles",
        "possible",
        "power",
        "shares",
        "since",
        "solars",
        "solved",
        "steam_base",
        "steam_slope",
        "total",
        "work",
    )
    phase = NETWORKS

    def __init__(self, power: Power, number: int) -> None:
        self.power = power
        self.calendar = power.world.calendar
        self.number = number
        self.order = -number
        self.due = 0
        self.poles: dict[int, Pole] = {}
        self.consumers: dict[ElectricSource, None] = {}
        self.solars: dict[int, Any] = {}
        self.generators: dict[int, Any] = {}
        self.accumulators: dict[int, Any] = {}
        self.endless = 0  # poles with an endless supply
        self.groups: list[Any] = []  # generators by steam segment, as the last solution found them
        self.charging: list[Any] = []  # accumulators that take part in the present solution
        self.demand = [0, 0]
        self.total = 0
        self.possible = 0
        self.shares = [0.0, 0.0]
        self.work: list[float] = [0, 0]
        self.low, self.high = _NO_LIMIT, -_NO_LIMIT
        self.integral: float = 0
        self.since = self.solved = self.clock()
        self.steam_base = self.steam_slope = 0.0
        self.charge_base = self.charge_slope = 0.0

    def __repr__(self) -> str:
        return f"<network {self.number} of {len(self.poles)} poles>"

    def clock(self) -> int:
        """The last tick that has run to its end."""
        calendar = self.calendar
        return calendar.tick if calendar.phase < 0 else calendar.tick - 1

    # -- members -------------------------------------------------------------------------------------------

    @property
    def live(self) -> bool:
        """Whether anything in it can give power at all."""
        return bool(self.endless or self.solars or self.generators or self.accumulators)

    def disturb(self) -> None:
        """Something about supply or demand changed: solve anew at the beginning of the next tick."""
        self.calendar.wake(self)

    # -- demand ----------------------------------------------------------------------------------------------

    def shift(self, rank: int, change: int, clock: int) -> bool:
        """Ask for `change` microwatts more from tick `clock` + 1 on; False when the solution does not cover it."""
        ticks = clock - self.since
        if ticks:
            self.integral += self.total * ticks
            self.since = clock
        total = self.total = self.total + change
        self.demand[rank] += change
        if self.low <= total <= self.high:
            return True
        self.calendar.wake(self)
        return False

    def work_at(self, rank: int, clock: int) -> float:
        """Ticks of full power that a consumer has had, up to and including tick `clock`."""
        return self.work[rank] + self.shares[rank] * (clock - self.solved)

    # -- what producers and accumulators did since the solution -------------------------------------------------

    def steam_since(self, clock: int) -> float:
        """Microwatt-ticks that generators gave since the solution."""
        given = self.steam_base * (clock - self.solved)
        if self.steam_slope:
            given += self.steam_slope * (self.integral + self.total * (clock - self.since))
        return given if given > 0 else 0.0

    def charge_since(self, clock: int) -> float:
        """Microwatt-ticks that went into accumulators since the solution, negative when they gave."""
        taken = self.charge_base * (clock - self.solved)
        if self.charge_slope:
            taken += self.charge_slope * (self.integral + self.total * (clock - self.since))
        return taken

    def write_down(self, clock: int) -> None:
        """Settle everything up to and including tick `clock`; the present solution goes on from there."""
        ticks = clock - self.solved
        steam = self.steam_since(clock)
        for group in self.groups:
            group.given += steam * group.part
        if self.charging:
            charge = self.charge_since(clock)
            for accumulator in self.charging:
                accumulator.store(charge * accumulator.part)
        for rank in (0, 1):
            self.work[rank] += self.shares[rank] * ticks
        self.solved = self.since = clock
        self.integral = 0

    # -- solving -----------------------------------------------------------------------------------------------

    def update(self, tick: int) -> None:
        self.solve()

    def solve(self) -> None:
        """Find out who gives how much, from the next tick to run on."""
        clock = self.clock()
        self.write_down(clock)
        demand = self.total
        solar = self.power.light(clock) * sum([plug.peak for plug in self.solars.values()])
        for group in self.groups:
            group.refresh()
        steam = sum([group.able for group in self.groups])
        for group in self.groups:
            group.part = group.able / steam if steam else 0.0
        supply = _NO_LIMIT if self.endless else solar + steam
        most_in = self._limit(True)
        most_out = self._limit(False)
        shares = (1.0, 1.0) if supply + most_out > 0 else (0.0, 0.0)
        if demand + most_in <= supply:  # accumulators charge as fast as they can
            self._charge(1)
            if self.endless or demand + most_in <= solar:
                self._sustained(0.0, 0.0, 0.0)
                self._set(0.0, 0.0, most_in, 0.0, -1.0, supply if self.endless else solar - most_in)
            else:
                extra = most_in - solar
                bound = min(self.possible, max(_GROWTH * demand, self.possible / _FRACTION)) + extra
                low, high = self._sustained(demand + extra, steam, bound)
                self._set(extra, 1.0, most_in, 0.0, low - extra, high - extra)
        elif demand <= supply + most_out:  # accumulators take what is left over, or give what is missing
            charging = demand < supply
            self._charge(1 if charging else -1)
            self._sustained(steam, steam, steam)
            if charging:
                self._set(steam, 0.0, supply, -1.0, supply - most_in, supply)
            else:
                self._set(steam, 0.0, supply, -1.0, supply, supply + most_out)
        else:  # not enough
            self._charge(-1)
            self._sustained(steam, steam, steam)
            self._set(steam, 0.0, -most_out, 0.0, _NO_LIMIT, -_NO_LIMIT)
            left = supply + most_out
            first = min(1.0, left / self.demand[0]) if self.demand[0] else float(left > 0)
            left -= self.demand[0] * first
            second = min(1.0, max(0.0, left) / self.demand[1]) if self.demand[1] else float(left > 0)
            shares = (first, second)
        self._share(clock, *shares)
        self._plan(clock)

    def _sustained(self, wanted: float, steam: float, bound: float) -> tuple[float, float]:
        """Tell the generator groups what they may be asked for when `wanted` of `steam` is given now.

        Returns the range of steam within which the same groups use up their stock, cut at `bound`: the less may be
        asked for, the longer boilers need not look at their fuel.
        """
        low, high = 0.0, min(steam, max(wanted, bound))
        for group in self.groups:
            if not group.part:
                group.plan(0.0)
                continue
            limit = group.sustained / group.part  # above this its stock shrinks
            if limit >= wanted:
                high = min(high, limit)
            else:
                low = max(low, limit)
        for group in self.groups:
            if group.part:
                group.plan(high * group.part)
        return low, high

    def _set(
        self,
        steam_base: float,
        steam_slope: float,
        charge_base: float,
        charge_slope: float,
        low: float,
        high: float,
    ) -> None:
        self.steam_base, self.steam_slope = steam_base, steam_slope
        self.charge_base, self.charge_slope = charge_base, charge_slope
        self.low, self.high = low, high

    def _limit(self, charging: bool) -> float:
        """Microwatts that accumulators can take up, or give."""
        return sum([a.can_take if charging else a.can_give for a in self.accumulators.values()])

    def _charge(self, way: int) -> None:
        """Choose the accumulators that take part: all that can, each for its part of what they can together."""
        limits = [(a, a.can_take if way > 0 else a.can_give) for a in self.accumulators.values()]
        whole = sum([limit for _, limit in limits])
        self.charging = []
        for accumulator, limit in limits:
            accumulator.part = limit / whole if limit else 0.0
            if limit:
                self.charging.append(accumulator)

    def _share(self, clock: int, first: float, second: float) -> None:
        """Set the shares of satisfaction; machines whose speed changes are settled, and woken after."""
        before = self.shares
        if before[0] == first and before[1] == second:
            return
        new = [first, second]
        affected = [c for c in self.consumers if before[c.rank] != new[c.rank]]
        for consumer in affected:
            consumer.owner.settle(clock)
        self.shares = new
        wake = self.calendar.wake
        for consumer in affected:
            if consumer.started or not (before[consumer.rank] and new[consumer.rank]):
                wake(consumer.owner)

    def _plan(self, clock: int) -> None:
        """Schedule the next solution that will be needed even if demand does not change."""
        ticks = self.power.light_lasts(clock) if self.solars else _FOREVER
        if self.charging:
            # The most that flows while the solution holds, and until when nothing runs full or empty.
            if self.charge_slope:
                ends = [self.charge_base - self.low, self.charge_base - self.high]
            else:
                ends = [self.charge_base]
            most, least = max(ends), min(ends)
            for accumulator in self.charging:
                part = accumulator.part
                if most > 0:
                    ticks = min(ticks, max(1, floor(accumulator.room / (most * part) + _NEARLY)))
                if least < 0:
                    ticks = min(ticks, max(1, floor(accumulator.stored / (-least * part) + _NEARLY)))
        if ticks < _MOST_CHECK and not self.due:  # it is due when the solution itself changed what it rests on
            self.calendar.schedule(self, clock + 1 + int(ticks))

    # -- generators --------------------------------------------------------------------------------------------

    def regroup(self) -> None:
        """Put the generators together by the segment they draw from, after either has changed."""
        clock = self.clock()
        self.write_down(clock)
        for group in self.groups:
            group.leave(clock)
        self._make_groups()
        self.disturb()

    def _make_groups(self) -> None:
        groups: dict[Any, Any] = {}
        for plug in self.generators.values():
            plug.join_group(groups)
        self.groups = [groups[key] for key in sorted(groups)]

    # -- state -------------------------------------------------------------------------------------------------

    def save(self) -> list:
        return [
            self.number,
            self.due,
            list(self.shares),
            list(self.work),
            self.low,
            self.high,
            self.integral,
            self.since,
            self.solved,
            self.steam_base,
            self.steam_slope,
            self.charge_base,
            self.charge_slope,
            [group.save() for group in self.groups],
        ]

    def load(self, state: list) -> None:
        (
            _,
            due,
            self.shares,
            self.work,
            self.low,
            self.high,
            self.integral,
            self.since,
            self.solved,
            self.steam_base,
            self.steam_slope,
            self.charge_base,
            self.charge_slope,
            groups,
        ) = state
        self.shares, self.work = list(self.shares), list(self.work)
        self._make_groups()
        for group, saved in zip(self.groups, groups, strict=True):
            group.load(saved)
        self.charging = [a for a in self.accumulators.values() if a.part]
        if due:
            self.calendar.schedule(self, due)


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
