"""Runs agent programs in an isolated child and answers their tool calls in the parent."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from fle_ray.errors import ConfigError, EngineError, InstanceClosed, SnapshotError, StepLimit, ToolError
from fle_ray.game import codec
from fle_ray.interpreter.frames import BYTES
from fle_ray.interpreter.limits import LayerPolicy, Limits
from fle_ray.interpreter.process import Child, ChildDied, ChildTimeout, ProtocolBroken, dump
from fle_ray.interpreter.result import ERROR_KINDS, ROLLED_BACK, ProgramError, ProgramResult, ToolCall

__all__ = ["Handler", "Interpreter"]

Handler = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]

_SIGKILL = -9
_ARGUMENT_CHARACTERS = 2_000

# Saved sessions: what they are, which Python wrote them (they hold its code objects), a checksum, the child's
# bytes.
_MAGIC = b"fle_ray session 1\n"
_PYTHON = sys.implementation.cache_tag.encode() + b"\n"
_CHECK_BYTES = 16


class Interpreter:
    """One agent's Python session.

    Variables, functions, classes and imports stay from one program to the next. Programs run in a child
    process that holds no game state; each tool call comes back here and is answered by `handler`.

    Args:
        handler: `handler(tool, args, kwargs)` does a tool call and returns a game value. It may raise
            ToolError (the program sees an exception of its `type` with that message) or StepLimit (the program ends at
            once). Anything else it raises comes out of `run`, with the session as it was before the program.
        tools: names of the tools that programs find. `print` is always there.
        clock: tells the game tick, for the programs' `time` and the record of calls.
        limits: what a program may use.
        layers: isolation layers to require or to leave off.
    Raises:
        ConfigError: a required layer is not to be had on this machine.
        EngineError: no child could be started.

    >>> with Interpreter(handler, tools=["sleep"], clock=lambda: instance.tick) as interpreter:
    ...     result = interpreter.run("x = 1\\nprint(x)", seed=0)
    ...     result.output
    '2: (1,)'
    """

    def __init__(
        self,
        handler: Handler,
        *,
        tools: Sequence[str],
        clock: Callable[[], int] = lambda: 0,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        layers: LayerPolicy = LayerPolicy(),  # noqa: B008 - frozen
    ) -> None:
        self._handler = handler
        self._tools = tuple(tools)
        self._clock = clock
        self._limits = limits
        self._policy = layers
        self._closed = False
        self._state: bytes | None = None  # the session after the last program; None for an empty one
        self._functions: dict[str, str] = {}
        self._holder = _Holder()
        weakref.finalize(self, self._holder.close)
        self._start()

    # --- what there is --------------------------------------------------------------------------------------

    @property
    def layers(self) -> tuple[str, ...]:
        """The isolation layers in force, see `limits.LAYERS`."""
        return self._layers

    @property
    def functions(self) -> dict[str, str]:
        """Name -> signature and docstring of the functions that the programs have defined."""
        return dict(self._functions)

    @property
    def pid(self) -> int | None:
        """Process id of the child; None while there is none."""
        return self._holder.child.pid if self._holder.child else None

    # --- programs -------------------------------------------------------------------------------------------

    def run(self, code: str, *, seed: int) -> ProgramResult:
        """Run one program to its end.

        Args:
            code: Python text.
            seed: what `random` is seeded with.
        Returns:
            What happened. An error of a kind in `result.ROLLED_BACK` leaves the session as it was before; the
            world is the caller's to roll back. Other errors keep what the program did.
        Raises:
            InstanceClosed: after `close()`.
            EngineError: no child could be started.
            Exception: whatever `handler` raised that is neither ToolError nor StepLimit.
        """
        self._check_open()
        try:
            code.encode("utf-8")
        except UnicodeEncodeError as error:
            message = f"the program holds half a surrogate pair at character {error.start}"
            shown = f"0: ({f'SyntaxError: {message}'!r},)"
            return ProgramResult(shown, ProgramError("syntax", "SyntaxError", message))
        # A child that died between two programs, or was made unfit by one, takes nothing with it.
        if self._holder.child is not None and not self._holder.child.answers():
            self._holder.drop()
        notice = self._start_again() if self._holder.child is None else {}
        run = _Run(self._holder.child, self._handler, self._tools, self._clock, self._limits)
        started = time.monotonic()
        try:
            run.play(code, seed)
        except BaseException:
            self._holder.drop()
            raise
        wall_s = time.monotonic() - started
        error = run.error
        if error is not None and error.rolled_back:
            self._holder.drop()
        else:
            self._state = run.state
            self._functions = run.functions
            if run.replace:
                self._holder.drop()
        return ProgramResult(
            output=run.output(notice),
            error=error,
            calls=tuple(run.calls),
            wall_s=wall_s,
            lost=notice | run.lost,
        )

    # --- the session ----------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The session after the last program. Only a child can load these bytes."""
        self._check_open()
        state = self._state or b""
        return _MAGIC + _PYTHON + hashlib.blake2b(state, digest_size=_CHECK_BYTES).digest() + state

    def load(self, state: bytes) -> None:
        """Go on with a session that `save` gave, here or elsewhere.

        Raises:
            SnapshotError: the bytes are damaged, of another version, of another Python, or refused by the
                child. The session is then as it was.
        """
        self._check_open()
        body = _check(state)
        before = self._state, self._functions
        self._holder.drop()
        self._state, self._functions = body or None, {}
        refused = self._start()
        if refused:
            self._holder.drop()
            self._state, self._functions = before
            raise SnapshotError(f"The child could not take up the saved session: {refused}")

    def reset(self) -> None:
        """Begin an empty session in a new child, as at the start of an episode."""
        self._check_open()
        self._holder.drop()
        self._state, self._functions = None, {}
        self._start()

    def close(self) -> None:
        """End the child. May be called again; every other method then raises InstanceClosed."""
        self._closed = True
        self._holder.close()

    def __enter__(self) -> Interpreter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            raise InstanceClosed("The interpreter is closed.")

    def _start_again(self) -> dict[str, str]:
        """A child with the present session; if the session cannot be loaded, with an empty one.

        Returns:
            What was lost and why; empty for nothing.
        """
        refused = self._start()
        if not refused:
            return {}
        # The bytes came from a child that an agent's code ran in, so this is part of the game.
        self._holder.drop()
        self._state, self._functions = None, {}
        self._start()
        return {"*": f"the session could not be loaded again: {refused}"}

    def _start(self) -> str:
        """Start a child and give it the present session.

        Returns:
            "" or why it did not take the session up.
        """
        child = Child(self._tools, self._limits, self._policy.without, self._holder.folder)
        self._holder.child = child
        self._layers = child.layers
        missing = [name for name in self._policy.require if name not in child.layers]
        if missing:
            self.close()
            raise ConfigError(
                f"Isolation layers {', '.join(missing)} are required but this machine does not offer them; "
                f"in force are {', '.join(child.layers) or 'none'}."
            )
        if self._state is None:
            return ""
        child.begin_turn(wall_s=self._limits.wall_s, cpu_s=self._limits.cpu_s)
        try:
            child.send_body(self._state, BYTES)
            answer = child.receive()
        except (ChildTimeout, ChildDied, ProtocolBroken) as error:
            if isinstance(error, ChildDied) and error.status == _SIGKILL:  # no fault of the session's
                self._holder.drop()
                raise EngineError(f"The child was killed while it took up its session: {error}") from error
            return str(error)
        if answer.get("op") == "loaded" and _is_text_map(answer.get("functions")):
            self._functions = answer["functions"]
            return ""
        return str(answer.get("message"))


