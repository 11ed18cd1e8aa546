"""What entities show: fields, statuses, warnings, and their printed form."""

from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, EntityStatus, Position, Prototype, RecipeName, Resource
from tests.tools.cases import case

UP, RIGHT, DOWN, LEFT = Direction.UP, Direction.RIGHT, Direction.DOWN, Direction.LEFT


@pytest.fixture
def yard(make):
    """Flat land with ore under the western half, and one of most things."""
    game = make(
        {
            "coal": 200,
            "iron-ore": 200,
            "iron-plate": 400,
            "copper-plate": 200,
            "stone-furnace": 3,
            "electric-furnace": 1,
            "wooden-chest": 3,
            "burner-mining-drill": 2,
            "electric-mining-drill": 1,
            "burner-inserter": 3,
            "inserter": 2,
            "assembling-machine-1": 2,
            "assembling-machine-2": 1,
            "transport-belt": 30,
            "boiler": 1,
            "steam-engine": 1,
            "offshore-pump": 1,
            "pipe": 30,
            "small-electric-pole": 5,
            "lab": 1,
            "automation-science-pack": 20,
            "speed-module": 5,
            "beacon": 1,
            "gun-turret": 1,
            "accumulator": 1,
            "rocket-silo": 1,
        },
        scenario="empty",
    )
    game.world.ore("iron-ore", (-40, -20, -1, 20))
    return game


def now(game, entity):
    """The entity as it is now."""
    return game.get_entity(entity.prototype, entity.position)


@case("entities", "what every entity carries")
def test_what_every_entity_carries(yard):
    furnace = yard.place_entity(Prototype.StoneFurnace, UP, Position(x=4, y=4))
    assert (furnace.name, furnace.type, furnace.direction) == ("stone-furnace", "furnace", UP)
    assert (furnace.position.x, furnace.position.y) == (4, 4)
    assert (furnace.health, furnace.energy) == (200, 0)
    assert (furnace.tile_dimensions.tile_width, furnace.tile_dimensions.tile_height) == (2, 2)
    assert (furnace.dimensions.width, furnace.dimensions.height) == (1.4, 1.4)
    assert furnace.prototype is Prototype.StoneFurnace
    assert furnace.id == yard.at(4, 4).number


@case("entities", "burners show their fuel as a list and as a count as well")
def test_fuel_in_other_words(yard):
    furnace = yard.place_entity(Prototype.StoneFurnace, UP, Position(x=4, y=4))
    furnace = yard.insert_item(Prototype.Coal, furnace, 5)
    assert furnace.fuel == {"coal": 5}
    assert furnace.remaining_fuel == 5
    assert furnace.fuel_inventory == ["coal=5"]


@case("entities", "printed: class, fields in order, tile size last, no warnings when there are none")
def test_the_printed_form(yard):
    chest = yard.place_entity(Prototype.WoodenChest, UP, Position(x=4, y=4))
    chest = yard.insert_item(Prototype.Coal, chest, 3)
    text = repr(chest)
    assert text.startswith("\n\tChest(name='wooden-chest', direction=Direction.UP, position=Position(x=4.5, y=4.5)")
    assert text.endswith("inventory=Inventory(coal=3), height=1.0, width=1.0)")
    for hidden in ("warnings", "health", "dimensions", "prototype", "id="):
        assert hidden not in text


@case("entities", "neighbours: what stands within 0.7 tiles of its box")
def test_neighbours(yard):
    machine = yard.place_entity(Prototype.AssemblingMachine1, UP, Position(x=4.5, y=4.5))
    for x in (6.5, 8.5):
        yard.place_entity(Prototype.WoodenChest, UP, Position(x=x, y=4.5))
    assert [(n.name, n.position.x) for n in now(yard, machine).neighbours] == [("wooden-chest", 6.5)]


@case("entities", "modules under their own fields")
def test_modules(yard):
    machine = yard.place_entity(Prototype.AssemblingMachine2, UP, Position(x=4.5, y=4.5))
    machine = yard.insert_item(Prototype.SpeedModule, machine, 2)
    assert machine.assembling_machine_modules == {"speed-module": 2}


@case("entities", "a furnace names the recipe while one is active")
def test_a_furnaces_recipe(yard):
    furnace = yard.place_entity(Prototype.StoneFurnace, UP, Position(x=4, y=4))
    assert not hasattr(furnace, "recipe")
    yard.insert_item(Prototype.Coal, furnace, 5)
    yard.insert_item(Prototype.IronOre, furnace, 5)
    yard.sleep(1)
    assert now(yard, furnace).recipe == "iron-plate"


