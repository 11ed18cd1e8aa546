"""Points as agents see them, and the shape of what a describer returns."""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.game.values import Position

__all__ = ["Fields", "half"]

Fields = dict[str, Any]


def half(point: tuple[float, float]) -> Position:
    """A point rounded to the nearest half tile."""
    return Position(x=floor(point[0] * 2 + 0.5) / 2, y=floor(point[1] * 2 + 0.5) / 2)
