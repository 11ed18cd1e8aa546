"""What defines an episode. Plain, frozen, comparable values; nothing here starts anything.

An episode's id is a hash of its whole definition, so the same definition has the same id in every run, on every
machine and in whatever order it is planned. Run id, folders and parallelism are no part of it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fle_ray.config import redacted
from fle_ray.errors import ConfigError

__all__ = ["AgentSpec", "Budget", "EngineSpec", "EpisodeSpec", "Limits", "PartSpec"]

_ID_HEX_DIGITS = 20


@dataclass(frozen=True)
class PartSpec:
    """An exchangeable part: an engine, an interpreter.

    Attributes:
        name: its name, as it stands in the data.
        target: import path of what makes it; None for one that is registered under `name`.
        parameters: its keyword parameters, plain values.
    """

    name: str
    target: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class EngineSpec(PartSpec):
    """The game. `pool` says on which servers it is played, {} for engines without; it does not define the episode."""

    pool: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AgentSpec(PartSpec):
    """One agent. `placement` says where it lives ("instance" or "actor") and does not define the episode."""

    placement: str = "instance"


@dataclass(frozen=True)
class Limits:
    """What one step and one agent may use.

    Attributes:
        max_steps: programs of each agent.
        max_ticks_per_step, max_calls_per_step: deterministic limits of one program; what was done is kept.
        step_wall_s: seconds after which a program is killed and undone.
    """

    max_steps: int = 64
    max_ticks_per_step: int = 72_000
    max_calls_per_step: int = 2_000
    step_wall_s: float = 120.0


@dataclass(frozen=True)
class Budget:
    """Limits of an episode or a run whose reaching is a result; None for no limit.

    Attributes:
        steps: programs of all agents together; tokens: sent and written; cost_usd: US dollars.
        working_s: seconds of answering, running and judging; wall_s: seconds on the wall, waiting included.
        ticks: game time.
    """

    steps: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    working_s: float | None = None
    wall_s: float | None = None
    ticks: int | None = None


@dataclass(frozen=True)
class EpisodeSpec:
    """One trajectory, wholly defined.

    Attributes:
        name, description, version, tags: of the experiment.
        task: key in the catalogue; task_parameters: what was changed of it; task_definition: all that it says
            (quota, goal, inventory, ...), so that a changed catalogue gives another episode.
        agents: one per agent of the task, in their order.
        seed, trial: of this episode.
        engine, interpreter: the game, and what runs programs in it.
        env: keyword parameters of the environment (error_penalty, observation).
        limits, budget: of a step, of the episode.
        turns: "interleaved" or "agent_by_agent"; reset_states: tries from the last accepted state.
    """

    name: str
    task: str
    agents: tuple[AgentSpec, ...]
    seed: int = 0
    trial: int = 0
    description: str = ""
    version: str = "1"
    tags: tuple[str, ...] = ()
    task_parameters: Mapping[str, Any] = field(default_factory=dict)
    task_definition: Mapping[str, Any] = field(default_factory=dict)
    engine: EngineSpec = EngineSpec("sim")
    interpreter: PartSpec = PartSpec("child")
    env: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = Limits()
    budget: Budget = Budget()
    turns: str = "interleaved"
    reset_states: bool = False

    def definition(self) -> dict[str, Any]:
        """Everything that defines the episode as plain JSON values, secrets redacted."""
        plain = dataclasses.asdict(self)
        for agent in plain["agents"]:
            del agent["placement"]
        plain["engine"].pop("pool", None)
        return redacted(plain)

    @classmethod
    def from_definition(cls, definition: Mapping[str, Any]) -> EpisodeSpec:
        """The spec that `definition()` describes; the column `spec` of `episodes` holds it as JSON.

        Raises:
            ConfigError: it is not one, or one of another version.
        """
        try:
            plain = dict(definition)
            plain["agents"] = tuple(AgentSpec(**agent) for agent in plain["agents"])
            kinds = {"engine": EngineSpec, "interpreter": PartSpec, "limits": Limits, "budget": Budget}
            for name, kind in kinds.items():
                plain[name] = kind(**plain[name])
            plain["tags"] = tuple(plain["tags"])
            return cls(**plain)
        except (KeyError, TypeError) as error:
            raise ConfigError(f"This does not define an episode of fle_ray's present version: {error}.") from error

    @cached_property
    def definition_json(self) -> str:
        """`definition()` as JSON with sorted keys and no spaces: what `episode_id` is the hash of."""
        return json.dumps(self.definition(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    @cached_property
    def episode_id(self) -> str:
        """20 hex digits of the SHA-256 of `definition_json`."""
        return hashlib.sha256(self.definition_json.encode()).hexdigest()[:_ID_HEX_DIGITS]

    @property
    def agent_names(self) -> str:
        """The agents' names joined by `+`; one name when all are alike."""
        names = [agent.name for agent in self.agents]
        return names[0] if len(set(names)) == 1 else "+".join(names)