class _Holder:
    """What must be given back: the child and its folder. Apart, so that a finalizer can hold it."""

    def __init__(self) -> None:
        self.child: Child | None = None
        self.folder = tempfile.mkdtemp(prefix="fle_ray-")

    def drop(self) -> None:
        child, self.child = self.child, None
        if child is not None:
            child.kill()

    def close(self) -> None:
        self.drop()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Run:
    """One program's conversation with the child, and the parent's own record of it."""

    def __init__(
        self, child: Child, handler: Handler, tools: Sequence[str], clock: Callable[[], int], limits: Limits
    ) -> None:
        self._child = child
        self._handler = handler
        self._tools = tools
        self._clock = clock
        self._limits = limits
        self._lines: list[str] = []
        self._text_bytes = 0
        self._printed = 0
        self._last = ""
        self._stopped = False
        self.calls: list[ToolCall] = []
        self.error: ProgramError | None = None
        self.state: bytes = b""
        self.lost: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.replace = False

    def play(self, code: str, seed: int) -> None:
        limits = self._limits
        self._child.begin_turn(wall_s=limits.wall_s, cpu_s=limits.cpu_s)
        try:
            self._child.send({"op": "run", "code": code, "seed": seed, "tick": self._clock()})
            while not self._take(self._child.receive()):
                pass
        except ChildTimeout as error:
            self._broke_off("timeout", f"The program was stopped: {error}.")
        except ProtocolBroken as error:
            self._broke_off("protocol", f"The program sent something that is not the protocol: {error}.")
        except ChildDied as error:
            kind = "memory" if error.status == _SIGKILL else "crash"
            why = ", most likely because the machine ran out of memory" if kind == "memory" else ""
            self._broke_off(kind, f"The interpreter died: {error}{why}.", killed=kind == "memory")

    def output(self, notice: dict[str, str]) -> str:
        lines = [f"0: ({f'{name}: {reason}'!r},)" for name, reason in notice.items()] + self._lines
        more = self._printed - len(self._lines)
        if more > 0:
            lines.append(f"... {more} lines truncated")
        if self._last:
            lines.append(self._last)
        return "\n".join(lines)

    def _broke_off(self, kind: str, message: str, line: int | None = None, *, killed: bool = False) -> None:
        """The child is done for: kill it before anything else happens."""
        self._child.kill()
        self.error = ProgramError(kind, message=message, line=line, killed=killed)
        self._last = f"Error: {message} The world and your variables are as they were before this program."

    # --- messages -------------------------------------------------------------------------------------------

    def _take(self, message: dict[str, Any]) -> bool:
        """Act on one message; whether it was the last."""
        op = message.get("op")
        if self._stopped and op in ("log", "call"):
            raise ProtocolBroken(f"a {op} after the program was told to end")
        if op == "log":
            self._log(message)
        elif op == "call":
            self._call(message)
        elif op == "done":
            self._done(message)
            return True
        elif op in ("memory", "crash"):
            said = message.get("message")
            why = f": {said}" if isinstance(said, str) and said else ""
            what = "The program ran out of memory" if op == "memory" else "The interpreter failed"
            self._broke_off(op, f"{what}{why}.", _line(message.get("line")))
            return True
        else:
            raise ProtocolBroken(f"an unknown message {str(op)[:100]!r}")
        return False

    def _log(self, message: dict[str, Any]) -> None:
        text = message.get("text")
        if not isinstance(text, str):
            raise ProtocolBroken("a log entry without text")
        self._text_bytes += len(text.encode("utf-8"))
        # The notice of lost variables comes on top of the program's own lines; a child keeps to all this.
        if len(self._lines) >= self._limits.output_lines or self._text_bytes > 2 * self._limits.output_bytes:
            raise ProtocolBroken("more output than the child lets a program print")
        self._lines.append(text)
        self._printed += 1

    def _call(self, message: dict[str, Any]) -> None:
        tool = message.get("tool")
        args = message.get("args")
        kwargs = message.get("kwargs")
        if tool not in self._tools or not isinstance(args, list) or not isinstance(kwargs, dict):
            raise ProtocolBroken("a call of something that is no tool")
        if len(self.calls) >= self._limits.max_calls:
            most = f"The program made {self._limits.max_calls:,} tool calls; a program may make no more."
            self._child.send({"stop": "call_limit", "message": most, "tick": self._clock()})
            self._stopped = True
            return
        try:
            values = tuple(codec.decode(value) for value in args)
            named = {name: codec.decode(value) for name, value in kwargs.items()}
        except (codec.CodecError, RecursionError) as error:
            raise ProtocolBroken(f"arguments of {tool} that are no game values: {error}") from error
        refusal: str | None = None
        stop: StepLimit | None = None
        reply: dict[str, Any] = {}
        tick = self._clock()
        started = time.perf_counter_ns()
        try:
            reply = {"value": codec.encode(self._handler(tool, values, named))}
        except ToolError as error:
            refusal = str(error)
            reply = {"error": refusal, "type": error.type}
        except StepLimit as error:
            stop = error
            refusal = str(error)
            reply = {"stop": error.kind, "message": refusal}
        took_us = (time.perf_counter_ns() - started) // 1_000
        now = self._clock()
        self.calls.append(
            ToolCall(
                tool=tool,
                arguments=dump({"args": args, "kwargs": kwargs}).decode()[:_ARGUMENT_CHARACTERS],
                error=refusal,
                ticks=now - tick,
                microseconds=took_us,
                line=_line(message.get("line")),
            )
        )
        if stop is not None and stop.kind not in ERROR_KINDS:
            raise EngineError(f"A handler ended the program with the unknown kind {stop.kind!r}.") from stop
        self._stopped = stop is not None
        body = dump(reply | {"tick": now})
        if len(body) > self._limits.reply_bytes:
            text = f"The answer of {tool} takes {len(body):,} bytes; at most {self._limits.reply_bytes:,} fit."
            body = dump({"error": text, "tick": now})
        self._child.send_body(body)

    def _done(self, message: dict[str, Any]) -> None:
        printed = message.get("printed")
        lost = message.get("lost")
        functions = message.get("functions")
        failure = message.get("error")
        if not (
            isinstance(printed, int)
            and 0 <= printed <= self._limits.printed_lines + 1
            and _is_text_map(lost)
            and _is_text_map(functions)
        ):
            raise ProtocolBroken("an end of the program with fields that are not its own")
        error, last = _failure(failure) if failure is not None else (None, "")
        state = self._child.receive_bytes()
        self.state = state
        self._printed = max(printed, len(self._lines))
        self.lost, self.functions = lost, functions
        self.error, self._last = error, last
        self.replace = message.get("replace") is not False


