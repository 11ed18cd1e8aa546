"""Conformance rows on electricity, fluids and heat."""

from __future__ import annotations

import pytest

from fle_ray.errors import CannotPlace
from fle_ray.sim import World

SECOND = 60
MINUTE = 60 * SECOND


def steam_plant(world: World, engines: int = 2) -> tuple:
    """An offshore pump, a boiler and some engines in a row; returns (pump, boiler, engines)."""
    world.water((-30, -10, -20, 10))
    pump = world.build("offshore-pump", (-19.5, 0.5), direction=12)
    for x in (-18.5, -17.5, -16.5):
        world.build("pipe", (x, 0.5))
    boiler = world.build("boiler", (-16.5, 2), direction=4)
    row = [world.build("steam-engine", (-12.5 + 5 * i, 2.5), direction=4) for i in range(engines)]
    return pump, boiler, row


def load_of(world: World, centre: tuple[float, float], megawatts: float) -> list:
    """A substation and round it radars (300 kW each, always on) that draw that much, 9.6 MW at most."""
    x, y = centre
    world.build("substation", centre)
    spots = [(dx, dy) for dx in range(-8, 9, 3) for dy in range(-8, 9, 3) if abs(dx) > 2 or abs(dy) > 2]
    radars = [world.build("radar", (x + dx + 0.5, y + dy + 0.5)) for dx, dy in spots[: round(megawatts / 0.3)]]
    assert len(radars) == round(megawatts / 0.3)
    return radars


def used_by(entities: list) -> float:
    return sum(e.energy_used for e in entities)


# -- electricity -----------------------------------------------------------------------------------------------


def test_s09_an_electric_drill_at_full_power_mines_1800_ore_an_hour():
    world = World()
    world.ore("iron-ore", (-2, -2, 3, 3))
    drill = world.build("electric-mining-drill", (0.5, 0.5), direction=0)
    chest = world.build("steel-chest", (0.5, -1.5))
    world.power((2.5, 0.5))
    world.advance(60 * MINUTE)
    mined = world.produced["iron-ore"]
    assert mined == pytest.approx(1800, rel=0.002)
    # A wooden chest holds 16 stacks of 50; the drill went on until then.
    assert chest.contents()["inventory"]["iron-ore"] <= 800 or mined <= 1800
    assert drill.energy_used <= 90_000 * 3600 * 1.001


def hand_of_three(world: World) -> None:
    """Research that gives ordinary inserters a hand of three."""
    world.research("all")
    assert world.force.bonuses["inserter-stack-size-bonus"] == 2


def test_s19_a_fast_inserter_with_a_hand_of_3_moves_7_5_items_a_second_between_chests():
    world = World()
    hand_of_three(world)
    world.power((2.5, 0.5))
    source = world.build("steel-chest", (0.5, -0.5))
    target = world.build("steel-chest", (0.5, 1.5))
    inserter = world.build("fast-inserter", (0.5, 0.5), direction=0)  # picks up in the north
    source.put("iron-plate", 4_800)
    world.advance(60)
    before = target.contents()["inventory"]["iron-plate"]
    energy = inserter.energy_used
    world.advance(MINUTE)
    moved = target.contents()["inventory"]["iron-plate"] - before
    assert moved / 60 == pytest.approx(7.5, rel=0.02)
    # Each way takes 12 steps of 0.04 turn and one step of 0.1 tile, at 7 kJ a turn and a tile (the arm rule);
    # the drain is 500 W.
    cycle_j = 2 * 7_000 * (12 * 0.04 + 0.1)
    assert inserter.energy_used - energy == pytest.approx(moved / 3 * cycle_j + 500 * 60, rel=0.001)


