"""What a task is: where an episode starts, and how a step is judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from fle_ray.game.contracts import Flows, Instance, Start

__all__ = ["Task", "Verdict"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A task's judgement of one step.

    Attributes:
        value: the task's measure after this step (throughput: best window, in units a minute); None for none.
        reward: reward of the step.
        success: quota reached; None for tasks without a quota.
        terminated: the episode ends here by the task's own rule.
        message: sentence added to the program's output, "" for none.
        ticks: game ticks that judging took.
        meta: plain JSON values for the observation.
    """

    value: float | None
    reward: float
    success: bool | None
    terminated: bool
    message: str = ""
    ticks: int = 0
    meta: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class Task(Protocol):
    """A task of the catalogue.

    Attributes:
        key: its name in the catalogue; quota: units a minute, None without one; max_steps: trajectory length;
        agents: number of agents; goal: in words; start: the starting state; target: item or fluid, or None.
    """

    key: str
    goal: str
    target: str | None
    quota: float | None
    max_steps: int
    agents: int

    def start(self, seed: int) -> Start: ...

    def instructions(self, agent_idx: int) -> str: ...

    def judge(self, instance: Instance, *, before: Flows, score_before: float) -> Verdict:
        """Judge the step just taken; may advance the instance (its ticks are reported in the verdict)."""
