"""How much of an ingredient inserters put into a machine."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

__all__ = ["input_limit"]

_SLOWEST_CYCLE_S = 1.166  # one swing of the slowest inserter
_LEAST, _MOST = 2, 100


@lru_cache(maxsize=4096)
def input_limit(amount: float, crafting_speed: float, energy_required_s: float) -> float:
    """An inserter drops an ingredient while the machine holds fewer than this.

    The rule, amount * clamp(ceil(1.166 * speed / time) + 1, 2, 100), was measured on 2.1.20; its three
    constants are the same in 2.0.
    """
    crafts = ceil(_SLOWEST_CYCLE_S * crafting_speed / energy_required_s) + 1
    return amount * min(max(crafts, _LEAST), _MOST)
