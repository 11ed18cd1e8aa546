from __future__ import annotations

import pytest

from fle_ray.game.values import Chest, Direction, EntityStatus, Position, Prototype, Resource
from tests.tools.cases import case

UP = Direction.UP


def place(entity):
    return entity.position.x, entity.position.y


@case("place_entity", "takes one item, returns the entity, in no time")
def test_placing_takes_one_item(game):
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=2.5, y=3.5))
    assert isinstance(chest, Chest)
    assert (chest.name, place(chest), chest.prototype) == ("iron-chest", (2.5, 3.5), Prototype.IronChest)
    assert game.have("iron-chest") == 1
    assert game.tick == 0


@case("place_entity", "centres snap to the grid that the size dictates")
@pytest.mark.parametrize(
    "thing, asked, snapped",
    [
        (Prototype.IronChest, (0, 0), (0.5, 0.5)),
        (Prototype.StoneFurnace, (2.5, 2.5), (3, 3)),
        (Prototype.AssemblingMachine1, (0, 0), (0.5, 0.5)),
        (Prototype.Boiler, (0, 0), (0.5, 0)),
    ],
)
def test_centres_snap_to_the_grid(game, thing, asked, snapped):
    assert place(game.place_entity(thing, UP, Position(*asked))) == snapped


@case("place_entity", "a pair of numbers is a position")
def test_a_tuple_is_a_position(game):
    assert place(game.place_entity(Prototype.IronChest, position=(2, 3))) == (2.5, 3.5)


@case("place_entity", "beyond 10 tiles: names places, distance, maximum", mends="Q-T21")
def test_too_far(game):
    message = game.refusal("place_entity", Prototype.IronChest, UP, Position(x=12, y=5))
    assert message == (
        "Could not place iron-chest at (12, 5), the target is too far away: you are at (0.00, 0.00), "
        "13.00 tiles from (12, 5), and can reach 10. Move closer first."
    )


@case("place_entity", "what the game does not have, or cannot place")
@pytest.mark.parametrize(
    "thing, words",
    [
        (Prototype.RocketControlUnit, "does not exist"),
        (Prototype.IronPlate, "cannot be placed"),
        (Prototype.PetroleumGas, "is a fluid"),
        (Prototype.BeltGroup, "connect_entities"),
    ],
)
def test_what_cannot_be_placed(game, thing, words):
    assert words in game.refusal("place_entity", thing, UP, Position(x=2, y=2))


@case("place_entity", "none in the inventory: lists what is there", mends="Q-T21")
def test_none_in_the_inventory(make):
    game = make({"coal": 3, "iron-plate": 2})
    message = game.refusal("place_entity", Prototype.StoneFurnace, UP, Position(x=2, y=2))
    assert message == (
        "Could not place stone-furnace at (2, 2), no stone-furnace in your inventory, which holds: "
        "coal=3, iron-plate=2."
    )


def test_long_inventories_are_cut_at_ten_kinds(game):
    message = game.refusal("place_entity", Prototype.Lab, UP, Position(x=2, y=2))
    assert "iron-chest=2" in message and "and 6 more" in message  # 16 kinds in all


def test_an_empty_inventory_says_so(empty):
    assert "which holds: empty" in empty.refusal("place_entity", Prototype.Lab, UP, Position(x=2, y=2))


@case("place_entity", "the same kind on the place already")
def test_the_same_thing_is_there_already(game):
    game.place_entity(Prototype.StoneFurnace, UP, Position(x=3, y=3))
    message = game.refusal("place_entity", Prototype.StoneFurnace, UP, Position(x=3, y=3))
    assert "already exists there at (3, 3)" in message and "Remove it first" in message


@case("place_entity", "what is in the way is named with its place")
def test_what_is_in_the_way_is_named(game):
    game.place_entity(Prototype.StoneFurnace, UP, Position(x=3, y=3))
    message = game.refusal("place_entity", Prototype.IronChest, UP, Position(x=3.5, y=2.5))
    assert "stone-furnace at (3, 3) in the way" in message


@case("place_entity", "trees block building")
def test_trees_are_in_the_way(game):
    game.grow("tree-01", 3.5, 3.5)
    message = game.refusal("place_entity", Prototype.StoneFurnace, UP, Position(x=3, y=3))
    assert "tree-01 at (3.5, 3.5) in the way" in message


@case("place_entity", "items on the ground do not")
def test_items_on_the_ground_are_not_in_the_way(game):
    game.world.drop_on_ground("coal", (3.5, 3.5))
    game.place_entity(Prototype.IronChest, UP, Position(x=3.5, y=3.5))


@case("place_entity", "water under any part of the footprint")
@pytest.mark.parametrize("x", [-12, -23, -17])  # columns -22 to -12 are water
def test_water_is_no_ground(game, x):
    game.stand(x, -5)
    message = game.refusal("place_entity", Prototype.AssemblingMachine1, UP, Position(x=x + 0.5, y=1.5))
    assert "cannot stand on water" in message and "Choose a place on land" in message


