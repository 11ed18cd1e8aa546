"""Entities that work as one: a belt line, a pipe network, an electric network, the walls."""

from __future__ import annotations

from math import floor, isfinite
from typing import TYPE_CHECKING

from .entities import ElectricityPole, Entity, Pipe, TransportBelt
from .inventory import Inventory
from .model import Model, field
from .position import Position
from .status import EntityStatus

if TYPE_CHECKING:
    from typing import Any

__all__ = ["BeltGroup", "ElectricityGroup", "EntityGroup", "PipeGroup", "WallGroup"]


class EntityGroup(Model):
    """Base of the groups. `position` stands for the whole; there is no direction, prototype or energy."""

    id: int | None
    status: EntityStatus = EntityStatus.NORMAL
    position: Position
    name: str = "entity-group"

    def __str__(self) -> str:
        return repr(self)


class BeltGroup(EntityGroup):
    """Belts that flow into each other. `inputs` are where items enter, `outputs` where they leave."""

    id: int | None = 0
    name: str = "belt-group"
    belts: list[TransportBelt]
    inputs: list[Entity] = field(make=list)
    outputs: list[Entity] = field(make=list)
    inventory: Inventory = field(make=Inventory)

    def __repr__(self) -> str:
        return (
            f"\n\tBeltGroup(inputs={self.inputs!r}, outputs={self.outputs!r}, inventory={self.inventory!r}, "
            f"status={self.status!r}, [{len(self.belts)} belts])"
        )


class PipeGroup(EntityGroup):
    """Pipes of one fluid segment; `id` is the segment's."""

    name: str = "pipe-group"
    pipes: list[Pipe]

    def __repr__(self) -> str:
        fluid = self.pipes[0].fluid if self.pipes else None
        return (
            f"\n\tPipeGroup(fluid_system={self.id!r}, fluid={fluid!r}, position={self.position!r}, "
            f"status={self.status!r}, positions={_some_positions(self.pipes)})"
        )


class ElectricityGroup(EntityGroup):
    """Poles of one electric network; `id` is the network's."""

    name: str = "electricity-group"
    poles: list[ElectricityPole]

    def __hash__(self) -> int:
        return hash((self.name, self.id))

    __eq__ = Model.__eq__  # a class that sets only one of the two loses the other

    def __repr__(self) -> str:
        highest = max((pole.flow_rate for pole in self.poles), default=0)
        voltage = floor(highest) if isfinite(highest) else highest
        return f"\n\tElectricityGroup(id={self.id!r}, poles={_some_positions(self.poles)}, voltage={voltage})"


class WallGroup(EntityGroup):
    """All walls that were found, whether or not they touch."""

    name: str = "wall-group"
    entities: list[Entity]


def _some_positions(entities: list[Any]) -> str:
    """The positions of at most six entities: the first three and the last three of more."""
    shown = [repr(entity.position) for entity in entities]
    if len(shown) > 6:
        shown[3:-3] = ["..."]
    return f"[{', '.join(shown)}]"
