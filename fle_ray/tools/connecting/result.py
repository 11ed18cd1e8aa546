"""The group that holds what was connected, as agents see it."""

from __future__ import annotations

from typing import Any

from fle_ray.sim.belts import SPLITTER, Part
from fle_ray.tools.belt_details import feeders, following
from fle_ray.tools.connecting.route import Tile
from fle_ray.tools.describe import describe
from fle_ray.tools.groups import BELT_NAMES, PIPE_NAMES, POLE_NAMES, WALL_NAMES, group_all

__all__ = ["group_at"]


def group_at(world: Any, kind: str, tile: Tile) -> Any:
    """The group of a kind that holds what stands on a tile; None when there is none."""
    entities = {
        "transport": _belts,
        "fluid": _pipes,
        "power": _poles,
        "wall": _walls,
    }[kind](world, tile)
    values = [describe(entities[number]) for number in sorted(entities)]
    groups = group_all(values)
    if len(groups) <= 1:
        return groups[0] if groups else None
    here = world.entity_at((tile[0] + 0.5, tile[1] + 0.5))
    wanted = here.number if here is not None else None
    for group in groups:
        for member in group.belts:
            if wanted in (member.id, getattr(member, "connected_to", None)):
                return group
    return groups[0]


def _belts(world: Any, tile: Tile) -> dict[int, Any]:
    """Everything that flows into, or is fed by, the belt on a tile, directly or not, up to splitters."""
    found: dict[int, Any] = {}
    start = world.belts.parts.get(tile)
    todo: list[Part] = [start] if start is not None else []
    if start is not None and start.kind == SPLITTER:
        todo = [part for half in start.owner.parts for part in _beside(world, half)]
    while todo:
        part = todo.pop()
        if part.owner.number in found or part.owner.name not in BELT_NAMES:
            continue
        found[part.owner.number] = part.owner
        todo += _beside(world, part)
    return found


def _beside(world: Any, part: Part) -> list[Part]:
    after = following(world.belts, part)
    return [*feeders(world.belts, part), *([after] if after is not None else [])]


def _pipes(world: Any, tile: Tile) -> dict[int, Any]:
    """The pipes of the segments that what stands on a tile is part of."""
    found: dict[int, Any] = {}
    entity = world.entity_at((tile[0] + 0.5, tile[1] + 0.5))
    for box in getattr(entity, "fluid_boxes", ()):
        for segment in [box.segment] if box.kind == "member" else box.links:
            if segment is not None:
                found |= {b.owner.number: b.owner for b in segment.boxes if b.owner.name in PIPE_NAMES}
    return found


def _poles(world: Any, tile: Tile) -> dict[int, Any]:
    pole = world.entity_at((tile[0] + 0.5, tile[1] + 0.5))
    if pole is None or pole.prototype.pole is None:
        return {}
    return {number: p for number, p in pole.grid.poles.items() if p.name in POLE_NAMES}


def _walls(world: Any, tile: Tile) -> dict[int, Any]:
    return {number: entity for number, entity in world.entities.items() if entity.name in WALL_NAMES}
