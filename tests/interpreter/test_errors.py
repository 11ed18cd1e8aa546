"""What an agent is told of an error (tools contract 4.4, with the faults mended)."""

from __future__ import annotations

import pytest


def test_an_error_at_top_level_gives_type_and_message(run):
    result = run("print('before')\nassert 1 == 2, 'not equal'\nprint('after')")
    assert result.output == "1: ('before',)\n2: ('AssertionError: not equal',)"
    assert (result.error.kind, result.error.type, result.error.message) == ("exception", "AssertionError", "not equal")
    assert (result.error.line, result.error.traceback) == (2, "")


def test_an_error_without_message_gives_its_type(run):
    assert run("raise KeyError").output == "1: ('KeyError',)"


def test_an_error_in_functions_shows_the_line_of_each(run):
    result = run("def a(x):\n    return 1 / x\ndef b(x):\n    return a(x)\n\nb(0)")
    assert result.error.traceback == "  Line 4: return a(x)\n  Line 2: return 1 / x"
    assert result.error.line == 2
    shown = "An error occurred:\n  Line 4: return a(x)\n  Line 2: return 1 / x\n\nZeroDivisionError: division by zero"
    assert result.output == f"6: ({shown!r},)"


def test_a_function_of_an_earlier_program_shows_its_own_source(run):
    run("x = 1\ndef half(x):\n    return x / 0")
    result = run("print('a')\n# other text on line 3\nhalf(3)")
    assert "Line 3 of program 1: return x / 0" in result.error.traceback
    assert result.error.line == 3


def test_a_function_of_an_earlier_program_shows_its_source_in_a_new_child_too(interpreter, run):
    run("def half(x):\n    return x / 0")
    interpreter.load(interpreter.save())
    assert "Line 2 of program 1: return x / 0" in run("half(3)").error.traceback


def test_all_lines_of_a_message_are_kept(run):
    result = run("raise ValueError('first\\nsecond\\nthird')")
    assert result.error.message == "first\nsecond\nthird"
    assert result.output == "1: ('ValueError: first\\nsecond\\nthird',)"


@pytest.mark.parametrize(
    ("code", "suggestion"),
    [
        ("coal_drill = 5\nprint(coal_dril)", "coal_drill (int)"),
        ("nearst(Resource.Coal)", "nearest (Tool)"),
        ("Prototyp.Coal", "Prototype ("),
        ("prnt(1)", "print (builtin_function_or_method)"),
        ("y = lenn([])", "len (builtin_function_or_method)"),
    ],
)
def test_an_undefined_name_is_an_error_with_near_names_and_their_types(run, code, suggestion):
    result = run(code)
    assert result.error.type == "NameError"
    assert "Did you mean one of these?" in result.output
    assert suggestion in result.output


def test_an_undefined_function_as_a_statement_raises(run):
    assert run("undefined_fn()").error.message == "name 'undefined_fn' is not defined"


def test_a_mistyped_attribute_offers_near_ones(run):
    assert "Did you mean one of these? amount" in run("class K:\n    amount = 1\nK().amuont").output


def test_a_mistyped_prototype_offers_near_ones_once(run):
    message = run("Prototype.BurnerMiningDril").error.message
    assert "BurnerMiningDrill" in message
    assert message.count("Did you mean") == 1


@pytest.mark.parametrize(
    "code",
    [
        "sleep = 5",
        "sleep: int = 5",
        "score += 1",
        "def nearest(x): pass",
        "class Position: pass",
        "a, sleep = 1, 2",
        "for score in range(3): pass",
        "import math as sleep",
        "from math import pi as score",
        "import contextlib\nwith contextlib.nullcontext() as sleep: pass",
        "try:\n    1 / 0\nexcept ZeroDivisionError as sleep: pass",
        "if (sleep := 3): pass",
        "[(sleep := i) for i in range(2)]",
        "match 3:\n    case sleep: pass",
        "del sleep",
        "print = 3",
        "def f():\n    global sleep\n    sleep = 3\nf()",
        "if True:\n    while True:\n        Prototype = 3",
        "UP = 3",
    ],
)
def test_protected_names_cannot_be_redefined(run, code):
    result = run(code)
    assert result.error.type == "NameError"
    assert "cannot redefine" in result.error.message
    assert run("print(sleep, score, UP, Position(1, 2))").output == (
        "1: (<tool sleep>, <tool score>, Direction.UP, Position(x=1.0, y=2.0))"
    )


