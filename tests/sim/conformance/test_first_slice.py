"""Conformance rows of the first slice: character, hand work, burner drills, furnaces, chests.

Expected figures were measured on the game (2.0.60) by the public FactorioGym probes, read in factory-sim 0.3.0, or
published by the wiki, as each test says. "Tick n" counts from the tick in which the rig is complete.
"""

from __future__ import annotations

import pytest

from fle_ray.errors import CannotPlace
from fle_ray.sim import World


@pytest.fixture
def world():
    return World(scenario="empty", seed=0)


def ticks_of_arrivals(world, machine, inventory, item, until):
    """Ticks at which one more of an item is seen in a machine's inventory."""
    seen, ticks = 0, []
    while world.tick < until:
        world.advance(1)
        count = machine.contents().get(inventory, {}).get(item, 0)
        ticks += [world.tick] * (count - seen)
        seen = count
    return ticks


def drill_into(world, name, *, coal):
    """A burner drill on iron ore, facing north, dropping into `name`."""
    world.ore("iron-ore", (-5, -5, 5, 5))
    drill = world.build("burner-mining-drill", (0, 0), direction=0)
    target = world.build(name, (-0.5, -1.5) if name == "wooden-chest" else (0, -2))
    drill.put("coal", coal)
    return drill, target


def test_s01_walking_east_for_30_ticks_covers_1140_of_256_tiles(world):
    character = world.character(0)
    character.walk(4, 30)
    assert character.position == (1140 / 256, 0)


def test_s02_the_first_ore_mined_by_hand_comes_after_121_ticks(world):
    world.ore("iron-ore", (-5, -5, 5, 5))
    character = world.character(0)
    assert abs(character.mine((0.5, 0.5), 1) - 121) <= 1
    assert character.inventory == {"iron-ore": 1}


@pytest.mark.parametrize(("distance", "allowed"), [(0, False), (0.3, False), (0.6, True)])
def test_s04_a_chest_is_refused_where_the_character_stands(world, distance, allowed):
    world.character(0).teleport((0.5 + distance, 0.5))
    if allowed:
        world.build("wooden-chest", (0.5, 0.5))
    else:
        with pytest.raises(CannotPlace):
            world.build("wooden-chest", (0.5, 0.5))


def carrying(world, **items):
    character = world.character(0)
    for name, count in items.items():
        character.slots.insert(name.replace("_", "-"), count)
    return character


def test_s05_a_circuit_by_hand_takes_90_ticks_and_leaves_one_cable(world):
    world.research("all")
    character = carrying(world, copper_plate=2, iron_plate=1)
    assert character.craft("electronic-circuit", 1) == 90
    assert character.inventory == {"electronic-circuit": 1, "copper-cable": 1}


def test_s06_a_burner_drill_by_hand_takes_240_ticks_and_leaves_nothing(world):
    character = carrying(world, iron_plate=9, stone=5)
    assert character.craft("burner-mining-drill", 1) == 240
    assert character.inventory == {"burner-mining-drill": 1}


def test_s07_a_burner_drill_fills_a_chest_at_ticks_243_483_723(world):
    _, chest = drill_into(world, "wooden-chest", coal=5)
    assert ticks_of_arrivals(world, chest, "inventory", "iron-ore", 1000) == [243, 483, 723, 963]


def test_s08_one_coal_gives_six_ore_and_two_thirds_of_the_next(world):
    drill, chest = drill_into(world, "wooden-chest", coal=1)
    world.advance(3600)
    assert chest.contents() == {"inventory": {"iron-ore": 6}}
    assert drill.progress == pytest.approx(2 / 3, abs=1e-9)
    assert drill.status == "no_fuel"


def test_s10_a_drill_stops_with_54_ore_in_an_unfuelled_furnace(world):
    drill, furnace = drill_into(world, "stone-furnace", coal=5)
    drill.put("coal", 45)
    world.advance(60 * 240)
    assert furnace.contents()["furnace_source"] == {"iron-ore": 54}
    assert drill.status == "waiting_for_space_in_destination"


def test_s13_a_stone_furnace_makes_plates_at_ticks_194_386_578(world):
    furnace = world.build("stone-furnace", (0, 0))
    furnace.put("iron-ore", 30)
    furnace.put("coal", 5)
    assert ticks_of_arrivals(world, furnace, "furnace_result", "iron-plate", 1000) == [194, 386, 578, 770, 962]


def test_s14_a_drill_dropping_into_a_furnace_gives_plates_from_tick_437_every_240(world):
    _, furnace = drill_into(world, "stone-furnace", coal=5)
    furnace.put("coal", 5)
    ticks = ticks_of_arrivals(world, furnace, "furnace_result", "iron-plate", 1500)
    assert len(ticks) == 5
    for n, tick in enumerate(ticks):
        assert abs(tick - (437 + 240 * n)) <= 1


def test_s16_a_stone_furnace_makes_one_steel_from_five_plates_in_960_ticks(world):
    world.research("steel-processing")
    furnace = world.build("stone-furnace", (0, 0))
    furnace.put("iron-plate", 20)
    furnace.put("coal", 10)
    ticks = ticks_of_arrivals(world, furnace, "furnace_result", "steel-plate", 4000)
    assert [b - a for a, b in zip(ticks, ticks[1:], strict=False)] == [960] * 3
    assert world.consumed["iron-plate"] == 20


def test_s17_one_coal_smelts_13_plates_and_0_889_of_the_next(world):
    furnace = world.build("stone-furnace", (0, 0))
    furnace.put("iron-ore", 30)
    furnace.put("coal", 1)
    world.advance(4000)
    assert furnace.contents()["furnace_result"] == {"iron-plate": 13}
    assert furnace.progress == pytest.approx(0.889, abs=0.001)
    assert furnace.status == "no_fuel"


def test_s52_the_nearest_coal_of_the_lab_lies_at_15_5_minus_0_5():
    from fle_ray.game.values import Position, Resource
    from fle_ray.tools import LocalInstance

    position = LocalInstance().call(0, "nearest", (Resource.Coal,))
    assert (position.x, position.y) == (15.5, -0.5)
    assert position == Position(x=15.5, y=-0.5)
