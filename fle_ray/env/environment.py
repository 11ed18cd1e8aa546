"""The gymnasium environment: one game, one task, and a session for each agent.

One step is one program of one agent. The environment runs it, puts the world back if the program had to be
killed, lets the task judge, and reports. It neither asks agents nor keeps records, and it knows nothing of
parallel play.
"""

from __future__ import annotations

import dataclasses
import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gymnasium

from fle_ray.env.formatting import ObservationFormat, format_observation
from fle_ray.env.observation import ResearchShape, build_observation, messages_for
from fle_ray.env.session import MakeSession, Session
from fle_ray.env.spaces import action_space, observation_space
from fle_ray.errors import ConfigError
from fle_ray.game.contracts import Flows, Instance
from fle_ray.interpreter.result import ProgramError, ProgramResult
from fle_ray.tasks.contract import Task
from fle_ray.tasks.milestones import achievements, new_milestones

__all__ = ["EnvState", "FactorioEnv", "WallSeconds"]

MAX_TICKS_PER_STEP = 72_000  # 20 minutes of game time


class WallSeconds(float):
    """Seconds of real time. Two of them compare equal: how long something took is no part of what it did."""

    def __eq__(self, other: object) -> bool:
        return True if isinstance(other, WallSeconds) else float.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = float.__hash__


@dataclass(frozen=True, slots=True)
class EnvState:
    """Everything an environment needs to go on exactly.

    Attributes:
        world: the instance's snapshot.
        sessions: one per agent, its variables; `b""` for none.
        steps: one per agent, programs used so far.
        messages_seen: one per agent, how many of the world's messages it has been shown or passed over.
    """

    world: bytes
    sessions: tuple[bytes, ...]
    steps: tuple[int, ...] = ()
    messages_seen: tuple[int, ...] = ()

    def counters(self) -> dict[str, list[int]]:
        """The part that is plain JSON; `EnvState(world, sessions, **counters)` takes it back."""
        return {"steps": list(self.steps), "messages_seen": list(self.messages_seen)}


@dataclass
class _AgentPlace:
    """What the environment remembers of one agent."""

    session: Session
    steps: int = 0
    messages_seen: int = 0
    last_message_tick: int = 0
    shown: dict[str, Any] | None = None  # the observation last shown to it, for the delta form


@dataclass(frozen=True, slots=True)
class _Executed:
    """A program that has run, and the state of the game before it."""

    result: ProgramResult
    tick_before: int
    flows_before: Flows
    score_before: float
    program_ticks: int
    wall_s: float = field(compare=False, default=0.0)


