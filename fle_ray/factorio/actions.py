"""FLE's server-side actions by name, each a thin mapping onto our tools: no rule of the game stands here.

`ACTIONS` holds what is mapped, `UNMAPPED` what is not and why; `python -m fle_ray.factorio actions` lists both.
Each function takes the world and the arguments in the order in which FLE's client sends them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fle_ray.errors import ToolError
from fle_ray.factorio import episode, saved, scenery
from fle_ray.factorio.arguments import (
    agent_index,
    entity_standing,
    facing_of,
    from_json,
    place_at,
    prototype_named,
    technology_named,
)
from fle_ray.game.values import BuildingBox, EntityGroup, Position, RecipeName, UndergroundBelt
from fle_ray.tools.describe import describe
from fle_ray.tools.get_entity import group_members
from fle_ray.tools.groups import PIPE_NAMES
from fle_ray.tools.lookup import built_in

if TYPE_CHECKING:
    from fle_ray.factorio.face import Face

__all__ = ["ACTIONS", "READ_BY_COMMAND", "UNMAPPED", "Action"]

_CLIENTS_REACH = 4  # tiles to the other end of an underground belt that the client finds
_POINTS = ("connection_points", "input_connection_points", "output_connection_points")


@dataclass(frozen=True, slots=True)
class Action:
    """One mapped action: the function, and what it is mapped onto in words."""

    function: Callable[..., Any]
    onto: str


# -- looking ----------------------------------------------------------------------------------------------------


def _nearest(face: Face, player: Any, name: Any) -> Any:
    if not isinstance(name, str):
        raise ToolError(f"nearest: expected a name, not {name!r}.")
    return face.tool(agent_index(face, player), "nearest", (name, None))


def _get_entity(face: Face, player: Any, name: Any, x: Any, y: Any) -> Any:
    found = face.tool(agent_index(face, player), "get_entity", prototype_named(name), place_at(x, y))
    if found is None:
        raise ToolError(f"There is no {name} at ({x}, {y}).")
    return found


def _get_entities(face: Face, player: Any, radius: Any, names: Any = "[]", x: Any = None, y: Any = None) -> Any:
    """Ungrouped: the client makes its own groups."""
    agent = agent_index(face, player)
    context = face.context(agent)
    wanted = {prototype_named(name).value[0] for name in from_json(names, "entity names", list)}
    place = context.place if x is None else place_at(x, y)
    if isinstance(radius, bool) or not isinstance(radius, int | float) or not 0 <= radius <= 1_000_000:
        raise ToolError(f"get_entities: the radius is {radius!r}; expected 0 to 1000000 tiles.")
    reach = max(radius, 1e-6)
    box = (place.x - reach, place.y - reach, place.x + reach, place.y + reach)
    values = [describe(e) for e in built_in(context, box) if not wanted or e.name in wanted]
    return [_as_grouped(face, value) for value in values if value is not None]


def _as_grouped(face: Face, value: Any) -> Any:
    """A value that the client can put into its groups.

    It looks for the other end of an underground belt four tiles away at most and fails when the one that is named is
    further; such ends go without a name.
    """
    other = getattr(value, "connected_to", None)
    if not isinstance(value, UndergroundBelt) or other is None:
        return value
    end = face.instance.world.entities.get(other)
    if end is not None and abs(end.x - value.position.x) + abs(end.y - value.position.y) <= _CLIENTS_REACH:
        return value
    return value.model_copy(update={"connected_to": None})


def _inspect_inventory(
    face: Face, player: Any, own: Any, x: Any = 0, y: Any = 0, name: Any = "", all_players: Any = False
) -> Any:
    agent = agent_index(face, player)
    if all_players:
        return face.tool(agent, "inspect_inventory", None, True)
    if own:
        return face.tool(agent, "inspect_inventory")
    return face.tool(agent, "inspect_inventory", entity_standing(face, agent, name or None, x, y))


def _get_prototype_recipe(face: Face, player: Any, name: Any) -> Any:
    recipe = face.tool(agent_index(face, player), "get_prototype_recipe", name)
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
    return face.tool(agent_index(face, player), "get_resource_patch", (name, None), place_at(x, y), radius)


def _nearest_buildable(face: Face, player: Any, name: Any, box: Any, centre: Any) -> Any:
    try:
        corner, place = box["right_bottom"], place_at(centre["x"], centre["y"])
        size = BuildingBox(width=corner["x"], height=corner["y"])
    except (TypeError, KeyError, ValueError) as error:
        raise ToolError(f"nearest_buildable: the box or the centre cannot be read: {error!r}.") from error
    return face.tool(agent_index(face, player), "nearest_buildable", prototype_named(name), size, place)


def _can_place_entity(face: Face, player: Any, name: Any, direction: Any, x: Any, y: Any) -> Any:
    """The client sends this action's direction one up."""
    if isinstance(direction, bool) or not isinstance(direction, int):
        raise ToolError(f"There is no direction {direction!r}; expected a whole number.")
    facing = facing_of(direction - 1)
    return face.tool(agent_index(face, player), "can_place_entity", prototype_named(name), facing, place_at(x, y))


