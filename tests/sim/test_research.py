"""Research: labs, queue, triggers, what knowledge changes, and the road to orbit."""

from __future__ import annotations

import pytest

from fle_ray.errors import CannotResearch, CannotSet, UnknownName
from fle_ray.sim import World

PACK = "automation-science-pack"


@pytest.fixture
def world():
    """An empty world with endless power along y = 2.5."""
    made = World(scenario="empty", seed=7)
    for x in range(-6, 40, 6):
        made.power((x + 0.5, 2.5))
    made.advance(1)
    return made


def labs(world: World, count: int, packs: int = 20) -> list:
    """Labs in a row, with automation science packs."""
    row = [world.build("lab", (0.5 + 4 * i, 0.5)) for i in range(count)]
    for lab in row:
        lab.put(PACK, packs)
    return row


def ticks_until_known(world: World, name: str, limit: int = 10_000) -> int:
    begin = world.tick
    while name not in world.force.researched:
        world.advance(1)
        assert world.tick - begin < limit
    return world.tick - begin


# -- labs ---------------------------------------------------------------------------------------------------------


def test_a_lab_says_what_it_lacks(world):
    (lab,) = labs(world, 1, packs=0)
    far = world.build("lab", (100.5, 0.5))
    assert lab.status == "no_research_in_progress"
    assert far.status == "no_power"
    world.start_research("automation")
    world.advance(1)
    assert lab.status == "missing_science_packs"
    lab.put(PACK, 1)
    world.advance(1)
    assert lab.status == "working"


def test_four_labs_share_a_technology_and_keep_worn_packs(world):
    row = labs(world, 4)
    world.start_research("automation")  # 10 units of 10 s: 6000 lab ticks, 2.5 packs each
    assert ticks_until_known(world, "automation") == 1500
    assert [lab.contents()["lab_input"][PACK] for lab in row] == [18, 18, 18, 18]  # one of them half worn
    assert world.consumed == {PACK: 8}
    world.start_research("logistics")  # 20 units of 15 s
    world.advance(450 + 1)  # half a unit more: the third pack is worn out
    assert [lab.contents()["lab_input"][PACK] for lab in row] == [17, 17, 17, 17]


def test_a_lab_with_exactly_the_packs_it_takes_completes_a_technology(world):
    (lab,) = labs(world, 1, packs=10)
    world.start_research("automation")  # 10 units of 10 s
    assert ticks_until_known(world, "automation") == 6000
    assert lab.contents() == {}


def test_progress_grows_with_every_tick_and_is_kept_when_left(world):
    labs(world, 1)
    world.start_research("automation")
    world.advance(1500)
    assert world.research_queue.progress() == pytest.approx(0.25, abs=1e-6)
    world.start_research("logistics")
    assert world.research_queue.progress() == 0
    assert world.research_queue.progress("automation") == pytest.approx(0.25, abs=1e-6)
    world.start_research("automation")
    assert ticks_until_known(world, "automation") == 4500


def test_research_speed_and_modules_multiply(world):
    world.research("research-speed-1")
    world.research("research-speed-2")  # 20 and 30 %
    (lab,) = labs(world, 1)
    assert lab.speed == 1.5
    lab.set(modules=["speed-module-3"] * 2)
    assert lab.speed == 3
    world.start_research("automation")
    assert ticks_until_known(world, "automation") == 2000
    assert world.consumed == {PACK: 10}


def test_productivity_in_labs_saves_packs(world):
    (lab,) = labs(world, 1)
    lab.set(modules=["productivity-module-3"] * 2)  # +20 %, speed 0.7
    world.start_research("automation")
    assert ticks_until_known(world, "automation") == pytest.approx(6000 / 1.2 / 0.7, abs=1)
    assert world.consumed == {PACK: 8}  # 8.33 packs: the ninth is a third worn


def test_a_bonus_learned_on_the_way_speeds_up_labs_at_work(world):
    labs(world, 1)
    world.start_research("automation")
    world.advance(3000)
    for name in ("research-speed-1", "research-speed-2", "research-speed-3", "research-speed-4"):
        world.research(name)  # 20, 30, 40, 50 %: +140 %
    assert ticks_until_known(world, "automation") == 3000 / 2.4


def test_a_lab_stops_without_power_and_goes_on_with_it(world):
    labs(world, 1)
    world.start_research("automation")
    world.advance(3000)
    pole = world.find((0, 2, 1, 3), "medium-electric-pole")[0]
    others = [p for p in world.find((-10, 2, 60, 3), "medium-electric-pole") if p is not pole]
    for p in [*others, pole]:
        world.remove(p)
    world.advance(500)
    assert world.research_queue.progress() == pytest.approx(0.5, abs=1e-6)
    world.power((0.5, 2.5))
    assert ticks_until_known(world, "automation") == pytest.approx(3000, abs=2)


