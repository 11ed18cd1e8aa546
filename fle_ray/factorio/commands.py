"""What a command line from FLE's client asks for: one of a few fixed forms, read without running any Lua."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from fle_ray.factorio.lua import literals

__all__ = ["Call", "Fixed", "Unknown", "Upload", "understood"]

_PREFIX = re.compile(r"/(?:silent-command|sc|command|c)(?:\s+|$)", re.IGNORECASE)
_CALL = re.compile(
    r"a, ?b ?= ?pcall\(storage\.actions\.(?P<name>[a-z_0-9]+)(?P<arguments>,.*)?\);"
    r"\s*rcon\.print\(dump\(\{a ?= ?a, ?b ?= ?b\}\)\)\s*",
    re.DOTALL,
)
_WORD = r"'([^'\n]{1,200})'"
_NUMBER = r"(-?[0-9.]{1,20}(?:e[+-]?[0-9]{1,3})?)"
_FIXED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern + r"\s*"))
    for name, pattern in (
        ("players", r"rcon\.print\(#game\.players\)"),
        ("speed", r"game\.speed ?= ?" + _NUMBER),
        ("pause", r"game\.tick_paused ?= ?(true|false)"),
        ("elapsed", r"rcon\.print\(storage\.elapsed_ticks or 0\)"),
        ("set_elapsed", r"storage\.elapsed_ticks ?= ?([0-9]{1,15})"),
        ("checksums", r"rcon\.print\(storage\.get_lua_script_checksums\(\)\)"),
        ("set_checksum", rf"storage\.set_lua_script_checksum\({_WORD}, ?{_WORD}\)"),
        ("clear_checksums", r"storage\.clear_lua_script_checksums\(\)"),
        ("fast", r"storage\.fast ?= ?(true|false)"),
        ("alerts", r"rcon\.print\(dump\(storage\.get_alerts\(" + _NUMBER + r"\)\)\)"),
        ("nothing", r"storage\.utils\.remove_enemies\(\)"),
        ("nothing", r"game\.surfaces\[1\]\.request_to_generate_chunks\(\{x=[-0-9.]+, y=[-0-9.]+\}, [0-9]+\)"),
        ("nothing", r"game\.surfaces\[1\]\.force_generate_chunk_requests\(\)"),
        ("queue", r"rcon\.print\(storage\.actions\.get_(?:walking|harvest)_queue_length\([0-9]+\)\)"),
    )
)
_COMMENT = re.compile(r"--[^\n]*")
_DEFINES = re.compile(r"\bfunction\b|\bstorage\.[A-Za-z_.]+\s*=|\blocal\s+[A-Za-z_]")


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of FLE's server-side actions by name, with its arguments."""

    action: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """One of the fixed commands the client issues, and the texts that vary in it."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Upload:
    """A script: several lines that define something, or only comments, or nothing (FLE has such). It is never run."""

    characters: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """Anything else."""

    text: str


def understood(text: str) -> Call | Fixed | Upload | Unknown:
    """What a command line asks for. Raises BadLua when an action's arguments are no Lua literals."""
    prefix = _PREFIX.match(text)
    if not prefix:
        return Unknown(text)
    body = text[prefix.end() :]
    if found := _CALL.fullmatch(body):
        return Call(found["name"], tuple(literals((found["arguments"] or ",")[1:])))
    for name, pattern in _FIXED:
        if found := pattern.fullmatch(body):
            return Fixed(name, found.groups())
    code = _COMMENT.sub("", body).strip()
    if not code or ("\n" in code and _DEFINES.search(code)):
        return Upload(len(body))
    return Unknown(text)
