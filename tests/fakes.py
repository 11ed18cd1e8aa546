"""The fault-test kit: a game that fails when told to, program sessions in this process, agents of every temper.

Everything here can be named in a configuration by its import path (`engine._target_=tests.fakes.FakeInstance`), so
the same fakes serve tests in this process, in subprocesses and in Ray workers.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fle_ray.agents import BaseAgent
from fle_ray.agents.contract import AgentStart, ChatMessage, Completion, Observation, Outcome, Policy
from fle_ray.errors import EngineError, ProviderError, StepLimit, ToolError
from tests.env.fakes import FakeInstance as PlainInstance
from tests.env.fakes import FakeInterpreter

MADE: list[Any] = []  # every fake agent made in this process, for tests that look at them afterwards


class FakeInstance(PlainInstance):
    """A game whose tool calls take `latency_s` and whose `fail_at`-th call (from 1, over its life) fails.

    Args:
        fail_at: number of the call that fails; None for never.
        failure: "raise" an EngineError, "bug" (any other exception), or "kill" this process with SIGKILL.
        once: a file made just before failing; while it exists, nothing fails any more.
        latency_s: seconds that each call takes.
        seed: unused; real games have one.
    """

    engine_version = "fake-1"

    def __init__(
        self,
        fail_at: int | None = None,
        latency_s: float = 0.0,
        seed: int = 0,
        failure: str = "raise",
        once: str | None = None,
    ) -> None:
        self.fail_at, self.latency_s, self.failure, self.once = fail_at, latency_s, failure, once
        self.calls = 0
        super().__init__()

    def call(self, agent_idx: int, tool: str, args: Sequence[Any] = (), kwargs: Mapping[str, Any] = {}) -> Any:
        self.calls += 1
        if self.latency_s:
            time.sleep(self.latency_s)
        if self.fail_at is not None and self.calls == self.fail_at and not (self.once and Path(self.once).exists()):
            if self.once:
                Path(self.once).touch()
            if self.failure == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.failure == "bug":
                raise ZeroDivisionError("a bug in the engine")
            raise EngineError(f"The fake game failed at call {self.calls}.")
        return super().call(agent_idx, tool, args, kwargs)


class _GameFailed(BaseException):
    """Carries a failure of the game through the program that called it; no program can catch it."""


class FakeSession(FakeInterpreter):
    """Programs in this process; a failure of the game under a call is the game's, as in the real interpreter."""

    def __init__(self, handler: Any, clock: Any) -> None:
        def guarded(tool: str, args: Any, kwargs: Any) -> Any:
            try:
                return handler(tool, args, kwargs)
            except (ToolError, StepLimit):
                raise
            except Exception as error:
                raise _GameFailed from error

        super().__init__(guarded, clock)

    def run(self, code: str, *, seed: int = 0) -> Any:
        try:
            return super().run(code, seed=seed)
        except _GameFailed as failed:
            raise failed.__cause__ from None  # type: ignore[misc]


def fake_sessions(time_limit_s: float = 120.0, max_calls: int = 2000) -> Callable[..., FakeSession]:
    """Makes sessions in this process; limits are the real interpreter's business."""
    return FakeSession


class FakeAgent(BaseAgent):
    """Plays `programs` in order, the last one for ever; notes what it is told.

    Attributes:
        ended: reasons that `end` was called with. observed: outcomes. seen: observations it acted on.
    """

    def __init__(self, programs: Sequence[str | None] = ("sleep(1)",), pause_s: float = 0.0) -> None:
        self.programs, self.pause_s = list(programs), pause_s
        self.ended: list[str] = []
        self.observed: list[Outcome] = []
        self.seen: list[Observation] = []
        MADE.append(self)

    def act(self, observation: Observation) -> Policy:
        self.seen.append(observation)
        if self.pause_s:
            time.sleep(self.pause_s)
        code = self.programs[min(observation.step, len(self.programs) - 1)]
        return Policy(code, meta={} if code is not None else {"reason": "nothing came to mind"})

    def observe(self, policy: Policy, outcome: Outcome) -> None:
        self.observed.append(outcome)

    def end(self, reason: str) -> None:
        self.ended.append(reason)


