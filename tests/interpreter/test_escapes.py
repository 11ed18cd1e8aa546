"""Attempts to get out, by programs that have the real modules and the C library in their hands.

Each is contained, leaves the session usable, and is recorded as what it was. What each layer stops alone stands
in test_layers.py; here all of them are on.
"""

# ruff: noqa: E501 - programs on one line
from __future__ import annotations

import gc
import os
import socket
import sys

import pytest

from fle_ray.interpreter import Interpreter, LayerPolicy, Limits
from tests.interpreter.escape import hostile

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the layers are Linux's")


@pytest.fixture
def attempt(interpreter):
    """Run a hostile program; afterwards the session must be whole."""
    interpreter.run("kept = [1]", seed=0)

    def one(code: str):
        result = interpreter.run(hostile(code), seed=0)
        assert interpreter.run("print(kept)", seed=0).output.split("\n")[-1] == "1: ([1],)"
        return result

    return one


def test_the_way_past_the_restricted_names_works(run):
    # Otherwise the tests below would show nothing.
    result = run(hostile("print(os['getpid']() > 0, libc.getpid() > 0, real('sys') is os['sys'])"))
    assert result.output.endswith(": (True, True, True)")


def test_the_environment_is_empty(attempt, monkeypatch):
    assert attempt("print(dict(os['environ']), libc.getenv(b'PATH'))").output.endswith(": ({}, 0)")


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "/proc/self/environ", "/proc/self/mem", "/proc/self/maps", "/dev/urandom", "/dev/null", sys.executable]
    + [os.__file__, "."],
)  # fmt: skip
def test_no_file_can_be_read(attempt, path):
    result = attempt(f"os['open']({path!r}, 0)")
    assert (result.error.kind, result.error.type) == ("exception", "PermissionError")


@pytest.mark.parametrize(
    "code",
    [
        "os['listdir']('/proc')",
        "os['open']('new', os['O_CREAT'] | os['O_WRONLY'])",
        "os['mkdir']('new')",
        "os['unlink']('/etc/passwd')",
        "os['symlink']('/', 'root')",
        "os['chmod']('/', 0o777)",
        "os['chdir']('/')",
        "os['stat']('/etc')",
        "os['memfd_create']('m')",
        "os['pipe']()",
        "real('io').open('/etc/passwd')",
    ],
)
def test_the_file_system_is_closed(attempt, code):
    assert attempt(code).error.type == "PermissionError"


@pytest.mark.parametrize(
    "code",
    [
        "os['fork']()",
        "os['execv']('/bin/sh', ['sh'])",
        "os['posix_spawn']('/bin/true', ['true'], {})",
        "os['kill'](os['getpid'](), 9)",
        "os['kill'](-1, 9)",
        "os['setsid']()",
        "real('signal').setitimer(0, 0.01)",
        "real('signal').pthread_kill(1, 9) if 0 else os['killpg'](0, 9)",
        "import_('resource').prlimit(0, 7, (100, 100))",
    ],
)
def test_no_process_is_started_or_signalled(attempt, code):
    assert attempt(code).error.type in ("PermissionError", "OSError", "itimer_error")


def test_the_shell_is_not_reached(attempt, tmp_path):
    result = attempt(f"print(os['system']('touch {tmp_path}/out'), os['system']('true'))")
    assert not list(tmp_path.iterdir())
    assert ": (0" not in result.output


def test_no_thread_is_started(attempt):
    result = attempt("real('_thread').start_new_thread(print, (1,))")
    assert (result.error.type, result.error.message) == ("RuntimeError", "can't start new thread")


def test_the_parent_cannot_be_killed_or_stopped(attempt):
    for signal in (9, 15, 19):
        assert attempt(f"os['kill']({os.getpid()}, {signal})").error.type == "PermissionError"