@case("entities", "a lab names the current research")
def test_a_labs_research(make):
    game = make({"lab": 1}, all_technologies=False)
    lab = game.place_entity(Prototype.Lab, UP, Position(x=4.5, y=4.5))
    assert lab.research is None
    game.set_research("automation")
    assert now(game, lab).research == "automation"


@case("entities", "the electric network, None outside any")
def test_the_electric_network(yard):
    machine = yard.place_entity(Prototype.AssemblingMachine1, UP, Position(x=4.5, y=4.5))
    assert machine.electrical_id is None
    pole = yard.place_entity(Prototype.SmallElectricPole, UP, Position(x=6.5, y=4.5))
    assert now(yard, machine).electrical_id == pole.electrical_id is not None


@case("entities", "a silo shows parts, progress and what it waits for", mends="Q-V12")
def test_a_silo(yard):
    silo = yard.place_entity(Prototype.RocketSilo, UP, Position(x=8.5, y=0.5))
    assert (silo.rocket_parts, silo.rocket_progress) == (0, 0)
    yard.at(8.5, 0.5).outputs["rocket-part"] = 30
    silo = now(yard, silo)
    assert (silo.rocket_parts, silo.rocket_progress) == (30, 30.0)
    assert silo.status == EntityStatus.PREPARING_ROCKET_FOR_LAUNCH
    assert silo.warnings[0] == "waiting for rocket parts"
    assert "rocket_parts=30, rocket_progress=30.0%" in repr(silo)


# -- statuses ---------------------------------------------------------------------------------------------------


@case("entities", "statuses of a furnace from cold to full")
def test_statuses_of_a_furnace(yard):
    furnace = yard.place_entity(Prototype.StoneFurnace, UP, Position(x=4, y=4))
    assert furnace.status == EntityStatus.NO_FUEL
    yard.insert_item(Prototype.Coal, furnace, 20)
    yard.sleep(0.1)
    assert now(yard, furnace).status == EntityStatus.NO_INGREDIENTS
    yard.insert_item(Prototype.IronOre, furnace, 10)
    yard.sleep(0.1)
    assert now(yard, furnace).status == EntityStatus.WORKING


@case("entities", "an assembler: no recipe, no power, ingredients short, working")
def test_statuses_of_an_assembler(yard):
    machine = yard.place_entity(Prototype.AssemblingMachine1, UP, Position(x=4.5, y=4.5))
    yard.sleep(0.1)
    assert now(yard, machine).status == EntityStatus.NO_RECIPE
    yard.set_entity_recipe(machine, Prototype.IronGearWheel)
    yard.sleep(0.1)
    assert now(yard, machine).status in (EntityStatus.NO_POWER, EntityStatus.NOT_PLUGGED_IN_ELECTRIC_NETWORK)
    yard.world.power((7.5, 4.5))
    yard.sleep(0.1)
    assert now(yard, machine).status == EntityStatus.ITEM_INGREDIENT_SHORTAGE
    yard.insert_item(Prototype.IronPlate, machine, 10)
    yard.sleep(0.1)
    assert now(yard, machine).status == EntityStatus.WORKING


@case("entities", "a drill whose ore is gone: no_minable_resources, nothing to mine")
def test_a_drill_without_ore(yard):
    drill = yard.place_entity(Prototype.BurnerMiningDrill, UP, Position(x=-4, y=4))
    yard.insert_item(Prototype.Coal, drill, 5)
    for tile in [(x, y) for x in (-5, -4) for y in (3, 4)]:
        yard.world.map.deplete(yard.world.map.resources[tile], 10_000)
    yard.sleep(1)
    drill = now(yard, drill)
    assert drill.status == EntityStatus.NO_MINABLE_RESOURCES
    assert drill.resources == []
    assert drill.warnings == ["nothing to mine"]


@case("entities", "chests, pipes and walls have no status: normal")
def test_what_has_no_status(yard):
    assert yard.place_entity(Prototype.WoodenChest, UP, Position(x=4, y=4)).status == EntityStatus.NORMAL


@case("entities", "a beacon without modules")
def test_a_beacon(yard):
    yard.world.power((8.5, 4.5))
    beacon = yard.place_entity(Prototype.Beacon, UP, Position(x=5.5, y=4.5))
    yard.sleep(0.1)
    assert now(yard, beacon).status == EntityStatus.NO_MODULES_TO_TRANSMIT