@case("place_entity", "exact=False: the first free place on square rings, columns first")
def test_a_place_nearby_is_searched(game):
    game.place_entity(Prototype.IronChest, UP, Position(x=3.5, y=3.5))
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=3.5, y=3.5), exact=False)
    assert place(chest) == (2.5, 2.5)  # the ring of radius 1 begins at (-1, -1)


def test_nowhere_within_ten_tiles(game):
    for x in range(-9, 17):
        for y in range(-9, 17):
            if game.at(x + 0.5, y + 0.5) is None:
                game.world.map.set_tile(x, y, "water")
    message = game.refusal("place_entity", Prototype.IronChest, UP, Position(x=3.5, y=3.5), exact=False)
    assert "no suitable place within 10 tiles" in message


@case("place_entity", "an offshore pump searches a shore and faces away from its water")
@pytest.mark.parametrize(
    "edge, faces",
    [("left", Direction.LEFT), ("right", Direction.RIGHT), ("top", Direction.UP), ("bottom", Direction.DOWN)],
)
def test_pumps_at_the_edges_of_a_lake(make, edge, faces):
    game = make({"offshore-pump": 1}, scenario="empty")
    game.world.water((-8, -6, 8, 6))
    box = game.get_resource_patch(Resource.Water, Position(x=0, y=0)).bounding_box
    middle = box.center
    spot = {
        "left": Position(x=box.left_top.x, y=middle.y),
        "right": Position(x=box.right_bottom.x, y=middle.y),
        "top": Position(x=middle.x, y=box.left_top.y),
        "bottom": Position(x=middle.x, y=box.right_bottom.y),
    }[edge]
    game.stand(spot.x, spot.y)
    pump = game.place_entity(Prototype.OffshorePump, position=spot)
    assert pump.direction == faces
    assert pump.connection_points


def test_the_asked_shore_is_taken_when_it_fits(make):
    game = make({"offshore-pump": 1})
    game.stand(-8, 5)
    pump = game.place_entity(Prototype.OffshorePump, Direction.RIGHT, Position(x=-10.5, y=5.5))
    assert (place(pump), pump.direction) == ((-10.5, 5.5), Direction.RIGHT)


def test_no_shore_within_twenty_tiles(make):
    game = make({"offshore-pump": 1})
    game.stand(20, 30)
    message = game.refusal("place_entity", Prototype.OffshorePump, UP, Position(x=20, y=30))
    assert "no shore" in message and "nearest(Resource.Water)" in message


@case("place_entity", "things may stand on ore")
def test_ore_is_ground_like_any_other(game):
    game.stand(20, 0)
    assert place(game.place_entity(Prototype.IronChest, UP, Position(x=20.5, y=0.5))) == (20.5, 0.5)


@case("place_entity", "a drill needs ore to mine, a pumpjack a well")
def test_drills_need_ore(game):
    message = game.refusal("place_entity", Prototype.BurnerMiningDrill, UP, Position(x=3, y=3))
    assert "nothing to mine" in message and "resource patch" in message
    game.give(pumpjack=1)
    game.stand(32.5, 45)
    assert "nothing to mine" in game.refusal("place_entity", Prototype.PumpJack, UP, Position(x=32.5, y=44.5))
    game.stand(16, 0)
    assert "nothing to mine" in game.refusal("place_entity", Prototype.PumpJack, UP, Position(x=17.5, y=1.5))
    game.stand(32.5, 48)
    assert place(game.place_entity(Prototype.PumpJack, UP, Position(x=32.5, y=49.5))) == (32.5, 49.5)


@case("place_entity", "a drill counts the ore in its area")
def test_a_drill_counts_its_ore(game):
    game.stand(16, 0)
    drill = game.place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, Position(x=15, y=0))
    assert place(drill) == (15, 0)
    assert [(r.name, r.count) for r in drill.resources] == [("coal", 2 * 10_000)]  # columns 14 and 15
    assert drill.direction == Direction.DOWN
    assert drill.status == EntityStatus.NO_FUEL


@case("place_entity", "the character steps out of the way, where it stands stays")
def test_the_character_steps_aside(game):
    game.place_entity(Prototype.StoneFurnace, UP, Position(x=0, y=0))
    assert game.instance.positions() == [(0, 0)]


@case("place_entity", "wrong arguments")
def test_wrong_arguments(game):
    assert "valid Prototype" in game.refusal("place_entity", "iron-chest", UP, Position(x=1, y=1))
    assert "Position" in game.bad("ValueError", "place_entity", Prototype.IronChest, UP, 5)
    assert "Direction.UP" in game.bad("ValueError", "place_entity", Prototype.IronChest, "up", Position(x=1, y=1))


@case("place_entity", "returns are snapshots: what happens later does not change them", mends="Q-V13")
def test_values_are_snapshots(game):
    furnace = game.place_entity(Prototype.StoneFurnace, UP, Position(x=2, y=2))
    game.insert_item(Prototype.Coal, furnace, 5)
    assert furnace.fuel == {}


@case("place_entity", "settle ticks pass after calls that return entities, if the episode asks for it", mends="Q-T1")
def test_settle_ticks(make):
    game = make(settle_ticks=60)
    game.place_entity(Prototype.IronChest, UP, Position(x=2, y=2))
    assert game.tick == 60
    game.inspect_inventory()
    assert game.tick == 60
