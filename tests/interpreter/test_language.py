"""The Python that programs may use (tools contract 4.5 and 4.8, with the faults mended)."""

# ruff: noqa: E501 - programs on one line
from __future__ import annotations

import pytest

PIECES = {
    "for else": ("for i in []: pass\nelse: r = 1", 1),
    "while else": ("n = 0\nwhile n < 2: n += 1\nelse: r = n", 2),
    "break and continue": ("r = 0\nfor i in range(9):\n    if i == 2: continue\n    if i == 4: break\n    r += i", 4),
    "finally": ("r = []\ntry:\n    r.append(1)\nexcept Exception: pass\nelse: r.append(2)\nfinally: r.append(3)", [1, 2, 3]),
    "keyword-only defaults": ("def f(a, *, b=2, **kw): return a + b + kw.get('c', 0)\nr = f(1, c=4)", 7),
    "star calls as statements": ("r = []\ndef f(*a, **k): r.append((a, k))\nf(*[1, 2], **{'x': 3})", [((1, 2), {"x": 3})]),
    "closures": ("def make(n):\n    def add(m): return n + m\n    return add\nr = make(3)(4)", 7),
    "nonlocal": ("def make():\n    n = 0\n    def inc():\n        nonlocal n\n        n += 1\n        return n\n    return inc\nc = make()\nc()\nr = c()", 2),
    "decorators": ("def twice(f):\n    def g(*a): return 2 * f(*a)\n    return g\n@twice\ndef f(x): return x\nr = f(4)", 8),
    "generators": ("def g():\n    yield 1\n    yield from [2, 3]\nr = list(g())", [1, 2, 3]),
    "lambda": ("r = (lambda x, y=2: x * y)(3)", 6),
    "comprehensions": ("k = 2\nr = {i: [j * k for j in range(i)] for i in range(3)}", {0: [], 1: [0], 2: [0, 2]}),
    "f-strings": ("x = 3.14159\nr = f'{x:.2f} {x=:.1f} {\"a\"!r}'", "3.14 x=3.1 'a'"),
    "match": ("match [1, 2, 3]:\n    case [a, *b] if a == 1: r = b\n    case _: r = None", [2, 3]),
    "walrus": ("r = [y for x in range(4) if (y := x * x) > 1]", [4, 9]),
    "chained comparison": ("r = 1 < 2 < 3", True),
    "inheritance and super": (
        "class A:\n    def f(self): return 1\nclass B(A):\n    def f(self): return super().f() + 1\nr = B().f()",
        2,
    ),
    "properties": ("class K:\n    @property\n    def p(self): return 5\nr = K().p", 5),
    "dataclasses": (
        "from dataclasses import dataclass, field\n@dataclass(order=True)\nclass P:\n    x: int\n"
        "    ys: list = field(default_factory=list)\nr = repr(sorted([P(2), P(1, [3])]))",
        "[P(x=1, ys=[3]), P(x=2, ys=[])]",
    ),
    "enums": ("from enum import Enum, auto\nclass E(Enum):\n    A = auto()\n    B = auto()\nr = [e.name for e in E]", ["A", "B"]),
    "named tuples": ("from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 2\nr = P(1).y", 2),
    "context managers": (
        "import contextlib\n@contextlib.contextmanager\ndef c():\n    yield 6\nwith c() as r: pass",
        6,
    ),
    "raise from": ("try:\n    raise ValueError from KeyError()\nexcept ValueError as e:\n    r = repr(e.__cause__)", "KeyError()"),
    "slices": ("r = list(range(10))[::-3]", [9, 6, 3, 0]),
    "eval, exec and compile": ("exec('a = 1 + 1')\nr = eval('a + 1') + eval(compile('a', 's', 'eval'))", 5),
    "main guard": ("r = 0\nif __name__ == '__main__':\n    r = 1", 1),
    "future annotations": ("from __future__ import annotations\ndef f(x: Unknown) -> Missing: return x\nr = f(2)", 2),
    "type names": ("def f(x: Optional[List[int]], y: Dict[str, Tuple[int, ...]]) -> Union[int, Set[int]]: return 3\nr = f(1, 2)", 3),
    "mathematics without import": ("r = (sqrt(16), floor(2.5), ceil(2.5), abs(-1), pow(2, 3), round(pi, 2), cos(0), sin(0), tan(0))", (4.0, 2, 3, 1, 8, 3.14, 1.0, 0.0, 0.0)),
    "exception groups": ("try:\n    raise ExceptionGroup('g', [ValueError(1)])\nexcept* ValueError as g:\n    r = len(g.exceptions)", 1),
    "date and text": ("import datetime, re, json\nr = (re.sub('a', 'b', 'aa'), json.loads(json.dumps({'x': [1]})), str(datetime.date(2020, 1, 2)))", ("bb", {"x": [1]}, "2020-01-02")),
    "caches": ("import functools\n@functools.lru_cache(None)\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nr = fib(50)", 12586269025),
    "metaclasses": ("class M(type):\n    def __call__(cls, *a): return 7\nclass K(metaclass=M): pass\nr = K()", 7),
    "parsing of dates": ("import datetime\nr = datetime.datetime.strptime('2020-01-02', '%Y-%m-%d').day", 2),
    "unicode names": ("r = '\\N{GREEK SMALL LETTER ALPHA}'.encode('utf-16-le').hex()", "b103"),
}  # fmt: skip


