"""Belts laid by connect_entities: what is laid, and that items really get there."""

from __future__ import annotations

import pytest

from fle_ray.game.values import BeltGroup, Direction, Position, Prototype, UndergroundBelt
from fle_ray.tools.describe import describe
from tests.tools.cases import case

BELT = Prototype.TransportBelt
UNDER = Prototype.UndergroundBelt
NORTH, EAST, SOUTH, WEST = 0, 4, 8, 12
KIT = {
    "transport-belt": 200,
    "fast-transport-belt": 50,
    "underground-belt": 20,
    "fast-underground-belt": 10,
    "express-transport-belt": 50,
    "express-underground-belt": 4,
}


def at(x, y):
    return Position(x=x, y=y)


@pytest.fixture
def land(make):
    """Endless flat land and plenty of belts; the agent stands out of the way."""
    game = make(KIT, scenario="empty")
    game.stand(-100, -100)
    return game


def value(game, name, x, y, direction=NORTH, **options):
    """Build something as a script does and return it as agents see it."""
    return describe(game.world.place(name, (x, y), direction, **options))


def arrives(game, start, end, ticks=1000):
    """Whether an item laid on one belt comes to rest on another."""
    assert game.at(*start).place("iron-plate", 1, 100)
    game.world.advance(ticks)
    return ("iron-plate", 0) in game.at(*end).lanes()[0] + game.at(*end).lanes()[1]


@case("connect_entities", "a straight belt line over d tiles has d + 1 pieces, all facing along it")
def test_a_straight_line(land):
    group = land.connect_entities(at(0, 0), at(5, 0), BELT)
    assert isinstance(group, BeltGroup)
    assert [(b.position.x, b.position.y, b.direction) for b in group.belts] == [
        (x + 0.5, 0.5, Direction.RIGHT) for x in range(6)
    ]
    assert [b.position.x for b in group.inputs] == [0.5]
    assert [b.position.x for b in group.outputs] == [5.5]
    assert land.have("transport-belt") == 200 - 6


def test_items_arrive_at_the_end_of_a_line(land):
    land.connect_entities(at(0, 0), at(5, 0), BELT)
    # from 100/256 before the end of the first tile: 5 * 256 + 100 = 1380 steps of 8, so 173 ticks
    assert not arrives(land, (0.5, 0.5), (5.5, 0.5), ticks=170)
    land.world.advance(5)
    assert ("iron-plate", 0) in land.at(5.5, 0.5).lanes()[0]


@case("connect_entities", "several waypoints: each pair goes on where the one before ended")
@pytest.mark.parametrize(
    ("points", "pieces"),
    [
        ([(0, 0), (5, 0), (5, 5)], 6 + 5),
        ([(0, 0), (0, 5), (5, 5), (5, 0)], 6 + 5 + 5),
        ([(0, 0), (5, 0), (5, 5), (10, 5), (10, 10)], 6 + 3 * 5),
        ([(0, 0), (8, 0), (8, 5), (0, 5), (0, 10), (8, 10)], 9 + 5 + 8 + 5 + 8),
        ([(0, 0), (2, 0), (2, 2)], 3 + 2),
        ([(0, 0), (5, 0), (10, 0)], 11),
        ([(0, 0), (25, 0), (25, 25)], 26 + 25),
    ],
)
def test_waypoints(land, points, pieces):
    group = land.connect_entities(*(at(*p) for p in points), BELT)
    assert len(group.belts) == pieces == 200 - land.have("transport-belt")
    assert len(group.inputs) == len(group.outputs) == 1
    (x0, y0), (x1, y1) = points[0], points[-1]
    assert arrives(land, (x0 + 0.5, y0 + 0.5), (x1 + 0.5, y1 + 0.5), ticks=3000)


