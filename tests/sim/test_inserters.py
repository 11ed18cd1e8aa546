"""Inserters: kinds, hands, filters, power, fuel, the ground, what they show."""

from __future__ import annotations

import pytest

from fle_ray.sim import World

MINUTE = 3600


@pytest.fixture
def world():
    return World()


def held(entity, inventory: str, item: str) -> int:
    return int(entity.contents().get(inventory, {}).get(item, 0))


def between_chests(world, name="inserter", distance=1, contents=None, power=True):
    """A steel chest to the north, an inserter, a steel chest to the south."""
    source = world.build("steel-chest", (0.5, 0.5 - distance))
    arm = world.build(name, (0.5, 0.5), 0)
    target = world.build("steel-chest", (0.5, 0.5 + distance))
    for item, count in (contents or {"iron-plate": 4800}).items():
        source.put(item, count)
    if power:
        world.power((1.5, 0.5))
    return source, arm, target


def moved_in(world, target, ticks, item="iron-plate"):
    before = held(target, "inventory", item)
    world.advance(ticks)
    return held(target, "inventory", item) - before


# -- kinds and hands --------------------


@pytest.mark.parametrize(
    ("name", "distance", "items_a_second"),
    # a quarter of what readers measured with a hand of four (2.0): 9.9/s and 4.9/s
    [("fast-inserter", 1, 9.9 / 4), ("bulk-inserter", 1, 9.9 / 4), ("long-handed-inserter", 2, 4.9 / 4)],
)
def test_inserters_move_about_as_readers_measured(world, name, distance, items_a_second):
    _, _, target = between_chests(world, name, distance)
    world.advance(200)
    assert moved_in(world, target, MINUTE) / 60 == pytest.approx(items_a_second, rel=0.025)


def test_a_fast_inserter_has_a_cycle_of_24_ticks(world):
    _, _, target = between_chests(world, "fast-inserter")
    world.advance(100)
    assert moved_in(world, target, 24 * 50) == 50


@pytest.mark.parametrize(("name", "hand"), [("fast-inserter", 3), ("bulk-inserter", 12), ("inserter", 3)])
def test_research_gives_hands_of_three_and_bulk_hands_of_twelve(world, name, hand):
    world.research("all")
    source, _, target = between_chests(world, name)
    while not held(target, "inventory", "iron-plate"):
        world.advance(1)
    assert held(target, "inventory", "iron-plate") == hand


def test_hands_grow_with_each_level_of_research(world):
    _, arm, target = between_chests(world, "bulk-inserter")
    world.advance(100)
    assert moved_in(world, target, 24) == 1
    world.research("bulk-inserter")
    world.research("inserter-capacity-bonus-1")
    world.advance(48)
    assert moved_in(world, target, 24) == 3


def test_a_hand_from_a_belt_takes_what_is_there_of_one_kind(world):
    world.research("all")
    belts = world.belt([(0.5, -0.5), (3.5, -0.5)])
    world.build("fast-inserter", (3.5, 0.5), 0)
    chest = world.build("wooden-chest", (3.5, 1.5))
    world.power((4.5, 0.5))
    for item in ("iron-plate", "copper-plate"):
        for _ in range(2):
            belts[0].place(item, 2, 256)
            world.advance(8)
    world.advance(600)
    assert chest.contents() == {"inventory": {"iron-plate": 2, "copper-plate": 2}}


# -- filters --------------------


def test_a_filter_lets_only_its_items_through(world):
    source, arm, target = between_chests(world, contents={"iron-plate": 20, "copper-plate": 20, "coal": 20})
    arm.set(filter="copper-plate")
    world.advance(2000)
    assert target.contents()["inventory"] == {"copper-plate": 20}
    arm.set(filter=["coal", "copper-plate"])
    world.advance(2000)
    assert target.contents()["inventory"] == {"copper-plate": 20, "coal": 20}
    arm.set(filter=None)
    world.advance(2000)
    assert source.contents() == {}


def test_the_last_slot_that_holds_something_wanted_goes_first(world):
    source, arm, target = between_chests(world, contents={"iron-plate": 5, "copper-plate": 5})
    world.advance(60)
    assert target.contents()["inventory"] == {"copper-plate": 1}


# -- power --------------------


