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
# what the client does to enemies, which there are none of, and to what a player at the screen would see
_ENEMIES = r"find_entities_filtered\(\{force=[\"']enemy[\"']\}\)\) do;? entity\.destroy\(\);? end"
_FOR_THE_EYE = (
    rf"local surface ?= ?game\.player(?:s\[1\])?\.surface;? for key, entity in pairs\(surface\.{_ENEMIES}",
    r"game\.forces\[\"enemy\"\]\.kill_all_units\(\)",
    r"game\.players\[[01]\]\.surface\.request_to_generate_chunks\(\{x=[-0-9.]+,y=[-0-9.]+\}, [0-9]+\)",
    r"game\.players\[1\]\.force\.chart_all\(\)",
    r"game\.players\[1\]\.teleport\(\{x=[-0-9.e]+, y=[-0-9.e]+\}\)",
    r"if game\.players\[1\] and storage\.agent_characters and storage\.agent_characters\[1\] "
    r"then game\.players\[1\]\.teleport\(storage\.agent_characters\[1\]\.position\) end",
    r"rendering\.clear\(\)",
    r"storage\.camera ?= ?nil",
)
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
        ("agents", r"rcon\.print\(storage\.agent_characters and #storage\.agent_characters or 0\)"),
        *(("nothing", form) for form in _FOR_THE_EYE),
        (
            "resource_at",
            r"rcon\.print\(storage\.actions\.get_resource_name_at_position\("
            rf"([0-9]{{1,9}}), ?{_NUMBER}, ?{_NUMBER}\)\)",
        ),
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
    """A script: several lines that define something and ask for nothing, or only comments, or nothing (FLE has such).
    It is never run."""

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
    if not code or ("\n" in code and _DEFINES.search(code) and "rcon.print(" not in code):
        return Upload(len(body))
    return Unknown(text)
