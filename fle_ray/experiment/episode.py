"""The trajectory loop: agents, one environment, one episode, step by step. Knows no Ray, no files, no progress view.

`play_episode` is a generator. It yields what has to be recorded, in order, and goes on only when asked for the next
item, so whoever consumes it decides when a step counts as acknowledged:

    Opening         once, unless resumed: the system prompts and first messages
    Reply           a model's answer, before its program runs, so that a resumed run need not pay for it again
    Step            one executed program with everything that belongs to it
    EpisodeRecord   last: the verdict, or the agent's or provider's fault as data
    Stopped         last, instead: the run is draining; the episode goes on another time

An `EngineError` is raised instead of recorded: the game failed, and the episode can be played elsewhere from its
last acknowledged step. Whatever happens, each agent's `end` is called exactly once.
"""

from __future__ import annotations

import dataclasses
import json
import platform
import socket
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import fle_ray
from fle_ray.agents.contract import (
    Agent,
    AgentStart,
    ChatMessage,
    Completion,
    Conversing,
    Observation,
    Outcome,
    Policy,
)
from fle_ray.dataset.records import CallRecord, EpisodeRecord, MessageRecord, StepRecord
from fle_ray.dataset.states import state_address
from fle_ray.env.environment import EnvState, FactorioEnv
from fle_ray.errors import AgentError, BudgetExceeded, EngineError, FleRayError, ProviderError
from fle_ray.experiment.spec import Budget, EpisodeSpec

if TYPE_CHECKING:
    from fle_ray.dataset.recover import EpisodeProgress

__all__ = ["Item", "Opening", "Reply", "Resume", "Step", "Stopped", "Tally", "play_episode"]


