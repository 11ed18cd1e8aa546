"""The parent's end of one child process: start it, exchange messages under a time limit, kill it.

Whatever comes from a child is hostile until proven otherwise: sizes are checked before anything is held, and
what is not the protocol raises `ProtocolBroken`.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import resource
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

from fle_ray.errors import EngineError
from fle_ray.interpreter.bundle import START, code_bundle
from fle_ray.interpreter.frames import BYTES, HEADER, JSON, frame
from fle_ray.interpreter.limits import Limits

__all__ = ["Child", "ChildDied", "ChildTimeout", "ProtocolBroken"]

NAMES_MODULE = "fle_ray.game.values.namespace"
CODEC_MODULE = "fle_ray.game.codec"

_START_WALL_S = 60.0
_ANSWER_WALL_S = 5.0
_BACKSTOP_CPU_S = 10
_CHUNK_BYTES = 1 << 16


class ChildTimeout(Exception):
    """The child used up its time."""


class ChildDied(Exception):
    """The child's end of the pipe is closed.

    Attributes:
        status: its exit status, negative for a signal.
    """

    def __init__(self, status: int) -> None:
        super().__init__(_describe_status(status))
        self.status = status


class ProtocolBroken(Exception):
    """The child sent something that is not the protocol."""


class Child:
    """One running child.

    Args:
        tools: names of the tools that programs find.
        limits: limits of programs and messages.
        without: isolation layers to leave off.
        folder: its working directory.
    Raises:
        EngineError: it could not be started; the message holds what it said.
    """

    def __init__(self, tools: Sequence[str], limits: Limits, without: Sequence[str], folder: str) -> None:
        self._limits = limits
        self._buffer = bytearray()
        try:
            self._process = self._spawn(folder)
        except OSError as error:
            raise EngineError(f"The interpreter's child could not be started: {error}") from error
        self.pid = self._process.pid
        self._to_child = self._process.stdin.fileno()
        self._from_child = self._process.stdout.fileno()
        os.set_blocking(self._to_child, False)
        self._readable = select.poll()
        self._readable.register(self._from_child, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(self._to_child, select.POLLOUT)
        self.begin_turn(wall_s=_START_WALL_S, cpu_s=_START_WALL_S)
        try:
            self.layers = self._boot(tools, without)
        except BaseException:
            self.kill()
            raise

    @staticmethod
    def _spawn(folder: str) -> subprocess.Popen[bytes]:
        # `-P -s -S`: nothing of ours or the user's on the path. Not `-I`, which ignores PYTHONHASHSEED.
        return subprocess.Popen(
            [sys.executable, "-s", "-S", "-P", "-B", "-X", "utf8", "-c", START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PYTHONHASHSEED": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "UTC0"},
            cwd=folder,
            close_fds=True,
            start_new_session=True,
            bufsize=0,
        )

    def _boot(self, tools: Sequence[str], without: Sequence[str]) -> tuple[str, ...]:
        # The kernel sends the parent-death signal when the *thread* that started the child ends, so it is
        # asked for only from the thread that lives as long as the process.
        lasting = threading.current_thread() is threading.main_thread()
        limits = {name: getattr(self._limits, name) for name in self._limits.__slots__}
        config = {
            "names_module": NAMES_MODULE,
            "codec_module": CODEC_MODULE,
            "tools": list(tools),
            "limits": limits,
            "without": list(without),
            "parent": os.getpid() if lasting else None,
        }
        try:
            self._write(code_bundle(NAMES_MODULE, CODEC_MODULE))
            self.send(config)
            ready = self.receive()
        except (ChildTimeout, ChildDied, ProtocolBroken) as error:
            self.kill(close_errors=False)
            said = self._process.stderr.read().decode("utf-8", "replace")[-4_000:]
            self._process.stderr.close()
            raise EngineError(f"The interpreter's child did not start: {error}\n{said}".rstrip()) from error
        self._process.stderr.close()
        if ready.get("op") != "ready":
            raise EngineError(f"The interpreter's child did not start: it sent {ready!r}.")
        return tuple(ready["layers"])

    # --- time -----------------------------------------------------------------------------------------------

    def begin_turn(self, *, wall_s: float, cpu_s: float) -> None:
        """Start counting the time that the child has the turn."""
        self._allowed = wall_s, cpu_s
        self._wall_left = wall_s
        self._cpu_end = self._cpu_s() + cpu_s
        self._cpu_left = cpu_s
        if sys.platform == "linux":
            # We watch the time ourselves; this is for the case that we die without taking the child along.
            with contextlib.suppress(OSError):
                backstop = math.ceil(self._cpu_end) + _BACKSTOP_CPU_S
                resource.prlimit(self.pid, resource.RLIMIT_CPU, (backstop, resource.RLIM_INFINITY))

    def _cpu_s(self) -> float:
        """CPU seconds of the child so far; 0 where the system does not tell."""
        if sys.platform != "linux":
            return 0.0
        try:
            return time.clock_gettime((~self.pid << 3) | 2)  # the kernel's clock id of a process's CPU time
        except OSError:
            return 0.0

    def _wait(self, poll: select.poll, started: float) -> None:
        """Wait until the pipe is ready. Raises ChildTimeout when the turn's time is over first."""
        left = self._wall_left - (time.monotonic() - started)
        while True:
            if left <= 0:
                raise ChildTimeout(f"its {self._allowed[0]:g} s of wall time are over")
            if self._cpu_left <= 0:
                raise ChildTimeout(f"its {self._allowed[1]:g} s of CPU time are over")
            # A child has one thread, so it cannot use more CPU than wall time.
            if poll.poll(math.ceil(min(left, self._cpu_left + 0.001) * 1000)):
                return
            left = self._wall_left - (time.monotonic() - started)
            self._cpu_left = self._cpu_end - self._cpu_s()

    # --- messages -------------------------------------------------------------------------------------------

    def send(self, message: dict[str, Any]) -> None:
        """Send an object. Raises ChildTimeout, ChildDied, and ValueError for what JSON cannot hold."""
        self.send_body(dump(message))

    def send_body(self, body: bytes, kind: bytes = JSON) -> None:
        self._write(frame(kind, body))

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        started = time.monotonic()
        while rest:
            try:
                rest = rest[os.write(self._to_child, rest) :]
            except BlockingIOError:
                self._wait(self._writable, started)
            except BrokenPipeError:
                raise self._died() from None
        self._wall_left -= time.monotonic() - started

    def receive(self) -> dict[str, Any]:
        """The next object. Raises ChildTimeout, ChildDied, ProtocolBroken."""
        kind, body = self._receive(self._limits.message_bytes)
        if kind != JSON:
            raise ProtocolBroken("bytes where an object was due")
        return parse(body)

    def receive_bytes(self) -> bytes:
        """The bytes of a session. Raises ChildTimeout, ChildDied, ProtocolBroken."""
        kind, body = self._receive(self._limits.session_bytes)
        if kind != BYTES:
            raise ProtocolBroken("an object where the session was due")
        return body

    def _receive(self, most: int) -> tuple[bytes, bytes]:
        started = time.monotonic()
        size = HEADER.size
        buffer = self._buffer
        while len(buffer) < size:
            self._read_some(started)
        kind, length = HEADER.unpack_from(buffer)
        # Room for the envelope around the largest text that may be sent.
        if kind not in (JSON, BYTES) or length > most + 4096:
            raise ProtocolBroken(f"a message of kind {kind!r} and {length:,} bytes")
        size += length
        while len(buffer) < size:
            self._read_some(started)
        body = bytes(buffer[HEADER.size : size])
        del buffer[:size]
        self._wall_left -= time.monotonic() - started
        return kind, body

    def _read_some(self, started: float) -> None:
        self._wait(self._readable, started)
        chunk = os.read(self._from_child, _CHUNK_BYTES)
        if not chunk:
            raise self._died()
        self._buffer += chunk

    def answers(self) -> bool:
        """Whether the child lives, listens, and has said nothing that it was not asked.

        A hostile program may have changed the child's own code, or written messages for later. What was written
        before this question stands before its answer, and the answer cannot be known in advance.
        """
        token = secrets.token_hex(8)
        self.begin_turn(wall_s=_ANSWER_WALL_S, cpu_s=_ANSWER_WALL_S)
        try:
            self.send({"op": "ping", "token": token})
            return self.receive() == {"op": "pong", "token": token}
        except (ChildTimeout, ChildDied, ProtocolBroken):
            return False

    # --- end ------------------------------------------------------------------------------------------------

    def _died(self) -> ChildDied:
        try:
            status = self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:  # it closed its pipe and lives on
            self.kill()
            return ChildDied(0)
        return ChildDied(status)

    def kill(self, *, close_errors: bool = True) -> None:
        """End the child and all it may have started. When this returns, it does nothing any more."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            self._process.kill()
            self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        if close_errors:
            self._process.stderr.close()


def dump(message: Any) -> bytes:
    """Strict JSON in UTF-8. Raises ValueError or TypeError for what it cannot hold."""
    return _ENCODER.encode(message).encode("utf-8")


def parse(body: bytes) -> dict[str, Any]:
    """One strict JSON object; text in it can be encoded again. Raises ProtocolBroken."""
    try:
        text = body.decode("utf-8")
        message = _DECODER.decode(text)
        if "\\u" in text:  # an escape may have made half a surrogate pair
            dump(message)
    except (ValueError, RecursionError) as error:
        raise ProtocolBroken(f"not JSON: {error}") from error
    if not isinstance(message, dict):
        raise ProtocolBroken("JSON that is no object")
    return message


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")


# Cycles need not be looked for: the codec bounds how deep values nest.
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def _describe_status(status: int) -> str:
    if status >= 0:
        return f"the process ended by itself with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = str(-status)
    return f"the process was ended by signal {name}"
