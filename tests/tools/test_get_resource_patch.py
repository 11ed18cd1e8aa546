from __future__ import annotations

import pytest

from fle_ray.game.values import Position, Resource
from tests.tools.cases import case


def corners(patch):
    box = patch.bounding_box
    return box.left_top.x, box.left_top.y, box.right_bottom.x, box.right_bottom.y


@case("get_resource_patch", "size is the sum of all connected tiles, the box runs along their edges", mends="Q-T24")
@pytest.mark.parametrize(
    "resource, tiles, box",
    [
        (Resource.Coal, 24 * 25, (15, -4, 39, 21)),
        (Resource.IronOre, 24 * 26, (15, 70, 39, 96)),
        (Resource.CopperOre, 25 * 26, (-71, 70, -46, 96)),
        (Resource.Stone, 25 * 25 - 1, (-71, -4, -46, 21)),
    ],
)
def test_the_fields_of_the_lab_map(game, resource, tiles, box):
    patch = game.get_resource_patch(resource, game.nearest(resource))
    assert patch.name == resource[0]
    assert patch.size == tiles * 10_000
    assert corners(patch) == box
    assert game.tick == 0


@case("get_resource_patch", "tiles that touch at a corner are one patch, others are not")
def test_patches_are_joined_over_corners(empty):
    for tile in ((0, 0), (1, 1), (3, 1)):
        empty.world.map.put_resource("coal", tile, 10)
    assert empty.get_resource_patch(Resource.Coal, Position(x=0.5, y=0.5)).size == 20
    assert empty.get_resource_patch(Resource.Coal, Position(x=3.5, y=1.5)).size == 10


@case("get_resource_patch", "of two patches in reach the nearer one")
def test_the_nearer_of_two_patches(empty):
    empty.world.map.put_resource("coal", (5, 0), 7)
    empty.world.map.put_resource("coal", (-8, 0), 9)
    patch = empty.get_resource_patch(Resource.Coal, Position(x=0, y=0))
    assert patch.size == 7
    assert corners(patch) == (5, 0, 6, 1)  # without the place that was asked about


@case("get_resource_patch", "mining makes it smaller")
def test_mining_makes_a_patch_smaller(game):
    game.stand(16, 0)
    game.harvest_resource(Position(x=16.5, y=0.5), 5)
    assert game.get_resource_patch(Resource.Coal, Position(x=16, y=0)).size == 6_000_000 - 5


@case("get_resource_patch", "a well by itself")
def test_a_well_is_a_patch(game):
    patch = game.get_resource_patch(Resource.CrudeOil, Position(x=32.5, y=49.5))
    assert patch.size == 300_000
    assert corners(patch) == (32, 49, 33, 50)


@case("get_resource_patch", "water: the tiles whose centre lies within the radius")
def test_water_is_counted_in_tiles(game):
    # centres (a, b) with a, b in +-0.5, +-1.5, ... and a*a + b*b <= 25 round (-17, 8): 2 * (10 + 10 + 8 + 8 + 4)
    assert game.get_resource_patch(Resource.Water, Position(x=-17, y=8), radius=5).size == 80


@case("get_resource_patch", "wood: the wood in the trees within the radius")
def test_wood_is_counted_in_trees(empty):
    for x, kind in ((2, "tree-01"), (4, "dead-grey-trunk"), (40, "tree-01")):
        empty.grow(kind, x + 0.5, 0.5)
    patch = empty.get_resource_patch(Resource.Wood, Position(x=0, y=0))
    assert patch.size == 4 + 2
    assert corners(patch) == (2, 0, 5, 1)


@case("get_resource_patch", "radius 0 is the very place")
def test_radius_zero_is_the_place_itself(game):
    assert game.get_resource_patch(Resource.Coal, Position(x=15.5, y=0.5), radius=0).size == 6_000_000
    game.refusal("get_resource_patch", Resource.Coal, Position(x=12.5, y=0.5), radius=0)


@case("get_resource_patch", "none within the radius is refused")
def test_no_patch_is_refused(game):
    message = game.refusal("get_resource_patch", Resource.IronOre, Position(x=0, y=0))
    assert message.startswith("Could not get iron-ore at (0, 0)")
    assert "Resource.Coal" in game.refusal("get_resource_patch", "coal", Position(x=0, y=0))