class BuilderAgent(FakeAgent):
    """Builds a machine that makes 20 ore a minute at its second step."""

    def __init__(self, item: str = "iron-ore", rate: int = 20) -> None:
        super().__init__(["x = 1", f"build({item!r}, {rate})\nx = x + 1", "print(x)"])


class TryingAgent(FakeAgent):
    """Rejects its first `rejects` tries of each turn, then accepts."""

    def __init__(self, rejects: int = 1, programs: Sequence[str | None] = ("sleep(1)",)) -> None:
        super().__init__(programs)
        self.rejects, self.tries = rejects, 0

    def check_step_completion(self, outcome: Outcome) -> Completion:
        self.tries += 1
        if self.tries <= self.rejects:
            return Completion(turn_done=False, accept=False)
        self.tries = 0
        return Completion(turn_done=True, accept=True)


class TurnAgent(FakeAgent):
    """Says that its turn is done after every `steps` steps."""

    def __init__(self, steps: int = 2) -> None:
        super().__init__()
        self.steps = steps

    def check_step_completion(self, outcome: Outcome) -> Completion:
        return Completion(turn_done=len(self.observed) % self.steps == 0)


class RaisingAgent(FakeAgent):
    """Raises in one of its methods, at its `at`-th step."""

    def __init__(self, where: str = "act", at: int = 1) -> None:
        super().__init__()
        self.where, self.at = where, at

    def _maybe(self, where: str, step: int) -> None:
        if where == self.where and step == self.at:
            raise LookupError(f"the agent broke in {where}")

    def reset(self, start: AgentStart) -> None:
        super().reset(start)
        self._maybe("reset", self.at)

    def act(self, observation: Observation) -> Policy:
        self._maybe("act", observation.step)
        return super().act(observation)

    def observe(self, policy: Policy, outcome: Outcome) -> None:
        super().observe(policy, outcome)
        self._maybe("observe", outcome.observation.step)

    def end(self, reason: str) -> None:
        super().end(reason)
        self._maybe("end", self.at)


class NotAPolicyAgent(FakeAgent):
    """Returns text where a Policy is expected."""

    def act(self, observation: Observation) -> Any:
        return "sleep(1)"


class ModelAgent(FakeAgent):
    """Stands for a language model: counts tokens, costs money, holds a conversation.

    Args:
        down_at: step at which the model's service has failed for good, while `once` does not exist.
        asked: a file to which each question appends a line, so that tests count what was paid for.
    """

    def __init__(
        self,
        programs: Sequence[str | None] = ("sleep(1)",),
        down_at: int | None = None,
        once: str | None = None,
        asked: str | None = None,
        pause_s: float = 0.0,
    ) -> None:
        super().__init__(programs, pause_s)
        self.down_at, self.once, self.asked = down_at, once, asked
        self.messages: list[ChatMessage] = []

    def reset(self, start: AgentStart) -> None:
        super().reset(start)
        self.messages = [ChatMessage("system", start.system_prompt)]

    def act(self, observation: Observation) -> Policy:
        if self.down_at == observation.step and not (self.once and Path(self.once).exists()):
            if self.once:
                Path(self.once).touch()
            raise ProviderError("The model's service answered 503 six times.")
        if self.asked:
            with open(self.asked, "a") as file:
                file.write(f"{self.start.agent_idx} {observation.step}\n")
        self.messages.append(ChatMessage("user", f"observation {observation.step}"))
        policy = super().act(observation)
        return Policy(
            policy.code,
            prompt_tokens=100,
            completion_tokens=10,
            cost_usd=0.25,
            model="fake-model",
            waited_s=0.5,
            meta=policy.meta,
        )

    def observe(self, policy: Policy, outcome: Outcome) -> None:
        super().observe(policy, outcome)
        self.messages.append(ChatMessage("assistant", policy.code or ""))

    def conversation(self) -> list[ChatMessage]:
        return self.messages

    def restore_conversation(self, messages: Sequence[ChatMessage]) -> None:
        self.messages = list(messages)