def _score(face: Face) -> Any:
    total, automated = face.tool(0, "score")
    return {"player": total, "automated": automated}


def _production_stats(face: Face, player: Any) -> Any:
    """In the client's words `output` is what was produced and `input` what was consumed; hand crafts one by one."""
    agent_index(face, player)
    flows = face.instance.flows()
    return {
        "input": flows.consumed,
        "output": flows.produced,
        "harvested": flows.harvested,
        "crafted": face.crafts,
    }


# -- moving and time --------------------------------------------------------------------------------------------


def _request_path(face: Face, player: Any, start_x: Any, start_y: Any, x: Any, y: Any, *how: Any) -> Any:
    """A handle that stands for the goal; the way is found by the tool that walks or lays along it."""
    if len(how) > 4:
        raise ToolError(f"request_path takes at most 9 arguments, got {5 + len(how)}.")
    agent_index(face, player)
    place_at(start_x, start_y)
    return face.hold_goal(place_at(x, y))


def _get_path(face: Face, handle: Any) -> Any:
    return {"status": "success", "waypoints": [face.goal(handle)]}


def _move_to(face: Face, player: Any, handle: Any, laying: Any = None, _trailing: Any = None) -> Any:
    if laying not in (None, "nil"):
        raise ToolError("move_to: laying and leading are not supported; use connect_entities to lay things.")
    return face.tool(agent_index(face, player), "move_to", face.goal(handle))


def _sleep(face: Face, seconds: Any) -> Any:
    return face.tool(0, "sleep", seconds)


# -- acting -----------------------------------------------------------------------------------------------------


def _place_entity(face: Face, player: Any, name: Any, direction: Any, x: Any, y: Any, exact: Any = True) -> Any:
    agent, place = agent_index(face, player), place_at(x, y)
    return face.tool(agent, "place_entity", prototype_named(name), facing_of(direction), place, bool(exact))


def _place_entity_next_to(
    face: Face, player: Any, name: Any, x: Any, y: Any, direction: Any = 4, spacing: Any = 0
) -> Any:
    agent, place = agent_index(face, player), place_at(x, y)
    return face.tool(agent, "place_entity_next_to", prototype_named(name), place, facing_of(direction), spacing)


def _insert_item(face: Face, player: Any, item: Any, count: Any, x: Any, y: Any, target: Any = None) -> Any:
    agent = agent_index(face, player)
    entity = entity_standing(face, agent, target, x, y)
    try:
        return face.tool(agent, "insert_item", prototype_named(item), entity, count)
    except ToolError as error:
        if target is None and "went in" in str(error):
            # onto belts the client lays one by one without naming them, and goes on until it reads these words
            raise ToolError(f"Could not find room. {error}") from error
        raise


def _extract_item(face: Face, player: Any, item: Any, count: Any, x: Any, y: Any, source: Any = None) -> Any:
    agent = agent_index(face, player)
    place = place_at(x, y) if source is None else entity_standing(face, agent, source, x, y)
    return face.tool(agent, "extract_item", prototype_named(item), place, count)


def _craft_item(face: Face, player: Any, item: Any, count: Any = 1) -> Any:
    return face.tool(agent_index(face, player), "craft_item", prototype_named(item), count)


def _harvest_resource(face: Face, player: Any, x: Any, y: Any, count: Any = 1, radius: Any = 10) -> Any:
    return face.tool(agent_index(face, player), "harvest_resource", place_at(x, y), count, radius)


def _pickup_entity(face: Face, player: Any, x: Any, y: Any, name: Any) -> Any:
    return face.tool(agent_index(face, player), "pickup_entity", prototype_named(name), place_at(x, y))


def _rotate_entity(face: Face, player: Any, x: Any, y: Any, direction: Any, name: Any) -> Any:
    agent = agent_index(face, player)
    return face.tool(agent, "rotate_entity", entity_standing(face, agent, name, x, y), facing_of(direction))


def _set_entity_recipe(face: Face, player: Any, name: Any, x: Any, y: Any) -> Any:
    agent = agent_index(face, player)
    recipes = {member.value: member for member in RecipeName}
    recipe = recipes[name] if isinstance(name, str) and name in recipes else prototype_named(name)
    return face.tool(agent, "set_entity_recipe", entity_standing(face, agent, None, x, y), recipe)


def _set_research(face: Face, player: Any, name: Any) -> Any:
    return face.tool(agent_index(face, player), "set_research", technology_named(name))


def _get_research_progress(face: Face, player: Any, name: Any = None) -> Any:
    technology = None if name is None else technology_named(name)
    return face.tool(agent_index(face, player), "get_research_progress", technology)


