from __future__ import annotations

import pytest

from fle_ray.errors import StepLimit
from fle_ray.game.values import Prototype
from tests.tools.cases import case


@case("craft_item", "ceil(quantity / yield) crafts of ceil(60 * energy) ticks")
def test_twenty_cables_take_ten_plates(game):
    assert game.craft_item(Prototype.CopperCable, 20) == 20
    assert (game.have("copper-cable"), game.have("copper-plate")) == (20, 40)
    assert game.tick == 10 * 30


@case("craft_item", "an iron chest takes 8 plates and half a second")
def test_an_iron_chest_takes_eight_plates(game):
    assert game.craft_item(Prototype.IronChest) == 1
    assert (game.have("iron-chest"), game.have("iron-plate")) == (3, 42)
    assert game.tick == 30


@case("craft_item", "returns what was asked for, surplus stays")
def test_surplus_stays_in_the_inventory(game):
    assert game.craft_item(Prototype.CopperCable, 1) == 1
    assert game.have("copper-cable") == 2


@case("craft_item", "30 ticks for each gear")
@pytest.mark.parametrize("quantity", [1, 5, 20])
def test_gears_take_thirty_ticks_each(game, quantity):
    game.craft_item(Prototype.IronGearWheel, quantity)
    assert game.tick == 30 * quantity


@case("craft_item", "missing intermediates are crafted first, each taking its time")
def test_a_burner_drill_from_plates_and_stone(make):
    game = make({"iron-plate": 9, "stone": 5})
    assert game.craft_item(Prototype.BurnerMiningDrill) == 1
    assert game.instance.inventory(0) == {"burner-mining-drill": 1}
    assert game.tick == 3 * 30 + 30 + 120  # gears, furnace, drill


@case("craft_item", "an intermediate needed twice is no loop: the whole tree is planned first", mends="Q-T4")
def test_a_lab_from_plates_in_one_call(make):
    # 10 circuits: 10 iron, 30 cables (15 copper). 10 gears: 20 iron. 4 belts in 2 crafts: 2 gears (4 iron), 2 iron.
    game = make({"iron-plate": 36, "copper-plate": 15})
    assert game.craft_item(Prototype.Lab) == 1
    assert game.instance.inventory(0) == {"lab": 1}
    assert game.tick == 15 * 30 + 10 * 30 + 10 * 30 + 2 * 30 + 2 * 30 + 120


@case("craft_item", "intermediates in the inventory are used first")
def test_what_is_there_is_used(make):
    game = make({"iron-plate": 9, "stone-furnace": 1})
    game.craft_item(Prototype.BurnerMiningDrill)
    assert game.instance.inventory(0) == {"burner-mining-drill": 1}
    assert game.tick == 3 * 30 + 120


@case("craft_item", "a name instead of a Prototype")
def test_a_name_will_do(game):
    game.craft_item("iron-gear-wheel", 2)
    assert game.have("iron-gear-wheel") == 2


@case("craft_item", "missing ingredients are listed, nothing is used and no time passes", mends="Q-T3")
def test_missing_ingredients_are_listed(make):
    game = make({"iron-plate": 5})
    message = game.refusal("craft_item", Prototype.IronChest, 2)
    assert message.startswith("Failed to craft 2x iron-chest because")
    assert "iron-plate x11" in message  # 16 needed, 5 there
    assert "iron-plate=5" in message


def test_deep_down_it_says_what_the_missing_thing_needs(make):
    game = make({"stone": 5})
    message = game.refusal("craft_item", Prototype.BurnerMiningDrill, 1)
    assert "iron-plate x9" in message
    assert "stone-furnace" in message  # smelting: which machines do it


@case("craft_item", "raw resources must be gathered")
@pytest.mark.parametrize("raw", [Prototype.Coal, Prototype.IronOre, Prototype.Wood])
def test_raw_resources_cannot_be_crafted(game, raw):
    message = game.refusal("craft_item", raw, 1)
    assert "raw resource" in message and "harvest_resource" in message


@case("craft_item", "what hands cannot make names its category and machines")
@pytest.mark.parametrize(
    "wanted, category, machine",
    [
        (Prototype.IronPlate, "smelting", "stone-furnace"),
        (Prototype.Sulfur, "chemistry", "chemical-plant"),
        (Prototype.EngineUnit, "advanced-crafting", "assembling-machine-1"),
        (Prototype.ElectricEngineUnit, "crafting-with-fluid", "assembling-machine-2"),
    ],
)
def test_what_needs_a_machine(game, wanted, category, machine):
    message = game.refusal("craft_item", wanted, 1)
    assert f"{category} cannot be done by hand" in message
    assert machine in message


@case("craft_item", "an unknown recipe names its technology")
def test_a_recipe_that_is_not_researched(make):
    game = make({"iron-plate": 100, "copper-plate": 100}, all_technologies=False)
    message = game.refusal("craft_item", Prototype.ElectricMiningDrill, 1)
    assert "research electric-mining-drill first" in message


@case("craft_item", "what does not exist offers near names")
def test_what_does_not_exist(game):
    assert "'iron-gear-wheel'" in game.refusal("craft_item", "iron-gear-wheels", 1)
    assert "no such recipe" in game.refusal("craft_item", Prototype.RocketControlUnit, 1)


@case("craft_item", "no room for the product: slots needed and free")
def test_a_full_inventory(make):
    game = make({"iron-plate": 80 * 100}, all_technologies=False)
    message = game.refusal("craft_item", Prototype.IronGearWheel, 2)
    assert "Inventory is full" in message
    assert "iron-gear-wheel x2 needs 1 slots and 0 are free" in message


def test_the_slots_that_the_ingredients_leave_are_room(make):
    game = make({"iron-plate": 79 * 100 + 8}, all_technologies=False)  # the last slot holds just what a chest takes
    assert game.craft_item(Prototype.IronChest) == 1


@case("craft_item", "statistics count crafts as they are", mends="Q-T5")
def test_statistics_of_a_nested_craft(make):
    game = make({"iron-plate": 9, "stone": 5})
    game.craft_item(Prototype.BurnerMiningDrill)
    flows = game.instance.flows()
    made = {"burner-mining-drill": 1, "iron-gear-wheel": 3, "stone-furnace": 1}
    used = {"iron-plate": 6 + 3, "stone": 5, "iron-gear-wheel": 3, "stone-furnace": 1}
    assert flows.produced == flows.crafted == made
    assert flows.consumed == flows.crafted_consumed == used


@case("craft_item", "a step too short for it crafts nothing")
def test_a_step_that_is_too_short(game):
    game.instance.tick_limit = 100
    with pytest.raises(StepLimit):
        game.craft_item(Prototype.IronGearWheel, 10)
    assert game.tick == 100
    assert (game.have("iron-plate"), game.have("iron-gear-wheel")) == (50, 0)


@case("craft_item", "wrong arguments are refused")
def test_wrong_arguments(game):
    assert "at least 1" in game.bad("ValueError", "craft_item", Prototype.IronChest, 0)
    assert "Prototype" in game.bad("ValueError", "craft_item", 7)
