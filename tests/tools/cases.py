"""Which row of a tool's contract a test is about; docs/tools.md lists them (scripts/make_tools_page.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["case"]

Test = TypeVar("Test", bound=Callable)


def case(tool: str, what: str, *, mends: str = "") -> Callable[[Test], Test]:
    """Mark a test as the one of a row of a tool's contract.

    Args:
        tool: the tool's name, or "values", "score", "entities" for what belongs to none.
        what: the row in a few words.
        mends: number of the fault of FLE that behaves better here, e.g. "Q-T13"; see scripts/make_tools_page.py.
    """

    def mark(test: Test) -> Test:
        return test

    return mark
