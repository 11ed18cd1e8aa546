"""Chests: rows of slots, nothing else. Logistic chests are chests (robots are out of scope)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fle_ray.sim.entity import Entity
from fle_ray.sim.inventory import Slots

__all__ = ["Chest"]


class Chest(Entity):
    """Wooden, iron, steel and logistic chests."""

    __slots__ = ("inventory",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.inventory = Slots(self.prototype.inventory_size, self.world.stacks)

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        moved = self.inventory.insert(item, count)
        if moved:
            self.changed()
        return moved

    put = insert

    def extract(self, item: str, count: int) -> int:
        moved = self.inventory.remove(item, count)
        if moved:
            self.changed()
        return moved

    take = extract

    def wants(self, item: str) -> bool:
        return self.inventory.has_room(item)

    def offer(self, wanted: Callable[[str], bool]) -> str | None:
        return self.inventory.last(wanted)

    def pick(self, item: str, count: int) -> int:
        return self.extract(item, count)

    def holds_anything(self) -> bool:
        return bool(self.inventory)

    def full_for_inserters(self) -> bool:
        return self.inventory.is_full()

    def contents(self) -> dict[str, dict[str, float]]:
        return {"inventory": dict(self.inventory.totals)} if self.inventory else {}

    def clear(self) -> dict[str, int]:
        held: dict[str, int] = {}
        for item, count in self.inventory.in_slot_order():
            held[item] = held.get(item, 0) + count
        self.inventory.clear()
        return held

    def save(self) -> dict[str, Any]:
        return {"inventory": self.inventory.save()}

    def load(self, state: dict[str, Any]) -> None:
        self.inventory.load(state["inventory"])
