from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, EntityStatus, Furnace, Position, Prototype
from tests.tools.cases import case

UP = Direction.UP


@case("get_entity", "the entity of that kind as it is now")
def test_an_entity_as_it_is_now(game):
    furnace = game.place_entity(Prototype.StoneFurnace, UP, Position(x=3, y=3))
    game.insert_item(Prototype.Coal, furnace, 5)
    now = game.get_entity(Prototype.StoneFurnace, furnace.position)
    assert isinstance(now, Furnace)
    assert now.fuel == {"coal": 5}
    assert game.tick == 0


@case("get_entity", "within one tile of its box, the nearest centre")
def test_within_a_tile(game):
    game.place_entity(Prototype.IronChest, UP, Position(x=3.5, y=3.5))
    game.place_entity(Prototype.IronChest, UP, Position(x=5.5, y=3.5))
    assert game.get_entity(Prototype.IronChest, Position(x=4.6, y=3.5)).position.x == 5.5
    assert game.get_entity(Prototype.IronChest, Position(x=4.4, y=3.5)).position.x == 3.5
    assert game.get_entity(Prototype.IronChest, Position(x=3.5, y=1.5)) is None


@case("get_entity", "None where there is none, and for what does not exist")
@pytest.mark.parametrize("thing", [Prototype.Lab, Prototype.RocketControlUnit, Prototype.IronPlate])
def test_none_where_there_is_none(game, thing):
    assert game.get_entity(thing, Position(x=3, y=3)) is None


@case("get_entity", "another kind on the place is not it")
def test_another_kind_is_not_it(game):
    game.place_entity(Prototype.IronChest, UP, Position(x=3, y=3))
    assert game.get_entity(Prototype.WoodenChest, Position(x=3.5, y=3.5)) is None


@case("get_entity", "a group prototype: the group with the member nearest to the place", mends="Q-T11")
def test_the_nearest_group(game):
    for x in (2, 3, 8):
        game.place_entity(Prototype.Pipe, UP, Position(x=x, y=2))
    near = game.get_entity(Prototype.PipeGroup, Position(x=8.5, y=2.5))
    assert [p.position.x for p in near.pipes] == [8.5]
    assert near.status == EntityStatus.EMPTY
    assert len(game.get_entity(Prototype.PipeGroup, Position(x=0, y=0)).pipes) == 2


@case("get_entity", "no group: None")
def test_no_group(game):
    assert game.get_entity(Prototype.BeltGroup, Position(x=0, y=0)) is None


@case("get_entity", "wrong types are assertion errors")
def test_wrong_types(game):
    game.bad("AssertionError", "get_entity", "pipe", Position(x=0, y=0))
    game.bad("AssertionError", "get_entity", Prototype.Pipe, "here")
