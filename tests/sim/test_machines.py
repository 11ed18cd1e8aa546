"""Crafting machines, furnaces, modules, beacons and drills: rules beyond the conformance rows."""

from __future__ import annotations

import pytest

from fle_ray.errors import CannotSet, UnknownName, Unsupported
from fle_ray.sim import World

HOUR = 3600 * 60


@pytest.fixture
def world():
    """An empty world with endless power along y = 2.5, from x = -5 to 61."""
    made = World(scenario="empty", seed=7)
    for x in range(-6, 60, 6):
        made.power((x + 0.5, 2.5))
    made.advance(1)
    return made


def same_after_restoring(world: World, ticks: int, cuts) -> None:
    """Running on equals stopping at any of the cuts, restoring and running on."""
    start = world.snapshot()
    world.advance(ticks)
    straight = world.digest()
    for cut in cuts:
        other = World.restore(start)
        other.advance(cut)
        other = World.restore(other.snapshot())
        other.advance(ticks - cut)
        assert other.digest() == straight, cut


# -- recipes ------------------------------------------------------------------------------------------------------


def test_a_machine_without_a_recipe_says_so(world):
    machine = world.build("assembling-machine-1", (0.5, 0.5))
    world.advance(1)
    assert machine.status == "no_recipe"
    assert machine.put("iron-plate", 10) == 0


def test_statuses_name_the_cause(world):
    machine = world.build("assembling-machine-1", (0.5, 0.5), recipe="iron-gear-wheel")
    far = world.build("assembling-machine-1", (100.5, 0.5), recipe="iron-gear-wheel")
    world.advance(1)
    assert machine.status == "item_ingredient_shortage"
    assert far.status == "no_power"
    machine.put("iron-plate", 2)
    world.advance(1)
    assert machine.status == "working"


def test_a_recipe_the_machine_cannot_make_is_refused_and_nothing_is_built(world):
    before = world.digest()
    with pytest.raises(CannotSet, match="oil-refinery"):
        world.build("assembling-machine-3", (0.5, 0.5), recipe="basic-oil-processing")
    with pytest.raises(CannotSet):
        world.build("assembling-machine-1", (0.5, 0.5), recipe="electric-engine-unit")  # needs a fluid
    with pytest.raises(UnknownName, match="iron-gear-wheel"):
        world.build("assembling-machine-1", (0.5, 0.5), recipe="iron-gear-wheels")
    with pytest.raises(Unsupported):
        world.build("assembling-machine-1", (0.5, 0.5), colour="red")
    assert world.digest() == before


def test_a_force_that_has_started_crafts_known_recipes_alone(world):
    world.force.start()
    machine = world.build("assembling-machine-1", (0.5, 0.5), recipe="electronic-circuit")
    machine.put("iron-plate", 1)
    machine.put("copper-cable", 3)
    world.advance(100)
    assert machine.status == "recipe_not_researched"
    world.research("electronics")
    world.advance(61)
    assert world.produced == {"electronic-circuit": 1}


def test_changing_the_recipe_gives_back_what_was_inside_and_in_work(world):
    machine = world.build("assembling-machine-1", (0.5, 0.5), recipe="iron-gear-wheel")
    machine.put("iron-plate", 9)
    world.advance(70)  # one gear done, the second begun: 9 - 2 - 2 plates left
    assert machine.contents() == {
        "assembling_machine_input": {"iron-plate": 5},
        "assembling_machine_output": {"iron-gear-wheel": 1},
    }
    assert machine.set(recipe="copper-cable") == {"iron-plate": 7, "iron-gear-wheel": 1}
    assert machine.contents() == {}
    assert machine.progress == 0
    assert machine.set(recipe="copper-cable") == {}


def test_removing_a_machine_gives_back_what_was_inside(world):
    machine = world.build("assembling-machine-2", (0.5, 0.5), recipe="iron-gear-wheel", modules=["speed-module"])
    machine.put("iron-plate", 9)
    world.advance(10)
    assert world.remove(machine) == {"iron-plate": 9, "speed-module": 1}


