"""The Ray actors of a run or sweep: one per game, one for the agents that wait for a model, one for all model calls.

They wrap what works without Ray (`backend.Stage`, any agent) and add nothing of their own but the crossing.
"""

from __future__ import annotations

import dataclasses
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
from fle_ray.experiment.episode import Item, Reply
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
        """Stream what is to be recorded. After each item but a model's reply comes a None: the driver takes it when
        the item is durable, and with back-pressure of one the next step does not begin before.
        """
        self._order = None
        for item in self._stage.play(job, lambda: self._order):
            yield item
            if not isinstance(item, Reply):  # asked for again when it is lost; its program need not wait
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


@dataclass(slots=True)
class _Held:
    """An agent in an AgentActor, and the outcome that it was told last."""

    agent: Agent
    outcome: Outcome | None = None


@ray.remote(max_concurrency=CONVERSATIONS, max_restarts=-1, max_task_retries=0)
class AgentActor:
    """Holds many agents; a call that waits for a model holds up no other one's."""

    def __init__(self, gateway: str | None = None) -> None:
        self._gateway = RemoteGateway(gateway).complete if gateway is not None else None
        self._agents: dict[int, _Held] = {}
        self._numbers = count()

    def make(self, spec: AgentSpec, run_id: str) -> tuple[int, bool, bool]:
        """A new agent for a run; returns its number, whether it holds a conversation, and whether it reads the
        fields of observations.
        """
        agent = through(build.new_agent(spec), self._gateway, run_id)
        number = next(self._numbers)
        self._agents[number] = _Held(agent)
        return number, isinstance(agent, Conversing), bool(getattr(agent, "reads_fields", True))

    def ask(self, number: int, calls: Sequence[tuple[str, tuple[Any, ...]]], known: int) -> tuple[Any, list[Any]]:
        """Call some of an agent's methods in order; after `end` the agent is forgotten.

        Args:
            calls: methods with their arguments. `act` and `check_step_completion` without any are given what the
                last `observe` told.
            known: how many messages of its conversation the caller has.

        Returns:
            The answer to the last call, and the messages that the caller does not have.
        """
        held = self._agents.get(number)
        if held is None:
            raise EngineError("The agent's actor was started anew and has lost the agent.")
        answer = None
        for method, arguments in calls:
            if method == "observe":
                held.outcome = arguments[1]
            elif not arguments and held.outcome is not None:
                arguments = {"act": (held.outcome.observation,), "check_step_completion": (held.outcome,)}[method]
            answer = getattr(held.agent, method)(*arguments)
            if method == "end":
                del self._agents[number]
        return answer, list(held.agent.conversation())[known:] if isinstance(held.agent, Conversing) else []


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
    """An agent in an AgentActor, as the loop sees it. A lost actor is a fault of ours, not of the agent.

    Few calls cross, and nothing crosses twice: what it is told goes along with the next question, and an observation
    that it was told is not sent again when it is asked to act on it.

    Args:
        actor, number: which agent.
        reads_fields: whether observations are sent with their fields.
    """

    def __init__(self, actor: Any, number: int, reads_fields: bool = True) -> None:
        self._actor = actor
        self._number = number
        self._reads_fields = reads_fields
        self._unsaid: list[tuple[str, tuple[Any, ...]]] = []
        self._told: Outcome | None = None
        self._messages: list[ChatMessage] = []  # those of its conversation that have come back

    def reset(self, start: AgentStart) -> None:
        self._messages.clear()
        self._ask("reset", start)

    def act(self, observation: Observation) -> Policy:
        known = self._told is not None and observation is self._told.observation
        return self._ask("act", *(() if known else (self._sent(observation),)))

    def observe(self, policy: Policy, outcome: Outcome) -> None:
        """Said with the next call, which also raises what the agent raises here."""
        self._told = outcome
        sent = dataclasses.replace(outcome, observation=self._sent(outcome.observation))
        self._unsaid.append(("observe", (policy, sent)))

    def check_step_completion(self, outcome: Outcome) -> Completion:
        return self._ask("check_step_completion", *(() if outcome is self._told else (outcome,)))

    def end(self, reason: str) -> None:
        self._ask("end", reason)

    def _sent(self, observation: Observation) -> Observation:
        return observation if self._reads_fields else dataclasses.replace(observation, fields={})

    def _ask(self, method: str, *arguments: Any) -> Any:
        unsaid, self._unsaid = [*self._unsaid, (method, arguments)], []
        try:
            answer, messages = ray.get(self._actor.ask.remote(self._number, unsaid, len(self._messages)))
        except RayActorError as error:
            raise EngineError(f"The agent's actor died: {error}") from error
        self._messages += messages
        return answer


class RemoteConversingAgent(RemoteAgent):
    """The same for an agent that holds a conversation."""

    def conversation(self) -> Sequence[ChatMessage]:
        """As it was after the last question; it only grows, so what is new came along with the answer."""
        return tuple(self._messages)

    def restore_conversation(self, messages: Sequence[ChatMessage]) -> None:
        self._messages.clear()
        self._ask("restore_conversation", list(messages))


def remote_agent(actor: Any, spec: AgentSpec, run_id: str) -> RemoteAgent:
    """A new agent of a run in an AgentActor; waits while Ray restarts an actor that was lost.

    Raises:
        EngineError: the actor is gone for good, or not back in a minute.
    """
    deadline = time.monotonic() + RESTART_S
    while True:
        try:
            number, converses, reads_fields = ray.get(actor.make.remote(spec, run_id))
            break
        except ActorUnavailableError as error:  # an agent that was made all the same is never asked
            if time.monotonic() > deadline:
                raise EngineError(f"The agent's actor did not come back in {RESTART_S} s: {error}") from error
            time.sleep(0.2)
        except RayActorError as error:
            raise EngineError(f"The agent's actor died: {error}") from error
    return (RemoteConversingAgent if converses else RemoteAgent)(actor, number, reads_fields)
