from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, Position, Prototype, RecipeName
from tests.tools.cases import case

UP, RIGHT, DOWN, LEFT = Direction.UP, Direction.RIGHT, Direction.DOWN, Direction.LEFT


def place(position):
    return position.x, position.y


@case("rotate_entity", "a drill drops on the asked side")
def test_a_drill_turns_its_drop(game):
    game.stand(16, 0)
    drill = game.place_entity(Prototype.BurnerMiningDrill, UP, Position(x=18, y=2))
    above = place(drill.drop_position)
    drill = game.rotate_entity(drill, DOWN)
    assert drill.direction == DOWN
    assert above[1] < 2 < drill.drop_position.y
    assert game.tick == 0


@case("rotate_entity", "an inserter's pickup and drop change places")
def test_an_inserter_turns_round(game):
    inserter = game.place_entity(Prototype.BurnerInserter, RIGHT, Position(x=3.5, y=3.5))
    assert (place(inserter.pickup_position), place(inserter.drop_position)) == ((2.5, 3.5), (4.5, 3.5))
    turned = game.rotate_entity(inserter, LEFT)
    assert turned.direction == LEFT
    assert (place(turned.pickup_position), place(turned.drop_position)) == ((4.5, 3.5), (2.5, 3.5))


@case("rotate_entity", "a belt's input and output change places")
def test_a_belt_turns_round(game):
    belt = game.place_entity(Prototype.TransportBelt, RIGHT, Position(x=3.5, y=3.5))
    turned = game.rotate_entity(belt, LEFT)
    assert place(turned.input_position) == place(belt.output_position) == (4.5, 3.5)
    assert place(turned.output_position) == place(belt.input_position) == (2.5, 3.5)


@case("rotate_entity", "boilers, refineries and tanks", mends="Q-T9")
@pytest.mark.parametrize("thing", [Prototype.Boiler, Prototype.OilRefinery, Prototype.ChemicalPlant])
@pytest.mark.parametrize("direction", [UP, RIGHT, DOWN, LEFT])
def test_what_is_reported_is_what_was_asked_for(make, thing, direction):
    game = make({thing.value[0]: 1}, scenario="empty")
    entity = game.place_entity(thing, UP, Position(x=6, y=6))
    assert entity.direction == UP
    assert game.rotate_entity(entity, direction).direction == direction
    assert game.get_entity(thing, entity.position).direction == direction


@case("rotate_entity", "recipe and items are kept")
def test_recipe_and_items_are_kept(make):
    game = make({"assembling-machine-2": 1, "iron-plate": 10, "engine-unit": 2})
    machine = game.place_entity(Prototype.AssemblingMachine2, UP, Position(x=4, y=4))
    machine = game.set_entity_recipe(machine, Prototype.ElectricEngineUnit)
    game.insert_item(Prototype.EngineUnit, machine, 2)
    machine = game.rotate_entity(machine, RIGHT)
    assert machine.direction == RIGHT
    assert machine.recipe == "electric-engine-unit"
    assert machine.assembling_machine_input == {"engine-unit": 2}


@case("rotate_entity", "an assembling machine without a recipe is refused", mends="Q-T10")
def test_an_assembler_needs_a_recipe(game):
    machine = game.place_entity(Prototype.AssemblingMachine1, UP, Position(x=4, y=4))
    assert "Set its recipe first" in game.refusal("rotate_entity", machine, RIGHT)


@case("rotate_entity", "chests, furnaces and poles cannot turn")
@pytest.mark.parametrize("thing", [Prototype.IronChest, Prototype.StoneFurnace, Prototype.SmallElectricPole])
def test_what_has_no_sides(game, thing):
    entity = game.place_entity(thing, UP, Position(x=4, y=4))
    message = game.refusal("rotate_entity", entity, RIGHT)
    assert message.startswith(f"Could not rotate {entity.name}.")
    assert game.rotate_entity(entity, UP).direction == UP  # nothing to do


@case("rotate_entity", "a turned footprint that does not fit is refused")
def test_no_room_to_turn(game):
    boiler = game.place_entity(Prototype.Boiler, UP, Position(x=4.5, y=4))  # 3 wide, rows 3 and 4
    game.place_entity(Prototype.IronChest, UP, Position(x=4.5, y=5.5))
    message = game.refusal("rotate_entity", boiler, RIGHT)
    assert "iron-chest at (4.5, 5.5) in the way" in message


@case("rotate_entity", "what is gone cannot be turned")
def test_what_is_gone(game):
    boiler = game.place_entity(Prototype.Boiler, UP, Position(x=4.5, y=4))
    game.pickup_entity(boiler)
    assert "there is no boiler at (4.5, 4)" in game.refusal("rotate_entity", boiler, RIGHT)


@case("rotate_entity", "wrong arguments are value errors")
def test_wrong_arguments(game):
    boiler = game.place_entity(Prototype.Boiler, UP, Position(x=4.5, y=4))
    game.bad("ValueError", "rotate_entity", Prototype.Boiler, RIGHT)
    game.bad("ValueError", "rotate_entity", boiler, "right")
    game.bad("ValueError", "rotate_entity", boiler, Direction.UPRIGHT)


def test_a_refinery_turns_with_its_recipe(make):
    game = make({"oil-refinery": 1}, scenario="empty")
    refinery = game.place_entity(Prototype.OilRefinery, UP, Position(x=6.5, y=6.5))
    refinery = game.set_entity_recipe(refinery, RecipeName.BasicOilProcessing)
    refinery = game.rotate_entity(refinery, RIGHT)
    assert refinery.recipe == "basic-oil-processing"