SYSCALLS = {
    "socket": (41, 2, 1, 0),
    "socketpair": (53, 1, 1, 0, 0),
    "connect": (42, 0, 0, 0),
    "ptrace": (101, 16, os.getpid(), 0, 0),
    "process_vm_readv": (310, os.getpid(), 0, 0, 0, 0, 0),
    "pidfd_open": (434, os.getpid(), 0),
    "open_by_handle_at": (304, 0, 0, 0),
    "openat2": (437, 0, 0, 0, 0),
    "clone": (56, 17, 0, 0, 0, 0),
    "clone3": (435, 0, 0),
    "execveat": (322, 0, 0, 0, 0, 0),
    "mount": (165, 0, 0, 0, 0, 0),
    "unshare": (272, 0x10000000),
    "setuid": (105, 0),
    "io_uring_setup": (425, 1, 0),
    "bpf": (321, 0, 0, 0),
    "keyctl": (250, 0, 0),
    "perf_event_open": (298, 0, 0, 0, 0, 0),
    "prctl": (157, 4, 1, 0, 0, 0),
    "sendmsg": (46, 0, 0, 0),
    "shmget": (29, 1, 4096, 0o1000),
    "timer_create": (222, 0, 0, 0),
    "getrandom": (318, 0, 0, 0),
}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")
@pytest.mark.parametrize("name", SYSCALLS)
def test_system_calls_that_reach_outside_are_refused(attempt, name):
    number, *arguments = SYSCALLS[name]
    result = attempt(f"print(libc.syscall({number}, *{arguments}), ctypes.get_errno())")
    assert result.output.endswith(": (-1, 1)")  # EPERM


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")
def test_memory_cannot_be_made_executable(attempt):
    result = attempt("print(libc.syscall(9, 0, 4096, 7, 0x22, -1, 0), ctypes.get_errno())")
    assert result.output.endswith(": (-1, 1)")


def test_nothing_but_the_pipes_is_open(attempt):
    code = """
found = []
for fd in range(3, 1024):
    try:
        os['lseek'](fd, 0, 1)
    except OSError as e:
        if e.errno != 9: found.append((fd, e.errno))
    else:
        found.append(fd)
print(found)
print(os['read'](0, 100))
"""
    open_, standard = attempt(code).output.split("\n")
    assert open_.partition(": ")[2] == "([(3, 29), (4, 29)],)"  # ESPIPE: pipes; EBADF for all others
    assert standard.endswith(": (b'',)")


def test_a_listening_port_is_not_reached(attempt):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        attempt("import_('_socket')")
        attempt(f"fd = libc.socket(2, 1, 0)\nprint(fd, libc.connect(fd, {server.getsockname()[1]}, 16))")
        with pytest.raises(TimeoutError):
            server.accept()


# --- the protocol -------------------------------------------------------------------------------------------


def test_a_forged_tool_result_stays_in_the_childs_head(attempt, game):
    code = "wire.receive = None\ntype(wire).receive = lambda self: {'value': 999, 'tick': 0}\nprint(score())"
    result = attempt(code)
    # The program fooled itself; the record says what was asked of the game and what the game did.
    assert [(call.tool, call.error) for call in result.calls] == [("score", None)] * len(result.calls)
    assert [call[0] for call in game.calls] == ["score"] * len(result.calls)


def test_a_call_written_by_hand_is_a_call_like_any_other(attempt, game):
    result = attempt(
        "wire.send({'op': 'call', 'tool': 'sleep', 'line': 1, 'args': [1], 'kwargs': {}})\nprint(wire.receive())"
    )
    assert [(call.tool, call.ticks) for call in result.calls] == [("sleep", 60)]
    assert "'tick': 60" in result.output


def test_calls_written_in_advance_are_not_made_in_a_later_program(make, game):
    interpreter = make()
    interpreter.run("kept = 1", seed=0)
    code = """
call = {'op': 'call', 'tool': 'sleep', 'line': 1, 'args': [1], 'kwargs': {}}
wire.send({'op': 'done', 'error': None, 'printed': 0, 'lost': {}, 'functions': {}, 'replace': False})
wire.send_body(b'', b'b')
for i in range(50): wire.send(call)
"""
    first = interpreter.run(hostile(code), seed=0)
    assert first.error is None
    second = interpreter.run("print('next')", seed=0)
    assert game.calls == []
    assert second.calls == ()
    assert second.output.split("\n")[-1] == "1: ('next',)"


