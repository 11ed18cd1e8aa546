"""FLE's server-side actions by name, each a thin mapping onto our tools: no rule of the game stands here.

`ACTIONS` holds what is mapped, `UNMAPPED` what is not and why; `python -m fle_ray.factorio actions` lists both.
Each function takes the world and the arguments in the order in which FLE's client sends them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fle_ray.errors import ToolError, UnknownName
from fle_ray.game.values import (
    BuildingBox,
    Direction,
    EntityGroup,
    Position,
    Prototype,
    RecipeName,
    prototype_by_name,
    technology_by_name,
)
from fle_ray.tools.describe import describe
from fle_ray.tools.get_entity import group_members
from fle_ray.tools.groups import PIPE_NAMES
from fle_ray.tools.lookup import built_in, entity_meant

if TYPE_CHECKING:
    from fle_ray.factorio.face import Face

__all__ = ["ACTIONS", "UNMAPPED", "Action"]

_POINTS = ("connection_points", "input_connection_points", "output_connection_points")
_REACH = 1.0  # tiles round a place within which the entity meant is looked for, as our tools do


@dataclass(frozen=True, slots=True)
class Action:
    """One mapped action: the function, and what it is mapped onto in words."""

    function: Callable[..., Any]
    onto: str


# -- arguments --------------------------------------------------------------------------------------------------


def _agent(face: Face, player_index: Any) -> int:
    """0-based number of an agent from the 1-based one the client sends."""
    count = face.instance.agents
    if isinstance(player_index, bool) or not isinstance(player_index, int) or not 1 <= player_index <= count:
        raise ToolError(f"There is no player {player_index!r}; expected 1 to {count}.")
    return player_index - 1


def _place(x: Any, y: Any) -> Position:
    try:
        return Position(x=x, y=y)
    except ValueError as error:
        raise ToolError(str(error)) from error


def _prototype(name: Any) -> Prototype:
    if not isinstance(name, str) or name not in prototype_by_name:
        raise ToolError(str(UnknownName("prototype", str(name), prototype_by_name)))
    return prototype_by_name[name]


def _direction(value: Any) -> Direction:
    try:
        return Direction(value)
    except ValueError as error:
        raise ToolError(f"There is no direction {value!r}; expected 0, 4, 8 or 12.") from error


def _json(text: Any, what: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolError(f"{what} is not JSON: {error}.") from error
    if not isinstance(value, kind):
        raise ToolError(f"{what} is {type(value).__name__}; expected {kind.__name__}.")
    return value


def _counts(value: Any) -> dict[str, int]:
    """Item -> whole count >= 0."""
    if isinstance(value, list) and not value:
        return {}
    if not isinstance(value, dict):
        raise ToolError(f"An inventory is {type(value).__name__}; expected item names with counts.")
    for item, count in value.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ToolError(f"The count of {item} is {count!r}; expected a whole number >= 0.")
    return {item: count for item, count in value.items() if count}


def _standing(face: Face, agent: int, name: Any, x: Any, y: Any) -> Any:
    """The entity meant by a name (or None) and a place, as agents see it. Raises ToolError when there is none."""
    place = _place(x, y)
    wanted = None if name is None else _prototype(name).value[0]
    found = entity_meant(face.context(agent), place, reach=_REACH, name=wanted)
    if found is None:
        raise ToolError(f"Could not find {name or 'an entity'} near ({place.x:g}, {place.y:g}).")
    return describe(found)


# -- looking ----------------------------------------------------------------------------------------------------


def _nearest(face: Face, player: Any, name: Any) -> Any:
    if not isinstance(name, str):
        raise ToolError(f"nearest: expected a name, not {name!r}.")
    return face.tool(_agent(face, player), "nearest", (name, None))


def _get_entity(face: Face, player: Any, name: Any, x: Any, y: Any) -> Any:
    found = face.tool(_agent(face, player), "get_entity", _prototype(name), _place(x, y))
    if found is None:
        raise ToolError(f"There is no {name} at ({x}, {y}).")
    return found


def _get_entities(face: Face, player: Any, radius: Any, names: Any = "[]", x: Any = None, y: Any = None) -> Any:
    """Ungrouped: the client makes its own groups."""
    agent = _agent(face, player)
    context = face.context(agent)
    wanted = {_prototype(name).value[0] for name in _json(names, "entity names", list)}
    place = context.place if x is None else _place(x, y)
    if isinstance(radius, bool) or not isinstance(radius, int | float) or not 0 <= radius <= 1_000_000:
        raise ToolError(f"get_entities: the radius is {radius!r}; expected 0 to 1000000 tiles.")
    reach = max(radius, 1e-6)
    box = (place.x - reach, place.y - reach, place.x + reach, place.y + reach)
    values = [describe(e) for e in built_in(context, box) if not wanted or e.name in wanted]
    return [value for value in values if value is not None]


def _inspect_inventory(
    face: Face, player: Any, own: Any, x: Any = 0, y: Any = 0, name: Any = "", all_players: Any = False
) -> Any:
    agent = _agent(face, player)
    if all_players:
        return face.tool(agent, "inspect_inventory", None, True)
    if own:
        return face.tool(agent, "inspect_inventory")
    return face.tool(agent, "inspect_inventory", _standing(face, agent, name or None, x, y))


def _get_prototype_recipe(face: Face, player: Any, name: Any) -> Any:
    recipe = face.tool(_agent(face, player), "get_prototype_recipe", name)
    return {
        "name": recipe.name,
        "energy": recipe.energy,
        "category": recipe.category,
        "enabled": recipe.enabled,
        "ingredients": [{"name": i.name, "amount": i.count, "type": i.type} for i in recipe.ingredients],
        "products": [
            {"name": p.name, "amount": p.count, "type": p.type, "probability": p.probability} for p in recipe.products
        ],
    }


def _get_resource_patch(face: Face, player: Any, name: Any, x: Any, y: Any, radius: Any = 30) -> Any:
    return face.tool(_agent(face, player), "get_resource_patch", (name, None), _place(x, y), radius)


def _nearest_buildable(face: Face, player: Any, name: Any, box: Any, centre: Any) -> Any:
    try:
        corner, place = box["right_bottom"], _place(centre["x"], centre["y"])
        size = BuildingBox(width=corner["x"], height=corner["y"])
    except (TypeError, KeyError, ValueError) as error:
        raise ToolError(f"nearest_buildable: the box or the centre cannot be read: {error!r}.") from error
    return face.tool(_agent(face, player), "nearest_buildable", _prototype(name), size, place)


def _can_place_entity(face: Face, player: Any, name: Any, direction: Any, x: Any, y: Any) -> Any:
    """The client sends this action's direction one up."""
    if isinstance(direction, bool) or not isinstance(direction, int):
        raise ToolError(f"There is no direction {direction!r}; expected a whole number.")
    facing = _direction(direction - 1)
    return face.tool(_agent(face, player), "can_place_entity", _prototype(name), facing, _place(x, y))


