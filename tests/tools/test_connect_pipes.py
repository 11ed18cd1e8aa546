"""Pipes laid by connect_entities: what is laid, what is left alone, and that fluid really gets there."""

from __future__ import annotations

from math import floor

import pytest

from fle_ray.game.values import EntityStatus, PipeGroup, Position, Prototype, RecipeName
from fle_ray.tools.describe import describe
from tests.tools.cases import case

PIPE = Prototype.Pipe
UNDER = Prototype.UndergroundPipe
NORTH, EAST, SOUTH, WEST = 0, 4, 8, 12
KIT = {"pipe": 300, "pipe-to-ground": 20}


def at(x, y):
    return Position(x=x, y=y)


@pytest.fixture
def land(make):
    """Endless flat land and plenty of pipes; the agent stands out of the way."""
    game = make(KIT, scenario="empty")
    game.stand(-100, -100)
    return game


def value(game, name, x, y, direction=NORTH, **options):
    """Build something as a script does and return it as agents see it."""
    return describe(game.world.place(name, (x, y), direction, **options))


def pump(game, x=0.5, y=-10.5):
    """An offshore pump on the shore of a lake to the north, giving water southwards at (x, y + 1)."""
    game.world.water((floor(x) - 6, floor(y) - 12, floor(x) + 6, floor(y)))
    return value(game, "offshore-pump", x, y, NORTH)


def amount(game, x, y):
    """Units of fluid in what stands at a point."""
    return sum(box.amount for box in game.at(x, y).fluid_boxes)


def tiles(group):
    return sorted((p.position.x, p.position.y) for p in group.pipes)


@case("connect_entities", "pipes between two places: one on every tile")
def test_a_bend(land):
    group = land.connect_entities(at(0, 1), at(2, 4), PIPE)
    assert isinstance(group, PipeGroup)
    assert len(group.pipes) == 2 + 3 + 1 == 300 - land.have("pipe")
    assert group.status == EntityStatus.EMPTY


@pytest.mark.parametrize(
    ("points", "pieces"), [([(20, 0), (25, 0), (25, 5)], 11), ([(20, 10), (25, 10), (25, 15), (30, 15)], 16)]
)
def test_waypoints(land, points, pieces):
    assert len(land.connect_entities(*(at(*p) for p in points), PIPE).pipes) == pieces


@case("connect_entities", "pump to boiler to engine: water and steam arrive")
def test_a_power_plant(make):
    game = make({**KIT, "coal": 10}, scenario="empty")
    game.stand(-100, -100)
    source = pump(game)
    boiler = value(game, "boiler", 10.5, 0, NORTH)
    engine = value(game, "steam-engine", 20.5, -8.5, NORTH)
    water = game.connect_entities(source, boiler, PIPE)
    steam = game.connect_entities(boiler, engine, PIPE)
    assert water.id != steam.id
    game.insert_item(Prototype.Coal, game.get_entity(Prototype.Boiler, boiler.position), 5)
    game.world.advance(300)
    assert game.get_entity(Prototype.Boiler, boiler.position).status != EntityStatus.NOT_CONNECTED
    engine = game.get_entity(Prototype.SteamEngine, engine.position)
    assert engine.fluid_box[0]["name"] == "steam"
    assert engine.status == EntityStatus.NOT_PLUGGED_IN_ELECTRIC_NETWORK


def test_boiler_and_engine_may_be_given_in_either_order(land):
    boiler = value(land, "boiler", 0.5, 0, NORTH)
    engine = value(land, "steam-engine", 0.5, -12.5, NORTH)
    group = land.connect_entities(engine, boiler, PIPE)
    # from (0, -2) above the boiler up to (0, -10) below the engine
    assert tiles(group) == [(0.5, y + 0.5) for y in range(-10, -1)]


@case("connect_entities", "two boilers, or a boiler and an offshore pump: water only")
def test_boilers(land):
    first = value(land, "boiler", 0.5, 0, NORTH)
    second = value(land, "boiler", 10.5, 0, NORTH)
    group = land.connect_entities(first, second, PIPE)
    assert tiles(group) == [(x + 0.5, 0.5) for x in range(2, 9)]
    source = pump(land)
    land.connect_entities(first, source, PIPE)
    land.world.advance(60)
    assert amount(land, 10.5, 0) > 0
    assert land.at(10.5, 0).water.content == "water"