BROKEN = {
    "text": "os['write'](wire._write_fd, b'hello, this is not a frame')",
    "a frame without end": "os['write'](wire._write_fd, b'j' + (2**32 - 1).to_bytes(4, 'big'))",
    "not JSON": "wire.send_body(b'{')",
    "JSON that is no object": "wire.send_body(b'[]')",
    "deep JSON": "wire.send_body(b'[' * 1_000_000)",
    "deep arguments": "wire.send_body(b'{\"op\":\"call\",\"tool\":\"echo\",\"kwargs\":{},\"args\":' + b'[' * 90 + b']' * 90 + b'}')",
    "a huge number": "wire.send_body(b'{\"op\":\"call\",\"args\":[' + b'9' * 10_000 + b']}')",
    "not a number": "wire.send_body(b'{\"op\":\"log\",\"text\":NaN}')",
    "not UTF-8": "wire.send_body(b'\\xff\\xfe')",
    "half a surrogate": "wire.send_body(b'{\"op\":\"log\",\"text\":\"\\\\ud800\"}')",
    "an unknown message": "wire.send({'op': 'sudo'})",
    "no message": "wire.send({})",
    "bytes instead of an object": "wire.send_body(b'', b'b')",
    "another kind": "wire.send_body(b'{}', b'x')",
    "an unknown tool": "wire.send({'op': 'call', 'tool': 'launch', 'args': [], 'kwargs': {}})",
    "a tool that is no text": "wire.send({'op': 'call', 'tool': ['echo'], 'args': [], 'kwargs': {}})",
    "arguments that are no list": "wire.send({'op': 'call', 'tool': 'echo', 'args': 5, 'kwargs': {}})",
    "a value of no type": "wire.send({'op': 'call', 'tool': 'echo', 'args': [{'$': 'os.system', 'v': 'true'}], 'kwargs': {}})",
    "an error of no kind": "wire.send({'op': 'done', 'error': {'kind': 'won', 'type': '', 'message': '', 'traceback': '', 'text': ''}, 'printed': 0, 'lost': {}, 'functions': {}})",
    "an error without fields": "wire.send({'op': 'done', 'error': {}, 'printed': 0, 'lost': {}, 'functions': {}})",
    "a wrong count": "wire.send({'op': 'done', 'error': None, 'printed': -5, 'lost': {}, 'functions': {}})",
    "losses that are no text": "wire.send({'op': 'done', 'error': None, 'printed': 0, 'lost': {'a': 1}, 'functions': {}})",
    "an end without a session": "wire.send({'op': 'done', 'error': None, 'printed': 0, 'lost': {}, 'functions': {}})\nwire.send({})",
    "a flood of text": "while True: os['write'](wire._write_fd, b'x' * 60_000)",
    "a flood of entries": "while True: wire.send({'op': 'log', 'text': 'x' * 10_000})",
    "a flood of small entries": "while True: wire.send({'op': 'log', 'text': ''})",
    "too large an entry": "wire.send({'op': 'log', 'text': 'x' * 4_000_000})",
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_not_the_protocol_ends_the_program_as_that(attempt, name):
    result = attempt(BROKEN[name] + "\nwhile True: pass")
    assert result.error.kind == "protocol"
    assert result.error.rolled_back


def test_a_flood_of_calls_written_by_hand_stops_at_the_call_limit(make, game):
    interpreter = make(Limits(max_calls=20))
    code = """
call = {'op': 'call', 'tool': 'echo', 'line': 1, 'args': [1], 'kwargs': {}}
for i in range(50): wire.send(call)
while True: pass
"""
    # The 21st is answered with the order to end; the 22nd shows that it is not obeyed.
    assert interpreter.run(hostile(code), seed=0).error.kind == "protocol"
    assert len(game.calls) == 20


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("os['close'](wire._write_fd)\nwhile True: pass", "crash"),
        ("os['close'](wire._read_fd)\nscore()", "exception"),
        ("os['write'](wire._write_fd, b'j\\0\\0\\0')\nwhile True: pass", "timeout"),
        ("libc.syscall(0, wire._read_fd, 0, 0)\nlibc.pause()\nwhile True: pass", "timeout"),
        ("libc.abort()", "crash"),
    ],
)
def test_a_silent_or_broken_child_is_recorded_as_what_it_is(make, code, kind):
    interpreter = make(Limits(wall_s=0.4))
    interpreter.run("kept = [1]", seed=0)
    assert interpreter.run(hostile(code), seed=0).error.kind in (kind, "crash")
    assert interpreter.run("print(kept)", seed=0).output.split("\n")[-1] == "1: ([1],)"