def test_an_inserter_without_power_does_not_move(world):
    source, arm, target = between_chests(world, power=False)
    world.advance(500)
    assert arm.status == "no_power"
    assert target.contents() == {} and arm.held is None
    world.power((1.5, 0.5))
    world.advance(500)
    assert held(target, "inventory", "iron-plate") > 5


def test_at_half_power_an_inserter_turns_half_as_far_a_tick(world):
    _, arm, target = between_chests(world, "fast-inserter", power=False)
    world.build("medium-electric-pole", (1.5, 0.5))
    # a panel gives 60 kW; a furnace at work asks for 186 kW, the inserter for a fraction of a kW more
    world.build("solar-panel", (3.5, 2.5))
    furnace = world.build("electric-furnace", (3.5, -1.5))
    furnace.put("iron-ore", 50)
    world.always_day = True
    world.advance(300)
    assert arm.status == "low_power"
    slow = moved_in(world, target, MINUTE)
    assert 60 * 60 / 24 * 0.25 < slow < 60 * 60 / 24 * 0.36  # about 60 / 190 of full speed


def test_waiting_costs_an_electric_inserter_its_drain_alone(world):
    source, arm, target = between_chests(world, contents={"iron-plate": 1})
    world.advance(300)
    before = arm.energy_used
    world.advance(MINUTE)
    assert arm.energy_used - before == pytest.approx(400 * 60)  # 0.4 kW


# -- fuel --------------------


def test_a_burner_inserter_feeds_itself_from_the_coal_it_carries(world):
    source, arm, target = between_chests(world, "burner-inserter", contents={"coal": 50}, power=False)
    world.advance(100)
    assert arm.contents()["fuel"] == {"coal": 1}
    world.advance(20_000)
    assert held(target, "inventory", "coal") > 30  # it never runs dry


def test_a_burner_inserter_with_nothing_to_burn_starts_again_once_it_gets_fuel(world):
    source, arm, target = between_chests(world, "burner-inserter", power=False)
    world.advance(2000)
    assert arm.status == "no_fuel"
    assert held(target, "inventory", "iron-plate") == 7
    arm.put("coal", 1)
    assert arm.status == "working"
    world.advance(200)
    assert held(target, "inventory", "iron-plate") >= 9


# -- the ground --------------------


def test_with_nothing_at_its_drop_an_inserter_lays_one_item_on_the_ground(world):
    source = world.build("wooden-chest", (0.5, -0.5))
    source.put("iron-plate", 5)
    arm = world.build("burner-inserter", (0.5, 0.5), 0)
    world.advance(400)
    (pile,) = world.piles_on((0, 1))
    assert (pile.item, pile.x, pile.y) == ("iron-plate", 0.5, 0.5 + 307 / 256)
    assert arm.held == "iron-plate"
    assert arm.status == "waiting_for_space_in_destination"
    world.remove(pile)
    world.advance(2)
    assert len(world.piles_on((0, 1))) == 1


def test_an_inserter_picks_up_what_lies_on_its_pickup_tile(world):
    world.build("burner-inserter", (0.5, 0.5), 0)
    chest = world.build("wooden-chest", (0.5, 1.5))
    world.advance(100)
    world.drop_on_ground("coal", (0.3, -0.7))
    world.drop_on_ground("iron-plate", (0.6, -0.2))
    world.advance(400)
    assert chest.contents()["inventory"]["iron-plate"] == 1
    assert world.piles_on((0, -1)) == []


# -- statuses and changes --------------------


def test_statuses_follow_what_an_inserter_waits_for(world):
    source, arm, target = between_chests(world, contents={"iron-plate": 1})
    world.advance(20)
    assert arm.status == "working"
    world.advance(200)
    assert arm.status == "waiting_for_source_items"
    source.put("iron-plate", 1)
    world.advance(3)
    assert arm.held == "iron-plate"


def test_an_inserter_whose_target_is_taken_away_lays_its_item_down(world):
    source, arm, target = between_chests(world)
    while arm.held is None:
        world.advance(1)
    world.remove(target)
    world.advance(300)
    assert len(world.piles_on((0, 1))) == 1


def test_a_turned_inserter_takes_from_the_other_side(world):
    source, arm, target = between_chests(world, contents={"iron-plate": 50})
    world.advance(300)
    world.rotate(arm, 8)
    before = held(target, "inventory", "iron-plate")
    world.advance(600)
    assert held(target, "inventory", "iron-plate") < before


