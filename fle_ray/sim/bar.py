"""Bars that fill by repeated addition, as the game's doubles do, without a loop per tick.

A craft is done when `seconds / duration >= 1`, where every tick adds one step to `seconds`. How many additions
that takes depends on how doubles round (192 additions of 1/60 stay just under 3.2), so the additions are
really done, once per craft and not once per tick.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["additions_to_fill", "after_additions"]


@lru_cache(maxsize=65536)
def additions_to_fill(seconds: float, step: float, duration: float) -> tuple[int, float]:
    """(additions of `step` until `seconds / duration >= 1`, the sum just before the last one).

    Args:
        seconds: where the bar stands; step: > 0, added each tick; duration: > 0.
    """
    count = 0
    before = seconds
    while True:
        before = seconds
        seconds += step
        count += 1
        if seconds / duration >= 1.0:
            return count, before


def after_additions(seconds: float, step: float, count: int) -> float:
    """`seconds` after `count` additions of `step`."""
    for _ in range(count):
        seconds += step
    return seconds
