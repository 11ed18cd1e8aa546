"""Crafting by hand: what has to be made, from what, and how long it takes.

Missing intermediates are made first, each `ceil(missing / yield)` times; what is left over stays. Raw
ingredients leave when the order is queued; the queue is first in, first out, each craft taking
`energy_required * 60` ticks at the character's crafting speed 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil

from fle_ray.game.prototypes import GameData, Recipe

__all__ = ["CraftingPlan", "Order", "plan_crafting"]


@dataclass(frozen=True, slots=True)
class Order:
    """`crafts` crafts of one recipe, taking `ticks` in all."""

    recipe: Recipe
    crafts: int
    ticks: int


@dataclass(slots=True)
class CraftingPlan:
    """What a request comes to.

    Attributes:
        orders: in the order they are made, intermediates first.
        taken: item -> amount that leaves the inventory at once; left: item -> amount over at the end, the
            wanted product included.
        missing: item -> amount short, empty when the plan can be carried out.
        blocked: item -> why it cannot be made by hand: "raw" (no recipe), "research" (recipe not known), or
            "category" (needs a machine).
    """

    orders: list[Order] = field(default_factory=list)
    taken: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    blocked: dict[str, str] = field(default_factory=dict)

    @property
    def ticks(self) -> int:
        return sum(order.ticks for order in self.orders)


def plan_crafting(
    data: GameData,
    inventory: Mapping[str, int],
    recipe: Recipe,
    crafts: int,
    *,
    known: Callable[[str], bool],
) -> CraftingPlan:
    """Work out `crafts` crafts of `recipe` from an inventory; changes nothing.

    Args:
        known: whether the recipe of that name is researched.
    """
    plan = CraftingPlan()
    have = dict(inventory)
    made: dict[str, int] = {}
    _plan(data, have, made, recipe, crafts, known, plan, ())
    plan.left = {name: amount for name, amount in made.items() if amount}
    return plan


def _plan(
    data: GameData,
    have: dict[str, int],
    made: dict[str, int],
    recipe: Recipe,
    crafts: int,
    known: Callable[[str], bool],
    plan: CraftingPlan,
    making: tuple[str, ...],
) -> None:
    for ingredient in recipe.ingredients:
        need = int(ingredient.amount) * crafts
        name = ingredient.name
        from_made = min(need, made.get(name, 0))
        if from_made:
            made[name] -= from_made
            need -= from_made
        from_stock = min(need, have.get(name, 0))
        if from_stock:
            have[name] -= from_stock
            plan.taken[name] = plan.taken.get(name, 0) + from_stock
            need -= from_stock
        if not need:
            continue
        sub = data.recipes.get(name)
        if sub is None or not sub.products or name in making:
            plan.missing[name] = plan.missing.get(name, 0) + need
            plan.blocked.setdefault(name, "raw")
            continue
        if not data.by_hand(name):
            plan.missing[name] = plan.missing.get(name, 0) + need
            plan.blocked.setdefault(name, "category")
            continue
        if not known(name):
            plan.missing[name] = plan.missing.get(name, 0) + need
            plan.blocked.setdefault(name, "research")
            continue
        yielded = int(next(p.amount for p in sub.products if p.name == name))
        rounds = ceil(need / yielded)
        _plan(data, have, made, sub, rounds, known, plan, (*making, name))
        made[name] = made.get(name, 0) - need
    ticks = ceil(round(recipe.energy_required_s * 60 * crafts, 6))
    plan.orders.append(Order(recipe, crafts, ticks))
    for product in recipe.products:
        made[product.name] = made.get(product.name, 0) + int(product.amount) * crafts
