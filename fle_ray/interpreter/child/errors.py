"""An exception of a program as the agent is told it."""

from __future__ import annotations

import builtins
import difflib
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fle_ray.interpreter.child.program import Program, program_filename

__all__ = ["Told", "stack_line", "stack_of", "tell"]

HEADING = "An error occurred:"
_SHOWN_FRAMES = 12  # of a deep recursion the first and the last half of these
_MESSAGE_CHARACTERS = 20_000
_SOURCE_CHARACTERS = 200


@dataclass(frozen=True)
class Told:
    """An error in words.

    Attributes:
        type: class name of the exception.
        message: its whole message.
        statement: line of the top-level statement that failed, the N of the log.
        line: the innermost line of this program that failed.
        traceback: `Line k: source` of each function of the agent that was running; "" for none.
        text: what the log entry holds.
    """

    type: str
    message: str
    statement: int
    line: int
    traceback: str
    text: str


def tell(error: BaseException, program: Program, sources: Mapping[str, str], names: Mapping[str, Any]) -> Told:
    """Put an uncaught exception into words.

    Args:
        sources: file name -> text of every program that is still referred to.
        names: the namespace, for suggestions.
    """
    frames = []
    traceback = error.__traceback__
    while traceback is not None:
        frames.append((traceback.tb_frame.f_code, traceback.tb_lineno))
        traceback = traceback.tb_next
    message = _message(error)
    kind = type(error).__name__
    statement, line, shown = _where(frames, program, sources)
    hint = _hint(error, names)
    text = f"{kind}: {message}" if message else kind
    if hint:
        text += f"\n{hint}"
    if shown:
        text = f"{HEADING}\n{shown}\n\n{text}"
    return Told(kind, f"{message}\n{hint}".strip() if hint else message, statement, line, shown, text)


def stack_of(frame: types.FrameType | None) -> list[tuple[types.CodeType, int]]:
    """The running frames, outermost first."""
    frames = []
    while frame is not None:
        frames.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    return frames[::-1]


def stack_line(frame: types.FrameType | None, program: Program) -> int:
    """The line of the top-level statement that is running."""
    while frame is not None:
        if frame.f_code is program.code:
            return program.statement_line(frame.f_lineno)
        frame = frame.f_back
    return 0


def told_stop(frame: types.FrameType | None, program: Program | None, sources: Mapping[str, str], text: str) -> Told:
    """A program that is ended from outside at this frame, in words; before its first line if it is None."""
    if program is None:
        return Told("", text, 0, 0, "", text)
    statement, line, shown = _where(stack_of(frame), program, sources)
    return Told("", text, statement, line, shown, text)


def _where(
    frames: list[tuple[types.CodeType, int]], program: Program, sources: Mapping[str, str]
) -> tuple[int, int, str]:
    statement = line = 0
    here = program_filename(program.number)
    lines = []
    for code, at in frames:
        if code is program.code:
            statement, line = program.statement_line(at), at
        elif code.co_filename in sources:
            if code.co_filename == here:
                line = at
                place = f"Line {at}"
            else:
                place = f"Line {at} of {code.co_filename.strip('<>')}"
            source = sources[code.co_filename].splitlines()
            text = source[at - 1].strip()[:_SOURCE_CHARACTERS] if 0 < at <= len(source) else "?"
            lines.append(f"  {place}: {text}")
    if len(lines) > _SHOWN_FRAMES:
        half = _SHOWN_FRAMES // 2
        lines[half:-half] = [f"  ... {len(lines) - 2 * half} more"]
    return statement, line, "\n".join(lines)


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception as second:
        text = f"<its message could not be made: {type(second).__name__}>"
    if len(text) > _MESSAGE_CHARACTERS:
        text = text[:_MESSAGE_CHARACTERS] + f"... ({len(text)} characters)"
    return text


def _hint(error: BaseException, names: Mapping[str, Any]) -> str:
    """What might have been meant."""
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError) and error.name:
        known = {name: value for name, value in vars(builtins).items() if not name.startswith("_")} | dict(names)
        near = difflib.get_close_matches(error.name, [name for name in known if isinstance(name, str)], 3, 0.6)
        if near:
            listed = ", ".join(f"{name} ({type(known[name]).__name__})" for name in near)
            return f"Did you mean one of these? {listed}"
    elif isinstance(error, AttributeError) and error.name and "Did you mean" not in str(error):
        try:
            attributes = dir(error.obj)
        except Exception:  # a program's own __dir__
            return ""
        near = difflib.get_close_matches(error.name, [a for a in attributes if not a.startswith("_")], 3, 0.6)
        if near:
            return f"Did you mean one of these? {', '.join(near)}"
    elif isinstance(error, TypeError) and "not callable" in str(error):
        hidden = sorted(name for name in names if callable(getattr(builtins, str(name), None)))
        hidden = [name for name in hidden if not name.startswith("_") and not callable(names[name])]
        if hidden:
            return (
                f"Your variables {', '.join(hidden)} hide builtins of the same name; "
                f"`del {hidden[0]}` brings the builtin back."
            )
    return ""


def syntax_text(error: SyntaxError) -> str:
    """The message of a SyntaxError with its line and the place in it."""
    text = error.msg or "invalid syntax"
    if error.text and error.lineno:
        line = error.text.rstrip("\n")
        text += f"\n  Line {error.lineno}: {line.strip()[:_SOURCE_CHARACTERS]}"
        if error.offset and 0 < error.offset <= _SOURCE_CHARACTERS:
            indent = len(line) - len(line.lstrip())
            lead = len(f"  Line {error.lineno}: ")
            text += "\n" + " " * (lead + max(error.offset - 1 - indent, 0)) + "^"
    return text
