"""Conformance rows on crafting machines, modules, research and the rocket (mechanics section 21)."""

from __future__ import annotations

import pytest

from fle_ray.sim import World

SECOND = 60
MINUTE = 60 * SECOND


@pytest.fixture
def world():
    return World(scenario="empty", seed=0)


def powered(world: World, left: int, right: int, y: float) -> None:
    """A row of endless poles in reach of everything within three tiles of it."""
    for x in range(left, right + 1, 6):
        world.power((x + 0.5, y))


def keep_fed(world: World, ticks: int, every: int, feeds, takes) -> dict[str, int]:
    """Advance, filling machines up and emptying them every so often; returns what was taken out."""
    taken: dict[str, int] = {}
    for _ in range(ticks // every):
        for machine, item in feeds:
            machine.put(item, 10_000)
        world.advance(every)
        for machine, item in takes:
            taken[item] = taken.get(item, 0) + machine.take(item, 10_000)
    return taken


def first_tick(world: World, happened, limit: int) -> int:
    """The first tick after which `happened()` holds, at most `limit` ticks from now."""
    while not happened():
        assert limit > 0, "it did not happen in time"
        limit -= 1
        world.advance(1)
    return world.tick


# -- furnaces --------------------------------------------------------------------------------------------------


def test_s16_a_stone_furnace_makes_one_steel_of_five_plates_every_960_ticks(world):
    world.research("steel-processing")
    furnace = world.build("stone-furnace", (0, 0))
    furnace.put("coal", 10)
    furnace.put("iron-plate", 50)
    ticks = []
    for count in (1, 2, 3):
        done = lambda n=count: furnace.contents().get("furnace_result", {}).get("steel-plate", 0) == n  # noqa: E731
        ticks.append(first_tick(world, done, 2000))
    assert [b - a for a, b in zip(ticks, ticks[1:], strict=False)] == [960, 960]
    # The fourth five left the source slot as the third steel appeared.
    assert furnace.contents()["furnace_source"] == {"iron-plate": 50 - 4 * 5}


def test_s16_plates_stay_plates_while_steel_is_not_known(world):
    furnace = world.build("stone-furnace", (0, 0))
    furnace.put("coal", 10)
    assert furnace.put("iron-plate", 50) == 0


def test_s42_an_electric_furnace_on_60_kw_makes_a_plate_every_297_6_ticks(world):
    world.always_day = True
    world.build("solar-panel", (4.5, 0.5))  # 60 kW
    world.build("medium-electric-pole", (2.5, 0.5))
    furnace = world.build("electric-furnace", (0.5, 0.5))
    world.advance(10)
    assert furnace.put("iron-ore", 50) == 50
    first_tick(world, lambda: world.produced.get("iron-plate", 0) == 1, 400)
    begin = world.tick
    end = first_tick(world, lambda: world.produced["iron-plate"] == 31, 30 * 320)
    # 180 kW and 6 kW of drain on 60 kW: 96 ticks a plate at full power take 96 * 186 / 60.
    assert (end - begin) / 30 == pytest.approx(297.6, rel=0.01)
    assert furnace.status == "low_power"


# -- assembling machines ------------------------------------------------------------------------------------------


def test_s26_an_unpowered_assembling_machine_takes_six_plates_from_an_inserter(world):
    machine = world.build("assembling-machine-1", (0.5, 0.5), recipe="iron-gear-wheel")
    chest = world.build("wooden-chest", (0.5, -2.5))
    inserter = world.build("burner-inserter", (0.5, -1.5), direction=0)  # picks up in the north
    chest.put("iron-plate", 50)
    inserter.put("coal", 5)
    world.advance(2 * MINUTE)
    assert machine.contents() == {"assembling_machine_input": {"iron-plate": 6}}
    assert machine.status == "no_power"


def test_s35_an_assembling_machine_1_makes_600_gears_in_ten_minutes(world):
    powered(world, 0, 0, 2.5)
    machine = world.build("assembling-machine-1", (0.5, 0.5), recipe="iron-gear-wheel")
    taken = keep_fed(world, 10 * MINUTE, 10 * SECOND, [(machine, "iron-plate")], [(machine, "iron-gear-wheel")])
    assert taken["iron-gear-wheel"] == pytest.approx(600, abs=2)


def test_s36_three_cable_machines_keep_two_circuit_machines_busy(world):
    """Cables go over directly: 3 cable machines above, 2 circuit machines below, inserters between."""
    powered(world, -6, 12, 2.5)
    cables = [world.build("assembling-machine-1", (x, 0.5), recipe="copper-cable") for x in (0.5, 4.5, 8.5)]
    circuits = [world.build("assembling-machine-1", (x, 4.5), recipe="electronic-circuit") for x in (2.5, 6.5)]
    for x in (1.5, 3.5, 5.5, 7.5):  # the middle machine feeds both, the outer ones their neighbour twice
        world.build("fast-inserter", (x, 2.5), direction=0)
    feeds = [(m, "copper-plate") for m in cables] + [(m, "iron-plate") for m in circuits]
    takes = [(m, "electronic-circuit") for m in circuits]
    keep_fed(world, MINUTE, 5 * SECOND, feeds, takes)
    taken = keep_fed(world, 10 * MINUTE, 5 * SECOND, feeds, takes)
    assert taken["electronic-circuit"] == pytest.approx(1200, rel=0.01)


def test_s37_an_assembling_machine_2_stops_at_100_gears(world):
    powered(world, 0, 0, 2.5)
    machine = world.build("assembling-machine-2", (0.5, 0.5), recipe="iron-gear-wheel")
    for _ in range(10):
        machine.put("iron-plate", 100)
        world.advance(20 * SECOND)
    assert machine.contents()["assembling_machine_output"] == {"iron-gear-wheel": 100}
    assert machine.status == "full_output"
    assert world.produced == {"iron-gear-wheel": 100}


def test_s38_one_gear_machine_keeps_ten_science_machines_busy(world):
    """The gears go along a belt that passes all ten; copper and iron plates are put in by hand."""
    world.power((-1.5, 1.5))
    gears = world.build("assembling-machine-1", (-3.5, 0.5), recipe="iron-gear-wheel")
    world.build("fast-inserter", (-1.5, 0.5), direction=12)
    world.belt([(-0.5, 0.5), (-0.5, 2.5), (40.5, 2.5)])
    science = []
    for i in range(10):
        science.append(world.build("assembling-machine-1", (1.5 + 4 * i, 5.5), recipe="automation-science-pack"))
        world.build("inserter", (1.5 + 4 * i, 3.5), direction=0)  # from the belt into the machine below
        world.power((3.5 + 4 * i, 4.5))
    feeds = [(gears, "iron-plate")] + [(machine, "copper-plate") for machine in science]
    takes = [(machine, "automation-science-pack") for machine in science]
    for machine in science:
        machine.put("iron-gear-wheel", 2)
    keep_fed(world, 2 * MINUTE, 10 * SECOND, feeds, takes)
    taken = keep_fed(world, 10 * MINUTE, 10 * SECOND, feeds, takes)
    assert taken["automation-science-pack"] == pytest.approx(600, rel=0.01)
    assert all(machine.busy for machine in science)


# -- modules and beacons ------------------------------------------------------------------------------------------


def test_s50_eight_beacons_with_two_speed_3_modules_each_give_424_2_percent(world):
    powered(world, -12, 12, 2.5)
    machine = world.build("assembling-machine-3", (0.5, 0.5), recipe="iron-gear-wheel")
    for x in (-4.5, -1.5, 1.5, 4.5):
        for y in (-2.5, 5.5):
            world.build("beacon", (x, y), modules=["speed-module-3"] * 2)
    powered(world, -12, 12, -4.5)
    powered(world, -12, 12, 7.5)
    world.advance(5)
    assert len(machine.modules.beacons) == 8
    assert machine.speed / 1.25 - 1 == pytest.approx(4.242, abs=0.001)


def test_s51_two_speed_1_modules_make_an_assembling_machine_2_run_at_1_05_on_twice_the_power(world):
    powered(world, 0, 0, 2.5)
    world.power((10.5, 2.5))
    with_modules = world.build(
        "assembling-machine-2", (0.5, 0.5), recipe="iron-gear-wheel", modules=["speed-module"] * 2
    )
    plain = world.build("assembling-machine-2", (10.5, 0.5), recipe="iron-gear-wheel")
    assert with_modules.speed == 1.05
    assert plain.speed == 0.75
    for machine in (with_modules, plain):
        machine.put("iron-plate", 100)
    world.advance(1)  # the network is up and both are at work
    before = [m.energy_used for m in (with_modules, plain)]
    world.advance(60)
    used = [m.energy_used - b for m, b in zip((with_modules, plain), before, strict=True)]
    drain = 5_000  # joules in these 60 ticks, the same with modules
    assert used[0] - drain == pytest.approx(2 * (used[1] - drain))
    assert used[1] == pytest.approx(155_000)


# -- oil ----------------------------------------------------------------------------------------------------------


def test_s46_a_refinery_makes_5400_petroleum_of_12000_crude_in_ten_minutes(world):
    world.power((-2.5, 0.5))
    refinery = world.build("oil-refinery", (0.5, 0.5), direction=0, recipe="basic-oil-processing")
    world.fluid_source("crude-oil", (1.5, 3.5))  # at the second inlet, in the south
    tank = world.build("storage-tank", (1.5, -4.5), direction=0)
    world.build("pipe", (2.5, -2.5))
    world.advance(2)
    before = dict(world.produced), dict(world.consumed)
    world.advance(10 * MINUTE)
    assert world.produced["petroleum-gas"] - before[0].get("petroleum-gas", 0) == pytest.approx(5400, rel=0.01)
    assert world.consumed["crude-oil"] - before[1].get("crude-oil", 0) == pytest.approx(12_000, rel=0.01)
    held = tank.contents()["fluids"]["petroleum-gas"]
    assert held == pytest.approx(5400, rel=0.03)  # some of it stands in the pipe
    assert refinery.status == "working"


def oil_complex(world: World, refineries: int, heavy: int, light: int) -> tuple[list, list]:
    """Refineries in a row, lines of pipe for their three oils to the north, crackers north of those.

    Everything cracks: heavy oil to light, light oil to petroleum, which ends in tanks. Returns the refineries and
    the crackers.
    """
    heavy_y, light_y, petroleum_y, plants_y, top_y = -5, -7, -9, -13, -15  # tile rows
    first, last = -3, 6 * refineries + 5

    def pipes(columns, rows) -> None:
        for x in columns:
            for y in rows:
                world.build("pipe", (x + 0.5, y + 0.5))

    def under(x: int, start: int, end: int) -> None:
        """A pipe-to-ground pair in a column, its outer ends open."""
        up = end < start
        world.build("pipe-to-ground", (x + 0.5, start + 0.5), direction=8 if up else 0)
        world.build("pipe-to-ground", (x + 0.5, end + 0.5), direction=0 if up else 8)

    pipes(range(last - 1), [heavy_y])
    pipes(range(first, last - 1), [light_y])
    pipes(range(last + 1), [petroleum_y])
    towers = []
    for i in range(refineries):
        x = 6 * i + 3
        world.power((x - 2.5, 0.5))
        towers.append(world.build("oil-refinery", (x + 0.5, 0.5), direction=0, recipe="advanced-oil-processing"))
        world.fluid_source("water", (x - 0.5, 3.5))
        world.fluid_source("crude-oil", (x + 1.5, 3.5))
        under(x - 2, -3, heavy_y + 1)
        under(x, -3, light_y + 1)
        under(x + 2, -3, petroleum_y + 1)
    crackers = []
    columns = [1 + 4 * k for k in range(heavy)] + [25 + 4 * k for k in range(light)]
    for k, x in enumerate(columns):
        recipe, line = ("heavy-oil-cracking", heavy_y) if k < heavy else ("light-oil-cracking", light_y)
        crackers.append(world.build("chemical-plant", (x + 0.5, plants_y + 0.5), direction=8, recipe=recipe))
        world.fluid_source("water", (x + 1.5, plants_y + 2.5))
        under(x - 1, plants_y + 2, line - 1)
        world.power((x + 2.5, plants_y + 0.5))
    pipes(range(first, 4 * heavy + 1), [top_y])
    pipes([first], range(top_y + 1, light_y))
    pipes(range(24, last + 1), [top_y])
    pipes([last], range(top_y + 1, petroleum_y))
    for k in range(8):
        world.build("storage-tank", (last + 2.5 + 3 * k, petroleum_y + 1.5 + 2 * k), direction=0)
    return towers, crackers


def test_s47_twenty_refineries_five_heavy_and_seventeen_light_crackers_make_390_petroleum_a_second(world):
    towers, crackers = oil_complex(world, refineries=20, heavy=5, light=17)
    world.advance(MINUTE)
    before = dict(world.produced)
    world.advance(2 * MINUTE)
    made = {name: (amount - before[name]) / 120 for name, amount in world.produced.items()}
    assert made["petroleum-gas"] == pytest.approx(390, rel=0.01)
    assert made["heavy-oil"] == pytest.approx(100, rel=0.01)
    assert made["light-oil"] == pytest.approx(255, rel=0.01)
    assert {machine.status for machine in towers + crackers} == {"working"}
    for segment in world.fluids.segments.values():
        if segment.fluid in ("heavy-oil", "light-oil"):
            assert segment.level() < 0.05 * segment.capacity  # nothing piles up


# -- research -----------------------------------------------------------------------------------------------------


def test_s49_automation_takes_one_lab_6000_ticks_and_ten_packs(world):
    powered(world, 0, 0, 2.5)
    lab = world.build("lab", (0.5, 0.5))
    world.advance(1)
    world.start_research("automation")
    assert lab.put("automation-science-pack", 15) == 15
    begin = world.tick
    end = first_tick(world, lambda: "automation" in world.force.researched, 6010)
    assert end - begin == pytest.approx(6000, abs=2)
    assert lab.contents()["lab_input"] == {"automation-science-pack": 5}
    assert world.consumed == {"automation-science-pack": 10}


# -- rocket -------------------------------------------------------------------------------------------------------


def test_s55_a_silo_with_four_productivity_3_modules_needs_72_crafts_of_450_ticks(world):
    powered(world, -6, 6, 6.5)
    silo = world.build("rocket-silo", (0.5, 0.5), modules=["productivity-module-3"] * 4)
    world.advance(1)
    parts = ("processing-unit", "low-density-structure", "rocket-fuel")
    begin = world.tick
    ends = []
    while silo.stage == "crafting":
        for item in parts:
            silo.put(item, 1000)
        before = silo.parts
        world.advance(1)
        if silo.parts > before:
            ends.append(world.tick - begin)
        assert world.tick - begin < 73 * 450
    assert silo.speed == 0.4
    assert ends == [450 * n for n in range(1, 73)]
    assert world.consumed == dict.fromkeys(parts, 720)
    assert world.produced == {"rocket-part": 100}