def test_s20_a_fast_inserter_with_a_hand_of_3_puts_5_6_items_a_second_on_a_yellow_belt():
    world = World()
    hand_of_three(world)
    world.power((2.5, -0.5))
    source = world.build("steel-chest", (0.5, -0.5))
    source.put("iron-plate", 4_800)
    world.build("fast-inserter", (0.5, 0.5), direction=0)
    world.belt([(-3.5, 1.5), (300.5, 1.5)])
    world.advance(60)
    before = source.contents()["inventory"]["iron-plate"]
    world.advance(MINUTE // 2)
    moved = before - source.contents()["inventory"]["iron-plate"]
    assert 5.2 <= moved / 30 <= 5.7


def test_s41_a_solar_panel_gives_42_kw_over_whole_days_and_60_kw_with_always_day():
    for always_day, watts, tolerance in ((False, 42_000, 0.01), (True, 60_000, 0)):
        world = World()
        world.always_day = always_day
        world.build("solar-panel", (0.5, 0.5))
        world.build("medium-electric-pole", (2.5, 0.5))
        # A furnace that wants more than the panel can ever give: it uses all there is.
        furnaces = [world.build("electric-furnace", (4.5, -2.5 + 4 * i)) for i in range(2)]
        for furnace in furnaces:
            furnace.put("iron-ore", 54)
        world.advance(1)
        before = used_by(furnaces)
        day = 25_200
        ticks = 0
        while ticks < 2 * day:
            for furnace in furnaces:
                furnace.put("iron-ore", 54)
                furnace.take("iron-plate", 100)
            world.advance(600)
            ticks += 600
        mean = (used_by(furnaces) - before) / (ticks / SECOND)
        assert mean == pytest.approx(watts, rel=max(tolerance, 1e-9))


def test_s42_an_electric_furnace_on_60_kw_makes_a_plate_per_297_6_ticks():
    world = World()
    world.always_day = True
    world.build("solar-panel", (0.5, 0.5))
    world.build("medium-electric-pole", (2.5, 0.5))
    furnace = world.build("electric-furnace", (4.5, 0.5))
    furnace.put("iron-ore", 50)
    world.advance(298 * 40)
    # 3.2 s at speed 2 are 96 ticks; 186 kW are asked for and 60 kW had: 96 * 186 / 60 = 297.6.
    assert world.produced["iron-plate"] == pytest.approx(298 * 40 / 297.6, abs=1)
    assert furnace.status == "low_power"


def test_s43_an_empty_accumulator_with_ample_surplus_is_full_after_1000_ticks():
    world = World()
    accumulator = world.build("accumulator", (0, 0))
    world.power((1.5, 0.5))
    world.advance(1)
    before = accumulator.energy
    world.advance(999)
    assert accumulator.energy == pytest.approx(before + 999 * 5000)
    world.advance(1)
    assert accumulator.energy == pytest.approx(5_000_000)
    world.advance(10)
    assert accumulator.energy == 5_000_000


def test_s44_small_poles_reach_7_5_tiles_and_supply_a_5x5_square():
    world = World()
    first = world.build("small-electric-pole", (0.5, 0.5))
    near = world.build("small-electric-pole", (5.0, 6.5))  # snaps to (5.5, 6.5): sqrt(25 + 36) = 7.81
    assert near.network != first.network
    world.remove(near)
    near = world.build("small-electric-pole", (4.5, -5.5))  # sqrt(16 + 36) = 7.21
    assert near.network == first.network
    apart = [(7, 0, True), (7, 2, True), (7, 3, False), (5, 5, True), (6, 5, False), (8, 0, False)]
    for dx, dy, wired in apart:
        world = World()
        a = world.build("small-electric-pole", (0.5, 0.5))
        b = world.build("small-electric-pole", (0.5 + dx, 0.5 + dy))
        assert (a.network == b.network) == wired, (dx, dy)
        assert wired == ((dx * dx + dy * dy) ** 0.5 <= 7.5)


def test_s44_a_machine_touching_the_supply_square_has_power_and_one_outside_has_not():
    world = World()
    world.build("small-electric-pole", (0.5, 0.5))  # its square covers x from -2 to 3
    touching = world.build("assembling-machine-1", (4.5, 0.5), recipe="iron-gear-wheel")  # from x = 3.3 on
    world.build("small-electric-pole", (20.5, 0.5))  # to x = 23
    inside = world.build("assembling-machine-1", (23.5, 0.5), recipe="iron-gear-wheel")  # from 22.3 on
    assert touching.network is None
    assert touching.status == "no_power"
    assert inside.network is not None
    assert inside.status == "no_power"


# -- steam -----------------------------------------------------------------------------------------------------


def test_s39_a_boiler_with_two_engines_at_full_load():
    world = World()
    _, boiler, engines = steam_plant(world)
    boiler.put("coal", 50)
    world.build("substation", (-9, 6))
    load = load_of(world, (-9, 20), 3.0)  # more than the plant can give
    world.advance(10 * SECOND)
    coal = world.consumed["coal"]
    water, steam, energy = world.consumed["water"], world.produced["steam"], used_by(load)
    seconds = 80
    world.advance(seconds * SECOND)
    assert (world.consumed["coal"] - coal) / seconds == pytest.approx(0.45, rel=0.005)
    assert (world.consumed["water"] - water) / seconds == pytest.approx(6, rel=0.005)
    assert (world.produced["steam"] - steam) / seconds == pytest.approx(60, rel=0.005)
    assert (used_by(load) - energy) / seconds == pytest.approx(1_800_000, rel=0.005)
    assert [e.status for e in engines] == ["working", "working"]
    assert sum(e.output_w for e in engines) == pytest.approx(1_800_000)


def test_s40_an_offshore_pump_feeds_200_boilers_and_400_engines():
    world = World()
    data = world.data
    pump = data.entity("offshore-pump").pump.pumping_speed * 60  # 1,200 a second
    boiler = data.entity("boiler").boiler.energy_consumption_w
    steam = data.fluid("steam").heat_capacity_j * (165 - 15)
    # 1.8 MW heat 60 steam a second, ten from each water: 6 water a second.
    assert pump / (boiler / steam / 10) == 200
    assert boiler * 200 / data.generator_max_power_w("steam-engine") == 400
    # And so it runs: a row of boilers on one pump gets all the water it can use up to 200, and less beyond.
    for count, steam_made in ((20, 1_200), (240, 12_000)):
        world = World()
        world.water((-30, -10, -20, 10))
        world.build("offshore-pump", (-19.5, 0.5), direction=12)
        boilers = [world.build("boiler", (-17.5 + 3 * i, 0), direction=0) for i in range(count)]
        for b in boilers:
            b.put("coal", 50)
        world.advance(60)
        before = world.produced["steam"]
        world.advance(60)
        made = world.produced["steam"] - before
        assert made == pytest.approx(steam_made)


# -- fluids ----------------------------------------------------------------------------------------------------


def test_s12_a_pumpjack_on_a_full_well_gives_600_crude_oil_a_minute():
    world = World()
    world.well((0.5, 0.5))
    world.build("pumpjack", (0.5, 0.5))
    world.power((2.5, 2.5))
    tank = world.build("storage-tank", (2.5, -2.5), direction=4)
    world.advance(5)
    world.advance(MINUTE)
    assert tank.contents()["fluids"]["crude-oil"] == pytest.approx(600, rel=0.01)
    assert world.produced["crude-oil"] == pytest.approx(600, rel=0.01)


def test_s45_an_offshore_pump_fills_a_tank_in_1250_ticks():
    world = World()
    world.water((-30, -10, -20, 10))
    world.build("offshore-pump", (-19.5, 0.5), direction=12)
    tank = world.build("storage-tank", (-17.5, 1.5), direction=0)
    world.advance(1250)
    assert tank.contents()["fluids"]["water"] == pytest.approx(25_000, rel=0.01)
    world.advance(13)
    assert tank.contents()["fluids"]["water"] == pytest.approx(25_000)


@pytest.mark.parametrize(("length", "flows"), [(300, True), (320, True), (321, False), (330, False)])
def test_s48_a_pipe_line_flows_up_to_320_tiles(length, flows):
    world = World()
    world.fluid_source("water", (0.5, 0.5))
    pipes = [world.build("pipe", (0.5 + i, 0.5)) for i in range(1, length)]
    boiler = world.build("boiler", (length + 0.5 + 0.5, 0.5 - 0.5), direction=0)
    world.advance(60)
    assert ("water" in boiler.contents().get("fluids", {})) == flows
    assert (pipes[-1].network == pipes[0].network) is True


# -- nuclear ---------------------------------------------------------------------------------------------------


def test_s54_a_heat_exchanger_at_full_load_and_the_turbines_it_feeds():
    world = World()
    world.fluid_source("water", (-1.5, 0.5))
    exchanger = world.build("heat-exchanger", (0.5, 0), direction=0)
    reactor = world.build("nuclear-reactor", (0.5, 3.5))
    reactor.put("uranium-fuel-cell", 5)
    turbines = [world.build("steam-turbine", (0.5, -3.5 - 5 * i), direction=0) for i in range(2)]
    world.build("substation", (4, -4))
    load = [*load_of(world, (20, -4), 7.5), *load_of(world, (38, -4), 7.5)]
    assert exchanger.status == "low_temperature"
    world.advance(160 * SECOND)  # 485 degrees at 10 MJ each and a bit take 40 MW two minutes
    assert reactor.temperature >= 500
    assert exchanger.status == "working"
    water, steam, energy = world.consumed["water"], world.produced["steam"], used_by(load)
    seconds = 30
    world.advance(seconds * SECOND)
    assert (world.consumed["water"] - water) / seconds == pytest.approx(10.31, rel=0.005)
    assert (world.produced["steam"] - steam) / seconds == pytest.approx(103.1, rel=0.005)
    given = (used_by(load) - energy) / seconds
    assert given == pytest.approx(10_000_000, rel=0.005)
    # One turbine can use 60 steam a second: 1.72 of them use up what the exchanger makes.
    rated = world.data.generator_max_power_w("steam-turbine")
    assert rated == pytest.approx(5_820_000)
    assert given / rated == pytest.approx(1.72, rel=0.005)
    assert exchanger.energy_used > 0
    assert [t.status for t in turbines] == ["working", "working"]


def test_two_different_fluids_cannot_be_joined():
    world = World()
    world.fluid_source("water", (0.5, 0.5))
    world.fluid_source("crude-oil", (2.5, 0.5))
    with pytest.raises(CannotPlace) as refused:
        world.build("pipe", (1.5, 0.5))
    assert refused.value.reason == "fluid-mixing"
