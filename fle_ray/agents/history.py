"""Which part of a conversation the model is shown: all of it, the latest exchanges, or a summary and the latest.

A conversation is kept whole, as a list that only grows; a history chooses from it. Every history shows the system
messages and the first user message, which holds the task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fle_ray.agents.contract import ChatMessage
from fle_ray.errors import ConfigError, UnknownName

__all__ = ["SUMMARY", "FullHistory", "History", "RunningSummary", "SlidingWindow", "half_of", "make_history", "merged"]

SUMMARY = "summary"  # meta["purpose"] of a request for a summary and of the answer to it

_REQUEST = (
    "Before we go on, write down for yourself what you need to know to continue without the messages so far: what"
    " stands where and in what state, which variables and functions you have defined, what you have learned about"
    " the tools, what went wrong and why, and what you were about to do. Write plain text, no program."
)


class History(Protocol):
    def shown(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        """The messages to send, oldest first."""

    def summary_request(self, messages: Sequence[ChatMessage]) -> ChatMessage | None:
        """What to ask the model before its next program; None when no summary is due."""


def _split(messages: Sequence[ChatMessage]) -> tuple[list[ChatMessage], list[ChatMessage]]:
    """(system messages and the first user message, the rest without requests for summaries and their answers)."""
    turns = [m for m in messages if m.meta.get("purpose") != SUMMARY]
    first = next((i for i, m in enumerate(turns) if m.role == "user"), len(turns) - 1)
    return turns[: first + 1], turns[first + 1 :]


def _latest(turns: Sequence[ChatMessage], exchanges: int) -> list[ChatMessage]:
    """The last `exchanges` replies with the user messages after them, and what follows."""
    replies = [i for i, m in enumerate(turns) if m.role == "assistant"]
    if len(replies) < exchanges or not replies:
        return list(turns)
    if exchanges == 0:
        return list(turns[replies[-1] + 1 :])
    return list(turns[replies[-exchanges] :])


@dataclass(frozen=True, slots=True)
class FullHistory:
    """Everything."""

    def shown(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        head, turns = _split(messages)
        return head + turns

    def summary_request(self, messages: Sequence[ChatMessage]) -> ChatMessage | None:
        return None


@dataclass(frozen=True, slots=True)
class SlidingWindow:
    """The task and the last `exchanges` programs with what became of them."""

    exchanges: int = 8

    def __post_init__(self) -> None:
        if self.exchanges < 1:
            raise ConfigError(f"agent.history.exchanges is {self.exchanges}; expected 1 or more.")

    def shown(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        head, turns = _split(messages)
        return head + _latest(turns, self.exchanges)

    def summary_request(self, messages: Sequence[ChatMessage]) -> ChatMessage | None:
        return None


@dataclass(frozen=True, slots=True)
class RunningSummary:
    """The task, the model's own latest summary, and what came after it.

    Attributes:
        every: exchanges after which the model is asked for a summary.
        keep: exchanges before the summary that are still shown word for word.
    """

    every: int = 16
    keep: int = 2

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ConfigError(f"agent.history.every is {self.every}; expected 1 or more.")
        if not 0 <= self.keep < self.every:
            raise ConfigError(f"agent.history.keep is {self.keep}; expected 0 or more and less than every.")

    def shown(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        at = self._last_summary(messages)
        if at is None:
            return FullHistory().shown(messages)
        head, before = _split(messages[:at])
        summary = ChatMessage("user", f"Your own summary of what happened so far:\n{messages[at].content}")
        after = [m for m in messages[at + 1 :] if m.meta.get("purpose") != SUMMARY]
        return [*head, summary, *_latest(before, self.keep), *after]

    def summary_request(self, messages: Sequence[ChatMessage]) -> ChatMessage | None:
        at = self._last_summary(messages)
        since = messages if at is None else messages[at + 1 :]
        replies = sum(m.role == "assistant" and m.meta.get("purpose") != SUMMARY for m in since)
        if replies < self.every:
            return None
        return ChatMessage("user", _REQUEST, meta={"purpose": SUMMARY})

    @staticmethod
    def _last_summary(messages: Sequence[ChatMessage]) -> int | None:
        found = [
            i
            for i, m in enumerate(messages)
            if m.role == "assistant" and m.meta.get("purpose") == SUMMARY and m.content
        ]
        return found[-1] if found else None


def half_of(messages: Sequence[ChatMessage]) -> list[ChatMessage] | None:
    """The later half of the exchanges, for a model that says the conversation is too long; None if it cannot shrink."""
    head, turns = _split(messages)
    replies = sum(m.role == "assistant" for m in turns)
    return head + _latest(turns, replies // 2) if replies else None


def merged(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Neighbouring messages of the same role as one, as services want them."""
    out: list[ChatMessage] = []
    for message in messages:
        if out and out[-1].role == message.role != "system":
            out[-1] = ChatMessage(message.role, f"{out[-1].content}\n\n{message.content}")
        else:
            out.append(message)
    return out


_KINDS = {"full": FullHistory, "window": SlidingWindow, "summary": RunningSummary}


def make_history(chosen: str | Mapping[str, Any]) -> History:
    """A history from configuration: `"full"`, or `{"kind": "window", "exchanges": 8}`.

    Raises:
        UnknownName: no such kind.
        ConfigError: it has no such setting, or a value is out of range.
    """
    settings = {"kind": chosen} if isinstance(chosen, str) else dict(chosen)
    kind = settings.pop("kind", "full")
    if kind not in _KINDS:
        raise UnknownName("history", str(kind), _KINDS, f"There are: {', '.join(_KINDS)}.")
    known = _KINDS[kind].__dataclass_fields__
    for name in settings:
        if name not in known:
            raise ConfigError(
                f"agent.history of kind {kind!r} has no {name!r}; it has: {', '.join(known) or 'nothing'}."
            )
    return _KINDS[kind](**settings)