def test_a_child_that_does_not_read_its_answers_is_a_timeout(make):
    interpreter = make(Limits(wall_s=0.4))
    code = """
call = {'op': 'call', 'tool': 'big', 'line': 1, 'args': [1_000_000], 'kwargs': {}}
wire.send(call)
while True: pass
"""
    assert interpreter.run(hostile(code), seed=0).error.kind == "timeout"
    assert interpreter.run("print(1)", seed=0).output == "1: (1,)"


def test_a_forged_session_that_cannot_be_loaded_is_told_and_starts_empty(make):
    interpreter = make()
    interpreter.run("kept = 1", seed=0)
    code = """
wire.send({'op': 'done', 'error': None, 'printed': 0, 'lost': {}, 'functions': {}, 'replace': True})
wire.send_body(b'not a session', b'b')
"""
    assert interpreter.run(hostile(code), seed=0).error is None
    result = interpreter.run("print('on')", seed=0)
    assert "the session could not be loaded again" in result.lost["*"]
    assert "*: the session could not be loaded again" in result.output.split("\n")[0]
    assert result.output.split("\n")[-1] == "1: ('on',)"


def test_a_pickle_with_a_payload_is_opened_only_behind_the_walls(make, tmp_path):
    interpreter = make()
    code = f"""
class Bomb:
    def __reduce__(self): return os['system'], ('touch {tmp_path}/bomb',)
bomb = Bomb()
"""
    interpreter.run(hostile(code), seed=0)
    other = make()
    other.load(interpreter.save())
    assert other.run("print('on')", seed=0).output.endswith("1: ('on',)")
    assert not list(tmp_path.iterdir())


def test_a_session_that_hangs_while_it_is_loaded_does_not_hang_the_parent(make):
    interpreter = make(Limits(wall_s=0.5))
    interpreter.run("kept = 1", seed=0)
    code = "class K:\n    def __setstate__(self, s):\n        while True: pass\nx = K()\nx.a = 1"
    assert interpreter.run(code, seed=0).error.kind == "timeout"
    assert interpreter.run("print(kept)", seed=0).output == "1: (1,)"


def test_code_that_runs_when_the_program_has_ended_cannot_call_tools(run, game):
    code = """
class K:
    def __getstate__(self):
        try:
            sleep(1)
        except RuntimeError as e:
            return {'said': str(e)}
        return {'said': 'called'}
k = K()
"""
    run(code)
    assert run("print(k.said)").output == "1: ('Tools can be called only while a program runs.',)"
    assert game.calls == []


def test_objects_that_die_after_the_program_cannot_call_tools(run, game):
    run("class K:\n    def __del__(self): sleep(1)\nimport types\nx = [K(), (i for i in [])]")
    run("print(1)")
    assert game.calls == []


def test_signal_handlers_do_not_outlive_their_program_into_the_world(attempt, game):
    attempt("real('signal').signal(15, lambda *a: score())")
    assert game.calls == []


def test_the_working_directory_is_empty_and_gone_at_the_end(make):
    interpreter = make(layers=LayerPolicy(without=["undumpable", "namespaces"]))  # so that we can see it
    folder = os.readlink(f"/proc/{interpreter.pid}/cwd")
    assert os.listdir(folder) == []
    interpreter.close()
    assert not os.path.exists(folder)


def test_the_child_ends_with_its_interpreter():
    closed = Interpreter(lambda tool, args, kwargs: None, tools=[])
    forgotten = Interpreter(lambda tool, args, kwargs: None, tools=[])
    pids = closed.pid, forgotten.pid
    closed.close()
    del forgotten
    gc.collect()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
