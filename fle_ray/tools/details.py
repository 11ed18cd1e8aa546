"""What only some kinds of entities show agents: one describer a prototype type.

Each takes the simulator's entity and returns the extra fields of its value; `status` may override the engine's
and `more_warnings` go before the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fle_ray.game.values import Ingredient, Product, Recipe
from fle_ray.tools.belt_details import BELTS
from fle_ray.tools.fluid_details import FLUIDS, machine_fluids, pumpjack
from fle_ray.tools.points import Fields, half
from fle_ray.tools.power_details import POWER

__all__ = ["DETAILS"]


def _drill(entity: Any) -> Fields:
    if entity.prototype.output_fluid_box is not None:
        return pumpjack(entity)
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
    fields = machine_fluids(entity)
    if recipe is None:
        return fields
    return {
        **fields,
        "recipe": Recipe(
            name=recipe.name,
            ingredients=[Ingredient(name=i.name, count=i.amount, type=i.type) for i in recipe.ingredients],
            products=[
                Product(name=p.name, count=p.amount, type=p.type, probability=p.probability) for p in recipe.products
            ],
            energy=recipe.energy_required_s,
            category=recipe.category,
            enabled=entity.known,
        ),
    }


DETAILS: dict[str, Callable[[Any], Fields]] = {
    **BELTS,
    **FLUIDS,
    **POWER,
    "assembling-machine": _assembler,
    "mining-drill": _drill,
}
