"""Directions as agents mean them, and as the engine keeps them.

Agents name an inserter's drop side and an offshore pump's land side; the engine names the opposite. Chemical
plants and pipes-to-ground are turned half round as well, so that what was asked for is what is reported.
"""

from __future__ import annotations

from fle_ray.game.prototypes import Entity as Prototype
from fle_ray.game.values import Direction

__all__ = ["agent_direction", "engine_direction"]

_TURNED_TYPES = frozenset({"inserter", "offshore-pump", "pipe-to-ground"})
_TURNED_NAMES = frozenset({"chemical-plant"})


def _turned(prototype: Prototype) -> bool:
    return prototype.type in _TURNED_TYPES or prototype.name in _TURNED_NAMES


def engine_direction(prototype: Prototype, direction: Direction) -> int:
    """The engine's 0..15 for the direction an agent asked for."""
    value = direction.value
    return (value + 8) % 16 if _turned(prototype) else value


def agent_direction(prototype: Prototype, direction: int) -> Direction:
    """What agents see for the engine's direction."""
    return Direction((direction + 8) % 16 if _turned(prototype) else direction)
