"""Comparing two engines call by call: equal ones agree, and what differs is found, counted and shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fle_ray.errors import ToolError
from fle_ray.factorio.compare import STATE, Case, Difference, compare
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
    assert "| `place_entity` | 3 | 0 | | | 0 |" in found.table()


@pytest.fixture(scope="module")
def odd():
    return compare(CASES, LocalInstance(), Odd())


def test_what_differs_is_counted_by_tool_until_the_worlds_have_parted(odd):
    assert not odd.agree
    # "furnace" parts when nothing is crafted, "chest" when the chest is said to stand elsewhere; that sleeping takes 66
    # ticks instead of 60, and that less is held and made, comes after that
    assert {tool: (odd.differing[tool], odd.following[tool]) for tool in odd.calls} == {
        "place_entity": (1, 1), "insert_item": (0, 0), "craft_item": (1, 0), "sleep": (0, 2), STATE: (0, 3),
    }  # fmt: skip


def test_each_difference_says_what_both_engines_answered(odd):
    by_tool = {d.tool: d for d in odd.differences if d.case == "furnace" and d.explanation is None}
    assert by_tool["craft_item"].field == "error"
    assert (by_tool["craft_item"].first, by_tool["craft_item"].second) == ("None", "'ToolError: craft_item: no hands.'")
    assert (by_tool["sleep"].field, by_tool["sleep"].first, by_tool["sleep"].second) == ("ticks", "60", "66")
    assert by_tool["place_entity"].field == "value.position.x"


def test_where_the_worlds_of_each_case_parted_is_told(odd):
    assert [(d.case, d.step, d.tool, d.follows) for d in odd.parted] == [
        ("furnace", 1, "craft_item", False),
        ("chest", 1, "place_entity", False),
    ]


def test_expected_differences_carry_their_explanation_and_count_for_nothing(odd):
    ids = [d for d in odd.differences if d.field == "value.id"]
    assert len(ids) == 3 and all(d.explanation for d in ids)
    unexplained = {(d.tool, d.field) for d in odd.unexplained}
    assert unexplained == {("craft_item", "error"), ("place_entity", "value.position.x")}


@pytest.mark.parametrize(
    ("tool", "field", "says", "expected"),
    [
        ("place_entity", "value.id", "7", True),
        ("get_entity", "value.pipes.3.contents", "0", True),
        ("get_entity", "value.fuel.coal", "0", False),
        ("pickup_entity", "error", "'... must be a Position object'", True),
        ("pickup_entity", "error", "'ToolError: too far'", False),
        ("sleep", "ticks", "66", False),
    ],
)
def test_an_explanation_holds_for_its_tools_fields_and_words_alone(tool, field, says, expected):
    assert (Difference("case", 1, 1, tool, field, "None", says).explanation is not None) == expected


def test_the_report_can_be_read_by_people_and_by_programs(odd):
    report = odd.report()
    assert "# sim and odd" in report
    assert "| `craft_item` | 1 | 1 | error (1) | **not explained** | 0 |" in report
    assert "| `sleep` | 2 | 0 | | | 2 |" in report
    assert json.loads(odd.as_json())["following"]["sleep"] == 2


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
