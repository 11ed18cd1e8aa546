"""The names that a program finds: builtins, modules, tools, value types.

The lists here tell honest programs what there is. They do not keep hostile ones in: `layers.py` does.
"""

from __future__ import annotations

import builtins
import codecs
import importlib
import io
import math
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

__all__ = ["ALLOWED_MODULES", "Tool", "base_names", "io_module", "make_builtins", "make_importer", "sys_module"]

# Real modules of the standard library that compute and nothing else. All are imported before the walls go up,
# since nothing can be read from disk after that.
ALLOWED_MODULES = (
    "__future__",
    "abc",
    "array",
    "ast",
    "base64",
    "binascii",
    "bisect",
    "calendar",
    "cmath",
    "collections",
    "collections.abc",
    "contextlib",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "json",
    "keyword",
    "math",
    "numbers",
    "operator",
    "pprint",
    "random",
    "re",
    "statistics",
    "string",
    "struct",
    "textwrap",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "warnings",
)

# Modules that parts of CPython written in C import at first use, by way of the running program's `__import__`.
_AT_FIRST_USE = ("_strptime", "copyreg")
_ENCODINGS = (
    *("ascii", "latin-1", "cp1252", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"),
    *("utf-32-be", "unicode_escape", "raw_unicode_escape", "hex", "base64", "rot13"),
)

# Left out of `builtins`: what reads, asks, stops in a debugger or pages help.
_NO_BUILTINS = frozenset({"open", "input", "breakpoint", "help", "license", "credits", "copyright"})

# Names of FLE's modules in programs written for it; each gives the names that are there anyway.
FLE_MODULES = ("fle", "factorio_instance", "factorio_types", "factorio_entities", "instance")

_TYPING_NAMES = ("Any", "Callable", "Dict", "List", "Optional", "Set", "Tuple", "Union")
_MATH_NAMES = ("ceil", "cos", "floor", "pi", "sin", "sqrt", "tan")


class Tool:
    """A tool as programs see it: calling it asks the game."""

    __slots__ = ("__name__", "_call")

    def __init__(self, name: str, call: Callable[[str, tuple, dict], Any]) -> None:
        self.__name__ = name
        self._call = call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(self.__name__, args, kwargs)

    def __repr__(self) -> str:
        return f"<tool {self.__name__}>"


def preload() -> None:
    """Import everything that a program may import later."""
    for name in (*ALLOWED_MODULES, *_AT_FIRST_USE):
        importlib.import_module(name)
    for name in _ENCODINGS:
        codecs.lookup(name)


def base_names(tools: Iterable[Tool], types_: Mapping[str, Any]) -> tuple[dict[str, Any], frozenset[str]]:
    """What stands in the namespace before the first program, and which of it may not be redefined.

    Tools and the game's own types and constants are protected. The few names of `math` and `typing` that are
    there for convenience are not.
    """
    names: dict[str, Any] = {name: getattr(math, name) for name in _MATH_NAMES}
    names.update((name, getattr(typing, name)) for name in _TYPING_NAMES)
    names.update(types_)
    names.update((tool.__name__, tool) for tool in tools)
    return names, frozenset(names.keys() - {*_MATH_NAMES, *_TYPING_NAMES, "abs", "pow"})


def make_builtins(changed: Mapping[str, Any]) -> dict[str, Any]:
    """The builtins of programs: CPython's less a few, with `changed` in their place."""
    names = {name: value for name, value in vars(builtins).items() if name not in _NO_BUILTINS}
    for name in ("__spec__", "__loader__"):
        names.pop(name, None)
    names.update(changed)
    return names


def make_importer(stand_ins: Mapping[str, types.ModuleType]) -> Callable[..., Any]:
    """`__import__` for programs: the allowed modules and the stand-ins, nothing else."""
    allowed = frozenset((*ALLOWED_MODULES, *_AT_FIRST_USE))
    visible = sorted({name for name in (*ALLOWED_MODULES, *stand_ins) if name not in FLE_MODULES})

    def import_(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Iterable[str] | None = (),
        level: int = 0,
    ) -> Any:
        if level:
            raise ImportError("There is no package here to import from relatively.")
        root = name.partition(".")[0]
        if name in stand_ins or root in FLE_MODULES:
            return stand_ins[root]
        if name not in allowed:
            raise ModuleNotFoundError(
                f"No module named {name!r} here. Programs may import: {', '.join(visible)}.", name=name
            )
        return sys.modules[name] if fromlist else sys.modules[root]

    return import_


class FleModule(types.ModuleType):
    """Stands for FLE's package and each of its modules: the names are there already."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        super().__init__("fle", "The tools and types of this game, under the name of FLE's package.")
        self.__dict__.update(names)
        self.__all__ = sorted(names)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name in ("env", "entities", "game_types", "instance", "tools", "commons", "models"):
            return self
        raise AttributeError(f"module 'fle' has no attribute {name!r} here")


def io_module() -> types.ModuleType:
    """The part of `io` that works in memory."""
    module = types.ModuleType("io", "The part of io that works in memory.")
    module.StringIO = io.StringIO
    module.BytesIO = io.BytesIO
    return module


def sys_module(output: Any, exit_: Callable[..., Any]) -> types.ModuleType:
    """The harmless part of `sys`."""
    module = types.ModuleType("sys", "The part of sys that programs may use.")
    for name in ("byteorder", "float_info", "getrecursionlimit", "getsizeof", "hexversion", "int_info"):
        setattr(module, name, getattr(sys, name))
    for name in ("implementation", "intern", "maxsize", "maxunicode", "version", "version_info", "exc_info"):
        setattr(module, name, getattr(sys, name))
    module.stdout = module.stderr = output
    module.exit = exit_
    module.argv = [""]
    return module