def test_mining_an_inserter_gives_back_its_fuel_itself_and_what_it_holds(world):
    source, arm, target = between_chests(world, "burner-inserter", power=False)
    arm.put("coal", 3)
    while arm.held is None:
        world.advance(1)
    assert world.mine(arm) == {"coal": 3, "burner-inserter": 1, "iron-plate": 1}


# -- state --------------------


def busy_world() -> World:
    """Every kind of inserter at work between belts, chests and machines, some at low power."""
    world = World()
    world.research("inserter-capacity-bonus-2")
    world.research("inserter-capacity-bonus-7")
    world.belt([(0.5, 0.5), (20.5, 0.5)])
    world.source("iron-plate", (0.5, 0.5), 1)
    world.source("copper-plate", (0.5, 0.5), 2)
    world.belt([(0.5, 4.5), (20.5, 4.5)])
    kinds = ("inserter", "fast-inserter", "bulk-inserter", "long-handed-inserter", "burner-inserter")
    for k, name in enumerate(kinds):
        x = 2.5 + 3 * k
        reach = 2 if name == "long-handed-inserter" else 1
        world.build(name, (x, 0.5 + reach), 0)
        world.build("wooden-chest", (x, 0.5 + 2 * reach)) if reach == 1 else None
        world.build(name, (x + 1, 0.5 - reach), 8)
        world.build("assembling-machine-1", (x + 1, -1.5 - reach), recipe="copper-cable")
    for x in (1, 7, 13, 19):
        world.build("medium-electric-pole", (x + 0.5, 7.5))
        world.build("medium-electric-pole", (x + 0.5, -5.5))
        world.build("medium-electric-pole", (x + 0.5, 1.5))
    world.build("solar-panel", (9.5, 9.5))
    world.always_day = True
    return world


@pytest.mark.parametrize("cut", [0, 1, 17, 50, 133, 222, 301, 390])
def test_inserters_restored_in_mid_motion_go_on_as_if_never_stopped(cut):
    straight = busy_world()
    straight.advance(800)
    assert len({e.status for e in straight.entities.values() if e.prototype.type == "inserter"}) > 1
    stopped = busy_world()
    stopped.advance(cut)
    restored = World.restore(stopped.snapshot())
    assert restored.digest() == stopped.digest()
    restored.advance(800 - cut)
    assert restored.digest() == straight.digest()


def test_looking_at_inserters_changes_nothing():
    looked_at, alone = busy_world(), busy_world()
    for _ in range(300):
        looked_at.advance(1)
        for entity in looked_at.entities.values():
            assert entity.status and entity.energy >= 0 and entity.energy_used >= 0
            entity.contents()
    alone.advance(300)
    assert looked_at.digest() == alone.digest()


def test_nothing_is_lost_or_made_by_inserters_and_belts():
    world = busy_world()
    feeds = list(world.belts.sources.values())
    for _ in range(20):
        world.advance(97)
        held_everywhere: dict[str, float] = {}
        for entity in world.entities.values():
            for inventory in entity.contents().values():
                for item, count in inventory.items():
                    held_everywhere[item] = held_everywhere.get(item, 0) + count
        assert held_everywhere.get("iron-plate", 0) == sum(f.given for f in feeds if f.item == "iron-plate")
        copper = held_everywhere.get("copper-plate", 0)
        assert copper == sum(f.given for f in feeds if f.item == "copper-plate") - world.consumed.get("copper-plate", 0)


def test_an_inserter_that_waited_uses_as_much_on_its_way_as_one_that_never_does():
    world = World()
    world.power((2.5, -1.5))
    arms = []
    for x, plates in ((0.5, 0), (4.5, 100)):
        chest = world.build("wooden-chest", (x, 2.5))
        chest.put("iron-plate", plates)
        arms.append(world.build("inserter", (x, 1.5), 8))
        world.build("wooden-chest", (x, 0.5))
        if not plates:
            empty = chest
    world.advance(300)
    empty.put("iron-plate", 1)
    world.advance(2)  # told of it, picked up, under way
    before = [arm.energy_used for arm in arms]
    world.advance(20)  # half a turn takes longer
    waited, busy = (arm.energy_used - start for arm, start in zip(arms, before, strict=True))
    assert waited == pytest.approx(busy) and waited > 20 * 400 / 60  # far more than its drain of 400 W
