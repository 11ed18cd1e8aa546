"""Conformance rows on belts and inserters (mechanics section 21).

Figures marked m were measured tick by tick on the game (2.0.60) by the public FactorioGym probes, r read in
factory-sim 0.3.0, p published by the wiki or readers, d derived from the prototypes.
"""

from __future__ import annotations

import pytest

from fle_ray.sim import World

MINUTE = 3600


@pytest.fixture
def world():
    return World(scenario="empty", seed=0)


def held(entity, inventory: str, item: str) -> int:
    return int(entity.contents().get(inventory, {}).get(item, 0))


def arrivals(world, entity, inventory, item, until):
    """Ticks in which one more of an item is seen in an inventory."""
    seen, ticks = held(entity, inventory, item), []
    while world.tick < until:
        world.advance(1)
        count = held(entity, inventory, item)
        ticks += [world.tick] * (count - seen)
        seen = count
    return ticks


def chest_to(world, target, *, inserter="burner-inserter", contents, fuel=5, chest="wooden-chest"):
    """A chest to the north, an inserter at (0.5, 0.5), `target` to the south."""
    source = world.build(chest, (0.5, -0.5))
    arm = world.build(inserter, (0.5, 0.5), 0)
    goal = world.build(target, (0.5, 1.5))
    for item, count in contents.items():
        source.put(item, count)
    if fuel and inserter == "burner-inserter":
        arm.put("coal", fuel)
    return source, arm, goal


def powered(world, left, right, y):
    """Endless poles along a row."""
    for x in range(left, right + 1, 5):
        world.power((x + 0.5, y + 0.5))


# -- belts ---------------------------------------------------------------------------------------------------


def test_s03_a_yellow_belt_carries_a_character_160_of_256_tiles_in_20_ticks(world):
    world.belt([(0.5, 0.5), (9.5, 0.5)])
    character = world.character(0)
    character.teleport((2.5, 0.5))
    world.advance(20)
    assert character.position == (2.5 + 160 / 256, 0.5)


def test_s28_a_plate_takes_32_ticks_a_belt(world):
    belts = world.belt([(0.5, 0.5), (9.5, 0.5)])
    assert belts[0].place("iron-plate", 1, 256)
    assert belts[0].lanes()[0] == [("iron-plate", 248)]
    world.advance(318)
    assert belts[9].lanes()[0] != [("iron-plate", 0)]
    world.advance(1)
    assert belts[9].lanes()[0] == [("iron-plate", 0)]
    world.advance(100)
    assert belts[9].lanes()[0] == [("iron-plate", 0)]


def test_s29_ten_closed_belts_hold_80_items_64_apart(world):
    belts = world.belt([(0.5, 0.5), (9.5, 0.5)])
    for lane in (1, 2):
        world.source("iron-plate", (0.5, 0.5), lane)
    world.advance(2000)
    lanes = [lane for belt in belts for lane in belt.lanes()]
    assert sum(map(len, lanes)) == 80
    assert all([position for _, position in lane] == [0, 64, 128, 192] for lane in lanes)


def test_s30_a_dead_end_takes_three_items_from_a_drill(world):
    world.ore("iron-ore", (-5, -5, 5, 5))
    drill = world.build("burner-mining-drill", (0, 0), 8)
    drill.put("coal", 5)
    belt = world.build("transport-belt", (0.5, 1.5), 4)
    ticks, seen, waiting_since = [], 0, None
    while world.tick < 1200:
        world.advance(1)
        count = sum(map(len, belt.lanes()))
        ticks += [world.tick] * (count - seen)
        seen = count
        if drill.status == "waiting_for_space_in_destination" and waiting_since is None:
            waiting_since = world.tick
    assert ticks == [243, 483, 723]
    assert waiting_since == 963
    assert drill.status == "waiting_for_space_in_destination"


def test_s31_a_full_yellow_belt_passes_900_items_a_minute(world):
    world.belt([(0.5, 0.5), (9.5, 0.5)])
    world.source("iron-plate", (0.5, 0.5), 1)
    world.source("copper-plate", (0.5, 0.5), 2)
    sink = world.sink((9.5, 0.5))
    world.advance(MINUTE)
    before = dict(sink.taken)
    world.advance(MINUTE)
    assert sink.taken["iron-plate"] - before["iron-plate"] == pytest.approx(450, abs=1)
    assert sink.taken["copper-plate"] - before["copper-plate"] == pytest.approx(450, abs=1)


@pytest.mark.parametrize(("name", "items"), [("fast-transport-belt", 1800), ("express-transport-belt", 2700)])
def test_faster_belts_pass_two_and_three_times_as_much(world, name, items):
    world.belt([(0.5, 0.5), (9.5, 0.5)], name)
    for lane in (1, 2):
        world.source("iron-plate", (0.5, 0.5), lane)
    sink = world.sink((9.5, 0.5))
    world.advance(MINUTE)
    before = sink.count
    world.advance(MINUTE)
    assert sink.count - before == pytest.approx(items, abs=2)