@case("connect_entities", "a place that is exactly a connection point stands for that point alone")
def test_exact_points(land):
    boiler = value(land, "boiler", 0.5, 0, NORTH)
    engine = value(land, "steam-engine", 9.5, -7.5, NORTH)
    group = land.connect_entities(boiler.steam_output_point, engine.connection_points[1], PIPE)
    assert (0.5, -1.5) in tiles(group)
    assert (9.5, engine.position.y - 3) in tiles(group)
    left = land.connect_entities(boiler.connection_points[1], at(20, 0), PIPE)
    assert (2.5, 0.5) in tiles(left)


def test_an_exact_point_is_used_even_when_the_other_end_has_pipes(land):
    boiler = value(land, "boiler", 0.5, 0, NORTH)
    land.connect_entities(boiler.connection_points[0], at(-10, 0), PIPE)
    group = land.connect_entities(boiler.connection_points[1], at(10, 0), PIPE)
    # from (2, 0) to (10, 0) on the right, beside the pipes on the left
    assert {(x + 0.5, 0.5) for x in range(2, 11)} <= set(tiles(group))


def test_a_machine_without_a_recipe_is_connected_by_what_meets_its_point(land):
    machine = value(land, "assembling-machine-2", 0.5, 0.5, NORTH)
    land.connect_entities(at(0, -10), machine, UNDER)
    left = land.have("pipe-to-ground")
    land.connect_entities(at(0, -10), machine, UNDER)
    assert land.have("pipe-to-ground") == left == 18


@case("connect_entities", "a boiler to a place: from its nearest point")
def test_a_boiler_to_a_place(land):
    boiler = value(land, "boiler", 20.5, 40, NORTH)
    group = land.connect_entities(boiler, at(25, 40), at(25, 45), PIPE)
    # water comes out on the right at (22, 40): four tiles to (25, 40), five more down
    assert len(group.pipes) == 9


@case("connect_entities", "an assembling machine takes fluid two tiles ahead of its middle, with or without recipe")
def test_an_assembling_machine(land):
    machine = value(land, "assembling-machine-2", 0.5, 0.5, NORTH)
    group = land.connect_entities(at(10, 0), machine, PIPE)
    assert len(group.pipes) == 10 + 2 + 1
    assert (0.5, -1.5) in tiles(group)


@case("connect_entities", "a place as the source of a refinery", mends="Q-T19")
def test_a_place_to_a_refinery(land):
    refinery = value(land, "oil-refinery", 20.5, 0.5, NORTH, recipe="basic-oil-processing")
    crude = refinery.input_connection_points[0]
    assert crude.type == "crude-oil"
    group = land.connect_entities(at(0, 5), refinery, PIPE)
    assert (crude.x, crude.y) in tiles(group)


@case("connect_entities", "well to refinery to plant: each fluid to the input that takes it")
def test_oil(make):
    game = make({**KIT, "coal": 20}, scenario="empty")
    game.stand(-100, -100)
    for x in (-2.5, 6.5, 17.5):
        game.world.power((x, 0.5))
    game.world.well((0.5, 0.5))
    jack = value(game, "pumpjack", 0.5, 0.5, NORTH)
    refinery = value(game, "oil-refinery", 10.5, 0.5, NORTH, recipe="basic-oil-processing")
    plant = value(game, "chemical-plant", 20.5, 0.5, SOUTH, recipe="plastic-bar")
    crude = game.connect_entities(jack, refinery, PIPE)
    gas = game.connect_entities(refinery, plant, PIPE)
    assert crude.id != gas.id
    game.insert_item(Prototype.Coal, game.get_entity(Prototype.ChemicalPlant, plant.position), 10)
    game.world.advance(60 * 60)
    assert game.world.produced["crude-oil"] > 0
    assert game.world.produced["petroleum-gas"] > 0
    assert game.world.produced["plastic-bar"] > 0


@case("connect_entities", "a refinery or plant without a recipe: set one first")
def test_no_recipe(land):
    refinery = value(land, "oil-refinery", 20.5, 0.5)
    assert "set a recipe first" in land.refusal("connect_entities", at(0, 0), refinery, PIPE)
    assert "set a recipe first" in land.refusal("connect_entities", refinery, at(0, 0), PIPE)


@case("connect_entities", "a source that is empty, to a refinery: it must have fluid in it")
def test_an_empty_source(land):
    refinery = value(land, "oil-refinery", 20.5, 0.5, recipe="advanced-oil-processing")
    tank = value(land, "storage-tank", 0.5, 0.5)
    message = land.refusal("connect_entities", tank, refinery, PIPE)
    assert "must have fluid in it" in message and "crude-oil" in message and "water" in message


