from __future__ import annotations

import pytest

from fle_ray.game.values import BoundingBox, BuildingBox, Position, Prototype, Resource
from tests.tools.cases import case


def corners(box):
    return box.left_top.x, box.left_top.y, box.right_bottom.x, box.right_bottom.y


def square(side):
    return BuildingBox(width=side, height=side)


@case("nearest_buildable", "the first free box on the spiral, its left top on the place")
def test_a_free_place_is_taken_as_it_is(game):
    box = game.nearest_buildable(Prototype.StoneFurnace, square(2), Position(x=5, y=6))
    assert corners(box) == (5, 6, 7, 8)
    assert (box.center.x, box.center.y) == (6, 7)
    assert game.tick == 0


@case("nearest_buildable", "the spiral goes right, down, left, up")
def test_the_spiral_goes_right_first_then_down(empty):
    empty.stand(20, 20)
    empty.world.build("wooden-chest", (0.5, 0.5))
    box = empty.nearest_buildable(Prototype.WoodenChest, square(1), Position(x=0, y=0))
    assert corners(box) == (1, 0, 2, 1)
    empty.world.build("wooden-chest", (1.5, 0.5))
    box = empty.nearest_buildable(Prototype.WoodenChest, square(1), Position(x=0, y=0))
    assert corners(box) == (1, 1, 2, 2)
    for spot in ((1.5, 1.5), (0.5, 1.5), (-0.5, 1.5)):
        empty.world.build("wooden-chest", spot)
    box = empty.nearest_buildable(Prototype.WoodenChest, square(1), Position(x=0, y=0))
    assert corners(box) == (-1, 0, 0, 1)


@case("nearest_buildable", "every tile of a drill's box carries ore")
def test_a_drills_box_lies_on_ore_alone(empty):
    empty.world.ore("iron-ore", (4, 4, 8, 8))
    empty.world.map.resources.pop((4, 4))
    box = empty.nearest_buildable(Prototype.BurnerMiningDrill, square(2), Position(x=4, y=4))
    assert corners(box) == (5, 4, 7, 6)


@case("nearest_buildable", "kinds of ore may be mixed")
def test_two_ores_in_a_box_will_do(empty):
    empty.world.ore("iron-ore", (0, 0, 1, 2))
    empty.world.ore("coal", (1, 0, 2, 2))
    assert corners(empty.nearest_buildable(Prototype.BurnerMiningDrill, square(2), Position(x=0, y=0))) == (0, 0, 2, 2)


@case("nearest_buildable", "boxes on the fields of the lab map")
@pytest.mark.parametrize(
    "resource, width, height",
    [
        (Resource.Coal, 3, 3),
        (Resource.IronOre, 3, 3),
        (Resource.CopperOre, 3, 3),
        (Resource.Stone, 3, 3),
        (Resource.IronOre, 9, 3),
        (Resource.CopperOre, 5, 5),
        (Resource.CopperOre, 11, 7),  # fits a field of 25 x 26 tiles, whatever FLE's own map says
    ],
)
def test_boxes_are_found_near_the_ore(game, resource, width, height):
    ore = game.nearest(resource)
    box = game.nearest_buildable(Prototype.ElectricMiningDrill, BuildingBox(width=width, height=height), ore)
    assert (box.width(), box.height()) == (width, height)
    assert box.center.distance(ore) < 50


@case("nearest_buildable", "one well in a pumpjack's box is enough")
def test_a_pumpjack_needs_one_well(game):
    box = game.nearest_buildable(Prototype.PumpJack, square(3), Position(x=33, y=50))
    left, top, right, bottom = corners(box)
    wells = [(x + 0.5, y + 0.5) for x in range(17, 39, 3) for y in (40, 43, 46, 49)]
    assert any(left < x < right and top < y < bottom for x, y in wells)


@case("nearest_buildable", "water, trees, rocks, buildings and items on the ground are in the way")
@pytest.mark.parametrize("blocker", ["water", "tree", "rock", "building", "item"])
def test_what_is_in_the_way(empty, blocker):
    world = empty.world
    if blocker == "water":
        world.water((0, 0, 1, 1))
    elif blocker == "tree":
        empty.grow("tree-01", 0.5, 0.5)
    elif blocker == "rock":
        empty.grow("big-rock", 0.5, 0.5)
    elif blocker == "building":
        world.build("pipe", (0.5, 0.5))
    else:
        world.drop_on_ground("coal", (0.5, 0.5))
    box = empty.nearest_buildable(Prototype.WoodenChest, square(1), Position(x=0, y=0))
    assert corners(box) != (0, 0, 1, 1)


@case("nearest_buildable", "a fractional place gives a fractional box")
def test_fractions_are_kept(game):
    box = game.nearest_buildable(Prototype.BurnerMiningDrill, square(2), Position(x=15.5, y=-0.5))
    assert corners(box) == (15.5, -0.5, 17.5, 1.5)


@case("nearest_buildable", "a BoundingBox gives the size as well")
def test_a_bounding_box_gives_the_size(game):
    size = BoundingBox(
        left_top=Position(x=0, y=0),
        right_bottom=Position(x=2, y=1),
        left_bottom=Position(x=0, y=1),
        right_top=Position(x=2, y=0),
    )
    assert corners(game.nearest_buildable(Prototype.WoodenChest, size, Position(x=3, y=3))) == (3, 3, 5, 4)


@case("nearest_buildable", "no place within 30 tiles is refused with what to do")
def test_too_large_a_box_is_refused(game):
    message = game.refusal("nearest_buildable", Prototype.BurnerMiningDrill, square(30), game.nearest(Resource.Coal))
    assert "no viable place" in message and "Make the box smaller" in message


@case("nearest_buildable", "what is no Prototype or box is refused")
def test_wrong_arguments_are_refused(game):
    assert "valid Prototype" in game.refusal("nearest_buildable", "drill", square(2), Position(x=0, y=0))
    assert "BuildingBox" in game.bad("ValueError", "nearest_buildable", Prototype.Lab, 3, Position(x=0, y=0))


@case("nearest_buildable", "large boxes are judged by the same rules as small ones")
@pytest.mark.parametrize("side", [10, 12])
def test_large_boxes(empty, side):
    empty.world.ore("iron-ore", (0, 0, 30, 30))
    empty.world.build("pipe", (11.5, 2.5))
    empty.grow("tree-01", 2.5, 14.5)
    box = empty.nearest_buildable(Prototype.ElectricMiningDrill, square(side), Position(x=0.5, y=0.5))
    left, top, right, bottom = corners(box)
    assert left >= 0 and top >= 0 and right <= 30 and bottom <= 30
    assert not (left < 11.5 < right and top < 2.5 < bottom)
    assert not (left < 2.5 < right and top < 14.5 < bottom)


@case("nearest_buildable", "boxes of more than 200 tiles a side, or of none, are refused")
@pytest.mark.parametrize("side", [0, -1, 201])
def test_boxes_of_no_use(game, side):
    spoilt = square(2)
    spoilt.width = "wide"
    game.bad("ValueError", "nearest_buildable", Prototype.Lab, spoilt, Position(x=0, y=0))
    assert "at most 200" in game.bad("ValueError", "nearest_buildable", Prototype.Lab, square(side), Position(x=0, y=0))