@case("entities", "pump, boiler and engine: not connected, no fuel, working, not plugged in")
def test_statuses_of_steam_power(make):
    game = make(
        {
            "offshore-pump": 1,
            "boiler": 1,
            "steam-engine": 1,
            "pipe": 20,
            "coal": 5,
            "assembling-machine-1": 1,
            "accumulator": 1,
            "medium-electric-pole": 5,
        }
    )
    water = game.nearest(Resource.Water)
    game.move_to(water)
    pump = game.place_entity(Prototype.OffshorePump, position=water)
    boiler = game.place_entity_next_to(Prototype.Boiler, pump.position, RIGHT, spacing=3)
    engine = game.place_entity_next_to(Prototype.SteamEngine, boiler.position, RIGHT, spacing=3)
    for entity in (pump, boiler, engine):
        assert entity.status == EntityStatus.NOT_CONNECTED
        assert entity.warnings[0] == "no fluid present in connections"
    game.connect_entities(pump, boiler, Prototype.Pipe)
    assert now(game, pump).status == EntityStatus.WORKING
    assert now(game, boiler).status == EntityStatus.NO_FUEL
    game.sleep(30)  # the line is full by now
    assert now(game, pump).status == EntityStatus.WORKING
    game.insert_item(Prototype.Coal, boiler, 5)
    game.connect_entities(boiler, engine, Prototype.Pipe)
    game.sleep(1)
    assert now(game, boiler).status == EntityStatus.WORKING
    assert now(game, engine).status == EntityStatus.NOT_PLUGGED_IN_ELECTRIC_NETWORK
    machine = game.place_entity_next_to(Prototype.AssemblingMachine1, engine.position, RIGHT, spacing=4)
    machine = game.set_entity_recipe(machine, Prototype.IronGearWheel)
    game.sleep(0.1)
    assert now(game, machine).status == EntityStatus.NO_POWER
    accumulator = game.place_entity_next_to(Prototype.Accumulator, engine.position, DOWN, spacing=1)
    poles = game.connect_entities(engine, machine, Prototype.MediumElectricPole)
    game.connect_entities(engine, accumulator, Prototype.MediumElectricPole)
    game.sleep(1)
    assert now(game, engine).status == EntityStatus.WORKING
    assert now(game, machine).status == EntityStatus.ITEM_INGREDIENT_SHORTAGE
    assert now(game, accumulator).status == EntityStatus.CHARGING
    group = game.get_entity(Prototype.ElectricityGroup, poles.position)
    assert group.status == EntityStatus.WORKING
    assert {pole.status for pole in group.poles} == {EntityStatus.NORMAL}


@case("entities", "a group of pipes: EMPTY when dry, FULL_OUTPUT when full and still", mends="Q-V9")
def test_statuses_of_pipes(make):
    game = make({"offshore-pump": 1, "pipe": 3})
    water = game.nearest(Resource.Water)
    game.move_to(water)
    pump = game.place_entity(Prototype.OffshorePump, position=water)
    dry = game.place_entity(Prototype.Pipe, UP, Position(x=-5, y=-5))
    wet = game.place_entity(Prototype.Pipe, UP, pump.connection_points[0])
    game.sleep(30)
    groups = {g.position.x: g.status for g in game.get_entities({Prototype.PipeGroup})}
    assert groups == {dry.position.x: EntityStatus.EMPTY, wet.position.x: EntityStatus.FULL_OUTPUT}
    assert now(game, pump).status == EntityStatus.WORKING
    assert now(game, wet).status in (EntityStatus.WORKING, EntityStatus.FULL_OUTPUT)


@case("entities", "a group of belts: EMPTY, WORKING, FULL_OUTPUT when a belt refuses both lanes", mends="Q-V10")
def test_statuses_of_belts(yard):
    for x in range(3, 6):
        yard.place_entity(Prototype.TransportBelt, RIGHT, Position(x=x, y=4))
    (line,) = yard.get_entities({Prototype.BeltGroup})
    assert line.status == EntityStatus.EMPTY
    line = yard.insert_item(Prototype.IronPlate, line, 2)
    assert line.status == EntityStatus.WORKING
    line = yard.insert_item(Prototype.IronPlate, line, 100)
    yard.sleep(5)
    line = yard.get_entity(Prototype.BeltGroup, line.position)
    assert line.status == EntityStatus.FULL_OUTPUT
    end = yard.get_entity(Prototype.TransportBelt, Position(x=5.5, y=4.5))
    assert end.warnings[0] == "full"
    assert "transport belt blocked" in end.warnings[1] and "inserter" in end.warnings[1]


