"""What one program leaves to the next (tools contract 4.2, with the faults mended)."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("first", "second", "output"),
    [
        ("x = 1", "print(x)", "1: (1,)"),
        ("d = {}\nd['k'] = 2", "print(d)", "1: ({'k': 2},)"),
        ("class K: pass\nk = K()\nk.b = 3", "print(k.b)", "1: (3,)"),
        ("x = 1\nx += 4", "print(x)", "1: (5,)"),
        ("x: int = 6", "print(x)", "1: (6,)"),
        ("if True:\n    x = 7", "print(x)", "1: (7,)"),
        ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    x = 8", "print(x)", "1: (8,)"),
        ("a, b = 1, 2\na, b = b, a", "print(a, b)", "1: (2, 1)"),
        ("a, *rest = 1, 2, 3", "print(rest)", "1: ([2, 3],)"),
        ("import math as m\nfrom random import choice", "print(m.pi > 3, choice([4]))", "1: (True, 4)"),
        ("from math import *", "print(gcd(12, 18))", "1: (6,)"),
        ("def f(a, b=2): return a + b", "print(f(1))", "1: (3,)"),
        ("for i in range(4): pass", "print(i)", "1: (3,)"),
        ("import contextlib\nwith contextlib.nullcontext(9) as w: pass", "print(w)", "1: (9,)"),
        ("if (n := 10) > 5: pass", "print(n)", "1: (10,)"),
        ("class K:\n    v = 11\n    def m(self): return self.v", "print(K().m())", "1: (11,)"),
        ("x = 1", "x = 2\nprint(x)", "2: (2,)"),
        ("_private = 12", "print(_private)", "1: (12,)"),
        ("def f():\n    global g\n    g = 13\nf()", "print(g)", "1: (13,)"),
        ("g = 0\ndef f():\n    global g\n    g += 1\ny = f()", "print(g)", "1: (1,)"),
        ("xs = [1]\nys = xs", "ys.append(2)\nprint(xs)", "2: ([1, 2],)"),
        ("match {'a': 14}:\n    case {'a': v}: pass", "print(v)", "1: (14,)"),
        ("p = Position(x=1, y=2)", "print(p)", "1: (Position(x=1.0, y=2.0),)"),
        ("w = Prototype.BurnerMiningDrill", "print(w)", "1: (Prototype.BurnerMiningDrill,)"),
    ],
)
def test_ordinary_python_persists(run, first, second, output):
    assert run(first).error is None
    assert run(second).output == output


def test_a_deleted_name_is_gone_in_the_next_program(run):
    run("x = 1\ny = 2")
    run("del x")
    result = run("print(y)\nprint(x)")
    assert result.output.startswith("1: (2,)\n2: (\"NameError: name 'x' is not defined")


def test_the_caught_exception_is_unbound_again_as_in_python(run):
    result = run("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    pass\nprint('e' in globals())")
    assert result.output == "5: (False,)"


def test_what_was_done_before_an_error_stays(run):
    run("x = 1\nxs = []\nxs.append(1); y = 1 / 0")
    assert run("print(x, xs)").output == "1: (1, [1])"


def test_a_local_name_of_a_comprehension_does_not_leak(run):
    run("[i for i in range(3)]")
    assert run("print(i)").error.type == "NameError"


def test_functions_see_the_newest_globals(run):
    run("rate = 1\ndef f(): return rate")
    run("rate = 5")
    assert run("print(f())").output == "1: (5,)"


def test_an_empty_program_runs_and_gives_no_output(run):
    result = run("")
    assert (result.output, result.error) == ("", None)


def test_reset_leaves_a_clean_slate(interpreter, run):
    run("x = 1\ndef f(): pass")
    interpreter.reset()
    assert interpreter.functions == {}
    assert run("print(x)").error.type == "NameError"
    assert run("print(f)").error.type == "NameError"


def test_the_defined_functions_are_listed_with_signature_and_docstring(interpreter, run):
    run("def f(a: int, *, b=2) -> int:\n    'Adds.'\n    return a + b\nx = 1")
    assert interpreter.functions == {"f": 'def f(a: int, *, b=2) -> int\n"""Adds."""'}
