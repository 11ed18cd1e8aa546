"""Finds the program in a model's reply, and says plainly when there is none.

Rules, in order:

1. Fenced blocks marked `python` or `py`: all of them, joined in their order.
2. Otherwise fenced blocks without a mark, those that are Python.
3. Otherwise the whole reply, if it is Python that does something.

A marked block that is not valid Python is still the program: the agent is shown its syntax error. A block that
was cut off by the token limit is not: half a program is never run.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

__all__ = ["ParsedReply", "parse_reply"]

_OPENING = re.compile(r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<mark>[^\s`]*)[^\n`]*$")
_PYTHON = ("python", "py", "python3")


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A verdict on a reply.

    Attributes:
        code: the program; None when there is none.
        kind: "fenced", "unmarked" (a fence without a mark), "bare" (no fence), or for none "empty", "cut_off",
            "prose".
        reason: why there is no program, as the agent is told; "" when there is one.
    """

    code: str | None
    kind: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Block:
    mark: str
    text: str
    closed: bool


def parse_reply(text: str, *, cut_off: bool = False) -> ParsedReply:
    """The program in `text`.

    Args:
        text: what the model wrote.
        cut_off: it stopped because of the token limit.
    """
    if not text.strip():
        why = "the token limit was reached before anything was written" if cut_off else "the reply is empty"
        return ParsedReply(None, "empty", why)
    blocks = _blocks(text)
    marked = [block for block in blocks if block.mark in _PYTHON]
    if marked and cut_off and not marked[-1].closed:
        return ParsedReply(
            None,
            "cut_off",
            "the reply was cut off at the token limit inside the program; write a shorter one",
        )
    if marked:
        return ParsedReply("\n\n".join(block.text for block in marked), "fenced")
    unmarked = [block for block in blocks if not block.mark and _does_something(block.text)]
    if unmarked and not (cut_off and not unmarked[-1].closed):
        return ParsedReply("\n\n".join(block.text for block in unmarked), "unmarked")
    if not blocks and not cut_off and _does_something(text):
        return ParsedReply(text.strip("\n"), "bare")
    if cut_off:
        return ParsedReply(
            None, "cut_off", "the reply was cut off at the token limit before a whole program was written"
        )
    return ParsedReply(
        None,
        "prose",
        "the reply holds no Python program; put it between a line ```python and a line ```",
    )


def _blocks(text: str) -> list[_Block]:
    """Fenced blocks in order; a fence that is never closed reaches to the end."""
    blocks: list[_Block] = []
    opening: re.Match[str] | None = None
    lines: list[str] = []
    for line in text.splitlines():
        if opening is None:
            opening = _OPENING.match(line)
            lines = []
        elif _closes(line, opening["fence"]):
            blocks.append(_Block(opening["mark"].lower(), _dedented(lines, opening["indent"]), True))
            opening = None
        else:
            lines.append(line)
    if opening is not None:
        blocks.append(_Block(opening["mark"].lower(), _dedented(lines, opening["indent"]), False))
    return [block for block in blocks if block.text.strip()]


def _closes(line: str, fence: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= len(fence) and set(stripped) == {fence[0]}


def _dedented(lines: list[str], indent: str) -> str:
    """The lines without the indentation of their fence (a block within a list)."""
    return "\n".join(line.removeprefix(indent) for line in lines)


def _does_something(text: str) -> bool:
    """Valid Python with more than names and constants: "Done." and "ok" are words, not programs."""
    try:
        tree = ast.parse(text.strip("\n"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    words = ast.Name | ast.Constant | ast.Attribute | ast.Tuple
    return any(not (isinstance(node, ast.Expr) and isinstance(node.value, words)) for node in tree.body)
