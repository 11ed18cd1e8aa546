"""How much a program may use, and which layers keep it in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from fle_ray.errors import ConfigError, UnknownName

__all__ = ["LAYERS", "LayerPolicy", "Limits"]

MIB = 1 << 20

# Every layer, in the order in which the child applies them. What each does stands in docs/interpreter.md.
LAYERS = (
    "environment",
    "descriptors",
    "undumpable",
    "parent_death",
    "no_new_privs",
    "namespaces",
    "capabilities",
    "landlock",
    "rlimits",
    "seccomp",
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one program and of the session it works on.

    Attributes:
        wall_s: seconds during which the program may have the turn; the game's own time in tool calls does
            not count. Past it: kind `timeout`.
        cpu_s: CPU seconds of the child during one program. Past it: kind `timeout`.
        memory_bytes: what the child may map beyond what it holds when it starts. Past it: `MemoryError` in
            the program; kind `memory` when that is not caught.
        output_lines: printed lines that are shown; the rest is counted.
        output_bytes: size of the shown output in UTF-8 bytes. Past it: kind `output_limit`.
        printed_lines: lines that may be printed, shown or not. Past it: kind `output_limit`.
        max_calls: tool calls of one program. Past it: kind `call_limit`.
        message_bytes: one message from the child, so the encoded arguments of one call.
        reply_bytes: one message to the child, so the encoded result of one call.
        session_bytes: the saved session. A program that leaves more behind ends as kind `memory`.
        recursion: depth of Python calls before `RecursionError`.
    """

    wall_s: float = 120.0
    cpu_s: float = 120.0
    memory_bytes: int = 512 * MIB
    output_lines: int = 512
    output_bytes: int = 1 * MIB
    printed_lines: int = 100_000
    max_calls: int = 2_000
    message_bytes: int = 4 * MIB
    reply_bytes: int = 64 * MIB
    session_bytes: int = 64 * MIB
    recursion: int = 1_000

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
                raise ConfigError(f"Limits.{item.name} must be a number above 0, not {value!r}.")
        if self.recursion < 100:
            raise ConfigError(f"Limits.recursion must be at least 100, not {self.recursion}.")
        if self.message_bytes < 2 * self.output_bytes:  # quotes and backslashes take two bytes in a message
            raise ConfigError(
                f"Limits.message_bytes must be at least twice output_bytes ({self.output_bytes}), so that a "
                f"printed line fits into a message; it is {self.message_bytes}."
            )


@dataclass(frozen=True, slots=True)
class LayerPolicy:
    """Which isolation layers must be there and which to leave off.

    Attributes:
        require: layers without which no program is run: ConfigError names the missing ones.
        without: layers not to apply, to test the others one by one.
    """

    require: Sequence[str] = ()
    without: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in (*self.require, *self.without):
            if name not in LAYERS:
                raise UnknownName("isolation layer", name, LAYERS, f"Layers: {', '.join(LAYERS)}.")
        both = sorted(set(self.require) & set(self.without))
        if both:
            raise ConfigError(f"Isolation layers both required and left off: {', '.join(both)}.")