@case("connect_entities", "a fluid that the target does not take is refused, and what it takes named")
def test_a_fluid_that_is_not_taken(land):
    source = pump(land)
    engine = value(land, "steam-engine", 10.5, 0.5)
    message = land.refusal("connect_entities", source, engine, PIPE)
    assert "water" in message and "steam" in message and "not expected" in message
    refinery = value(land, "oil-refinery", 30.5, 0.5, recipe="basic-oil-processing")
    assert "crude-oil" in land.refusal("connect_entities", source, refinery, PIPE)


def test_what_has_no_fluid_connections_is_refused(land):
    chest = value(land, "wooden-chest", 5.5, 5.5)
    assert "no fluid connections" in land.refusal("connect_entities", at(0, 0), chest, PIPE)


@case("connect_entities", "connected already: nothing is laid")
def test_connected_already(land):
    source, boiler = pump(land), value(land, "boiler", 10.5, 0)
    first = land.connect_entities(source, boiler, PIPE)
    left, tick = land.have("pipe"), land.tick
    again = land.connect_entities(source, boiler, PIPE)
    assert (again.id, land.have("pipe"), land.tick) == (first.id, left, tick)


def test_machines_that_touch_are_connected_already(land):
    value(land, "steam-engine", 0.5, 0.5)
    value(land, "steam-engine", 0.5, 5.5)
    engines = land.get_entities({Prototype.SteamEngine})
    land.connect_entities(*engines, PIPE)
    assert land.have("pipe") == 300


@case("connect_entities", "a branch from the middle of a line has the line's group")
@pytest.mark.parametrize("inverted", [False, True])
def test_a_branch(land, inverted):
    trunk = land.connect_entities(at(0, 0), at(10, 0), PIPE)
    ends = [at(5, 0), at(5, 5)]
    branch = land.connect_entities(*(reversed(ends) if inverted else ends), PIPE)
    assert branch.id == trunk.id
    assert len(branch.pipes) == 11 + 5


def test_a_group_as_source_and_target(land):
    trunk = land.connect_entities(at(0, 0), at(10, 0), PIPE)
    other = land.connect_entities(at(0, 5), at(10, 5), PIPE)
    group = land.connect_entities(trunk, other, PIPE)
    assert len(group.pipes) == 11 + 11 + 4


@case("connect_entities", "new pipes touch no other pipes: they go round, or below")
def test_other_pipes_are_not_touched(land):
    first = land.connect_entities(at(0, 0), at(10, 0), PIPE)
    second = land.connect_entities(at(5, -5), at(5, 5), PIPE)
    assert first.id != second.id
    assert len(land.get_entities({Prototype.PipeGroup})) == 2
    assert min(abs(y - 0.5) for x, y in tiles(second) if -1 <= x <= 12) > 1
    third = land.connect_entities(at(2, -5), at(2, 5), {PIPE, UNDER})
    assert len(land.get_entities({Prototype.PipeGroup})) == 3
    assert land.have("pipe-to-ground") < 20
    assert all(abs(x - 2.5) < 1 for x, _ in tiles(third))


@case("connect_entities", "new pipes keep clear of other machines' connection points, and of drop spots")
def test_other_points_are_kept_free(land):
    value(land, "boiler", 5.5, 2, NORTH)  # steam above it at (5, 0), water at (3, 2) and (7, 2)
    group = land.connect_entities(at(0, 0), at(10, 0), PIPE)
    assert len(group.pipes) > 11
    assert not {(5.5, 0.5), (3.5, 2.5), (7.5, 2.5)} & set(tiles(group))
    land.world.ore("coal", (4, 22, 6, 24))
    land.world.place("burner-mining-drill", (5, 23), NORTH)  # drops on (4, 21)
    other = land.connect_entities(at(0, 21), at(10, 21), PIPE)
    assert (4.5, 21.5) not in tiles(other)


@case("connect_entities", "undergrounds: straight stretches are cut, no more pairs than half of those in the inventory")
def test_stretches_are_cut(make):
    game = make({"pipe": 100, "pipe-to-ground": 4}, scenario="empty")
    group = game.connect_entities(at(10, 0), at(10, 10), at(20, 10), at(20, 0), {PIPE, UNDER})
    # 31 tiles; a pair over 1..9 of the first leg hides 7, one over the second leg's ten new tiles hides 6
    assert len(group.pipes) == 31 - 7 - 6 == 18
    assert game.have("pipe-to-ground") == 0