def test_packs_in_use_are_not_handed_on(world):
    (lab,) = labs(world, 1, packs=2)
    assert lab.offer(lambda item: True) == PACK
    world.start_research("automation")
    world.advance(10)
    assert lab.pick(PACK, 5) == 1
    assert lab.offer(lambda item: True) is None


def test_inserters_stop_at_two_units_of_a_pack(world):
    (lab,) = labs(world, 1, packs=0)
    world.start_research("automation")
    assert lab.wants(PACK)
    lab.insert(PACK, 2, "inserter")
    assert not lab.wants(PACK)
    assert not lab.wants("iron-plate")
    assert lab.put("iron-plate", 5) == 0


def test_a_restored_world_researches_on_as_if_never_stopped(world):
    row = labs(world, 3)
    row[1].set(modules=["speed-module"])
    row[2].set(modules=["productivity-module"] * 2)
    world.start_research("automation")
    world.research_queue.enqueue("logistics")
    start = world.snapshot()
    world.advance(3600)
    straight = world.digest()
    for cut in range(0, 3600, 61):
        other = World.restore(start)
        other.advance(cut)
        other.research_queue.progress()
        other = World.restore(other.snapshot())
        other.advance(3600 - cut)
        assert other.digest() == straight, cut


# -- the queue ------------------------------------------------------------------------------------------------------


def test_the_queue_goes_on_without_a_pause(world):
    world.research(PACK)
    labs(world, 1, packs=40)
    queue = world.research_queue
    queue.start("automation")
    queue.enqueue("logistics")
    assert ticks_until_known(world, "automation") == 6000
    assert queue.current == "logistics"
    assert ticks_until_known(world, "logistics", 20_000) == 20 * 15 * 60
    assert queue.current is None


def test_what_cannot_be_researched_is_refused_with_the_reason(world):
    queue = world.research_queue
    for name, reason in (
        ("automation", "prerequisites"),
        ("steam-power", "trigger"),
        ("logistics", "prerequisites"),
    ):
        with pytest.raises(CannotResearch) as caught:
            queue.start(name)
        assert caught.value.reason == reason
    with pytest.raises(UnknownName, match="automation"):
        queue.start("automaton")
    world.research(PACK)
    world.research("automation")
    with pytest.raises(CannotResearch) as caught:
        queue.start("automation")
    assert caught.value.reason == "researched"


def test_a_technology_may_wait_behind_its_prerequisite(world):
    world.research(PACK)
    world.research("electronics")
    queue = world.research_queue
    queue.start("automation")
    queue.enqueue("logistics")
    with pytest.raises(CannotResearch):
        queue.enqueue("logistics")
    for name in ("lamp", "gun-turret", "stone-wall", "military", "radar"):
        queue.enqueue(name)
    with pytest.raises(CannotResearch) as caught:
        queue.enqueue("steel-processing")
    assert caught.value.reason == "queue-full"
    assert queue.queue == ["automation", "logistics", "lamp", "gun-turret", "stone-wall", "military", "radar"]
    queue.cancel()
    assert queue.current is None


def test_an_endless_technology_can_be_researched_level_after_level(world):
    world.research("all")
    queue = world.research_queue
    # The first level was learned with all the others; 2500 units more for each further one.
    assert world.force.bonuses["mining-drill-productivity-bonus"] == pytest.approx(0.4)
    assert queue.units("mining-productivity-4") == 5000
    queue.start("mining-productivity-4")
    world.research("mining-productivity-4")
    assert world.force.bonuses["mining-drill-productivity-bonus"] == pytest.approx(0.5)
    assert queue.units("mining-productivity-4") == 7500
    restored = World.restore(world.snapshot())
    assert restored.force.bonuses == world.force.bonuses
    assert restored.digest() == world.digest()


# -- triggers -------------------------------------------------------------------------------------------------------


def test_steam_power_comes_24_ticks_after_the_fiftieth_iron_plate(world):
    furnace = world.build("stone-furnace", (0, 6))
    furnace.put("coal", 20)
    furnace.put("iron-ore", 54)
    while world.produced.get("iron-plate", 0) < 50:
        world.advance(1)
    assert "steam-power" not in world.force.researched
    world.advance(23)
    assert "steam-power" not in world.force.researched
    world.advance(1)
    assert "steam-power" in world.force.researched


