"""Electric networks: who is in them, who gets how much, and that energy adds up."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fle_ray.errors import CannotPlace
from fle_ray.sim import World

from .power_rigs import (
    electricity_stored,
    electricity_used,
    fuel_burnt,
    mixed_factory,
    steam_held,
    steam_plant,
)


def solar_world(panels: int) -> World:
    """Panels of 60 kW each in steady light, and a substation at (0, 0)."""
    world = World()
    world.always_day = True
    world.build("substation", (0, 0))
    for i in range(panels):
        world.build("solar-panel", (-7.5 + 3 * i, -4.5))
    return world


# -- sharing ---------------------------------------------------------------------------------------------------


def test_all_consumers_get_the_same_share_when_supply_falls_short():
    world = solar_world(3)  # 180 kW
    radars = [world.build("radar", (-7.5 + 3 * i, 4.5)) for i in range(3)]  # 900 kW
    world.advance(600)
    used = [r.energy_used for r in radars]
    assert used[0] == used[1] == used[2]
    assert sum(used) == pytest.approx(180_000 * 10, rel=0.005)
    assert [r.status for r in radars] == ["low_power"] * 3


def test_a_machine_at_a_third_of_its_power_takes_three_times_as_long():
    world = solar_world(1)  # 60 kW for a machine that asks for 77.5 kW, and a radar
    machine = world.build("assembling-machine-1", (4.5, 4.5), recipe="iron-gear-wheel")
    machine.put("iron-plate", 20)
    world.build("radar", (-4.5, 4.5))  # together 377.5 kW
    world.advance(2)
    world.advance(round(60 * 377.5 / 60) - 2)
    assert machine.contents().get("assembling_machine_output", {}) == {}
    world.advance(4)
    assert machine.contents()["assembling_machine_output"] == {"iron-gear-wheel": 1}


def test_the_rocket_silo_is_served_before_others():
    world = solar_world(5)  # 300 kW
    world.research("all")
    silo = world.build("rocket-silo", (0.5, 6.5))
    radar = world.build("radar", (-7.5, 4.5))
    world.advance(60)
    assert silo.source.rate() == 1
    assert 0.95 < radar.source.rate() < 1  # all but the silo's drain of 8.3 kW: 291.7 of 300 kW
    assert radar.source.rate() == pytest.approx((300 - 250 / 30) / 300)


def test_drain_is_drawn_all_the_time_and_use_only_at_work():
    world = World()
    world.power((2.5, 0.5))
    machine = world.build("assembling-machine-1", (0.5, 0.5), recipe="iron-gear-wheel")
    world.advance(1)
    before = machine.energy_used
    world.advance(600)
    assert machine.energy_used - before == pytest.approx(2_500 * 10)
    machine.put("iron-plate", 4)  # two crafts of one second each at speed 0.5
    world.advance(600)
    crafts_ticks = 120
    assert machine.energy_used - before == pytest.approx(2_500 * 20 + 75_000 * crafts_ticks / 60)


def test_solar_comes_before_steam_and_accumulators_last():
    world = World()
    world.always_day = True
    plant = steam_plant(world)
    world.build("substation", (-4, -3))
    accumulator = world.build("accumulator", (-2, -7))
    world.build("solar-panel", (-9.5, -5.5))
    world.advance(2000)  # full of steam, full accumulator
    assert accumulator.energy == 5_000_000
    radar = world.build("radar", (0.5, -5.5))  # 300 kW: 60 from the sun, 240 from steam
    burnt, held = fuel_burnt(world), steam_held(world)
    world.advance(600)
    assert fuel_burnt(world) - burnt - (steam_held(world) - held) == pytest.approx(240_000 * 10, rel=0.005)
    assert accumulator.energy == 5_000_000
    for boiler in plant["boilers"]:
        world.remove(boiler)
    world.advance(1)
    while steam_held(world) > 1e6:
        world.advance(60)
    world.advance(400)
    assert accumulator.status == "discharging"
    assert radar.status == "working"
    world.advance(1200)  # 4.9 MJ at 240 kW last 20 s
    assert accumulator.energy == 0
    assert radar.source.rate() == pytest.approx(0.2)


def test_accumulators_charge_from_surplus_steam():
    world = World()
    steam_plant(world)
    world.build("substation", (-4, -3))
    accumulator = world.build("accumulator", (-2, -7))
    world.advance(1200)
    assert accumulator.energy == 5_000_000


def test_panels_and_accumulators_carry_a_steady_load_through_the_night():
    world = World()
    world.build("substation", (0, 0))
    for i in range(8):  # 480 kW at noon
        world.build("solar-panel", (-4.5 + 3 * (i % 4), -4.5 - 3 * (i // 4)))
    accumulators = [world.build("accumulator", (-7 + 2 * i, 6)) for i in range(7)]
    radar = world.build("radar", (3.5, 2.5))  # 300 kW
    lowest = 35e6
    world.advance(25_200 + 6_000)  # the first night is short of stock
    assert sum(a.energy for a in accumulators) == pytest.approx(35e6)
    for _ in range(320):
        world.advance(60)
        assert radar.source.rate() == 1
        lowest = min(lowest, sum(a.energy for a in accumulators))
    # Dark for 2,520 ticks; at dusk and at dawn the panels give less than 300 kW for 5,040 * 300 / 480 ticks, on
    # average 150 kW less.
    missing = 300e3 * 2_520 / 60 + 2 * 150e3 * (5_040 * 300 / 480) / 60
    assert lowest == pytest.approx(35e6 - missing, rel=0.01)


def test_a_machine_without_pole_or_without_supply_has_no_power():
    world = World()
    machine = world.build("assembling-machine-1", (0.5, 0.5), recipe="iron-gear-wheel")
    machine.put("iron-plate", 4)
    world.advance(5)
    assert machine.status == "no_power"
    world.build("small-electric-pole", (2.5, 0.5))
    world.advance(5)
    assert machine.status == "no_power"
    world.power((3.5, 3.5))
    world.advance(5)
    assert machine.status == "working"


def test_a_machine_stops_and_goes_on_where_it_was_as_its_pole_is_taken_and_put_back():
    world = World()
    machine = world.build("assembling-machine-1", (0.5, 0.5), recipe="iron-gear-wheel")
    machine.put("iron-plate", 4)
    pole = world.power((2.5, 0.5))
    world.advance(20)
    progress = machine.progress
    assert 0.2 < progress < 0.4
    world.remove(pole)
    world.advance(100)
    assert machine.progress == pytest.approx(progress)
    assert machine.status == "no_power"
    world.power((2.5, 0.5))
    world.advance(1)
    world.advance(30)
    assert machine.progress == pytest.approx(progress + 30 / 60, abs=0.02)


# -- wiring ----------------------------------------------------------------------------------------------------


def test_a_new_pole_is_wired_to_the_nearest_but_not_to_those_that_one_leads_to():
    world = World()
    a = world.build("small-electric-pole", (0.5, 0.5))
    b = world.build("small-electric-pole", (3.5, 0.5))
    c = world.build("small-electric-pole", (6.5, 0.5))  # 3 from b, 6 from a
    assert b.wires == [a.number, c.number]
    assert c.wires == [b.number]


def test_between_unlike_poles_the_smaller_reach_counts():
    world = World()
    big = world.build("big-electric-pole", (0, 0))
    far = world.build("big-electric-pole", (32, 0))
    small = world.build("small-electric-pole", (8.5, 0.5))
    assert big.network == far.network
    assert small.network != big.network


def test_taking_a_pole_away_splits_a_network_and_putting_it_back_joins_it():
    world = World()
    left = world.build("medium-electric-pole", (0.5, 0.5))
    middle = world.build("medium-electric-pole", (8.5, 0.5))
    right = world.build("medium-electric-pole", (16.5, 0.5))
    assert left.network == right.network == middle.network
    world.remove(middle)
    assert left.network != right.network
    world.build("medium-electric-pole", (8.5, 0.5))
    assert left.network == right.network


def test_a_machine_between_a_dead_and_a_live_network_takes_from_the_live_one():
    world = World()
    world.build("small-electric-pole", (-2.5, 0.5))
    machine = world.build("radar", (0.5, 0.5))
    world.advance(2)
    assert machine.status == "no_power"
    for y in (8.5,):
        world.build("solar-panel", (4.5, y))
    world.build("small-electric-pole", (6.5, 6.5))
    live = world.build("small-electric-pole", (6.5, 1.5))
    assert live.network != machine.network
    near = world.build("substation", (9, -3))
    assert near.network == live.network
    world.always_day = True
    world.advance(5)
    assert machine.network == live.network
    assert machine.status == "low_power"


# -- energy adds up ----------------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 1000))
def test_what_producers_give_is_what_consumers_use_and_accumulators_store(seed):
    world = mixed_factory(seed)
    world.always_day = True
    draw = random.Random(seed)
    machines = [e for e in world.entities.values() if e.name.startswith("assembling")]
    lost = 0.0
    for _ in range(25):
        world.advance(draw.randrange(1, 160))
        machine = draw.choice(machines)
        if draw.random() < 0.5:
            machine.put("iron-plate", draw.randrange(1, 30))
        else:
            machine.take("iron-gear-wheel", 50)
    # Three panels of 60 kW work at full light all the time while demand is above 180 kW, as it is here: six radars.
    sun = 180_000 * world.tick / 60
    given_ = fuel_burnt(world) - steam_held(world) + sun
    used = electricity_used(world) + electricity_stored(world)
    lost = 180_000 / 60  # in the first tick the panels are not connected yet
    assert given_ - lost - 1 <= used <= given_ + 1e-3


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_steam_power_adds_up_whatever_is_switched_on_and_off(seed):
    draw = random.Random(seed)
    world = World()
    boilers = draw.randrange(1, 4)
    plant = steam_plant(world, boilers, draw.randrange(1, 4), coal=draw.randrange(4))
    for spot in ((-4, -3), (-4, 14), (12, -3), (12, 13)):
        world.build("substation", spot)
    for i in range(draw.randrange(4)):
        world.build("accumulator", (6 + 2 * i, -5))
    kinds = ["assembling-machine-1", "assembling-machine-3"]
    machines = [
        world.build(draw.choice(kinds), (5.5 + 3 * i, 0.5 + 3 * j), recipe="iron-gear-wheel")
        for i in range(draw.randrange(1, 5))
        for j in range(3)
    ]
    for i in range(draw.randrange(5)):
        world.build("radar", (5.5 + 3 * i, 15.5))
    for _ in range(80):
        world.advance(draw.choice((1, 1, 2, 3, 10, 40, 150)))
        what = draw.random()
        if what < 0.4:
            draw.choice(machines).put("iron-plate", draw.randrange(1, 30))
        elif what < 0.6:
            draw.choice(machines).take("iron-gear-wheel", 100)
        elif what < 0.7:
            draw.choice(plant["boilers"]).put("coal", draw.randrange(1, 4))
        burnt = fuel_burnt(world)
        assert burnt - steam_held(world) == pytest.approx(
            electricity_used(world) + electricity_stored(world), abs=0.001
        )
        lit = 4e6 * world.consumed.get("coal", 0)  # what is left of it is in the boilers
        assert 0 <= lit - burnt <= 4.03e6 * boilers


def shaken(seed: int, steps: int) -> World:
    """A plant and consumers on which poles, engines and machines come and go; the same for the same seed."""
    draw = random.Random(seed)
    world = World()
    steam_plant(world, 2, 2, coal=20)
    world.build("substation", (-4, -3))
    built: list = []
    for _ in range(steps):
        name = draw.choice(("medium-electric-pole", "radar", "solar-panel", "accumulator", "assembling-machine-1"))
        try:
            options = {"recipe": "iron-gear-wheel"} if name == "assembling-machine-1" else {}
            spot = (draw.randrange(-12, 24) + 0.5, draw.randrange(-14, -3) + 0.5)
            entity = world.build(name, spot, **options)
            built.append(entity)
            if options:
                entity.put("iron-plate", 40)
        except CannotPlace:
            if built:
                world.remove(built.pop(draw.randrange(len(built))))
        world.advance(draw.randrange(0, 40))
    return world


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 100_000), steps=st.integers(0, 60))
def test_networks_that_were_built_and_torn_are_restored_as_they_are(seed, steps):
    world = shaken(seed, steps)
    again = World.restore(world.snapshot())
    assert again.digest() == world.digest()
    world.advance(500)
    again.advance(500)
    assert again.digest() == world.digest()
    for network in world.power_grid.networks.values():  # sums kept by adding are the sums
        assert network.total == sum(c.draw for c in network.consumers) == sum(network.demand)
        assert network.possible == sum(c.use + c.drain for c in network.consumers)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), ticks=st.integers(0, 3000))
def test_a_factory_restored_at_any_tick_goes_on_as_if_never_stopped(seed, ticks):
    seed %= 5
    whole = mixed_factory(seed)
    whole.advance(3000)
    world = mixed_factory(seed)
    world.advance(ticks)
    for entity in world.entities.values():  # looking changes nothing
        assert entity.status is not None and entity.energy_used >= 0 and entity.contents() is not None
    again = World.restore(world.snapshot())
    assert again.digest() == world.digest()
    again.advance(3000 - ticks)
    assert again.digest() == whole.digest()


def test_a_steady_powered_factory_costs_no_events():
    world = World()
    world.power((2.5, 0.5))
    for y in (0.5, 4.5, -3.5):
        world.build("assembling-machine-1", (0.5, y), recipe="iron-gear-wheel")
    world.build("radar", (4.5, 0.5))
    world.advance(10)
    assert world.calendar.next_tick() is None


def test_building_unrelated_machines_in_another_order_changes_no_totals():
    totals = []
    for order in (0, 1):
        world = World()
        steam_plant(world)
        world.build("substation", (-4, -3))
        world.build("substation", (12, -3))
        spots = [(-9.5 + 4 * i, -7.5) for i in range(6)]
        for x, y in reversed(spots) if order else spots:
            machine = world.build("assembling-machine-1", (x, y), recipe="iron-gear-wheel")
            machine.put("iron-plate", 40)
        world.advance(1500)
        totals.append((world.produced, world.consumed, round(electricity_used(world), 3)))
    assert totals[0] == totals[1]


def test_a_pole_that_is_refused_changes_no_network():
    world = World()
    pole = world.build("small-electric-pole", (0.5, 0.5))
    with pytest.raises(CannotPlace):
        world.build("medium-electric-pole", (0.5, 0.5))
    assert pole.wires == []
    assert list(world.power_grid.networks) == [pole.network]
