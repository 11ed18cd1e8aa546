from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, Position, Prototype
from tests.tools.cases import case

UP = Direction.UP
HERE = Position(x=4, y=4)


@pytest.fixture
def store(make):
    """Flat land and plenty of everything that is put into something."""
    return make(
        {
            "coal": 500,
            "wood": 200,
            "iron-ore": 200,
            "copper-ore": 100,
            "iron-plate": 2000,
            "iron-gear-wheel": 300,
            "copper-plate": 100,
            "automation-science-pack": 300,
            "speed-module": 10,
            "firearm-magazine": 30,
            "rocket-fuel": 20,
            "stone-furnace": 1,
            "electric-furnace": 1,
            "burner-mining-drill": 1,
            "burner-inserter": 1,
            "electric-mining-drill": 1,
            "boiler": 1,
            "assembling-machine-1": 1,
            "assembling-machine-2": 1,
            "lab": 1,
            "beacon": 1,
            "gun-turret": 1,
            "wooden-chest": 1,
            "transport-belt": 20,
            "pipe": 2,
            "storage-tank": 1,
            "rocket-silo": 1,
        },
        scenario="empty",
    )


def put(game, thing, item, quantity=5, recipe=None, **kwargs):
    entity = game.place_entity(thing, UP, HERE)
    if recipe is not None:
        entity = game.set_entity_recipe(entity, recipe)
    return game.insert_item(item, entity, quantity, **kwargs)


@case("insert_item", "the target as it is now, of the same class; no time, no reach")
def test_the_target_comes_back(store):
    chest = store.place_entity(Prototype.WoodenChest, UP, HERE)
    store.stand(400, 400)
    filled = store.insert_item(Prototype.Coal, chest, 20)
    assert type(filled) is type(chest)
    assert filled.inventory == {"coal": 20}
    assert store.have("coal") == 480
    assert store.tick == 0


@case("insert_item", "5 without a quantity")
def test_five_by_default(store):
    chest = store.place_entity(Prototype.WoodenChest, UP, HERE)
    assert store.insert_item(Prototype.Coal, chest).inventory == {"coal": 5}


@case("insert_item", "more than one carries: what one carries")
def test_more_than_there_is(make):
    game = make({"coal": 7, "wooden-chest": 1})
    assert put(game, Prototype.WoodenChest, Prototype.Coal, 1000).inventory == {"coal": 7}
    assert game.have("coal") == 0


@case("insert_item", "none in the inventory", mends="Q-T21")
def test_none_in_the_inventory(make):
    game = make({"wooden-chest": 1, "stone": 2})
    chest = game.place_entity(Prototype.WoodenChest, UP, HERE)
    message = game.refusal("insert_item", Prototype.Coal, chest, 5)
    assert message == "Could not insert: there is no coal in your inventory, which holds: stone=2."


@case("insert_item", "a partial insert is a success, what does not fit stays with the agent")
def test_what_does_not_fit_stays(store):
    chest = put(store, Prototype.WoodenChest, Prototype.IronPlate, 2000)
    assert chest.inventory == {"iron-plate": 1600}  # 16 slots of 100
    assert store.have("iron-plate") == 400


@case("insert_item", "a chest takes anything until it is full, then says so")
def test_a_full_chest(store):
    chest = put(store, Prototype.WoodenChest, Prototype.IronPlate, 1600)
    message = store.refusal("insert_item", Prototype.Coal, chest, 5)
    assert message.startswith("Could not insert: failed to insert coal into wooden-chest (container) at (4.5, 4.5)")
    assert "none of 5 went in" in message and "{'iron-plate': 1600}" in message


@case("insert_item", "a burner furnace: fuel to the fuel slot, ore to the source slot")
def test_a_furnace(store):
    furnace = put(store, Prototype.StoneFurnace, Prototype.Coal, 50)
    assert furnace.fuel == {"coal": 50}
    furnace = store.insert_item(Prototype.IronOre, furnace, 50)
    assert furnace.furnace_source == {"iron-ore": 50}


def test_a_furnace_takes_one_stack_of_fuel(store):
    assert put(store, Prototype.StoneFurnace, Prototype.Coal, 500).fuel == {"coal": 50}


@case("insert_item", "a furnace that holds another item names both")
def test_a_furnace_with_another_ore(store):
    furnace = put(store, Prototype.StoneFurnace, Prototype.IronOre, 10)
    message = store.refusal("insert_item", Prototype.CopperOre, furnace, 5)
    assert message.startswith("Could not insert: Could not find an entity")
    assert "holds iron-ore" in message and "copper-ore cannot be mixed" in message


