"""Poles laid by connect_entities: what is laid, and that power really gets there."""

from __future__ import annotations

from math import hypot

import pytest

from fle_ray.game.values import ElectricityGroup, EntityStatus, Position, Prototype
from fle_ray.tools.describe import describe
from tests.tools.cases import case

SMALL, MEDIUM, BIG = Prototype.SmallElectricPole, Prototype.MediumElectricPole, Prototype.BigElectricPole
NORTH, EAST, SOUTH, WEST = 0, 4, 8, 12
KIT = {"small-electric-pole": 100, "medium-electric-pole": 50, "big-electric-pole": 20}


def at(x, y):
    return Position(x=x, y=y)


@pytest.fixture
def land(make):
    """Endless flat land and plenty of poles; the agent stands out of the way."""
    game = make(KIT, scenario="empty")
    game.stand(-100, -100)
    return game


def value(game, name, x, y, direction=NORTH, **options):
    """Build something as a script does and return it as agents see it."""
    return describe(game.world.place(name, (x, y), direction, **options))


def spots(group):
    return [(p.position.x, p.position.y) for p in group.poles]


@case("connect_entities", "poles from a generator to a machine: each end is supplied, and power arrives")
@pytest.mark.parametrize("pole", [SMALL, MEDIUM, BIG])
def test_power_arrives(land, pole):
    panel = value(land, "solar-panel", 0.5, 0.5)
    machine = value(land, "assembling-machine-1", 40.5, 20.5)
    assert machine.status != EntityStatus.NO_POWER
    group = land.connect_entities(panel, machine, pole)
    assert isinstance(group, ElectricityGroup)
    assert {p.name for p in group.poles} == {pole.value[0]}
    land.world.advance(10)
    assert land.at(40.5, 20.5).source.network is land.at(0.5, 0.5).plug.network
    assert land.at(40.5, 20.5).source.rate() > 0  # 60 kW from the panel, 2.5 kW of drain asked for
    assert land.get_entity(Prototype.AssemblingMachine1, at(40.5, 20.5)).warnings == []
    assert land.have(pole.value[0]) == KIT[pole.value[0]] - len(group.poles)


@case("connect_entities", "poles stand by FLE's spacing, joined by the reach of the game's wires", mends="Q-T23")
@pytest.mark.parametrize(
    ("pole", "spacing", "reach"), [(SMALL, 4, 7.5), (MEDIUM, 9, 9), (BIG, 30, 32)], ids=["small", "medium", "big"]
)
def test_spacing(land, pole, spacing, reach):
    group = land.connect_entities(at(0, 0), at(100, 0), pole)
    places = sorted(spots(group))
    gaps = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(places, places[1:], strict=False)]
    assert set(gaps[:-1]) == {spacing}  # the last one is where the end is
    assert gaps[-1] <= reach
    assert len({p.electrical_id for p in group.poles}) == 1
    assert places[0] == ((0.5, 0.5) if pole is not BIG else (0, 0))
    assert abs(places[-1][0] - places[0][0] - 100) <= 2  # a pole may stand two tiles off a place


@case("connect_entities", "a pole at a place, at every waypoint")
def test_waypoints(land):
    group = land.connect_entities(at(40, 0), at(45, 0), at(45, 5), SMALL)
    assert spots(group) == [(40.5, 0.5), (45.5, 0.5), (45.5, 5.5)]
    group = land.connect_entities(at(40, 30), at(80, 30), at(80, 70), BIG)
    # forty tiles each: one pole after thirty, one at the end
    assert spots(group) == [(40, 30), (70, 30), (80, 30), (80, 60), (80, 70)]


@case("connect_entities", "two poles of one network: no pole is added")
def test_one_network(land):
    first = value(land, "small-electric-pole", 0.5, 0.5)
    value(land, "small-electric-pole", 7.5, 0.5)
    last = value(land, "small-electric-pole", 14.5, 0.5)
    group = land.connect_entities(first, last, SMALL)
    assert len(group.poles) == 3
    assert land.have("small-electric-pole") == 100
    assert land.tick == 0


def test_a_second_time_nothing_is_laid(land):
    panel, machine = value(land, "solar-panel", 0.5, 0.5), value(land, "lab", 20.5, 10.5)
    first = land.connect_entities(panel, machine, SMALL)
    left = land.have("small-electric-pole")
    again = land.connect_entities(panel, machine, SMALL)
    assert (again.id, land.have("small-electric-pole")) == (first.id, left)


@case("connect_entities", "one pole suffices for machines side by side")
def test_one_pole_for_two(land):
    panel, machine = value(land, "solar-panel", 0.5, 0.5), value(land, "lab", 6.5, 0.5)
    group = land.connect_entities(panel, machine, SMALL)
    assert len(group.poles) == 1
    assert land.at(6.5, 0.5).source.network is land.at(0.5, 0.5).plug.network


@case("connect_entities", "a network that stands is used as far as it goes, and joined to the other")
def test_two_networks(land):
    for x in (0.5, 7.5, 14.5):
        land.world.place("small-electric-pole", (x, 0.5))
    for x in (25.5, 32.5):
        land.world.place("small-electric-pole", (x, 0.5))
    ends = [land.get_entity(SMALL, at(x, 0.5)) for x in (0.5, 32.5)]
    group = land.connect_entities(*ends, SMALL)
    assert len(group.poles) == 5 + 1  # eleven tiles between 14 and 25: one pole in reach of both
    assert len({p.electrical_id for p in group.poles}) == 1


