"""connect_entities: ways to call it, kinds, refusals, dry runs, time; walls."""

from __future__ import annotations

import pytest

from fle_ray.errors import StepLimit
from fle_ray.game.values import BeltGroup, Position, Prototype, WallGroup
from tests.tools.cases import case

BELT, PIPE, WALL = Prototype.TransportBelt, Prototype.Pipe, Prototype.StoneWall
KIT = {"transport-belt": 100, "pipe": 100, "stone-wall": 100, "small-electric-pole": 50, "underground-belt": 10}


def at(x, y):
    return Position(x=x, y=y)


@pytest.fixture
def land(make):
    game = make(KIT, scenario="empty")
    game.stand(-100, -100)
    return game


# -- calling it -------------------------------------------------------------------------------------------------


@case("connect_entities", "every way to call it does the same")
@pytest.mark.parametrize(
    "call",
    [
        lambda game, a, b: game.connect_entities(a, b, BELT),
        lambda game, a, b: game.connect_entities(a, b, {BELT}),
        lambda game, a, b: game.connect_entities(a, b, [BELT]),
        lambda game, a, b: game.connect_entities(BELT, a, b),
        lambda game, a, b: game.connect_entities(a, b, connection_type=BELT),
        lambda game, a, b: game.connect_entities(a, b, connection_type={BELT}),
        lambda game, a, b: game.connect_entities(source=a, target=b, connection_type=BELT),
        lambda game, a, b: game.connect_entities(at(50, 50), at(60, 60), source=a, target=b, connection_type=BELT),
        lambda game, a, b: game.connect_entities((a.x, a.y), (b.x, b.y), BELT),
    ],
)
def test_ways_to_call(land, call):
    group = call(land, at(0, 0), at(5, 0))
    assert isinstance(group, BeltGroup)
    assert [(b.position.x, b.position.y) for b in group.belts] == [(x + 0.5, 0.5) for x in range(6)]


@case("connect_entities", "fewer than two waypoints")
def test_one_waypoint(land):
    assert "Need more than one waypoint" in land.bad("AssertionError", "connect_entities", at(0, 0), BELT)
    land.bad("AssertionError", "connect_entities", BELT)
    assert "source" in land.bad("AssertionError", "connect_entities", target=at(0, 0), connection_type=BELT)


@case("connect_entities", "a waypoint that is none")
@pytest.mark.parametrize("waypoint", [None, 5, "here", (1, 2, 3), {"x": 1}])
def test_wrong_waypoints(land, waypoint):
    assert "waypoint" in land.bad("AssertionError", "connect_entities", at(0, 0), waypoint, BELT)


@case("connect_entities", "types of more than one kind, or none: they are listed")
def test_incompatible_types(land):
    message = land.refusal("connect_entities", at(0, 0), at(5, 0), {PIPE, Prototype.UndergroundBelt})
    assert "incompatible" in message and "pipe" in message and "underground-belt" in message
    assert "incompatible connection types: []" in land.refusal("connect_entities", at(0, 0), at(5, 0))
    assert "[]" in land.refusal("connect_entities", at(0, 0), at(5, 0), connection_type=set())


@case("connect_entities", "types that nothing can be connected with")
@pytest.mark.parametrize(
    "member", [Prototype.Gate, Prototype.HeatPipe, Prototype.Rail, Prototype.IronChest, Prototype.BeltGroup]
)
def test_unsupported_types(land, member):
    message = land.bad("ValueError", "connect_entities", at(0, 0), at(5, 0), member)
    assert "Unsupported" in message and member.value[0] in message
    land.bad("ValueError", "connect_entities", at(0, 0), at(5, 0), {member, BELT})


@case("connect_entities", "a refusal names types, ends and reason in whole sentences", mends="Q-T21")
def test_a_refusal(land):
    land.world.place("wooden-chest", (9.5, 0.5))
    message = land.refusal("connect_entities", at(0, 0), at(9.5, 0.5), BELT)
    assert message.startswith("Failed to connect transport-belt from (0, 0) to wooden-chest at (9.5, 0.5). ")
    assert message.endswith(".")


# -- dry runs and time ------------------------------------------------------------------------------------------


@case("connect_entities", "a dry run: what would be laid and what is there; no time, no change", mends="Q-T2")
def test_a_dry_run(land):
    before = land.instance.digest()
    counts = land.connect_entities(at(0, 10), at(5, 10), at(5, 15), BELT, dry_run=True)
    # six belts, and five more: the corner is laid once
    assert counts == {"number_of_entities_required": 11, "number_of_entities_available": 100}
    assert land.instance.digest() == before
    land.connect_entities(at(0, 10), at(5, 10), at(5, 15), BELT)
    assert land.have("transport-belt") == 100 - 11


def test_a_dry_run_counts_more_than_there_is(land):
    counts = land.connect_entities(at(0, 0), at(150, 0), BELT, dry_run=True)
    assert counts == {"number_of_entities_required": 151, "number_of_entities_available": 100}


@case("connect_entities", "a dry run counts every type that was given", mends="Q-T19")
def test_a_dry_run_counts_all_types(land):
    types = {BELT, Prototype.UndergroundBelt}
    counts = land.connect_entities(at(0, 0), at(3, 0), types, dry_run=True)
    assert counts == {"number_of_entities_required": 4, "number_of_entities_available": 110}


