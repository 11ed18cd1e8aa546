"""What the environment needs of the thing that runs an agent's programs, one for each agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from fle_ray.interpreter.result import ProgramResult

__all__ = ["MakeSession", "Session", "ToolHandler"]

ToolHandler = Callable[[str, Sequence[Any], Mapping[str, Any]], Any]


class Session(Protocol):
    """One agent's variables and functions, and the running of its programs."""

    def run(self, code: str, *, seed: int) -> ProgramResult:
        """Run a program; its faults are in the result. `seed` seeds the program's `random`.

        When the result's error is one that is rolled back, the variables are those from before the program.

        Raises:
            EngineError: the game failed under one of the program's calls.
        """

    def state(self) -> bytes:
        """The variables, as opaque bytes."""

    def restore(self, state: bytes) -> None:
        """Take up variables that `state()` gave; `b""` is a clean slate."""

    def close(self) -> None: ...


MakeSession = Callable[[ToolHandler, Callable[[], int]], Session]
"""Makes a session from a handler of tool calls and a clock that reads the game's tick."""
