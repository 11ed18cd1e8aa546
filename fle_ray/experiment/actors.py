"""The Ray actors of a run or sweep: one per game, one for the agents that wait for a model, one for all model calls.

They wrap what works without Ray (`backend.Stage`, any agent) and add nothing of their own but the crossing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import ray
from ray.exceptions import ActorUnavailableError, RayActorError

from fle_ray.agents.clients import ModelReply
from fle_ray.agents.contract import Agent, AgentStart, ChatMessage, Completion, Conversing, Observation, Outcome, Policy
from fle_ray.errors import EngineError, ProviderError
from fle_ray.experiment import build
from fle_ray.experiment.backend import Fault, Job, Stage
from fle_ray.experiment.episode import Item
from fle_ray.experiment.gateway import Call, Gateway, Note, through
from fle_ray.experiment.spec import AgentSpec

__all__ = ["AgentActor", "GatewayActor", "InstanceActor", "RemoteAgent", "RemoteGateway"]

RESTART_S = 60  # how long a lost AgentActor may take to be there again
CONVERSATIONS = 256  # calls that one AgentActor answers at a time


@ray.remote(concurrency_groups={"control": 1}, max_restarts=0, max_task_retries=0)
class InstanceActor:
    """Holds one game and plays one episode at a time. When it dies, the driver makes another one.

    `order` answers while an episode is being played, for it has a thread of its own.
    """

    def __init__(self, agents: Any = None, gateway: str | None = None) -> None:
        self._agents = agents  # handle of the AgentActor, None when no agent is placed there
        self._gateway = RemoteGateway(gateway).complete if gateway is not None else None
        self._order: str | None = None
        self._stage = Stage(self._new_agent)

    def play(self, job: Job) -> Iterator[Item | Fault | None]:
        """Stream what is to be recorded. After each item comes a None: the driver takes it when the item is durable,
        and with back-pressure of one the next step does not begin before.
        """
        self._order = None
        for item in self._stage.play(job, lambda: self._order):
            yield item
            yield None

    @ray.method(concurrency_group="control")
    def order(self, order: str | None) -> None:
        """What the running episode is to do before its next step; see `play_episode`."""
        self._order = order

    @ray.method(concurrency_group="control")
    def ready(self) -> int:
        """The actor's process id: it has started."""
        import os

        return os.getpid()

    def _new_agent(self, spec: AgentSpec, run_id: str) -> Agent:
        if spec.placement == "actor" and self._agents is not None:
            return remote_agent(self._agents, spec, run_id)
        return through(build.new_agent(spec), self._gateway, run_id)


@ray.remote(max_concurrency=CONVERSATIONS, max_restarts=-1, max_task_retries=0)
class AgentActor:
    """Holds many agents; a call that waits for a model holds up no other one's."""

    def __init__(self, gateway: str | None = None) -> None:
        self._gateway = RemoteGateway(gateway).complete if gateway is not None else None
        self._agents: dict[int, Agent] = {}
        self._numbers = count()

    def make(self, spec: AgentSpec, run_id: str) -> tuple[int, bool]:
        """A new agent for a run; returns its number and whether it holds a conversation."""
        agent = through(build.new_agent(spec), self._gateway, run_id)
        number = next(self._numbers)
        self._agents[number] = agent
        return number, isinstance(agent, Conversing)

    def ask(self, number: int, method: str, arguments: Sequence[Any]) -> Any:
        """Call one of an agent's methods; after `end` the agent is forgotten."""
        agent = self._agents.get(number)
        if agent is None:
            raise EngineError("The agent's actor was started anew and has lost the agent.")
        answer = getattr(agent, method)(*arguments)
        if method == "end":
            del self._agents[number]
        return list(answer) if method == "conversation" else answer


@ray.remote(max_concurrency=CONVERSATIONS, concurrency_groups={"control": 1}, max_restarts=-1, max_task_retries=-1)
class GatewayActor:
    """The gateway. When it dies Ray starts it anew and makes the calls again that were under way; replies
    that were in the cache are not asked for again.
    """

    def __init__(self, make: Callable[[], Gateway]) -> None:
        self._gateway = make()

    def complete(self, call: Call) -> ModelReply | _Refusal:
        try:
            return self._gateway.complete(call)
        except ProviderError as error:
            return _Refusal(str(error), error.kind, error.retry_after_s)

    @ray.method(concurrency_group="control")
    def take_notes(self) -> list[Note]:
        return self._gateway.take_notes()


@dataclass(frozen=True, slots=True)
class _Refusal:
    """A ProviderError that crosses to another process with all it says."""

    message: str
    kind: str
    retry_after_s: float | None


class RemoteGateway:
    """A GatewayActor as a caller sees it.

    Args:
        name: of the actor. Not its handle, which an actor that Ray restarts may find gone.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._actor: Any = None

    def complete(self, call: Call) -> ModelReply:
        """As `Gateway.complete`; a lost gateway is a fault of ours (EngineError)."""
        if self._actor is None:
            try:
                self._actor = ray.get_actor(self._name)
            except ValueError as error:
                raise EngineError(f"The gateway to models is gone: {error}") from error
        try:
            answer = ray.get(self._actor.complete.remote(call))
        except RayActorError as error:
            raise EngineError(f"The gateway to models died: {error}") from error
        if isinstance(answer, _Refusal):
            raise ProviderError(answer.message, kind=answer.kind, retry_after_s=answer.retry_after_s)
        return answer


class RemoteAgent:
    """An agent in an AgentActor, as the loop sees it. A lost actor is a fault of ours, not of the agent."""

    def __init__(self, actor: Any, number: int) -> None:
        self._actor = actor
        self._number = number

    def reset(self, start: AgentStart) -> None:
        self._ask("reset", start)

    def act(self, observation: Observation) -> Policy:
        return self._ask("act", observation)

    def observe(self, policy: Policy, outcome: Outcome) -> None:
        self._ask("observe", policy, outcome)

    def check_step_completion(self, outcome: Outcome) -> Completion:
        return self._ask("check_step_completion", outcome)

    def end(self, reason: str) -> None:
        self._ask("end", reason)

    def _ask(self, method: str, *arguments: Any) -> Any:
        try:
            return ray.get(self._actor.ask.remote(self._number, method, arguments))
        except RayActorError as error:
            raise EngineError(f"The agent's actor died: {error}") from error


class RemoteConversingAgent(RemoteAgent):
    """The same for an agent that holds a conversation."""

    def conversation(self) -> Sequence[ChatMessage]:
        return self._ask("conversation")

    def restore_conversation(self, messages: Sequence[ChatMessage]) -> None:
        self._ask("restore_conversation", list(messages))


def remote_agent(actor: Any, spec: AgentSpec, run_id: str) -> RemoteAgent:
    """A new agent of a run in an AgentActor; waits while Ray restarts an actor that was lost.

    Raises:
        EngineError: the actor is gone for good, or not back in a minute.
    """
    deadline = time.monotonic() + RESTART_S
    while True:
        try:
            number, converses = ray.get(actor.make.remote(spec, run_id))
            break
        except ActorUnavailableError as error:  # an agent that was made all the same is never asked
            if time.monotonic() > deadline:
                raise EngineError(f"The agent's actor did not come back in {RESTART_S} s: {error}") from error
            time.sleep(0.2)
        except RayActorError as error:
            raise EngineError(f"The agent's actor died: {error}") from error
    return RemoteConversingAgent(actor, number) if converses else RemoteAgent(actor, number)
