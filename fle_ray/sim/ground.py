"""Loose items on the ground: one item a pile, in nobody's way, piles at least their own width apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fle_ray.sim.entity import Entity

__all__ = ["PILE_HALF", "GroundItem", "pile_at"]

PILE_HALF = 35 / 256  # half the width of an item's box (FactorioGym probe)


class GroundItem(Entity):
    """One item lying on the ground."""

    __slots__ = ("item",)
    STATE = ("item",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.item = ""

    def place_box(self) -> None:
        self.box = (self.x - PILE_HALF, self.y - PILE_HALF, self.x + PILE_HALF, self.y + PILE_HALF)

    def configure(self, **options: Any) -> None:
        self.item = options.pop("item")
        super().configure(**options)

    def offer(self, wanted: Callable[[str], bool]) -> str | None:
        return self.item if wanted(self.item) else None

    def pick(self, item: str, count: int) -> int:
        self.world.remove(self)
        return 1

    def extract(self, item: str, count: int) -> int:
        return self.pick(item, count) if item == self.item and count > 0 else 0

    take = extract

    def contents(self) -> dict[str, dict[str, float]]:
        return {"item": {self.item: 1}}

    def clear(self) -> dict[str, int]:
        return {self.item: 1}


def pile_at(world: Any, x: float, y: float) -> GroundItem | None:
    """A pile whose box would touch that of a pile at (x, y): nothing can be dropped there."""
    reach = 2 * PILE_HALF
    box = (x - reach - PILE_HALF, y - reach - PILE_HALF, x + reach + PILE_HALF, y + reach + PILE_HALF)
    for thing in world.map.things_in(box):
        if isinstance(thing, GroundItem) and abs(thing.x - x) <= reach and abs(thing.y - y) <= reach:
            return thing
    return None