def test_a_group_as_source_and_target(land):
    one = land.connect_entities(at(0, 0), at(12, 0), SMALL)
    two = land.connect_entities(at(0, 30), at(12, 30), SMALL)
    assert one.id != two.id
    group = land.connect_entities(one, two, SMALL)
    assert {p.id for p in group.poles} > {p.id for p in [*one.poles, *two.poles]}
    longer = land.connect_entities(group, at(30, 30), SMALL)
    assert longer.id == group.id
    assert (30.5, 30.5) in spots(longer)


@case("connect_entities", "the pole beside a machine really supplies it")
@pytest.mark.parametrize("machine", ["electric-mining-drill", "oil-refinery", "pump", "beacon", "inserter"])
@pytest.mark.parametrize("pole", [SMALL, BIG])
def test_the_last_pole_supplies(land, machine, pole):
    land.world.ore("iron-ore", (20, 20, 30, 30))
    panel = value(land, "solar-panel", 0.5, 0.5)
    thing = value(land, machine, 25.5, 25.5)
    land.connect_entities(panel, thing, pole)
    assert land.at(thing.position.x, thing.position.y).source.network is land.at(0.5, 0.5).plug.network


@case("connect_entities", "poles keep off connection points, pipes' sides, drop and pickup spots")
def test_spots_in_use_are_kept_free(land):
    land.world.ore("coal", (20, 0, 23, 3))
    drill = value(land, "electric-mining-drill", 21.5, 1.5, WEST)  # drops on (19, 1)
    land.world.place("boiler", (10.5, 1), NORTH)  # steam above it at (10, -1), water at (8, 1) and (12, 1)
    for x in range(14, 18):
        land.world.place("pipe", (x + 0.5, -3.5))
    group = land.connect_entities(at(0, 0), drill, SMALL)
    kept = {(19.5, 1.5), (10.5, -0.5), (8.5, 1.5), (12.5, 1.5)}
    kept |= {(x + 0.5, y) for x in range(14, 18) for y in (-4.5, -2.5)} | {(13.5, -3.5), (18.5, -3.5)}
    assert not kept & set(spots(group))


@case("connect_entities", "poles pass over machines, trees and narrow water")
def test_over_obstacles(land):
    land.world.water((10, -50, 14, 50))
    for y in range(-3, 4):
        land.world.place("stone-wall", (20.5, y + 0.5))
    group = land.connect_entities(at(5, 0), at(30, 0), SMALL)
    assert len({p.electrical_id for p in group.poles}) == 1
    assert not any(10 < x < 14 for x, _ in spots(group))


@case("connect_entities", "water too wide for the wires is gone round, pole after pole")
def test_round_a_lake(land):
    land.world.water((10, -60, 21, 13))  # eleven tiles wide, its lower shore at 13
    group = land.connect_entities(at(5, 0), at(25, 0), SMALL)
    places = spots(group)
    gaps = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(places, places[1:], strict=False)]
    assert max(gaps) <= 7.5
    assert min(gaps[:-1]) >= 3  # none is wasted
    # 13 down, 12 across, 13 up again is some 40 tiles, at four tiles a pole
    assert len(places) <= 12


@case("connect_entities", "water too wide for the wires, with no way round, is refused", mends="Q-T20")
def test_an_island(land):
    land.world.water((-12, -12, 32, 12))
    ground = land.world.map.tile(100, 100)
    land.world.map.set_tile(0, 0, ground)
    land.world.map.set_tile(20, 0, ground)
    message = land.refusal("connect_entities", at(0, 0), at(20, 0), SMALL)
    assert "no room for a pole" in message


@case("connect_entities", "a machine without room for a pole beside it is refused")
def test_no_room(land):
    machine = value(land, "lab", 20.5, 0.5)
    land.world.water((10, -10, 19, 11))
    land.world.water((22, -10, 31, 11))
    land.world.water((19, -10, 22, -1))
    land.world.water((19, 2, 22, 11))
    message = land.refusal("connect_entities", at(0, 0), machine, SMALL)
    assert "no room" in message


@case("connect_entities", "several types: the one that suffices alone, else all together", mends="Q-T19")
def test_several_types(make):
    game = make({"small-electric-pole": 2, "medium-electric-pole": 30}, scenario="empty")
    group = game.connect_entities(at(0, 0), at(50, 0), {SMALL, MEDIUM})
    assert {p.name for p in group.poles} == {"medium-electric-pole"}
    game = make({"small-electric-pole": 4, "medium-electric-pole": 5}, scenario="empty")
    group = game.connect_entities(at(0, 0), at(50, 0), {SMALL, MEDIUM})
    assert {p.name for p in group.poles} == {"small-electric-pole", "medium-electric-pole"}
    assert len({p.electrical_id for p in group.poles}) == 1


@case("connect_entities", "too few poles: what is required and available; nothing is laid")
def test_too_few(make):
    game = make({"small-electric-pole": 2}, scenario="empty")
    message = game.refusal("connect_entities", at(0, 0), at(40, 0), SMALL)
    # ten at 0, 4, ... 36, and one at 40, which is out of the reach of the one at 32
    assert "available 2" in message and "required 11" in message


@case("connect_entities", "what needs no electricity is a place to put a pole beside")
def test_a_chest(land):
    chest = value(land, "wooden-chest", 20.5, 0.5)
    group = land.connect_entities(at(0, 0), chest, SMALL)
    assert min(hypot(x - 20.5, y - 0.5) for x, y in spots(group)) <= 3
