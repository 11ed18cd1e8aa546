"""What FLE's client does to a whole world: begin an episode, give inventories, clear, save and load research."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fle_ray.errors import CannotResearch, ToolError
from fle_ray.factorio.arguments import agent_index, from_json, item_counts
from fle_ray.sim.research import UNIT
from fle_ray.sim.state import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fle_ray.factorio.face import Face
    from fle_ray.game.prototypes import Technology

__all__ = [
    "clear_entities",
    "create_agent_characters",
    "give",
    "load_research_state",
    "regenerate_resources",
    "reset",
    "save_research_state",
    "set_inventory",
]

MOST_AGENTS = 64


def create_agent_characters(face: Face, count: Any) -> bool:
    """That many new characters at their starting places, with nothing; what is built stays."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_AGENTS:
        raise ToolError(f"The number of agents is {count!r}; expected 1 to {MOST_AGENTS}.")
    plain = unpack(face.instance.snapshot())
    plain["agents"] = count
    plain["world"]["characters"] = []
    instance = face.restored(pack(plain))
    instance.world.character(count - 1)
    face.replace(instance)
    return True


def reset(face: Face, inventories: Any, reset_position: Any, all_technologies: Any, clear: Any) -> bool:
    """Begin an episode. With `clear` false what is built stays, the totals of production go on, and only characters,
    inventories, ore and knowledge are set back."""
    counts = [item_counts(entry) for entry in from_json(inventories, "inventories", list)]
    counts = counts or [{} for _ in range(face.instance.agents)]
    if clear:
        face.begin(counts, all_technologies=bool(all_technologies))
        return True
    if len(counts) != face.instance.agents:
        raise ToolError(f"There are {len(counts)} inventories for {face.instance.agents} agents.")
    for inventory in counts:
        _check_items(face, inventory)
    instance = face.instance.fork()
    for index, inventory in enumerate(counts):
        character = instance.world.character(index)
        give(character, inventory)
        if reset_position:
            character.teleport((0.0, 2.0 * index))
    face.replace(instance)
    regenerate_resources(face, 1)
    force = face.instance.world.force
    if all_technologies:
        force.learn_all()
        face.instance.world.inform()
    else:
        start = type(force)(force.data)
        start.start()
        _know(face, strict=True, researched=start.researched, levels={}, saved={})
    face.forget_elapsed()
    return True


def give(character: Any, inventory: Mapping[str, int]) -> None:
    """Let a character hold exactly this; what does not fit into its slots is left out, as the game does."""
    character.slots.clear()
    for item, count in inventory.items():
        character.slots.insert(item, count)


def _check_items(face: Face, inventory: Mapping[str, int]) -> None:
    for item in inventory:
        face.instance.world.data.item(item)


def set_inventory(face: Face, player: Any, inventory: Any) -> bool:
    """Let an agent hold exactly this. An unknown item raises UnknownName and changes nothing."""
    agent = agent_index(face, player)
    counts = item_counts(from_json(inventory, "an inventory", dict))
    _check_items(face, counts)
    give(face.instance.world.character(agent), counts)
    return True


def clear_entities(face: Face, player: Any) -> int:
    """Take everything built and dropped off the map, and empty the agent's inventory; research and totals stay."""
    agent = agent_index(face, player)
    world = face.instance.world
    for entity in reversed(list(world.entities.values())):
        world.remove(entity)
    world.character(agent).slots.clear()
    return 1


def regenerate_resources(face: Face, player: Any) -> bool:
    """Ore and wells that are left get back the amount they had at the start; what is used up stays gone."""
    agent_index(face, player)
    plain = unpack(face.instance.snapshot())
    for entry in plain["world"]["map"]["resources"]:
        *_, amount, initial = entry
        if initial is not None and amount < initial:
            entry[-2] = initial
    face.replace(face.restored(pack(plain)))
    return True


# -- research ---------------------------------------------------------------------------------------------------


def save_research_state(face: Face, player: Any) -> dict[str, Any]:
    """The state of research; lists as tables with keys, whose values the client goes through."""
    agent_index(face, player)
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
    return {
        "technologies": technologies,
        "current_research": None if state["current_research"] == "None" else state["current_research"],
        "research_progress": state["research_progress"],
        "research_queue": _numbered(state["research_queue"]),
        "progress": _begun(state) or _not_begun(face),
    }


