"""`Model`: the declarative base of the value types.

A subclass lists its fields as annotations, with a default or without (then the field is required):

    class Ingredient(Model):
        name: str
        count: float = 1

Annotations are read as text, so a module with models needs `from __future__ import annotations`. Understood
are `str`, `bool`, `int`, `float`, `object` (anything), a model or enum, and `T | None`, `list[T]`, `dict[str, T]`
around them; any other rule is a function given to `field(check=...)`.

Construction is by keyword and checks every field; assignment is free, as values are snapshots that a program
may edit. Fields stand in `__dict__`, in the order of the classes from the last base to the class itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from .names import did_you_mean

if TYPE_CHECKING:
    from typing import Any, Self

    Check = Callable[[Any], Any]

__all__ = ["Field", "Model", "expected", "field", "list_of", "optional", "real", "to_float", "to_int"]

_MISSING = object()


class Field:
    """How one field is checked and what stands in it when nothing is given.

    Attributes:
        check: takes what was given, returns what is kept, raises ValueError.
        required: nothing stands in for it.
        default: the value that does, unless `make` is set.
        make: called for each new default, for values that can be changed.
    """

    __slots__ = ("check", "default", "make", "required")

    def __init__(self, check: Check | None, default: Any, make: Callable[[], Any] | None) -> None:
        self.check = check
        self.default = default
        self.make = make
        self.required = default is _MISSING and make is None


def field(default: Any = _MISSING, *, make: Callable[[], Any] | None = None, check: Check | None = None) -> Any:
    """Declare a field beyond `name: type = default`: a made default, or a check other than the annotation's."""
    return Field(check, default, make)


def expected(what: str, value: Any) -> ValueError:
    """The error that says `what` was expected and what came instead, cut to a readable length."""
    import reprlib  # error path only

    shown = reprlib.Repr()
    shown.maxother = shown.maxstring = 80
    return ValueError(f"expected {what}, got {shown.repr(value)} ({type(value).__name__})")


def to_float(value: Any) -> float:
    """A number as a float."""
    if type(value) is float:
        return value
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            pass
    raise expected("a number", value)


def real(value: Any) -> int | float:
    """A number, kept as int or float; True and False are 1 and 0."""
    if type(value) is int or type(value) is float:
        return value
    if isinstance(value, int):
        return int(value)
    return to_float(value)


def to_int(value: Any) -> int:
    """A whole number as an int."""
    if type(value) is int:
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise expected("a whole number", value)


def to_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise expected("text", value)


def to_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    raise expected("True or False", value)


def optional(check: Check) -> Check:
    """None as well as what `check` takes."""

    def check_optional(value: Any) -> Any:
        return None if value is None else check(value)

    return check_optional


def list_of(check: Check | None) -> Check:
    """A list (or tuple) of what `check` takes; the result is always a new list."""

    def check_list(value: Any) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise expected("a list", value)
        return list(value) if check is None else [check(entry) for entry in value]

    return check_list


