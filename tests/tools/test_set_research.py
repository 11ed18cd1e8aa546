from __future__ import annotations

import pytest

from fle_ray.game.values import Technology
from tests.tools.cases import case


@pytest.fixture
def start(make):
    """Nothing researched but the automation science pack."""
    return make({}, all_technologies=False)


def costs(ingredients):
    return [(i.name, i.count) for i in ingredients]


@case("set_research", "the full cost: packs a unit times units; no time")
def test_automation_costs_ten_packs(start):
    assert costs(start.set_research(Technology.Automation)) == [("automation-science-pack", 10)]
    assert start.instance.research()["current_research"] == "automation"
    assert start.tick == 0


@case("set_research", "a name")
def test_a_name_will_do(start):
    start.set_research("automation")
    assert start.instance.research()["current_research"] == "automation"


@case("set_research", "what is known already is refused")
def test_what_is_known(game):
    assert "already researched" in game.refusal("set_research", Technology.Automation)


@case("set_research", "a missing prerequisite is named")
def test_a_missing_prerequisite(start):
    message = start.refusal("set_research", Technology.Automation2)
    assert "automation" in message and "first" in message


@case("set_research", "a triggered technology says what triggers it")
def test_a_triggered_technology(start):
    message = start.refusal("set_research", Technology.SteamPower)
    assert "iron-plate" in message and "50" in message


@case("set_research", "a refusal leaves the running research alone", mends="Q-T18")
def test_a_refusal_leaves_the_running_research(start):
    start.set_research(Technology.Automation)
    start.refusal("set_research", Technology.Automation2)
    assert start.instance.research()["current_research"] == "automation"


@case("set_research", "another one takes its place")
def test_another_one_takes_its_place(start):
    start.set_research(Technology.Automation)
    start.world.research("military")
    start.set_research("stone-wall")
    assert start.instance.research()["current_research"] == "stone-wall"


@case("set_research", "the one that runs already goes on")
def test_the_running_one_again(start):
    start.set_research(Technology.Automation)
    assert costs(start.set_research(Technology.Automation)) == [("automation-science-pack", 10)]


@case("set_research", "names that the game does not have", mends="Q-V7")
@pytest.mark.parametrize("stale", [Technology.RocketControl, Technology.StackInserter, "automaton"])
def test_what_does_not_exist(start, stale):
    assert "does not exist" in start.refusal("set_research", stale)


def test_near_names_are_offered(start):
    assert "'automation'" in start.refusal("set_research", "automaton")


@case("set_research", "other types are refused")
def test_wrong_arguments(start):
    start.bad("ValueError", "set_research", 5)
