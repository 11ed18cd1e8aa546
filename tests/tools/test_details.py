"""What belts, inserters, and everything with fluid or electricity shows beyond what all entities carry."""

from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, EntityStatus, Position, Prototype
from fle_ray.tools.describe import describe
from tests.tools.cases import case

NORTH, EAST, SOUTH, WEST = 0, 4, 8, 12


@pytest.fixture
def land(make):
    game = make({"coal": 100}, scenario="empty")
    game.stand(-100, -100)
    return game


def value(game, name, x, y, direction=NORTH, **options):
    """Build something as a script does and return it as agents see it."""
    return describe(game.world.place(name, (x, y), direction, **options))


def xy(position):
    return position.x, position.y


def around(entity, points):
    """Points as offsets from the entity's centre."""
    return {(p.x - entity.position.x, p.y - entity.position.y) for p in points}


# -- belts ------------------------------------------------------------------------------------------------------


@case("entities", "a belt: where it comes from and leads to, its lanes, whether it is an end")
def test_a_belt(land):
    alone = value(land, "transport-belt", 0.5, 0.5, EAST)
    assert (xy(alone.input_position), xy(alone.output_position)) == ((-0.5, 0.5), (1.5, 0.5))
    assert alone.is_source and alone.is_terminus
    assert repr(alone) == "Belt((x=0.5 y=0.5)->, direction=Direction.RIGHT)"
    land.world.place("transport-belt", (0.5, 1.5), NORTH)  # feeds it from below
    land.at(0.5, 0.5).place("coal", 1, 100)
    land.at(0.5, 0.5).place("stone", 2, 30)
    fed = describe(land.at(0.5, 0.5))
    assert xy(fed.input_position) == (0.5, 1.5)
    assert (fed.is_source, fed.is_terminus) == (False, True)
    assert {lane: dict(items.items()) for lane, items in fed.inventory.items()} == {
        "left": {"coal": 1},
        "right": {"stone": 1},
    }
    assert fed.status == EntityStatus.NORMAL


@case("entities", "an underground belt: its kind, its partner; ends without one are ends of a line")
def test_an_underground_belt(land):
    entrance = land.world.place("underground-belt", (0.5, 0.5), EAST, type="input")
    assert describe(entrance).is_terminus
    assert describe(entrance).connected_to is None
    exit_ = land.world.place("underground-belt", (5.5, 0.5), EAST)
    first, last = describe(entrance), describe(exit_)
    assert (first.is_input, first.connected_to, first.is_terminus) == (True, exit_.number, False)
    assert (last.is_input, last.connected_to, last.is_source) == (False, entrance.number, False)


@case("entities", "a splitter: two places in, two out, half a tile to each side; its two lines")
@pytest.mark.parametrize(
    ("direction", "inputs", "outputs"),
    [
        (NORTH, {(-0.5, 1), (0.5, 1)}, {(-0.5, -1), (0.5, -1)}),
        (EAST, {(-1, -0.5), (-1, 0.5)}, {(1, -0.5), (1, 0.5)}),
        (SOUTH, {(-0.5, -1), (0.5, -1)}, {(-0.5, 1), (0.5, 1)}),
        (WEST, {(1, -0.5), (1, 0.5)}, {(-1, -0.5), (-1, 0.5)}),
    ],
)
def test_a_splitter(land, direction, inputs, outputs):
    splitter = value(land, "splitter", 5, 5, direction)
    assert around(splitter, splitter.input_positions) == inputs
    assert around(splitter, splitter.output_positions) == outputs
    assert len(splitter.inventory) == 2


@case("entities", "inserters: pickup and drop rounded to half a tile, by their reach")
@pytest.mark.parametrize(
    ("name", "reach"), [("burner-inserter", 1), ("inserter", 1), ("fast-inserter", 1), ("long-handed-inserter", 2)]
)
def test_inserters(land, name, reach):
    inserter = value(land, name, 0.5, 0.5, WEST)  # takes from the left
    assert inserter.direction == Direction.RIGHT
    assert xy(inserter.pickup_position) == (0.5 - reach, 0.5)
    assert xy(inserter.drop_position) == (0.5 + reach, 0.5)


# -- connection points --------------------------------------------------------------------------------------------


@case("entities", "connection points of boilers: water at both ends, steam ahead")
@pytest.mark.parametrize("name", ["boiler", "heat-exchanger"])
@pytest.mark.parametrize(
    ("direction", "water", "steam"),
    [
        (NORTH, {(-2, 0.5), (2, 0.5)}, (0, -1.5)),
        (EAST, {(-0.5, -2), (-0.5, 2)}, (1.5, 0)),
        (SOUTH, {(-2, -0.5), (2, -0.5)}, (0, 1.5)),
        (WEST, {(0.5, -2), (0.5, 2)}, (-1.5, 0)),
    ],
)
def test_points_of_boilers(land, name, direction, water, steam):
    boiler = value(land, name, 0.5, 0.5, direction)
    assert around(boiler, boiler.connection_points) == water
    assert around(boiler, [boiler.steam_output_point]) == {steam}


