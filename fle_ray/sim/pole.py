"""Power poles and substations: what they reach, and the wires between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fle_ray.sim.entity import Entity

if TYPE_CHECKING:
    from fle_ray.sim.network import Network

__all__ = ["Pole"]


class Pole(Entity):
    """A pole. Built, it is wired to the poles in reach, nearest first, leaving out those already connected
    through one just wired (the game's exact choice is not known).

    Attributes:
        wires: numbers of the poles it is wired to, ascending.
        grid: the network it is part of.
        supply: the square in which it gives power (left, top, right, bottom).
        endless: it feeds its network without limit (rigs only).
    """

    __slots__ = ("endless", "grid", "supply", "wires")
    STATE = ("endless", "wires")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.wires: list[int] = []
        self.endless = False
        self.grid: Network | None = None
        reach = self.prototype.pole.supply_area_distance
        self.supply = (self.x - reach, self.y - reach, self.x + reach, self.y + reach)

    def configure(self, **options: Any) -> None:
        self.endless = bool(options.pop("endless", self.endless))
        super().configure(**options)

    def connect(self) -> None:
        self.world.power_grid.enter_pole(self)

    def gone(self) -> None:
        self.world.power_grid.leave_pole(self)

    @property
    def neighbours(self) -> list[Pole]:
        """The poles it is wired to."""
        return [self.world.power_grid.poles[n] for n in self.wires]

    @property
    def network(self) -> int | None:
        """Number of the network it is part of: equal for all that it connects."""
        return self.grid.number if self.grid is not None else None

    @property
    def status(self) -> str:
        return "working" if self.grid is not None and self.grid.live else "normal"
