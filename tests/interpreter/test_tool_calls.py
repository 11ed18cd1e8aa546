"""Tool calls from the program to the parent and back, and the parent's record of them."""

from __future__ import annotations

import json

import pytest

from fle_ray.errors import EngineError, InstanceClosed, StepLimit
from fle_ray.game.values import Direction, Position, Prototype
from fle_ray.interpreter import Interpreter, Limits


def test_arguments_and_results_cross_by_value(run, game):
    result = run("p = echo(Position(1, 2), Prototype.Coal, direction=Direction.LEFT, xs=(1, [2.5, None]))\nprint(p)")
    assert game.calls == [
        ("echo", (Position(1, 2), Prototype.Coal), {"direction": Direction.LEFT, "xs": (1, [2.5, None])})
    ]
    assert result.output == "2: ([Position(x=1.0, y=2.0), Prototype.Coal],)"


def test_each_call_is_recorded_with_its_line_ticks_and_refusal(run):
    result = run("sleep(2)\ntry:\n    fail()\nexcept Exception:\n    pass\n\necho(\n    1,\n)")
    assert [(c.tool, c.line, c.ticks) for c in result.calls] == [("sleep", 1, 120), ("fail", 3, 0), ("echo", 7, 0)]
    assert result.calls[0].error is None
    assert result.calls[1].error == "No coal within 500 tiles.\nThe nearest is at (900, 0)."
    assert json.loads(result.calls[0].arguments) == {"args": [2], "kwargs": {}}


def test_recorded_arguments_are_cut_at_2000_characters(run):
    assert len(run("echo('x' * 5000)").calls[0].arguments) == 2_000


def test_a_refusal_is_a_plain_exception_that_the_program_may_catch(run):
    code = "try:\n    fail()\nexcept Exception as e:\n    print(type(e) is Exception, str(e))\nprint('on')"
    assert run(code).output == ("4: (True, 'No coal within 500 tiles.\\nThe nearest is at (900, 0).')\n5: ('on',)")


def test_an_uncaught_refusal_ends_the_program_with_the_whole_message(run):
    result = run("fail()")
    assert (result.error.kind, result.error.type) == ("exception", "Exception")
    assert result.error.message == "No coal within 500 tiles.\nThe nearest is at (900, 0)."


def test_a_step_limit_ends_the_program_at_once_and_keeps_what_was_done(run, game):
    result = run(
        "x = 1\nwhile True:\n    try:\n        limit()\n    except BaseException:\n        print('caught')\n"
        "    finally:\n        echo('finally')\n"
    )
    assert (result.error.kind, result.error.message) == ("tick_limit", "The step used up its 72,000 ticks.")
    assert result.error.line == 4
    assert result.output == "4: ('The step used up its 72,000 ticks.',)"
    assert [call[0] for call in game.calls] == ["limit"]
    assert run("print(x)").output == "1: (1,)"


def test_a_step_limit_deep_in_a_recursion_ends_the_program_too(run):
    result = run("x = 5\ndef f(n):\n    if n == 0: limit()\n    f(n - 1)\nf(850)")
    assert result.error.kind == "tick_limit"
    assert run("print(x)").output == "1: (5,)"


def test_more_calls_than_allowed_end_the_program_and_keep_what_was_done(make, game):
    interpreter = make(Limits(max_calls=3))
    result = interpreter.run("n = 0\nwhile True:\n    echo(n)\n    n += 1", seed=0)
    assert result.error.kind == "call_limit"
    assert [args for _, args, _ in game.calls] == [(0,), (1,), (2,)]
    assert len(result.calls) == 3
    assert interpreter.run("print(n)\necho(1)", seed=0).output == "1: (3,)"


def test_a_handlers_own_failure_comes_out_of_run_and_the_session_is_as_before(run):
    run("x = 1")
    with pytest.raises(ZeroDivisionError, match="the engine divided by zero"):
        run("x = 2\nbroken()")
    assert run("print(x)").output == "1: (1,)"


def test_a_handler_that_returns_what_cannot_cross_fails_as_ours(interpreter, game):
    game.handle = None
    own = Interpreter(lambda tool, args, kwargs: object(), tools=["echo"])
    with own, pytest.raises(ValueError, match="object"):
        own.run("echo()", seed=0)


