"""From an experiment's configuration to the list of episodes it consists of."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fle_ray.config import AgentConfig, BudgetConfig, Config, EngineConfig, PartConfig
from fle_ray.errors import ConfigError
from fle_ray.experiment import build
from fle_ray.experiment.spec import AgentSpec, Budget, EngineSpec, EpisodeSpec, Limits, PartSpec
from fle_ray.tasks import get_task, select_tasks
from fle_ray.tasks.base import TaskBase
from fle_ray.tasks.contract import Task
from fle_ray.tasks.describe import describe_task
from fle_ray.tracking import check_tracker

__all__ = ["NotSupported", "Plan", "make_plan"]

_SEED_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")


@dataclass(frozen=True, slots=True)
class NotSupported:
    """A task that was asked for and cannot be played yet. `why` is a sentence's end, e.g. "belts"."""

    task: str
    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The episodes of an experiment.

    Attributes:
        episodes: in the order they are begun: task by task, seed by seed, trial by trial; each once.
        not_supported: tasks that were left out.
    """

    episodes: tuple[EpisodeSpec, ...]
    not_supported: tuple[NotSupported, ...] = ()

    @property
    def tasks(self) -> list[str]:
        """Tasks that are played, in order."""
        return list(dict.fromkeys(spec.task for spec in self.episodes))


def make_plan(config: Config) -> Plan:
    """The plan of an experiment.

    Raises:
        ConfigError: an unknown task, agent, engine or parameter, seeds that are none, a number of agents that
            a task does not take, a tracker that is not installed, or nothing that can be played.
    """
    keys = _task_keys(config.tasks)
    seeds = _seeds(config.seeds)
    engine = _engine(config.engine)
    interpreter = _part(config.interpreter)
    build.check_engine(engine)
    if config.runner.reset_states and not build.is_exact(engine):
        raise ConfigError(
            f"runner.reset_states=true sets the world back before each try, and engine {engine.name!r} cannot do so "
            "exactly. Use engine=sim, or runner.reset_states=false."
        )
    build.check_interpreter(interpreter)
    build.check_env(dataclasses.asdict(config.env))
    if config.tracker.name != "none":
        check_tracker(config.tracker.name)
    tasks = _tasks(keys, config.task)

    episodes: dict[str, EpisodeSpec] = {}
    left_out = []
    for task, parameters in tasks:
        agents = _agents(config, task)
        for agent in agents:
            build.check_agent(agent)
        why = build.not_supported(task, engine, agents)
        if why:
            left_out.append(NotSupported(task.key, why))
            continue
        for seed in seeds:
            for trial in range(config.trials):
                spec = EpisodeSpec(
                    name=config.name,
                    description=config.description,
                    version=config.version,
                    tags=tuple(config.tags),
                    task=task.key,
                    task_parameters=parameters,
                    task_definition=_definition(task),
                    agents=agents,
                    seed=seed,
                    trial=trial,
                    engine=engine,
                    interpreter=interpreter,
                    env=dataclasses.asdict(config.env),
                    limits=Limits(
                        max_steps=config.runner.max_steps or task.max_steps,
                        max_ticks_per_step=config.runner.max_ticks_per_step,
                        max_calls_per_step=config.runner.max_calls_per_step,
                        step_wall_s=config.runner.step_wall_s,
                    ),
                    budget=budget_of(config.budgets.episode),
                    turns=config.runner.turns,
                    reset_states=config.runner.reset_states,
                )
                episodes.setdefault(spec.episode_id, spec)
    if not episodes:
        listed = "; ".join(f"{n.task}: {n.why}" for n in left_out[:3])
        more = f" and {len(left_out) - 3} more" if len(left_out) > 3 else ""
        raise ConfigError(f"Nothing to play: none of the tasks is supported yet ({listed}{more}).")
    return Plan(tuple(episodes.values()), tuple(left_out))


def budget_of(config: BudgetConfig) -> Budget:
    return Budget(**dataclasses.asdict(config))


def _part(config: PartConfig) -> PartSpec:
    return PartSpec(config.name, config.target, dict(config.parameters))


def _engine(config: EngineConfig) -> EngineSpec:
    pool = dataclasses.asdict(config.pool) if config.pool.servers else {}
    return EngineSpec(config.name, config.target, dict(config.parameters), pool)


def _task_keys(tasks: Any) -> list[str]:
    patterns = [tasks] if isinstance(tasks, str) else tasks
    if not isinstance(patterns, list) or not patterns or not all(isinstance(p, str) for p in patterns):
        raise ConfigError(f"tasks is {tasks!r}; expected a task's name or glob, or a list of them.")
    return select_tasks(patterns)


def _seeds(seeds: Any) -> list[int]:
    """One seed, a list of them, or "a..b" with both ends; each once, in order."""
    out: dict[int, None] = {}
    for entry in seeds if isinstance(seeds, list) else [seeds]:
        matched = _SEED_RANGE.fullmatch(entry) if isinstance(entry, str) else None
        if matched:
            first, last = int(matched[1]), int(matched[2])
            out.update(dict.fromkeys(range(first, last + 1)))
        elif isinstance(entry, int) and not isinstance(entry, bool):
            out[entry] = None
        else:
            raise ConfigError(f"seeds holds {entry!r}; expected whole numbers, or a range such as 0..9.")
    if not out or min(out) < 0 or max(out) >= 2**31:
        raise ConfigError(f"seeds is {seeds!r}; expected at least one number from 0 to {2**31 - 1}.")
    return list(out)


def _tasks(keys: list[str], parameters: Mapping[str, Any]) -> list[tuple[Task, dict[str, Any]]]:
    """Each task with the parameters it has; a parameter that no chosen task has is an error."""
    wanted = {name: value for name, value in parameters.items() if value is not None}
    taken: set[str] = set()
    out = []
    for key in keys:
        plain = get_task(key)
        own = wanted
        if isinstance(plain, TaskBase):
            fields = {f.name for f in dataclasses.fields(plain)} - {"key"}
            own = {name: value for name, value in wanted.items() if name in fields}
        taken |= own.keys()
        out.append((get_task(key, **own) if own else plain, dict(own)))
    for name in wanted.keys() - taken:
        get_task(keys[0], **{name: wanted[name]})  # raises, with the nearest name
    return out


def _definition(task: Task) -> dict[str, Any]:
    """All that a task says: its description, and for one of ours every attribute, as plain JSON values."""
    definition = describe_task(task)
    if dataclasses.is_dataclass(task):
        for f in dataclasses.fields(task):
            value = getattr(task, f.name)
            definition[f.name] = dict(value) if isinstance(value, Mapping) else value
    return json.loads(json.dumps(definition))


def _agents(config: Config, task: Task) -> tuple[AgentSpec, ...]:
    configs = [config.agent] * task.agents if config.agents is None else config.agents
    if len(configs) != task.agents:
        raise ConfigError(
            f"agents lists {len(configs)} agent(s), but task {task.key!r} is for {task.agents}. Choose other tasks, "
            "or set agents=null to let `agent` play them all."
        )
    return tuple(_agent(one) for one in configs)


def _agent(config: AgentConfig | Mapping[str, Any]) -> AgentSpec:
    if isinstance(config, Mapping):
        config = AgentConfig(**config)
    return AgentSpec(config.name, config.target, dict(config.parameters), config.placement)