class FactorioEnv(gymnasium.Env[dict[str, Any], dict[str, Any]]):
    """Agents write programs; each program is a step.

        env = fle_ray.make_env("iron_ore_throughput", seed=0)
        observation, info = env.reset()
        observation, reward, terminated, truncated, info = env.step(
            {"agent_idx": 0, "code": "print(nearest(Resource.IronOre))"}
        )

    Args:
        instance: the game; the environment owns it and closes it.
        task: what is asked.
        make_session: makes what runs programs, one per agent.
        seed: seed of the first `reset()` that is given none; None draws one.
        max_ticks_per_step: game ticks that one program may use; its calls stop there. The task's own
            measuring does not count.
        max_steps: programs of each agent before the episode is truncated; None for the task's number.
        settle_ticks: ticks the world advances after a call that returns entity state.
        error_penalty: subtracted from the reward of a step that had an error; 0 or more.
        observation_format: how `render()` and `text()` write an observation.
        vision: makes the base64 text of a picture for one agent; None for no pictures.
        render_mode: None or `"ansi"`, the last observation as text.

    Raises:
        ConfigError: an argument is out of its range.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        instance: Instance,
        task: Task,
        *,
        make_session: MakeSession,
        seed: int | None = None,
        max_ticks_per_step: int = MAX_TICKS_PER_STEP,
        max_steps: int | None = None,
        settle_ticks: int = 0,
        error_penalty: float = 0.0,
        observation_format: ObservationFormat | None = None,
        vision: Callable[[Instance, int], str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        for name, value, least in (
            ("max_ticks_per_step", max_ticks_per_step, 1),
            ("max_steps", task.max_steps if max_steps is None else max_steps, 1),
            ("settle_ticks", settle_ticks, 0),
            ("error_penalty", error_penalty, 0),
        ):
            if value < least:
                raise ConfigError(f"{name} is {value}; expected {least} or more.")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ConfigError(f"render_mode is {render_mode!r}; expected None or 'ansi'.")
        self.instance = instance
        self.task = task
        self.max_ticks_per_step = max_ticks_per_step
        self.max_steps = task.max_steps if max_steps is None else max_steps
        self.settle_ticks = settle_ticks
        self.error_penalty = error_penalty
        self.observation_format = observation_format or ObservationFormat()
        self.render_mode = render_mode
        self.observation_space = observation_space(task.agents)
        self.action_space = action_space(task.agents)
        self._make_session = make_session
        self._vision = vision
        self._first_seed = seed
        self._world_seed = 0
        self._episode = ""
        self._agents: list[_AgentPlace] = []
        self._last_text = ""
        self._research = ResearchShape()

    # ---- episodes

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode at the task's starting state, or go on from a state.

        Args:
            seed: seeds the map and the programs' `random`; None draws one from the environment's generator.
            options: `"state"`: an `EnvState` to go on from. `"agent_idx"`: whose observation is returned, 0
                by default; None for agent 0's without its messages counting as seen. `"episode_id"`: what the
                programs' `random` is seeded from, with the agent and its step; the task and the seed by default.

        Returns:
            The observation of one agent (its flows are totals since the start) and an info.

        Raises:
            ConfigError: an unknown option, or a state of another number of agents.
            SnapshotError: the state is damaged.
        """
        chosen = dict(options or {})
        unknown = chosen.keys() - {"state", "agent_idx", "episode_id"}
        if unknown:
            raise ConfigError(
                f"reset() has no option {sorted(unknown)[0]!r}; it has 'state', 'agent_idx' and 'episode_id'."
            )
        if seed is None:
            seed, self._first_seed = self._first_seed, None
        super().reset(seed=seed)
        self._world_seed = int(self.np_random.integers(2**31)) if seed is None else seed
        self._episode = str(chosen.get("episode_id") or f"{self.task.key}/{self._world_seed}")
        start = dataclasses.replace(self.task.start(self._world_seed), settle_ticks=self.settle_ticks)
        self.instance.tick_limit = None
        self.instance.reset(start)
        if self._agents:
            for agent in self._agents:
                agent.session.reset()
            self._agents = [_AgentPlace(agent.session) for agent in self._agents]
        else:
            self._agents = [_AgentPlace(self._new_session(i)) for i in range(self.task.agents)]
        if chosen.get("state") is not None:
            self.restore(chosen["state"])
        agent_idx = chosen.get("agent_idx", 0)
        return self.observe(0, peek=True) if agent_idx is None else self.observe(int(agent_idx))

    def _new_session(self, agent_idx: int) -> Session:
        def call(tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            return self.instance.call(agent_idx, tool, args, kwargs)

        return self._make_session(call, lambda: self.instance.tick)

    def state(self) -> EnvState:
        """The state now; `restore(state)` or `reset(options={"state": state})` goes on from it."""
        self._require_reset()
        return EnvState(
            world=self.instance.snapshot(),
            sessions=tuple(agent.session.save() for agent in self._agents),
            steps=tuple(agent.steps for agent in self._agents),
            messages_seen=tuple(agent.messages_seen for agent in self._agents),
        )

    def restore(self, state: EnvState) -> None:
        """Set world, variables and counters to `state`, without beginning an episode.

        Raises:
            ConfigError: it is a state of another number of agents.
            SnapshotError: it is damaged.
        """
        self._require_reset()
        count = len(self._agents)
        if len(state.sessions) != count:
            raise ConfigError(
                f"The state is one of {len(state.sessions)} agent(s); task {self.task.key!r} has {count}."
            )
        self.instance.restore(state.world)
        for i, agent in enumerate(self._agents):
            if state.sessions[i]:
                agent.session.load(state.sessions[i])
            else:
                agent.session.reset()
            agent.steps = state.steps[i] if state.steps else 0
            agent.messages_seen = state.messages_seen[i] if state.messages_seen else 0
            agent.shown = None

    def observe(self, agent_idx: int = 0, *, peek: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
        """What one agent sees now, without a step: its own inventory, entities and new messages.

        Messages count as seen afterwards, unless it is but a `peek`. Flows are totals since the start of the episode.
        """
        agent = self._agent(agent_idx)
        flows = self.instance.flows()
        before = agent.messages_seen, agent.last_message_tick
        observation, entities = self._observation(agent_idx, flows=flows, score=self.instance.score())
        if peek:
            agent.messages_seen, agent.last_message_tick = before
        info = {
            "agent_idx": agent_idx,
            "agent_step": agent.steps,
            "steps_left": self.max_steps - agent.steps,
            "ticks": observation["game_info"]["tick"],
            "flows": flows,
            "entities": entities,
            "production_score": observation["production_score"],
            "automated_production_score": observation["automated_score"],
            "last_message_timestamp": agent.last_message_tick,
            "digest": self._digest(),
            "seed": self._world_seed,
        }
        return observation, info

    # ---- a step

    def step(self, action: Mapping[str, Any]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Run one program of one agent and judge what became of the world.

        Args:
            action: an element of `action_space`. Beyond it, `code` may be None for an agent that produced no
                program; `reason` then says why. Such a step is used up and judged like any other.

        Returns:
            observation: what the acting agent sees; element of `observation_space`.
            reward: the task's, less `error_penalty` if the program had an error.
            terminated: the task is over by its own rule.
            truncated: every agent has used its steps.
            info: see docs/environment.md.

        Raises:
            gymnasium.error.ResetNeeded: `reset()` was not called.
            gymnasium.error.InvalidAction: the action is not one.
            EngineError: the game failed.
        """
        agent_idx, code, reason = self._checked(action)
        agent = self._agent(agent_idx)
        executed = self._execute(agent_idx, code, reason)
        agent.steps += 1
        result = executed.result

        judging = time.perf_counter()
        verdict = self.task.judge(self.instance, before=executed.flows_before, score_before=executed.score_before)
        judge_wall_s = time.perf_counter() - judging

        failed = result.error is not None
        reward = float(verdict.reward) - (self.error_penalty if failed else 0.0)
        steps_left = self.max_steps - agent.steps
        words = [result.output, verdict.message]
        if getattr(self.task, "tells_steps_left", False):
            words.append(f"You have {steps_left} step{'' if steps_left == 1 else 's'} left.")
        flows_after = self.instance.flows()
        flows = flows_after.since(executed.flows_before)
        score = self.instance.score()
        observation, entities = self._observation(
            agent_idx,
            flows=flows,
            score=score,
            raw_text="\n".join(word for word in words if word),
            reward=reward,
            verdict=verdict,
        )
        info = {
            "error_occurred": failed,
            "error_kind": result.error.kind if failed else None,
            "result": result.output,
            "program": result,
            "ticks": observation["game_info"]["tick"],
            "tick_before": executed.tick_before,
            "program_ticks": executed.program_ticks,
            "judge_ticks": verdict.ticks,
            "flows": flows,
            "agent_idx": agent_idx,
            "agent_step": agent.steps - 1,
            "steps_left": steps_left,
            "last_message_timestamp": agent.last_message_tick,
            "task_verification": verdict.message,
            "verdict": verdict,
            "achievements": achievements(executed.flows_before, flows_after).as_dict(),
            "milestones": new_milestones(executed.flows_before, flows_after),
            "production_score": float(score[0]),
            "automated_production_score": float(score[1]),
            "policy_execution_time": WallSeconds(executed.wall_s),
            "judge_time": WallSeconds(judge_wall_s),
            "entities": entities,
            "digest": self._digest(),
        }
        truncated = all(place.steps >= self.max_steps for place in self._agents)
        return observation, reward, bool(verdict.terminated), truncated, info

    def _execute(self, agent_idx: int, code: str | None, reason: str) -> _Executed:
        """Run the program within the step's limits; after a kill the world is as it was before it."""
        instance, session = self.instance, self._agents[agent_idx].session
        tick_before = instance.tick
        flows_before = instance.flows()
        score_before = float(instance.score()[0])
        began = time.perf_counter()
        if code is None:
            text = f"No program was found in your answer: {reason}" if reason else "There was no program."
            result = ProgramResult(output=text, error=ProgramError("no_program", message=text))
        else:
            world_before = instance.snapshot()
            result = self._run(session, code, agent_idx, world_before)
            if result.error is not None and result.error.killed:  # by somebody else, or it takes all memory again
                result = self._run(session, code, agent_idx, world_before)
        return _Executed(
            result,
            tick_before,
            flows_before,
            score_before,
            program_ticks=instance.tick - tick_before,
            wall_s=time.perf_counter() - began,
        )

    def _run(self, session: Any, code: str, agent_idx: int, world_before: bytes) -> ProgramResult:
        """One attempt at a program; the world is put back if it was killed."""
        instance = self.instance
        instance.tick_limit = instance.tick + self.max_ticks_per_step
        try:
            result = session.run(code, seed=self._program_seed(agent_idx))
        finally:
            instance.tick_limit = None
        if result.error is not None and result.error.rolled_back:
            instance.restore(world_before)
        return result

    def _program_seed(self, agent_idx: int) -> int:
        """Seed of a program's `random`: a hash of the episode, the agent and the agent's step."""
        text = f"{self._episode}/{agent_idx}/{self._agents[agent_idx].steps}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def _checked(self, action: Mapping[str, Any]) -> tuple[int, str | None, str]:
        if not isinstance(action, Mapping) or "code" not in action:
            raise gymnasium.error.InvalidAction(
                f"An action is {{'agent_idx': int, 'code': str}}; this is {action!r:.200}."
            )
        code = action["code"]
        agent_idx = int(action.get("agent_idx", 0))
        if code is not None and code not in self.action_space["code"]:
            raise gymnasium.error.InvalidAction(
                f"action['code'] is a {type(code).__name__}; expected text that can be written as UTF-8, or None."
            )
        if not 0 <= agent_idx < self.task.agents:
            raise gymnasium.error.InvalidAction(
                f"action['agent_idx'] is {agent_idx}; task {self.task.key!r} has {self.task.agents} agent(s)."
            )
        return agent_idx, code, str(action.get("reason") or "")

    def _digest(self) -> str | None:
        """The world's digest; None from an engine whose equal digests do not mean equal worlds."""
        return self.instance.digest() if getattr(self.instance, "exact", True) else None

    # ---- observations

    def _observation(
        self, agent_idx: int, *, flows: Flows, score: tuple[float, float], **rest: Any
    ) -> tuple[dict[str, Any], list[Any]]:
        agent = self._agents[agent_idx]
        everything = self.instance.messages()
        new = messages_for(agent_idx, everything[agent.messages_seen :])
        agent.messages_seen = len(everything)
        if new:
            agent.last_message_tick = int(new[-1].tick)
        entities = list(self.instance.entities(agent_idx))
        observation = build_observation(
            self.instance,
            self.task,
            agent_idx,
            entities=entities,
            messages=new,
            flows=flows,
            score=score,
            map_image=self._vision(self.instance, agent_idx) if self._vision else "",
            functions=tuple(sorted(agent.session.functions)),
            research=self._research,
            **rest,
        )
        if self.render_mode == "ansi":
            self._last_text = format_observation(observation, self.observation_format)
        return observation, entities

    def text(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> str:
        """What `reset`, `observe` or `step` returned as text for a model, in the `observation_format`.

        In the delta form it says what changed since the agent's last observation that went through here.
        """
        agent = self._agent(info["agent_idx"])
        program = info.get("program")
        text = format_observation(
            observation,
            self.observation_format,
            previous=agent.shown,
            error=None if program is None else program.error,
            steps_left=info["steps_left"],
        )
        agent.shown = dict(observation)
        return text

    def render(self) -> str | None:
        """The last observation as text with `render_mode="ansi"`, else None."""
        return self._last_text if self.render_mode == "ansi" else None

    # ---- the end

    def close(self) -> None:
        """Close sessions and the instance; may be called again."""
        self._close_sessions()
        self._agents = []
        self.instance.close()

    def _close_sessions(self) -> None:
        for agent in self._agents:
            agent.session.close()

    def _agent(self, agent_idx: int) -> _AgentPlace:
        self._require_reset()
        if not 0 <= agent_idx < len(self._agents):
            raise ConfigError(f"There is no agent {agent_idx}; task {self.task.key!r} has {len(self._agents)}.")
        return self._agents[agent_idx]

    def _require_reset(self) -> None:
        if not self._agents:
            raise gymnasium.error.ResetNeeded("Call reset() first: no episode has begun.")
