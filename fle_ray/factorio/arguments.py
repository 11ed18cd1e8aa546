"""Arguments as FLE's client sends them, into values of ours. What cannot be read raises ToolError."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fle_ray.errors import ToolError, UnknownName
from fle_ray.game.values import Direction, Position, Prototype, prototype_by_name, technology_by_name
from fle_ray.tools.arguments import FARTHEST
from fle_ray.tools.describe import describe
from fle_ray.tools.lookup import entity_meant

if TYPE_CHECKING:
    from fle_ray.factorio.face import Face

__all__ = [
    "agent_index",
    "entity_standing",
    "facing_of",
    "from_json",
    "item_counts",
    "place_at",
    "prototype_named",
    "technology_named",
]

_REACH = 1.0  # tiles round a place within which the entity meant is looked for, as our tools do

def agent_index(face: Face, player_index: Any) -> int:
    """0-based number of an agent from the 1-based one the client sends."""
    count = face.instance.agents
    if isinstance(player_index, bool) or not isinstance(player_index, int) or not 1 <= player_index <= count:
        raise ToolError(f"There is no player {player_index!r}; expected 1 to {count}.")
    return player_index - 1


def place_at(x: Any, y: Any) -> Position:
    """A position on the map. Raises ToolError for other values, and beyond the edge of the largest map."""
    try:
        place = Position(x=x, y=y)
    except ValueError as error:
        raise ToolError(str(error)) from error
    if not max(abs(place.x), abs(place.y)) <= FARTHEST:
        raise ToolError(f"({place.x:g}, {place.y:g}) lies beyond the map, which ends at {FARTHEST} tiles.")
    return place


def prototype_named(name: Any) -> Prototype:
    if not isinstance(name, str) or name not in prototype_by_name:
        raise ToolError(str(UnknownName("prototype", str(name), prototype_by_name)))
    return prototype_by_name[name]


def facing_of(value: Any) -> Direction:
    try:
        return Direction(value)
    except ValueError as error:
        raise ToolError(f"There is no direction {value!r}; expected 0, 4, 8 or 12.") from error


def from_json(text: Any, what: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolError(f"{what} is not JSON: {error}.") from error
    if not isinstance(value, kind):
        raise ToolError(f"{what} is {type(value).__name__}; expected {kind.__name__}.")
    return value


def item_counts(value: Any) -> dict[str, int]:
    """Item -> whole count >= 0."""
    if isinstance(value, list) and not value:
        return {}
    if not isinstance(value, dict):
        raise ToolError(f"An inventory is {type(value).__name__}; expected item names with counts.")
    for item, count in value.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ToolError(f"The count of {item} is {count!r}; expected a whole number >= 0.")
    return {item: count for item, count in value.items() if count}


def entity_standing(face: Face, agent: int, name: Any, x: Any, y: Any) -> Any:
    """The entity meant by a name (or None) and a place, as agents see it. Raises ToolError when there is none."""
    place = place_at(x, y)
    wanted = None if name is None else prototype_named(name).value[0]
    found = entity_meant(face.context(agent), place, reach=_REACH, name=wanted)
    if found is None:
        raise ToolError(f"Could not find {name or 'an entity'} near ({place.x:g}, {place.y:g}).")
    return describe(found)


def technology_named(name: Any) -> Any:
    if not isinstance(name, str) or name not in technology_by_name:
        raise ToolError(str(UnknownName("technology", str(name), technology_by_name)))
    return technology_by_name[name]
