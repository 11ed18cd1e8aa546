"""The character: walks, mines and crafts by hand, carries things.

Walking speed 0.15 tile a tick is cut to 38/256 on an axis (FactorioGym probe); diagonals are our choice, 38/256
over the square root of 2, cut likewise. Hand mining: an item comes once `seconds / mining time` passes 1, so
121 ticks an ore (the probe's 120 additions of 0.5/60 stay just under 1).
"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, Any

from fle_ray.errors import CannotPlace
from fle_ray.sim.core import CHARACTERS
from fle_ray.sim.handcraft import CraftingPlan, plan_crafting
from fle_ray.sim.inventory import Slots
from fle_ray.sim.map import Natural, Resource, tiles_of
from fle_ray.sim.placing import footprint

if TYPE_CHECKING:
    from fle_ray.sim.world import World

__all__ = ["Character"]

_DIAGONAL = 0.7071067811865476
_STEPS = {
    0: (0, -1),
    2: (_DIAGONAL, -_DIAGONAL),
    4: (1, 0),
    6: (_DIAGONAL, _DIAGONAL),
    8: (0, 1),
    10: (-_DIAGONAL, _DIAGONAL),
    12: (-1, 0),
    14: (-_DIAGONAL, -_DIAGONAL),
}
_BLOCKING_LAYER = "player"
_SLOTS_BONUS = "character-inventory-slots-bonus"


class Character:
    """One agent's character, number `index`.

    Attributes:
        x, y: position in tiles; inventory: the main inventory; walking: direction 0..15 it walks, or None.
        mining: point it mines, or None; mining_seconds: how far it is.
    """

    phase = CHARACTERS

    def __init__(self, world: World, index: int) -> None:
        self.world = world
        self.index = index
        self.order = -index
        self.due = 0
        self.prototype = world.data.entity("character")
        self.record = self.prototype.character
        self.x = 0.0
        self.y = 2.0 * index
        self._slots = Slots(self._size(), world.stacks)
        self.walking: int | None = None
        self.mining: tuple[float, float] | None = None
        self.mining_seconds = 0.0
        self.mined = 0

    def _size(self) -> int:
        """Slots of the main inventory, research included."""
        return self.prototype.inventory_size + int(self.world.force.bonuses.get(_SLOTS_BONUS, 0))

    def informed(self) -> None:
        """The force's knowledge has changed: take up more slots."""
        if self._size() > self._slots.size:
            self._slots.resize(self._size())

    # -- where ------------------------------------------------------------------------------------------

    @property
    def position(self) -> tuple[float, float]:
        return self.x, self.y

    @property
    def box(self) -> tuple[float, float, float, float]:
        left, top, right, bottom = footprint(self.prototype, 0)
        return self.x + left, self.y + top, self.x + right, self.y + bottom

    def teleport(self, position: tuple[float, float]) -> None:
        """Move at once, to the game's grid of 1/256 tile."""
        self.x = floor(position[0] * 256 + 0.5) / 256
        self.y = floor(position[1] * 256 + 0.5) / 256
        if self.world.carries(self):
            self.world.calendar.wake(self)

    def distance(self, position: tuple[float, float]) -> float:
        """Tiles to a point."""
        return ((self.x - position[0]) ** 2 + (self.y - position[1]) ** 2) ** 0.5

    def _free(self, x: float, y: float) -> bool:
        left, top, right, bottom = footprint(self.prototype, 0)
        box = (x + left, y + top, x + right, y + bottom)
        land = self.world.map
        if any(_BLOCKING_LAYER in land.tile_layers(*tile) for tile in tiles_of(box)):
            return False
        return not any(_BLOCKING_LAYER in t.prototype.collision_layers for t in land.things_in(box))

    # -- acting -----------------------------------------------------------------------------------------

    def update(self, tick: int) -> None:
        if self.walking is not None:
            self._step()
        if self.mining is not None:
            self._mine()
        self.world.carry(self)
        if self.walking is not None or self.mining is not None or self.world.carries(self):
            self.world.calendar.schedule(self, tick + 1)

    def _step(self) -> None:
        dx, dy = _STEPS[self.walking]
        speed = self.record.running_speed * (1 + self.world.force.bonuses.get("character-running-speed", 0))
        tile = self.world.data.tiles[self.world.map.tile(floor(self.x), floor(self.y))]
        stride = int(speed * tile.walking_speed_modifier * 256)

        def whole(part: float) -> float:
            return int(part * stride) / 256

        x, y = self.x + whole(dx), self.y + whole(dy)
        if self._free(x, y):
            self.x, self.y = x, y
        elif dx and self._free(x, self.y):
            self.x = x
        elif dy and self._free(self.x, y):
            self.y = y

    def pushed(self, dx: int, dy: int) -> None:
        """Be carried by so many 1/256 tile, as far as nothing stands in the way."""
        x, y = self.x + dx / 256, self.y + dy / 256
        if self._free(x, y):
            self.x, self.y = x, y

    def _mine(self) -> None:
        target = self.world.selected(self.mining)
        if target is None or not self._reaches(target):
            return
        speed = self.record.mining_speed
        speed *= 1 + self.world.force.bonuses.get("character-mining-speed", 0)
        self.mining_seconds += speed / 60.0
        if isinstance(target, Resource):
            minable = self.world.data.resources[target.name].minable
        else:
            minable = target.prototype.minable
        if self.mining_seconds / minable.mining_time_s <= 1.0:
            return
        self.mining_seconds = 0.0
        self.mined += 1
        if isinstance(target, Resource):
            item = minable.products[0].name
            self.world.statistics.mined_by_hand(item, 1)
            self.give(item, 1)
            self.world.map.deplete(target, 1)
        elif isinstance(target, Natural):
            for item, count in self.world.harvest(target).items():
                self.give(item, count)
        else:
            for item, count in self.world.mine(target).items():
                self.give(item, count)

    def _reaches(self, target: Any) -> bool:
        reach = self.record.reach_distance
        if isinstance(target, Resource):
            reach = self.record.reach_resource_distance
        return self.distance((target.x, target.y)) <= reach

    def give(self, item: str, count: int) -> int:
        """Put items into the inventory; what does not fit falls to the ground. Returns how many fitted."""
        moved = self._slots.insert(item, count)
        for _ in range(count - moved):
            self.world.spill(item, self.position)
        return moved

    # -- the bench face -----------------------------------------------------------------------------------

    @property
    def inventory(self) -> dict[str, int]:
        """Item -> count of the main inventory (a copy)."""
        return dict(self._slots.totals)

    @property
    def slots(self) -> Slots:
        """The main inventory itself."""
        return self._slots

    def walk(self, direction: int, ticks: int) -> None:
        """Walk in one of the eight directions for a number of ticks; advances the world."""
        self.walking = direction
        self.world.calendar.wake(self)
        self.world.advance(ticks)
        self.walking = None

    def mine(self, position: tuple[float, float], count: int = 1) -> int:
        """Mine what is at a point `count` times; advances the world and returns the ticks it took.

        Raises CannotPlace when nothing minable is in reach there.
        """
        start = self.world.tick
        target = self.world.selected(position)
        if target is None or not self._reaches(target):
            raise CannotPlace(f"There is nothing to mine within reach at {position}.", reason="no-resource")
        if self.mining != position:
            self.mining_seconds = 0.0
        self.mining = position
        self.mined = 0
        self.world.calendar.wake(self)
        while self.mined < count and self.world.selected(position) is not None:
            self.world.advance(1)
        self.mining = None
        return self.world.tick - start

    def craft(self, recipe: str, count: int = 1) -> int:
        """Craft a recipe `count` times by hand; advances the world and returns the ticks it took.

        Raises CannotPlace when ingredients are missing or hands cannot do it.
        """
        plan = self.plan(recipe, count)
        if plan.missing:
            raise CannotPlace(f"Missing for {count} x {recipe}: {plan.missing}.", reason="unknown")
        self.carry_out(plan)
        self.world.advance(plan.ticks)
        return plan.ticks

    def plan(self, recipe: str, crafts: int) -> CraftingPlan:
        """What crafting takes (see handcraft.py). Raises UnknownName for no such recipe."""
        return plan_crafting(
            self.world.data,
            self._slots.totals,
            self.world.data.recipe(recipe),
            crafts,
            known=self.world.force.recipes.__contains__,
        )

    def carry_out(self, plan: CraftingPlan) -> None:
        """Take the ingredients and give the products of a plan at once; time is the caller's business."""
        for item, count in plan.taken.items():
            self._slots.remove(item, count)
        for order in plan.orders:
            self.world.statistics.crafted_by_hand(
                {i.name: int(i.amount) * order.crafts for i in order.recipe.ingredients},
                {p.name: int(p.amount) * order.crafts for p in order.recipe.products},
            )
        for item, count in plan.left.items():
            self.give(item, count)

    def save(self) -> list:
        return [self.x, self.y, self.due, self.mining_seconds, self._slots.size, self._slots.save()]

    def load(self, state: list) -> None:
        self.x, self.y, due, self.mining_seconds, size, slots = state
        self._slots.resize(size)
        self._slots.load(slots)
        if due:
            self.world.calendar.schedule(self, due)
