"""Checks of the arguments agents pass, with errors that say what was expected."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Direction, Entity, EntityGroup, Position, Prototype

__all__ = ["as_count", "as_direction", "as_entity", "as_position", "as_prototype"]


def _shown(value: Any) -> str:
    text = repr(value).strip()
    return f"{text if len(text) <= 80 else text[:77] + '...'} ({type(value).__name__})"


def as_prototype(tool: str, name: str, value: Any, *, error: str = "AssertionError") -> Prototype:
    """A Prototype, else ToolError of type `error`."""
    if not isinstance(value, Prototype):
        raise ToolError(
            f"{tool}: {name} must be a valid Prototype such as Prototype.IronChest, not {_shown(value)}.", type=error
        )
    return value


def as_position(tool: str, name: str, value: Any, *, tuples: bool = True, error: str = "ValueError") -> Position:
    """A Position; pairs of numbers are accepted when `tuples`, entities never are."""
    if isinstance(value, Position):
        return value
    if tuples and isinstance(value, (tuple, list)) and len(value) == 2:
        try:
            return Position(x=value[0], y=value[1])
        except (TypeError, ValueError):
            pass
    raise ToolError(f"{tool}: {name} must be a Position such as Position(x=1, y=2), not {_shown(value)}.", type=error)


def as_direction(tool: str, name: str, value: Any, *, error: str = "ValueError") -> Direction:
    """One of the four main directions."""
    if isinstance(value, Direction) and value.value % 4 == 0:
        return value
    raise ToolError(f"{tool}: {name} must be Direction.UP, RIGHT, DOWN or LEFT, not {_shown(value)}.", type=error)


def as_entity(tool: str, name: str, value: Any, *, error: str = "ValueError", groups: bool = False) -> Any:
    """An entity as the tools return them; a group too when `groups`."""
    if isinstance(value, Entity) or (groups and isinstance(value, EntityGroup)):
        return value
    wanted = "an entity or group" if groups else "an entity"
    raise ToolError(f"{tool}: {name} must be {wanted} that a tool returned, not {_shown(value)}.", type=error)


def as_count(tool: str, name: str, value: Any, *, least: int = 1, error: str = "ValueError") -> int:
    """A number of at least `least`, rounded down to a whole one: programs divide."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or value in _INFINITE:
        raise ToolError(f"{tool}: {name} must be a number, not {_shown(value)}.", type=error)
    if value < least:
        raise ToolError(f"{tool}: {name} must be at least {least}, not {value}.", type=error)
    return int(value)


_INFINITE = (float("inf"), float("-inf"))