def test_hands_fill_a_slot_to_a_stack_and_put_products_into_the_output(world):
    machine = world.build("assembling-machine-1", (100.5, 0.5), recipe="iron-gear-wheel")
    assert machine.put("iron-plate", 1000) == 100
    assert machine.put("iron-gear-wheel", 1000) == 100
    assert machine.put("copper-plate", 5) == 0
    assert machine.take("iron-gear-wheel", 1000) == 100
    assert machine.take("iron-plate", 30) == 30


def test_an_inserter_sees_the_limit_and_overshoots_by_its_hand(world):
    machine = world.build("assembling-machine-1", (100.5, 0.5), recipe="iron-gear-wheel")
    assert machine.insert("iron-plate", 5, "inserter") == 5
    assert machine.wants("iron-plate")
    assert machine.insert("iron-plate", 12, "inserter") == 12
    assert not machine.wants("iron-plate")
    assert machine.full_for_inserters()
    assert machine.offer(lambda item: True) is None


def test_an_ingredient_of_more_than_a_stack_finds_room_for_two_crafts(world):
    machine = world.build("assembling-machine-3", (100.5, 0.5), recipe="rocket-silo")
    assert machine.put("concrete", 10_000) == 2000  # stacks of 100, a craft takes 1000


def test_what_is_left_of_a_bar_carries_over(world):
    machine = world.build("assembling-machine-3", (0.5, 0.5), recipe="iron-gear-wheel")  # 24 ticks a craft
    machine.put("iron-plate", 100)
    world.advance(24 * 40 + 1)  # sums of 1/48 may end just under 1/2, so the first needs 25 and later ones make it up
    assert world.produced["iron-gear-wheel"] == 40


def test_the_seven_in_a_thousand_of_a_centrifuge_depend_on_it_alone():
    def uranium(neighbours: int) -> dict[str, float]:
        world = World(seed=3)
        world.power((2.5, 0.5))
        centrifuge = world.build("centrifuge", (0.5, 0.5), recipe="uranium-processing")
        for i in range(neighbours):
            world.power((2.5, 7.5 + 4 * i))
            world.build("centrifuge", (0.5, 4.5 + 4 * i), recipe="uranium-processing").put("uranium-ore", 50)
        for _ in range(200):
            centrifuge.put("uranium-ore", 50)
            world.advance(5 * 720)
            centrifuge.take("uranium-238", 1000)
        made = dict(world.produced)
        return {**made, **centrifuge.contents()["assembling_machine_output"]} if neighbours else made

    alone = uranium(0)
    # 1000 crafts: 7 expected with a standard deviation of 2.6; both products are drawn by themselves.
    assert 1 <= alone["uranium-235"] <= 15
    assert 980 <= alone["uranium-238"] <= 1000
    assert uranium(3)["uranium-235"] == alone["uranium-235"]


def test_a_restored_machine_goes_on_as_if_never_stopped(world):
    world.build("assembling-machine-2", (0.5, 0.5), recipe="iron-gear-wheel", modules=["productivity-module"] * 2).put(
        "iron-plate", 100
    )
    world.build("electric-furnace", (5.5, 0.5), modules=["speed-module-2"]).put("iron-ore", 50)
    world.build("centrifuge", (10.5, 0.5), recipe="uranium-processing").put("uranium-ore", 40)
    world.build("beacon", (4.5, -3.5), modules=["speed-module", "efficiency-module"])
    world.power((7.5, -3.5))
    lab = world.build("lab", (20.5, 0.5))
    lab.put("automation-science-pack", 20)
    world.start_research("automation")
    world.ore("iron-ore", (25, -5, 40, 10))
    world.build("electric-mining-drill", (30.5, 0.5), modules=["productivity-module-2"] * 3)
    world.build("iron-chest", (30.5, -1.5))
    same_after_restoring(world, 1500, range(0, 1500, 37))


# -- productivity ---------------------------------------------------------------------------------------------------


