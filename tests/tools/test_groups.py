"""Belts, pipes, poles and walls as groups: what belongs together, and what a group says of itself."""

from __future__ import annotations

import pytest

from fle_ray.game.values import (
    BeltGroup,
    ElectricityGroup,
    EntityStatus,
    PipeGroup,
    Position,
    Prototype,
    UndergroundBelt,
    WallGroup,
)
from tests.tools.cases import case

NORTH, EAST, SOUTH, WEST = 0, 4, 8, 12


def at(x, y):
    return Position(x=x, y=y)


@pytest.fixture
def land(make):
    game = make({"iron-plate": 1000}, scenario="empty")
    game.stand(-100, -100)
    return game


def lay(game, *belts, name="transport-belt"):
    """Belts at (x, y, direction), by the tile."""
    return [game.world.place(name, (x + 0.5, y + 0.5), direction) for x, y, direction in belts]


def groups(game, kind=Prototype.BeltGroup):
    return game.get_entities({kind})


def places(members):
    return [(m.position.x, m.position.y) for m in members]


# -- belts ------------------------------------------------------------------------------------------------------


@case("groups", "belts: members in the order of flow; where items come in and go out")
def test_a_line(land):
    lay(land, (2, 0, EAST), (1, 0, EAST), (0, 0, EAST))  # built from its end
    (group,) = groups(land)
    assert isinstance(group, BeltGroup)
    assert places(group.belts) == [(0.5, 0.5), (1.5, 0.5), (2.5, 0.5)]
    assert (places(group.inputs), places(group.outputs)) == ([(0.5, 0.5)], [(2.5, 0.5)])
    assert (group.id, group.position, group.status) == (0, at(0.5, 0.5), EntityStatus.EMPTY)
    assert [(b.is_source, b.is_terminus) for b in group.belts] == [(True, False), (False, False), (False, True)]


@case("groups", "belts: two that merge into a third have two inputs and one output")
def test_a_merge(land):
    lay(land, (0, 0, EAST), (1, 0, EAST), (1, 1, NORTH))
    (group,) = groups(land)
    assert set(places(group.inputs)) == {(0.5, 0.5), (1.5, 1.5)}
    assert places(group.outputs) == [(1.5, 0.5)]


@case("groups", "belts: a loop has neither inputs nor outputs")
def test_a_loop(land):
    lay(land, (0, 0, EAST), (1, 0, SOUTH), (1, 1, WEST), (0, 1, NORTH))
    (group,) = groups(land)
    assert len(group.belts) == 4
    assert (group.inputs, group.outputs) == ([], [])


@case("groups", "belts: side by side, head on or back to back are not together")
def test_what_is_apart(land):
    lay(land, (0, 0, EAST), (0, 1, EAST))  # side by side
    lay(land, (10, 0, EAST), (11, 0, WEST))  # head on
    lay(land, (20, 0, WEST), (21, 0, EAST))  # back to back
    assert len(groups(land)) == 6


@case("groups", "belts: tiers flow into each other")
def test_tiers(land):
    lay(land, (0, 0, EAST))
    lay(land, (1, 0, EAST), name="fast-transport-belt")
    lay(land, (2, 0, EAST), name="express-transport-belt")
    (group,) = groups(land)
    assert [b.name for b in group.belts] == ["transport-belt", "fast-transport-belt", "express-transport-belt"]


@case("groups", "belts: an underground pair is one member, with the entrance's place and the exit's output")
def test_an_underground_pair(land):
    lay(land, (0, 0, EAST))
    entrance, exit_ = lay(land, (1, 0, EAST), (5, 0, EAST), name="underground-belt")
    lay(land, (6, 0, EAST))
    (group,) = groups(land)
    assert places(group.belts) == [(0.5, 0.5), (1.5, 0.5), (6.5, 0.5)]
    pair = group.belts[1]
    assert isinstance(pair, UndergroundBelt)
    assert (pair.id, pair.connected_to, pair.is_input) == (entrance.number, exit_.number, True)
    assert pair.output_position == at(6.5, 0.5)
    assert (places(group.inputs), places(group.outputs)) == ([(0.5, 0.5)], [(6.5, 0.5)])


