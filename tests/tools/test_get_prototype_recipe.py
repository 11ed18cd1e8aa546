from __future__ import annotations

import pytest

from fle_ray.game.values import Prototype, RecipeName
from tests.tools.cases import case


def parts(entries):
    return [(e.name, e.count, e.type) for e in entries]


@case("get_prototype_recipe", "ingredients and products with amounts and types")
def test_ingredients_and_products(game):
    recipe = game.get_prototype_recipe(Prototype.ElectronicCircuit)
    assert recipe.name == "electronic-circuit"
    assert sorted(parts(recipe.ingredients)) == [("copper-cable", 3, "item"), ("iron-plate", 1, "item")]
    assert parts(recipe.products) == [("electronic-circuit", 1, "item")]
    assert game.tick == 0


@case("get_prototype_recipe", "energy, category and enabled are filled in", mends="Q-T28")
def test_energy_category_and_enabled(game, make):
    recipe = game.get_prototype_recipe(Prototype.IronPlate)
    assert (recipe.energy, recipe.category, recipe.enabled) == (3.2, "smelting", True)
    start = make({}, all_technologies=False)
    assert start.get_prototype_recipe(Prototype.ElectronicCircuit).enabled is False


@case("get_prototype_recipe", "a RecipeName, with fluids")
def test_a_recipe_with_fluids(game):
    recipe = game.get_prototype_recipe(RecipeName.AdvancedOilProcessing)
    assert sorted(parts(recipe.ingredients)) == [("crude-oil", 100, "fluid"), ("water", 50, "fluid")]
    assert sorted(parts(recipe.products)) == [
        ("heavy-oil", 25, "fluid"),
        ("light-oil", 45, "fluid"),
        ("petroleum-gas", 55, "fluid"),
    ]


@case("get_prototype_recipe", "chances of products")
def test_chances(game):
    products = game.get_prototype_recipe(RecipeName.UraniumProcessing).products
    assert {p.name: p.probability for p in products} == {"uranium-235": 0.007, "uranium-238": 0.993}


@case("get_prototype_recipe", "a name")
def test_a_name(game):
    assert game.get_prototype_recipe("iron-gear-wheel").name == "iron-gear-wheel"


@case("get_prototype_recipe", "what is no recipe is refused, with what to use")
@pytest.mark.parametrize(
    "thing, words",
    [
        (Prototype.PetroleumGas, "basic-oil-processing"),
        (Prototype.IronOre, "Maybe use RecipeName"),
        ("iron-gear", "'iron-gear-wheel'"),
    ],
)
def test_what_is_no_recipe(game, thing, words):
    message = game.refusal("get_prototype_recipe", thing)
    assert message.startswith("Could not get recipe of") and words in message


@case("get_prototype_recipe", "other types are refused")
def test_wrong_arguments(game):
    game.bad("ValueError", "get_prototype_recipe", 5)
