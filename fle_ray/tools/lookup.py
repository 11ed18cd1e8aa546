"""Which of the world's entities an agent means by a value it holds: by name and place, never by identity."""

from __future__ import annotations

from math import hypot
from typing import Any

from fle_ray.game.values import Position
from fle_ray.sim.entity import Entity as SimEntity
from fle_ray.sim.map import overlaps
from fle_ray.tools.context import Context

__all__ = ["built_in", "entity_meant", "nearest_of", "placed_name"]


def placed_name(context: Context, item: str) -> str:
    """Name of the entity an item places (a rail places `straight-rail`); the name itself for everything else."""
    record = context.world.data.items.get(item)
    return record.place_result if record is not None and record.place_result else item


def built_in(context: Context, box: tuple[float, float, float, float], name: str | None = None) -> list[SimEntity]:
    """Buildings whose box overlaps an area, by creation number; items on the ground are none."""
    world = context.world
    if (box[2] - box[0]) * (box[3] - box[1]) > len(world.entities):
        found = [e for e in world.entities.values() if overlaps(e.box, box) and (name is None or e.name == name)]
    else:
        found = world.find(box, name)
    return [e for e in found if e.prototype.type != "item-entity"]


def nearest_of(entities: list[SimEntity], x: float, y: float) -> SimEntity | None:
    """The one whose centre is nearest; the one built first among equals."""
    return min(entities, key=lambda e: (hypot(e.x - x, e.y - y), e.number), default=None)


def entity_meant(context: Context, value: Any, *, reach: float, name: str | None = None) -> SimEntity | None:
    """The entity an agent's value (or a Position) stands for: the one covering the place, else the nearest in reach.

    Args:
        value: an entity value, looked up by its name; or a Position, where anything counts.
        reach: half the side of the square searched, tiles.
        name: the name to look for instead of the value's own.
    """
    position = value if isinstance(value, Position) else value.position
    wanted = name or (None if isinstance(value, Position) else value.name)
    x, y = float(position.x), float(position.y)
    covering = context.world.entity_at((x, y))
    if covering is not None and (wanted is None or covering.name == wanted):
        return covering
    return nearest_of(built_in(context, (x - reach, y - reach, x + reach, y + reach), wanted), x, y)
