"""What was achieved between two readings of the production statistics.

Both functions work on cumulative counters, so two identical hand crafts count twice, and a reading restored
from a snapshot gives the same answer as one that was kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fle_ray.game.contracts import Flows

__all__ = ["Achievements", "Milestone", "achievements", "new_milestones"]


@dataclass(frozen=True, slots=True)
class Achievements:
    """Item or fluid name -> amount made; `static` by hand (mined or crafted), `dynamic` by machines."""

    static: dict[str, float] = field(default_factory=dict)
    dynamic: dict[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, dict[str, float]]:
        return {"static": dict(self.static), "dynamic": dict(self.dynamic)}


@dataclass(frozen=True, slots=True)
class Milestone:
    """The first time that something was made: `by` is `"hand"` or `"machine"`."""

    item: str
    by: str


def achievements(before: Flows, after: Flows) -> Achievements:
    """What was made from `before` to `after`, split into hands and machines.

    For each item whose production rose: the part that was harvested or hand-crafted is static, the rest
        dynamic.
    Only positive amounts are listed, by name.
    """
    step = after.since(before)
    static: dict[str, float] = {}
    dynamic: dict[str, float] = {}
    for item, made in step.produced.items():
        if made <= 0:
            continue
        by_hand = step.harvested.get(item, 0) + step.crafted.get(item, 0)
        if by_hand > 0:
            static[item] = by_hand
        if made > by_hand:
            dynamic[item] = made - by_hand
    return Achievements(static, dynamic)


def new_milestones(before: Flows, after: Flows) -> tuple[Milestone, ...]:
    """Items made for the first time between the two readings, by hand or by machine; ordered by item, hand
    first.

    `before` and `after` are totals since the start of the episode.
    """

    def firsts(earlier: dict[str, float], later: dict[str, float], by: str) -> list[Milestone]:
        return [Milestone(item, by) for item in later if later[item] > 0 and earlier.get(item, 0) <= 0]

    def by_hand(flows: Flows) -> dict[str, float]:
        names = flows.harvested.keys() | flows.crafted.keys()
        return {name: flows.harvested.get(name, 0) + flows.crafted.get(name, 0) for name in names}

    found = firsts(by_hand(before), by_hand(after), "hand")
    found += firsts(before.automated(), after.automated(), "machine")
    return tuple(sorted(found, key=lambda m: (m.item, m.by)))