def test_a_trigger_waits_for_the_technology_before_it(world):
    world.statistics.made("steel-plate", 50)
    world.advance(100)
    assert "steel-axe" not in world.force.researched  # needs steel-processing
    world.research("steel-processing")
    assert ticks_until_known(world, "steel-axe") == 24


def test_a_hand_made_lab_opens_automation_science(world):
    character = world.character(0)
    world.research("electronics")
    world.research("steam-power")
    for item, count in (("iron-gear-wheel", 10), ("electronic-circuit", 10), ("transport-belt", 4)):
        character.give(item, count)
    character.craft("lab")
    assert ticks_until_known(world, PACK) <= 24


# -- what knowledge changes -------------------------------------------------------------------------------------------


def test_toolbelt_gives_ten_more_slots_and_steel_axe_twice_the_speed(world):
    character = world.character(0)
    assert character.slots.size == 80
    world.research("toolbelt")
    assert character.slots.size == 90
    world.ore("iron-ore", (-2, -2, 2, 2))
    slow = character.mine((0.5, 0.5), 1)
    world.research("steel-axe")
    assert character.mine((0.5, 0.5), 1) == pytest.approx(slow / 2, abs=1)


def test_a_furnace_full_of_plates_starts_when_steel_becomes_known(world):
    furnace = world.build("electric-furnace", (0.5, 0.5))
    world.research("steel-processing")
    assert furnace.put("iron-plate", 5) == 5
    world.advance(481)
    assert world.produced["steel-plate"] == 1


# -- orbit ------------------------------------------------------------------------------------------------------------


def silo_with_98_parts(world: World):
    """A fed silo two crafts away from its rocket."""
    silo = world.build("rocket-silo", (0.5, -2.5))
    silo.outputs["rocket-part"] = 98
    for item in ("processing-unit", "low-density-structure", "rocket-fuel"):
        silo.put(item, 20)
    return silo


def test_a_satellite_brings_a_thousand_packs_to_the_landing_pad(world):
    silo = silo_with_98_parts(world)
    pad = world.build("cargo-landing-pad", (30, 10))
    assert not silo.launch()
    world.advance(2 * 180 + 1)
    assert silo.status == "preparing_rocket_for_launch"
    assert silo.contents()["rocket_silo_output"] == {"rocket-part": 100}
    world.advance(255 + 420)
    assert silo.status == "waiting_to_launch_rocket"
    assert silo.put("satellite", 3) == 1
    assert silo.launch()
    assert silo.status == "launching_rocket"
    world.advance(330 + 1270)
    assert pad.contents() == {"inventory": {"space-science-pack": 1000}}
    assert world.orbit.launches == 1
    assert world.produced["space-science-pack"] == 1000
    world.research("rocket-silo")
    assert ticks_until_known(world, "space-science-pack") == 24
    world.advance(255)
    assert silo.status == "item_ingredient_shortage"
    assert silo.parts == 0


def test_packs_wait_in_orbit_for_a_pad_with_room(world):
    silo = silo_with_98_parts(world)
    silo.put("satellite", 1)
    silo.set(auto_launch=True)
    world.advance(361 + 675 + 330 + 1270)
    assert world.orbit.waiting == {"space-science-pack": 1000}
    pad = world.build("cargo-landing-pad", (30, 10))
    assert pad.take("space-science-pack", 600) == 600
    assert world.orbit.waiting == {}


def test_a_readying_rocket_draws_four_megawatts(world):
    silo = silo_with_98_parts(world)
    world.advance(370)
    before = silo.energy_used
    world.advance(60)
    assert silo.energy_used - before == pytest.approx(3_990_000 + 250_000 / 30)


def test_a_silo_makes_rocket_parts_and_nothing_else(world):
    silo = world.build("rocket-silo", (0.5, -2.5))
    with pytest.raises(CannotSet):
        silo.set(recipe="iron-gear-wheel")
    assert silo.wants("satellite")
    assert not silo.wants("iron-plate")
    assert silo.offer(lambda item: True) is None


def test_a_launch_restored_at_any_tick_goes_on_as_if_never_stopped(world):
    silo = silo_with_98_parts(world)
    silo.put("satellite", 1)
    silo.set(auto_launch=True)
    start = world.snapshot()
    world.advance(3000)
    straight = world.digest()
    for cut in range(0, 3000, 97):
        other = World.restore(start)
        other.advance(cut)
        other = World.restore(other.snapshot())
        other.advance(3000 - cut)
        assert other.digest() == straight, cut
