"""Score, prices, flows and their automated part, worked out by hand (prices: tests/game/test_prices.py)."""

from __future__ import annotations

from math import log, sqrt

import pytest

from fle_ray.game.values import Direction, Position, Prototype
from tests.tools.cases import case

ORE, COAL, STONE = 3.1, 3.0, 2.4
PLATE = ORE + log(3.2 + 1) * sqrt(ORE)  # 1 ore, 3.2 s: 5.6267
GEAR = 2 * PLATE + log(0.5 + 1) * sqrt(2 * PLATE)  # 2 plates, 0.5 s: 12.6136


@case("score", "nothing has been made at the start")
def test_the_score_starts_at_nothing(game):
    assert game.score() == (0.0, 0.0)
    assert game.tick == 0


@case("score", "given items do not count, mined ones do, but never as automated")
def test_what_hands_mine_counts_in_the_total_alone(game):
    game.stand(15, 0)
    game.harvest_resource(Position(x=15.5, y=-0.5), 10)
    assert game.score() == (10 * COAL, 0.0)


@case("score", "hand crafting counts the gain in value, never as automated")
def test_hand_crafting_is_never_automated(game):
    game.craft_item(Prototype.IronGearWheel, 10)
    assert game.score() == (float(int(10 * GEAR - 20 * PLATE)), 0.0)  # 13.6 rounded down
    flows = game.instance.flows()
    assert flows.automated() == {}
    assert flows.crafted == {"iron-gear-wheel": 10}
    assert flows.crafted_consumed == {"iron-plate": 20}


@case("score", "mining and crafting together leave the automated part at nothing")
def test_mined_and_crafted_things_leave_the_automated_score_at_nothing(make):
    game = make({}, scenario="lab")
    game.stand(-47, 0)
    game.harvest_resource(Position(x=-47.5, y=0.5), 50)
    game.craft_item(Prototype.StoneFurnace, 10)
    furnace = 5 * STONE + log(1.5) * sqrt(5 * STONE)  # 5 stone, 0.5 s
    assert game.score() == (float(int(10 * furnace)), 0.0)


@case("score", "a machine's work is automated, the fuel it burns is taken off")
def test_a_furnace_earns_plates_less_ore_and_coal(game):
    furnace = game.place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=2, y=2))
    game.give(iron_ore=5)
    game.insert_item(Prototype.Coal, furnace, 5)
    game.insert_item(Prototype.IronOre, furnace, 5)
    game.sleep(17)  # 5 * 3.2 s, and a tick to heat up
    gain = 5 * PLATE - 5 * ORE - 1 * COAL  # 16 s at 90 kW burn 1.44 MJ: one coal of 4 MJ was lit
    assert game.score() == (float(int(gain)), float(int(gain)))
    assert game.instance.flows().automated() == {"iron-plate": 5}


@case("score", "it falls when given coal is burnt for nothing")
def test_the_score_can_fall(game):
    game.stand(16, 0)
    drill = game.place_entity(Prototype.BurnerMiningDrill, Direction.UP, Position(x=17, y=1))
    game.insert_item(Prototype.Coal, drill, 1)
    game.sleep(0.1)
    assert game.score() == (-COAL, -COAL)  # lit, and nothing mined yet


@case("score", "flows of a step are the difference of two totals", mends="Q-T33")
def test_equal_crafts_in_two_steps_both_count(game):
    game.craft_item(Prototype.IronGearWheel, 1)
    before = game.instance.flows()
    game.craft_item(Prototype.IronGearWheel, 1)
    step = game.instance.flows().since(before)
    assert step.crafted == {"iron-gear-wheel": 1}
    assert step.consumed == {"iron-plate": 2}
    assert step.harvested == {}


@case("score", "crafts of several products count what is really made and used", mends="Q-T5")
def test_cables_count_as_made_and_used(game):
    game.craft_item(Prototype.CopperCable, 20)
    flows = game.instance.flows()
    assert flows.produced == {"copper-cable": 20}
    assert flows.consumed == {"copper-plate": 10}


@pytest.mark.parametrize("made, by_hand, automated", [(10, 4, 6), (4, 4, 0)])
def test_the_automated_flow_is_what_neither_mining_nor_crafting_made(made, by_hand, automated):
    from fle_ray.game.contracts import Flows

    flows = Flows(produced={"coal": made}, harvested={"coal": by_hand})
    assert flows.automated() == ({"coal": automated} if automated else {})
