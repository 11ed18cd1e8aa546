"""Belts, underground belts and splitters: shapes, what leads where, what happens to items when belts change."""

from __future__ import annotations

import pytest

from fle_ray.errors import CannotSet
from fle_ray.sim import World

MINUTE = 3600


@pytest.fixture
def world():
    return World()


def count(belts) -> int:
    return sum(len(lane) for belt in belts for lane in belt.lanes())


# -- turns and feeds from the side --------------------


def test_a_belt_fed_from_one_side_alone_is_a_turn_with_lanes_of_295_and_106(world):
    feed = world.build("transport-belt", (0.5, 0.5), 4)
    turn = world.build("transport-belt", (1.5, 0.5), 8)
    assert turn.parts[0].lengths == (295, 106)  # a right turn: the left lane is the outer one
    world.build("transport-belt", (1.5, -0.5), 8)
    assert turn.parts[0].lengths == (256, 256)  # fed from behind as well: straight, the feed joins its side
    assert feed.place("iron-plate", 1, 100)
    world.advance(120)
    assert turn.lanes() == ([], [("iron-plate", 0)])  # from the west side of a belt running south: its right lane


def test_items_of_a_tile_that_becomes_a_turn_keep_their_lane_and_share_of_its_length(world):
    belt = world.build("transport-belt", (1.5, 0.5), 8)
    belt.place("iron-plate", 1, 136)
    belt.place("iron-plate", 2, 136)
    assert belt.lanes() == ([("iron-plate", 128)], [("iron-plate", 128)])
    world.build("transport-belt", (0.5, 0.5), 4)
    # floor(128 * 294 / 256) and floor(128 * 105 / 256)
    assert belt.lanes() == ([("iron-plate", 147)], [("iron-plate", 52)])


def test_both_lanes_of_a_feed_join_the_lane_on_its_side(world):
    belts = world.belt([(0.5, 0.5), (5.5, 0.5)])
    world.belt([(3.5, 4.5), (3.5, 1.5)])
    for lane in (1, 2):
        world.source("coal", (3.5, 4.5), lane)
    world.advance(1000)
    assert not any(belt.lanes()[0] for belt in belts)
    assert count(belts[3:]) > 8


def test_a_circle_of_belts_keeps_its_items_for_ever(world):
    belts = [
        world.build("transport-belt", where, direction)
        for where, direction in [((0.5, 0.5), 4), ((1.5, 0.5), 8), ((1.5, 1.5), 12), ((0.5, 1.5), 0)]
    ]
    for belt in belts:
        assert belt.place("iron-plate", 1, 100)
    seen = set()
    for _ in range(400):
        world.advance(1)
        assert count(belts) == 4
        seen.add(tuple(len(belt.lanes()[0]) for belt in belts))
    assert len(seen) > 4  # they move


def test_belts_of_two_speeds_pass_what_the_slower_one_passes(world):
    world.belt([(0.5, 0.5), (4.5, 0.5)], "fast-transport-belt")
    world.belt([(5.5, 0.5), (9.5, 0.5)], "transport-belt")
    for lane in (1, 2):
        world.source("iron-plate", (0.5, 0.5), lane)
    sink = world.sink((9.5, 0.5))
    world.advance(MINUTE)
    before = sink.count
    world.advance(MINUTE)
    assert sink.count - before == pytest.approx(900, abs=2)


# -- taking belts away --------------------


def test_mining_a_belt_gives_back_its_items_and_itself_and_the_others_go_on(world):
    belts = world.belt([(0.5, 0.5), (4.5, 0.5)])
    for lane in (1, 2):
        world.source("iron-plate", (0.5, 0.5), lane)
    world.advance(600)
    assert count(belts) == 40
    assert world.mine(belts[2]) == {"iron-plate": 8, "transport-belt": 1}
    assert count(belts[:2] + belts[3:]) == 32
    rest = world.build("transport-belt", (2.5, 0.5), 4)
    world.advance(600)
    assert count([rest]) == 8


