"""docs/tools.md says what the tests cover; every tool has its cases."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from fle_ray.tools import TOOL_NAMES

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "make_tools_page.py"


@pytest.fixture(scope="module")
def script():
    import sys

    spec = importlib.util.spec_from_file_location("make_tools_page", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_the_page_is_current(script):
    current = script.PAGE.read_text(encoding="utf-8")
    assert current == script.page(), "run python scripts/make_tools_page.py"


@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_every_tool_has_cases(script, tool):
    assert [c for c in script.cases() if c.tool == tool]


def test_every_mended_fault_is_covered(script):
    mended = {number for c in script.cases() for number in c.mends}
    assert set(script.FAULTS) == mended | set(script.ELSEWHERE)


def test_a_mark_with_an_unknown_fault_is_refused(script, monkeypatch):
    monkeypatch.setattr(script, "cases", lambda: [script.Case("sleep", "x", ("Q-T99",), "t")])
    with pytest.raises(SystemExit, match="Q-T99"):
        script.page()
