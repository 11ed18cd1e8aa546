from __future__ import annotations

from fle_ray.game.values import Direction, Position, Prototype, Resource
from tests.tools.cases import case

UP = Direction.UP


@case("inspect_inventory", "without an argument: the agent's own")
def test_the_agents_own(game):
    inventory = game.inspect_inventory()
    assert inventory[Prototype.Coal] == inventory["coal"] == inventory.get(Prototype.Coal, 0) == 50
    assert inventory[Resource.Coal] == 50
    assert inventory.get(Prototype.Lab, 0) == 0
    assert game.tick == 0


@case("inspect_inventory", "`in` finds what is there", mends="Q-V2")
def test_in_finds_what_is_there(game):
    assert Prototype.Coal in game.inspect_inventory()
    assert "coal" in game.inspect_inventory()
    assert Prototype.Lab not in game.inspect_inventory()


@case("inspect_inventory", "an empty inventory is falsy")
def test_an_empty_inventory(empty):
    assert not empty.inspect_inventory()
    assert repr(empty.inspect_inventory()) == "Inventory()"


@case("inspect_inventory", "a chest's contents")
def test_a_chest(game):
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=3, y=3))
    game.insert_item(Prototype.Coal, chest, 7)
    assert game.inspect_inventory(chest) == {"coal": 7}  # as it is now, whatever the value says


@case("inspect_inventory", "furnaces and machines: input and output summed, without fuel and modules")
def test_a_furnace(game):
    furnace = game.place_entity(Prototype.StoneFurnace, UP, Position(x=3, y=3))
    game.give(iron_ore=10)
    game.insert_item(Prototype.Coal, furnace, 7)
    game.insert_item(Prototype.IronOre, furnace, 10)
    game.sleep(7)
    assert game.inspect_inventory(furnace) == {"iron-ore": 7, "iron-plate": 2}


def test_a_lab_shows_its_packs(make):
    game = make({"lab": 1, "automation-science-pack": 5})
    lab = game.place_entity(Prototype.Lab, UP, Position(x=3, y=3))
    game.insert_item(Prototype.AutomationSciencePack, lab, 5)
    assert game.inspect_inventory(lab) == {"automation-science-pack": 5}


@case("inspect_inventory", "what holds no items is empty")
def test_a_pole(game):
    pole = game.place_entity(Prototype.SmallElectricPole, UP, Position(x=3, y=3))
    assert game.inspect_inventory(pole) == {}


@case("inspect_inventory", "a Position: what stands there", mends="Q-T15")
def test_a_place(game):
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=3, y=3))
    game.insert_item(Prototype.Coal, chest, 7)
    assert game.inspect_inventory(Position(x=3.5, y=3.5)) == {"coal": 7}


@case("inspect_inventory", "nothing there")
def test_nothing_there(game):
    chest = game.place_entity(Prototype.IronChest, UP, Position(x=3, y=3))
    game.pickup_entity(chest)
    assert "there is no iron-chest at (3.5, 3.5)" in game.refusal("inspect_inventory", chest)
    assert "entity at (30, 30)" in game.refusal("inspect_inventory", Position(x=30, y=30))


@case("inspect_inventory", "all_players: every agent's")
def test_all_players(make):
    game = make({"coal": 5}, agents=2)
    game.give(stone=1)
    assert [dict(i.items()) for i in game.inspect_inventory(all_players=True)] == [{"coal": 5, "stone": 1}, {"coal": 5}]


@case("inspect_inventory", "what is neither is a value error; belts are told where to look")
def test_wrong_arguments(game):
    game.bad("ValueError", "inspect_inventory", Prototype.IronChest)
    game.place_entity(Prototype.TransportBelt, UP, Position(x=3, y=3))
    (line,) = game.get_entities()
    assert "field inventory" in game.bad("ValueError", "inspect_inventory", line)