def dict_of(check: Check | None) -> Check:
    """A dictionary from text to what `check` takes; the result is always a new dictionary."""

    def check_dict(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise expected("a dictionary", value)
        return {to_text(key): entry if check is None else check(entry) for key, entry in value.items()}

    return check_dict


def member_of(kind: type[Enum]) -> Check:
    """A member of `kind`, or the value of one."""

    def check_member(value: Any) -> Enum:
        if type(value) is kind:
            return value
        try:
            return kind(value)
        except ValueError:
            raise expected(f"a member of {kind.__name__}", value) from None

    return check_member


_PLAIN: dict[str, Check | None] = {
    "object": None,
    "str": to_text,
    "bool": to_bool,
    "int": to_int,
    "float": to_float,
    "int | float": real,
}


def _check_for(annotation: str, module: str) -> Check | None:
    """The check that an annotation of a class in `module` stands for; None takes anything."""
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if annotation.endswith(" | None"):
        inner = _check_for(annotation.removesuffix(" | None"), module)
        return inner and optional(inner)
    if annotation.startswith("list["):
        return list_of(_check_for(annotation[5:-1], module))
    if annotation.startswith("dict[str, "):
        return dict_of(_check_for(annotation[10:-1], module))
    kind = vars(sys.modules[module])[annotation]
    return member_of(kind) if issubclass(kind, Enum) else kind.model_validate


class Model:
    """Base of the value types; see the module.

    Attributes:
        model_fields: name -> Field, in order.
        OPEN: whether fields beyond the declared ones are taken and kept.
    """

    OPEN = False
    model_fields: Mapping[str, Field] = {}
    _plan: tuple[tuple[str, Check | None, Field], ...] = ()
    _own_fields: Mapping[str, Field] = {}

    def __init_subclass__(cls) -> None:
        own: dict[str, Field] = {}
        for name, annotation in cls.__dict__.get("__annotations__", {}).items():
            given = cls.__dict__.get(name, _MISSING)
            made = given if isinstance(given, Field) else Field(None, given, None)
            if made.check is None:
                made.check = _check_for(annotation, cls.__module__)
            own[name] = made
            if given is not _MISSING:
                delattr(cls, name)
        cls._own_fields = own
        fields: dict[str, Field] = {}
        for base in reversed(cls.__mro__):
            fields.update(base.__dict__.get("_own_fields", ()))
        cls.model_fields = fields
        cls._plan = tuple((name, made.check, made) for name, made in fields.items())

    def __init__(self, /, *positional: Any, **data: Any) -> None:
        """Check and keep the fields given by keyword.

        Raises:
            TypeError: something was given by position.
            ValueError: a field is missing, unknown or unfit; names class, field, what came and what was expected.
        """
        if positional:
            raise TypeError(f"{type(self).__name__} takes its fields by keyword only: {', '.join(self.model_fields)}")
        kept = self.__dict__
        used = 0
        for name, check, made in self._plan:
            if name in data:
                used += 1
                value = data[name]
                if check is not None:
                    try:
                        value = check(value)
                    except ValueError as error:
                        raise ValueError(f"{type(self).__name__}.{name}: {error}") from None
                kept[name] = value
            elif made.make is not None:
                kept[name] = made.make()
            elif made.required:
                raise self._missing(data)
            else:
                kept[name] = made.default
        if used != len(data):
            self._keep_extras(data)

    def _missing(self, data: Mapping[str, Any]) -> ValueError:
        missing = [name for name, made in self.model_fields.items() if made.required and name not in data]
        return ValueError(f"{type(self).__name__} needs {', '.join(missing)}, which was not given.")

    def _keep_extras(self, data: Mapping[str, Any]) -> None:
        cls = type(self)
        fields = cls.model_fields
        for name, value in data.items():
            if name in fields:
                continue
            if not cls.OPEN:
                raise ValueError(
                    f"{cls.__name__} has no field {name[:80]!r}.{did_you_mean(name, fields)} "
                    f"Its fields are {', '.join(fields)}."
                )
            if name.startswith("_") or hasattr(cls, name):  # it would hide a method or a size
                raise ValueError(f"{cls.__name__} cannot keep an extra field called {name[:80]!r}.")
            self.__dict__[name] = value

    @classmethod
    def model_validate(cls, value: Any) -> Self:
        """`value` if it is one already, else made from a dictionary of fields. Raises ValueError otherwise."""
        if isinstance(value, cls):
            return value
        if isinstance(value, dict) and all(type(key) is str for key in value):
            return cls(**value)
        raise expected(f"{cls.__name__} or a dictionary of its fields", value)

    def model_dump(self) -> dict[str, Any]:
        """Fields and extras as a dictionary; models within become dictionaries too, enum members stay."""
        return {name: _dump(value) for name, value in self.__dict__.items()}

    def dict(self) -> dict[str, Any]:
        """The same as `model_dump()`."""
        return self.model_dump()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, with the fields in `update` replaced unchecked; `deep` copies what the fields hold too."""
        import copy

        new = copy.deepcopy(self) if deep else copy.copy(self)
        new.__dict__.update(update or {})
        return new

    def copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """The same as `model_copy(...)`."""
        return self.model_copy(update=update, deep=deep)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """(field name, value) pairs, so that `dict(model)` works."""
        yield from self.__dict__.items()

    def __str__(self) -> str:
        return " ".join(f"{name}={value!r}" for name, value in self.__dict__.items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


def _dump(value: Any) -> Any:
    if isinstance(value, list):
        return [_dump(entry) for entry in value]
    if isinstance(value, tuple):
        return tuple(_dump(entry) for entry in value)
    if isinstance(value, dict):
        return {key: _dump(entry) for key, entry in value.items()}
    dump = None if isinstance(value, type) else getattr(value, "model_dump", None)
    return value if dump is None else dump()
