"""Fluid segments, pumps, pipes to ground, steam, oil and heat."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fle_ray.errors import CannotPlace
from fle_ray.sim import World

from .power_rigs import fluid_held, steam_plant


def shore() -> World:
    """Land east of x = -20, water to the west of it."""
    world = World()
    world.water((-40, -20, -20, 20))
    return world


def tank_of(world: World, fluid: str, amount: float, position: tuple[float, float]):
    """A storage tank holding so much."""
    tank = world.build("storage-tank", position)
    tank.segment.give(fluid, amount, world.data.fluid(fluid).default_temperature)
    return tank


# -- segments --------------------------------------------------------------------------------------------------


def test_joined_pipes_share_one_level_by_volume():
    world = World()
    tank_of(world, "water", 2_510, (1.5, 1.5))  # connections at the north west and south east corners
    pipe = world.build("pipe", (0.5, -0.5))
    # 25,000 and 100 units of volume share 2,510: a tenth each.
    assert pipe.contents()["fluids"]["water"] == pytest.approx(10)
    assert pipe.segment.capacity == 25_100


def test_building_and_removing_conserves_fluid_by_share():
    world = World()
    tank = tank_of(world, "water", 2_510, (1.5, 1.5))
    pipe = world.build("pipe", (0.5, -0.5))
    world.remove(pipe)
    assert tank.contents()["fluids"]["water"] == pytest.approx(2_500)


def test_a_removed_middle_pipe_leaves_two_segments():
    world = World()
    pipes = [world.build("pipe", (0.5 + i, 0.5)) for i in range(5)]
    pipes[0].segment.give("water", 250, 15)
    world.remove(pipes[2])
    assert pipes[0].network == pipes[1].network != pipes[3].network == pipes[4].network
    assert pipes[1].segment.level() == pytest.approx(100)
    assert pipes[3].segment.level() == pytest.approx(100)


def test_pipes_to_ground_join_within_ten_tiles():
    for distance, joined in ((10, True), (11, False)):
        world = World()
        a = world.build("pipe-to-ground", (0.5, 0.5), direction=12)  # opens west, goes under to the east
        b = world.build("pipe-to-ground", (0.5 + distance, 0.5), direction=4)
        assert (a.neighbour is b) == joined
        assert (a.network == b.network) == joined


def test_a_pipe_to_ground_between_two_takes_the_nearer_one_over():
    world = World()
    a = world.build("pipe-to-ground", (0.5, 0.5), direction=12)
    b = world.build("pipe-to-ground", (8.5, 0.5), direction=4)
    middle = world.build("pipe-to-ground", (4.5, 0.5), direction=4)
    assert a.neighbour is middle
    assert b.neighbour is None
    assert a.network == middle.network != b.network
    world.remove(middle)
    assert a.neighbour is b
    assert a.network == b.network


def test_a_pipe_that_would_join_two_fluids_is_refused():
    world = World()
    world.fluid_source("water", (0.5, 0.5))
    world.fluid_source("crude-oil", (2.5, 0.5))
    with pytest.raises(CannotPlace) as refused:
        world.build("pipe", (1.5, 0.5))
    assert refused.value.reason == "fluid-mixing"
    assert world.find((1, 0, 2, 1)) == []


def test_a_recipe_that_would_mix_fluids_is_refused():
    world = World()
    world.research("all")
    refinery = world.build("oil-refinery", (0.5, 0.5))
    world.fluid_source("water", (1.5, 3.5))  # where crude oil goes in
    with pytest.raises(CannotPlace) as refused:
        refinery.set(recipe="basic-oil-processing")
    assert refused.value.reason == "fluid-mixing"


def test_empty_pipes_take_any_fluid():
    world = World()
    world.build("pipe", (1.5, 0.5))
    world.fluid_source("crude-oil", (2.5, 0.5))
    with pytest.raises(CannotPlace):
        world.fluid_source("water", (0.5, 0.5))


def test_turning_a_tank_keeps_its_fluid_and_joins_it_anew():
    world = World()
    tank = tank_of(world, "water", 2_510, (1.5, 1.5))
    pipe = world.build("pipe", (0.5, -0.5))  # at the north west corner
    assert pipe.network == tank.network
    world.rotate(tank, 4)
    assert pipe.network != tank.network
    assert tank.segment.level() + pipe.segment.level() == pytest.approx(2_510)
    world.rotate(tank, 0)
    assert pipe.network == tank.network
    assert tank.segment.level() == pytest.approx(2_510)


def test_turning_a_boiler_disconnects_it():
    world = World()
    plant = steam_plant(world, boilers=1, engines=1)
    world.advance(60)
    boiler = plant["boilers"][0]
    assert boiler.status == "working"
    world.rotate(boiler, 12)
    assert plant["engines"][0].fluid_box.segment is not boiler.steam.segment
    world.rotate(boiler, 4)
    assert plant["engines"][0].fluid_box.segment is boiler.steam.segment
    world.advance(60)
    assert boiler.status == "working"


# -- pumps -----------------------------------------------------------------------------------------------------


def test_an_offshore_pump_alone_does_nothing_and_counts_nothing():
    world = shore()
    world.build("offshore-pump", (-19.5, 0.5), direction=12)
    world.advance(600)
    assert "water" not in world.produced


def test_an_offshore_pump_counts_the_water_that_went_in():
    world = shore()
    world.build("offshore-pump", (-19.5, 0.5), direction=12)
    tank = world.build("storage-tank", (-17.5, 1.5))
    world.advance(100)
    assert world.produced["water"] == pytest.approx(2_000)
    assert tank.segment.level() == pytest.approx(2_000)
    world.advance(3_000)
    assert world.produced["water"] == pytest.approx(25_100)  # the tank and the pump's own box


def test_a_pump_moves_1200_units_a_second_one_way():
    world = World()
    world.power((3.5, -1.5))
    left = tank_of(world, "water", 20_000, (1.5, 1.5))
    pump = world.build("pump", (0.5, -1), direction=0)  # draws in the south, gives in the north
    right = world.build("storage-tank", (1.5, -3.5), direction=4)
    world.advance(1)
    before = right.segment.level()
    world.advance(300)
    assert right.segment.level() - before == pytest.approx(6_000, rel=0.05)
    assert left.segment.level() + right.segment.level() == pytest.approx(20_000)
    world.advance(2_000)
    assert left.segment.level() == pytest.approx(0)
    assert right.segment.level() == pytest.approx(20_000)
    assert pump.status == "no_input_fluid"
    # 20,000 units are 1,000 ticks of 29 kW; the drain of 1 kW never stops.
    assert pump.energy_used == pytest.approx(29_000 * 1_000 / 60 + 1_000 * 2_301 / 60, rel=0.02)


def test_a_pump_without_power_does_not_move_anything():
    world = World()
    left = tank_of(world, "water", 20_000, (1.5, 1.5))
    world.build("pump", (0.5, -1), direction=0)
    world.build("storage-tank", (1.5, -3.5), direction=4)
    world.advance(300)
    assert left.segment.level() == pytest.approx(20_000)


def test_a_pump_keeps_up_with_an_offshore_pump_through_a_single_pipe():
    world = shore()
    world.power((-17.5, -1.5))
    world.build("offshore-pump", (-19.5, 0.5), direction=12)
    world.build("pipe", (-18.5, 0.5))
    world.build("pump", (-17, 0.5), direction=4)
    tank = world.build("storage-tank", (-14.5, 1.5))
    world.advance(60)
    before = tank.segment.level()
    world.advance(600)
    assert tank.segment.level() - before == pytest.approx(12_000, rel=0.02)


# -- steam -----------------------------------------------------------------------------------------------------


def test_a_boiler_needs_water_and_fuel_and_says_what_is_missing():
    world = shore()
    boiler = world.build("boiler", (-16, 2.5), direction=4)
    assert boiler.status == "no_fuel"
    boiler.put("coal", 5)
    world.advance(60)
    assert boiler.status == "no_input_fluid"
    world.build("offshore-pump", (-19.5, 0.5), direction=12)
    for x in (-18.5, -17.5, -16.5):
        world.build("pipe", (x, 0.5))
    world.advance(60)
    assert boiler.status == "working"
    world.advance(600)
    assert boiler.status == "full_output"
    # 200 units of steam at 30 kJ are 6 MJ: two pieces of coal.
    assert boiler.contents()["fuel"] == {"coal": 3}
    assert boiler.energy_used == pytest.approx(6_000_000)


def test_an_idle_boiler_burns_nothing_and_a_busy_one_in_proportion():
    world = World()
    plant = steam_plant(world, boilers=2, engines=2)
    world.build("substation", (-4, -3))
    radar = world.build("radar", (0.5, -5.5))
    world.advance(1000)
    burnt = [b.energy_used for b in plant["boilers"]]
    used = radar.energy_used
    world.advance(6000)
    # 300 kW for 100 s, shared by two boilers.
    assert radar.energy_used - used == pytest.approx(30e6)
    grown = [b.energy_used - before for b, before in zip(plant["boilers"], burnt, strict=True)]
    assert sum(grown) == pytest.approx(30e6, rel=0.001)
    assert grown[0] == pytest.approx(grown[1])


def test_more_engines_than_the_boiler_feeds_give_what_the_boiler_gives():
    world = World()
    steam_plant(world, boilers=1, engines=4)
    world.build("substation", (-4, -3))
    radars = [world.build("radar", (-10.5 + 3 * i, -5.5)) for i in range(6)]
    radars += [world.build("radar", (-10.5 + 3 * i, -8.5)) for i in range(6)]  # 3.6 MW
    world.advance(3000)
    before = sum(r.energy_used for r in radars)
    world.advance(600)
    assert sum(r.energy_used for r in radars) - before == pytest.approx(18e6, rel=0.001)


def test_stored_steam_runs_engines_above_what_the_boiler_gives_until_it_is_gone():
    world = World()
    steam_plant(world, boilers=1, engines=4)
    world.build("substation", (-4, -3))
    world.advance(1500)  # everything full of steam: 1,000 units are 30 MJ
    radars = [world.build("radar", (-10.5 + 3 * i, -5.5 - 3 * k)) for i in range(6) for k in range(2)]
    world.advance(300)
    assert all(r.source.rate() == 1 for r in radars)  # 18 MJ asked for, 9 MJ made, the rest from stock
    world.advance(1500)
    assert radars[0].source.rate() == pytest.approx(0.5)


def test_removing_the_pump_stops_the_plant_when_the_water_is_used_up():
    world = World()
    plant = steam_plant(world)
    world.build("substation", (-4, -3))
    radars = [world.build("radar", (-10.5 + 3 * i, -5.5)) for i in range(6)]  # all a boiler can give
    world.advance(600)
    world.remove(plant["pump"])
    water = fluid_held(world, "water")
    burnt = plant["boilers"][0].energy_used
    world.advance(20_000)
    assert radars[0].status == "no_power"
    assert plant["boilers"][0].energy_used - burnt <= water * 300_000 + 1
    assert plant["boilers"][0].energy_used - burnt >= (water - 1) * 300_000


# -- oil -------------------------------------------------------------------------------------------------------


def test_a_well_gives_less_as_it_is_pumped_but_never_less_than_a_fifth():
    world = World()
    world.well((0.5, 0.5), 60_100)
    pumpjack = world.build("pumpjack", (0.5, 0.5))
    world.power((2.5, 2.5))
    world.build("storage-tank", (2.5, -2.5), direction=4)
    world.advance(30 * 60)
    assert pumpjack.well.amount == 60_000
    before = world.produced["crude-oil"]
    world.advance(600)
    assert world.produced["crude-oil"] - before == pytest.approx(20)


def test_a_pumpjack_stops_when_nothing_takes_its_oil():
    world = World()
    world.well((0.5, 0.5))
    pumpjack = world.build("pumpjack", (0.5, 0.5))
    world.power((2.5, 2.5))
    world.advance(120 * 60)
    assert pumpjack.status == "full_output"
    assert 980 < pumpjack.contents()["fluids"]["crude-oil"] <= 1_000


def test_a_pumpjack_needs_a_well():
    world = World()
    world.ore("iron-ore", (-2, -2, 3, 3))
    with pytest.raises(CannotPlace):
        world.build("pumpjack", (0.5, 0.5))


def test_a_refinery_feeds_a_chemical_plant_that_stands_against_it():
    world = World()
    world.research("all")
    world.power((3.5, 3.5))
    world.fluid_source("crude-oil", (1.5, 3.5))
    world.build("oil-refinery", (0.5, 0.5), recipe="basic-oil-processing")
    world.power((4.5, -3.5))
    # Petroleum leaves at (2.5, -2) to the north; the plant's first input is at its south west, facing south.
    plant = world.build("chemical-plant", (1.5, -3.5), direction=8, recipe="solid-fuel-from-petroleum-gas")
    world.advance(60 * 60)
    assert world.consumed["petroleum-gas"] > 0
    assert plant.contents()["assembling_machine_output"]["solid-fuel"] > 10


# -- heat ------------------------------------------------------------------------------------------------------


def test_a_reactor_burns_a_cell_in_200_seconds_and_heats_its_surroundings():
    world = World()
    reactor = world.build("nuclear-reactor", (0.5, 0.5))
    reactor.put("uranium-fuel-cell", 1)
    world.advance(1)
    assert reactor.status == "working"
    world.advance(60)
    # 40 MW on 10 MJ a degree.
    assert reactor.temperature == pytest.approx(15 + 4, rel=0.05)
    assert reactor.contents() == {}  # the cell burns; what is left of it comes at the end
    world.advance(200 * 60)
    assert reactor.status == "no_fuel"
    assert reactor.contents()["burnt_result"] == {"depleted-uranium-fuel-cell": 1}
    # 8 GJ would be 800 degrees.
    assert reactor.temperature == pytest.approx(815)


def test_neighbouring_reactors_help_each_other():
    world = World()
    pair = [world.build("nuclear-reactor", (0.5 + 5 * i, 0.5)) for i in range(2)]
    for reactor in pair:
        reactor.put("uranium-fuel-cell", 1)
    world.advance(601)
    # 2 * 80 MW on 20 MJ a degree: 8 degrees a second.
    assert pair[0].temperature == pytest.approx(15 + 80, rel=0.01)
    assert pair[0].bonus == 1


def test_an_exchanger_works_only_above_500_degrees():
    world = World()
    world.fluid_source("water", (-1.5, 0.5))
    exchanger = world.build("heat-exchanger", (0.5, 0), direction=0)
    reactor = world.build("nuclear-reactor", (0.5, 3.5))
    reactor.put("uranium-fuel-cell", 1)
    world.build("storage-tank", (-0.5, -3.5))
    steam = []
    for _ in range(40):
        world.advance(600)
        steam.append((reactor.temperature, world.produced.get("steam", 0)))
    assert all(made == 0 for heat, made in steam if heat < 499)
    assert world.produced["steam"] > 0
    world.advance(36_000)
    assert exchanger.status == "full_output"
    spent = world.produced["steam"] * 97_000
    stored = (reactor.temperature - 15) * 11e6
    assert spent + stored == pytest.approx(8e9, rel=1e-6)


# -- properties --------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_fluid_is_conserved_while_pipes_come_and_go(seed):
    draw = random.Random(seed)
    world = World()
    spots = [(x + 0.5, y + 0.5) for x in range(6) for y in range(6)]
    pipes: dict = {}
    total = 0.0
    for _ in range(80):
        spot = draw.choice(spots)
        if spot in pipes and draw.random() < 0.4:
            pipe = pipes.pop(spot)
            total -= pipe.fluid_box.amount
            world.remove(pipe)
        elif spot not in pipes:
            pipes[spot] = world.build("pipe", spot)
        elif draw.random() < 0.5:
            total += pipes[spot].segment.give("water", draw.randrange(200), 15)
        held = fluid_held(world, "water")
        assert held == pytest.approx(total, abs=1e-6)
    keys = {p.network for p in pipes.values()}
    assert keys == set(world.fluids.segments)
    again = World.restore(world.snapshot())
    assert again.digest() == world.digest()


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_oil_is_conserved_through_a_refinery_and_crackers(seed):
    draw = random.Random(seed)
    world = World()
    world.research("all")
    world.power((4.5, 4.5))
    world.power((-8.5, 10.5))
    world.well((-6.5, 10.5), 300_000)
    world.build("pumpjack", (-6.5, 10.5))
    for x in range(-6, 2):
        world.build("pipe", (x + 0.5, 8.5))
    for y in range(3, 8):
        world.build("pipe", (1.5, y + 0.5))
    world.build("oil-refinery", (0.5, 0.5), recipe="advanced-oil-processing")
    world.fluid_source("water", (-0.5, 3.5))
    world.build("storage-tank", (-2.5, -3.5))  # heavy oil
    for y in (-2.5, -3.5, -4.5, -5.5):
        world.build("pipe", (0.5, y))
    world.build("storage-tank", (-0.5, -7.5))  # light oil
    world.build("storage-tank", (3.5, -3.5), direction=4)  # petroleum
    for _ in range(12):
        world.advance(draw.randrange(1, 500))
        for fluid in ("crude-oil", "heavy-oil", "light-oil", "petroleum-gas"):
            made, used = world.produced.get(fluid, 0), world.consumed.get(fluid, 0)
            assert fluid_held(world, fluid) == pytest.approx(made - used, abs=1e-6)
    assert world.produced["light-oil"] > 45


def fluid_works(seed: int) -> World:
    """Pumps between tanks, too little water for two boilers, an exchanger with its reactor, a chemical plant."""
    draw = random.Random(seed)
    world = World()
    world.research("all")
    # A tank is pumped into another, from which two boilers drink; it is refilled too slowly.
    tank_of(world, "water", 40 + draw.randrange(3_000), (1.5, 1.5))
    world.power((-2.5, -0.5))
    world.build("pump", (0.5, -1), direction=0)
    world.build("pipe", (0.5, -2.5))
    for i in range(2):
        boiler = world.build("boiler", (1, -4.5 - 3 * i), direction=4)
        boiler.put("coal", 3 + 20 * i)
        for k in range(2):
            world.build("steam-engine", (4.5 + 5 * k, -4.5 - 3 * i), direction=4)
    world.build("substation", (9, -1))
    world.build("radar", (14.5, -2.5))
    world.build("radar", (14.5, 0.5))
    # Nuclear.
    world.fluid_source("water", (28.5, 0.5))
    world.build("heat-exchanger", (30.5, 0), direction=0)
    world.build("nuclear-reactor", (30.5, 3.5)).put("uranium-fuel-cell", 1)
    world.build("heat-pipe", (27.5, 3.5))
    world.build("steam-turbine", (30.5, -3.5))
    world.build("substation", (34, -4))
    for i in range(4):
        world.build("radar", (37.5 + 3 * i, -4.5))
    # Chemistry, starved of petroleum now and then.
    world.power((53.5, 3.5))
    world.power((54.5, -3.5))
    world.fluid_source("crude-oil", (51.5, 3.5))
    world.build("oil-refinery", (50.5, 0.5), recipe="basic-oil-processing")
    world.build("chemical-plant", (51.5, -3.5), direction=8, recipe="solid-fuel-from-petroleum-gas")
    return world


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 3), ticks=st.integers(0, 9_000))
def test_fluid_works_restored_at_any_tick_go_on_as_if_never_stopped(seed, ticks):
    whole = fluid_works(seed)
    whole.advance(9_000)
    world = fluid_works(seed)
    world.advance(ticks)
    for entity in world.entities.values():  # looking changes nothing
        assert entity.status is not None and entity.energy_used >= 0 and entity.contents() is not None
    assert world.produced is not None
    again = World.restore(world.snapshot())
    assert again.digest() == world.digest()
    again.advance(9_000 - ticks)
    assert again.digest() == whole.digest()


_BUILDINGS = ("pipe",) * 6 + ("pipe-to-ground",) * 3 + (
    "storage-tank", "boiler", "steam-engine", "pump", "heat-exchanger", "heat-pipe", "nuclear-reactor",
    "oil-refinery", "chemical-plant", "offshore-pump", "assembling-machine-2", "pumpjack", "steam-turbine",
)  # fmt: skip
_RECIPES = {
    "oil-refinery": ("basic-oil-processing", "advanced-oil-processing", "coal-liquefaction"),
    "chemical-plant": ("sulfur", "heavy-oil-cracking", "light-oil-cracking", "plastic-bar"),
    "assembling-machine-2": ("concrete", "empty-water-barrel", "water-barrel"),
}


def one_fluid_each(world: World) -> None:
    """No segment is over-full or under-full, and none is joined to two fluids."""
    for segment in world.fluids.segments.values():
        level = segment.level()
        assert 0 <= level <= segment.capacity
        carried = {box.fluid for box in (*segment.ports, *segment.boxes) if box.fluid is not None}
        assert len(carried) <= 1
        assert not carried or level < 1e-6 or segment.fluid in carried


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_whatever_is_built_turned_and_torn_keeps_fluids_apart_and_is_restored_as_it_is(seed):
    draw = random.Random(seed)
    world = World()
    world.research("all")
    world.water((-12, -14, -8, 14))
    world.build("substation", (0, 0), endless=True)
    for well in ((10.5, 10.5), (4.5, 9.5)):
        world.well(well)
    built: list = []
    for _ in range(120):
        what = draw.random()
        spot = (draw.randrange(-9, 13) + 0.5, draw.randrange(-12, 13) + 0.5)
        try:
            if what < 0.7:
                name = draw.choice(_BUILDINGS)
                options = {"recipe": draw.choice(_RECIPES[name])} if name in _RECIPES and what < 0.6 else {}
                if name == "pumpjack":
                    spot = draw.choice(((10.5, 10.5), (4.5, 9.5)))
                entity = world.build(name, spot, draw.choice((0, 4, 8, 12)), **options)
                built.append(entity)
                for item in ("coal", "uranium-fuel-cell", "iron-plate", "sulfur", "stone-brick", "barrel"):
                    entity.put(item, 20)
            elif what < 0.8 and built:
                world.remove(built.pop(draw.randrange(len(built))))
            elif what < 0.87 and built:
                world.rotate(draw.choice(built), draw.choice((0, 4, 8, 12)))
            elif what < 0.92:
                fluid = draw.choice(("water", "crude-oil", "steam", "heavy-oil"))
                built.append(world.fluid_source(fluid, spot, draw.choice((None, 165, 500))))
            elif built and built[-1].name in _RECIPES:
                built[-1].set(recipe=draw.choice(_RECIPES[built[-1].name]))
        except CannotPlace:
            pass  # in the way, or it would mix fluids
        world.advance(draw.randrange(0, 60))
        one_fluid_each(world)
    again = World.restore(world.snapshot())
    assert again.digest() == world.digest()
    world.advance(700)
    again.advance(700)
    assert again.digest() == world.digest()