@case("insert_item", "what does not smelt is refused by a furnace")
def test_what_does_not_smelt(store):
    furnace = store.place_entity(Prototype.StoneFurnace, UP, HERE)
    message = store.refusal("insert_item", Prototype.IronGearWheel, furnace, 5)
    assert message.startswith("Could not insert: Could not find an entity") and "smelts ore" in message


@case("insert_item", "an electric furnace takes no fuel")
def test_an_electric_furnace_takes_no_fuel(store):
    furnace = store.place_entity(Prototype.ElectricFurnace, UP, HERE)
    assert "electricity, not on fuel" in store.refusal("insert_item", Prototype.Coal, furnace, 5)
    assert store.insert_item(Prototype.IronOre, furnace, 5).furnace_source == {"iron-ore": 5}


@case("insert_item", "iron plates smelt to steel")
def test_iron_plates_smelt(store):
    assert put(store, Prototype.StoneFurnace, Prototype.IronPlate, 5).furnace_source == {"iron-plate": 5}


@case("insert_item", "drills, burner inserters and boilers take fuel only")
@pytest.mark.parametrize("thing", [Prototype.BurnerMiningDrill, Prototype.BurnerInserter, Prototype.Boiler])
@pytest.mark.parametrize("fuel", [Prototype.Coal, Prototype.Wood])
def test_burners_take_fuel_only(store, thing, fuel):
    store.world.ore("coal", (0, 0, 9, 9))
    machine = put(store, thing, fuel, 10)
    assert machine.fuel == {fuel.value[0]: 10}
    message = store.refusal("insert_item", Prototype.IronOre, machine, 5)
    assert "takes fuel only" in message and "Could not find" in message


def test_a_boiler_takes_one_stack(store):
    assert put(store, Prototype.Boiler, Prototype.Coal, 500).fuel == {"coal": 50}


@case("insert_item", "an assembler: ingredients to the input, products to the output")
def test_an_assembler(store):
    machine = put(store, Prototype.AssemblingMachine1, Prototype.IronPlate, 20, recipe=Prototype.IronGearWheel)
    assert machine.assembling_machine_input == {"iron-plate": 20}
    machine = store.insert_item(Prototype.IronGearWheel, machine, 300)
    assert machine.assembling_machine_output == {"iron-gear-wheel": 100}


@case("insert_item", "an assembler without a recipe is refused")
def test_an_assembler_without_a_recipe(store):
    machine = store.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    assert "has no recipe set" in store.refusal("insert_item", Prototype.IronPlate, machine, 5)


@case("insert_item", "an assembler refuses what its recipe does not know, and says what it does")
def test_an_assembler_refuses_strangers(store):
    machine = store.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    machine = store.set_entity_recipe(machine, Prototype.IronGearWheel)
    message = store.refusal("insert_item", Prototype.CopperPlate, machine, 5)
    assert "whose ingredients and products are iron-plate, iron-gear-wheel" in message


@case("insert_item", "modules as long as there are slots")
def test_modules(store):
    machine = store.place_entity(Prototype.AssemblingMachine2, UP, HERE)
    machine = store.insert_item(Prototype.SpeedModule, machine, 5)
    assert machine.assembling_machine_modules == {"speed-module": 2}
    assert store.have("speed-module") == 8
    assert "none of 5 went in" in store.refusal("insert_item", Prototype.SpeedModule, machine, 5)


def test_an_assembler_without_module_slots_says_so(store):
    machine = store.place_entity(Prototype.AssemblingMachine1, UP, HERE)
    assert "takes no speed-module" in store.refusal("insert_item", Prototype.SpeedModule, machine, 1)


@case("insert_item", "a beacon takes modules")
def test_a_beacon_takes_modules(store):
    beacon = put(store, Prototype.Beacon, Prototype.SpeedModule, 5)
    assert beacon.beacon_modules == {"speed-module": 2}
    assert store.have("speed-module") == 8


@case("insert_item", "a lab takes science packs, not modules")
def test_a_lab_takes_packs(store):
    lab = put(store, Prototype.Lab, Prototype.AutomationSciencePack, 10)
    assert lab.lab_input == {"automation-science-pack": 10}
    assert "takes science packs" in store.refusal("insert_item", Prototype.SpeedModule, lab, 1)
    assert "automation-science-pack" in store.refusal("insert_item", Prototype.IronPlate, lab, 1)


