from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, Position, Prototype, Technology
from tests.tools.cases import case


@pytest.fixture
def start(make):
    return make({"lab": 1, "automation-science-pack": 10}, all_technologies=False)


def packs(ingredients):
    return [(i.name, i.count) for i in ingredients]


@case("get_research_progress", "all packs of a technology that is not begun")
def test_automation_needs_ten_packs(start):
    assert packs(start.get_research_progress(Technology.Automation)) == [("automation-science-pack", 10)]
    assert packs(start.get_research_progress("automation")) == [("automation-science-pack", 10)]


@case("get_research_progress", "nothing for what is known")
def test_nothing_for_what_is_known(game):
    assert game.get_research_progress(Technology.Automation) == []


@case("get_research_progress", "the current one without an argument, ceil(units * (1 - progress))")
def test_the_current_one(start):
    start.set_research(Technology.Automation)
    start.world.power((6.5, 3.5))
    lab = start.place_entity(Prototype.Lab, Direction.UP, Position(x=3.5, y=3.5))
    start.insert_item(Prototype.AutomationSciencePack, lab, 10)
    start.sleep(25)  # 10 s a unit: two and a half done, seven and a half to go
    assert packs(start.get_research_progress()) == [("automation-science-pack", 8)]
    start.sleep(80)
    assert start.get_research_progress(Technology.Automation) == []


@case("get_research_progress", "all packs of one that was begun and left")
def test_progress_of_others_is_ignored(start):
    start.set_research(Technology.Automation)
    start.world.power((6.5, 3.5))
    lab = start.place_entity(Prototype.Lab, Direction.UP, Position(x=3.5, y=3.5))
    start.insert_item(Prototype.AutomationSciencePack, lab, 10)
    start.sleep(25)
    start.world.research("military")
    start.set_research("stone-wall")
    assert packs(start.get_research_progress(Technology.Automation)) == [("automation-science-pack", 10)]


@case("get_research_progress", "nothing in progress and none named")
def test_nothing_in_progress(start):
    assert "No research is in progress" in start.refusal("get_research_progress")


@case("get_research_progress", "names that the game does not have")
def test_what_does_not_exist(start):
    assert "does not exist" in start.refusal("get_research_progress", Technology.RocketControl)