@case("connect_entities", "a drill to an inserter: from where it drops to where it picks up; ore arrives")
def test_a_drill_to_an_inserter(make):
    game = make({**KIT, "coal": 50}, scenario="empty")
    game.world.ore("iron-ore", (0, 0, 2, 2))
    drill = value(game, "burner-mining-drill", 1, 1, EAST)  # drops on the tile right of it, in its upper row
    chest = game.world.place("wooden-chest", (12.5, 8.5))
    inserter = value(game, "burner-inserter", 11.5, 8.5, WEST)  # takes from the left, drops into the chest
    game.insert_item(Prototype.Coal, drill, 5)
    game.insert_item(Prototype.Coal, inserter, 2)
    group = game.connect_entities(drill, inserter, BELT)
    assert (group.inputs[0].position.x, group.inputs[0].position.y) == (2.5, 0.5)
    assert (group.outputs[0].position.x, group.outputs[0].position.y) == (10.5, 8.5)
    assert len(group.belts) == 8 + 8 + 1
    game.world.advance(60 * 40)
    assert chest.contents()["inventory"]["iron-ore"] > 0


@case("connect_entities", "an inserter as source: where it drops")
def test_an_inserter_as_source(land):
    inserter = value(land, "burner-inserter", 0.5, 40.5, SOUTH)  # drops to the north
    group = land.connect_entities(inserter, at(5, 40), at(5, 45), BELT)
    # from (0, 39) to (5, 40): 5 + 1 + 1 tiles; five more to (5, 45)
    assert len(group.belts) == 12
    assert group.inputs[0].position.y == 39.5


@case("connect_entities", "two inserters whose spots are one tile: a single belt")
def test_one_tile(land):
    giver = value(land, "burner-inserter", 0.5, 0.5, WEST)  # drops on (1, 0)
    taker = value(land, "burner-inserter", 2.5, 0.5, WEST)  # takes from (1, 0)
    group = land.connect_entities(giver, taker, BELT)
    assert [(b.position.x, b.direction) for b in group.belts] == [(1.5, Direction.RIGHT)]


@case("connect_entities", "a belt as target: joined from behind or from the side", mends="Q-T19")
def test_a_belt_as_target(land):
    main = land.connect_entities(at(0, 0), at(10, 0), BELT)
    middle = main.belts[5]
    group = land.connect_entities(at(5, 5), middle, BELT)
    assert len(group.inputs) == 2
    assert len(group.outputs) == 1
    assert len(group.belts) == 11 + 5
    assert arrives(land, (5.5, 5.5), (10.5, 0.5))
    third = land.connect_entities(at(5, -5), middle.position, BELT)
    assert (len(third.inputs), len(third.outputs)) == (3, 1)


def test_a_belt_is_never_joined_head_on(land):
    main = land.connect_entities(at(0, 0), at(5, 0), BELT)
    land.connect_entities(at(10, 0), main.outputs[0], BELT)
    assert arrives(land, (10.5, 0.5), (5.5, 0.5))


@case("connect_entities", "a group goes on from its end, whose last belt is turned")
def test_a_group_goes_on(land):
    first = land.connect_entities(at(0, 50), at(5, 50), BELT)
    group = land.connect_entities(first, at(5, 55), at(10, 55), BELT)
    assert len(group.belts) == 6 + 5 + 5
    assert land.have("transport-belt") == 200 - 16
    assert land.at(5.5, 50.5).direction == SOUTH
    assert arrives(land, (0.5, 50.5), (10.5, 55.5))


@case("connect_entities", "a group whose end is beside another's beginning: the last belt is turned, nothing laid")
def test_neighbouring_groups(land):
    above = land.connect_entities(at(0, 0), at(3, 0), BELT)
    below = land.connect_entities(at(3, 1), at(3, 5), BELT)
    before = land.have("transport-belt")
    group = land.connect_entities(above, below, BELT)
    assert land.have("transport-belt") == before
    assert len(group.belts) == 4 + 5
    assert arrives(land, (0.5, 0.5), (3.5, 5.5))


@case("connect_entities", "a group to itself becomes a loop, without inputs and outputs")
def test_a_loop(land):
    line = land.connect_entities(at(0, 0), at(5, 0), BELT)
    group = land.connect_entities(line, line, BELT)
    # back along the row above or below: six belts and the belt beside the first tile leads into it
    assert len(group.belts) == 12
    assert (group.inputs, group.outputs) == ([], [])


def test_waypoints_that_come_back_close_a_loop(land):
    group = land.connect_entities(at(0, 0), at(5, 0), at(5, 5), at(0, 5), at(0, 0), BELT)
    assert len(group.belts) == 20
    assert (group.inputs, group.outputs) == ([], [])