@case("insert_item", "a turret takes ammunition")
def test_a_turret_takes_ammunition(store):
    turret = put(store, Prototype.GunTurret, Prototype.FirearmMagazine, 10)
    assert turret.turret_ammo == {"firearm-magazine": 10}
    assert "refuses iron-plate" in store.refusal("insert_item", Prototype.IronPlate, turret, 1)


@case("insert_item", "a silo takes the parts of a rocket")
def test_a_silo_takes_parts(store):
    silo = store.place_entity(Prototype.RocketSilo, UP, Position(x=8.5, y=0.5))
    silo = store.insert_item(Prototype.RocketFuel, silo, 20)
    assert silo.rocket_silo_input == {"rocket-fuel": 20}


@case("insert_item", "what holds no items refuses")
@pytest.mark.parametrize("thing", [Prototype.Pipe, Prototype.StorageTank])
def test_what_holds_no_items(store, thing):
    entity = store.place_entity(thing, UP, HERE)
    assert "It refuses coal" in store.refusal("insert_item", Prototype.Coal, entity, 5)


@case("insert_item", "a group of pipes holds no items")
def test_a_group_of_pipes(store):
    store.place_entity(Prototype.Pipe, UP, HERE)
    (pipes,) = store.get_entities({Prototype.PipeGroup})
    message = store.refusal("insert_item", Prototype.Coal, pipes, 5)
    assert message.startswith("Could not insert: Could not find")


@case("insert_item", "the machine on the place, not another of its kind beside it")
def test_the_machine_that_is_meant(make):
    game = make({"wooden-chest": 2, "coal": 50})
    first = game.place_entity(Prototype.WoodenChest, UP, Position(x=3.5, y=3.5))
    second = game.place_entity(Prototype.WoodenChest, UP, Position(x=4.5, y=3.5))
    game.insert_item(Prototype.Coal, second, 5)
    assert game.get_entity(Prototype.WoodenChest, first.position).inventory == {}
    assert game.get_entity(Prototype.WoodenChest, second.position).inventory == {"coal": 5}


@case("insert_item", "what is gone cannot be filled")
def test_what_is_gone(store):
    chest = store.place_entity(Prototype.WoodenChest, UP, HERE)
    store.pickup_entity(chest)
    message = store.refusal("insert_item", Prototype.Coal, chest, 5)
    assert "Could not find a wooden-chest near (4.5, 4.5)" in message


@case("insert_item", "a belt takes what fits, and raises only when nothing did", mends="Q-T13")
def test_a_belt_takes_what_fits(store):
    belt = store.place_entity(Prototype.TransportBelt, Direction.RIGHT, HERE)
    store.insert_item(Prototype.IronPlate, belt, 100)
    carried = 2000 - store.have("iron-plate")
    assert carried == 8  # two lanes of four
    assert "none of 5 went in" in store.refusal("insert_item", Prototype.IronPlate, belt, 5)


@case("insert_item", "a line of belts is filled from its input on", mends="Q-T13")
def test_a_line_of_belts(store):
    for x in range(-4, 5):
        store.place_entity(Prototype.TransportBelt, Direction.RIGHT, Position(x=x, y=4))
    (line,) = store.get_entities({Prototype.BeltGroup})
    line = store.insert_item(Prototype.IronPlate, line, 5)
    assert line.inventory == {"iron-plate": 5}
    line = store.insert_item(Prototype.IronPlate, line, 500)
    carried = 2000 - store.have("iron-plate")
    assert line.inventory == {"iron-plate": carried}
    assert 9 * 8 - 4 <= carried <= 9 * 8  # the first five lie where they fell
    message = store.refusal("insert_item", Prototype.IronPlate, line, 5)
    assert message.startswith("Could not insert") and "full" in message


@case("insert_item", "wrong arguments are assertion errors")
def test_wrong_arguments(store):
    chest = store.place_entity(Prototype.WoodenChest, UP, HERE)
    store.bad("AssertionError", "insert_item", "coal", chest, 5)
    store.bad("AssertionError", "insert_item", Prototype.Coal, HERE, 5)
    store.bad("AssertionError", "insert_item", Prototype.Coal, chest, None)
    store.bad("AssertionError", "insert_item", Prototype.Coal, chest, 0)