def test_the_guard_speaks_only_when_its_statement_runs(run):
    result = run("print('ran')\nif False:\n    sleep = 3\nprint('on')")
    assert result.output == "1: ('ran',)\n4: ('on',)"
    assert result.error is None


def test_protected_names_may_be_parameters_locals_and_attributes(run):
    code = """
def f(score, nearest=1):
    sleep = score + nearest
    return sleep
class K:
    score = 3
print(f(1), K.score, [score for score in range(2)], {sleep: 1 for sleep in 'a'})
"""
    assert run(code).output == "7: (2, 3, [0, 1], {'a': 1})"


def test_protected_names_come_back_when_the_guard_is_bypassed(run):
    run("globals()['sleep'] = 3\nexec('Position = 4')")
    assert run("print(sleep, Position(1, 2).x)").output == "1: (<tool sleep>, 1.0)"


def test_builtins_may_be_hidden_and_come_back(run):
    result = run("sum = 3\nid = 4\nprint(sum + id)\nsum([1])")
    assert result.output.startswith("3: (7,)\n4: (\"TypeError: 'int' object is not callable")
    assert "`del id` brings the builtin back" in result.output
    assert run("del sum\nprint(sum([1, 2]))").output == "2: (3,)"


@pytest.mark.parametrize(
    ("code", "line"),
    [("x = (\n", 1), ("print('a')\nif True\n    pass", 2), ("x = 1\nbreak", 2), ("def f():\n\treturn 1\n  x", 3)],
)
def test_a_program_that_is_not_python_runs_nothing_and_names_the_line(run, code, line):
    result = run("print('ran')\n" + code)
    assert (result.error.kind, result.error.line) == ("syntax", line + 1)
    assert "ran" not in result.output
    assert result.output.startswith(f"{line + 1}: (")


def test_a_null_byte_is_a_syntax_error(run):
    assert run("x = 1\0").error.kind == "syntax"


def test_half_a_surrogate_pair_in_the_program_is_a_syntax_error(run):
    assert run("x = '\ud800'").error.kind == "syntax"


def test_nesting_that_the_compiler_refuses_is_a_syntax_error(run):
    assert run("x = " + "(" * 500 + "1" + ")" * 500).error.kind == "syntax"
    assert run("x = " + "-" * 100_000 + "1").error.kind in ("syntax", "crash")
    assert run("x = " + "+".join(["1"] * 50_000)).error.kind in ("syntax", "crash")
    assert run("print(1)").output == "1: (1,)"


@pytest.mark.parametrize("code", ["exit()", "quit()", "raise SystemExit", "import sys\nsys.exit()"])
def test_leaving_ends_the_program_and_not_the_session(run, code):
    result = run(f"x = 1\n{code}\nx = 2")
    assert (result.error.kind, result.error.type) == ("exception", "SystemExit")
    assert result.output.split("\n")[-1].endswith("('SystemExit',)")
    assert run("print(x)").output == "1: (1,)"


@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "GeneratorExit", "BaseException"])
def test_every_uncaught_exception_ends_the_program(run, kind):
    assert run(f"raise {kind}('m')").error.type == kind


def test_a_message_that_cannot_be_made_is_said_to_be_so(run):
    result = run("class E(Exception):\n    def __str__(self): return 1 / 0\nraise E")
    assert "ZeroDivisionError" in result.error.message


def test_failing_is_never_told_by_a_word_in_the_output(run):
    result = run("print('Error: exception occurred, Traceback, failed')")
    assert result.error is None
    assert run("raise Exception('all is well')").error.kind == "exception"


def test_a_deep_recursion_is_an_exception_and_its_frames_are_cut(run):
    result = run("def f(n):\n    return f(n + 1)\nf(0)")
    assert result.error.type == "RecursionError"
    assert "more" in result.error.traceback
    assert len(result.error.traceback.split("\n")) < 20


def test_reraising_and_chaining_keep_the_last_exception(run):
    result = run("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('v') from e")
    assert result.output == "4: ('ValueError: v',)"
    assert run("try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise").error.type == "ZeroDivisionError"


def test_the_repr_of_a_printed_object_may_fail_as_the_programs_own_error(run):
    result = run("class K:\n    def __repr__(self): raise RuntimeError('r')\nreturn K()")
    assert (result.error.type, result.error.message) == ("RuntimeError", "r")
