from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, DirectionInternal, Position, Prototype
from tests.tools.cases import case

CHEST = Prototype.IronChest


@case("can_place_entity", "true for a free place in reach; nothing is used, no time passes")
def test_a_free_place(game):
    before = game.instance.digest()
    assert game.can_place_entity(CHEST, Direction.UP, Position(x=3, y=3)) is True
    assert game.can_place_entity(CHEST, position=(3, 3)) is True
    assert game.instance.digest() == before


@case("can_place_entity", "false beyond 10 tiles from the character")
@pytest.mark.parametrize("x, free", [(10, True), (10.5, False)])
def test_reach(game, x, free):
    assert game.can_place_entity(CHEST, Direction.UP, Position(x=x, y=0)) is free


@case("can_place_entity", "false without one in the inventory")
def test_none_in_the_inventory(game):
    assert game.can_place_entity(Prototype.Lab, Direction.UP, Position(x=3, y=3)) is False


@case("can_place_entity", "false where something stands, or water is")
def test_what_is_in_the_way(game):
    game.place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=4, y=4))
    assert game.can_place_entity(CHEST, Direction.UP, Position(x=3.5, y=3.5)) is False
    game.stand(-10, 5)
    assert game.can_place_entity(CHEST, Direction.UP, Position(x=-15, y=5)) is False


@case("can_place_entity", "the agent's own character steps aside")
def test_the_character_is_no_obstacle(game):
    assert game.can_place_entity(CHEST, Direction.UP, Position(x=0, y=0)) is True


@case("can_place_entity", "false for what cannot be placed or does not exist")
@pytest.mark.parametrize("thing", [Prototype.IronPlate, Prototype.RocketControlUnit, Prototype.BeltGroup])
def test_what_cannot_be_placed(game, thing):
    assert game.can_place_entity(thing, Direction.UP, Position(x=3, y=3)) is False


@case("can_place_entity", "it is checked facing the asked way", mends="Q-T6")
def test_the_direction_counts(game):
    game.world.build("pipe", (6.5, 3.5))
    # a steam engine is 3 x 5 tiles: upright it fits beside the pipe, lying it does not
    assert game.can_place_entity(Prototype.SteamEngine, Direction.UP, Position(x=4.5, y=3.5)) is True
    assert game.can_place_entity(Prototype.SteamEngine, Direction.RIGHT, Position(x=4.5, y=3.5)) is False


@case("can_place_entity", "an offshore pump: on a shore as it is, or on water near one")
def test_offshore_pumps(game):
    game.give(offshore_pump=1)
    game.stand(-8, 5)
    pump = Prototype.OffshorePump
    assert game.can_place_entity(pump, Direction.RIGHT, Position(x=-10.5, y=5.5)) is True
    assert game.can_place_entity(pump, Direction.UP, Position(x=-14, y=5)) is True
    assert game.can_place_entity(pump, Direction.RIGHT, Position(x=-5.5, y=5.5)) is False


@case("can_place_entity", "wrong types are assertion errors")
def test_wrong_types(game):
    game.bad("AssertionError", "can_place_entity", "iron-chest")
    game.bad("AssertionError", "can_place_entity", CHEST, "up")
    game.bad("AssertionError", "can_place_entity", CHEST, Direction.UP, 5)


@case("can_place_entity", "both direction enums are one type", mends="Q-V5")
def test_both_direction_enums_will_do(game):
    assert game.can_place_entity(CHEST, DirectionInternal.DOWN, Position(x=3, y=3)) is True