@case("connect_entities", "walking along what is laid takes time, once: 7 ticks a tile", mends="Q-T2")
def test_the_walk_takes_time(land):
    land.connect_entities(at(0, 0), at(5, 0), BELT)
    assert land.tick == 5 * 7  # ceil(1 / 0.15) for each of the five steps
    land.connect_entities(at(0, 10), at(5, 10), at(5, 15), BELT)
    assert land.tick == 35 + 10 * 7


def test_poles_are_walked_from_one_to_the_next(land):
    land.connect_entities(at(0, 0), at(8, 0), Prototype.SmallElectricPole)
    # poles at 0, 4 and 8 (7.5 tiles are not enough for one hop): ceil(4 / 0.15) = 27 ticks each way
    assert land.tick == 2 * 27


def test_a_step_without_enough_ticks_keeps_what_was_laid(land):
    land.instance.tick_limit = 10
    with pytest.raises(StepLimit):
        land.connect_entities(at(0, 0), at(5, 0), BELT)
    assert land.tick == 10
    assert land.have("transport-belt") == 100 - 6


def test_the_agent_stays_where_it_is(land):
    land.connect_entities(at(0, 0), at(5, 0), BELT)
    assert land.instance.positions() == [(-100, -100)]


@case("connect_entities", "the agent itself is not in the way")
def test_the_agent_is_no_obstacle(land):
    land.stand(3.5, 0.5)
    assert len(land.connect_entities(at(0, 0), at(5, 0), PIPE).pipes) == 6


@case("connect_entities", "all pairs or none: a later pair that fails leaves nothing laid", mends="Q-T20")
def test_all_or_nothing(land):
    land.world.place("stone-furnace", (20, 0))
    land.refusal("connect_entities", at(0, 0), at(5, 0), at(20, 0), BELT)
    assert land.have("transport-belt") == 100
    assert land.at(0.5, 0.5) is None


def test_the_same_call_gives_the_same_world(make):
    digests = set()
    for _ in range(2):
        game = make(KIT, scenario="lab")
        game.connect_entities(at(-20, -12), at(7, 13), at(-8, 3), {BELT, Prototype.UndergroundBelt})
        digests.add(game.instance.digest())
    assert len(digests) == 1


# -- walls ------------------------------------------------------------------------------------------------------


@case("connect_entities", "walls: one on each tile")
def test_a_wall(land):
    wall = land.connect_entities(at(0, 0), at(5, 0), connection_type=WALL)
    assert isinstance(wall, WallGroup)
    assert [(w.position.x, w.position.y) for w in wall.entities] == [(x + 0.5, 0.5) for x in range(6)]
    assert land.have("stone-wall") == 94


@case("connect_entities", "walls that stand are part of the way")
def test_a_wall_that_goes_on(land):
    land.connect_entities(at(0, 0), at(5, 0), WALL)
    wall = land.connect_entities(at(3, 0), at(8, 0), WALL)
    assert len(wall.entities) == 9
    assert land.have("stone-wall") == 91
    again = land.connect_entities(at(0, 0), at(8, 0), WALL)
    assert (len(again.entities), land.have("stone-wall")) == (9, 91)
    longer = land.connect_entities(wall, at(12, 0), WALL)
    assert len(longer.entities) == 13


def test_a_wall_goes_round_and_up_to_buildings(land):
    land.world.place("stone-furnace", (4, 0))
    furnace = land.get_entity(Prototype.StoneFurnace, at(4, 0))
    wall = land.connect_entities(at(0, 0), furnace, WALL)
    assert [(w.position.x, w.position.y) for w in wall.entities] == [(0.5, 0.5), (1.5, 0.5), (2.5, 0.5)]
    round_it = land.connect_entities(at(0, -1), at(8, -1), WALL)
    assert len(round_it.entities) == 3 + 9 + 2


@case("connect_entities", "a wall that cannot be is refused")
def test_no_way_for_a_wall(land):
    land.world.water((10, -3, 20, 4))
    land.world.map.set_tile(15, 0, land.world.map.tile(50, 50))
    assert "no way is free" in land.refusal("connect_entities", at(0, 0), at(15, 0), WALL)


def test_too_few_walls(make):
    game = make({"stone-wall": 2}, scenario="empty")
    message = game.refusal("connect_entities", at(0, 0), at(5, 0), WALL)
    assert "required 6" in message and "available 2" in message


# -- get_connection_amount ----------------------------------------------------------------------------------------


@case("get_connection_amount", "the pieces a connection would take; nothing is laid, no time")
def test_get_connection_amount(land):
    before = land.instance.digest()
    assert land.get_connection_amount(at(0, 0), at(5, 3), connection_type=BELT) == 5 + 3 + 1
    assert land.instance.digest() == before


@case("get_connection_amount", "pipes by default")
def test_pipes_by_default(land):
    land.world.place("boiler", (0.5, 0))
    boiler = land.get_entity(Prototype.Boiler, at(0.5, 0))
    # from the water point at (2, 0) to (10, 0)
    assert land.get_connection_amount(boiler, at(10, 0)) == 9


@case("get_connection_amount", "nothing more is needed where things are connected")
def test_nothing_is_needed(land):
    line = land.connect_entities(at(0, 0), at(5, 0), PIPE)
    assert land.get_connection_amount(line, at(5, 0)) == 0


@case("get_connection_amount", "a connection that cannot be is refused as it would be")
def test_a_refused_amount(land):
    land.bad("ValueError", "get_connection_amount", at(0, 0), at(5, 0), Prototype.Gate)
    land.world.place("wooden-chest", (9.5, 0.5))
    assert "inserter" in land.refusal("get_connection_amount", at(0, 0), at(9.5, 0.5), BELT)