@pytest.mark.parametrize("phase", range(8))
@pytest.mark.parametrize(("feed_lane", "joins"), [(1, 180), (2, 59)])
def test_s32_a_feed_from_the_south_joins_lane_2(world, feed_lane, joins, phase):
    belt = world.build("transport-belt", (0.5, 0.5), 4)
    world.belt([(-3.5, 0.5), (-0.5, 0.5)])
    feed = world.build("transport-belt", (0.5, 1.5), 0)
    assert feed.place("iron-plate", feed_lane, 64 + 8 + phase)  # it reads 64 + phase at once
    for _ in range(200):
        if belt.lanes()[1]:
            break
        world.advance(1)
    assert belt.lanes() == ([], [("iron-plate", joins + phase)])
    assert feed.lanes() == ([], [])


def test_s33_a_splitter_shares_a_full_belt_equally(world):
    world.belt([(0.5, 0.5), (4.5, 0.5)])
    world.build("splitter", (5.5, 1.0), 4)
    world.belt([(6.5, 0.5), (9.5, 0.5)])
    world.belt([(6.5, 1.5), (9.5, 1.5)])
    for lane in (1, 2):
        world.source("iron-plate", (0.5, 0.5), lane)
    sinks = [world.sink((9.5, 0.5)), world.sink((9.5, 1.5))]
    world.advance(MINUTE)
    before = [sink.count for sink in sinks]
    world.advance(MINUTE)
    assert [sink.count - b for sink, b in zip(sinks, before, strict=True)] == [
        pytest.approx(450, abs=2),
        pytest.approx(450, abs=2),
    ]


@pytest.mark.parametrize(("distance", "joined"), [(5, True), (6, False)])
def test_s34_yellow_underground_ends_join_over_five_tiles(world, distance, joined):
    entrance = world.build("underground-belt", (0.5, 0.5), 4)
    exit_ = world.build("underground-belt", (0.5 + distance, 0.5), 4, type="output")
    world.source("iron-plate", (0.5, 0.5), 1)
    sink = world.sink((0.5 + distance, 0.5))
    world.advance(MINUTE)
    assert (entrance.neighbor is exit_) is joined
    assert (sink.count > 0) is joined


def test_s11_30_electric_drills_fill_a_yellow_belt(world):
    world.ore("iron-ore", (-5, -10, 60, 15))
    world.belt([(0.5, 0.5), (50.5, 0.5)])
    sink = world.sink((50.5, 0.5))
    for k in range(15):
        world.build("electric-mining-drill", (1.5 + 3 * k, -1.5), 8)
        world.build("electric-mining-drill", (1.5 + 3 * k, 2.5), 0)
    powered(world, 0, 45, -4)
    powered(world, 0, 45, 4)
    world.advance(2 * MINUTE)
    before = sink.count
    world.advance(MINUTE)
    assert sink.count - before == pytest.approx(900, rel=0.01)


