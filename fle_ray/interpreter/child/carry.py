"""A session's variables as bytes, and back in another child.

`pickle` with a richer scheme: what the programs themselves defined (functions with their closures, classes,
enumerations) goes by value, what the standard library and the game define goes by name. Only a child ever
loads these bytes, behind its walls.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import importlib
import io
import marshal
import operator
import pickle
import re
import resource
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

__all__ = ["Carrier", "HandedOver", "Uncarriable"]

# Depth to which values may be nested, in levels of the pickler, where the stack is large enough; and what a level
# takes of it (measured: 12,000 levels of every kind fit into 4 MiB).
_DEPTH = 12_000
_STACK_BYTES_PER_LEVEL = 500

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement, not in C
_MAIN = "__main__"

_KINDS_THAT_CANNOT: dict[type, str] = {
    types.GeneratorType: "a generator cannot be kept; a list of its values can",
    types.CoroutineType: "a coroutine cannot be kept",
    types.AsyncGeneratorType: "a generator cannot be kept; a list of its values can",
    types.FrameType: "a frame cannot be kept",
    types.TracebackType: "a traceback cannot be kept",
}


class Uncarriable(TypeError):
    """A value that cannot be carried over; the message is meant for the agent."""


class Carrier:
    """Turns a namespace into bytes and back.

    Args:
        namespace: the globals of the programs.
        fixed: (kind, name) -> object for what every child has and nobody needs to save: tools, stand-ins.
    """

    def __init__(self, namespace: dict[str, Any], fixed: Mapping[tuple[str, str], Any]) -> None:
        self._namespace = namespace
        self._fixed = dict(fixed)
        self._references = {id(value): key for key, value in self._fixed.items()}
        stack_bytes = resource.getrlimit(resource.RLIMIT_STACK)[0]
        enough = stack_bytes == resource.RLIM_INFINITY or stack_bytes // _STACK_BYTES_PER_LEVEL > _DEPTH
        self._depth = _DEPTH if enough else stack_bytes // _STACK_BYTES_PER_LEVEL

    def hand_over(self, variables: dict[str, Any]) -> HandedOver:
        """Save the variables and load them again, so that a session goes on alike in this and a new child.

        (A set that was loaded may order its elements differently from the one that was saved, a cache is empty.)
        """
        lost: dict[str, str] = {}
        try:
            return self._all(variables, lost)
        except Exception:
            for name, value in variables.items():
                try:
                    self._all({name: value}, {})
                except Exception as error:
                    lost[name] = _reason(error)
        rest = {name: value for name, value in variables.items() if name not in lost}
        try:
            return self._all(rest, lost)
        except Exception as error:  # each alone can be saved, all together cannot: too deep, most likely
            return self._all({}, lost | dict.fromkeys(rest, _reason(error)))

    def load(self, state: bytes) -> dict[str, Any]:
        """The variables in `state`. Raises whatever the values raise."""
        with _recursion(self._depth):
            return _Unpickler(io.BytesIO(state), self._fixed, self._namespace).load()

    def _all(self, variables: dict[str, Any], lost: dict[str, str]) -> HandedOver:
        buffer = io.BytesIO()
        pickler = _Pickler(buffer, self._references, self._namespace)
        with _recursion(self._depth):
            pickler.dump(variables)
        state = buffer.getvalue()
        return HandedOver(state, self.load(state), lost, pickler.filenames)


@dataclasses.dataclass(frozen=True)
class HandedOver:
    """Variables on their way to the next program.

    Attributes:
        state: their bytes.
        variables: what these bytes load to.
        lost: name -> reason of each variable that is not among them.
        filenames: file names of all code in them.
    """

    state: bytes
    variables: dict[str, Any]
    lost: dict[str, str]
    filenames: set[str]


class _recursion:
    def __init__(self, depth: int) -> None:
        self._depth = depth

    def __enter__(self) -> None:
        self._before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(self._depth, self._before))

    def __exit__(self, *exc_info: object) -> None:
        sys.setrecursionlimit(self._before)


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = str(error) or type(error).__name__
    return text if isinstance(error, Uncarriable) else f"{type(error).__name__}: {text}"[:300]


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, references: Mapping[int, tuple[str, str]], main: dict) -> None:
        super().__init__(file, protocol=5)
        self._references = references
        self._main = main
        self.filenames: set[str] = set()

    def reducer_override(self, obj: Any) -> Any:
        """How to rebuild `obj`; NotImplemented leaves it to pickle."""
        reference = self._references.get(id(obj))
        if reference is not None:
            return fixed, reference
        kind = type(obj)
        reducer = _REDUCERS.get(kind)
        if reducer is not None:
            return reducer(self, obj)
        if kind in _KINDS_THAT_CANNOT:
            raise Uncarriable(_KINDS_THAT_CANNOT[kind])
        if isinstance(obj, type):
            return self._class(obj)
        if isinstance(obj, enum.Enum) and _is_own(kind):
            if obj.name in kind.__members__:
                return enum_member, (kind, obj.name)
            return kind, (obj.value,)  # a combination of flags
        if isinstance(obj, BaseException) and _is_own(kind):
            links = (obj.__cause__, obj.__context__, obj.__suppress_context__)
            return make_exception, (kind, obj.args), (dict(vars(obj)), links), None, None, fill_exception
        return NotImplemented

    def _function(self, function: types.FunctionType) -> Any:
        if _by_name(function):
            return NotImplemented
        state = {
            "__qualname__": function.__qualname__,
            "__module__": function.__module__,
            "__defaults__": function.__defaults__,
            "__kwdefaults__": function.__kwdefaults__,
            "__doc__": function.__doc__,
            "__annotations__": function.__annotations__,
            "__dict__": dict(function.__dict__),
        }
        made_of = (function.__code__, self._globals(function.__globals__), function.__closure__)
        return make_function, (*made_of, function.__name__), state, None, None, fill_function

    def _globals(self, namespace: dict[str, Any]) -> Any:
        """The namespace of a function: that of a module by name, one that `exec` was given by value."""
        if namespace is self._main:
            return _MAIN
        name = namespace.get("__name__")
        if isinstance(name, str) and vars(sys.modules.get(name, types)) is namespace:
            return name
        return namespace

    def _code(self, code: types.CodeType) -> Any:
        self.filenames.add(code.co_filename)
        return marshal.loads, (marshal.dumps(code),)

    def _cell(self, cell: types.CellType) -> Any:
        try:
            contents = cell.cell_contents
        except ValueError:
            return types.CellType, ()
        return types.CellType, (), (contents,), None, None, fill_cell

    def _module(self, module: types.ModuleType) -> Any:
        if sys.modules.get(module.__name__) is not module:
            raise Uncarriable(f"the module {module.__name__!r} is not one that programs may import")
        return importlib.import_module, (module.__name__,)

    def _class(self, cls: type) -> Any:
        if not _is_own(cls):
            if _by_name(cls):
                return NotImplemented
            for name, value in vars(types).items():  # such as `function`, which `builtins` does not name
                if value is cls:
                    return getattr, (types, name)
            raise Uncarriable(f"the type {cls.__qualname__!r} is internal to Python")
        attributes = dict(vars(cls))
        creation = {name: attributes[name] for name in _AT_CREATION if name in attributes}
        if isinstance(cls, enum.EnumMeta):
            return self._enumeration(cls, creation, attributes)
        for name, value in list(attributes.items()):
            if name in _NOT_CARRIED or isinstance(value, (types.MemberDescriptorType, types.GetSetDescriptorType)):
                del attributes[name]
        made_of = (type(cls), cls.__name__, cls.__bases__, creation)
        return make_class, made_of, attributes, None, None, fill_class

    def _enumeration(self, cls: Any, creation: dict[str, Any], attributes: dict[str, Any]) -> Any:
        members = dict(cls.__members__)
        values = {name: member._value_ for name, member in members.items()}
        own = {
            name: value
            for name, value in attributes.items()
            if name not in members
            and name not in ("__new__", "_generate_next_value_")
            and isinstance(value, (types.FunctionType, property, classmethod, staticmethod))
            and not (isinstance(value, types.FunctionType) and _by_name(value))
        }
        extra = {
            name: {key: value for key, value in vars(member).items() if key not in _OF_ENUM_MEMBERS}
            for name, member in members.items()
        }
        made_of = (type(cls), cls.__name__, cls.__bases__, creation, values)
        return make_enum, made_of, (own, extra), None, None, fill_enum

    def _mapping_proxy(self, proxy: Any) -> Any:
        return types.MappingProxyType, (_under(proxy),)

    def _view(self, view: Any) -> Any:
        # KeysView of a dict -> dict.keys(the dict)
        name = {"dict_keys": "keys", "dict_values": "values", "dict_items": "items"}[type(view).__name__]
        return operator.methodcaller(name), (_under(view.mapping),)

    def _match(self, match: re.Match) -> Any:
        start, end = match.span()
        for method in ("match", "fullmatch"):
            limit = match.endpos if method == "match" else end
            again = getattr(match.re, method)(match.string, start, limit)
            if again and again.regs == match.regs:
                return operator.methodcaller(method, match.string, start, limit), (match.re,)
        raise Uncarriable("a match of a regular expression cannot be kept; its groups can")

    def _cached(self, function: Any) -> Any:
        return make_cached, (tuple(function.cache_parameters().items()), function.__wrapped__)

    def _type_variable(self, variable: Any) -> Any:
        if _by_name(variable):
            return NotImplemented
        options = {"covariant": variable.__covariant__, "contravariant": variable.__contravariant__}
        if variable.__bound__ is not None:
            options["bound"] = variable.__bound__
        return make_type_variable, (variable.__name__, variable.__constraints__, options)

    def _descriptor(self, descriptor: Any) -> Any:
        return type(descriptor), (descriptor.__func__,)

    def _property(self, value: property) -> Any:
        return property, (value.fget, value.fset, value.fdel, value.__doc__)

    def _cached_property(self, value: functools.cached_property) -> Any:
        return functools.cached_property, (value.func,), value.attrname, None, None, fill_cached_property

    def _sentinel(self, value: Any) -> Any:
        """The marks of `dataclasses`, which it compares by identity."""
        for name, known in vars(dataclasses).items():
            if known is value:
                return getattr, (dataclasses, name)
        return NotImplemented


_REDUCERS: dict[type, Callable[[_Pickler, Any], Any]] = {
    types.FunctionType: _Pickler._function,
    types.CodeType: _Pickler._code,
    types.CellType: _Pickler._cell,
    types.ModuleType: _Pickler._module,
    types.MappingProxyType: _Pickler._mapping_proxy,
    type({}.keys()): _Pickler._view,
    type({}.values()): _Pickler._view,
    type({}.items()): _Pickler._view,
    re.Match: _Pickler._match,
    type(functools.lru_cache(len)): _Pickler._cached,
    typing.TypeVar: _Pickler._type_variable,
    classmethod: _Pickler._descriptor,
    staticmethod: _Pickler._descriptor,
    property: _Pickler._property,
    functools.cached_property: _Pickler._cached_property,
    type(dataclasses._FIELD): _Pickler._sentinel,
    type(dataclasses.MISSING): _Pickler._sentinel,
    type(dataclasses.KW_ONLY): _Pickler._sentinel,
    type(dataclasses._HAS_DEFAULT_FACTORY): _Pickler._sentinel,
}

# Attributes that must be there when a class is made; and those that making it brings along.
_AT_CREATION = ("__module__", "__qualname__", "__slots__", "__orig_bases__")
_NOT_CARRIED = frozenset((*_AT_CREATION, "__dict__", "__weakref__", "_abc_impl"))
_OF_ENUM_MEMBERS = frozenset(("_value_", "_name_", "__objclass__", "_sort_order_"))


class _Under:
    """Gets at the dictionary under a read-only proxy: the comparison is handed on to it."""

    def __eq__(self, other: object) -> bool:
        self.found = other
        return True

    __hash__ = None


def _under(proxy: Any) -> dict[Any, Any]:
    spy = _Under()
    proxy == spy  # noqa: B015 - for its effect
    return spy.found


def _by_name(obj: Any) -> bool:
    """Whether a module that every child has gives `obj` under its own name."""
    module = getattr(obj, "__module__", None)
    if module == _MAIN or module not in sys.modules:
        return False
    found: Any = sys.modules[module]
    for part in getattr(obj, "__qualname__", obj.__name__).split("."):
        found = getattr(found, part, None)
    return found is obj


def _is_own(cls: type) -> bool:
    """Whether a program made this class."""
    return bool(cls.__flags__ & _HEAP_TYPE) and not _by_name(cls)


# --- what the bytes call when they are loaded -------------------------------------------------------------


def fixed(kind: str, name: str) -> Any:
    """Stands for what every child has; the unpickler puts the real look-up here."""
    raise AssertionError("only an unpickler knows")


def make_function(code: Any, where: Any, closure: Any, name: str) -> Any:
    """Stands for the making of functions; the unpickler puts the real one here."""
    raise AssertionError("only an unpickler knows")


def fill_function(function: types.FunctionType, state: dict[str, Any]) -> None:
    for name, value in state.items():
        setattr(function, name, value)


def fill_cell(cell: types.CellType, contents: tuple[Any]) -> None:
    (cell.cell_contents,) = contents


def make_class(metaclass: type, name: str, bases: tuple[type, ...], creation: dict[str, Any]) -> type:
    """An empty class, without running a program's metaclass or `__init_subclass__`."""
    maker = next(cls for cls in metaclass.__mro__ if not _is_own(cls))
    hooks = [
        (cls, vars(cls)["__init_subclass__"])
        for cls in dict.fromkeys(cls for base in bases for cls in base.__mro__)
        if "__init_subclass__" in vars(cls) and _is_own(cls)
    ]
    for cls, _ in hooks:
        type.__delattr__(cls, "__init_subclass__")
    try:
        return maker.__new__(metaclass, name, bases, dict(creation))
    finally:
        for cls, hook in hooks:
            type.__setattr__(cls, "__init_subclass__", hook)