def _score(face: Face) -> Any:
    total, automated = face.tool(0, "score")
    return {"player": total, "automated": automated}


def _production_stats(face: Face, player: Any) -> Any:
    """In the client's words `output` is what was produced and `input` what was consumed; hand crafts one by one."""
    _agent(face, player)
    flows = face.instance.flows()
    return {
        "input": flows.consumed,
        "output": flows.produced,
        "harvested": flows.harvested,
        "crafted": face.crafts,
    }


def _save_research_state(face: Face, player: Any) -> Any:
    """Lists as tables with keys, whose values the client goes through."""
    _agent(face, player)
    state = face.instance.research()
    technologies = {
        technology["name"]: {
            **technology,
            "researched": bool(technology["researched"]),
            "enabled": bool(technology["enabled"]),
            "prerequisites": _numbered(technology["prerequisites"]),
            "ingredients": _numbered(technology["ingredients"]),
        }
        for technology in state["technologies"]
    }
    begun = state["progress"] if isinstance(state["progress"], list) else []
    return {
        "technologies": technologies,
        "current_research": None if state["current_research"] == "None" else state["current_research"],
        "research_progress": state["research_progress"],
        "research_queue": _numbered(state["research_queue"]),
        "progress": {entry["name"]: entry["value"] for entry in begun},
    }


def _numbered(values: list[Any]) -> dict[int, Any]:
    return dict(enumerate(values, 1))


# -- moving and time --------------------------------------------------------------------------------------------


def _request_path(face: Face, player: Any, start_x: Any, start_y: Any, x: Any, y: Any, *how: Any) -> Any:
    """A handle that stands for the goal; the way is found by the tool that walks or lays along it."""
    if len(how) > 4:
        raise ToolError(f"request_path takes at most 9 arguments, got {5 + len(how)}.")
    _agent(face, player)
    _place(start_x, start_y)
    return face.hold_goal(_place(x, y))


def _get_path(face: Face, handle: Any) -> Any:
    return {"status": "success", "waypoints": [face.goal(handle)]}


def _move_to(face: Face, player: Any, handle: Any, laying: Any = None, _trailing: Any = None) -> Any:
    if laying not in (None, "nil"):
        raise ToolError("move_to: laying and leading are not supported; use connect_entities to lay things.")
    return face.tool(_agent(face, player), "move_to", face.goal(handle))


def _sleep(face: Face, seconds: Any) -> Any:
    return face.tool(0, "sleep", seconds)


# -- acting -----------------------------------------------------------------------------------------------------


