"""Pipes, pipes-to-ground and storage tanks: members of a fluid segment, nothing else."""

from __future__ import annotations

from typing import Any

from fle_ray.sim.entity import Entity
from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.segment import Segment

__all__ = ["Pipe"]

_ENDLESS = 1e6  # units a tick that an endless source can give: more than anything draws


class Pipe(Entity):
    """A pipe, pipe-to-ground or storage tank.

    Attributes:
        endless: name of a fluid that it gives without limit, None for an ordinary one (rigs only).
    """

    __slots__ = ("fluid_box", "endless", "temperature")
    STATE = ("endless", "temperature")
    potential = _ENDLESS  # as a source of its segment (see segment.py); not counted as production
    counted = False

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fluid_box = FluidBox(self, self.prototype.fluid_box, 0, "member")
        self.endless: str | None = None
        self.temperature = 0.0

    @property
    def fluid_boxes(self) -> tuple[FluidBox, ...]:
        return (self.fluid_box,)

    def configure(self, **options: Any) -> None:
        fluid = options.pop("endless", None)
        if fluid is not None:
            record = self.world.data.fluid(fluid)
            self.temperature = options.pop("temperature", None) or record.default_temperature
            self.endless = fluid
            self.fluid_box.fluid = fluid
            self.world.fluids.check_box(self.fluid_box, fluid)
        super().configure(**options)

    def connect(self) -> None:
        self.fluid_box.connect()

    def built(self) -> None:
        self.world.fluids.settle_in(self.fluid_boxes)

    def gone(self) -> None:
        self.fluid_box.gone()

    def rotate(self, direction: int) -> None:
        self.world.fluids.turn(self.fluid_boxes, lambda: super(Pipe, self).rotate(direction))

    def attach(self, box: FluidBox, segment: Segment) -> None:
        """Enter as a source when it is one."""
        if self.endless is not None:
            segment.fluid = self.endless
            segment.sources.append(self)

    def credit(self, amount: float) -> None:
        """What an endless source gives is nobody's production."""

    def hurry(self) -> None:
        """It has nothing to reckon with."""

    @property
    def segment(self) -> Segment | None:
        return self.fluid_box.segment

    @property
    def neighbour(self) -> Entity | None:
        """The other end of a pipe-to-ground, None when it has none."""
        for other, own, _ in self.world.fluids.neighbours(self.fluid_box):
            if own.connection_type == "underground":
                return other.owner
        return None

    @property
    def network(self) -> tuple[int, int]:
        """Identity of its segment: equal for all that share fluid."""
        return self.fluid_box.segment.key

    def contents(self) -> dict[str, dict[str, float]]:
        return {"fluids": {self.fluid_box.content: self.fluid_box.amount}} if self.fluid_box.content else {}

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        if self.endless is not None:
            self.fluid_box.fluid = self.endless
