from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, Position, Prototype
from tests.tools.cases import case

UP = Direction.UP


def names(entities):
    return [e.name for e in entities]


@pytest.fixture
def site(game):
    """A chest, two furnaces, two pipes, a wall and a pole, in that order."""
    game.give(stone_wall=2)
    for thing, x, y in (
        (Prototype.IronChest, 2.5, 2.5),
        (Prototype.StoneFurnace, 5, 5),
        (Prototype.StoneFurnace, -5, -5),
        (Prototype.Pipe, 2.5, 5.5),
        (Prototype.Pipe, 2.5, 6.5),
        (Prototype.StoneWall, -2.5, 2.5),
        (Prototype.StoneWall, -6.5, 2.5),
        (Prototype.SmallElectricPole, -2.5, 5.5),
    ):
        game.place_entity(thing, UP, Position(x=x, y=y))
    return game


@case("get_entities", "no filter: everything; belts, pipes, poles and walls as groups after the others")
def test_everything_with_groups_last(site):
    found = names(site.get_entities())
    assert found[:3] == ["iron-chest", "stone-furnace", "stone-furnace"]
    assert sorted(found[3:]) == ["electricity-group", "pipe-group", "wall-group"]
    assert site.tick == 0


@pytest.mark.parametrize("nothing", [set(), [], (), None])
def test_an_empty_filter_is_no_filter(site, nothing):
    assert len(site.get_entities(nothing)) == 6


@case("get_entities", "a filter without a place: one by one, not grouped")
def test_a_filter_gives_members(site):
    assert names(site.get_entities({Prototype.Pipe})) == ["pipe", "pipe"]
    assert names(site.get_entities({Prototype.StoneWall, Prototype.IronChest})) == [
        "iron-chest",
        "stone-wall",
        "stone-wall",
    ]


@case("get_entities", "a filter with a place: grouped")
def test_a_filter_with_a_place_gives_groups(site):
    assert names(site.get_entities({Prototype.Pipe}, Position(x=0, y=0))) == ["pipe-group"]
    assert names(site.get_entities({Prototype.StoneFurnace}, Position(x=5, y=5), 2)) == ["stone-furnace"]


@case("get_entities", "group prototypes give groups")
@pytest.mark.parametrize(
    "group, name", [(Prototype.PipeGroup, "pipe-group"), (Prototype.ElectricityGroup, "electricity-group")]
)
def test_group_prototypes(site, group, name):
    assert names(site.get_entities({group})) == [name]
    assert site.get_entities({Prototype.BeltGroup}) == []


@case("get_entities", "walls come as one group, whether or not they touch")
def test_walls_are_one_group(site):
    (walls,) = [e for e in site.get_entities() if e.name == "wall-group"]
    assert len(walls.entities) == 2


@case("get_entities", "a Prototype, a set, a list or any other iterable", mends="Q-T12")
@pytest.mark.parametrize("kind", [lambda p: p, lambda p: {p}, lambda p: [p], lambda p: (p,), lambda p: iter([p])])
def test_what_a_filter_may_be(site, kind):
    assert names(site.get_entities(kind(Prototype.StoneFurnace))) == ["stone-furnace"] * 2


@case("get_entities", "the area is the square of half-side `radius` round the place")
def test_the_area_is_a_square(site):
    furnace = {Prototype.StoneFurnace}
    assert len(site.get_entities(furnace, Position(x=0, y=0), 4.5)) == 2  # their boxes begin at 4.3
    assert len(site.get_entities(furnace, Position(x=0, y=0), 4)) == 0
    assert len(site.get_entities(furnace, Position(x=1, y=1), 3.5)) == 1


@case("get_entities", "radius 0: what covers the point, whole coordinates too")
@pytest.mark.parametrize("x, y, found", [(5, 5, 1), (5.5, 5.5, 1), (0, 0, 0), (6.5, 5, 0)])
def test_radius_zero(site, x, y, found):
    assert len(site.get_entities({Prototype.StoneFurnace}, Position(x=x, y=y), 0)) == found


@case("get_entities", "without a place: round the character")
def test_round_the_character(site):
    site.stand(-5, -8)
    assert [e.position.x for e in site.get_entities({Prototype.StoneFurnace}, radius=4)] == [-5]


@case("get_entities", "trees, ore, characters and items on the ground are none")
def test_only_what_was_built(empty):
    empty.grow("tree-01", 2, 2)
    empty.world.ore("coal", (0, 0, 3, 3))
    empty.world.drop_on_ground("coal", (1.5, 1.5))
    assert empty.get_entities() == []


@case("get_entities", "in order of building")
def test_in_order_of_building(site):
    ids = [e.id for e in site.get_entities({Prototype.StoneFurnace, Prototype.IronChest, Prototype.Pipe})]
    assert ids == sorted(ids)


@case("get_entities", "`prototype` is the member", mends="Q-V8")
def test_the_prototype_is_the_member(site):
    assert {e.prototype for e in site.get_entities({Prototype.StoneFurnace})} == {Prototype.StoneFurnace}


@case("get_entities", "wrong arguments")
def test_wrong_arguments(game):
    assert "'pipe'" in game.bad("ValueError", "get_entities", ["pipe"])
    game.bad("ValueError", "get_entities", "pipe")
    game.bad("ValueError", "get_entities", {Prototype.Pipe}, "here")
    assert "radius" in game.bad("ValueError", "get_entities", {Prototype.Pipe}, Position(x=0, y=0), -1)
