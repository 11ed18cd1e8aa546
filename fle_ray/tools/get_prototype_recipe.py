"""`get_prototype_recipe`: what something is made of."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import ToolError, UnknownName
from fle_ray.game.prototypes import Recipe as Record
from fle_ray.game.values import Ingredient, Product, Prototype, Recipe, RecipeName
from fle_ray.tools.context import Context

__all__ = ["get_prototype_recipe", "recipe_name", "recipe_value"]


def recipe_name(context: Context, tool: str, value: Any) -> str:
    """Name of the recipe a Prototype, RecipeName, Recipe or text stands for. Raises ToolError."""
    if isinstance(value, (Prototype, RecipeName)):
        name = value.value[0] if isinstance(value, Prototype) else value.value
    elif isinstance(value, Recipe):
        name = value.name
    elif isinstance(value, str):
        name = value
    else:
        raise ToolError(
            f"{tool}: expected a Prototype, a RecipeName or a recipe's name, not {type(value).__name__}.",
            type="ValueError",
        )
    recipes = context.world.data.recipes
    if name in recipes:
        return name
    products = [r.name for r in context.world.data.recipes_for(name)]
    hint = f"Recipes that make {name}: {', '.join(products)}." if products else "Maybe use RecipeName."
    raise ToolError(f"Could not get recipe of {name}. {UnknownName('recipe', name, recipes, hint)}")


def recipe_value(context: Context, record: Record) -> Recipe:
    """A recipe as agents see it."""
    return Recipe(
        name=record.name,
        ingredients=[Ingredient(name=i.name, count=i.amount, type=i.type) for i in record.ingredients],
        products=[
            Product(name=p.name, count=p.amount, type=p.type, probability=p.probability) for p in record.products
        ],
        energy=record.energy_required_s,
        category=record.category,
        enabled=record.name in context.world.force.recipes,
    )


def get_prototype_recipe(context: Context, prototype: Any) -> Recipe:
    """The recipe of a Prototype, RecipeName or name, researched or not. Takes no time."""
    return recipe_value(context, context.world.data.recipe(recipe_name(context, "get_prototype_recipe", prototype)))
