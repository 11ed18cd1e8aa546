"""What the environment needs of the thing that runs an agent's programs, one for each agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from fle_ray.interpreter.limits import LayerPolicy, Limits
from fle_ray.interpreter.result import ProgramResult

__all__ = ["MakeSession", "Session", "ToolHandler", "child_sessions"]

ToolHandler = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]


class Session(Protocol):
    """One agent's variables and functions, and the running of its programs; `fle_ray.interpreter.Interpreter` is
    one.
    """

    def run(self, code: str, *, seed: int) -> ProgramResult:
        """Run a program; its faults are in the result. `seed` seeds the program's `random`.

        When the result's error is one that is rolled back, the variables are those from before the program.

        Raises:
            EngineError: the game failed under one of the program's calls, or programs cannot be run.
        """

    @property
    def functions(self) -> Mapping[str, str]:
        """Name -> signature of the functions that the programs have defined."""

    def save(self) -> bytes:
        """The variables, as opaque bytes."""

    def load(self, state: bytes) -> None:
        """Take up what `save()` gave. Raises SnapshotError when it is damaged."""

    def reset(self) -> None:
        """Forget everything, as at the start of an episode."""

    def close(self) -> None: ...


MakeSession = Callable[[ToolHandler, Callable[[], int]], Session]
"""Makes a session from a handler of tool calls and a clock that reads the game's tick."""


def child_sessions(limits: Limits | None = None, layers: LayerPolicy | None = None) -> MakeSession:
    """Sessions in isolated child processes that offer every tool.

    Args:
        limits: what a program may use; the interpreter's defaults when None.
        layers: isolation layers to require or to leave off.
    """
    from fle_ray.interpreter import Interpreter
    from fle_ray.tools import TOOL_NAMES

    def make(handler: ToolHandler, clock: Callable[[], int]) -> Session:
        return Interpreter(
            handler,
            tools=TOOL_NAMES,
            clock=clock,
            limits=limits or Limits(),
            layers=layers or LayerPolicy(),
        )

    return make