def test_a_handler_may_end_a_program_only_with_a_known_kind():
    def handler(tool, args, kwargs):
        raise StepLimit("tired", "no more")

    with Interpreter(handler, tools=["echo"]) as interpreter, pytest.raises(EngineError, match="tired"):
        interpreter.run("echo()", seed=0)


@pytest.mark.parametrize("kind", ["AssertionError", "NameError", "TypeError", "ValueError"])
def test_a_refusal_is_of_the_built_in_type_that_the_tool_names(run, kind):
    code = f"try:\n    refuse('{kind}')\nexcept {kind} as error:\n    print(error)"
    result = run(code)
    assert result.error is None
    assert "Not this argument." in result.output


def test_a_refusal_of_another_type_is_a_plain_exception(run):
    result = run("refuse('KeyboardInterrupt')")
    assert (result.error.kind, result.error.type) == ("exception", "Exception")


@pytest.mark.parametrize("value", ["object()", "lambda: 1", "10 ** 5000", "chr(0xd800)", "type", "echo"])
def test_arguments_that_cannot_cross_are_the_programs_error(run, game, value):
    result = run(f"echo({value})")
    assert result.error.kind == "exception"
    assert "echo cannot take these arguments" in result.error.message
    assert game.calls == []


@pytest.mark.parametrize("field, value", [("x", "'here'"), ("y", "None"), ("x", "[1]")])
def test_a_value_with_a_spoilt_field_is_the_programs_error(run, game, field, value):
    result = run(f"p = Position(x=1, y=2)\np.{field} = {value}\necho(p)")
    assert (result.error.kind, result.error.type) == ("exception", "TypeError")
    assert f"echo cannot take these arguments: Position.{field}" in result.error.message
    assert game.calls == []


def test_arguments_beyond_the_message_limit_are_the_programs_error(run, game):
    result = run("echo('x' * 5_000_000)")
    assert "at most 4,194,304 can be passed" in result.error.message
    assert game.calls == []


def test_an_answer_beyond_the_message_limit_is_an_exception_of_the_program(make):
    result = make(Limits(reply_bytes=10_000)).run("big(20_000)", seed=0)
    assert "at most 10,000 fit" in result.error.message


def test_megabytes_cross_in_both_directions(run):
    assert run("print(len(echo('x' * 3_000_000)), len(big(20_000_000)))").output == "1: (3000000, 20000000)"


def test_values_that_hold_themselves_are_the_programs_error(run):
    assert run("xs = []\nxs.append(xs)\necho(xs)").error.kind == "exception"


def test_calls_at_the_edge_of_the_recursion_limit_keep_the_conversation_whole(run):
    code = """
def f(n):
    try:
        echo({'a': [[1]]})
    except RecursionError:
        return n
    return f(n + 1)
try:
    print(f(0) > 100)
except RecursionError:
    print('edge')
print(echo('still'))
"""
    result = run(code)
    assert result.error is None
    assert result.output.endswith("12: ('still',)")


def test_an_unknown_tool_is_an_undefined_name(run):
    assert run("launch_rocket()").error.type == "NameError"


def test_game_time_moves_with_the_tools_only(run, game):
    game.tick = 600
    code = "import time\na = time.time()\nb = time.perf_counter()\n"
    code += "time.sleep(3)\nprint(a, time.time() - a, time.monotonic() - b)"
    result = run(code)
    assert result.output == "5: (10.0, 3.0, 3.0)"  # 600 ticks / 60 = 10 s
    assert [(c.tool, c.ticks) for c in result.calls] == [("sleep", 180)]


def test_sleep_imported_from_time_is_the_tool(run):
    assert run("from time import sleep\nsleep(1)\nprint(sleep)").output == "3: (<tool sleep>,)"


def test_tools_can_be_kept_under_another_name(interpreter, run):
    run("go = echo\nd = {'f': sleep}")
    interpreter.load(interpreter.save())
    assert run("print(go(5), d['f'] is sleep)").output == "1: (5, True)"


def test_a_closed_interpreter_says_so(interpreter):
    interpreter.close()
    interpreter.close()
    for use in (
        lambda: interpreter.run("1", seed=0),
        interpreter.save,
        interpreter.reset,
        lambda: interpreter.load(b""),
    ):
        with pytest.raises(InstanceClosed):
            use()