def fill_class(cls: type, attributes: dict[str, Any]) -> None:
    for name, value in attributes.items():
        type.__setattr__(cls, name, value)
    if isinstance(cls, abc.ABCMeta):
        abc.update_abstractmethods(cls)


def make_enum(metaclass: Any, name: str, bases: tuple, creation: dict, values: dict[str, Any]) -> Any:
    maker = next(cls for cls in metaclass.__mro__ if not _is_own(cls))
    body = maker.__prepare__(name, bases)
    for key, value in (creation | values).items():
        body[key] = value
    return maker.__new__(metaclass, name, bases, body)


def fill_enum(cls: Any, state: tuple[dict[str, Any], dict[str, dict[str, Any]]]) -> None:
    own, extra = state
    for name, value in own.items():
        type.__setattr__(cls, name, value)
    for name, attributes in extra.items():
        vars(cls.__members__[name]).update(attributes)


def enum_member(cls: Any, name: str) -> Any:
    return cls.__members__[name]


def make_exception(cls: type, args: tuple[Any, ...]) -> BaseException:
    return cls.__new__(cls, *args)


def fill_exception(error: BaseException, state: tuple[dict[str, Any], tuple[Any, Any, bool]]) -> None:
    attributes, (error.__cause__, error.__context__, error.__suppress_context__) = state
    vars(error).update(attributes)


def make_cached(parameters: Iterable[tuple[str, Any]], function: Any) -> Any:
    return functools.lru_cache(**dict(parameters))(function)


def make_type_variable(name: str, constraints: tuple[Any, ...], options: dict[str, Any]) -> Any:
    variable = typing.TypeVar(name, *constraints, **options)
    variable.__module__ = _MAIN
    return variable


def fill_cached_property(value: functools.cached_property, name: str) -> None:
    value.attrname = name


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, known: Mapping[tuple[str, str], Any], main: dict) -> None:
        super().__init__(file)
        self._known = known
        self._main = main

    def find_class(self, module: str, name: str) -> Any:
        if module == __name__:
            if name == "fixed":
                return lambda kind, of: self._known[kind, of]
            if name == "make_function":
                return self._make_function
        return super().find_class(module, name)

    def _make_function(self, code: Any, where: Any, closure: Any, name: str) -> Any:
        if where == _MAIN:
            namespace = self._main
        else:
            namespace = vars(sys.modules[where]) if isinstance(where, str) else where
        return types.FunctionType(code, namespace, name, None, closure)
