"""Furnaces: one ingredient slot, one result slot, a recipe chosen by what is in the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fle_ray.game.prototypes import Recipe
from fle_ray.sim.limits import input_limit
from fle_ray.sim.machine import Machine

__all__ = ["Furnace"]

# A script's or a drill's insert stops at 54 ore, four more than a stack (FactorioGym probe, iron ore only; that
# other ingredients behave alike is our assumption).
_SOURCE_OVERFILL = 4


class Furnace(Machine):
    """Stone, steel and electric furnaces.

    Attributes:
        ingredient, product: [item, count] of the source and the result slot, None when empty.
        craft: name of the recipe being smelted, None for none.
    """

    __slots__ = ("_fuels", "_limits", "craft", "ingredient", "product")
    STATE = (*Machine.STATE, "ingredient", "product", "craft")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._limits: dict[str, float] = {}  # of what it has been asked about
        self.ingredient: list | None = None
        self.product: list | None = None
        self.craft: str | None = None
        self._fuels: frozenset[str] = frozenset()
        if self.source.kind == "burner":
            self._fuels = self.source.fuels
            self._status = "no_fuel"

    # -- crafting -------------------------------------------------------------------------------------

    def recipe_for(self, item: str) -> Recipe | None:
        """The smelting recipe that an ingredient selects, if it is known to the force."""
        recipe = self.world.data.furnace_recipe("smelting", item)
        if recipe is None or recipe.name not in self.world.force.recipes:
            return None
        return recipe

    def ready(self) -> bool:
        if self.ingredient is None:
            return False
        item, count = self.ingredient
        recipe = self.recipe_for(item)
        if recipe is None or count < recipe.ingredients[0].amount:
            return False
        product = self.product
        if product is None:
            return True
        made = recipe.products[0]
        return product[0] == made.name and product[1] < self.world.stacks[made.name]

    def begin(self) -> None:
        recipe = self.recipe_for(self.ingredient[0])
        amount = recipe.ingredients[0].amount
        self.world.statistics.used(self.ingredient[0], amount)
        self.ingredient[1] -= amount
        if not self.ingredient[1]:
            self.ingredient = None
        self.craft = recipe.name
        self.duration = recipe.energy_required_s

    def complete(self) -> None:
        made = self.world.data.recipes[self.craft].products[0]
        amount = int(made.amount)
        if self.modules.productivity:
            amount *= 1 + self.free_crafts(self.modules.productivity)
        if self.product is None:
            self.product = [made.name, amount]
        else:
            self.product[1] += amount
        self.world.statistics.made(made.name, amount)
        self.craft = None

    def idle_status(self) -> str:
        if self.source.empty():
            return self.source.starved_status()
        return "no_ingredients"

    @property
    def status(self) -> str:
        source = self.source
        if source.kind == "burner":
            return self._status
        if not source.on():
            return source.starved_status()
        return source.working_status() if self.busy or self.ready() else self.idle_status()

    # -- transfers --------------------------------------------------------------------------------------

    def _room(self, item: str) -> int:
        """Room in the source slot for hand and drill."""
        if self.recipe_for(item) is None:
            return 0
        cap = self.world.stacks[item] + _SOURCE_OVERFILL
        if self.ingredient is None:
            return cap
        return cap - self.ingredient[1] if self.ingredient[0] == item else 0

    def _takes_fuel(self, item: str) -> bool:
        return item in self._fuels

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        if self._takes_fuel(item):
            moved = self.source.insert(item, count)
            if moved and by == "hand" and self._status == "no_fuel":
                self._status = "no_ingredients"  # as the game shows it until the next tick (FactorioGym probe)
        else:
            moved = min(count, self._room(item))
            if moved > 0:
                if self.ingredient is None:
                    self.ingredient = [item, moved]
                else:
                    self.ingredient[1] += moved
            elif by == "hand":
                moved = self.modules.insert(item, count)
        if moved > 0:
            self.changed()
            self.stirred()
        return moved

    put = insert

    def wants(self, item: str) -> bool:
        if item in self._fuels:
            return self.source.wants(item)
        ingredient = self.ingredient
        held = 0
        if ingredient is not None:
            if ingredient[0] != item:
                return False
            held = ingredient[1]
        limits = self._limits
        if item not in limits:
            limits[item] = self._limit(item)
        return limits[item] > held

    def _limit(self, item: str) -> float:
        """What inserters fill the source slot up to with an item; 0 for one it does not smelt."""
        recipe = self.recipe_for(item)
        if recipe is None:
            return 0
        return input_limit(recipe.ingredients[0].amount, self.speed, recipe.energy_required_s)

    def apply_effects(self) -> None:
        super().apply_effects()
        self._limits.clear()

    def informed(self) -> None:
        self._limits.clear()
        super().informed()

    def offer(self, wanted: Callable[[str], bool]) -> str | None:
        return self.product[0] if self.product is not None and wanted(self.product[0]) else None

    def pick(self, item: str, count: int) -> int:
        if self.product is None or self.product[0] != item:
            return 0
        moved = min(count, self.product[1])
        self.product[1] -= moved
        if not self.product[1]:
            self.product = None
        if moved:
            self.changed()
            self.stirred()
        return moved

    def holds_anything(self) -> bool:
        return self.product is not None

    def full_for_inserters(self) -> bool:
        if self.ingredient is None:
            return False
        if self.source.kind == "burner" and not self.source.full_for_inserters():
            return False
        return not self.wants(self.ingredient[0])

    def extract(self, item: str, count: int) -> int:
        moved = self.pick(item, count)
        if moved < count and self.ingredient is not None and self.ingredient[0] == item:
            part = min(count - moved, self.ingredient[1])
            self.ingredient[1] -= part
            if not self.ingredient[1]:
                self.ingredient = None
            moved += part
            self.changed()
        if moved < count:
            burner = self.source.kind == "burner"
            part = self.source.fuel.remove(item, count - moved) if burner else self.modules.remove(item, count - moved)
            if part:
                moved += part
                self.changed()
        return moved

    take = extract

    # -- what it shows --------------------------------------------------------------------------------

    def contents(self) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        if self.source.kind == "burner":
            found.update(self.source.contents())
        if self.ingredient is not None:
            found["furnace_source"] = {self.ingredient[0]: self.ingredient[1]}
        if self.product is not None:
            found["furnace_result"] = {self.product[0]: self.product[1]}
        if self.modules.installed:
            found["furnace_modules"] = dict(self.modules.contents())
        return found

    def clear(self) -> dict[str, int]:
        held: dict[str, int] = {}
        if self.source.kind == "burner":
            held.update(self.source.fuel.clear())
        for slot in (self.ingredient, self.product):
            if slot is not None:
                held[slot[0]] = held.get(slot[0], 0) + slot[1]
        if self.busy:  # the ingredients of a craft under way come back, unused after all
            ingredient = self.world.data.recipes[self.craft].ingredients[0]
            held[ingredient.name] = held.get(ingredient.name, 0) + int(ingredient.amount)
            self.world.statistics.used(ingredient.name, -ingredient.amount)
        for item, count in self.modules.clear().items():
            held[item] = held.get(item, 0) + count
        self.ingredient = self.product = None
        self.busy = False
        return held
