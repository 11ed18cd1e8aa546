"""The namespace in which an agent's programs run one after the other, and the running of one."""

from __future__ import annotations

import _thread
import decimal
import inspect
import linecache
import pickle
import re
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from fle_ray.interpreter.child import clock as game_clock
from fle_ray.interpreter.child import names as prelude
from fle_ray.interpreter.child.carry import Carrier
from fle_ray.interpreter.child.cooperative import asyncio_module
from fle_ray.interpreter.child.errors import Told, stack_line, syntax_text, tell, told_stop
from fle_ray.interpreter.child.program import END, REFUSE, Program, ProgramEnd, compile_program, program_filename
from fle_ray.interpreter.child.wire import Wire, dump
from fle_ray.interpreter.frames import BYTES

__all__ = ["Session"]

# In every module; not variables of the agent.
_MODULE_NAMES = frozenset(
    ("__name__", "__doc__", "__package__", "__loader__", "__spec__", "__builtins__", "__annotations__")
)
_DEPTH_TO_END = 5_000
_REFUSALS = {  # ToolError.type -> what the program sees; anything else is a plain Exception
    error.__name__: error for error in (AssertionError, NameError, TypeError, ValueError)
}
_ROOM = 60  # Python calls that sending arguments and taking up a result may nest
_ADDRESS = re.compile(r" at 0x[0-9a-f]{6,16}(?=>)")