def _place_entity(face: Face, player: Any, name: Any, direction: Any, x: Any, y: Any, exact: Any = True) -> Any:
    facing = _direction(direction)
    return face.tool(_agent(face, player), "place_entity", _prototype(name), facing, _place(x, y), bool(exact))


def _place_entity_next_to(
    face: Face, player: Any, name: Any, x: Any, y: Any, direction: Any = 4, spacing: Any = 0
) -> Any:
    facing = _direction(direction)
    return face.tool(_agent(face, player), "place_entity_next_to", _prototype(name), _place(x, y), facing, spacing)


def _insert_item(face: Face, player: Any, item: Any, count: Any, x: Any, y: Any, target: Any = None) -> Any:
    agent = _agent(face, player)
    return face.tool(agent, "insert_item", _prototype(item), _standing(face, agent, target, x, y), count)


def _extract_item(face: Face, player: Any, item: Any, count: Any, x: Any, y: Any, source: Any = None) -> Any:
    agent = _agent(face, player)
    place = _place(x, y) if source is None else _standing(face, agent, source, x, y)
    return face.tool(agent, "extract_item", _prototype(item), place, count)


def _craft_item(face: Face, player: Any, item: Any, count: Any = 1) -> Any:
    return face.tool(_agent(face, player), "craft_item", _prototype(item), count)


def _harvest_resource(face: Face, player: Any, x: Any, y: Any, count: Any = 1, radius: Any = 10) -> Any:
    return face.tool(_agent(face, player), "harvest_resource", _place(x, y), count, radius)


def _pickup_entity(face: Face, player: Any, x: Any, y: Any, name: Any) -> Any:
    return face.tool(_agent(face, player), "pickup_entity", _prototype(name), _place(x, y))


def _rotate_entity(face: Face, player: Any, x: Any, y: Any, direction: Any, name: Any) -> Any:
    agent = _agent(face, player)
    return face.tool(agent, "rotate_entity", _standing(face, agent, name, x, y), _direction(direction))


def _set_entity_recipe(face: Face, player: Any, name: Any, x: Any, y: Any) -> Any:
    agent = _agent(face, player)
    recipes = {member.value: member for member in RecipeName}
    recipe = recipes[name] if isinstance(name, str) and name in recipes else _prototype(name)
    return face.tool(agent, "set_entity_recipe", _standing(face, agent, None, x, y), recipe)


def _set_research(face: Face, player: Any, name: Any) -> Any:
    return face.tool(_agent(face, player), "set_research", _technology(name))


def _get_research_progress(face: Face, player: Any, name: Any = None) -> Any:
    return face.tool(_agent(face, player), "get_research_progress", None if name is None else _technology(name))


def _technology(name: Any) -> Any:
    if not isinstance(name, str) or name not in technology_by_name:
        raise ToolError(str(UnknownName("technology", str(name), technology_by_name)))
    return technology_by_name[name]


def _launch_rocket(face: Face, player: Any, x: Any, y: Any) -> Any:
    return face.tool(_agent(face, player), "launch_rocket", _place(x, y))


