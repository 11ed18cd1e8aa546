from __future__ import annotations

from math import ceil, hypot

import pytest

from fle_ray.errors import StepLimit
from fle_ray.game.values import Direction, Position, Prototype
from tests.tools.cases import case


def place(position):
    return position.x, position.y


@case("move_to", "ceil(length / 0.15) ticks for a straight stretch")
def test_ten_tiles_take_67_ticks(game):
    assert place(game.move_to(Position(x=10, y=0))) == (10, 0)
    assert game.tick == 67  # 10 / 0.15 = 66.7


@case("move_to", "the target is cut to quarter tiles")
def test_the_target_is_cut_to_quarter_tiles(game):
    assert place(game.move_to(Position(x=3.3, y=-1.1))) == (3.25, -1.25)
    assert game.tick == ceil(hypot(3.25, 1.25) / 0.15)


@case("move_to", "a target that is reached already costs nothing")
def test_staying_costs_nothing(game):
    game.move_to(Position(x=0, y=0))
    assert game.tick == 0


@case("move_to", "the walk ends beside water, not on it")
def test_the_walk_ends_at_the_shore(game):
    # the pond covers columns -22 to -12 and rows -3 to 20; the nearest land to (-17, 8) is column -23
    assert place(game.move_to(Position(x=-17, y=8))) in ((-22.5, 8.5), (-22.5, 7.5))


@case("move_to", "water is walked around")
def test_water_is_walked_around(game):
    game.stand(-8, 8)
    game.move_to(Position(x=-26, y=8))
    straight = 18 / 0.15
    # round the northern edge at y = -3: at least twice the way from (8) up to the corner
    shortest = (hypot(-12 + 8, 8 + 3) + 11 + hypot(-26 + 23, 8 + 3)) / 0.15
    assert straight < shortest <= game.tick < shortest * 1.15


@case("move_to", "trees block, a walk round them is found")
def test_trees_are_walked_around(empty):
    for k in range(-5, 6):
        empty.grow("tree-01", 5.5, k + 0.5)
    assert place(empty.move_to(Position(x=10, y=0))) == (10, 0)
    assert empty.tick > 10 / 0.15 * 1.2


@case("move_to", "own buildings never block")
def test_own_buildings_are_walked_through(empty):
    for k in range(-8, 8):
        empty.world.build("stone-wall", (5.5, k + 0.5))
    empty.move_to(Position(x=10, y=0))
    assert empty.tick == 67


@case("move_to", "but the walk ends beside them")
def test_the_walk_ends_beside_a_building(empty):
    empty.world.build("stone-furnace", (10, 0))  # tiles 9 and 10, rows -1 and 0
    end = empty.move_to(Position(x=10, y=0))
    assert empty.at(*place(end)) is None
    assert hypot(end.x - 10, end.y) < 2


@case("move_to", "it starts where the character stands", mends="Q-T25")
def test_it_starts_where_the_character_stands(game):
    game.stand(20, 30)
    game.move_to(Position(x=20, y=33))
    assert game.tick == 20


@case("move_to", "a place with no land near it is refused")
def test_a_place_off_the_map_is_refused(game):
    assert "Could not get path to (9000, 0)" in game.refusal("move_to", Position(x=9000, y=0))


@case("move_to", "an enclosed place is refused, and says why")
def test_an_enclosed_place_is_refused(empty):
    empty.world.water((-3, -3, 4, 4))
    for tx in range(-1, 2):
        for ty in range(-1, 2):
            empty.world.map.set_tile(tx, ty, "lab-white")
    empty.stand(0.5, 0.5)
    assert "Could not get path to (10, 0): water" in empty.refusal("move_to", Position(x=10, y=0))


@case("move_to", "laying and leading are left out", mends="Q-T27")
def test_laying_is_refused_with_what_to_use_instead(game):
    message = game.refusal("move_to", Position(x=3, y=0), laying=Prototype.TransportBelt)
    assert "connect_entities" in message


@case("move_to", "what is no position is refused")
def test_an_entity_is_no_position(game):
    chest = game.place_entity(Prototype.IronChest, Direction.UP, Position(x=2, y=2))
    assert "must be a Position" in game.bad("ValueError", "move_to", chest)


@case("move_to", "a step that is too short ends the walk where its time ends")
def test_a_step_ends_in_mid_walk(empty):
    empty.instance.tick_limit = 30
    with pytest.raises(StepLimit):
        empty.move_to(Position(x=10, y=0))
    assert empty.tick == 30


@case("move_to", "long walks succeed")
@pytest.mark.parametrize("target", [(260, 260), (-300, 100), (52.5, 45.5), (-37, -15.5)])
def test_long_walks_end_within_a_tile(game, target):
    end = game.move_to(Position(*target))
    assert end.distance(Position(*target)) < 1
    assert game.tick >= hypot(*target) / 0.15
