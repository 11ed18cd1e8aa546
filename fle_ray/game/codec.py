"""Game values as plain JSON values and back, across the border between an agent's process and ours.

    plain = encode(value)         # None, bool, int, finite float, str, list, dict with text keys
    value = decode(plain)         # equal to it, of the same types

What JSON lacks is a tagged dictionary `{"$": tag, "v": content}`: tuples, sets, frozensets, dictionaries with
other keys (or with the key "$"), numbers that are not finite, the classes, enum members and models of
`fle_ray.game.values`. Instances of other subclasses go across as the nearest of these classes.

The decoder trusts nothing. Whatever JSON it is given, it returns a value or raises CodecError, in time and
memory proportional to the input (who reads the input limits its length); it looks names up in fixed tables
and never imports, evaluates or calls anything else. Fields are checked as the constructors do.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from math import inf, isfinite
from typing import TYPE_CHECKING

from fle_ray.game import values
from fle_ray.game.values import Inventory, Model, Position

if TYPE_CHECKING:
    from typing import Any

__all__ = ["MAX_DEPTH", "MAX_HASHED", "MAX_INT_BITS", "CodecError", "decode", "encode"]

MAX_DEPTH = 64  # values within values
MAX_HASHED = 4096  # entries of sets and of dictionaries with other than text keys, in one decoded value:
# their hashes can be made to collide, which costs time by the square of their number
MAX_INT_BITS = 1024  # about what a float can reach


class CodecError(ValueError):
    """A value that cannot go across, or plain data that no value encodes to."""


# Every class that goes across as itself, by name.
_CLASSES: dict[str, type] = {name: kind for name in values.__all__ if isinstance(kind := getattr(values, name), type)}
_ENUMS = {name: kind for name, kind in _CLASSES.items() if issubclass(kind, Enum)}
_NAMES = {kind: name for name, kind in _CLASSES.items() if name == kind.__name__}
_MODELS = {kind: name for kind, name in _NAMES.items() if issubclass(kind, Model) and kind is not Model}


# ---- encoding


def encode(value: Any) -> Any:
    """`value` as plain JSON values.

    Raises:
        CodecError: it is or holds something that cannot go across (names its type), or is nested deeper than
            MAX_DEPTH, as a value that holds itself is.
    """
    return _encode(value, 0)


def _encode(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind is str or kind is bool or value is None or kind is float and isfinite(value):
        return value
    if kind is int:
        return _encode_int(value, depth)
    encoder = _ENCODERS.get(kind) or _encoder_of_base(kind)
    if depth > MAX_DEPTH:
        raise CodecError(f"A value nested deeper than {MAX_DEPTH} levels, or within itself, cannot go across.")
    return encoder(value, depth + 1)


def _encoder_of_base(kind: type) -> Callable[[Any, int], Any]:
    for base in kind.__mro__:
        if base in _ENCODERS:
            return _ENCODERS[base]
    raise CodecError(
        f"A value of type {kind.__name__} cannot go across; use numbers, text, lists, dictionaries and game values."
    )


def _encode_int(value: int, depth: int) -> int:
    if value.bit_length() > MAX_INT_BITS:
        raise CodecError(f"A whole number of {value.bit_length()} bits cannot go across; at most {MAX_INT_BITS}.")
    return int(value)


def _encode_float(value: float, depth: int) -> Any:
    if isfinite(value):
        return float(value)
    return {"$": "float", "v": repr(float(value))}


def _encode_list(value: list[Any], depth: int) -> list[Any]:
    return [_encode(entry, depth) for entry in value]


def _encode_tuple(value: tuple[Any, ...], depth: int) -> Any:
    return {"$": "tuple", "v": [_encode(entry, depth) for entry in value]}


def _encode_set(value: set[Any], depth: int) -> Any:
    # sorted, so that equal sets give equal text whatever the process hashes like
    entries = sorted((_encode(entry, depth) for entry in value), key=repr)
    return {"$": "set", "v": entries}


def _encode_frozenset(value: frozenset[Any], depth: int) -> Any:
    return {**_encode_set(value, depth), "$": "frozenset"}


def _encode_dict(value: dict[Any, Any], depth: int) -> Any:
    if "$" not in value and all(type(key) is str for key in value):
        return {key: _encode(entry, depth) for key, entry in value.items()}
    return {"$": "dict", "v": [[_encode(key, depth), _encode(entry, depth)] for key, entry in value.items()]}


def _encode_class(value: type, depth: int) -> Any:
    if value not in _NAMES:
        raise CodecError(f"The class {value.__name__} cannot go across: only classes of the game's values can.")
    return {"$": "class", "v": _NAMES[value]}


def _encode_member(value: Enum, depth: int) -> Any:
    return {"$": type(value).__name__, "v": value._name_}


def _encode_position(value: Position, depth: int) -> Any:
    fields = value.__dict__
    if len(fields) != 2 or "x" not in fields or "y" not in fields:
        raise CodecError(f"A Position has the fields x and y, this one has {', '.join(fields) or 'none'}.")
    x, y = fields["x"], fields["y"]
    if not (type(x) is float and isfinite(x)):
        x = _encode(x, depth)
    if not (type(y) is float and isfinite(y)):
        y = _encode(y, depth)
    return {"$": "Position", "v": [x, y]}


def _encode_inventory(value: Inventory, depth: int) -> Any:
    return {"$": "Inventory", "v": {name: _encode(count, depth) for name, count in value.items()}}


def _model_encoder(name: str) -> Callable[[Any, int], Any]:
    def encode_model(value: Model, depth: int) -> Any:
        fields = {}
        for field, entry in value.__dict__.items():
            # most fields are plain: spares a call each
            plain = entry is None or type(entry) is str or type(entry) is bool
            fields[field] = entry if plain else _encode(entry, depth)
        return {"$": name, "v": fields}

    return encode_model


_ENCODERS: dict[type, Callable[[Any, int], Any]] = {
    int: _encode_int,
    float: _encode_float,
    str: lambda value, depth: str(value),
    list: _encode_list,
    tuple: _encode_tuple,
    set: _encode_set,
    frozenset: _encode_frozenset,
    dict: _encode_dict,
    type: _encode_class,
    **{kind: _model_encoder(name) for kind, name in _MODELS.items()},
    **{kind: _encode_member for kind in _ENUMS.values()},
    Position: _encode_position,
    Inventory: _encode_inventory,
}


# ---- decoding


def decode(plain: Any) -> Any:
    """The value that `plain` encodes.

    Raises:
        CodecError: an unknown tag, a wrong shape, fields that the type does not take, nesting deeper than
            MAX_DEPTH, numbers that are not finite or longer than MAX_INT_BITS, more than MAX_HASHED entries in
            sets and dictionaries with other than text keys, or something that is not JSON.
    """
    return _decode(plain, 0, [MAX_HASHED])


def _decode(plain: Any, depth: int, allowance: list[int]) -> Any:
    kind = type(plain)
    if kind is str or kind is bool or plain is None:
        return plain
    if kind is float:
        if isfinite(plain):
            return plain
        raise CodecError(f"{plain} is not JSON; a number that is not finite has the tag 'float'.")
    if kind is int:
        if plain.bit_length() <= MAX_INT_BITS:
            return plain
        raise CodecError(f"A whole number of {plain.bit_length()} bits; at most {MAX_INT_BITS} are taken.")
    if depth > MAX_DEPTH:
        raise CodecError(f"Nested deeper than {MAX_DEPTH} levels.")
    if kind is list:
        depth += 1
        return [_decode(entry, depth, allowance) for entry in plain]
    if kind is not dict:
        raise CodecError(f"{kind.__name__} is not a JSON type.")
    depth += 1
    if "$" not in plain:
        return {_key(key): _decode(entry, depth, allowance) for key, entry in plain.items()}
    tag = plain["$"]
    decoder = _DECODERS.get(tag) if type(tag) is str else None
    if decoder is None:
        raise CodecError(f"No value has the tag {_short(tag)}.")
    if len(plain) != 2 or "v" not in plain:
        raise CodecError(f"A value with the tag {tag!r} has the keys '$' and 'v', nothing else.")
    return decoder(plain["v"], depth, allowance)


def _short(plain: Any) -> str:
    text = repr(plain) if type(plain) is str else f"of type {type(plain).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."


def _key(key: Any) -> str:
    if type(key) is not str:
        raise CodecError(f"A key of type {type(key).__name__} is not JSON.")
    return key


def _array(content: Any, tag: str) -> list[Any]:
    if type(content) is not list:
        raise CodecError(f"The content of {tag!r} is a list, not {type(content).__name__}.")
    return content


def _object(content: Any, tag: str) -> dict[str, Any]:
    if type(content) is not dict:
        raise CodecError(f"The content of {tag!r} is an object, not {type(content).__name__}.")
    return content


def _spend(allowance: list[int], entries: int) -> None:
    allowance[0] -= entries
    if allowance[0] < 0:
        raise CodecError(f"More than {MAX_HASHED} entries in sets and in dictionaries with other than text keys.")


_NOT_FINITE = {"nan": "nan", "inf": inf, "-inf": -inf}


def _decode_float(content: Any, depth: int, allowance: list[int]) -> float:
    if type(content) is not str or content not in _NOT_FINITE:
        raise CodecError(f"The content of 'float' is 'nan', 'inf' or '-inf', not {_short(content)}.")
    return float(_NOT_FINITE[content])  # a new nan each time: a set may hold several


def _decode_tuple(content: Any, depth: int, allowance: list[int]) -> tuple[Any, ...]:
    return tuple([_decode(entry, depth, allowance) for entry in _array(content, "tuple")])


def _decode_set(content: Any, depth: int, allowance: list[int]) -> set[Any]:
    _spend(allowance, len(_array(content, "set")))
    entries = [_decode(entry, depth, allowance) for entry in content]
    try:
        result = set(entries)
    except TypeError as error:
        raise CodecError(f"A set cannot hold this: {error}.") from None
    if len(result) != len(entries):
        raise CodecError("A set holds the same entry twice.")
    return result


def _decode_frozenset(content: Any, depth: int, allowance: list[int]) -> frozenset[Any]:
    return frozenset(_decode_set(content, depth, allowance))


def _decode_dict(content: Any, depth: int, allowance: list[int]) -> dict[Any, Any]:
    _spend(allowance, len(_array(content, "dict")))
    result = {}
    for pair in content:
        if type(pair) is not list or len(pair) != 2:
            raise CodecError("The content of 'dict' is a list of [key, value] pairs.")
        key = _decode(pair[0], depth, allowance)
        try:
            result[key] = _decode(pair[1], depth, allowance)
        except TypeError as error:
            raise CodecError(f"A dictionary cannot have this key: {error}.") from None
    if len(result) != len(content):
        raise CodecError("A dictionary has the same key twice.")
    return result


def _decode_class(content: Any, depth: int, allowance: list[int]) -> type:
    if type(content) is not str or content not in _CLASSES:
        raise CodecError(f"No class of the game's values is called {_short(content)}.")
    return _CLASSES[content]


def _decode_position(content: Any, depth: int, allowance: list[int]) -> Position:
    if type(content) is not list or len(content) != 2:
        raise CodecError("The content of 'Position' is [x, y].")
    x, y = content
    if type(x) is not float or not isfinite(x):
        x = _decode(x, depth, allowance)
    if type(y) is not float or not isfinite(y):
        y = _decode(y, depth, allowance)
    try:
        return Position(x, y)
    except ValueError as error:
        raise CodecError(str(error)) from None


def _decode_inventory(content: Any, depth: int, allowance: list[int]) -> Inventory:
    _object(content, "Inventory")
    if not content:
        return Inventory()
    try:
        return Inventory({_key(name): _decode(count, depth, allowance) for name, count in content.items()})
    except ValueError as error:
        raise CodecError(str(error)) from None


def _member_decoder(kind: type[Enum]) -> Callable[[Any, int, list[int]], Enum]:
    members = kind.__members__
    tag = kind.__name__

    def decode_member(content: Any, depth: int, allowance: list[int]) -> Enum:
        if type(content) is str and content in members:
            return members[content]
        raise CodecError(f"No member of {tag} is called {_short(content)}.")

    return decode_member


def _model_decoder(kind: type[Model]) -> Callable[[Any, int, list[int]], Model]:
    tag = kind.__name__

    def decode_model(content: Any, depth: int, allowance: list[int]) -> Model:
        _object(content, tag)
        fields = {}
        for name, entry in content.items():
            # most fields are plain: spares a call each
            plain = entry is None or type(entry) is str or type(entry) is bool
            fields[_key(name)] = entry if plain else _decode(entry, depth, allowance)
        try:
            return kind(**fields)
        except ValueError as error:
            raise CodecError(str(error)) from None

    return decode_model


_DECODERS: dict[str, Callable[[Any, int, list[int]], Any]] = {
    "float": _decode_float,
    "tuple": _decode_tuple,
    "set": _decode_set,
    "frozenset": _decode_frozenset,
    "dict": _decode_dict,
    "class": _decode_class,
    **{name: _model_decoder(kind) for kind, name in _MODELS.items()},
    **{kind.__name__: _member_decoder(kind) for kind in _ENUMS.values()},
    "Position": _decode_position,
    "Inventory": _decode_inventory,
}