def furnace_row(world, furnaces, lanes):
    """A yellow belt, full on these lanes, past stone furnaces on both sides; returns what comes out at its end."""
    count = (furnaces + 1) // 2
    length = 2 * count + 1
    world.belt([(-2.5, 0.5), (length + 0.5, 0.5)])
    for lane in lanes:
        world.source("iron-ore", (-2.5, 0.5), lane)
    sink = world.sink((length + 0.5, 0.5))
    for k in range(furnaces):
        x = 1 + 2 * (k // 2)
        north = k % 2 == 0
        world.build("inserter", (x - 0.5, -0.5 if north else 1.5), 8 if north else 0)
        furnace = world.build("stone-furnace", (x, -2 if north else 3))
        furnace.put("coal", 50)
    powered(world, 0, length, -4)
    powered(world, 0, length, 4)
    for x in range(1, length, 4):
        world.power((x + 0.5, -0.5))
        world.power((x + 0.5, 1.5))
    return sink


@pytest.mark.parametrize(("lanes", "needed"), [((1,), 24), ((1, 2), 48)])
def test_s15_stone_furnaces_that_use_up_a_lane_and_a_belt_of_ore(world, lanes, needed):
    sink = furnace_row(world, needed, lanes)
    world.advance(3 * MINUTE)  # until the first furnaces are full and the last ones have their share
    before = sink.count
    world.advance(MINUTE)
    assert sink.count == before

    fewer = World(scenario="empty", seed=0)
    sink = furnace_row(fewer, needed - 1, lanes)
    fewer.advance(3 * MINUTE)
    before = sink.count
    fewer.advance(MINUTE)
    assert sink.count > before


# -- inserters -----------------------------------------------------------------------------------------------------


def test_s18_a_burner_inserter_moves_a_plate_every_76_ticks(world):
    _, _, chest = chest_to(world, "wooden-chest", contents={"iron-plate": 50})
    assert arrivals(world, chest, "inventory", "iron-plate", 300) == [47, 123, 199, 275]


def test_s19_a_fast_inserter_with_a_hand_of_three_moves_7_5_items_a_second(world):
    world.research("all")
    source, _, chest = chest_to(
        world, "steel-chest", inserter="fast-inserter", contents={"iron-plate": 4800}, chest="steel-chest"
    )
    world.power((1.5, 0.5))
    world.advance(60)
    before = held(chest, "inventory", "iron-plate")
    world.advance(MINUTE)
    assert (held(chest, "inventory", "iron-plate") - before) / 60 == pytest.approx(7.5, rel=0.02)


def test_s20_a_fast_inserter_with_a_hand_of_three_puts_5_2_to_5_7_items_a_second_on_a_belt(world):
    world.research("all")
    source = world.build("steel-chest", (0.5, -0.5))
    source.put("iron-plate", 4800)
    world.build("fast-inserter", (0.5, 0.5), 0)
    world.power((1.5, 0.5))
    world.belt([(0.5, 1.5), (6.5, 1.5)])
    sink = world.sink((6.5, 1.5))
    world.advance(600)
    before = sink.count
    world.advance(MINUTE)
    assert 5.2 <= (sink.count - before) / 60 <= 5.7


def test_s21_a_burner_inserter_uses_66_900_joules_an_item(world):
    _, arm, chest = chest_to(world, "wooden-chest", contents={"iron-plate": 50})
    world.advance(123)
    before = arm.energy_used
    world.advance(76 * 4)
    assert held(chest, "inventory", "iron-plate") == 6
    assert (arm.energy_used - before) / 4 == pytest.approx(66_900, abs=1)


def test_s22_an_inserter_stops_at_five_coal_in_a_fuel_slot(world):
    source = world.build("wooden-chest", (0.5, -0.5))
    source.put("coal", 50)
    arm = world.build("burner-inserter", (0.5, 0.5), 0)
    arm.put("coal", 5)
    furnace = world.build("stone-furnace", (1, 2))
    world.advance(2000)
    assert furnace.contents() == {"fuel": {"coal": 5}}
    assert held(source, "inventory", "coal") == 45  # nothing in the hand


def test_s23_an_unfuelled_furnace_gets_two_ore_from_an_inserter(world):
    source = world.build("wooden-chest", (0.5, -0.5))
    source.put("iron-ore", 50)
    arm = world.build("burner-inserter", (0.5, 0.5), 0)
    arm.put("coal", 5)
    furnace = world.build("stone-furnace", (1, 2))
    assert arrivals(world, furnace, "furnace_source", "iron-ore", 1000) == [47, 123]
    assert arm.held is None
    assert held(source, "inventory", "iron-ore") == 48


def test_s24_a_plate_dropped_on_an_east_belt_from_the_north_reads_120_on_lane_2(world):
    source = world.build("wooden-chest", (0.5, -1.5))
    source.put("iron-plate", 5)
    world.build("burner-inserter", (0.5, -0.5), 0).put("coal", 5)
    belts = world.belt([(0.5, 0.5), (3.5, 0.5)])
    while not any(belts[0].lanes()):
        world.advance(1)
    assert world.tick == 47
    assert belts[0].lanes() == ([], [("iron-plate", 120)])


def test_s25_what_a_burner_inserter_is_born_with_lasts_for_seven_items(world):
    _, arm, chest = chest_to(world, "wooden-chest", contents={"iron-plate": 50}, fuel=0)
    ticks = arrivals(world, chest, "inventory", "iron-plate", 1500)
    assert len(ticks) == 7
    assert ticks[-1] == 503
    assert arm.status == "no_fuel"


def test_s27_of_two_inserters_that_reach_one_plate_at_once_the_later_built_gets_it(world):
    source = world.build("wooden-chest", (0.5, 0.5))
    source.put("iron-plate", 1)
    first = world.build("burner-inserter", (-0.5, 0.5), 4)
    second = world.build("burner-inserter", (1.5, 0.5), 12)
    chests = [world.build("wooden-chest", (-1.5, 0.5)), world.build("wooden-chest", (2.5, 0.5))]
    first.put("coal", 1)
    second.put("coal", 1)
    world.advance(200)
    assert [held(c, "inventory", "iron-plate") for c in chests] == [0, 1]


@pytest.mark.parametrize(("item", "most"), [("iron-plate", 3200), ("iron-ore", 1600)])
def test_s53_an_inserter_fills_an_iron_chest_and_waits_empty_handed(world, item, most):
    source, arm, chest = chest_to(
        world, "iron-chest", inserter="fast-inserter", contents={item: 4800}, chest="steel-chest"
    )
    world.power((1.5, 0.5))
    put_in = held(source, "inventory", item)
    for _ in range(3):
        world.advance(40_000)
        put_in += source.put(item, 4800)
    assert held(chest, "inventory", item) == most
    assert arm.held is None
    assert arm.status == "waiting_for_space_in_destination"
    assert held(source, "inventory", item) == put_in - most
