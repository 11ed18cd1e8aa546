"""Lua literals are read strictly and written so that FLE's client reads the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fle_ray.factorio.lua import BadLua, literals, written
from fle_ray.game.values import EntityStatus, Inventory, Position


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        ("1, -2.5,1e-07 , true,nil", [1, -2.5, 1e-07, True, None]),
        ('"iron-ore", \'a "b"\'', ["iron-ore", 'a "b"']),
        ('"[{\\"coal\\": 5}]"', ['[{"coal": 5}]']),
        ('{["left_top"] = {["x"] = 0, ["y"] = -1}, size = 3}', [{"left_top": {"x": 0, "y": -1}, "size": 3}]),
        ("{1,2,3,}, {}", [[1, 2, 3], []]),
        ('"a, b) } "', ["a, b) } "]),
    ],
)
def test_literals_are_read(text, values):
    assert literals(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "os.exit()", "1 2", "1,", '"open', "{", "{1", "{[1]}", "{[{}]=1}", "function() end", "1e999", "nan", "inf",
        "{" * 5000, "1..2", '"a" .. "b"', "game", "0x10", "--[[ ]]", "9" * 5000, "{1, x = 2}",
    ],
)  # fmt: skip
def test_anything_but_literals_is_refused(text):
    with pytest.raises(BadLua):
        literals(text)


@given(st.text(max_size=60))
def test_no_text_does_more_than_be_read_or_refused(text):
    try:
        literals(text)
    except BadLua:
        pass


def test_values_are_written_as_the_tables_the_client_parses():
    assert written({"a": True, "b": Position(x=1.5, y=-2)}) == '{["a"] = true,["b"] = {["x"] = 1.5,["y"] = -2}}'
    assert written(Inventory({"iron-plate": 3})) == '{["iron-plate"] = 3}'
    assert written(EntityStatus.NO_FUEL) == '"no_fuel"'
    assert written(["a", 'say "b"\n']) == '{"a","say \\"b\\" "}'


def test_absent_fields_and_empty_lists_are_left_out():
    assert written({"kept": 1, "absent": None, "empty": [], "table": {}}) == '{["kept"] = 1,["table"] = {}}'


def test_what_lua_cannot_say_is_refused():
    with pytest.raises(TypeError, match="not finite"):
        written(float("inf"))
    with pytest.raises(TypeError, match="set"):
        written({1})