@case("entities", "connection points of generators: on the axis, at both ends")
@pytest.mark.parametrize(("direction", "points"), [(NORTH, {(0, -2.5), (0, 2.5)}), (EAST, {(-2.5, 0), (2.5, 0)})])
def test_points_of_generators(land, direction, points):
    engine = value(land, "steam-engine", 0.5, 0.5, direction)
    assert around(engine, engine.connection_points) == points


@case("entities", "connection points of pumpjacks, which say what their well holds")
@pytest.mark.parametrize(("direction", "point"), [(NORTH, (1, -2)), (EAST, (2, -1)), (SOUTH, (-1, 2)), (WEST, (-2, 1))])
def test_points_of_pumpjacks(land, direction, point):
    land.world.well((0.5, 0.5), 450_000)
    jack = value(land, "pumpjack", 0.5, 0.5, direction)
    assert around(jack, jack.connection_points) == {point}
    assert [(r.name, r.count) for r in jack.resources] == [("crude-oil", 450_000)]


@case("entities", "connection points of tanks: four, at two corners")
@pytest.mark.parametrize(
    ("direction", "points"),
    [
        (NORTH, {(-1, -2), (-2, -1), (1, 2), (2, 1)}),
        (EAST, {(1, -2), (2, -1), (-1, 2), (-2, 1)}),
    ],
)
def test_points_of_tanks(land, direction, points):
    tank = value(land, "storage-tank", 0.5, 0.5, direction)
    assert around(tank, tank.connection_points) == points


@case("entities", "connection points of assembling machines 2 and 3: two tiles ahead")
@pytest.mark.parametrize("name", ["assembling-machine-2", "assembling-machine-3"])
def test_points_of_assembling_machines(land, name):
    machine = value(land, name, 0.5, 0.5, EAST)
    assert around(machine, machine.connection_points) == {(2, 0)}


def typed(entity, points):
    return {(p.x - entity.position.x, p.y - entity.position.y, p.type) for p in points}


@case("entities", "connection points of refineries: none without a recipe, then by fluid")
def test_points_of_refineries(land):
    bare = value(land, "oil-refinery", 20.5, 0.5)
    assert bare.input_connection_points == bare.output_connection_points == []
    basic = value(land, "oil-refinery", 0.5, 0.5, recipe="basic-oil-processing")
    assert typed(basic, basic.input_connection_points) == {(1, 3, "crude-oil")}
    assert typed(basic, basic.output_connection_points) == {(2, -3, "petroleum-gas")}
    assert (basic.input_fluids, basic.output_fluids) == (["crude-oil"], ["petroleum-gas"])
    advanced = value(land, "oil-refinery", 40.5, 0.5, recipe="advanced-oil-processing")
    assert typed(advanced, advanced.input_connection_points) == {(1, 3, "crude-oil"), (-1, 3, "water")}
    assert typed(advanced, advanced.output_connection_points) == {
        (-2, -3, "heavy-oil"),
        (0, -3, "light-oil"),
        (2, -3, "petroleum-gas"),
    }


def test_points_turn_with_a_refinery(land):
    refinery = value(land, "oil-refinery", 0.5, 0.5, EAST, recipe="basic-oil-processing")
    # (x, y) becomes (-y, x)
    assert typed(refinery, refinery.input_connection_points) == {(-3, 1, "crude-oil")}
    assert typed(refinery, refinery.output_connection_points) == {(3, 2, "petroleum-gas")}


@case("entities", "connection points of chemical plants: inputs behind, outputs ahead, as they report to face")
def test_points_of_chemical_plants(land):
    plant = value(land, "chemical-plant", 0.5, 0.5, SOUTH, recipe="sulfur")
    assert plant.direction == Direction.UP
    assert {(x, y) for x, y, _ in typed(plant, plant.input_connection_points)} == {(-1, 1.5), (1, 1.5)}
    assert {p.type for p in plant.input_connection_points} == {"water", "petroleum-gas"}
    assert plant.output_connection_points == []  # sulfur is solid
    gas = value(land, "chemical-plant", 10.5, 0.5, SOUTH, recipe="light-oil-cracking")
    ((x, y, fluid),) = typed(gas, gas.output_connection_points)
    assert (abs(x), y, fluid) == (1, -1.5, "petroleum-gas")


@case("entities", "an offshore pump faces the land, where its connection point is")
def test_points_of_offshore_pumps(land):
    land.world.water((-5, -10, 6, 0))
    pump = value(land, "offshore-pump", 0.5, 0.5, NORTH)
    assert pump.direction == Direction.DOWN
    assert around(pump, pump.connection_points) == {(0, 1)}


