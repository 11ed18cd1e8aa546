"""What happens when a program uses too much: the documented state, whatever it does."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from fle_ray.errors import ConfigError
from fle_ray.interpreter import Limits
from tests.interpreter.escape import hostile

SHORT = Limits(wall_s=0.3, max_calls=10**9)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_loop_without_end_is_stopped_and_rolled_back(make):
    interpreter = make(SHORT)
    interpreter.run("x = 1\nxs = [1]", seed=0)
    pid = interpreter.pid
    result = interpreter.run("x = 2\nxs.append(2)\nprint('shown')\nwhile True: pass", seed=0)
    assert result.error.kind == "timeout"
    assert result.error.rolled_back
    assert result.output.split("\n")[0] == "3: ('shown',)"
    assert result.output.split("\n")[1].startswith("Error: The program was stopped: its 0.3 s of wall time are over.")
    assert not is_alive(pid)
    assert interpreter.run("print(x, xs)", seed=0).output == "1: (1, [1])"


def test_a_long_call_into_c_is_stopped_too(make):
    result = make(SHORT).run("x = 10 ** 10 ** 8", seed=0)
    assert result.error.kind == "timeout"


def test_cpu_time_is_limited_apart_from_wall_time(make):
    result = make(Limits(cpu_s=0.2)).run("while True: pass", seed=0)
    assert result.error.kind == "timeout"
    assert "0.2 s of CPU time" in result.error.message


def test_the_games_own_time_in_a_call_does_not_count(make, game):
    handle = game.handle

    def slow(tool, args, kwargs):
        time.sleep(0.4)
        return handle(tool, args, kwargs)

    game.handle = slow
    assert make(SHORT).run("print(echo(1))", seed=0).output == "1: (1,)"


def test_a_program_that_catches_everything_is_stopped(make):
    code = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    assert make(SHORT).run(code, seed=0).error.kind == "timeout"


@pytest.mark.slow
def test_a_program_that_timed_out_acts_on_the_world_never_again(make, game):
    busy = threading.Event()

    def load() -> None:
        while not busy.is_set():
            sum(range(1000))

    others = [threading.Thread(target=load) for _ in range(2)]
    for other in others:
        other.start()
    try:
        for _ in range(5):
            interpreter = make(Limits(wall_s=0.2, max_calls=10**9))
            pid = interpreter.pid
            result = interpreter.run("import time\nn = 0\nwhile True:\n    n = echo(n + 1)", seed=0)
            made = len(game.calls)
            assert result.error.kind == "timeout"
            assert not is_alive(pid)
            time.sleep(0.3)
            interpreter.run("x = 1", seed=0)
            assert len(game.calls) == made
            assert len(result.calls) == made
            game.calls.clear()
    finally:
        busy.set()
        for other in others:
            other.join()


def test_a_string_of_ten_gigabytes_is_the_memory_limit(run):
    run("x = 1")
    result = run("x = 2\ny = 'a' * 10**10")
    assert (result.error.kind, result.error.line) == ("memory", 2)
    assert run("print(x)").output == "1: (1,)"


def test_eating_memory_bit_by_bit_is_the_memory_limit(make):
    interpreter = make(Limits(memory_bytes=64 << 20))
    interpreter.run("x = 1", seed=0)
    result = interpreter.run("xs = []\nwhile True:\n    xs.append([0] * 1000)", seed=0)
    assert result.error.kind == "memory"
    assert interpreter.run("print(x)", seed=0).output == "1: (1,)"


def test_a_memory_error_may_be_caught(run):
    result = run("try:\n    y = 'a' * 10**10\nexcept MemoryError:\n    print('too big')")
    assert result.error is None
    assert result.output == "4: ('too big',)"


def test_a_crash_is_rolled_back(run):
    run("x = 1")
    result = run(hostile("x = 2\nctypes.string_at(0)"))
    assert result.error.kind == "crash"
    assert "SIGSEGV" in result.error.message
    assert run("print(x)").output == "1: (1,)"


def test_a_process_that_ends_itself_is_a_crash(run):
    result = run(hostile("os['_exit'](0)"))
    assert result.error.kind == "crash"
    assert "status 0" in result.error.message


def test_a_kill_from_outside_counts_as_out_of_memory(make):
    interpreter = make()
    killer = threading.Timer(0.3, os.kill, (interpreter.pid, signal.SIGKILL))
    killer.start()
    result = interpreter.run("while True: pass", seed=0)
    killer.join()
    assert result.error.kind == "memory"


def test_a_child_that_died_between_two_programs_is_replaced_unseen(interpreter, run):
    run("x = 1")
    os.kill(interpreter.pid, signal.SIGKILL)
    os.waitid(os.P_PID, interpreter.pid, os.WEXITED | os.WNOWAIT)
    result = run("print(x)")
    assert (result.output, result.error) == ("1: (1,)", None)


def test_a_child_that_is_stopped_from_outside_is_a_timeout(make):
    interpreter = make(SHORT)
    interpreter.run("x = 1", seed=0)
    stopper = threading.Timer(0.1, os.kill, (interpreter.pid, signal.SIGSTOP))
    stopper.start()
    assert interpreter.run("x = 2\nwhile True: pass", seed=0).error.kind == "timeout"
    stopper.join()
    assert interpreter.run("print(x)", seed=0).output == "1: (1,)"


def test_several_faults_in_a_row_leave_the_session_whole(make):
    interpreter = make(Limits(wall_s=0.3, output_bytes=500, memory_bytes=64 << 20))
    interpreter.run("xs = []", seed=0)
    kinds = []
    for fault in ("while True: pass", "y = 'a' * 10**9", "ctypes.string_at(0)", "print('a' * 1000)", "1 / 0", "x = ("):
        kinds.append(interpreter.run(hostile(f"xs.append(1)\n{fault}"), seed=0).error.kind)
    assert kinds == ["timeout", "memory", "crash", "output_limit", "exception", "syntax"]
    # Rolled back in the first three, kept in the next two, nothing ran in the last.
    assert interpreter.run("print(xs)", seed=0).output.split("\n")[-1] == "1: ([1, 1],)"


@pytest.mark.parametrize("wrong", [{"wall_s": 0}, {"max_calls": -1}, {"recursion": 5}, {"memory_bytes": "a"}])
def test_limits_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        Limits(**wrong)
