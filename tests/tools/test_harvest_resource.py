from __future__ import annotations

import pytest

from fle_ray.errors import StepLimit
from fle_ray.game.values import Position, Resource
from tests.tools.cases import case

COAL = Position(x=16.5, y=0.5)


@pytest.fixture
def miner(make):
    """At the edge of the coal field, with an empty inventory."""
    game = make({})
    game.stand(16, 0)
    return game


@case("harvest_resource", "60 ticks a piece of ore, whatever the character's speed", mends="Q-T3")
@pytest.mark.parametrize("quantity", [1, 10, 1000])
def test_ore_takes_sixty_ticks_a_piece(miner, quantity):
    assert miner.harvest_resource(COAL, quantity) == quantity
    assert miner.have("coal") == quantity
    assert miner.tick == 60 * quantity


@case("harvest_resource", "one piece a tile in turn, of at most `quantity` tiles")
def test_tiles_are_mined_in_turn(miner):
    miner.harvest_resource(COAL, 5)
    left = {tile: r.amount for tile, r in miner.world.map.resources.items() if r.amount < 10_000}
    # the tile itself and its four neighbours, one piece each
    assert left == dict.fromkeys([(16, 0), (15, 0), (17, 0), (16, -1), (16, 1)], 9_999)


@case("harvest_resource", "statistics count it as produced and as harvested")
def test_statistics_know_it_was_by_hand(miner):
    miner.harvest_resource(COAL, 7)
    flows = miner.instance.flows()
    assert flows.produced == flows.harvested == {"coal": 7}


@case("harvest_resource", "trees are never split, so wood may come to more than asked")
def test_wood_overshoots(empty):
    for k in range(3):
        empty.grow("tree-01", k + 0.5, 1.5)
    assert empty.harvest_resource(Position(x=0, y=1), 5) == 8  # two trees of four
    assert empty.have("wood") == 8
    assert empty.tick == 2 * 33  # 0.55 s each
    assert len(empty.world.map.naturals()) == 1


@case("harvest_resource", "two equal harvests add the same")
def test_equal_harvests_add_the_same(empty):
    for k in range(4):
        empty.grow("tree-01", k + 0.5, 1.5)
    assert empty.harvest_resource(Position(x=0.5, y=1.5), 8) == 8
    assert empty.harvest_resource(Position(x=2.5, y=1), 8) == 8
    assert empty.have("wood") == 16


@case("harvest_resource", "a dead tree yields 2, a big rock 20 in two seconds")
@pytest.mark.parametrize(
    "kind, item, count, ticks", [("dead-grey-trunk", "wood", 2, 30), ("big-rock", "stone", 20, 120)]
)
def test_dead_trees_and_rocks(empty, kind, item, count, ticks):
    empty.grow(kind, 1, 1)
    assert empty.harvest_resource(Position(x=1, y=1), 1) == count
    assert empty.have(item) == count
    assert empty.tick == ticks


@case("harvest_resource", "all products of a rock are given, counting stops at the quantity")
@pytest.mark.parametrize("quantity, counted", [(1, 37), (50, 74)])
def test_a_huge_rock_gives_stone_and_coal(empty, quantity, counted):
    empty.grow("huge-rock", 1, 1)  # 24 to 50 of each, the mean of 37 here
    assert empty.harvest_resource(Position(x=1, y=1), quantity) == counted
    assert (empty.have("stone"), empty.have("coal")) == (37, 37)


@case("harvest_resource", "what is short comes from further off, if it gives the same: trees, rocks, then ore")
def test_what_is_short_comes_from_within_the_radius(empty):
    empty.grow("tree-01", 1, 1)
    empty.grow("dead-grey-trunk", 6, 1)
    empty.grow("tree-02", 8, 1)
    empty.grow("tree-02", 30, 1)
    empty.world.ore("coal", (0, 3, 3, 5))
    assert empty.harvest_resource(Position(x=1, y=1), 100) == 4 + 2 + 4
    assert empty.have("coal") == 0


def test_the_radius_limits_how_far_off(empty):
    empty.grow("tree-01", 1, 1)
    empty.grow("tree-01", 6, 1)
    assert empty.harvest_resource(Position(x=1, y=1), 100, radius=4) == 4


@case("harvest_resource", "an exhausted place gives what was left")
def test_an_exhausted_field_gives_less(empty):
    empty.world.ore("stone", (0, 0, 2, 1), amount=3)
    assert empty.harvest_resource(Position(x=0.5, y=0.5), 50) == 6
    assert empty.tick == 360
    empty.refusal("harvest_resource", Position(x=0.5, y=0.5), 1)


@case("harvest_resource", "a place more than 2.7 tiles away is out of reach")
def test_out_of_reach(game):
    message = game.refusal("harvest_resource", Position(x=15.5, y=-0.5), 1)
    assert message.startswith("Could not harvest. Nothing within reach")
    assert "you reach 2.7" in message
    game.stand(12.8, -0.5)  # exactly 2.7 on the character's grid, or less
    assert game.harvest_resource(Position(x=15.5, y=-0.5), 1) == 1


@case("harvest_resource", "something to harvest must be within 1.5 tiles of the place")
def test_nothing_there(game):
    assert "no ore, tree or rock is there" in game.refusal("harvest_resource", Position(x=1, y=1), 1)
    game.stand(13, 0)
    assert game.harvest_resource(Position(x=14.1, y=0.5), 1) == 1  # 1.4 from the first tile's centre


@case("harvest_resource", "oil and what needs a fluid cannot be mined by hand")
def test_what_hands_cannot_mine(game, empty):
    game.stand(32.5, 49.5)
    assert "cannot be mined by hand" in game.refusal("harvest_resource", Position(x=32.5, y=49.5), 1)
    empty.world.ore("uranium-ore", (0, 0, 1, 1))
    assert "cannot be mined by hand" in empty.refusal("harvest_resource", Position(x=0.5, y=0.5), 1)


@case("harvest_resource", "a full inventory is refused, a nearly full one stops it")
def test_a_full_inventory(make):
    miner = make({}, all_technologies=False)
    miner.stand(16, 0)
    miner.give(iron_plate=100 * 79, coal=48)  # 80 slots: room for two more
    assert miner.harvest_resource(COAL, 5) == 2
    assert "Inventory is full" in miner.refusal("harvest_resource", COAL, 1)


@case("harvest_resource", "a step too short for it keeps what its time allowed")
def test_a_step_ends_in_mid_harvest(miner):
    miner.instance.tick_limit = 150
    with pytest.raises(StepLimit):
        miner.harvest_resource(COAL, 10)
    assert miner.have("coal") == 2
    assert miner.tick == 150


@case("harvest_resource", "wrong arguments are refused")
def test_wrong_arguments(game):
    assert "Position" in game.bad("AssertionError", "harvest_resource", Resource.Coal, 5)
    assert "at least 1" in game.bad("ValueError", "harvest_resource", COAL, 0)
