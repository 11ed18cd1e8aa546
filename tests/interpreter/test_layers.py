"""Each isolation layer by itself: what it stops, and that nothing stops it without."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

from fle_ray.errors import ConfigError, UnknownName
from fle_ray.interpreter import LAYERS, Interpreter, LayerPolicy, Limits
from tests.interpreter.escape import hostile

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the layers are Linux's")


@pytest.fixture
def only(make):
    """An interpreter with these layers and no others."""

    def one(*names: str, limits: Limits | None = None) -> Interpreter:
        interpreter = make(limits=limits, layers=LayerPolicy(without=[n for n in LAYERS if n not in names]))
        if missing := set(names) - set(interpreter.layers):
            pytest.skip(f"this machine has no {missing}")
        assert set(interpreter.layers) == set(names)
        return interpreter

    return one


def output(interpreter: Interpreter, code: str) -> str:
    result = interpreter.run(hostile(code), seed=0)
    assert result.error is None, result.output
    return result.output.rpartition(": ")[2]


def refused(interpreter: Interpreter, code: str) -> str | None:
    """The type of the program's error; None when it got through."""
    error = interpreter.run(hostile(code), seed=0).error
    return error.type if error else None


READ_FILE = "os['close'](os['open']('/etc/passwd', 0))"


def test_environment(only, monkeypatch):
    assert output(only("environment"), "print(len(os['environ']))") == "(0,)"
    # Even without it the parent's own environment is not there.
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    names = output(only(), "print(sorted(os['environ']))")
    assert names == "(['PYTHONCOERCECLOCALE', 'PYTHONHASHSEED', 'TZ'],)"


def test_descriptors(only):
    # "/proc/self/fd" itself is the one more.
    assert output(only("descriptors"), "print(len(os['listdir']('/proc/self/fd')))") == "(6,)"


def test_a_descriptor_of_the_parent_is_not_inherited(only):
    read, write = os.pipe()
    os.set_inheritable(read, True)
    try:
        assert output(only(), "print(len(os['listdir']('/proc/self/fd')))") == "(6,)"
    finally:
        os.close(read)
        os.close(write)


def test_undumpable(only):
    get_dumpable = "print(libc.prctl(3))"
    assert output(only("undumpable"), get_dumpable) == "(0,)"
    assert output(only(), get_dumpable) == "(1,)"


def test_no_new_privs(only):
    get_no_new_privs = "print(libc.prctl(39, 0, 0, 0, 0))"
    assert output(only("no_new_privs"), get_no_new_privs) == "(1,)"
    assert output(only(), get_no_new_privs) == "(0,)"


def test_namespaces_cut_the_network(only):
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = f"import_('socket').create_connection(('127.0.0.1', {server.getsockname()[1]}), 2).close()"
        assert refused(only(), connect) is None
        assert refused(only("namespaces"), connect) == "OSError"  # network is unreachable


def test_capabilities_are_dropped(only):
    effective = (
        "f = os['open']('/proc/self/status', 0)\ns = os['read'](f, 9999).decode()\n"
        "print([l.split()[1] for l in s.splitlines() if l.startswith(('CapEff', 'CapPrm'))])"
    )
    assert output(only("capabilities"), effective) == "(['0000000000000000', '0000000000000000'],)"


def test_landlock_closes_the_file_system(only):
    assert refused(only("no_new_privs"), READ_FILE) is None
    interpreter = only("no_new_privs", "landlock")
    assert refused(interpreter, READ_FILE) == "PermissionError"
    assert refused(interpreter, "os['listdir']('/')") == "PermissionError"
    assert refused(interpreter, "os['execv']('/bin/true', ['true'])") == "PermissionError"
    assert refused(interpreter, "os['open']('new', os['O_CREAT'] | os['O_WRONLY'])") == "PermissionError"


def test_landlock_keeps_signals_in(only):
    victim = subprocess.Popen(["sleep", "60"])
    try:
        error = refused(only("no_new_privs", "landlock"), f"os['kill']({victim.pid}, 9)")
        if error is None:
            pytest.skip("this kernel's Landlock has no signal scope")
        assert error == "PermissionError"
        assert victim.poll() is None
        assert refused(only("no_new_privs"), f"os['kill']({victim.pid}, 9)") is None
        assert victim.wait(5) == -signal.SIGKILL
    finally:
        victim.kill()
        victim.wait()


def test_rlimits_hold_memory_files_and_core_dumps(only):
    interpreter = only("rlimits", limits=Limits(memory_bytes=64 << 20))
    assert interpreter.run("x = bytes(100 << 20)", seed=0).error.kind == "memory"
    assert refused(interpreter, READ_FILE) == "OSError"  # too many open files: those that are open
    limits = "r = import_('resource')\nprint(r.getrlimit(r.RLIMIT_CORE), r.getrlimit(r.RLIMIT_FSIZE))"
    assert output(only("rlimits"), limits.replace("import_", "real")) == "((0, 0), (0, 0))"
    free = only(limits=Limits(memory_bytes=64 << 20))
    assert free.run("x = len(bytes(100 << 20))", seed=0).error is None
    assert refused(free, READ_FILE) is None