def _pipe_meant(face: Face, agent: int, place: Position) -> Position:
    """The pipe that a free place beside it stands for: the client sends such a place where it means a line of pipes.

    Our planner keeps new pipes off the sides of others, so it has to be told which to join. A machine's connection
    point stays as it is.
    """
    world = face.context(agent).world
    if world.entity_at((place.x, place.y)) is not None:
        return place
    beside = [world.entity_at((place.x + dx, place.y + dy)) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
    found = [entity for entity in beside if entity is not None]
    machines = [describe(entity) for entity in found if entity.name not in PIPE_NAMES]
    points = [p for m in machines for name in _POINTS for p in getattr(m, name, None) or ()]
    points += [m.steam_output_point for m in machines if getattr(m, "steam_output_point", None) is not None]
    pipes = [entity for entity in found if entity.name in PIPE_NAMES]
    if not pipes or any(place.is_close(point) for point in points):
        return place
    x, y = min(pipes, key=lambda entity: entity.number).position
    return Position(x=x, y=y)


def _connect_entities(
    face: Face, player: Any, x1: Any, y1: Any, x2: Any, y2: Any, handle: Any, names: Any, dry_run: Any, _held: Any = 0
) -> Any:
    """The whole of our tool for one pair of places; the pieces of the group it returns are what the client regroups."""
    agent = _agent(face, player)
    face.goal(handle)
    members = {_prototype(name) for name in str(names).split(",")}
    ends = _place(x1, y1), _place(x2, y2)
    if any(member.value[0] in PIPE_NAMES for member in members):
        ends = _pipe_meant(face, agent, ends[0]), _pipe_meant(face, agent, ends[1])
    result = face.tool(agent, "connect_entities", *ends, connection_type=members, dry_run=bool(dry_run))
    if dry_run:
        return {"connected": True, "entities": {}, "number_of_entities": result["number_of_entities_required"]}
    kinds = {member.value[0] for member in members}
    pieces = [p for p in group_members(result) if p.name in kinds] if isinstance(result, EntityGroup) else []
    return {
        "connected": True,
        "entities": {str(number): piece for number, piece in enumerate(pieces, 1)},
        "number_of_entities": len(pieces),
    }


# -- the episode ------------------------------------------------------------------------------------------------


def _create_agent_characters(face: Face, count: Any) -> Any:
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= 64:
        raise ToolError(f"The number of agents is {count!r}; expected 1 to 64.")
    face.begin([{}] * count)
    return True


def _reset(face: Face, inventories: Any, reset_position: Any, all_technologies: Any, clear_entities: Any) -> Any:
    if not clear_entities:
        raise ToolError("reset with clear_entities=False is not supported: a reset makes the world anew.")
    counts = [_counts(entry) for entry in _json(inventories, "inventories", list)]
    face.begin(counts or [{}] * face.instance.agents, all_technologies=bool(all_technologies))
    return True


def _nothing(face: Face, *_arguments: Any) -> Any:
    return True


ACTIONS: Mapping[str, Action] = {
    "can_place_entity": Action(_can_place_entity, "the tool"),
    "clear_collision_boxes": Action(_nothing, "nothing: our planner needs no boxes round pipes"),
    "connect_entities": Action(_connect_entities, "the tool, once for each pair of places the client sends"),
    "craft_item": Action(_craft_item, "the tool"),
    "create_agent_characters": Action(_create_agent_characters, "a new world with that many agents"),
    "extend_collision_boxes": Action(_nothing, "nothing: our planner needs no boxes round pipes"),
    "extract_item": Action(_extract_item, "the tool"),
    "get_entities": Action(_get_entities, "the entities as our tool describes them, ungrouped: the client groups"),
    "get_entity": Action(_get_entity, "the tool"),
    "get_path": Action(_get_path, "the goal alone; the way is found by move_to or connect_entities"),
    "get_prototype_recipe": Action(_get_prototype_recipe, "the tool"),
    "get_research_progress": Action(_get_research_progress, "the tool"),
    "get_resource_patch": Action(_get_resource_patch, "the tool"),
    "harvest_resource": Action(_harvest_resource, "the tool"),
    "insert_item": Action(_insert_item, "the tool"),
    "inspect_inventory": Action(_inspect_inventory, "the tool"),
    "launch_rocket": Action(_launch_rocket, "the tool"),
    "move_to": Action(_move_to, "the tool, without laying and leading"),
    "nearest": Action(_nearest, "the tool"),
    "nearest_buildable": Action(_nearest_buildable, "the tool"),
    "pickup_entity": Action(_pickup_entity, "the tool"),
    "place_entity": Action(_place_entity, "the tool"),
    "place_entity_next_to": Action(_place_entity_next_to, "the tool"),
    "production_stats": Action(_production_stats, "the totals since the start of the episode, and each hand craft"),
    "render_message": Action(_nothing, "nothing: there is no screen"),
    "request_path": Action(_request_path, "a handle that stands for the goal"),
    "reset": Action(_reset, "a new world; clear_entities=False is refused"),
    "rotate_entity": Action(_rotate_entity, "the tool"),
    "save_research_state": Action(_save_research_state, "the state of research"),
    "score": Action(_score, "the tool"),
    "set_entity_recipe": Action(_set_entity_recipe, "the tool"),
    "set_research": Action(_set_research, "the tool"),
    "sleep": Action(_sleep, "the tool"),
}

_STATE = "not built yet: state of the world in FLE's own save form"
_PICTURE = "not built yet: pictures drawn by FLE's client"
UNMAPPED: Mapping[str, str] = {
    "clear_entities": "not built yet: reset clears the world",
    "clear_harvest_queue": "the client works in fast mode: actions are done when they return",
    "clear_walking_queue": "the client works in fast mode: actions are done when they return",
    "get_factory_centroid": _PICTURE,
    "get_resource_name_at_position": "used only outside fast mode",
    "inspect_entities": "the client marks it deprecated",
    "load_blueprint": _STATE,
    "load_entity_state": _STATE,
    "load_research_state": _STATE,
    "print": "the client's print sends nothing for values it knows",
    "regenerate_resources": "not built yet: reset makes the world anew",
    "render": _PICTURE,
    "render_simple": _PICTURE,
    "reset_production_stats": "not built yet: totals begin with the episode",
    "save_blueprint": _STATE,
    "save_entity_state": _STATE,
    "send_message": "the client passes messages without the server",
    "set_inventory": "not built yet: inventories are given to reset",
    "update_walking_queues": "the client works in fast mode: actions are done when they return",
}