def test_ten_crafts_at_ten_percent_give_an_eleventh_for_nothing(world):
    machine = world.build(
        "assembling-machine-2", (0.5, 0.5), recipe="iron-gear-wheel", modules=["productivity-module"] * 2
    )  # 4 % each
    machine.put("iron-plate", 100)
    world.advance(HOUR // 60)
    assert world.consumed == {"iron-plate": 100}
    assert world.produced == {"iron-gear-wheel": 54}  # 50 crafts at 8 %: four bars full


def test_catalysts_get_no_bonus_and_no_statistics(world):
    machine = world.build(
        "centrifuge", (0.5, 0.5), recipe="kovarex-enrichment-process", modules=["productivity-module-3"] * 2
    )  # 20 %, speed 0.7
    for _ in range(10):
        machine.put("uranium-235", 40)
        machine.put("uranium-238", 5)
        world.advance(round(3600 / 0.7) + 2)
        assert machine.take("uranium-235", 100) >= 41
        machine.take("uranium-238", 100)
    # Ten crafts and two bonuses: one 235 each beyond the 40 that circulate; 3 of the 5 238 are used up.
    assert world.produced == {"uranium-235": 12}
    assert world.consumed == {"uranium-238": 30}


def test_a_furnace_with_productivity_makes_more_of_the_same_ore(world):
    furnace = world.build("electric-furnace", (0.5, 0.5), modules=["productivity-module-3"] * 2)
    furnace.put("iron-ore", 50)
    world.advance(50 * 140)
    assert world.produced["iron-plate"] == 60
    assert furnace.contents()["furnace_modules"] == {"productivity-module-3": 2}


# -- modules ------------------------------------------------------------------------------------------------------


def test_modules_go_in_where_machine_and_recipe_allow_them(world):
    with pytest.raises(CannotSet, match="0 module slots"):
        world.build("assembling-machine-1", (0.5, 0.5), modules=["speed-module"])
    with pytest.raises(CannotSet, match="2 module slots"):
        world.build("assembling-machine-2", (0.5, 0.5), modules=["speed-module"] * 3)
    with pytest.raises(CannotSet, match="no module"):
        world.build("assembling-machine-2", (0.5, 0.5), modules=["iron-plate"])
    with pytest.raises(CannotSet, match="recipe"):
        world.build("assembling-machine-2", (0.5, 0.5), recipe="pipe", modules=["productivity-module"])
    with pytest.raises(CannotSet):
        world.build("beacon", (0.5, 0.5), modules=["productivity-module"])
    refinery = world.build("oil-refinery", (0.5, -0.5), modules=["speed-module", "productivity-module"])
    assert refinery.contents()["assembling_machine_modules"] == {"speed-module": 1, "productivity-module": 1}


def test_modules_a_new_recipe_does_not_allow_come_out(world):
    machine = world.build(
        "assembling-machine-2", (0.5, 0.5), recipe="iron-gear-wheel", modules=["productivity-module", "speed-module"]
    )
    assert machine.set(recipe="pipe") == {"productivity-module": 1}
    assert machine.speed == 0.9


def test_speed_and_energy_never_fall_below_a_fifth(world):
    machine = world.build("assembling-machine-3", (0.5, 0.5), modules=["efficiency-module-3"] * 4)
    assert machine.modules.consumption == 0.2
    slow = world.build("rocket-silo", (20.5, -2.5), modules=["productivity-module-3"] * 4)
    assert slow.modules.speed == 0.4
    assert slow.modules.consumption == pytest.approx(1 + 4 * 0.8)


def test_a_module_put_in_by_hand_changes_the_speed_of_the_craft_under_way(world):
    machine = world.build("assembling-machine-2", (0.5, 0.5), recipe="iron-gear-wheel")  # 40 ticks at 0.75
    machine.put("iron-plate", 2)
    world.advance(20)
    assert machine.progress == pytest.approx(0.5)
    assert machine.put("speed-module-3", 5) == 2  # +100 %
    world.advance(9)
    assert world.produced == {}
    world.advance(1)
    assert world.produced == {"iron-gear-wheel": 1}
    assert machine.take("speed-module-3", 1) == 1


# -- beacons --------------------------------------------------------------------------------------------------------


def test_a_beacon_reaches_what_its_nine_by_nine_touches(world):
    beacon = world.build("beacon", (0.5, 5.5), modules=["speed-module"] * 2)
    near = world.build("assembling-machine-1", (0.5, 0.5))
    edge = world.build("assembling-machine-1", (5.5, 5.5))
    world.power((3.5, 8.5))
    out = world.build("assembling-machine-1", (13.5, 5.5))
    world.advance(2)
    # One beacon: 2 modules * 20 % * 1.5.
    assert near.speed == pytest.approx(0.5 * 1.6)
    assert out.speed == 0.5
    assert edge.speed == 0.5 * 1.6
    world.remove(beacon)
    assert near.speed == edge.speed == 0.5


def test_a_beacon_sends_only_while_it_has_power_and_modules(world):
    beacon = world.build("beacon", (0.5, 5.5))
    machine = world.build("assembling-machine-1", (0.5, 0.5))
    world.advance(2)
    assert beacon.status == "no_modules_to_transmit"
    assert machine.speed == 0.5
    assert beacon.put("speed-module-3", 2) == 2
    assert beacon.status == "working"
    assert machine.speed == pytest.approx(0.5 * 2.5)
    for pole in world.find((-10, 2, 60, 3), "medium-electric-pole"):
        world.remove(pole)
    world.advance(2)
    assert beacon.status == "no_power"
    assert machine.speed == 0.5


def test_two_beacons_share_a_profile(world):
    for y in (5.5, -3.5):
        world.build("beacon", (0.5, y), modules=["speed-module"] * 2)
    world.power((3.5, -3.5))
    machine = world.build("assembling-machine-1", (0.5, 0.5))
    world.advance(2)
    assert machine.speed == pytest.approx(0.5 * (1 + 4 * 0.2 * 1.5 * 0.7071))


def test_beacons_reach_burner_furnaces_too(world):
    world.build("beacon", (0.5, 5.5), modules=["speed-module"] * 2)
    furnace = world.build("stone-furnace", (1, 1))
    world.advance(2)
    furnace.put("coal", 5)
    furnace.put("iron-ore", 10)
    world.advance(1200)
    # Speed 1.6, use +150 %: the bar is full every 120 ticks.
    assert world.produced["iron-plate"] == pytest.approx(10, abs=1)
    assert furnace.energy_used == pytest.approx(1500 * 2.5 * 1200, rel=0.01)


# -- drills -----------------------------------------------------------------------------------------------------------


def test_mining_productivity_gives_ore_that_the_field_does_not_lose(world):
    world.ore("iron-ore", (-5, -5, 6, 6), amount=10_000)
    world.research("mining-productivity-1")
    world.research("mining-productivity-2")
    drill = world.build("electric-mining-drill", (0.5, 0.5))
    world.build("steel-chest", (0.5, -1.5))
    world.advance(HOUR // 2)
    left = sum(r.amount for r in world.map.resources.values())
    mined = 121 * 10_000 - left
    assert mined == pytest.approx(900, abs=1)  # half an hour at 0.5 a second
    assert world.produced["iron-ore"] == mined + int(mined * 0.2 + 1e-9)
    assert drill.status == "working"


def test_modules_make_a_drill_faster(world):
    world.ore("iron-ore", (-5, -5, 6, 6), amount=10_000)
    drill = world.build("electric-mining-drill", (0.5, 0.5), modules=["speed-module"] * 3)  # +60 %
    world.build("steel-chest", (0.5, -1.5))
    world.advance(HOUR // 4)
    assert world.produced["iron-ore"] == pytest.approx(450 * 1.6, abs=2)
    assert drill.contents()["mining_drill_modules"] == {"speed-module": 3}


def test_a_drill_on_uranium_waits_for_acid_and_uses_one_per_ore(world):
    world.ore("uranium-ore", (-5, -5, 6, 6), amount=10_000)
    drill = world.build("electric-mining-drill", (0.5, 0.5))
    world.build("steel-chest", (0.5, -1.5))
    world.advance(600)
    assert drill.status == "missing_required_fluid"
    world.fluid_source("sulfuric-acid", (-1.5, 0.5))
    world.advance(240 * 10 + 5)  # two seconds of mining time at speed 0.5
    assert world.produced["uranium-ore"] == 10
    assert world.consumed["sulfuric-acid"] == pytest.approx(11)  # one ore is under way
    assert drill.status == "working"


def test_a_drill_without_power_or_ore_says_so(world):
    world.ore("iron-ore", (99, -1, 103, 3), amount=1)
    drill = world.build("electric-mining-drill", (100.5, 0.5))
    world.advance(10)
    assert drill.status == "no_power"
    world.power((102.5, 0.5))
    world.build("steel-chest", (100.5, -1.5))
    world.advance(120 * 20)
    assert drill.status == "no_minable_resources"
    assert world.produced["iron-ore"] == 16
