"""Every program of the corpus, through the real interpreter on the simulator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from fle_ray.env.session import child_sessions
from fle_ray.interpreter.result import ProgramResult
from fle_ray.tools import TOOL_NAMES, LocalInstance
from tests.corpus import automation, building, crafting, errors, fluids, language, logistics, looking, mining, planning
from tests.corpus.kit import Case, Outcome

MODULES = (looking, mining, crafting, building, logistics, automation, fluids, planning, language, errors)
CASES = [case for module in MODULES for case in module.CASES]
MAX_TICKS_PER_STEP = 72_000


def play(case: Case) -> tuple[LocalInstance, list[ProgramResult]]:
    """Run a case's programs one after the other."""
    instance = LocalInstance()
    instance.reset(case.start)
    make = child_sessions()
    session = make(lambda tool, args, kwargs: instance.call(0, tool, args, kwargs), lambda: instance.tick)
    results = []
    with closing(session):
        for code in case.programs:
            instance.tick_limit = instance.tick + MAX_TICKS_PER_STEP
            results.append(session.run(code, seed=0))
    return instance, results


def contents(instance: LocalInstance, x: float, y: float) -> dict[str, int]:
    entity = instance.world.entity_at((x, y))
    assert entity is not None, f"nothing stands at ({x}, {y})"
    totals: dict[str, int] = {}
    for name, items in entity.contents().items():
        if name != "fluids":
            for item, count in items.items():
                totals[item] = totals.get(item, 0) + count
    return totals


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_program(case: Case) -> None:
    instance, results = play(case)
    for number, result in enumerate(results[:-1], start=1):
        assert result.error is None, f"program {number}: {result.output}"
    last, expected = results[-1], case.outcome
    shown = last.output
    assert (last.error.kind if last.error else "") == expected.error, shown
    if expected.error:
        assert expected.message in last.error.message, shown
        assert not expected.type or last.error.type == expected.type, shown
    differences = dict(_differences(instance, expected))
    assert not differences, f"{differences}\n{shown}"
    position = 0
    for piece in expected.says:
        position = shown.find(piece, position)
        assert position >= 0, f"{piece!r} is not in, or not in this order:\n{shown}"
        position += len(piece)


def _differences(instance: LocalInstance, expected: Outcome) -> Iterator[tuple[str, Any]]:
    """(what, (expected, found)) wherever they differ."""
    inventory = instance.inventory(0)
    standing: dict[str, int] = {}
    for entity in instance.world.entities.values():
        standing[entity.name] = standing.get(entity.name, 0) + 1
    for what, wanted, found in (
        *((f"have {item}", count, inventory.get(item, 0)) for item, count in expected.have.items()),
        *((f"built {name}", count, standing.get(name, 0)) for name, count in expected.built.items()),
        *((f"holds {place}", items, contents(instance, *place)) for place, items in expected.holds.items()),
        *((("tick", expected.tick, instance.tick),) if expected.tick is not None else ()),
        *((("place", expected.place, instance.positions()[0]),) if expected.place is not None else ()),
    ):
        if wanted != found:
            yield what, (wanted, found)


def test_there_are_at_least_sixty_programs() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)


def test_together_they_call_every_tool() -> None:
    text = "\n".join(program for case in CASES for program in case.programs)
    assert [tool for tool in TOOL_NAMES if f"{tool}(" not in text] == []


@pytest.mark.parametrize("case", CASES[::9], ids=lambda case: case.name)
def test_a_program_does_the_same_each_time(case: Case) -> None:
    first, told = play(case)
    second, told_again = play(case)
    assert first.digest() == second.digest()
    assert [r.output for r in told] == [r.output for r in told_again]
