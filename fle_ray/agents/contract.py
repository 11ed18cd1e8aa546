"""What an agent is: five methods, usable in a notebook without Ray.

An agent sees an `Observation`, answers with a `Policy` (a program and what it cost to get it), is told the
`Outcome` of each program, and is told once that it is over. It never touches the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

__all__ = ["Agent", "AgentStart", "ChatMessage", "Completion", "Conversing", "Observation", "Outcome", "Policy"]


@dataclass(frozen=True, slots=True)
class AgentStart:
    """What an agent is given at the beginning of an episode.

    Attributes:
        task: key of the task, e.g. "iron_plate_throughput".
        goal: the task's goal in words.
        instructions: per-agent instructions of the task, "" for none.
        agent_idx: 0-based number of this agent; `agents` is how many there are.
        seed: seeds whatever the agent draws.
        trial: repetition number, 0-based.
        max_steps: how many programs it may run.
        system_prompt: the manual of the API, generated.
        episode_id: identity of the episode.
    """

    task: str
    goal: str = ""
    instructions: str = ""
    agent_idx: int = 0
    agents: int = 1
    seed: int = 0
    trial: int = 0
    max_steps: int = 64
    system_prompt: str = ""
    episode_id: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """What an agent sees before it acts.

    Attributes:
        text: the formatted observation, ready for a model.
        fields: the observation dictionary of the gymnasium environment (fle_ray.env).
        step: number of steps this agent has used so far.
        steps_left: how many it still has.
    """

    text: str
    fields: dict[str, Any] = field(default_factory=dict)
    step: int = 0
    steps_left: int = 0


@dataclass(frozen=True, slots=True)
class Policy:
    """What an agent answers.

    Attributes:
        code: Python text; None when the agent produced no program, and then `meta["reason"]` says why.
        prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens: None where nobody counted.
        cost_usd: None where unknown.
        model: name of the model, "" for agents without one.
        waited_s: seconds spent waiting for others (rate limits), kept apart from working time.
        meta: plain JSON values to record.
    """

    code: str | None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None
    model: str = ""
    waited_s: float = 0.0
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an agent's program.

    Attributes:
        output: text the program printed, with the task's words appended.
        error_kind: None when it ran to its end, else one of fle_ray.interpreter.result.ERROR_KINDS.
        reward, value: of this step; value is the task's measure, None for tasks without one.
        observation: what the agent sees now.
    """

    output: str
    error_kind: str | None
    reward: float
    value: float | None
    observation: Observation


@dataclass(frozen=True, slots=True)
class Completion:
    """An agent's verdict on its own step.

    Attributes:
        turn_done: its turn is complete. None leaves it to the order of turns: after one accepted step when they
            are interleaved, when its steps are used up when agents play one after another.
        accept: the new state is to be kept (read only under `reset_states`).
    """

    turn_done: bool | None = None
    accept: bool = True


@runtime_checkable
class Agent(Protocol):
    """The contract. Any method may raise; the runner records it as `agent_error` with its traceback."""

    def reset(self, start: AgentStart) -> None: ...

    def act(self, observation: Observation) -> Policy: ...

    def observe(self, policy: Policy, outcome: Outcome) -> None: ...

    def check_step_completion(self, outcome: Outcome) -> Completion: ...

    def end(self, reason: str) -> None:
        """Called exactly once: "success", "failure", "steps", "budget", "error" or "cancelled"."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation with a model.

    Attributes:
        role: "system", "user" or "assistant".
        content: the text.
        tokens: its length as the service counted it, None where nobody did.
        meta: plain JSON values to record.
    """

    role: str
    content: str
    tokens: int | None = None
    meta: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class Conversing(Protocol):
    """What an agent that talks with a model has besides; the runner records it and gives it back on resume."""

    def conversation(self) -> Sequence[ChatMessage]:
        """Every message so far, oldest first. It only grows, so that each message is recorded once."""

    def restore_conversation(self, messages: Sequence[ChatMessage]) -> None:
        """Called after `reset` on resume: go on from these messages, as `conversation()` gave them."""