def _launch_rocket(face: Face, player: Any, x: Any, y: Any) -> Any:
    return face.tool(agent_index(face, player), "launch_rocket", place_at(x, y))


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
    agent = agent_index(face, player)
    face.goal(handle)
    members = {prototype_named(name) for name in str(names).split(",")}
    ends = place_at(x1, y1), place_at(x2, y2)
    if any(member.value[0] in PIPE_NAMES for member in members):
        ends = _pipe_meant(face, agent, ends[0]), _pipe_meant(face, agent, ends[1])
    result = face.tool(agent, "connect_entities", *ends, connection_type=members, dry_run=bool(dry_run))
    if dry_run:
        return {"connected": True, "entities": {}, "number_of_entities": result["number_of_entities_required"]}
    kinds = {member.value[0] for member in members}
    members_of = group_members(result) if isinstance(result, EntityGroup) else []
    pieces = [_as_grouped(face, piece) for piece in members_of if piece.name in kinds]
    return {
        "connected": True,
        "entities": {str(number): piece for number, piece in enumerate(pieces, 1)},
        "number_of_entities": len(pieces),
    }


def _nothing(face: Face, *_arguments: Any) -> Any:
    return True


def _print(face: Face, value: Any = None) -> Any:
    return str(value)


_DONE = "nothing: an action is done when it returns"
ACTIONS: Mapping[str, Action] = {
    "can_place_entity": Action(_can_place_entity, "the tool"),
    "clear_collision_boxes": Action(_nothing, "nothing: our planner needs no boxes round pipes"),
    "clear_entities": Action(episode.clear_entities, "everything built and dropped is removed, the inventory emptied"),
    "clear_harvest_queue": Action(_nothing, _DONE),
    "clear_walking_queue": Action(_nothing, _DONE),
    "connect_entities": Action(_connect_entities, "the tool, once for each pair of places the client sends"),
    "craft_item": Action(_craft_item, "the tool"),
    "create_agent_characters": Action(episode.create_agent_characters, "that many new characters at their places"),
    "extend_collision_boxes": Action(_nothing, "nothing: our planner needs no boxes round pipes"),
    "extract_item": Action(_extract_item, "the tool"),
    "get_entities": Action(_get_entities, "the entities as our tool describes them, ungrouped: the client groups"),
    "get_entity": Action(_get_entity, "the tool"),
    "get_factory_centroid": Action(scenery.get_factory_centroid, "mean place, bounds and count of what is built"),
    "get_path": Action(_get_path, "the goal alone; the way is found by move_to or connect_entities"),
    "get_prototype_recipe": Action(_get_prototype_recipe, "the tool"),
    "get_research_progress": Action(_get_research_progress, "the tool"),
    "get_resource_patch": Action(_get_resource_patch, "the tool"),
    "harvest_resource": Action(_harvest_resource, "the tool"),
    "insert_item": Action(_insert_item, "the tool"),
    "inspect_inventory": Action(_inspect_inventory, "the tool"),
    "launch_rocket": Action(_launch_rocket, "the tool"),
    "load_blueprint": Action(saved.load_blueprint, "our import of blueprints, all or nothing"),
    "load_entity_state": Action(saved.load_entity_state, "the snapshot taken up exactly; inventories are kept"),
    "load_research_state": Action(episode.load_research_state, "knowledge, queue and progress, all or nothing"),
    "move_to": Action(_move_to, "the tool, without laying and leading"),
    "nearest": Action(_nearest, "the tool"),
    "nearest_buildable": Action(_nearest_buildable, "the tool"),
    "pickup_entity": Action(_pickup_entity, "the tool"),
    "place_entity": Action(_place_entity, "the tool"),
    "place_entity_next_to": Action(_place_entity_next_to, "the tool"),
    "print": Action(_print, "the value as text"),
    "production_stats": Action(_production_stats, "the totals since the start of the episode, and each hand craft"),
    "regenerate_resources": Action(episode.regenerate_resources, "ore that is left gets its first amount back"),
    "render": Action(scenery.render, "land, trees, rocks and characters, in the client's own byte form"),
    "render_message": Action(_nothing, "nothing: there is no screen"),
    "render_simple": Action(scenery.render_simple, "land, trees, rocks and poles"),
    "request_path": Action(_request_path, "a handle that stands for the goal"),
    "reset": Action(episode.reset, "a new world; with clear_entities=False what is built stays"),
    "rotate_entity": Action(_rotate_entity, "the tool"),
    "save_blueprint": Action(saved.save_blueprint, "our export of blueprints"),
    "save_entity_state": Action(saved.save_entity_state, "one entry that holds our snapshot of the whole world"),
    "save_research_state": Action(episode.save_research_state, "the state of research"),
    "score": Action(_score, "the tool"),
    "set_entity_recipe": Action(_set_entity_recipe, "the tool"),
    "set_inventory": Action(episode.set_inventory, "the agent holds exactly this"),
    "set_research": Action(_set_research, "the tool"),
    "sleep": Action(_sleep, "the tool"),
    "update_walking_queues": Action(_nothing, _DONE),
}

UNMAPPED: Mapping[str, str] = {
    "inspect_entities": "the client has no call of it, FLE marks it deprecated",
    "regenerate_resources2": "the client has no call of it",
    "reset_production_stats": "the client has no call of it, the server does it in reset",
}
READ_BY_COMMAND: Mapping[str, str] = {
    "get_harvest_queue_length": "0",
    "get_resource_name_at_position": "the nearest resource or tree in reach",
    "get_walking_queue_length": "0",
}
"""Actions that the client does not call but prints by a fixed command of their own (see `commands.py`)."""