@case("connect_entities", "a loop has no end to go on from, but can be joined", mends="Q-T19")
def test_a_loop_at_the_ends(land):
    loop = land.connect_entities(at(0, 0), at(5, 0), at(5, 5), at(0, 5), at(0, 0), BELT)
    assert "circle" in land.refusal("connect_entities", loop, at(20, 20), BELT)
    joined = land.connect_entities(at(10, 2), loop, BELT)
    assert len(joined.inputs) == 1
    assert land.at(0.5, 0.5).place("coal", 1, 100)
    again = land.connect_entities(loop, loop, BELT)
    assert len(again.belts) == len(joined.belts)


@case("connect_entities", "connected already: nothing is laid, the group comes back, no time passes")
def test_connected_already(land):
    giver = value(land, "burner-inserter", 0.5, 0.5, WEST)
    taker = value(land, "burner-inserter", 10.5, 4.5, WEST)
    first = land.connect_entities(giver, taker, BELT)
    tick, left = land.tick, land.have("transport-belt")
    again = land.connect_entities(giver, taker, BELT)
    assert (land.tick, land.have("transport-belt")) == (tick, left)
    assert len(again.belts) == len(first.belts)
    other = land.connect_entities(at(0, 20), at(3, 20), BELT)
    both = land.connect_entities(first, other, BELT)
    left = land.have("transport-belt")
    assert len(land.connect_entities(first, other, BELT).belts) == len(both.belts)  # the values are stale by now
    assert land.have("transport-belt") == left


@case("connect_entities", "items that are on a line already go on from where it ends")
def test_a_belt_in_the_middle_of_a_line(land):
    line = land.connect_entities(at(0, 0), at(5, 0), BELT)
    land.connect_entities(line.belts[2], at(5, 4), BELT)
    assert land.at(2.5, 0.5).direction == EAST
    assert arrives(land, (0.5, 0.5), (5.5, 4.5))


@case("connect_entities", "machines as ends of a belt: refused, naming the inserter that does it")
def test_machines_need_inserters(land):
    furnace = value(land, "stone-furnace", 10, 0)
    message = land.refusal("connect_entities", furnace, at(20, 0), BELT)
    assert "stone-furnace" in message and "inserter" in message and "place_entity_next_to" in message
    land.world.place("burner-inserter", (11.5, 0.5), WEST)
    message = land.refusal("connect_entities", furnace, at(20, 0), BELT)
    assert "use the burner-inserter at (11.5, 0.5)" in message
    assert "as the target" in land.refusal("connect_entities", at(20, 0), furnace, BELT)


@pytest.mark.parametrize(
    "machine",
    ["assembling-machine-1", "lab", "wooden-chest", "accumulator", "electric-furnace", "gun-turret", "rocket-silo"],
)
def test_no_belt_starts_or_ends_at(land, machine):
    thing = value(land, machine, 20, 20)
    assert "inserter" in land.refusal("connect_entities", thing, at(0, 0), BELT)
    assert "inserter" in land.refusal("connect_entities", at(0, 0), thing, BELT)


@pytest.mark.parametrize("machine", ["boiler", "steam-engine"])
def test_no_belt_ends_at(land, machine):
    assert "inserter" in land.refusal("connect_entities", at(0, 0), value(land, machine, 20, 20), BELT)


@case("connect_entities", "a spot covered by something else is refused, and named")
def test_an_occupied_spot(land):
    inserter = value(land, "burner-inserter", 5.5, 5.5, NORTH)  # takes from the north
    land.world.place("wooden-chest", (5.5, 4.5))
    message = land.refusal("connect_entities", at(0, 0), inserter, BELT)
    assert "occupied" in message and "wooden-chest at (5.5, 4.5)" in message


def test_a_place_under_a_furnace_is_refused(land):
    land.world.place("stone-furnace", (2, 0))
    assert "inserter" in land.refusal("connect_entities", at(-5, 0), at(2, 0), BELT)


@case("connect_entities", "a place on a tree or in water: the nearest free tile")
def test_a_place_on_a_tree(land):
    land.grow("tree-01", 5.5, 0.5)
    group = land.connect_entities(at(0, 0), at(5, 0), BELT)
    assert len(group.outputs) == 1
    assert abs(group.outputs[0].position.x - 5.5) + abs(group.outputs[0].position.y - 0.5) == 1