@dataclass(frozen=True, slots=True)
class Opening:
    """What is recorded before the first step: the system prompts, and the messages agents begin with."""

    messages: tuple[MessageRecord, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer whose program has not run yet.

    Attributes:
        reply: plain JSON values: `policy`, the fields of the `Policy`; `messages`, what the agent's conversation
            gained by asking.
    """

    agent_idx: int
    agent_step: int
    try_: int
    reply: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One executed program.

    Attributes:
        record: its row; calls, messages: the rows that belong to it.
        states: address -> bytes of the snapshots that the row refers to and that were not sent before.
        observation: text of what the agent saw afterwards, for log files.
    """

    record: StepRecord
    calls: tuple[CallRecord, ...]
    messages: tuple[MessageRecord, ...]
    states: Mapping[str, bytes]
    observation: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run is draining: what was recorded stays, and the episode is owed."""

    steps: int


Item = Opening | Reply | Step | EpisodeRecord | Stopped


@dataclass(frozen=True, slots=True)
class Resume:
    """Where an episode goes on.

    Attributes:
        progress: its acknowledged steps, conversations and unplayed replies.
        states: address -> bytes of the states that `progress` points to.
    """

    progress: EpisodeProgress
    states: Mapping[str, bytes] = field(default_factory=dict)


# ---- what an episode has used so far


@dataclass
class Tally:
    """Sums over the steps of an episode; also made from recorded steps, so a fault can be closed without the game.

    Sums of what nobody counted stay None. `ticks`, `value`, `success` and the scores are of the last accepted step.
    """

    steps: int = 0
    ticks: int = 0
    value: float | None = None
    success: bool | None = None
    score: float | None = None
    automated_score: float | None = None
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None
    waited_s: float = 0.0
    wall_s: float = 0.0
    started_at: datetime | None = None

    def add(self, step: StepRecord) -> None:
        self.steps += 1
        if step.accepted:
            self.ticks = step.tick_after
            self.value, self.success = step.value, step.success
            self.score, self.automated_score = step.score, step.automated_score
        self.model = step.model or self.model
        for name in _COUNTED:
            amount = getattr(step, name)
            if amount is not None:
                setattr(self, name, (getattr(self, name) or 0) + amount)
        self.waited_s += step.waited_s
        self.wall_s += step.wall_s
        if self.started_at is None:
            self.started_at = step.started_at

    def exceeded(self, budget: Budget, *, wall_s: float) -> str | None:
        """Which limit of a budget is reached, in words; None for none."""
        for name, used in (
            ("steps", self.steps),
            ("tokens", self.total_tokens),
            ("cost_usd", self.cost_usd),
            ("working_s", self.wall_s),
            ("wall_s", wall_s),
            ("ticks", self.ticks),
        ):
            limit = getattr(budget, name)
            if limit is not None and used is not None and used >= limit:
                return f"budget of {name} is used up: {used:g} of {limit:g}"
        return None

    def record(
        self,
        spec: EpisodeSpec,
        *,
        run_id: str,
        status: str,
        reason: str,
        engine_version: str = "",
        attempts: int = 1,
        error: BaseException | None = None,
        error_kind: str | None = None,
        error_message: str | None = None,
        error_traceback: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> EpisodeRecord:
        """The episode's row. Value and success are null unless `status` is `ended`."""
        ended = status == "ended"
        quota = spec.task_definition.get("quota")
        if error is not None:
            error_kind = error_kind or type(error).__name__
            error_message = error_message or str(error)
            error_traceback = error_traceback or "".join(traceback.format_exception(error))
        return EpisodeRecord(
            name=spec.name,
            run_id=run_id,
            episode_id=spec.episode_id,
            task=spec.task,
            agent=spec.agent_names,
            model=self.model,
            seed=spec.seed,
            trial=spec.trial,
            agents=len(spec.agents),
            spec=spec.definition_json,
            status=status,
            reason=reason,
            success=bool(self.success) if ended and quota is not None else None,
            value=self.value if ended else None,
            quota=quota,
            steps=self.steps,
            ticks=self.ticks,
            score=self.score,
            automated_score=self.automated_score,
            **{name: getattr(self, name) for name in _COUNTED},
            waited_s=self.waited_s,
            wall_s=self.wall_s,
            started_at=self.started_at or now(),
            ended_at=now(),
            engine=spec.engine.name,
            engine_version=engine_version,
            package_version=fle_ray.__version__,
            python=platform.python_version(),
            host=socket.gethostname(),
            error_kind=error_kind,
            error_message=error_message,
            error_traceback=error_traceback,
            attempts=attempts,
            extra=json.dumps(dict(extra), sort_keys=True) if extra else None,
        )


_COUNTED = (
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "cached_tokens",
    "reasoning_tokens",
    "cost_usd",
)


def now() -> datetime:
    return datetime.now(UTC)


# ---- the loop


def play_episode(
    spec: EpisodeSpec,
    env: FactorioEnv,
    agents: Sequence[Agent],
    *,
    run_id: str,
    system_prompts: Sequence[str] = (),
    resume: Resume | None = None,
    control: Callable[[], str | None] = lambda: None,
    attempts: int = 1,
    engine_version: str = "",
    budget: Budget | None = None,
) -> Iterator[Item]:
    """Play one episode; see the module's docstring for what is yielded.

    Args:
        spec: the episode.
        env: its environment; reset here, closed by whoever made it.
        agents: one per agent of the task, new ones.
        run_id: the run that the records belong to.
        system_prompts: one per agent; "" where left out.
        resume: where to go on; None begins anew.
        control: asked before each step. None goes on, "drain" stops without a record, "cancel" closes the
            episode as cancelled, "budget" closes it because the run's budget is used up.
        attempts: how often the episode was taken up, this time included.
        engine_version: for the episode's row.
        budget: instead of the spec's own, e.g. none when recorded programs are played again.

    Raises:
        EngineError: the game failed; carries run_id, episode_id and step.
    """
    play = _Play(spec, env, agents, run_id, system_prompts, resume, control, attempts, engine_version)
    play.budget = spec.budget if budget is None else budget
    try:
        yield from play.items()
    except EngineError:
        play.tell_end("error")
        raise
    finally:
        play.tell_end("cancelled")


@dataclass
class _Seat:
    """One agent in the episode."""

    agent: Agent
    idx: int
    name: str
    agent_step: int = 0
    try_: int = 0
    used: int = 0  # programs, rejected tries included
    recorded: int = 0  # messages of its conversation that are recorded
    observation: Observation | None = None  # None: ask the environment again before it acts
    last_told: str | None = None  # on resume: the observation its conversation ends with
    told_end: bool = False

    @property
    def key(self) -> tuple[int, int, int]:
        """What the next program of this agent is known by, within the episode."""
        return self.idx, self.agent_step, self.try_


class _Closing(Exception):
    """Ends the loop with an episode record."""

    def __init__(self, status: str, reason: str, error: BaseException | None = None, note: str = "") -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.error = error
        self.note = note


class _Draining(Exception):
    """Ends the loop without a record."""


class _Play:
    def __init__(
        self,
        spec: EpisodeSpec,
        env: FactorioEnv,
        agents: Sequence[Agent],
        run_id: str,
        system_prompts: Sequence[str],
        resume: Resume | None,
        control: Callable[[], str | None],
        attempts: int,
        engine_version: str,
    ) -> None:
        self.spec = spec
        self.env = env
        self.run_id = run_id
        self.prompts = [*system_prompts, *[""] * (len(agents) - len(system_prompts))]
        self.progress = resume.progress if resume is not None else None
        self.stored = dict(resume.states) if resume is not None else {}
        self.control = control
        self.attempts = attempts
        self.engine_version = engine_version
        self.budget = spec.budget
        self.seats = [
            _Seat(agent, i, named.name) for i, (agent, named) in enumerate(zip(agents, spec.agents, strict=True))
        ]
        self.tally = Tally()
        self.step = 0
        self.parent: StepRecord | None = None  # last accepted step
        self.last: _Seat | None = None  # who took the last step
        self.turn_done = True
        self.accepted: EnvState | None = None  # the current state, under reset_states
        self.world_sent: str | None = None  # address of the last accepted world that was sent
        self.began = time.monotonic()
        self.wall_before = 0.0
        self.end_errors: list[str] = []

    # -- whole episode

    def items(self) -> Iterator[Item]:
        try:
            self._start_game()
            opening = self._start_agents()
            if opening:
                yield Opening(tuple(opening))
            if self.progress is not None and self.progress.steps:
                self._close_if_over(self.progress.steps[-1])
            while True:
                self._obey()
                yield from self._step(self._next_seat())
        except _Draining:
            self.tell_end("cancelled")
            yield Stopped(self.tally.steps)
        except _Closing as closing:
            self.tell_end(closing.reason)
            yield self._record(closing)

    def _record(self, closing: _Closing) -> EpisodeRecord:
        extra: dict[str, Any] = {}
        if not getattr(self.env.instance, "exact", True):
            extra["exact"] = False
        if closing.note:
            extra["note"] = closing.note
        if self.end_errors:
            extra["end_errors"] = self.end_errors
        return self.tally.record(
            self.spec,
            run_id=self.run_id,
            status=closing.status,
            reason=closing.reason,
            engine_version=self.engine_version,
            attempts=self.attempts,
            error=closing.error,
            extra=extra,
        )

    def tell_end(self, reason: str) -> None:
        """Tell every agent that was not told yet; what one raises here is kept, not raised."""
        for seat in self.seats:
            if not seat.told_end:
                seat.told_end = True
                try:
                    seat.agent.end(reason)
                except Exception:
                    self.end_errors.append(traceback.format_exc())

    def _obey(self) -> None:
        order = self.control()
        if order == "drain":
            raise _Draining
        if order == "cancel":
            raise _Closing("cancelled", "cancelled")
        if order == "budget":
            raise _Closing("ended", "budget", note="the budget of the run is used up")

    # -- start and resume

    def _start_game(self) -> None:
        """Reset the world to the task's start, or to the last accepted state."""
        state = None
        progress = self.progress
        if progress is not None:
            for step in progress.steps:
                self.tally.add(step)
                self._take_up(step)
            self.step = progress.next_step
            self.wall_before = self.tally.wall_s + self.tally.waited_s
            if self.parent is not None:
                state = self._stored_state(self.parent)
        options = {"episode_id": self.spec.episode_id, "state": state, "agent_idx": None}  # nobody looks yet
        self._game(lambda: self.env.reset(seed=self.spec.seed, options=options))
        if self.spec.reset_states:
            self.accepted = self._game(self.env.state)
        self.tally.ticks = self._game(lambda: self.env.instance.tick)

    def _take_up(self, step: StepRecord) -> None:
        """Move counters past a recorded step."""
        seat = self.seats[step.agent_idx]
        seat.used += 1
        if step.accepted:
            seat.agent_step, seat.try_ = step.agent_step + 1, 0
            self.parent, self.world_sent = step, step.world_state
        else:
            seat.agent_step, seat.try_ = step.agent_step, step.try_ + 1
        self.last, self.turn_done = seat, bool(_extra(step).get("turn_done", True))

    def _stored_state(self, step: StepRecord) -> EnvState:
        assert self.progress is not None
        sessions = self.progress.session_states
        wanted = [step.world_state, *sessions.values()]
        missing = [address for address in wanted if address not in self.stored]
        if missing:
            raise EngineError(
                f"Episode {self.spec.episode_id} cannot go on after step {step.step}: its state "
                f"{missing[0]} was not kept. Play it in a new run.",
                run_id=self.run_id,
                episode_id=self.spec.episode_id,
                step=step.step,
            )
        return EnvState(
            world=self.stored[step.world_state],  # type: ignore[index]
            sessions=tuple(self.stored[sessions[seat.idx]] if seat.idx in sessions else b"" for seat in self.seats),
            **{name: tuple(counts) for name, counts in _extra(step).get("env", {}).items()},
        )

    def _start_agents(self) -> list[MessageRecord]:
        """Reset every agent, give it back what it knew, and return the messages that are not recorded yet."""
        records: list[MessageRecord] = []
        task = self.env.task
        for seat in self.seats:
            start = AgentStart(
                task=self.spec.task,
                goal=task.goal,
                instructions=task.instructions(seat.idx),
                agent_idx=seat.idx,
                agents=len(self.seats),
                seed=self.spec.seed,
                trial=self.spec.trial,
                max_steps=self.spec.limits.max_steps,
                system_prompt=self.prompts[seat.idx],
                episode_id=self.spec.episode_id,
            )
            self._ask(seat, lambda seat=seat, start=start: seat.agent.reset(start))
            self._remind(seat)
            records += self._new_messages(seat)
        return records

    def _remind(self, seat: _Seat) -> None:
        """On resume: the agent's own conversation, or else what it was told of each of its programs."""
        if self.progress is None:
            return
        own = [m for m in self.progress.messages if m.agent_idx == seat.idx]
        seat.recorded = len(own)
        if _converses(seat):
            messages = [ChatMessage(m.role, m.content, m.tokens, json.loads(m.meta) if m.meta else {}) for m in own]
            if self._saw_its_own_step_last(seat) and messages and messages[-1].role == "user":
                seat.last_told = messages[-1].content
            unplayed = self.progress.replies.get(seat.key, {})
            messages += [ChatMessage(**message) for message in unplayed.get("messages", ())]
            if messages:
                self._ask(seat, lambda: seat.agent.restore_conversation(messages))  # type: ignore[attr-defined]
            return
        used = 0
        for step in self.progress.steps:
            if step.agent_idx != seat.idx:
                continue
            used += 1
            policy = Policy(step.code, model=step.model or "", meta=json.loads(step.meta) if step.meta else {})
            outcome = Outcome(
                output=step.output,
                error_kind=step.error_kind,
                reward=step.reward,
                value=step.value,
                observation=Observation(step.output, {}, used, self.spec.limits.max_steps - used),
            )
            self._ask(seat, lambda policy=policy, outcome=outcome: seat.agent.observe(policy, outcome))

    def _conversation(self, seat: _Seat) -> list[ChatMessage]:
        """An agent's conversation; of one that holds none, the system prompt it was given."""
        if _converses(seat):
            return self._ask(seat, lambda: list(seat.agent.conversation()))  # type: ignore[attr-defined]
        prompt = self.prompts[seat.idx]
        return [ChatMessage("system", prompt)] if prompt else []

    def _saw_its_own_step_last(self, seat: _Seat) -> bool:
        """Whether nothing has changed in the world since this agent was shown the outcome of its own step."""
        assert self.progress is not None
        last = self.progress.steps[-1] if self.progress.steps else None
        return last is not None and last.agent_idx == seat.idx and last.accepted

    def _new_messages(self, seat: _Seat, step: StepRecord | None = None) -> list[MessageRecord]:
        """Rows for the messages of an agent's conversation that are not recorded yet."""
        conversation = self._conversation(seat)
        records = []
        for idx in range(seat.recorded, len(conversation)):
            message = conversation[idx]
            records.append(
                MessageRecord(
                    run_id=self.run_id,
                    episode_id=self.spec.episode_id,
                    agent_idx=seat.idx,
                    idx=idx,
                    role=message.role,
                    content=message.content,
                    program_id=step.program_id if step is not None else None,
                    step=step.step if step is not None else None,
                    tokens=message.tokens,
                    created_at=now(),
                    meta=json.dumps(message.meta, sort_keys=True) if message.meta else None,
                )
            )
        seat.recorded = max(seat.recorded, len(conversation))
        return records

    # -- turns

    def _next_seat(self) -> _Seat:
        """Who acts next; there is one with steps left, or the loop would have ended."""
        most = self.spec.limits.max_steps
        if self.last is not None and not self.turn_done and self.last.used < most:
            return self.last
        first = 0 if self.last is None else self.last.idx + 1
        for offset in range(len(self.seats)):
            seat = self.seats[(first + offset) % len(self.seats)]
            if seat.used < most:
                return seat
        raise _Closing("ended", "steps")

    def _is_turn_done(self, completion: Completion, policy: Policy) -> bool:
        if policy.code is None:
            return True
        if self.spec.turns == "agent_by_agent":
            return completion.turn_done is True
        if not self.spec.reset_states:
            return True
        return completion.accept if completion.turn_done is None else completion.turn_done

    # -- one step

    def _step(self, seat: _Seat) -> Iterator[Item]:
        if self.spec.reset_states and self.step:
            assert self.accepted is not None
            self._game(lambda: self.env.restore(self.accepted))
        started_at, tick_before = now(), self._game(lambda: self.env.instance.tick)
        observation = seat.observation or self._look(seat)

        acting = time.perf_counter()
        unplayed = self.progress.replies.get(seat.key) if self.progress is not None else None
        if unplayed is not None:
            policy, act_wall_s = Policy(**unplayed["policy"]), 0.0
        else:
            policy = self._ask(seat, lambda: seat.agent.act(observation))
            act_wall_s = max(0.0, time.perf_counter() - acting - _number(policy, "waited_s"))
            _check_policy(seat, policy)
        conversation = self._conversation(seat)
        if unplayed is None and policy.model:
            gained = [dataclasses.asdict(message) for message in conversation[seat.recorded :]]
            yield Reply(*seat.key, {"policy": dataclasses.asdict(policy), "messages": gained})
        policy = _writable(policy)

        shown, reward, terminated, _, info = self._game(
            lambda: self.env.step(
                {"agent_idx": seat.idx, "code": policy.code, "reason": str(policy.meta.get("reason", ""))}
            )
        )
        seat.used += 1
        verdict, result = info["verdict"], info["program"]
        after = self._observation(seat, shown, info)
        outcome = Outcome(
            output=str(shown["raw_text"]),
            error_kind=info["error_kind"],
            reward=float(reward),
            value=verdict.value,
            observation=after,
        )
        fault: BaseException | None = None
        completion = Completion()
        try:
            self._ask(seat, lambda: seat.agent.observe(policy, outcome))
            answered = self._ask(seat, lambda: seat.agent.check_step_completion(outcome))
            if not isinstance(answered, Completion):
                raise AgentError(
                    f"Agent {seat.name!r}: check_step_completion returned {type(answered).__name__}; expected a "
                    "Completion."
                )
            completion = answered
        except (_Closing, AgentError) as error:
            fault = error  # the step has happened: it is recorded first
        accepted = completion.accept if self.spec.reset_states else True
        self.turn_done = self._is_turn_done(completion, policy)
        self.last = seat

        state = self._game(self.env.state)
        digest = info.get("digest")
        world_address = digest or state_address(state.world)
        session_address = state_address(state.sessions[seat.idx])
        error = result.error
        flows = info["flows"]
        run_wall_s, judge_wall_s = float(info["policy_execution_time"]), float(info["judge_time"])
        total = None
        if policy.prompt_tokens is not None or policy.completion_tokens is not None:
            total = (policy.prompt_tokens or 0) + (policy.completion_tokens or 0)
        extra: dict[str, Any] = {"env": state.counters()}
        if not self.turn_done:
            extra["turn_done"] = False
        if info.get("milestones"):
            extra["milestones"] = _plain(info["milestones"])
        if not getattr(self.env.instance, "exact", True):
            extra["exact"] = False
        if result.lost:
            extra["lost_variables"] = dict(result.lost)
        record = StepRecord(
            name=self.spec.name,
            run_id=self.run_id,
            episode_id=self.spec.episode_id,
            program_id=f"{self.spec.episode_id}-{self.step:05d}",
            parent_id=self.parent.program_id if self.parent is not None else None,
            task=self.spec.task,
            agent=seat.name,
            model=policy.model or None,
            seed=self.spec.seed,
            trial=self.spec.trial,
            step=self.step,
            agent_idx=seat.idx,
            agent_step=seat.agent_step,
            try_=seat.try_,
            accepted=accepted,
            depth=self.parent.depth + 1 if self.parent is not None else 0,
            conversation_length=_length_before_answer(conversation) if _converses(seat) else None,
            code=policy.code,
            output=outcome.output,
            error_kind=info["error_kind"],
            error_type=(error.type or None) if error else None,
            error_message=error.message if error else None,
            error_line=error.line if error else None,
            reward=float(reward),
            value=verdict.value,
            score=info["production_score"],
            automated_score=info["automated_production_score"],
            success=verdict.success,
            terminated=bool(terminated) and accepted,
            produced=dict(flows.produced),
            consumed=dict(flows.consumed),
            harvested=dict(flows.harvested),
            crafted=dict(flows.crafted),
            inventory={k: int(v) for k, v in self._game(lambda: self.env.instance.inventory(seat.idx)).items()},
            achievements_static=dict(info["achievements"]["static"]),
            achievements_dynamic=dict(info["achievements"]["dynamic"]),
            tick_before=tick_before,
            tick_after=int(info["ticks"]),
            judge_ticks=int(info["judge_ticks"]),
            digest=digest,
            world_state=world_address,
            session_state=session_address,
            prompt_tokens=policy.prompt_tokens,
            completion_tokens=policy.completion_tokens,
            total_tokens=total,
            cached_tokens=policy.cached_tokens,
            reasoning_tokens=policy.reasoning_tokens,
            cost_usd=policy.cost_usd,
            waited_s=policy.waited_s,
            act_wall_s=act_wall_s,
            run_wall_s=run_wall_s,
            judge_wall_s=judge_wall_s,
            wall_s=act_wall_s + run_wall_s + judge_wall_s,
            started_at=started_at,
            host=socket.gethostname(),
            meta=json.dumps(policy.meta, sort_keys=True, default=str) if policy.meta else None,
            extra=json.dumps(extra, sort_keys=True),
        )
        self.tally.add(record)
        closing: _Closing | None = None
        try:
            self._close_if_over(record)
        except _Closing as over:
            closing = over
        record.truncated = closing is not None and closing.reason in ("steps", "budget")

        states = {session_address: state.sessions[seat.idx]}
        if world_address != self.world_sent:
            states[world_address] = state.world
        messages = tuple(self._new_messages(seat, record)) if fault is None else ()
        yield Step(record, _call_records(record, result.calls), messages, states, after.text)

        self.step += 1
        if accepted:
            self.parent, self.world_sent = record, world_address
            seat.agent_step, seat.try_ = seat.agent_step + 1, 0
            self.accepted = state
        else:
            seat.try_ += 1
        for other in self.seats:
            if other is not seat:
                other.observation = other.last_told = None
        seat.observation = after if accepted else None
        if fault is not None:
            raise fault if isinstance(fault, _Closing) else _Closing("agent_error", "error", fault)
        if closing is not None:
            raise closing

    def _close_if_over(self, step: StepRecord) -> None:
        """Raise the closing that a step brings about, if any."""
        if step.terminated:
            raise _Closing("ended", "success" if step.success else "failure")
        wall_s = self.wall_before + time.monotonic() - self.began
        if exceeded := self.tally.exceeded(self.budget, wall_s=wall_s):
            raise _Closing("ended", "budget", note=exceeded)
        if all(seat.used >= self.spec.limits.max_steps for seat in self.seats):
            raise _Closing("ended", "steps")

    def _look(self, seat: _Seat) -> Observation:
        """What the agent sees now, when it has not just been shown it as the outcome of its own step."""
        shown, info = self._game(lambda: self.env.observe(seat.idx))
        seen = self._observation(seat, shown, info)
        if seat.last_told is not None:  # resumed: word for word what its conversation has
            seen, seat.last_told = dataclasses.replace(seen, text=seat.last_told), None
        return seen

    def _observation(self, seat: _Seat, shown: dict[str, Any], info: dict[str, Any]) -> Observation:
        steps_left = self.spec.limits.max_steps - seat.used
        text = self._game(lambda: self.env.text(shown, {**info, "steps_left": steps_left}))
        return Observation(text, shown, seat.used, steps_left)

    # -- whose fault it is

    def _game(self, doing: Callable[[], Any]) -> Any:
        """Whatever the game or its environment raises is an EngineError that says where it happened."""
        try:
            return doing()
        except EngineError as error:
            error.run_id, error.episode_id, error.step = self.run_id, self.spec.episode_id, self.step
            raise
        except Exception as error:
            raise EngineError(
                f"{type(error).__name__}: {error}", run_id=self.run_id, episode_id=self.spec.episode_id, step=self.step
            ) from error

    def _ask(self, seat: _Seat, doing: Callable[[], Any]) -> Any:
        """Whatever an agent raises closes the episode as what it is."""
        try:
            return doing()
        except ProviderError as error:
            raise _Closing("provider_error", "error", error) from error
        except BudgetExceeded as error:
            raise _Closing("ended", "budget", note=str(error)) from error
        except EngineError:
            raise
        except Exception as error:
            if not isinstance(error, FleRayError):
                error.add_note(f"Raised by agent {seat.name!r} (agent {seat.idx}) at step {self.step}.")
            raise _Closing("agent_error", "error", error) from error


def _converses(seat: _Seat) -> bool:
    return isinstance(seat.agent, Conversing)


def _length_before_answer(conversation: Sequence[ChatMessage]) -> int:
    """How many messages a program came from: all up to the answer, where the conversation holds that already."""
    answered = bool(conversation) and conversation[-1].role == "assistant"
    return len(conversation) - answered


def _check_policy(seat: _Seat, policy: Any) -> None:
    if not isinstance(policy, Policy) or not (policy.code is None or isinstance(policy.code, str)):
        what = f"code of type {type(policy.code).__name__}" if isinstance(policy, Policy) else repr(policy)[:80]
        error = AgentError(f"Agent {seat.name!r}: act returned {what}; expected a Policy with text or None as code.")
        raise _Closing("agent_error", "error", error)


def _writable(policy: Policy) -> Policy:
    """A program that is not text in UTF-8 is none, and the agent is told so."""
    if policy.code is None:
        return policy
    try:
        policy.code.encode()
    except UnicodeEncodeError as error:
        meta = {**policy.meta, "reason": f"the program cannot be written as UTF-8: {error.reason}"}
        return dataclasses.replace(policy, code=None, meta=meta)
    return policy


def _number(policy: Any, name: str) -> float:
    value = getattr(policy, name, 0.0)
    return value if isinstance(value, (int, float)) else 0.0


def _extra(step: StepRecord) -> dict[str, Any]:
    return json.loads(step.extra) if step.extra else {}


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value


def _call_records(step: StepRecord, calls: Sequence[Any]) -> tuple[CallRecord, ...]:
    return tuple(
        CallRecord(
            run_id=step.run_id,
            episode_id=step.episode_id,
            program_id=step.program_id,
            step=step.step,
            agent_idx=step.agent_idx,
            call_idx=idx,
            tool=call.tool,
            arguments=call.arguments[:2000],
            error_kind="refused" if call.error is not None else None,
            error_message=call.error,
            ticks=call.ticks,
            microseconds=call.microseconds,
            line=call.line,
        )
        for idx, call in enumerate(calls)
    )
