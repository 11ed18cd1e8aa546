"""The manual that agents are given: it names what is there, and its examples run."""

from __future__ import annotations

import textwrap

import pytest

from fle_ray.game.prototypes import load
from fle_ray.game.values import Prototype, RecipeName, Technology
from fle_ray.game.values.namespace import agent_names
from fle_ray.tasks import get_task
from fle_ray.tools import TOOL_NAMES, LocalInstance
from fle_ray.tools.examples import EXAMPLES, WALKTHROUGH
from fle_ray.tools.manual import manual


def run(code: str) -> list[tuple]:
    """Run a program in a fresh lab-play game, in this process; returns what it printed."""
    instance = LocalInstance()
    instance.reset(get_task("iron_plate_throughput").start(0))
    printed: list[tuple] = []
    names = agent_names()
    for tool in TOOL_NAMES:
        names[tool] = lambda *args, _tool=tool, **kwargs: instance.call(0, _tool, args, kwargs)
    names["print"] = lambda *args: printed.append(args)
    exec(compile(textwrap.dedent(code), "<example>", "exec"), names)
    return printed


@pytest.mark.parametrize("tool", sorted(EXAMPLES))
def test_the_example_of_a_tool_runs_and_uses_it(tool):
    run(EXAMPLES[tool])
    assert f"{tool}(" in EXAMPLES[tool]


def test_the_worked_example_runs():
    run(WALKTHROUGH)


def test_every_tool_has_an_example():
    assert set(EXAMPLES) == set(TOOL_NAMES) - {"print"}


@pytest.mark.parametrize("form", ["short", "long"])
def test_the_manual_names_every_tool_with_its_signature(form):
    text = manual(form)
    for tool in TOOL_NAMES:
        if tool != "print":
            assert f"{tool}(" in text


@pytest.mark.parametrize("form", ["short", "long"])
def test_the_manual_names_only_what_the_game_has(form):
    data = load()
    there = {*data.items, *data.fluids, *data.entities, *data.recipes, "belt-group", "pipe-group", "electricity-group"}
    shown = {}
    for line in manual(form).splitlines():
        kind, _, names = line.partition(": ")
        if kind in ("Prototype", "Technology", "RecipeName"):
            shown[kind] = [name.partition(" (")[0] for name in names.split(", ")]
    assert {n for n in shown["Prototype"] if Prototype[n].prototype_name not in there} == set()
    assert {p.name for p in Prototype if p.prototype_name in there} == set(shown["Prototype"])
    assert {n for n in shown["Technology"] if Technology[n].value not in data.technologies} == set()
    assert {n for n in shown["RecipeName"] if RecipeName[n].value not in data.recipes} == set()


def test_the_short_form_is_less_than_half_of_the_long_one():
    assert len(manual("short")) < len(manual("long")) / 2


def test_an_unknown_form_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="short, long"):
        manual("huge")
