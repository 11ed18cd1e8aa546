"""What the waypoints of a connection are: what stands there now, or the bare place."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Entity, EntityGroup, Position
from fle_ray.sim.entity import Entity as SimEntity
from fle_ray.tools.connecting.route import Tile
from fle_ray.tools.context import Context
from fle_ray.tools.get_entity import group_members
from fle_ray.tools.lookup import entity_meant

__all__ = ["End", "as_waypoint", "end_of"]

_REACH = 0.5  # tiles within which an entity is looked for at its place


@dataclass(frozen=True, slots=True)
class End:
    """One waypoint.

    Attributes:
        shown: how messages call it.
        position: its place; of a group that of its first member.
        entity: what stands there, None for a bare place and for groups.
        place: the place that was given, None when an entity or group was.
        members: the members of a group that still stand, in the order of the group.
    """

    shown: str
    position: tuple[float, float]
    entity: SimEntity | None = None
    place: tuple[float, float] | None = None
    members: tuple[SimEntity, ...] = ()

    @property
    def tile(self) -> Tile:
        return floor(self.position[0]), floor(self.position[1])

    @property
    def bare(self) -> bool:
        """Whether it is just a place."""
        return self.entity is None and not self.members

    def things(self) -> tuple[SimEntity, ...]:
        """Everything that stands there."""
        return (self.entity,) if self.entity is not None else self.members


def as_waypoint(value: Any) -> Any:
    """A Position, an entity or a group, as it was given or from a pair of numbers. Raises ToolError for all else."""
    if isinstance(value, (Position, Entity, EntityGroup)):
        return value
    if isinstance(value, (tuple, list)) and len(value) == 2:
        try:
            return Position(x=value[0], y=value[1])
        except (TypeError, ValueError):
            pass
    shown = repr(value).strip()
    raise ToolError(
        f"connect_entities: a waypoint must be a Position, an entity or a group, not "
        f"{shown if len(shown) <= 60 else shown[:57] + '...'} ({type(value).__name__}).",
        type="AssertionError",
    )


def end_of(context: Context, value: Any) -> End:
    """What a waypoint is now. Raises ToolError when it stands there no longer."""
    if isinstance(value, Position):
        x, y = float(value.x), float(value.y)
        entity = context.world.entity_at((x, y))
        if entity is not None:
            return _at(entity, (x, y))
        return End(f"({x:g}, {y:g})", (x, y), None, (x, y))
    if isinstance(value, EntityGroup):
        return _group(context, value)
    found = entity_meant(context, value, reach=_REACH)
    if found is None:
        raise ToolError(
            f"There is no {value.name} at ({value.position.x:g}, {value.position.y:g}) any more. "
            f"Look again with get_entities."
        )
    return _at(found)


def _at(entity: SimEntity, place: tuple[float, float] | None = None) -> End:
    return End(f"{entity.name} at ({entity.x:g}, {entity.y:g})", entity.position, entity, place)


def _group(context: Context, value: EntityGroup) -> End:
    members: dict[int, SimEntity] = {}
    for member in group_members(value):
        found = entity_meant(context, member, reach=0.0)
        if found is not None:
            members[found.number] = found
    shown = f"{value.name} at ({value.position.x:g}, {value.position.y:g})"
    if not members:
        raise ToolError(f"Nothing of the {shown} stands any more. Look again with get_entities.")
    first = next(iter(members.values()))
    return End(shown, first.position, members=tuple(members.values()))