def _not_begun(face: Face) -> dict[str, float]:
    """One technology still to be had with nothing done: FLE's evaluations cannot read an empty table of progress."""
    force = face.instance.world.force
    for technology in face.instance.world.data.technologies.values():
        if technology.infinite or technology.name not in force.researched:
            return {technology.name: 0.0}
    return {}


def _numbered(values: list[Any]) -> dict[int, Any]:
    return dict(enumerate(values, 1))


def _begun(state: Mapping[str, Any]) -> dict[str, float]:
    """Technology -> share done, of those begun."""
    return {entry["name"]: entry["value"] for entry in state["progress"]} if state["progress"] != "None" else {}


def load_research_state(face: Face, player: Any, state: Any) -> bool:
    """Make knowledge, queue and progress those of a state that `save_research_state` gave. All or nothing.

    Nothing is touched when they are so already, so that labs at work go on exactly.
    """
    agent_index(face, player)
    technologies, queue, saved = _read(state)
    force = face.instance.world.force
    researched, levels = set(), {}
    for name, entry in technologies.items():
        technology = _technology(face, name)
        if technology.infinite:  # its `level` is the one that comes next
            if entry["level"] > technology.level:
                researched.add(name)
                levels[name] = entry["level"] - 1
        elif entry["researched"]:
            researched.add(name)
    present = face.instance.research()
    if (researched, levels) == (force.researched, force.levels):
        if queue == present["research_queue"] and saved == _begun(present):
            return True
    strict = force.strict or not researched.issuperset(face.instance.world.data.technologies)
    _know(face, strict=strict, researched=researched, levels=levels, saved=saved, queue=queue)
    return True


def _technology(face: Face, name: str) -> Technology:
    return face.instance.world.data.technology(name)


def _read(state: Any) -> tuple[dict[str, dict[str, Any]], list[str], dict[str, float]]:
    """Technologies, queue (the current one first) and shares done (the current one's included) of a saved state."""
    try:
        technologies = {
            str(name): {"researched": bool(entry["researched"]), "level": int(entry["level"])}
            for name, entry in (state["technologies"] or {}).items()
        }
        queue = state.get("research_queue") or []  # a list, or a table numbered from 1
        queue = [str(name) for name in (queue.values() if isinstance(queue, dict) else queue)]
        progress = dict(state.get("progress") or {})
        saved = {str(name): float(share) for name, share in progress.items() if share}
        current = state.get("current_research")
        share = float(state.get("research_progress") or 0)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise ToolError(f"load_research_state: the state cannot be read: {error!r}.") from error
    if current:
        queue = [current, *(name for name in queue if name != current)]
        if share:
            saved.setdefault(current, share)
    for name, done in saved.items():
        if not 0 <= done <= 1:
            raise ToolError(f"load_research_state: progress of {name} is {done:g}; expected 0 to 1.")
    return technologies, queue, saved


def _know(
    face: Face,
    *,
    strict: bool,
    researched: set[str],
    levels: Mapping[str, int],
    saved: Mapping[str, float],
    queue: list[str] | None = None,
) -> None:
    """Give the world this knowledge and no other, these shares done, and this queue."""
    instance = face.instance.fork()
    instance.world.research_queue.cancel()
    plain = unpack(instance.snapshot())
    plain["world"]["force"] = [strict, sorted(researched), sorted(map(list, levels.items()))]
    shares = {}
    for name, share in saved.items():
        technology = _technology(face, name)
        next_level = levels.get(name, technology.level - 1) + 1
        units = technology.units(next_level) if technology.infinite else technology.units()
        if share and (technology.infinite or name not in researched):
            shares[name] = round(share * units * UNIT)
    plain["world"]["systems"]["research"].update(saved=shares, pending=[])
    instance = face.restored(pack(plain))
    instance.world.inform()
    try:
        for name in queue or []:
            instance.world.research_queue.enqueue(_technology(face, name).name)
    except CannotResearch as error:
        raise ToolError(f"load_research_state: {error}") from error
    face.replace(instance)
