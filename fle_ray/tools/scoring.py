"""Production score: what was made, weighed by the price list, hands' share apart."""

from __future__ import annotations

from math import floor

from fle_ray.game.contracts import Flows
from fle_ray.game.prices import prices
from fle_ray.game.prototypes import load

__all__ = ["production_score"]

_DIGITS = 6  # sums in another order differ in the last digits, which must not cost a whole point


def production_score(flows: Flows) -> tuple[float, float]:
    """(production score, automated part) of the flows since the start of an episode.

    The score is the price-weighed sum of produced minus consumed, rounded down; the automated part leaves out
    what hands mined and what hand crafting added (its products minus its ingredients).
    """
    price = prices(load())

    def value(table: dict[str, float]) -> float:
        return sum(price.get(name, 0.0) * table[name] for name in sorted(table))

    total = value(flows.produced) - value(flows.consumed)
    by_hand = value(flows.harvested) + value(flows.crafted) - value(flows.crafted_consumed)
    return float(floor(round(total, _DIGITS))), float(floor(round(total - by_hand, _DIGITS)))