def _failure(message: Any) -> tuple[ProgramError, str]:
    """The program's error as the child tells it, and the log line for it."""
    if not isinstance(message, dict):
        raise ProtocolBroken("an error that is no object")
    texts = [message.get(name) for name in ("kind", "type", "message", "traceback", "text")]
    if not all(isinstance(text, str) for text in texts):
        raise ProtocolBroken("an error with fields that are no text")
    kind, type_, said, traceback, text = texts
    if kind not in ERROR_KINDS or kind in ROLLED_BACK:
        raise ProtocolBroken(f"an error of kind {kind[:100]!r}")
    return ProgramError(kind, type_, said, _line(message.get("line")), traceback), text


def _line(value: Any) -> int | None:
    return value if isinstance(value, int) and 0 < value < 10_000_000 else None


def _is_text_map(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _check(state: bytes) -> bytes:
    """What the child wrote, out of what `save` gave. Raises SnapshotError."""
    if not state.startswith(_MAGIC):
        raise SnapshotError(f"These bytes are no saved session of this version: they begin {state[:20]!r}.")
    rest = state[len(_MAGIC) :]
    if not rest.startswith(_PYTHON):
        wrote = rest.partition(b"\n")[0][:40].decode("ascii", "replace")
        raise SnapshotError(
            f"This session was saved by {wrote}; {_PYTHON.decode().strip()} cannot load it, since it holds "
            "compiled code. Go on with it under the Python that wrote it."
        )
    rest = rest[len(_PYTHON) :]
    check, body = rest[:_CHECK_BYTES], rest[_CHECK_BYTES:]
    if hashlib.blake2b(body, digest_size=_CHECK_BYTES).digest() != check:
        raise SnapshotError("This saved session is damaged: its checksum does not fit its bytes.")
    return body