def test_a_turned_belt_stops_the_line_and_turned_back_lets_it_go_on(world):
    belts = world.belt([(0.5, 0.5), (4.5, 0.5)])
    sink = world.sink((4.5, 0.5))
    world.source("iron-plate", (0.5, 0.5), 1)
    world.advance(600)
    world.rotate(belts[2], 12)
    world.advance(100)
    before = sink.count
    world.advance(300)
    assert sink.count == before
    world.rotate(belts[2], 4)
    world.advance(300)
    assert sink.count > before


def test_a_belt_built_over_items_on_the_ground_takes_them_up(world):
    world.drop_on_ground("iron-plate", (0.5, 0.3))
    belt = world.build("transport-belt", (0.5, 0.5), 4)
    assert belt.lanes()[0] == [("iron-plate", 120)]
    assert world.piles_on((0, 0)) == []


# -- underground belts --------------------


def tunnel(world, distance=4, name="underground-belt"):
    return world.build(name, (0.5, 0.5), 4), world.build(name, (0.5 + distance, 0.5), 4)


def test_the_second_end_built_in_line_becomes_the_exit(world):
    entrance, exit_ = tunnel(world)
    assert entrance.is_input and not exit_.is_input
    assert entrance.neighbor is exit_ and exit_.neighbour is entrance


def test_an_item_takes_32_ticks_a_tile_through_a_tunnel(world):
    entrance, exit_ = tunnel(world)
    assert entrance.place("iron-plate", 1, 256)  # reads 248 at once: 31 ticks to the end of the tile
    world.advance(31 + 3 * 32 + 32)
    assert exit_.lanes()[0] == [("iron-plate", 0)]


def test_what_crosses_a_tunnel_does_not_touch_what_runs_over_it(world):
    entrance, exit_ = tunnel(world)
    over = world.belt([(2.5, -2.5), (2.5, 3.5)])
    over[0].place("coal", 1, 100)
    entrance.place("iron-plate", 1, 100)
    world.advance(400)
    assert exit_.lanes()[0] == [("iron-plate", 0)]
    assert over[-1].lanes()[0] == [("coal", 0)]


@pytest.mark.parametrize(("end", "joins"), [(0.5, "far"), (4.5, "near")])
def test_a_feed_from_the_side_reaches_only_the_half_of_an_end_that_is_belt(world, end, joins):
    ends = tunnel(world)
    feed = world.build("transport-belt", (end, 1.5), 0)
    feed.place("iron-plate", 1, 100)  # the lane upstream of the two
    feed.place("copper-plate", 2, 100)
    world.advance(400)
    got = {item for e in ends for lane in e.lanes() for item, _ in lane}
    assert got == ({"iron-plate"} if joins == "far" else {"copper-plate"})


def test_an_entrance_told_to_be_an_exit_lets_go_of_its_partner(world):
    entrance, exit_ = tunnel(world)
    entrance.set(type="output")
    assert exit_.neighbor is None
    with pytest.raises(CannotSet):
        entrance.set(type="both")


def test_ends_of_two_kinds_do_not_join(world):
    entrance = world.build("underground-belt", (0.5, 0.5), 4)
    world.build("fast-underground-belt", (2.5, 0.5), 4, type="output")
    exit_ = world.build("underground-belt", (4.5, 0.5), 4)
    assert entrance.neighbor is exit_


# -- splitters --------------------


def split(world, ways_in=(0, 1), ways_out=(0, 1), items=("iron-plate", "copper-plate"), **settings):
    """A splitter facing east, belts in from the west and out to sinks in the east; row 0 is left, row 1 right."""
    splitter = world.build("splitter", (5.5, 1.0), 4)
    if settings:
        splitter.set(**settings)
    for row in ways_in:
        world.belt([(0.5, row + 0.5), (4.5, row + 0.5)])
        for lane in (1, 2):
            world.source(items[row], (0.5, row + 0.5), lane)
    sinks = []
    for row in ways_out:
        world.belt([(6.5, row + 0.5), (9.5, row + 0.5)])
        sinks.append(world.sink((9.5, row + 0.5)))
    return splitter, sinks


def taken_in_a_minute(world, sinks) -> list[dict[str, int]]:
    world.advance(MINUTE)
    before = [dict(sink.taken) for sink in sinks]
    world.advance(MINUTE)
    return [
        {item: n - b.get(item, 0) for item, n in sink.taken.items() if n != b.get(item, 0)}
        for sink, b in zip(sinks, before, strict=True)
    ]