@case("entities", "points on water are left out, with a warning")
def test_points_on_water(land):
    land.world.water((2, -5, 6, 6))
    boiler = value(land, "boiler", 0.5, 0, NORTH)  # its right water point would be on (2, 0)
    assert around(boiler, boiler.connection_points) == {(-2, 0.5)}
    assert any("blocked by water" in warning for warning in boiler.warnings)


# -- fluids -----------------------------------------------------------------------------------------------------


@case("entities", "fluid boxes: what is in those that are not empty")
def test_fluid_boxes(land):
    tank = land.world.place("storage-tank", (0.5, 0.5))
    empty = describe(tank)
    assert (empty.fluid_box, empty.fluid, empty.fluid_amount) == ([], None, 0)
    tank.segment.give("water", 1200, 15)
    full = describe(tank)
    assert full.fluid_box == [{"name": "water", "amount": 1200, "temperature": 15}]
    assert (full.fluid, full.fluid_amount, full.fluid_temperature) == ("water", 1200, 15)
    assert full.fluid_systems == [full.fluid_system_id]


@case("entities", "a pipe: its segment, and what is in all of it")
def test_a_pipe(land):
    tank = land.world.place("storage-tank", (0.5, 0.5))
    pipe = land.world.place("pipe", (-0.5, -1.5))  # at the tank's point above its left column
    tank.segment.give("crude-oil", 2510, 25)
    seen = describe(pipe)
    assert (seen.fluid, seen.contents, seen.flow_rate) == ("crude-oil", 2510, 0)
    assert seen.fluidbox_id == describe(tank).fluid_system_id
    assert describe(land.world.place("pipe-to-ground", (20.5, 0.5))).contents == 0


@case("entities", "pumps, boilers and generators: not connected until fluid gets there")
def test_not_connected(land):
    for name in ("pump", "boiler", "steam-engine"):
        entity = value(land, name, 0.5, 0.5)
        assert entity.status == EntityStatus.NOT_CONNECTED
        assert "no fluid present in connections" in entity.warnings
        land.world.remove(land.at(0.5, 0.5))


@case("entities", "a generator says what it gave in the last tick; a boiler runs out of fuel")
def test_a_power_plant(land):
    world = land.world
    world.fluid_source("water", (0.5, 0.5))
    world.place("boiler", (2.5, 0), NORTH)
    boiler = describe(land.at(2.5, 0))
    assert boiler.status == EntityStatus.NO_FUEL
    world.place("steam-engine", (2.5, -3.5), NORTH)
    world.place("small-electric-pole", (4.5, -3.5))
    world.place("beacon", (7.5, -3.5))  # draws 480 kW all the time: 8 kJ a tick
    land.insert_item(Prototype.Coal, boiler, 5)
    world.advance(120)
    engine = land.get_entity(Prototype.SteamEngine, Position(x=2.5, y=-3.5))
    assert engine.status == EntityStatus.WORKING
    assert engine.energy_generated_last_tick == pytest.approx(8000)
    assert engine.fluid_box[0]["name"] == "steam"
    boiler = land.get_entity(Prototype.Boiler, boiler.position)
    assert boiler.status == EntityStatus.WORKING
    assert {box["name"] for box in boiler.fluid_box} == {"water", "steam"}


# -- electricity --------------------------------------------------------------------------------------------------


@case("entities", "poles: their network, and what it has used so far")
def test_poles(land):
    pole = land.world.place("small-electric-pole", (0.5, 0.5))
    alone = describe(pole)
    assert (alone.electrical_id, alone.flow_rate, alone.status) == (pole.network, 0, EntityStatus.NORMAL)
    land.world.place("solar-panel", (3.5, 0.5))
    land.world.place("beacon", (-2.5, 0.5))  # asks for 480 kW, gets the 60 kW of the panel
    land.world.advance(61)
    assert describe(pole).flow_rate == pytest.approx(60_000, rel=0.05)
    assert describe(land.at(-2.5, 0.5)).electrical_id == pole.network


@case("entities", "solar panels and accumulators: what they can give and hold")
def test_panels_and_accumulators(land):
    panel = value(land, "solar-panel", 0.5, 0.5)
    assert panel.electric_output_flow_limit == 1000  # joules a tick: 60 kW
    assert panel.status == EntityStatus.NOT_PLUGGED_IN_ELECTRIC_NETWORK
    accumulator = value(land, "accumulator", 5, 0)
    source = accumulator.energy_source
    assert (source.buffer_capacity, source.input_flow_limit, source.output_flow_limit) == ("5MJ", "300kW", "300kW")
    land.world.place("small-electric-pole", (3.5, 0.5))
    land.world.advance(60)
    accumulator = describe(land.at(5, 0))
    assert accumulator.status == EntityStatus.CHARGING
    assert accumulator.energy == pytest.approx(60_000, rel=0.05)
