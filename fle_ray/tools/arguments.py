"""Checks of the arguments agents pass, with errors that say what was expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Direction, Entity, EntityCore, EntityGroup, Position, Prototype

__all__ = [
    "FARTHEST",
    "as_count",
    "as_direction",
    "as_entity",
    "as_position",
    "as_prototype",
    "as_radius",
    "check_values",
]

FARTHEST = 1_000_000  # tiles from the origin to the edge of the largest map of the game


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


def as_radius(tool: str, value: Any, *, error: str = "ValueError") -> float:
    """A number of tiles, 0 or more."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
        raise ToolError(f"{tool}: radius must be a number of tiles, 0 or more, not {_shown(value)}.", type=error)
    return float(min(value, 2 * FARTHEST))


def check_values(tool: str, values: Iterable[Any]) -> None:
    """Refuse positions off any map, and entities and groups whose fields a program has made useless.

    Values are snapshots that programs may edit, so that every field may hold anything.
    """
    for value in values:
        if isinstance(value, Position) or _is_pair(value):
            if not all(_on_a_map(part) for part in (value if _is_pair(value) else (value.x, value.y))):
                raise ToolError(
                    f"{tool}: {_shown(value)} is on no map: both coordinates must be numbers between "
                    f"-{FARTHEST:,} and {FARTHEST:,}.",
                    type="ValueError",
                )
        elif isinstance(value, EntityCore):
            _check_fields(tool, value, _ENTITY_FIELDS)
        elif isinstance(value, EntityGroup):
            _check_fields(tool, value, _GROUP_FIELDS)
            if not value.name.endswith("-group"):
                raise ToolError(f"{tool}: there are no groups called {value.name!r}.", type="ValueError")
        elif isinstance(value, (list, tuple, set, frozenset)):
            check_values(tool, [v for v in value if isinstance(v, (Position, EntityCore, EntityGroup))])


def _is_pair(value: Any) -> bool:
    """Whether it is two numbers, which some tools take for a Position."""
    return isinstance(value, (tuple, list)) and len(value) == 2 and all(isinstance(v, (int, float)) for v in value)


def _on_a_map(value: Any) -> bool:
    return isinstance(value, (int, float)) and -FARTHEST <= value <= FARTHEST


def _check_fields(tool: str, value: Any, fields: Mapping[str, type]) -> None:
    for name, kind in fields.items():
        if name not in value.__dict__:
            continue
        held = value.__dict__[name]
        if isinstance(held, list):
            fits = name in _MEMBERS and all(isinstance(member, kind) for member in held)
        else:
            fits = name not in _MEMBERS and (isinstance(held, kind) or (held is None and name in _OPTIONAL))
        if not fits:
            raise ToolError(
                f"{tool}: the {name} of this {type(value).__name__} is {_shown(held)}. Get the entity again.",
                type="ValueError",
            )
        check_values(tool, held if isinstance(held, list) else (held,))
    if isinstance(value, EntityGroup) and not any(value.__dict__.get(name) for name in _MEMBERS):
        raise ToolError(f"{tool}: this {value.name} has no members. Get the group again.", type="ValueError")


_ENTITY_FIELDS: Mapping[str, type] = {
    "name": str,
    "position": Position,
    "direction": Direction,
    "id": int,
    "input_position": Position,
    "output_position": Position,
    "pickup_position": Position,
    "drop_position": Position,
    "steam_output_point": Position,
    "connected_to": int,
}
_GROUP_FIELDS: Mapping[str, type] = {
    "name": str,
    "position": Position,
    "belts": Entity,
    "inputs": Entity,
    "outputs": Entity,
    "pipes": Entity,
    "poles": Entity,
    "entities": Entity,
}
_MEMBERS = frozenset({"belts", "inputs", "outputs", "pipes", "poles", "entities"})
_OPTIONAL = frozenset({"id", "connected_to", "pickup_position", "steam_output_point"})
_INFINITE = (float("inf"), float("-inf"))
