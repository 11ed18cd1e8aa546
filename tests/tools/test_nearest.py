from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, Position, Prototype, Resource, ResourceName
from tests.tools.cases import case


def place(position):
    return position.x, position.y


@case("nearest", "the nearest ore by straight distance, from where the character stands")
def test_the_nearest_coal_of_the_lab_map(game):
    assert place(game.nearest(Resource.Coal)) == (15.5, -0.5)
    assert place(game.nearest(Resource.Coal)) == (15.5, -0.5)
    assert game.tick == 0
    game.stand(60, 30)
    assert place(game.nearest(Resource.Coal)) == (38.5, 20.5)


@case("nearest", "every kind of resource")
@pytest.mark.parametrize(
    "resource, where",
    [
        (Resource.IronOre, (15.5, 70.5)),
        (Resource.CopperOre, (-46.5, 70.5)),
        (Resource.Stone, (-46.5, -0.5)),
        (Resource.CrudeOil, (17.5, 40.5)),
    ],
)
def test_resources_of_the_lab_map(game, resource, where):
    assert place(game.nearest(resource)) == where


@case("nearest", "equal distances go to the least y, then the least x")
def test_ties_go_to_the_north_then_to_the_west(empty):
    for tile in ((2, 0), (2, -1), (-3, -1), (-3, 0)):
        empty.world.map.put_resource("iron-ore", tile, 10)
    assert place(empty.nearest(Resource.IronOre)) == (-2.5, -0.5)


@case("nearest", "water is its tile's top left corner, of tiles called exactly water", mends="Q-T26")
def test_water_is_given_by_its_corner(game):
    assert place(game.nearest(Resource.Water)) == (-12, 0)


def test_other_kinds_of_water_are_not_found(empty):
    empty.world.map.set_tile(3, 0, "deepwater")
    empty.world.map.set_tile(9, 0, "water")
    assert place(empty.nearest(Resource.Water)) == (9, 0)


@case("nearest", "wood is the nearest tree")
def test_wood_is_the_nearest_tree(empty):
    empty.grow("big-rock", 2, 0)
    empty.grow("tree-02", 5, 0)
    assert place(empty.nearest(Resource.Wood)) == (5, 0)
    assert place(empty.nearest(Prototype.Wood)) == (5, 0)


@case("nearest", "a Prototype: the nearest one that is built")
def test_the_nearest_building(game):
    for x in (6, 2):
        game.place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=x, y=2))
    assert place(game.nearest(Prototype.StoneFurnace)) == (2, 2)


@case("nearest", "names of ores as Prototype or ResourceName")
def test_ores_by_other_names(game):
    assert place(game.nearest(Prototype.Coal)) == place(game.nearest(ResourceName.Coal)) == (15.5, -0.5)


@case("nearest", "none within 500 tiles is refused in one sentence")
def test_what_is_not_there_is_refused(game):
    assert "Could not find nearest uranium-ore: there is none within 500 tiles" in game.refusal(
        "nearest", Resource.UraniumOre
    )
    assert "Could not find nearest lab" in game.refusal("nearest", Prototype.Lab)


def test_what_is_501_tiles_away_is_not_found(empty):
    empty.world.map.put_resource("coal", (501, 0), 10)
    empty.refusal("nearest", Resource.Coal)


@case("nearest", "what is no resource is refused with what is expected")
def test_text_is_no_resource(game):
    assert "Resource.Coal" in game.refusal("nearest", "coal")