def test_short_legs_are_cut_too(land):
    group = land.connect_entities(at(20, 20), at(25, 20), at(25, 25), {PIPE, UNDER})
    # six tiles: a pair over 1..4 hides 2; five new tiles: a pair over 2..4 hides 1
    assert len(group.pipes) == 11 - 2 - 1


@case("connect_entities", "undergrounds alone: pairs in a straight line, none longer than ten tiles", mends="Q-T19")
def test_undergrounds_alone(land):
    assert len(land.connect_entities(at(0, 0), at(10, 0), UNDER).pipes) == 2
    group = land.connect_entities(at(0, 10), at(25, 10), UNDER)
    assert len(group.pipes) == 2 * 3  # 26 tiles: three pairs of at most eleven
    assert len({p.fluidbox_id for p in group.pipes}) == 1
    message = land.refusal("connect_entities", at(0, 20), at(5, 25), UNDER)
    assert "Prototype.Pipe" in message


def test_undergrounds_alone_between_machines(land):
    first = value(land, "storage-tank", 0.5, 0.5)
    second = value(land, "storage-tank", 12.5, 2.5)  # its left top connection opens west on the row of ours
    group = land.connect_entities(first, second, UNDER)
    assert len(group.pipes) == 2
    assert land.at(0.5, 0.5).network == land.at(12.5, 2.5).network


@case("connect_entities", "undergrounds fit between machines whose points are side by side")
def test_plants_side_by_side(land):
    # facing north, their inputs lie at x - 1 and x + 1 above: (4, ...) of one beside (3, ...) of the other
    first = value(land, "chemical-plant", 2.5, 10.5, NORTH, recipe="sulfur")
    second = value(land, "chemical-plant", 5.5, 10.5, NORTH, recipe="sulfur")
    inputs = {(p.x, p.type) for p in [*first.input_connection_points, *second.input_connection_points]}
    assert len(inputs) == 4
    tank = value(land, "storage-tank", 3.5, -5.5)
    land.world.fluids.segments[land.at(3.5, -5.5).fluid_box.segment.key].give("water", 1000, 15)
    land.connect_entities(tank, second, {PIPE, UNDER})
    land.world.advance(60)
    plants = [land.at(x, 10.5) for x in (2.5, 5.5)]
    assert [plant.contents().get("fluids", {}).get("water", 0) > 0 for plant in plants] == [False, True]


def test_a_pair_that_stands_is_not_caught(land):
    upper = land.world.place("pipe-to-ground", (5.5, -2.5), NORTH)  # opens to the north, below to the south
    lower = land.world.place("pipe-to-ground", (5.5, 4.5), SOUTH)
    assert upper.neighbour is lower
    land.world.water((-20, 0, 25, 2))
    land.connect_entities(at(5, -6), at(5, 8), {PIPE, UNDER})
    assert upper.neighbour is lower


@case("connect_entities", "a line that cannot be is refused with the way out", mends="Q-T20")
def test_no_way(land):
    boiler = value(land, "boiler", 20.5, 0, NORTH)
    for x in range(18, 24):
        land.world.place("stone-wall", (x + 0.5, -1.5))  # covers the steam point
    for x, y in [(18.5, 0.5), (22.5, 0.5)]:
        land.world.place("stone-wall", (x, y))
    message = land.refusal("connect_entities", at(0, 0), boiler, PIPE)
    assert "blocked" in message and "stone-wall" in message


def test_a_place_beside_other_pipes_says_what_it_would_touch(land):
    land.connect_entities(at(0, 0), at(5, 0), PIPE)
    message = land.refusal("connect_entities", at(3, 1), at(3, 9), PIPE)
    assert "would touch pipe at (3.5, 0.5)" in message


@case("connect_entities", "too few pipes: what is required and available; nothing is laid")
def test_too_few(make):
    game = make({"pipe": 3}, scenario="empty")
    message = game.refusal("connect_entities", at(0, 0), at(9, 0), PIPE)
    assert "required 10" in message and "available 3" in message


def test_a_recipe_name_is_no_connection_type(land):
    land.bad("AssertionError", "connect_entities", at(0, 0), at(1, 1), RecipeName.BasicOilProcessing)
