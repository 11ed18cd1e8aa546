"""Comparing two engines call by call: equal ones agree, and what differs is found, counted and shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fle_ray.errors import ToolError
from fle_ray.factorio.compare import STATE, Case, compare, explanation
from fle_ray.game.contracts import Start
from fle_ray.tools import LocalInstance

START = Start(inventory={"iron-plate": 20, "stone-furnace": 2, "coal": 10, "iron-chest": 1})
FURNACE = """
furnace = place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=2, y=2))
insert_item(Prototype.Coal, furnace, 5)
print(craft_item(Prototype.IronGearWheel, 2))
"""
CHEST = """
chest = place_entity(Prototype.IronChest, Direction.UP, Position(x=5, y=5))
sleep(1)
"""
CASES = [Case("furnace", START, (FURNACE, CHEST)), Case("chest", START, (CHEST,))]


class Odd(LocalInstance):
    """An engine with faults of its own: crafts nothing, takes longer, lays chests elsewhere."""

    engine = "odd"

    def call(self, agent_idx: int, tool: str, args: Any = (), kwargs: Any = None) -> Any:
        if tool == "craft_item":
            raise ToolError("craft_item: no hands.")
        if tool == "sleep":
            self.advance(6)
        value = super().call(agent_idx, tool, args, kwargs)
        if tool == "place_entity":
            value = value.model_copy(update={"id": value.id + 100})
            if value.name == "iron-chest":
                value.position = value.position.right(1)
        return value


def test_an_engine_agrees_with_itself():
    found = compare(CASES, LocalInstance(), LocalInstance())
    assert found.agree
    assert (found.cases, dict(found.calls)) == (
        2, {"place_entity": 3, "insert_item": 1, "craft_item": 1, "sleep": 2, STATE: 3},
    )  # fmt: skip
    assert "| `place_entity` | 3 | 0 | | |" in found.table()


@pytest.fixture(scope="module")
def odd():
    return compare(CASES, LocalInstance(), Odd())


def test_what_differs_is_counted_by_tool(odd):
    assert not odd.agree
    # sleeping took 60 ticks here and 66 there, both times; 2 of 3 placements were of chests
    assert {tool: odd.differing[tool] for tool in odd.calls} == {
        "place_entity": 2, "insert_item": 0, "craft_item": 1, "sleep": 2, STATE: 3,
    }  # fmt: skip


def test_each_difference_says_what_both_engines_answered(odd):
    by_tool = {d.tool: d for d in odd.unexplained if d.case == "furnace"}
    assert by_tool["craft_item"].field == "error"
    assert (by_tool["craft_item"].first, by_tool["craft_item"].second) == ("None", "'ToolError: craft_item: no hands.'")
    assert (by_tool["sleep"].field, by_tool["sleep"].first, by_tool["sleep"].second) == ("ticks", "60", "66")
    assert by_tool["place_entity"].field == "value.position.x"


def test_the_first_difference_of_each_case_is_marked(odd):
    assert [(d.case, d.step, d.tool) for d in odd.differences if d.is_first] == [
        ("furnace", 1, "craft_item"),
        ("chest", 1, "place_entity"),
    ]


def test_expected_differences_carry_their_explanation_and_count_for_nothing(odd):
    ids = [d for d in odd.differences if d.field == "value.id"]
    assert len(ids) == 3 and all(d.explained for d in ids)
    assert explanation("place_entity", "value.id") and explanation("sleep", "ticks") is None


def test_the_report_can_be_read_by_people_and_by_programs(odd):
    report = odd.report()
    assert "# sim and odd" in report
    assert "| `sleep` | 2 | 2 | ticks (2) | **none yet** |" in report
    assert json.loads(odd.as_json())["differing"]["sleep"] == 2


def test_programs_go_on_with_what_the_first_engine_says():
    class Silent(LocalInstance):
        def call(self, agent_idx: int, tool: str, args: Any = (), kwargs: Any = None) -> Any:
            super().call(agent_idx, tool, args, kwargs)

    program = CHEST + "assert chest.position.x == 5.5\ncraft_item(Prototype.IronChest)"
    found = compare([Case("chest", START, (program,))], LocalInstance(), Silent())
    assert found.calls["craft_item"] == 1


def test_an_engine_that_fails_in_one_case_plays_the_next():
    class Failing(LocalInstance):
        def call(self, agent_idx: int, tool: str, args: Any = (), kwargs: Any = None) -> Any:
            if tool == "craft_item":
                raise ConnectionError("gone")
            return super().call(agent_idx, tool, args, kwargs)

    found = compare(CASES, LocalInstance(), Failing())
    assert found.failed == {"furnace": "ConnectionError: gone"}
    assert found.calls[STATE] == 1
    assert not found.agree
