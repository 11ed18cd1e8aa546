"""Lua literals: reading those in a command, writing those of a reply. Literals only: nothing here is evaluated.

Strings are read and written as FLE's client does: in text a quote is escaped by a backslash, and nothing else is (its
Lua library neither writes nor undoes other escapes); bytes it writes as `\\x` and two digits each, all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from math import isfinite
from typing import Any

from fle_ray.game.values import Inventory, Model

__all__ = ["BadLua", "literals", "written"]

_DEEPEST = 32
_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])")
_NAME = re.compile(r"[A-Za-z_]\w*")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"' + r"|'((?:[^'\\]|\\.)*)'", re.DOTALL)
_BYTES = re.compile(r"(?:\\x[0-9a-fA-F]{2})+")
_WORDS: Mapping[str, Any] = {"nil": None, "true": True, "false": False}


class BadLua(ValueError):
    """Text that is not a list of Lua literals."""


def literals(text: str) -> list[Any]:
    """The values of a comma-separated list of literals: numbers, strings, booleans, nil, tables of them.

    A table with keys is a dictionary, one without a list (an empty one too). Raises BadLua.
    """
    at = _after_space(text, 0)
    if at == len(text):
        return []
    values = []
    while True:
        value, at = _value(text, at, 0)
        values.append(value)
        at = _after_space(text, at)
        if at == len(text):
            return values
        if text[at] != ",":
            raise _bad("a comma", text, at)
        at = _after_space(text, at + 1)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _bad(what: str, text: str, at: int) -> BadLua:
    return BadLua(f"Expected {what} at character {at}, found {text[at : at + 30]!r}.")


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    if depth > _DEEPEST:
        raise BadLua(f"Tables are nested more than {_DEEPEST} deep.")
    first = text[at : at + 1]
    if first == "{":
        return _table(text, at, depth)
    if first and first in "\"'":
        return _string(text, at)
    if found := _NUMBER.match(text, at):
        return _number(found.group()), found.end()
    found = _NAME.match(text, at)
    if found and found.group() in _WORDS:
        return _WORDS[found.group()], found.end()
    raise _bad("a Lua literal", text, at)


def _number(text: str) -> int | float:
    if len(text) > 40:
        raise BadLua(f"A number has {len(text)} characters; expected at most 40.")
    try:
        return int(text)
    except ValueError:
        value = float(text)
    if not isfinite(value):
        raise BadLua(f"{text} is too large a number.")
    return value


def _string(text: str, at: int) -> tuple[str, int]:
    found = _STRING.match(text, at)
    if not found:
        raise _bad("a whole string", text, at)
    quoted = found.group(1) if found.group(1) is not None else found.group(2)
    if _BYTES.fullmatch(quoted):
        try:
            return bytes.fromhex(quoted.replace("\\x", "")).decode("utf-8"), found.end()
        except UnicodeDecodeError as error:
            raise BadLua(f"A string of bytes at character {at} is not UTF-8: {error}.") from error
    return quoted.replace('\\"', '"'), found.end()


def _table(text: str, at: int, depth: int) -> tuple[Any, int]:
    keyed: dict[Any, Any] = {}
    listed: list[Any] = []
    at = _after_space(text, at + 1)
    while text[at : at + 1] != "}":
        key, at = _key(text, at)
        value, at = _value(text, at, depth + 1)
        if key is None:
            listed.append(value)
        else:
            keyed[key] = value
        at = _after_space(text, at)
        if text[at : at + 1] in (",", ";"):
            at = _after_space(text, at + 1)
        elif text[at : at + 1] != "}":
            raise _bad("a comma or }", text, at)
    if keyed and listed:
        raise BadLua("A table has both keys and plain entries; expected one or the other.")
    return keyed or listed, at + 1


def _key(text: str, at: int) -> tuple[Any, int]:
    """The key of a table's entry and where its value begins; None for an entry without."""
    if text[at : at + 1] == "[":
        key, end = _value(text, _after_space(text, at + 1), _DEEPEST)
        end = _after_space(text, end)
        if not isinstance(key, str | int) or text[end : end + 1] != "]":
            raise _bad("a key of text or a whole number, then ]", text, at)
        end = _after_space(text, end + 1)
    else:
        found = _NAME.match(text, at)
        if not found or found.group() in _WORDS:
            return None, at
        key, end = found.group(), _after_space(text, found.end())
    if text[end : end + 1] != "=":
        raise _bad("= after a key", text, end)
    return key, _after_space(text, end + 1)


def written(value: Any) -> str:
    """A value as the Lua table that FLE's client parses.

    Models become tables of their fields without `prototype`; entries that are None, and empty lists (which the
    client's library cannot tell from empty tables), are left out. Raises TypeError for any other kind of value.
    """
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return written(value.value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not isfinite(value):
            raise TypeError(f"{value} cannot be written for the client: it is not finite.")
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, str):
        return '"' + _plain(value) + '"'
    if isinstance(value, Model):
        return _keyed({name: entry for name, entry in value.__dict__.items() if name != "prototype"})
    if isinstance(value, Mapping | Inventory):
        return _keyed(value)
    if isinstance(value, Sequence):
        return "{" + ",".join(written(entry) for entry in value) + "}"
    raise TypeError(f"A value of type {type(value).__name__} has no Lua form.")


def _keyed(entries: Mapping[Any, Any] | Inventory) -> str:
    shown = []
    for key, value in entries.items():
        if value is None or (isinstance(value, list | tuple) and not value):
            continue
        name = str(key) if isinstance(key, int) else '"' + _plain(str(key)) + '"'
        shown.append(f"[{name}] = {written(value)}")
    return "{" + ",".join(shown) + "}"


def _plain(text: str) -> str:
    """Text that reads back the same in the client: no backslash, no line ends, no zero."""
    text = text.replace("\\", "/").replace("\r", " ").replace("\n", " ").replace("\0", "")
    return text.replace('"', '\\"')
