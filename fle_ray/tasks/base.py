"""What every task of the catalogue has in common: its words, its starting state and its parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fle_ray.errors import ConfigError, nearest_names
from fle_ray.game.contracts import Start

__all__ = ["TaskBase"]

Self = TypeVar("Self", bound="TaskBase")


@dataclass(frozen=True)
class TaskBase:
    """Words and starting state of a task; kinds of task add how they judge.

    Attributes:
        key: name in the catalogue.
        goal: what the agent is asked, in words.
        target: item or fluid that is counted; None for tasks without one.
        quota: units of the target a minute that mean success; None without one.
        max_steps: programs that each agent may run (the trajectory length).
        agents: number of agents.
        scenario: map of the episode, "lab" or "open".
        inventory: item -> count that every character starts with.
        all_technologies: everything researched at the start.
        agent_instructions: one text an agent, or empty for none.
        tells_steps_left: the agent is told after each step how many it still has.

    Raises:
        ConfigError: a value is out of its range.
    """

    key: str
    goal: str
    target: str | None = None
    quota: float | None = None
    max_steps: int = 64
    agents: int = 1
    scenario: str = "lab"
    inventory: Mapping[str, int] = field(default_factory=dict)
    all_technologies: bool = True
    agent_instructions: tuple[str, ...] = ()
    tells_steps_left: bool = False

    def __post_init__(self) -> None:
        self._require(self.quota is None or self.quota > 0, "quota", "a number above 0, or null")
        self._require_count("max_steps")
        self._require_count("agents")
        self._require(
            len(self.agent_instructions) in (0, self.agents),
            "agent_instructions",
            "one text for each agent, or none",
        )
        for item, count in self.inventory.items():
            if count < 0:
                raise ConfigError(f"Task {self.key!r}: inventory of {item!r} is {count}; expected 0 or more.")

    def _require(self, holds: bool, name: str, expected: str) -> None:
        if not holds:
            raise ConfigError(f"Task {self.key!r}: {name} is {getattr(self, name)!r}; expected {expected}.")

    def _require_count(self, name: str) -> None:
        value = getattr(self, name)
        whole = isinstance(value, int) and not isinstance(value, bool) and value >= 1
        self._require(whole, name, "a whole number of at least 1")

    def start(self, seed: int) -> Start:
        """The state an episode with this seed starts from."""
        return Start(
            scenario=self.scenario,
            seed=seed,
            inventory=dict(self.inventory),
            all_technologies=self.all_technologies,
            agents=self.agents,
        )

    def instructions(self, agent_idx: int) -> str:
        """What this agent alone is told, "" for nothing.

        Raises:
            IndexError: `agent_idx` is not in 0..agents-1.
        """
        if not 0 <= agent_idx < self.agents:
            raise IndexError(f"Task {self.key!r} has {self.agents} agent(s); there is no agent {agent_idx}.")
        return self.agent_instructions[agent_idx] if self.agent_instructions else ""

    def with_parameters(self: Self, **parameters: Any) -> Self:
        """A copy with some attributes changed, e.g. `quota=32`; `key` cannot be changed.

        Raises:
            ConfigError: no such parameter, or its value is out of range.
        """
        known = [f.name for f in dataclasses.fields(self) if f.name != "key"]
        for name in parameters:
            if name not in known:
                near = nearest_names(name, known)
                did_you_mean = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
                raise ConfigError(
                    f"Task {self.key!r} has no parameter {name!r}.{did_you_mean} It has: {', '.join(known)}."
                )
        try:
            return dataclasses.replace(self, **parameters)
        except TypeError as error:
            raise ConfigError(f"Task {self.key!r}: a parameter has the wrong type ({error}).") from error