def test_seccomp_refuses_files_processes_and_sockets(only):
    interpreter = only("no_new_privs", "seccomp")
    assert refused(interpreter, READ_FILE) == "PermissionError"
    assert refused(interpreter, "os['fork']()") == "PermissionError"
    assert output(interpreter, "print(libc.socket(2, 1, 0), ctypes.get_errno())") == "(-1, 1)"
    free = only("no_new_privs")
    assert output(free, "fd = libc.socket(2, 1, 0)\nprint(fd > 0)") == "(True,)"
    assert output(free, "pid = os['fork']()\nif pid == 0: os['_exit'](0)\nprint(os['waitpid'](pid, 0)[1])") == "(0,)"


def test_seccomp_cannot_be_had_without_no_new_privs_by_an_ordinary_user(make):
    interpreter = make(layers=LayerPolicy(without=["no_new_privs", "namespaces", "capabilities"]))
    assert ("seccomp" in interpreter.layers) == (os.getuid() == 0)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_lets_through_its_list_and_nothing_else_on_every_machine(machine):
    from fle_ray.interpreter.child.layers import _CALLS, seccomp_program

    architecture, _, allowed, unless_executable = _CALLS[machine]
    program = seccomp_program(architecture, sorted(allowed.values()), sorted(unless_executable.values()))

    def verdict(number: int, protection: int = 0, arch: int = architecture) -> int:
        """Classic BPF over struct seccomp_data, for the five instructions that the filter uses."""
        data = struct.pack("=IIQ6Q", number, arch, 0, 0, 0, protection, 0, 0, 0)
        at = accumulator = 0
        while True:
            code, if_true, if_false, k = struct.unpack_from("=HBBI", program, 8 * at)
            at += 1
            if code == 0x20:
                accumulator = struct.unpack_from("=I", data, k)[0]
            elif code == 0x15:
                at += if_true if accumulator == k else if_false
            elif code == 0x45:
                at += if_true if accumulator & k else if_false
            else:
                assert code == 0x06
                return k

    allow, eperm, kill = 0x7FFF0000, 0x00050001, 0x80000000
    for number in range(600):
        passes = number in allowed.values() or number in unless_executable.values()
        assert verdict(number) == (allow if passes else eperm)
        assert verdict(number, protection=7) == (allow if number in allowed.values() else eperm)
        assert verdict(number, arch=architecture ^ 1) == kill
    assert verdict(0x40000000) == eperm  # the x32 calls of x86_64


def test_the_child_dies_with_its_parent():
    script = """
import sys, threading
from fle_ray.interpreter import Interpreter, LayerPolicy
i = Interpreter(lambda *a: None, tools=[], layers=LayerPolicy(require=["parent_death"]))
print(i.pid, flush=True)
i.run("while True: pass", seed=0)
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    time.sleep(0.2)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    for _ in range(100):
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":  # dead, and not yet collected by init
                    return
        except FileNotFoundError:
            return
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the child outlived its parent")


def test_all_layers_of_this_machine_are_reported_in_order(interpreter):
    assert list(interpreter.layers) == [name for name in LAYERS if name in interpreter.layers]
    assert {"environment", "descriptors", "rlimits"} <= set(interpreter.layers)


def test_a_required_layer_that_is_missing_is_a_config_error():
    # The parent's death is reported to a child only when the thread that started it lasts; here it does not.
    caught: list[BaseException] = []

    def start() -> None:
        try:
            Interpreter(lambda *a: None, tools=[], layers=LayerPolicy(require=["parent_death"]))
        except ConfigError as error:
            caught.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert "Isolation layers parent_death are required" in str(caught[0])


def test_an_unknown_layer_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName, match="seccomp"):
        LayerPolicy(require=["secomp"])
    with pytest.raises(ConfigError, match="both required and left off: landlock"):
        LayerPolicy(require=["landlock"], without=["landlock"])


def test_a_thread_that_a_program_leaves_running_does_not_reach_the_next(make, game):
    interpreter = make(layers=LayerPolicy(without=["seccomp", "rlimits"]))
    code = """
def forever():
    while True:
        try: sleep(1)
        except BaseException: pass
real('_thread').start_new_thread(forever, ())
"""
    pid = interpreter.pid
    interpreter.run(hostile(code), seed=0)
    made = len(game.calls)
    time.sleep(0.2)
    interpreter.run("x = 1", seed=0)
    assert len(game.calls) == made
    assert interpreter.pid != pid