@case("groups", "belts: an underground pair holds what lies at both ends", mends="Q-V11")
def test_the_contents_of_a_pair(land):
    entrance, exit_ = lay(land, (0, 0, EAST), (4, 0, EAST), name="underground-belt")
    assert entrance.place("coal", 1, 200)
    assert exit_.place("coal", 2, 100)
    assert exit_.place("stone", 1, 100)
    (group,) = groups(land)
    (pair,) = group.belts
    assert dict(pair.inventory["left"].items()) == {"coal": 1, "stone": 1}
    assert dict(pair.inventory["right"].items()) == {"coal": 1}
    assert dict(group.inventory.items()) == {"coal": 2, "stone": 1}


def test_ends_without_a_partner(land):
    lay(land, (0, 0, EAST))
    land.world.place("underground-belt", (1.5, 0.5), EAST, type="input")
    land.world.place("underground-belt", (10.5, 0.5), EAST, type="output")
    one, two = groups(land)
    assert places(one.outputs) == [(1.5, 0.5)]  # an entrance that leads nowhere
    assert places(two.inputs) == places(two.outputs) == [(10.5, 0.5)]


@case("groups", "belts: a splitter is no belt; the lines at its sides are groups of their own")
def test_a_splitter(land):
    lay(land, (0, 2, NORTH), (0, 0, NORTH), (1, 0, NORTH))
    land.world.place("splitter", (1, 1.5), NORTH)
    assert [places(g.belts) for g in groups(land)] == [[(0.5, 2.5)], [(0.5, 0.5)], [(1.5, 0.5)]]


@case("groups", "belts: EMPTY, WORKING, and FULL_OUTPUT when a belt refuses both lanes", mends="Q-V10")
def test_the_status_of_belts(land):
    first, last = lay(land, (0, 0, EAST), (1, 0, EAST))
    assert groups(land)[0].status == EntityStatus.EMPTY
    assert first.place("coal", 1, 100)
    assert groups(land)[0].status == EntityStatus.WORKING
    for position in (0, 64, 128, 192):
        last.place("coal", 1, position)
    assert groups(land)[0].status == EntityStatus.WORKING  # one lane still takes something
    for position in (0, 64, 128, 192):
        last.place("coal", 2, position)
    (group,) = groups(land)
    assert group.status == EntityStatus.FULL_OUTPUT
    assert group.belts[1].warnings[0] == "full"
    assert dict(group.inventory.items()) == {"coal": 1 + 4 + 4}


# -- pipes ------------------------------------------------------------------------------------------------------


@case("groups", "pipes: by fluid segment, below ground as well")
def test_pipes(land):
    for x in (0, 1, 12):
        land.world.place("pipe", (x + 0.5, 0.5))
    land.world.place("pipe-to-ground", (2.5, 0.5), WEST)  # opens to the west
    land.world.place("pipe-to-ground", (11.5, 0.5), EAST)
    land.world.place("pipe", (0.5, 5.5))
    one, two = groups(land, Prototype.PipeGroup)
    assert isinstance(one, PipeGroup)
    assert (len(one.pipes), len(two.pipes)) == (5, 1)
    assert {p.fluidbox_id for p in one.pipes} == {one.id}
    assert one.id != two.id


