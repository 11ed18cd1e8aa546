"""What running one program yields: its output, its error if any, and every tool call it made."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["ERROR_KINDS", "ProgramError", "ProgramResult", "ToolCall"]

ERROR_KINDS = (
    "exception",  # the program raised and did not catch
    "syntax",  # it is not Python; nothing ran
    "no_program",  # there was nothing to run (the agent produced no program)
    "timeout",  # wall or CPU time ran out: child killed, world and variables rolled back
    "memory",  # the child ran out of memory: killed, rolled back
    "crash",  # the child died of something else: rolled back
    "output_limit",  # printed more than allowed: ended, what was done is kept
    "call_limit",  # more tool calls than a step may make: ended, kept
    "tick_limit",  # more game ticks than a step may use: ended, kept
    "protocol",  # the child sent something that is not the protocol: killed, rolled back
)
ROLLED_BACK = frozenset({"timeout", "memory", "crash", "protocol"})


@dataclass(frozen=True, slots=True)
class ProgramError:
    """Why a program ended early.

    Attributes:
        kind: one of ERROR_KINDS.
        type: exception class name, e.g. "NameError"; "" where there is none.
        message: the whole message, all lines.
        line: 1-based line of the program that failed; None when unknown.
        traceback: frames of agent code with their source lines, as the agent is shown them.
        killed: the child was killed by somebody else in the middle of it; run again, the program may go through.
    """

    kind: str
    type: str = ""
    message: str = ""
    line: int | None = None
    traceback: str = ""
    killed: bool = False

    @property
    def rolled_back(self) -> bool:
        """True when world and variables go back to before the step."""
        return self.kind in ROLLED_BACK


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call of a program.

    Attributes:
        tool: its name.
        arguments: JSON text of the encoded arguments, cut at 2,000 characters.
        error: None, or the message the tool refused with.
        ticks: game ticks the call took.
        microseconds: wall time in the parent; no part of equality.
        line: line of the program, None when unknown.
    """

    tool: str
    arguments: str
    error: str | None
    ticks: int
    microseconds: int = field(compare=False)
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """One executed program.

    Attributes:
        output: numbered log lines as the agent sees them (spec: `N: (repr, ...)`), error line included.
        error: None when the program ran to its end.
        calls: tool calls in order.
        wall_s: seconds from sending the program to its end; no part of equality.
        lost: names of variables that could not be carried over to a new child, with the reason.
    """

    output: str = ""
    error: ProgramError | None = None
    calls: tuple[ToolCall, ...] = ()
    wall_s: float = field(default=0.0, compare=False)
    lost: dict[str, str] = field(default_factory=dict)
