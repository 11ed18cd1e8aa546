from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, Position, Prototype
from tests.tools.cases import case

UP = Direction.UP


@case("pickup_entity", "an entity goes back into the inventory, in no time")
def test_placing_and_picking_up_restores_the_count(game):
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=2, y=2))
    assert game.have("iron-chest") == 1
    assert game.pickup_entity(chest) is True
    assert game.have("iron-chest") == 2
    assert game.get_entity(Prototype.IronChest, Position(x=2, y=2)) is None
    assert game.tick == 0


@case("pickup_entity", "a Prototype and a place")
def test_by_prototype_and_place(game):
    game.place_entity(Prototype.StoneFurnace, UP, Position(x=3, y=3))
    assert game.pickup_entity(Prototype.StoneFurnace, Position(x=3.4, y=3.4)) is True
    assert game.have("stone-furnace") == 9


@case("pickup_entity", "everything inside comes along: chests, fuel, ingredients, products", mends="Q-T8")
def test_contents_come_along(game):
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=2, y=2))
    game.insert_item(Prototype.IronPlate, chest, 30)
    furnace = game.place_entity(Prototype.StoneFurnace, UP, Position(x=5, y=5))
    game.give(iron_ore=10)
    furnace = game.insert_item(Prototype.Coal, furnace, 20)
    game.insert_item(Prototype.IronOre, furnace, 10)
    game.sleep(7)  # two plates made, a third under way
    assert game.pickup_entity(chest)
    assert game.pickup_entity(furnace)
    assert game.have("iron-plate") == 50 + 2
    assert game.have("iron-ore") == 8  # the ore being smelted comes back
    assert game.have("coal") == 49  # one was lit


def test_ingredients_of_an_assembler_come_along(game):
    machine = game.place_entity(Prototype.AssemblingMachine1, UP, Position(x=4, y=4))
    machine = game.set_entity_recipe(machine, Prototype.IronGearWheel)
    game.insert_item(Prototype.IronPlate, machine, 20)
    game.pickup_entity(machine)
    assert game.have("iron-plate") == 50


@case("pickup_entity", "the nearest of that name within 0.7 tiles, no reach")
def test_only_near_the_place(game):
    game.world.build("stone-wall", (300.5, 0.5))
    game.world.build("stone-wall", (301.5, 0.5))
    game.pickup_entity(Prototype.StoneWall, Position(x=301.2, y=0.5))
    assert game.at(300.5, 0.5) is not None and game.at(301.5, 0.5) is None
    message = game.refusal("pickup_entity", Prototype.StoneWall, Position(x=303, y=0.5))
    assert message.startswith("Could not pickup: there is no stone-wall at (303, 0.5)")


@case("pickup_entity", "items on the ground by their Prototype and place")
def test_items_on_the_ground(game):
    game.world.drop_on_ground("iron-ore", (5.5, 5.5))
    game.pickup_entity(Prototype.IronOre, Position(x=5.2, y=5.3))
    assert game.have("iron-ore") == 1
    game.refusal("pickup_entity", Prototype.IronOre, Position(x=5.5, y=5.5))


@case("pickup_entity", "a group of walls", mends="Q-T8")
def test_a_group_of_walls(make):
    game = make({"stone-wall": 3})
    for x in (2, 3, 7):
        game.place_entity(Prototype.StoneWall, UP, Position(x=x, y=2))
    (walls,) = game.get_entities()
    assert walls.name == "wall-group"
    assert game.pickup_entity(walls) is True
    assert game.have("stone-wall") == 3


@case("pickup_entity", "groups of pipes and poles, every member")
@pytest.mark.parametrize("thing, count", [(Prototype.Pipe, 3), (Prototype.SmallElectricPole, 3)])
def test_groups_are_picked_up_member_by_member(game, thing, count):
    before = game.have(thing.value[0])
    for x in range(2, 2 + count):
        game.place_entity(thing, UP, Position(x=x, y=2))
    (group,) = game.get_entities()
    assert game.pickup_entity(group) is True
    assert game.have(thing.value[0]) == before
    assert game.get_entities() == []


@case("pickup_entity", "no room for the entity and its contents: nothing changes")
def test_a_full_inventory(make):
    game = make({"iron-chest": 1, "iron-plate": 79 * 100}, all_technologies=False)
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=2, y=2))
    game.insert_item(Prototype.IronPlate, chest, 10)
    game.give(coal=50)  # the last free slot
    assert "Inventory is full" in game.refusal("pickup_entity", chest)
    assert chest.name == game.get_entity(Prototype.IronChest, Position(x=2, y=2)).name


@case("pickup_entity", "a value that is out of date finds nothing")
def test_twice_is_refused(game):
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=2, y=2))
    game.pickup_entity(chest)
    assert "there is no iron-chest at (2.5, 2.5)" in game.refusal("pickup_entity", chest)


@case("pickup_entity", "wrong arguments are value errors")
def test_wrong_arguments(game):
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=2, y=2))
    game.bad("ValueError", "pickup_entity", 5)
    game.bad("ValueError", "pickup_entity", chest, Position(x=2, y=2))
    game.bad("ValueError", "pickup_entity", Prototype.IronChest)
    game.bad("ValueError", "pickup_entity", Prototype.IronChest, (2, 2))


@pytest.fixture
def tunnel(make):
    """A line from (0, 0) to (8, 0) that passes below x = 3 to 5, with 6 plates on it."""
    game = make({"transport-belt": 20, "underground-belt": 4, "iron-plate": 6}, scenario="empty")
    game.world.water((3, -30, 6, 30))
    line = game.connect_entities(
        Position(x=0, y=0), Position(x=8, y=0), {Prototype.TransportBelt, Prototype.UndergroundBelt}
    )
    assert game.have("underground-belt") == 2
    return game, game.insert_item(Prototype.IronPlate, line, 6)


@case("pickup_entity", "a group of belts with its items; an underground pair is picked up at both ends")
def test_a_line_with_a_tunnel(tunnel):
    game, line = tunnel
    assert game.pickup_entity(line) is True
    assert (game.have("transport-belt"), game.have("underground-belt"), game.have("iron-plate")) == (20, 4, 6)
    assert game.get_entities() == []


@case("pickup_entity", "one end of an underground belt by itself", mends="Q-T8")
@pytest.mark.parametrize("entrance", [True, False])
def test_one_end_of_a_tunnel(tunnel, entrance):
    game, _ = tunnel
    ends = {end.is_input: end for end in game.get_entities({Prototype.UndergroundBelt})}
    assert game.pickup_entity(ends[entrance]) is True
    assert game.have("underground-belt") == 3
    (left,) = game.get_entities({Prototype.UndergroundBelt})
    assert left.id == ends[not entrance].id


def test_an_end_without_a_partner(make):
    game = make({"underground-belt": 1}, scenario="empty")
    end = game.place_entity(Prototype.UndergroundBelt, Direction.RIGHT, Position(x=3, y=3))
    assert end.connected_to is None
    assert game.pickup_entity(end) is True
    assert game.have("underground-belt") == 1