class Session:
    """One agent's namespace and the programs that ran in it.

    Args:
        wire: the pipes to the parent.
        tools: names of the tools.
        types_: names of the game's types and constants -> objects.
        encode, decode: game values to and from JSON values.
        limits: `output_lines`, `output_bytes`, `printed_lines`, `message_bytes`, `session_bytes`.
    """

    def __init__(
        self,
        wire: Wire,
        tools: Sequence[str],
        types_: Mapping[str, Any],
        encode: Callable[[Any], Any],
        decode: Callable[[Any], Any],
        limits: Mapping[str, Any],
    ) -> None:
        self._wire = wire
        self._encode = encode
        self._decode = decode
        self._limits = limits
        self._clock = game_clock.GameClock()
        self._program: Program | None = None
        self._running = False
        self._count = 0
        self._sources: dict[str, str] = {}
        self._lost: dict[str, str] = {}
        self._printed = self._shown_bytes = 0

        tool_objects = {name: prelude.Tool(name, self._call) for name in tools if name != "print"}
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        self._namespace = vars(main)
        self._base, self._protected = prelude.base_names(tool_objects.values(), types_)
        self._protected |= {"print"}
        stand_ins = self._stand_ins(tool_objects)
        changed = {
            "print": self._print,
            "exit": self._exit,
            "quit": self._exit,
            "__import__": prelude.make_importer(stand_ins),
            END: ProgramEnd,
            REFUSE: self._refuse,
        }
        self._namespace["__builtins__"] = prelude.make_builtins(changed)
        self._namespace.update(self._base)
        fixed = {("tool", name): tool for name, tool in tool_objects.items()}
        fixed |= {("builtin", name): value for name, value in changed.items()}
        fixed[("builtins", "")] = self._namespace["__builtins__"]
        for name, module in stand_ins.items():
            fixed[("module", name)] = module
            for member, value in vars(module).items():
                if name not in prelude.FLE_MODULES and not member.startswith("__") and callable(value):
                    fixed.setdefault((name, member), value)
        self._carrier = Carrier(self._namespace, fixed)

    def _stand_ins(self, tools: Mapping[str, Any]) -> dict[str, types.ModuleType]:
        sleep = tools.get("sleep", self._no_sleep)
        output = self._output = _Output(self._log)
        game_clock.patch_datetime(self._clock)
        self._seed = game_clock.patch_random()
        fle = prelude.FleModule(self._base)
        return {
            "time": game_clock.time_module(self._clock, sleep),
            "asyncio": asyncio_module(self._clock, sleep),
            "io": prelude.io_module(),
            "sys": prelude.sys_module(output, self._exit),
            **dict.fromkeys(prelude.FLE_MODULES, fle),
        }

    def take_output(self) -> None:
        """From now on what is written to the standard streams is the program's output."""
        sys.stdout = sys.stderr = self._output

    # --- running --------------------------------------------------------------------------------------------

    def run(self, source: str, seed: int, tick: int) -> None:
        """Run a program and send its end and the session after it."""
        self._clock.tick = tick
        self._seed(seed)
        self._printed = self._shown_bytes = 0
        self._running = True
        self._tell_lost()
        number = self._count + 1
        try:
            program = compile_program(source, number, self._protected)
        except SyntaxError as error:
            self._running = False
            self._end(self._not_python(error))
            return
        self._count = number
        self._program = program
        self._remember(program_filename(number), source)
        failure: dict[str, Any] | None = None
        try:
            exec(program.code, self._namespace)
        except ProgramEnd as end:
            failure = self._return(end)
        except MemoryError as error:
            self._out_of_memory(error)
        except BaseException as error:
            failure = self._failure(error)
        self._running = False
        self._end(failure)

    def _return(self, end: ProgramEnd) -> dict[str, Any] | None:
        """Log what a top-level `return` gave; its `repr` is the agent's code and may fail."""
        if end.value is None:
            return None
        try:
            assert self._program is not None and end.__traceback__ is not None
            line = end.__traceback__.tb_next.tb_lineno if end.__traceback__.tb_next else 0
            self._log((end.value,), line=self._program.statement_line(line))
        except BaseException as error:
            return self._failure(error)
        return None

    def _failure(self, error: BaseException) -> dict[str, Any]:
        assert self._program is not None
        return _as_message("exception", tell(error, self._program, self._sources, self._namespace))

    def _not_python(self, error: SyntaxError) -> dict[str, Any]:
        message = syntax_text(error)
        line = error.lineno or 0
        kind = type(error).__name__
        return _as_message("syntax", Told(kind, message, line, line, "", f"{kind}: {message}"))

    def _out_of_memory(self, error: MemoryError) -> NoReturn:
        line = error.__traceback__.tb_next.tb_lineno if error.__traceback__ and error.__traceback__.tb_next else 0
        error.__traceback__ = None  # lets go of what the frames hold
        self._running = False
        self._wire.send({"op": "memory", "line": line, "message": str(error)[:1000]})
        self._wait_for_the_end()

    def _stop(self, kind: str, message: str) -> NoReturn:
        """End the program here and now: nothing of it runs any more, not even `finally`.

        The session is saved as it stands and the parent goes on with it in a new child.
        """
        self._running = False
        sys.setrecursionlimit(_DEPTH_TO_END)  # the program may have used up its own
        frame = sys._getframe(1)
        failure = _as_message(kind, told_stop(frame, self._program, self._sources, message))
        self._end(failure, replace=True)
        self._wait_for_the_end()

    def _wait_for_the_end(self) -> NoReturn:
        while True:
            self._wire.receive()

    def _end(self, failure: dict[str, Any] | None, *, replace: bool = False) -> None:
        state = self._save()
        if len(state) > self._limits["session_bytes"]:
            size = f"{len(state):,} bytes; at most {self._limits['session_bytes']:,} can be kept"
            message = f"the program left variables of {size}"
            self._wire.send({"op": "memory", "line": None, "message": message})
            self._wait_for_the_end()
        done = {
            "op": "done",
            "error": failure,
            "printed": self._printed,
            "lost": self._lost,
            "functions": self._functions(),
            "replace": replace or _thread._count() > 0,  # a thread outlived the program
        }
        self._wire.send(done)
        self._wire.send_body(state, BYTES)

    # --- what programs call ---------------------------------------------------------------------------------

    def _call(self, tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not self._running:
            raise RuntimeError("Tools can be called only while a program runs.")
        assert self._program is not None
        _make_sure_of(_ROOM)
        try:
            body = dump(
                {
                    "op": "call",
                    "tool": tool,
                    "line": stack_line(sys._getframe(2), self._program),
                    "args": [self._checked(value) for value in args],
                    "kwargs": {name: self._checked(value) for name, value in kwargs.items()},
                }
            )
        except (TypeError, ValueError, RecursionError) as error:
            raise TypeError(f"{tool} cannot take these arguments: {error}") from None
        if len(body) > self._limits["message_bytes"]:
            raise ValueError(
                f"The arguments of {tool} take {len(body):,} bytes; at most "
                f"{self._limits['message_bytes']:,} can be passed."
            )
        self._wire.send_body(body)
        reply = self._wire.receive()
        self._clock.tick = reply["tick"]
        if "stop" in reply:
            self._stop(reply["stop"], reply["message"])
        if "error" in reply:
            raise _REFUSALS.get(reply.get("type"), Exception)(reply["error"])
        return self._decode(reply["value"])

    def _checked(self, value: Any) -> Any:
        """A value encoded. Raises ValueError for one that the parent would refuse: programs may overwrite fields."""
        encoded = self._encode(value)
        self._decode(encoded)
        return encoded

    def _print(self, *values: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: Any = False) -> None:
        """Log the values as one line. `sep` and `end` are taken and ignored; another `file` is written to."""
        target = sys.stdout if file is None else file  # `contextlib.redirect_stdout` changes the former
        if target is self._output or target is None:
            self._log(values)
        else:
            target.write(("" if sep is None else sep).join(map(str, values)) + ("" if end is None else end))

    def _log(self, values: tuple[Any, ...], line: int | None = None) -> None:
        if not self._running:
            return
        self._printed += 1
        if self._printed > self._limits["printed_lines"]:
            self._stop("output_limit", f"The program printed more than {self._limits['printed_lines']:,} lines.")
        if self._printed > self._limits["output_lines"]:
            return
        if line is None:
            assert self._program is not None
            line = stack_line(sys._getframe(2), self._program)
        text = f"{line}: {_plain(repr(values))}"
        left = self._limits["output_bytes"] - self._shown_bytes
        size = len(text.encode("utf-8", "replace"))
        if size > left:
            text = text[: left // 4]  # a character takes four bytes at most
        self._shown_bytes += size
        self._wire.send({"op": "log", "text": text.encode("utf-8", "backslashreplace").decode()})
        if size > left:
            limit = self._limits["output_bytes"]
            self._stop("output_limit", f"The program printed more than {limit:,} bytes.")

    def _exit(self, code: Any = None) -> NoReturn:
        raise SystemExit if code is None else SystemExit(code)

    def _refuse(self, name: str) -> NoReturn:
        value = self._base.get(name)
        what = "a tool" if name == "print" or isinstance(value, prelude.Tool) else "one of the game's names"
        raise NameError(f"cannot redefine {name!r}: it is built in as {what}; choose another name")

    def _no_sleep(self, seconds: float) -> NoReturn:
        raise Exception("There is no tool to sleep with here.")

    # --- the session ----------------------------------------------------------------------------------------

    def load(self, state: bytes) -> None:
        """Take up a session. Raises whatever is wrong with the bytes."""
        meta, variables = pickle.loads(state)
        self._count = meta["count"]
        self._lost = meta["lost"]
        decimal.setcontext(meta["decimal"])
        for filename, source in meta["sources"].items():
            self._remember(filename, source)
        for name in meta["deleted"]:
            self._namespace.pop(name, None)
        self._take_up(self._carrier.load(variables))

    def describe(self) -> dict[str, Any]:
        return {"op": "loaded", "functions": self._functions()}

    def _save(self) -> bytes:
        """The session as bytes, and go on with what these bytes hold.

        What cannot be carried over leaves the namespace here too and is named to the next program.
        """
        self.take_output()
        self._restore_protected()
        self._namespace.pop("__annotations__", None)
        variables = {
            name: value
            for name, value in self._namespace.items()
            if name not in _MODULE_NAMES and not (name in self._base and value is self._base[name])
        }
        handed = self._carrier.hand_over(variables)
        for name in variables:
            del self._namespace[name]
        self._take_up(handed.variables)
        self._lost = handed.lost
        for filename in self._sources.keys() - handed.filenames:
            del self._sources[filename]
            linecache.cache.pop(filename, None)
        meta = {
            "count": self._count,
            "lost": self._lost,
            "sources": {name: self._sources[name] for name in sorted(self._sources)},
            "deleted": sorted(self._base.keys() - self._namespace.keys()),
            "decimal": decimal.getcontext().copy(),
        }
        return pickle.dumps((meta, handed.state), protocol=5)

    def _take_up(self, variables: dict[str, Any]) -> None:
        for name in variables:  # the order of names is then the same in every child
            self._namespace.pop(name, None)
        self._namespace.update(variables)

    def _restore_protected(self) -> None:
        """Put protected names back that were rebound behind the guard's back (`globals()[...] = ...`)."""
        for name in self._protected & self._base.keys():
            self._namespace[name] = self._base[name]
        self._namespace.pop("print", None)

    def _remember(self, filename: str, source: str) -> None:
        self._sources[filename] = source
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)

    def _tell_lost(self) -> None:
        for name, reason in self._lost.items():
            self._log((f"{name} was not carried over from the program before: {reason}",), line=0)

    def _functions(self) -> dict[str, str]:
        """Name -> signature and docstring of each function that the programs have defined."""
        functions = {}
        for name, value in self._namespace.items():
            if isinstance(value, types.FunctionType) and value.__code__.co_filename in self._sources:
                functions[str(name)] = _signature(name, value)
        return functions


class _Output:
    """`sys.stdout` and `sys.stderr` of programs: each line written is logged as one value."""

    encoding = "utf-8"

    def __init__(self, log: Callable[..., None]) -> None:
        self._log = log

    def write(self, text: str) -> int:
        for line in text.splitlines():
            if line:
                self._log((line,))
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False


def _make_sure_of(calls: int) -> None:
    """Raise RecursionError now rather than between a call and its answer."""
    if calls:
        _make_sure_of(calls - 1)


def _signature(name: str, function: types.FunctionType) -> str:
    try:
        text = f"def {name}{inspect.signature(function)}"
    except Exception:  # the repr of a default or an annotation is the program's own code
        text = f"def {name}(...)"
    if function.__doc__:
        text += f'\n"""{function.__doc__}"""'
    return text[:2_000].encode("utf-8", "backslashreplace").decode()


def _plain(text: str) -> str:
    """The text without memory addresses, which differ from run to run."""
    return _ADDRESS.sub("", text) if " at 0x" in text else text


def _as_message(kind: str, told: Told) -> dict[str, Any]:
    def clean(text: str) -> str:
        return text.encode("utf-8", "backslashreplace").decode()

    return {
        "kind": kind,
        "type": clean(told.type),
        "message": clean(_plain(told.message)),
        "line": told.line or None,
        "traceback": clean(told.traceback),
        "text": f"{told.statement}: {clean(repr((_plain(told.text),)))}",
    }
