"""Bars that fill by repeated addition, as the game's doubles do, without a loop per tick.

A craft is done when `seconds / duration >= 1`, where every tick adds one step to `seconds`. How many additions
that takes depends on how doubles round (192 additions of 1/60 stay just under 3.2), so the additions are
really done, once per craft and not once per tick.

At less than full power nothing of the kind is known of the game, and steps may be tiny. Steps and bars then lie on
a grid so fine and yet so coarse that no addition rounds; n additions are one multiplication.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from itertools import accumulate, repeat
from math import ceil, floor

__all__ = ["additions_to_fill", "after_additions", "on_grid"]

_GRID = float(1 << 40)  # steps below full power are multiples of 1 / _GRID
_NEVER = 1 << 50
_MARGIN = 2  # additions: far more than rounding can make of some thousands of them


def on_grid(seconds: float) -> float:
    """The next lower value that many additions do not round."""
    return floor(seconds * _GRID) / _GRID


def additions_to_fill(seconds: float, step: float, duration: float) -> tuple[int, float]:
    """(additions of `step` until `seconds / duration >= 1`, the sum just before the last one).

    Args:
        seconds: where the bar stands; step: >= 0, added each tick; duration: > 0.
    """
    if (step * _GRID).is_integer() and (seconds * _GRID).is_integer():
        if step <= 0:
            return _NEVER, seconds
        count = max(1, ceil((duration - seconds) / step))
        while (seconds + step * count) / duration < 1.0:
            count += 1
        while count > 1 and (seconds + step * (count - 1)) / duration >= 1.0:
            count -= 1
        return count, seconds + step * (count - 1)
    return _by_adding(seconds, step, duration)


@lru_cache(maxsize=65536)
def _by_adding(seconds: float, step: float, duration: float) -> tuple[int, float]:
    count = max(0, int((duration - seconds) / step) - _MARGIN) if step > 0 else 0
    seconds = _added(seconds, step, count)
    while True:
        before = seconds
        seconds += step
        count += 1
        if seconds / duration >= 1.0:
            return count, before


def after_additions(seconds: float, step: float, count: int) -> float:
    """`seconds` after `count` additions of `step`."""
    if (step * _GRID).is_integer() and (seconds * _GRID).is_integer():
        return seconds + step * count
    return _added(seconds, step, count)


def _added(seconds: float, step: float, count: int) -> float:
    """`count` additions of `step`, one after the other (`sum` would compensate what they round)."""
    return deque(accumulate(repeat(step, count), initial=seconds), maxlen=1)[0]