@pytest.mark.parametrize("name", PIECES)
def test_python_works(run, name):
    code, value = PIECES[name]
    result = run(code + "\nprint(r)")
    assert result.output.partition(": ")[2] == repr((value,))
    assert result.error is None


def test_coroutines_take_turns_over_game_time(run, game):
    code = """
import asyncio
log = []
async def work(name, delay):
    log.append(f'{name} starts')
    await asyncio.sleep(delay)
    log.append(f'{name} ends')
    return name
async def main():
    return await asyncio.gather(work('a', 2), work('b', 1))
print(asyncio.run(main()), log)
"""
    assert run(code).output == "11: (['a', 'b'], ['a starts', 'b starts', 'b ends', 'a ends'])"
    assert game.tick == 120  # two seconds of game time, waited for together


def test_a_coroutine_that_takes_too_long_is_cancelled(run, game):
    code = """
import asyncio
async def slow():
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print('cancelled')
        raise
async def main():
    try:
        await asyncio.wait_for(slow(), 1)
    except asyncio.TimeoutError:
        await asyncio.sleep(1)
        return 'late'
print(asyncio.run(main()))
"""
    assert run(code).output == "15: ('cancelled',)\n15: ('late',)"
    assert game.tick == 120


def test_coroutines_that_wait_for_each_other_are_an_error(run):
    code = """
import asyncio
tasks = []
async def wait(n): await tasks[n]
async def main():
    tasks.extend([asyncio.create_task(wait(1)), asyncio.create_task(wait(0))])
    await tasks[0]
asyncio.run(main())
"""
    assert "every coroutine waits" in run(code).error.message


@pytest.mark.parametrize("module", ["os", "subprocess", "socket", "threading", "ctypes", "multiprocessing", "pickle"])
def test_modules_off_the_list_are_refused_with_the_list(run, module):
    result = run(f"import {module}")
    assert result.error.type == "ModuleNotFoundError"
    assert "Programs may import: " in result.error.message
    assert "itertools" in result.error.message


def test_every_module_on_the_list_can_be_imported(run):
    listed = run("import os").error.message.partition("may import: ")[2].rstrip(".").split(", ")
    assert {"math", "random", "time", "asyncio", "collections.abc", "statistics"} <= set(listed)
    code = "\n".join(f"import {name}" for name in listed if name != "__future__")
    assert (
        run(code + "\nimport fractions, decimal\nprint(statistics.mean([1, 2]), fractions.Fraction(1, 3))").error
        is None
    )


def test_imports_of_fles_modules_give_the_names_that_are_there(run):
    code = """
from fle.env.game_types import Prototype, Resource
from fle.env.entities import Position as P
from fle.env import *
import fle.env.entities as entities
from factorio_instance import *
print(P is Position, entities.Direction is Direction, Prototype.Coal)
"""
    assert run(code).output == "7: (True, True, Prototype.Coal)"


@pytest.mark.parametrize("name", ["open", "input", "breakpoint", "help"])
def test_builtins_that_reach_outside_are_not_there(run, name):
    assert run(f"{name}('x')").error.type == "NameError"