# -- warnings ---------------------------------------------------------------------------------------------------


@case("entities", "a fresh stone furnace warns of just two things")
def test_a_fresh_furnace(yard):
    furnace = yard.place_entity(Prototype.StoneFurnace, UP, Position(x=4, y=4))
    assert furnace.warnings == ["out of fuel", "no ingredients to smelt"]


@case("entities", "a fresh assembler far from poles warns of just that")
def test_a_fresh_assembler(yard):
    machine = yard.place_entity(Prototype.AssemblingMachine1, UP, Position(x=4.5, y=4.5))
    assert machine.warnings == ["not connected to power network"]


@case("entities", "in a network without power: not receiving electricity")
def test_no_electricity(yard):
    yard.place_entity(Prototype.SmallElectricPole, UP, Position(x=6.5, y=4.5))
    machine = yard.place_entity(Prototype.AssemblingMachine1, UP, Position(x=4.5, y=4.5))
    assert machine.warnings == ["not receiving electricity"]


@case("entities", "what an assembler is short of, with counts")
def test_missing_ingredients(yard):
    yard.world.power((8.5, 4.5))
    machine = yard.place_entity(Prototype.AssemblingMachine1, UP, Position(x=4.5, y=4.5))
    yard.sleep(0.1)
    machine = yard.set_entity_recipe(machine, Prototype.ElectronicCircuit)
    yard.give(copper_cable=1)
    machine = yard.insert_item(Prototype.CopperCable, machine, 1)
    (warning,) = machine.warnings
    assert warning.startswith("cannot create electronic-circuit due to missing resources: ")
    assert "copper-cable (2)" in warning and "iron-plate (1)" in warning


@case("entities", "full inventories by their names")
def test_full_inventories(yard):
    yard.give(iron_plate=1600)
    chest = yard.place_entity(Prototype.WoodenChest, UP, Position(x=4, y=7))
    assert yard.insert_item(Prototype.IronPlate, chest, 1600).warnings == ["chest is full"]
    furnace = yard.place_entity(Prototype.StoneFurnace, UP, Position(x=4, y=4))
    yard.insert_item(Prototype.Coal, furnace, 50)
    furnace = yard.insert_item(Prototype.IronOre, furnace, 50)
    assert "furnace fuel source is full" in furnace.warnings and "furnace source is full" in furnace.warnings
    drill = yard.place_entity(Prototype.BurnerMiningDrill, UP, Position(x=-4, y=4))
    assert yard.insert_item(Prototype.Coal, drill, 50).warnings == ["fuel source is full"]


def test_full_inputs_and_outputs_of_an_assembler(yard):
    yard.give(iron_gear_wheel=100)
    yard.world.power((8.5, 4.5))
    machine = yard.place_entity(Prototype.AssemblingMachine1, UP, Position(x=4.5, y=4.5))
    yard.sleep(0.1)
    machine = yard.set_entity_recipe(machine, Prototype.IronGearWheel)
    yard.insert_item(Prototype.IronGearWheel, machine, 100)
    machine = yard.insert_item(Prototype.IronPlate, machine, 100)
    assert machine.warnings == ["assembler input is full", "assembler output is full"]
    yard.sleep(0.1)
    assert now(yard, machine).status == EntityStatus.FULL_OUTPUT


def run_drill_into(yard, thing, seconds):
    drill = yard.place_entity(Prototype.BurnerMiningDrill, DOWN, Position(x=-4, y=4))
    if thing is not None:
        yard.place_entity(thing, RIGHT, drill.drop_position)
    yard.insert_item(Prototype.Coal, drill, 50)
    yard.sleep(seconds)
    drill = now(yard, drill)
    assert drill.status == EntityStatus.WAITING_FOR_SPACE_IN_DESTINATION
    return drill


@case("entities", "blocked by what lies, or stands, at the drop position")
def test_a_drill_blocked_by_an_item_on_the_ground(yard):
    drill = run_drill_into(yard, None, 20)  # 0.25 ore a second: the second one finds no room
    x, y = drill.drop_position.x, drill.drop_position.y
    assert drill.warnings[-1] == f"output blocked by item on the ground at ({x:g}, {y:g})"


