"""Production statistics: what was made and used, by item and fluid, hands and machines apart."""

from __future__ import annotations

from collections.abc import Callable

from fle_ray.game.contracts import Flows

__all__ = ["Statistics"]


class Statistics:
    """Totals since the start of the world; names map to amounts.

    `produced` and `consumed` count machines and hands, as the game's own statistics do: drills, crafting,
    hand crafting and hand mining produce; crafting, fuel and labs consume. Moving items counts as neither.
    `harvested`, `crafted` and `crafted_consumed` are the hands' share.

    Attributes:
        goals: name -> total at which `reached()` is called whenever more is made (research triggers).
        lazy: called with copies of `produced` and `consumed` when totals are asked for, to add to them what has
            flowed at a rate and is not written down yet.
    """

    __slots__ = ("consumed", "crafted", "crafted_consumed", "goals", "harvested", "lazy", "produced", "reached")

    def __init__(self) -> None:
        self.produced: dict[str, float] = {}
        self.consumed: dict[str, float] = {}
        self.harvested: dict[str, float] = {}
        self.crafted: dict[str, float] = {}
        self.crafted_consumed: dict[str, float] = {}
        self.goals: dict[str, float] = {}
        self.reached: Callable[[], None] = _nothing
        self.lazy: list[Callable[[dict[str, float], dict[str, float]], None]] = []

    def made(self, name: str, amount: float) -> None:
        total = self.produced[name] = self.produced.get(name, 0) + amount
        if name in self.goals and total >= self.goals[name]:
            self.reached()

    def used(self, name: str, amount: float) -> None:
        self.consumed[name] = self.consumed.get(name, 0) + amount

    def mined_by_hand(self, name: str, amount: int) -> None:
        self.made(name, amount)
        self.harvested[name] = self.harvested.get(name, 0) + amount

    def crafted_by_hand(self, ingredients: dict[str, int], products: dict[str, int]) -> None:
        for name, amount in ingredients.items():
            self.used(name, amount)
            self.crafted_consumed[name] = self.crafted_consumed.get(name, 0) + amount
        for name, amount in products.items():
            self.made(name, amount)
            self.crafted[name] = self.crafted.get(name, 0) + amount

    def flows(self) -> Flows:
        """A copy of the totals, zero entries left out."""
        tables = {n: dict(getattr(self, n)) for n in _TABLES}
        for add in self.lazy:
            add(tables["produced"], tables["consumed"])
        return Flows(*({k: v for k, v in tables[n].items() if v} for n in _TABLES))

    def save(self) -> list:
        return [dict(sorted(getattr(self, n).items())) for n in _TABLES]

    def load(self, state: list) -> None:
        for name, table in zip(_TABLES, state, strict=True):
            setattr(self, name, dict(table))


def _nothing() -> None:
    """Nobody has goals yet."""


_TABLES = ("produced", "consumed", "harvested", "crafted", "crafted_consumed")