@case("groups", "pipes: EMPTY, WORKING with fluid in them, FULL_OUTPUT when full and still", mends="Q-V9")
def test_the_status_of_pipes(land):
    pipes = [land.world.place("pipe", (x + 0.5, 0.5)) for x in range(3)]
    segment = pipes[0].fluid_box.segment
    assert groups(land, Prototype.PipeGroup)[0].status == EntityStatus.EMPTY
    assert segment.give("water", 100, 15) == 100
    (group,) = groups(land, Prototype.PipeGroup)
    assert group.status == EntityStatus.WORKING
    assert {(p.fluid, p.contents, p.status) for p in group.pipes} == {("water", 100, EntityStatus.WORKING)}
    assert segment.give("water", 500, 15) == 200  # three pipes of 100
    (group,) = groups(land, Prototype.PipeGroup)
    assert group.status == EntityStatus.FULL_OUTPUT


def test_a_full_line_that_is_drawn_from_works(make):
    game = make({"coal": 50}, scenario="empty")
    game.stand(-100, -100)
    game.world.fluid_source("water", (0.5, 0.5))
    game.world.place("pipe", (1.5, 0.5))
    game.world.place("boiler", (3.5, 0), NORTH)  # takes water on its left, at (1, 0)
    game.world.place("steam-engine", (3.5, -3.5), NORTH)
    game.world.place("small-electric-pole", (5.5, -3.5))
    game.world.place("lab", (9.5, -3.5))
    game.world.place("beacon", (6.5, -0.5))  # 480 kW, always
    boiler = game.get_entity(Prototype.Boiler, at(3.5, 0))
    game.insert_item(Prototype.Coal, boiler, 20)
    game.world.advance(600)
    water = next(g for g in groups(game, Prototype.PipeGroup) if g.pipes[0].fluid == "water")
    assert water.status == EntityStatus.WORKING
    assert water.pipes[0].contents > 0


# -- poles and walls ----------------------------------------------------------------------------------------------


@case("groups", "poles: by network, in their middle; WORKING once something has drawn power")
def test_poles(land):
    for x in (0.5, 6.5):
        land.world.place("small-electric-pole", (x, 0.5))
    land.world.place("medium-electric-pole", (40.5, 0.5))
    one, two = groups(land, Prototype.ElectricityGroup)
    assert isinstance(one, ElectricityGroup)
    assert places(one.poles) == [(0.5, 0.5), (6.5, 0.5)]
    assert (one.position.x, one.position.y) == (3.5, 0.5)
    assert {p.electrical_id for p in one.poles} == {one.id}
    assert one.status == two.status == EntityStatus.NOT_PLUGGED_IN_ELECTRIC_NETWORK
    land.world.place("solar-panel", (3.5, 3.5))
    land.world.place("assembling-machine-1", (6.5, -2.5))
    land.world.advance(60)
    one, _ = groups(land, Prototype.ElectricityGroup)
    assert one.status == EntityStatus.WORKING
    # a drain of 2.5 kW for a second, seen by each pole
    assert [p.flow_rate for p in one.poles] == pytest.approx([2500, 2500], rel=0.05)


def test_substations_are_no_poles_of_a_group(land):
    land.world.place("substation", (0, 0))
    assert groups(land, Prototype.ElectricityGroup) == []


@case("groups", "walls: all of them are one group, whether or not they touch")
def test_walls(land):
    for x in (0, 1, 30):
        land.world.place("stone-wall", (x + 0.5, 0.5))
    (group,) = [e for e in land.get_entities() if isinstance(e, WallGroup)]
    assert places(group.entities) == [(0.5, 0.5), (1.5, 0.5), (30.5, 0.5)]
    assert group.status == EntityStatus.NORMAL
    assert 0 <= group.id < 1024


@case("groups", "in a list of everything: after the rest, belts, pipes, poles, walls")
def test_the_order(land):
    land.world.place("stone-wall", (0.5, 0.5))
    land.world.place("small-electric-pole", (2.5, 0.5))
    land.world.place("pipe", (4.5, 0.5))
    land.world.place("transport-belt", (6.5, 0.5))
    land.world.place("wooden-chest", (8.5, 0.5))
    found = [e.name for e in land.get_entities()]
    assert found == ["wooden-chest", "belt-group", "pipe-group", "electricity-group", "wall-group"]
