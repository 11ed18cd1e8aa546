"""What the isolation of programs costs: starting a child, a tool call, moving a session.

    python scripts/bench_interpreter.py [--repeat 20]

The game behind the tools is a function that returns at once, so a call's cost is all the interpreter's.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

from fle_ray.game.values import Position
from fle_ray.interpreter import Interpreter, LayerPolicy

CALLS = 1_000
LINES = 500

SESSION = """
class Plan:
    def __init__(self, name): self.name, self.steps = name, []
    def add(self, *steps): self.steps.extend(steps); return self
plans = [Plan(f'plan {i}').add(*range(20)) for i in range(50)]
drills = {f'drill {i}': Position(i, i) for i in range(200)}
notes = [{'tick': i, 'text': 'coal at the drill' * 3} for i in range(500)]
"""
FUNCTION = """
def helper_{i}(position, count=10, *, name='coal'):
    'Move there and come back.'
    total = 0
    for k in range(count):
        total += k * position.x
    return total, name
"""


def handle(tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return args[0] if args else None


def start(**options: Any) -> Interpreter:
    return Interpreter(handle, tools=["nearest", "sleep"], **options)


def timed_ms(repeat: int, action: Callable[[], Any]) -> list[float]:
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        action()
        times.append((time.perf_counter() - began) * 1_000)
    return times


def timed_us_each(interpreter: Interpreter, program: str, count: int, repeat: int) -> list[float]:
    """Microseconds of each of the `count` things that a program does."""
    return [ms / count * 1_000 for ms in timed_ms(repeat, lambda: interpreter.run(program, seed=0))]


def line(what: str, times: list[float], unit: str = "ms") -> None:
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    print(f"{what:<44} {statistics.median(times):9.2f} {ordered[0]:9.2f} {p95:9.2f}  {unit}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=20, help="how often each thing is measured")
    repeat = parser.parse_args().repeat

    print(f"{platform.platform()}, CPython {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()}")
    with start() as interpreter:
        print(f"layers: {', '.join(interpreter.layers)}\n")
    print(f"{'':<44} {'median':>9} {'best':>9} {'p95':>9}")
    line("start of a child", timed_ms(repeat, lambda: start().close()))
    bare = LayerPolicy(without=("namespaces", "landlock", "seccomp"))
    line("  without namespaces, Landlock, seccomp", timed_ms(repeat, lambda: start(layers=bare).close()))

    with start() as interpreter:
        line("an empty program", timed_ms(repeat * 10, lambda: interpreter.run("", seed=0)))
        for what, argument in (("a number", "5"), ("a Position", "Position(1.5, 2.5)")):
            program = f"p = {argument}\nfor i in range({CALLS}): nearest(p)"
            line(f"a tool call with {what}, there and back", timed_us_each(interpreter, program, CALLS, repeat), "us")
        program = f"for i in range({LINES}): print(i, 'coal')"
        line("a printed line", timed_us_each(interpreter, program, LINES, repeat), "us")

    with start() as interpreter:
        for i in range(30):
            interpreter.run(FUNCTION.format(i=i), seed=0)
        interpreter.run(SESSION, seed=0)
        state = interpreter.save()
        print(f"\na session of 30 functions, a class, 50 objects, 200 positions, 500 records: {len(state):,} bytes")
        line("an empty program, so saving and loading it", timed_ms(repeat, lambda: interpreter.run("", seed=0)))
        line("moving it to a new child, start included", timed_ms(repeat, lambda: interpreter.load(state)))
        assert interpreter.run("print(drills['drill 3'])", seed=0).output == f"1: ({Position(3, 3)!r},)"


if __name__ == "__main__":
    main()
