from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from fle_ray.errors import StepLimit, ToolError
from fle_ray.interpreter import Interpreter, LayerPolicy, Limits

TOOLS = ("echo", "sleep", "score", "fail", "refuse", "limit", "broken", "big", "nearest")


@dataclass
class Game:
    """A game of a few tools that does nothing but remember what was asked of it."""

    tick: int = 0
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)

    def handle(self, tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self.calls.append((tool, args, kwargs))
        if tool == "sleep":
            self.tick += round(args[0] * 60)
            return True
        if tool == "fail":
            raise ToolError("No coal within 500 tiles.\nThe nearest is at (900, 0).")
        if tool == "refuse":
            raise ToolError("Not this argument.", type=args[0])
        if tool == "limit":
            raise StepLimit("tick_limit", "The step used up its 72,000 ticks.")
        if tool == "broken":
            raise ZeroDivisionError("the engine divided by zero")
        if tool == "big":
            return "x" * args[0]
        if tool == "score":
            return (12.5, 3.0)
        return args[0] if len(args) == 1 else list(args)


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.fixture
def make(game: Game) -> Iterator[Callable[..., Interpreter]]:
    """Interpreters of the test's game; closed at its end."""
    made: list[Interpreter] = []

    def one(limits: Limits | None = None, layers: LayerPolicy | None = None) -> Interpreter:
        made.append(
            Interpreter(
                game.handle,
                tools=TOOLS,
                clock=lambda: game.tick,
                limits=limits or Limits(),
                layers=layers or LayerPolicy(),
            )
        )
        return made[-1]

    yield one
    for interpreter in made:
        interpreter.close()


@pytest.fixture
def interpreter(make: Callable[..., Interpreter]) -> Interpreter:
    return make()


@pytest.fixture
def run(interpreter: Interpreter) -> Callable[[str], Any]:
    """Run a program with seed 0."""
    return lambda code: interpreter.run(code, seed=0)
