"""What only some kinds of entities show agents: one describer a prototype type.

Each takes the simulator's entity and returns the extra fields of its value; `status` may override the engine's
and `more_warnings` go before the others.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import Any

from fle_ray.game.values import Ingredient, Position, Product, Recipe

__all__ = ["DETAILS", "half"]

Fields = dict[str, Any]


def half(point: tuple[float, float]) -> Position:
    """A point rounded to the nearest half tile."""
    return Position(x=floor(point[0] * 2 + 0.5) / 2, y=floor(point[1] * 2 + 0.5) / 2)


def _drill(entity: Any) -> Fields:
    amounts: dict[str, int] = {}
    x, y = entity.x, entity.y
    radius = entity.prototype.mining.radius
    for resource in entity.world.map.resources_in((x - radius, y - radius, x + radius, y + radius)):
        amounts[resource.name] = amounts.get(resource.name, 0) + resource.amount
    fields: Fields = {
        "drop_position": half(entity.drop),
        "resources": [Ingredient(name=name, count=count) for name, count in sorted(amounts.items())],
    }
    if not amounts:
        fields["status"] = "no_minable_resources"
    return fields


def _assembler(entity: Any) -> Fields:
    recipe = entity.recipe
    if recipe is None:
        return {"recipe": None}
    return {
        "recipe": Recipe(
            name=recipe.name,
            ingredients=[Ingredient(name=i.name, count=i.amount, type=i.type) for i in recipe.ingredients],
            products=[
                Product(name=p.name, count=p.amount, type=p.type, probability=p.probability) for p in recipe.products
            ],
            energy=recipe.energy_required_s,
            category=recipe.category,
            enabled=entity.known,
        )
    }


DETAILS: dict[str, Callable[[Any], Fields]] = {
    "assembling-machine": _assembler,
    "mining-drill": _drill,
}
