"""What the production score counts an item or fluid for.

The rule is FLE's, which took it from the game's own score script and set the ingredient exponent to 2, so
that goods made of many ingredients are worth more than the sum of them. It depends on recipes alone. Where
recipes form a loop the result depends on the order of the walk, which the game leaves open; here it is the
order of names.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from fle_ray.game.prototypes import GameData, Ingredient, Recipe

__all__ = ["INGREDIENT_EXPONENT", "RAW_RESOURCE_PRICE", "SEED_PRICES", "energy_addition", "prices"]

SEED_PRICES: Mapping[str, float] = MappingProxyType(
    {
        "coal": 3.0,
        "copper-ore": 3.6,
        "crude-oil": 0.2,
        "energy": 1.0,
        "iron-ore": 3.1,
        "raw-fish": 100.0,
        "steam": 0.001,
        "stone": 2.4,
        "uranium-ore": 8.2,
        "water": 0.001,
        "wood": 3.2,
    }
)
"""Prices given, not worked out."""

RAW_RESOURCE_PRICE = 2.5
"""Price of what a resource yields if it has no seed price, and of what a loop of recipes comes back to."""

INGREDIENT_EXPONENT = 2
"""Each ingredient after the first multiplies the cost by this."""


def energy_addition(energy_s: float, cost: float) -> float:
    """What `energy_s` seconds of crafting add to the price of something that costs `cost`."""
    return math.log(energy_s + 1) * math.sqrt(cost)


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to get one of a product: amounts of its ingredients, and seconds."""

    amounts: tuple[tuple[str, float], ...]
    energy_s: float


def _share(ingredients: Iterable[Ingredient], parts: float) -> tuple[tuple[str, float], ...]:
    return tuple((i.name, i.amount / parts) for i in ingredients)


def _ways(data: GameData) -> dict[str, list[_Way]]:
    """Product -> ways to get one of it: recipes by name, then launches."""
    out: dict[str, list[_Way]] = {}
    for recipe in data.recipes.values():
        if not recipe.allow_decomposition:
            continue
        for product in recipe.products:
            parts = len(recipe.products) * product.expected
            if parts > 0:
                way = _Way(_share(recipe.ingredients, parts), recipe.energy_required_s / parts)
                out.setdefault(product.name, []).append(way)
    for payload in data.items.values():
        for brought in payload.rocket_launch_products:
            for rocket, energy_s in _rockets(data):
                amounts = ((name, count / brought.expected) for name, count in (*rocket, (payload.name, 1)))
                way = _Way(tuple(amounts), energy_s / brought.expected)
                out.setdefault(brought.name, []).append(way)
    return out


def _rockets(data: GameData) -> Iterator[tuple[tuple[tuple[str, float], ...], float]]:
    """Of every silo: the parts of one rocket, and the seconds of one part (FLE leaves the others out)."""
    for entity in data.entities.values():
        machine = entity.crafting
        if entity.silo is None or machine is None or machine.fixed_recipe is None:
            continue
        recipe = data.recipe(machine.fixed_recipe)
        needed = entity.silo.rocket_parts_required
        yield tuple((p.name, p.expected * needed) for p in recipe.products), recipe.energy_required_s


def _from_ingredients(
    name: str, known: dict[str, float], ways: dict[str, list[_Way]], seen: set[str], force: bool
) -> float | None:
    """The least price of `name` over the ways to get it; adds what it finds to `known`.

    Args:
        seen: names already tried from the same start; coming back to one of them is a loop.
        force: a loop is worth RAW_RESOURCE_PRICE; otherwise the way that leads into it is left out.
    """
    if name in known:
        return known[name]
    if name in seen:
        return RAW_RESOURCE_PRICE if force else None
    seen.add(name)
    best: float | None = None
    for way in ways.get(name, ()):
        cost = 0.0
        for ingredient, amount in way.amounts:
            price = _from_ingredients(ingredient, known, ways, seen, force)
            if price is None or price <= 0:
                cost = 0.0
                break
            cost += price * amount
        if cost > 0:
            price = cost * INGREDIENT_EXPONENT ** (len(way.amounts) - 1) + energy_addition(way.energy_s, cost)
            best = price if best is None else min(best, price)
    if best is not None:
        known[name] = best
    return best


def _from_products(name: str, recipes: Iterable[Recipe], known: Mapping[str, float]) -> float | None:
    """The least price of an ingredient that makes its products worth what they are."""
    best: float | None = None
    for recipe in recipes:
        others = [i for i in recipe.ingredients if i.name != name]
        if any(part.name not in known for part in (*others, *recipe.products)):
            continue
        amount = next(i.amount for i in recipe.ingredients if i.name == name)
        value = sum(known[p.name] * p.expected for p in recipe.products)
        value -= energy_addition(recipe.energy_required_s, value)
        value /= INGREDIENT_EXPONENT ** (len(recipe.ingredients) - 2)
        price = (value - sum(known[i.name] * i.amount for i in others)) / amount
        best = price if best is None else min(best, price)
    return best


@cache
def prices(data: GameData) -> Mapping[str, float]:
    """Item, fluid or "energy" -> price; what cannot be priced is left out.

    For a way to get one of a product, `cost` being the sum of ingredient prices times amounts and n the
    number of ingredients: price = cost * 2 ** (n - 1) + ln(seconds + 1) * sqrt(cost); the cheapest way
    counts. A recipe's ingredients and seconds are divided by the number of its products and the expected
    amount of the one in question. What has no price then, but is an ingredient, gets one backwards from the
    products.

    Computed once for a `data`.
    """
    known = dict(SEED_PRICES)
    for resource in data.resources.values():
        for product in resource.minable.products if resource.minable else ():
            known.setdefault(product.name, RAW_RESOURCE_PRICE)

    ways = _ways(data)
    used_in: dict[str, list[Recipe]] = {}
    for recipe in data.recipes.values():
        for ingredient in recipe.ingredients:
            used_in.setdefault(ingredient.name, []).append(recipe)
    names = [*data.items, *data.fluids]
    for force in (False, True):
        for name in names:
            _from_ingredients(name, known, ways, set(), force)
        for name in names:
            if name not in known:
                price = _from_products(name, used_in.get(name, ()), known)
                if price is not None:
                    known[name] = price
    return MappingProxyType({name: known[name] for name in sorted(known)})
