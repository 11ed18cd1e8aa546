from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, EntityStatus, Position, Prototype, RecipeName
from tests.tools.cases import case

UP = Direction.UP
HERE = Position(x=4, y=4)


@pytest.fixture
def plant(make):
    return make(
        {
            "assembling-machine-1": 2,
            "assembling-machine-2": 1,
            "chemical-plant": 1,
            "oil-refinery": 1,
            "centrifuge": 1,
            "stone-furnace": 1,
            "inserter": 1,
            "iron-plate": 50,
            "speed-module": 2,
        },
        scenario="empty",
    )


@case("set_entity_recipe", "the recipe is set, the entity comes back with it; no time")
def test_a_recipe_is_set(plant):
    machine = plant.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    assert machine.recipe is None
    machine = plant.set_entity_recipe(machine, Prototype.IronGearWheel)
    assert machine.recipe.name == "iron-gear-wheel"
    assert plant.get_entity(Prototype.AssemblingMachine1, machine.position).recipe == machine.recipe
    assert plant.tick == 0


@case("set_entity_recipe", "`recipe` is a Recipe and equals its name", mends="Q-T16")
def test_the_recipe_equals_its_name(plant):
    machine = plant.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    recipe = plant.set_entity_recipe(machine, Prototype.IronGearWheel).recipe
    assert recipe == "iron-gear-wheel"
    assert recipe != "iron-plate"
    assert [(i.name, i.count) for i in recipe.ingredients] == [("iron-plate", 2)]


@case("set_entity_recipe", "items of the old recipe go back to the agent", mends="Q-T16")
def test_items_of_the_old_recipe_come_back(plant):
    machine = plant.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    machine = plant.set_entity_recipe(machine, Prototype.IronGearWheel)
    machine = plant.insert_item(Prototype.IronPlate, machine, 20)
    machine = plant.set_entity_recipe(machine, Prototype.CopperCable)
    assert plant.have("iron-plate") == 50
    assert machine.assembling_machine_input == {}


@case("set_entity_recipe", "the recipe that is set already changes nothing")
def test_the_same_recipe_again(plant):
    machine = plant.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    machine = plant.set_entity_recipe(machine, Prototype.IronGearWheel)
    plant.insert_item(Prototype.IronPlate, machine, 20)
    machine = plant.set_entity_recipe(machine, Prototype.IronGearWheel)
    assert machine.assembling_machine_input == {"iron-plate": 20}


@case("set_entity_recipe", "refineries, plants and centrifuges by RecipeName")
@pytest.mark.parametrize(
    "thing, recipe",
    [
        (Prototype.OilRefinery, RecipeName.BasicOilProcessing),
        (Prototype.ChemicalPlant, RecipeName.LightOilCracking),
        (Prototype.Centrifuge, RecipeName.UraniumProcessing),
        (Prototype.ChemicalPlant, Prototype.PlasticBar),
        (Prototype.AssemblingMachine2, RecipeName.FillWaterBarrel),
    ],
)
def test_other_machines(plant, thing, recipe):
    machine = plant.place_entity(thing, UP, HERE)
    name = recipe.value if isinstance(recipe, RecipeName) else recipe.value[0]
    assert plant.set_entity_recipe(machine, recipe).recipe == name


@case("set_entity_recipe", "a recipe that does not exist is refused, with those that make the thing", mends="Q-T16")
def test_what_is_no_recipe(plant):
    refinery = plant.place_entity(Prototype.OilRefinery, UP, HERE)
    message = plant.refusal("set_entity_recipe", refinery, Prototype.PetroleumGas)
    assert "advanced-oil-processing, basic-oil-processing" in message
    plant.refusal("set_entity_recipe", refinery, Prototype.RocketControlUnit)


@case("set_entity_recipe", "a recipe that the machine cannot make names those that can", mends="Q-T16")
def test_a_recipe_of_another_machine(plant):
    machine = plant.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    message = plant.refusal("set_entity_recipe", machine, Prototype.Sulfur)
    assert message.startswith("Could not set recipe: assembling-machine-1 cannot make sulfur: chemical-plant")


@case("set_entity_recipe", "one that is not researched is set, the status says so")
def test_an_unresearched_recipe(make):
    game = make({"assembling-machine-1": 1}, all_technologies=False)
    game.world.power((6.5, 4.5))
    machine = game.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    game.set_entity_recipe(machine, Prototype.CopperCable)
    game.sleep(1)
    status = game.get_entity(Prototype.AssemblingMachine1, machine.position).status
    assert status == EntityStatus.RECIPE_NOT_RESEARCHED


@case("set_entity_recipe", "an inserter gets its filter", mends="Q-T16")
def test_an_inserters_filter(plant):
    inserter = plant.place_entity(Prototype.Inserter, UP, HERE)
    inserter = plant.set_entity_recipe(inserter, Prototype.IronPlate)
    assert plant.at(4.5, 4.5).filters == ("iron-plate",)
    assert inserter.filter == "iron-plate"


@case("set_entity_recipe", "nothing there that takes one")
def test_nothing_takes_a_recipe(plant):
    furnace = plant.place_entity(Prototype.StoneFurnace, UP, HERE)
    message = plant.refusal("set_entity_recipe", furnace, Prototype.IronPlate)
    assert "there is no machine that takes one at (4, 4)" in message


@case("set_entity_recipe", "other types are value errors")
def test_wrong_arguments(plant):
    machine = plant.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    assert "Prototype.IronGearWheel" in plant.bad("ValueError", "set_entity_recipe", machine, "iron-gear-wheel")
    plant.bad("ValueError", "set_entity_recipe", Prototype.AssemblingMachine1, Prototype.IronGearWheel)