def test_a_drill_blocked_by_a_full_chest(yard):
    drill = yard.place_entity(Prototype.BurnerMiningDrill, DOWN, Position(x=-4, y=4))
    yard.give(iron_plate=1600)
    chest = yard.place_entity(Prototype.WoodenChest, UP, drill.drop_position)
    yard.insert_item(Prototype.IronPlate, chest, 1600)
    yard.insert_item(Prototype.Coal, drill, 10)
    yard.sleep(10)
    warning = now(yard, drill).warnings[-1]
    assert warning.startswith("chest at drop position is full")
    assert f"({drill.drop_position.x:g}, {drill.drop_position.y:g})" in warning


def test_a_drill_blocked_by_a_full_furnace(yard):
    drill = yard.place_entity(Prototype.BurnerMiningDrill, DOWN, Position(x=-4, y=4))
    furnace = yard.place_entity(Prototype.StoneFurnace, UP, Position(x=-4, y=6))
    yard.insert_item(Prototype.IronOre, furnace, 54)
    yard.insert_item(Prototype.Coal, drill, 10)
    yard.sleep(10)
    assert now(yard, drill).warnings[-1] == "furnace at drop position is blocked."


def test_a_drill_blocked_by_a_full_belt(yard):
    drill = run_drill_into(yard, Prototype.TransportBelt, 60)
    assert drill.warnings[-1].startswith("transport belt at drop position is blocked")


@case("entities", "an inserter at an empty chest waits for items")
def test_an_inserter_at_an_empty_chest(yard):
    yard.place_entity(Prototype.WoodenChest, UP, Position(x=3.5, y=4.5))
    inserter = yard.place_entity(Prototype.BurnerInserter, RIGHT, Position(x=4.5, y=4.5))
    yard.place_entity(Prototype.WoodenChest, UP, Position(x=5.5, y=4.5))
    yard.insert_item(Prototype.Coal, inserter, 1)
    yard.sleep(2)
    inserter = now(yard, inserter)
    assert inserter.status == EntityStatus.WAITING_FOR_SOURCE_ITEMS
    assert inserter.warnings == ["inserter waiting for source items"]


@case("entities", "a boiler and an engine without a fluid")
def test_without_a_fluid(yard):
    boiler = yard.place_entity(Prototype.Boiler, UP, Position(x=4.5, y=4))
    assert boiler.status == EntityStatus.NOT_CONNECTED
    assert "no fluid present in connections" in boiler.warnings
    assert "no input liquid" in boiler.warnings
    engine = yard.place_entity(Prototype.SteamEngine, UP, Position(x=8.5, y=4.5))
    assert engine.status == EntityStatus.NOT_CONNECTED
    assert "no input liquid" in engine.warnings


@case("entities", "directions are those that were asked for")
@pytest.mark.parametrize(
    "thing",
    [Prototype.BurnerInserter, Prototype.TransportBelt, Prototype.Boiler, Prototype.AssemblingMachine2],
)
@pytest.mark.parametrize("direction", [UP, RIGHT, DOWN, LEFT])
def test_directions(yard, thing, direction):
    assert yard.place_entity(thing, direction, Position(x=4.5, y=4.5)).direction == direction


@case("entities", "an inserter picks up behind and drops in front of the way it faces")
@pytest.mark.parametrize(
    "direction, pickup, drop",
    [
        (UP, (4.5, 5.5), (4.5, 3.5)),
        (RIGHT, (3.5, 4.5), (5.5, 4.5)),
        (DOWN, (4.5, 3.5), (4.5, 5.5)),
        (LEFT, (5.5, 4.5), (3.5, 4.5)),
    ],
)
def test_inserters(yard, direction, pickup, drop):
    inserter = yard.place_entity(Prototype.BurnerInserter, direction, Position(x=4.5, y=4.5))
    assert (inserter.pickup_position.x, inserter.pickup_position.y) == pickup
    assert (inserter.drop_position.x, inserter.drop_position.y) == drop


@case("entities", "a refinery's and a plant's recipe with fluids")
def test_recipes_with_fluids(make):
    game = make({"oil-refinery": 1}, scenario="empty")
    refinery = game.place_entity(Prototype.OilRefinery, UP, Position(x=6.5, y=6.5))
    refinery = game.set_entity_recipe(refinery, RecipeName.BasicOilProcessing)
    assert refinery.recipe.name == "basic-oil-processing"
    assert [(i.name, i.type) for i in refinery.recipe.ingredients] == [("crude-oil", "fluid")]
