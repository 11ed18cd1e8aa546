from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, Position, Prototype
from tests.tools.cases import case

UP = Direction.UP


@pytest.fixture
def chest(game):
    """A chest at (3.5, 3.5) with 30 coal."""
    return game.insert_item(Prototype.Coal, game.place_entity(Prototype.IronChest, UP, Position(x=3, y=3)), 30)


@case("extract_item", "returns how many were moved, min(quantity, what is there)")
@pytest.mark.parametrize("quantity, moved", [(12, 12), (30, 30), (1000, 30)])
def test_what_is_moved(game, chest, quantity, moved):
    assert game.extract_item(Prototype.Coal, chest, quantity) == moved
    assert game.have("coal") == 20 + moved
    assert game.tick == 0


@case("extract_item", "5 without a quantity")
def test_five_by_default(game, chest):
    assert game.extract_item(Prototype.Coal, chest) == 5


@case("extract_item", "a Position: whatever stands there")
def test_a_place(game, chest):
    assert game.extract_item(Prototype.Coal, Position(x=3.5, y=3.5), 2) == 2


@case("extract_item", "fuel, input, output and modules alike")
def test_any_inventory(game):
    furnace = game.place_entity(Prototype.StoneFurnace, UP, Position(x=5, y=5))
    game.give(iron_ore=10)
    furnace = game.insert_item(Prototype.Coal, furnace, 10)
    furnace = game.insert_item(Prototype.IronOre, furnace, 10)
    game.sleep(7)
    assert game.extract_item(Prototype.IronPlate, furnace, 10) == 2
    assert game.extract_item(Prototype.IronOre, furnace, 10) == 7  # the third is in the fire
    assert game.extract_item(Prototype.Coal, furnace, 10) == 9


@case("extract_item", "the entity that is meant first, then the nearest that has it", mends="Q-T14")
def test_the_entity_that_is_meant(make):
    game = make({"coal": 50, "wooden-chest": 3})
    chests = [game.place_entity(Prototype.WoodenChest, UP, Position(x=x, y=3.5)) for x in (3.5, 4.5, 6.5)]
    for chest, count in zip(chests[1:], (10, 20), strict=True):
        game.insert_item(Prototype.Coal, chest, count)
    assert game.extract_item(Prototype.Coal, chests[2], 3) == 3
    assert game.get_entity(Prototype.WoodenChest, chests[1].position).inventory == {"coal": 10}
    assert game.extract_item(Prototype.Coal, chests[0], 3) == 3  # empty itself
    assert game.get_entity(Prototype.WoodenChest, chests[1].position).inventory == {"coal": 7}


@case("extract_item", "only the source's own kind is searched")
def test_another_kind_is_not_searched(game, chest):
    furnace = game.place_entity(Prototype.StoneFurnace, UP, Position(x=6, y=3))
    message = game.refusal("extract_item", Prototype.Coal, furnace, 5)
    assert message.startswith("Could not extract coal from stone-furnace at (6, 3): could not find a valid ")
    assert "stone-furnace containing coal within 10 tiles" in message and "holds nothing" in message
    assert game.extract_item(Prototype.Coal, furnace.position, 5) == 5  # a place: anything near


@case("extract_item", "nothing within 10 tiles, or nothing that has it")
def test_nothing_there(game, chest):
    assert "there is nothing within 10 tiles" in game.refusal("extract_item", Prototype.Coal, Position(x=50, y=50), 5)
    message = game.refusal("extract_item", Prototype.IronPlate, chest, 5)
    assert "could not find a valid iron-chest containing iron-plate" in message and "'coal': 30" in message


@case("extract_item", "what does not fit stays inside")
def test_a_nearly_full_inventory(make):
    game = make({"iron-chest": 1, "coal": 40, "iron-plate": 79 * 100}, all_technologies=False)
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=3, y=3))
    game.insert_item(Prototype.Coal, chest, 20)
    game.give(coal=10)  # 30 in a slot of 50
    assert game.extract_item(Prototype.Coal, chest, 20) == 20
    game.insert_item(Prototype.Coal, chest, 50)
    game.give(stone=100)  # both free slots
    message = game.refusal("extract_item", Prototype.Coal, chest, 20)
    assert "Could not extract" in message and "inventory is full" in message


@case("extract_item", "less than one is refused")
@pytest.mark.parametrize("quantity", [0, -3])
def test_less_than_one(game, chest, quantity):
    assert "at least 1" in game.bad("ValueError", "extract_item", Prototype.Coal, chest, quantity)


@case("extract_item", "from a group of belts", mends="Q-T14")
def test_off_a_line_of_belts(game):
    for x in range(2, 6):
        game.place_entity(Prototype.TransportBelt, Direction.RIGHT, Position(x=x, y=4))
    (line,) = game.get_entities({Prototype.BeltGroup})
    line = game.insert_item(Prototype.Coal, line, 12)
    assert game.extract_item(Prototype.Coal, line, 10) == 10
    assert game.have("coal") == 48
    message = game.refusal("extract_item", Prototype.IronPlate, line, 5)
    assert "none of it lies on them" in message


def test_a_group_of_pipes_holds_no_items(game):
    game.place_entity(Prototype.Pipe, UP, Position(x=4, y=4))
    (pipes,) = game.get_entities()
    assert "only groups of belts hold items" in game.refusal("extract_item", Prototype.Coal, pipes, 5)


@case("extract_item", "wrong arguments")
def test_wrong_arguments(game, chest):
    game.bad("AssertionError", "extract_item", "coal", chest, 5)
    game.bad("ValueError", "extract_item", Prototype.Coal, "chest", 5)