def test_two_full_belts_pass_a_splitter_whole(world):
    _, sinks = split(world)
    for taken in taken_in_a_minute(world, sinks):
        assert sum(taken.values()) == pytest.approx(900, abs=2)


def test_two_full_belts_into_one_take_turns(world):
    _, sinks = split(world, ways_out=(0,))
    (taken,) = taken_in_a_minute(world, sinks)
    assert taken["iron-plate"] == pytest.approx(450, abs=2)
    assert taken["copper-plate"] == pytest.approx(450, abs=2)


def test_an_output_priority_sends_everything_to_that_side_while_it_has_room(world):
    _, sinks = split(world, ways_in=(0,), output_priority="right")
    left, right = taken_in_a_minute(world, sinks)
    assert left == {}
    assert right["iron-plate"] == pytest.approx(900, abs=2)


def test_an_input_priority_lets_only_that_side_in_while_it_is_full(world):
    _, sinks = split(world, ways_out=(0,), input_priority="right")
    (taken,) = taken_in_a_minute(world, sinks)
    assert taken == {"copper-plate": pytest.approx(900, abs=2)}


def test_a_filter_sends_its_item_to_the_priority_side_and_the_rest_to_the_other(world):
    _, sinks = split(world, output_priority="right", filter="iron-plate")
    left, right = taken_in_a_minute(world, sinks)
    assert set(left) == {"copper-plate"}
    assert set(right) == {"iron-plate"}


def test_lanes_never_mix_in_a_splitter(world):
    splitter = world.build("splitter", (5.5, 1.0), 4)
    belts_in = world.belt([(0.5, 0.5), (4.5, 0.5)])
    out = world.belt([(6.5, 0.5), (9.5, 0.5)]) + world.belt([(6.5, 1.5), (9.5, 1.5)])
    for _ in range(8):
        belts_in[0].place("iron-plate", 1, 256)
        world.advance(16)
    world.advance(600)
    assert count(out) + count([splitter]) == 8
    assert not any(belt.lanes()[1] for belt in out)


def test_a_splitter_refuses_a_side_that_is_none(world):
    splitter = world.build("splitter", (5.5, 1.0), 4)
    with pytest.raises(CannotSet):
        splitter.set(priority="middle")
    assert splitter.priorities == ("none", "none")


# -- state --------------------


def busy_world() -> World:
    """Splitters, tunnels, turns, feeds, a circle and two speeds, all moving."""
    world = World()
    split(world, output_priority="left")
    tunnel_end = world.build("underground-belt", (0.5, 5.5), 4), world.build("underground-belt", (4.5, 5.5), 4)
    assert tunnel_end[0].neighbor is tunnel_end[1]
    world.source("coal", (0.5, 5.5), 1)
    world.belt([(5.5, 5.5), (8.5, 5.5), (8.5, 8.5), (2.5, 8.5)])
    world.belt([(4.5, 12.5), (4.5, 9.5)], "fast-transport-belt")
    world.source("stone", (4.5, 12.5), 1)
    world.source("wood", (4.5, 12.5), 2)
    for where, direction in [((20.5, 0.5), 4), ((21.5, 0.5), 8), ((21.5, 1.5), 12), ((20.5, 1.5), 0)]:
        world.build("transport-belt", where, direction).place("iron-ore", 2, 50)
    return world


@pytest.mark.parametrize("cut", [0, 1, 7, 63, 150, 201, 333, 399])
def test_belts_restored_at_any_tick_go_on_as_if_never_stopped(cut):
    straight = busy_world()
    straight.advance(700)
    stopped = busy_world()
    stopped.advance(cut)
    restored = World.restore(stopped.snapshot())
    assert restored.digest() == stopped.digest()
    restored.advance(700 - cut)
    assert restored.digest() == straight.digest()


def test_looking_at_belts_changes_nothing():
    looked_at, alone = busy_world(), busy_world()
    for _ in range(300):
        looked_at.advance(1)
        for entity in looked_at.entities.values():
            entity.lanes()
    alone.advance(300)
    assert looked_at.digest() == alone.digest()
