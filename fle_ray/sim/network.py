"""Electric networks: how supply is shared.

Supply is used in the order solar, then steam (all generators at the same share of what they can do), then
accumulators; what is left over charges accumulators, steam included. Consumers of class `primary-input` are
served before the others; within a class all get the same share of what they ask for (API: ElectricUsagePriority;
wiki: Electric system).

How it works without a loop per tick: a network is *solved* when something about it changes that matters, and
between two solutions everything about it is a linear function of the time T since and of the demand integrated
over it: steam used = base * T + slope * integral, and likewise what accumulators take up. Each solution holds for
a range of demand, so that machines that start and stop within it cost an addition each. What producers and
accumulators hold is read off these functions and written down only when the network is solved anew, so looking at
the world changes nothing.
"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, Any

from fle_ray.sim.core import NETWORKS

if TYPE_CHECKING:
    from fle_ray.sim.plug import ElectricSource
    from fle_ray.sim.pole import Pole
    from fle_ray.sim.power import Power

__all__ = ["Network"]

_FOREVER = 1 << 60
_MOST_CHECK = 1 << 30
_NO_LIMIT = 1e300  # stands for infinity, which JSON lacks
_NEARLY = 1e-9
_GROWTH = 4  # a solution holds until demand has grown so many times,
_FRACTION = 8  # or to this fraction of what all consumers together may ask for


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
            consumer.owner.pacing(clock)
        self.shares = new
        wake = self.calendar.wake
        for consumer in affected:
            if not (before[consumer.rank] and new[consumer.rank]):
                wake(consumer.owner)
            elif consumer.started:
                consumer.owner.paced(clock)

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
