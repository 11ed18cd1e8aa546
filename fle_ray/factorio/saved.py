"""Saved states and blueprints of a whole world, as FLE's client passes them on.

The client does not look into a saved state of entities: it keeps the list, packs it, and sends it back. So the list
has one entry, our own snapshot, which holds everything (entities, ore, time, statistics, characters' places) and is
taken up exactly. Inventories are the client's to give (its reset sends them first), but FLE 0.4.3 loses them on the
way and gives nothing; then they are those of the snapshot too. Research it saves and loads apart.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

from fle_ray.errors import SnapshotError, ToolError
from fle_ray.factorio.arguments import agent_index, from_json, place_at
from fle_ray.factorio.episode import give
from fle_ray.game.blueprint import decode
from fle_ray.sim.blueprint import export_blueprint, import_blueprint
from fle_ray.sim.ground import GroundItem
from fle_ray.sim.map import Box

if TYPE_CHECKING:
    from fle_ray.factorio.face import Face

__all__ = ["load_blueprint", "load_entity_state", "save_blueprint", "save_entity_state"]

_NAME = "fle-ray-world"  # the one entry's name


def save_entity_state(face: Face, player: Any, *_selection: Any) -> list[dict[str, Any]]:
    """The whole world, whatever part is asked for: one entry with a snapshot in base64."""
    agent_index(face, player)
    return [
        {
            "name": _NAME,
            "snapshot": base64.b64encode(face.instance.snapshot()).decode(),
            "crafts": dict(enumerate(face.crafts, 1)),
        }
    ]


def load_entity_state(face: Face, player: Any, text: Any) -> bool:
    """Take up a saved world exactly; an agent who holds something now goes on holding that.

    Raises ToolError, changing nothing, for a state that is damaged, not ours, or of another number of agents.
    """
    agent_index(face, player)
    entries = from_json(text, "a saved state", list)
    if len(entries) != 1 or not isinstance(entries[0], dict) or entries[0].get("name") != _NAME:
        raise ToolError(
            f"This state was not saved by the simulator: expected one entry named {_NAME}, got {len(entries)} entries."
        )
    try:
        instance = face.restored(base64.b64decode(entries[0]["snapshot"], validate=True))
    except (KeyError, TypeError, ValueError, binascii.Error, SnapshotError) as error:
        raise ToolError(f"This saved state is damaged: {error!r}.") from error
    if instance.agents != face.instance.agents:
        raise ToolError(f"This state was saved with {instance.agents} agents; there are {face.instance.agents}.")
    for index in range(instance.agents):
        held = dict(face.instance.world.character(index).slots.totals)
        if held and held != instance.world.character(index).slots.totals:
            give(instance.world.character(index), held)
    face.replace(instance)
    face.crafts = _crafts(entries[0].get("crafts"))
    return True


def _crafts(saved: Any) -> list[dict[str, Any]]:
    """Hand crafts as the client sends them back: a list, or a table numbered from 1."""
    values = list(saved.values()) if isinstance(saved, dict) else saved if isinstance(saved, list) else []
    return [value for value in values if isinstance(value, dict)]


def save_blueprint(face: Face, player: Any) -> dict[str, Any]:
    """The blueprint string of everything built, and the middle of the tiles it covers."""
    agent_index(face, player)
    world = face.instance.world
    built = [e for e in world.entities.values() if e.prototype.item is not None and not isinstance(e, GroundItem)]
    text = export_blueprint(world)  # refuses when nothing stands
    left, top, right, bottom = _extent([entity.area for entity in built])
    return {"blueprint": text, "center_x": (left + right) / 2, "center_y": (top + bottom) / 2}


def load_blueprint(face: Face, player: Any, text: Any, x: Any, y: Any) -> int:
    """Build a blueprint with the middle of the tiles it covers at a place; all or nothing. 0, as the client expects."""
    agent_index(face, player)
    middle = place_at(x, y)
    if not isinstance(text, str):
        raise ToolError(f"A blueprint is a string, not {text!r:.40}.")
    world = face.instance.world
    areas = []
    for entity in decode(text).entities:
        if entity.name in world.data.entities:  # the import refuses others
            width, height = world.data.entities[entity.name].tiles(entity.direction // 4 * 4)
            areas.append((entity.x - width / 2, entity.y - height / 2, entity.x + width / 2, entity.y + height / 2))
    left, top, right, bottom = _extent(areas) if areas else (0.0, 0.0, 0.0, 0.0)
    import_blueprint(world, text, (middle.x - (right - left) / 2, middle.y - (bottom - top) / 2))
    return 0


def _extent(areas: list[Box]) -> Box:
    """The box round boxes."""
    return min(a[0] for a in areas), min(a[1] for a in areas), max(a[2] for a in areas), max(a[3] for a in areas)