@case("connect_entities", "belts go round what stands in the way")
def test_round_an_obstacle(land):
    land.world.place("stone-furnace", (4, 0))  # on the tiles 3..4 x -1..0
    group = land.connect_entities(at(0, 0), at(8, 0), BELT)
    assert len(group.belts) == 9 + 2  # one row down (or up) and back
    assert arrives(land, (0.5, 0.5), (8.5, 0.5))


def walled(game, x, y):
    """Chests all round a tile."""
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if dx or dy:
                game.world.place("wooden-chest", (x + dx + 0.5, y + dy + 0.5))


@case("connect_entities", "a goal that cannot be reached is refused", mends="Q-T20")
def test_a_walled_in_goal(land):
    land.connect_entities(at(20, 20), at(21, 20), BELT)  # a group near by, which is not what was asked for
    walled(land, 20, 10)
    message = land.refusal("connect_entities", at(0, 10), at(20, 10), BELT)
    assert "no way is free" in message and "underground" in message


@case("connect_entities", "undergrounds: straight stretches are cut, one belt stays at each end")
def test_stretches_are_cut(land):
    group = land.connect_entities(at(0, 0), at(7, 0), {BELT, UNDER})
    # eight tiles: a belt, a pair over 1..6 (distance 5), a belt
    assert land.have("underground-belt") == 20 - 2
    assert land.have("transport-belt") == 200 - 2
    pairs = [b for b in group.belts if isinstance(b, UndergroundBelt)]
    assert [(p.position.x, p.output_position.x) for p in pairs] == [(1.5, 7.5)]
    assert len(group.belts) == 3
    assert arrives(land, (0.5, 0.5), (7.5, 0.5))


def test_short_stretches_stay_above_ground(land):
    land.connect_entities(at(0, 0), at(3, 0), {BELT, UNDER})  # three steps
    assert land.have("underground-belt") == 20
    land.connect_entities(at(0, 10), at(4, 10), {BELT, UNDER})  # four steps: belt, pair over 1..3, belt
    assert (land.have("underground-belt"), land.have("transport-belt")) == (18, 200 - 4 - 2)


@case("connect_entities", "undergrounds: no more pairs than half of those in the inventory")
def test_pairs_are_limited_by_the_inventory(make):
    game = make({"transport-belt": 100, "underground-belt": 3}, scenario="empty")
    game.connect_entities(at(0, 0), at(20, 0), at(20, 20), {BELT, UNDER})
    assert game.have("underground-belt") == 1


def channel(game, left, right):
    """A strip of land along row 0 from x = 0 to 14, with water from `left` up to `right` and all round it."""
    ground = game.world.map.tile(0, 0)
    game.world.water((-12, -12, 27, 13))
    for x in [*range(left), *range(right, 15)]:
        game.world.map.set_tile(x, 0, ground)


@case("connect_entities", "undergrounds: each tier reaches as far as the game says", mends="Q-T19")
@pytest.mark.parametrize(
    ("belt", "under", "reach"),
    [
        (BELT, UNDER, 5),
        (Prototype.FastTransportBelt, Prototype.FastUndergroundBelt, 7),
        (Prototype.ExpressTransportBelt, Prototype.ExpressUndergroundBelt, 9),
    ],
)
def test_ranges(land, belt, under, reach):
    channel(land, 2, 1 + reach)  # entrance on 1, exit on 1 + reach
    group = land.connect_entities(at(0, 0), at(2 + reach, 0), {belt, under})
    assert [b.position.x for b in group.belts if isinstance(b, UndergroundBelt)] == [1.5]
    assert arrives(land, (0.5, 0.5), (2.5 + reach, 0.5))


def test_no_tunnel_is_longer_than_its_tier_allows(land):
    channel(land, 2, 7)  # entrance on 1, exit on 7: six tiles
    assert "no way is free" in land.refusal("connect_entities", at(0, 0), at(8, 0), {BELT, UNDER})
    land.connect_entities(at(0, 0), at(8, 0), {Prototype.FastTransportBelt, Prototype.FastUndergroundBelt})


