"""What goes up and comes down: rockets launched, and what they bring.

A satellite in orbit brings its launch products (1,000 space science packs) to a cargo landing pad. That they come
down in the tick the rocket arrives, to the oldest pad with room, and wait in orbit while there is none, is our
choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fle_ray.sim.chest import Chest

if TYPE_CHECKING:
    from fle_ray.sim.world import World

__all__ = ["LandingPad", "Orbit"]


class Orbit:
    """Attributes: launches: rockets that arrived; waiting: item -> count not yet delivered."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.launches = 0
        self.waiting: dict[str, int] = {}

    def arrive(self, cargo: dict[str, int]) -> None:
        """A rocket arrives with its cargo."""
        self.launches += 1
        for item, count in cargo.items():
            for product in self.world.data.items[item].rocket_launch_products:
                amount = int(product.amount) * count
                self.waiting[product.name] = self.waiting.get(product.name, 0) + amount
                self.world.statistics.made(product.name, amount)
            for _ in range(count):
                self.world.research_queue.sent_to_orbit(item)
        self.deliver()

    def deliver(self) -> None:
        """Bring down what waits, as far as pads have room."""
        if not self.waiting:
            return
        pads = [e for e in self.world.entities.values() if isinstance(e, LandingPad)]
        for item, count in list(self.waiting.items()):
            for pad in pads:
                count -= pad.receive(item, count)
            if count:
                self.waiting[item] = count
            else:
                del self.waiting[item]

    def save(self) -> Any:
        return [self.launches, dict(sorted(self.waiting.items()))]

    def load(self, state: Any) -> None:
        self.launches, waiting = state
        self.waiting = dict(waiting)


class LandingPad(Chest):
    """Cargo landing pads: what comes from orbit lands here; inserters take it out but put nothing in."""

    __slots__ = ()

    def built(self) -> None:
        self.world.orbit.deliver()

    def receive(self, item: str, count: int) -> int:
        """Take in up to `count` from orbit; returns how many fitted."""
        moved = self.inventory.insert(item, count)
        if moved:
            self.changed()
        return moved

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        return super().insert(item, count, by) if by == "hand" else 0

    put = insert

    def wants(self, item: str) -> bool:
        return False

    def full_for_inserters(self) -> bool:
        return True

    def extract(self, item: str, count: int) -> int:
        moved = super().extract(item, count)
        if moved and self.world.orbit.waiting:
            self.world.orbit.deliver()
        return moved

    take = extract