@case("connect_entities", "undergrounds alone: pair after pair, surface belts only at corners", mends="Q-T19")
def test_undergrounds_alone(land):
    group = land.connect_entities(at(0, 0), at(5, 0), UNDER)
    assert (land.have("underground-belt"), land.have("transport-belt")) == (18, 200)
    assert len(group.belts) == 1
    assert arrives(land, (0.5, 0.5), (5.5, 0.5))
    land.connect_entities(at(0, 10), at(11, 10), UNDER)  # twelve tiles: two pairs of six
    assert (land.have("underground-belt"), land.have("transport-belt")) == (14, 200)
    assert arrives(land, (0.5, 10.5), (11.5, 10.5))
    land.connect_entities(at(0, 20), at(6, 26), UNDER)
    assert land.have("transport-belt") < 200
    assert arrives(land, (0.5, 20.5), (6.5, 26.5))


@case("connect_entities", "undergrounds pass below a line without touching it")
def test_below_another_line(land):
    land.connect_entities(at(5, -20), at(5, 20), BELT)
    group = land.connect_entities(at(0, 0), at(10, 0), {BELT, UNDER})
    assert len(group.inputs) == len(group.outputs) == 1
    assert arrives(land, (0.5, 0.5), (10.5, 0.5))


def test_a_pair_that_stands_is_not_torn_apart(land):
    land.world.place("underground-belt", (2.5, 0.5), EAST, type="input")
    land.world.place("underground-belt", (7.5, 0.5), EAST, type="output")
    land.world.water((4, -1, 6, 0))
    land.connect_entities(at(3, -3), at(3, 3), {BELT, UNDER})
    assert land.at(2.5, 0.5).neighbour is land.at(7.5, 0.5)


@case("connect_entities", "too few pieces: what is required and available; nothing is laid")
def test_too_few(make):
    game = make({"transport-belt": 3}, scenario="empty")
    message = game.refusal("connect_entities", at(0, 0), at(9, 0), BELT)
    assert "required 10" in message and "available 3" in message and "7 more transport-belt" in message
    assert game.have("transport-belt") == 3


@case("connect_entities", "the count is that of all types given", mends="Q-T19")
def test_types_are_counted_together(make):
    game = make({"transport-belt": 6, "fast-transport-belt": 6}, scenario="empty")
    group = game.connect_entities(at(0, 0), at(9, 0), {BELT, Prototype.FastTransportBelt})
    assert len(group.belts) == 10
    assert (game.have("transport-belt"), game.have("fast-transport-belt")) == (0, 2)
    game = make({"transport-belt": 2, "fast-transport-belt": 20}, scenario="empty")
    game.connect_entities(at(0, 0), at(9, 0), {BELT, Prototype.FastTransportBelt})
    assert (game.have("transport-belt"), game.have("fast-transport-belt")) == (2, 10)


@case("connect_entities", "splitters: from a free output, into an input", mends="Q-T19")
def test_splitters(land):
    land.world.place("splitter", (5, 5.5), NORTH)  # halves on (4, 5) and (5, 5), items go up
    splitter = land.get_entity(Prototype.Splitter, at(5, 5.5))
    out = land.connect_entities(splitter, at(0, 0), BELT)
    assert out.inputs[0].position.y == 4.5
    land.connect_entities(at(10, 12), splitter, BELT)
    assert arrives(land, (10.5, 12.5), (0.5, 0.5), ticks=2000)


@case("connect_entities", "the spot before another line's end is left free where there is a way round")
def test_other_lines_do_not_run_in(land):
    land.connect_entities(at(5, -5), at(5, -1), BELT)  # would run into a belt on (5, 0)
    group = land.connect_entities(at(0, 0), at(10, 0), BELT)
    assert (len(group.inputs), len(group.belts)) == (1, 11 + 2)


def test_what_is_gone_is_said_to_be(land):
    inserter = value(land, "burner-inserter", 5.5, 5.5)
    land.pickup_entity(inserter)
    assert "any more" in land.refusal("connect_entities", inserter, at(0, 0), BELT)
    line = land.connect_entities(at(0, 0), at(3, 0), BELT)
    land.pickup_entity(line)
    assert "any more" in land.refusal("connect_entities", line, at(0, 9), BELT)
