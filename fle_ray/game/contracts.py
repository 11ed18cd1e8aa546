"""The two contracts every engine is written against: `World` and `Instance`.

`World` is the set of primitives of a game world (place, remove, find, advance, snapshot), implemented by
`fle_ray.sim.World`. `Instance` is what an experiment holds: a world that agents can act on by calling tools,
implemented by `fle_ray.tools.LocalInstance` (over a `World`) and by the real-server engine. Neither has
behaviour of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

__all__ = ["Flows", "Instance", "Message", "Start", "World"]


@dataclass(frozen=True, slots=True)
class Start:
    """The state an episode starts from.

    Attributes:
        scenario: `"lab"`, `"open"` or `"empty"`.
        seed: what seeds the map (no effect in `lab`, whose map is fixed) and the generator.
        inventory: item name -> count that every agent's character starts with.
        all_technologies: everything researched, bonuses included; otherwise only the game's own start.
        agents: number of characters, >= 1. Agent i stands at (0, 2 * i).
        settle_ticks: ticks that the world advances after a call that returns entity state; 0 by default.
    """

    scenario: str = "lab"
    seed: int = 0
    inventory: Mapping[str, int] = field(default_factory=dict)
    all_technologies: bool = True
    agents: int = 1
    settle_ticks: int = 0


@dataclass(frozen=True, slots=True)
class Flows:
    """Totals since the start of an episode; item or fluid name -> amount.

    `produced` and `consumed` hold machines and hands together, as the game's statistics do.
    `harvested` is the part of `produced` mined by hand, `crafted` the part crafted by hand,
    `crafted_consumed` the part of `consumed` that hand crafting used.
    """

    produced: dict[str, float] = field(default_factory=dict)
    consumed: dict[str, float] = field(default_factory=dict)
    harvested: dict[str, float] = field(default_factory=dict)
    crafted: dict[str, float] = field(default_factory=dict)
    crafted_consumed: dict[str, float] = field(default_factory=dict)

    def since(self, before: Flows) -> Flows:
        """The differences from `before` to this, zero entries left out."""

        def delta(after: dict[str, float], earlier: dict[str, float]) -> dict[str, float]:
            out = {}
            for name in sorted(after.keys() | earlier.keys()):
                change = after.get(name, 0) - earlier.get(name, 0)
                if change:
                    out[name] = change
            return out

        return Flows(
            delta(self.produced, before.produced),
            delta(self.consumed, before.consumed),
            delta(self.harvested, before.harvested),
            delta(self.crafted, before.crafted),
            delta(self.crafted_consumed, before.crafted_consumed),
        )

    def automated(self) -> dict[str, float]:
        """What machines made: produced minus harvested minus hand-crafted, positive entries only."""
        out = {}
        for name, amount in self.produced.items():
            machine = amount - self.harvested.get(name, 0) - self.crafted.get(name, 0)
            if machine > 0:
                out[name] = machine
        return out


@dataclass(frozen=True, slots=True)
class Message:
    """One message between agents. `recipient` None means every other agent; `tick` is game time."""

    sender: int
    recipient: int | None
    content: str
    tick: int


@runtime_checkable
class World(Protocol):
    """A game world. Positions are (x, y) in tiles, y to the south; directions are the engine's own 0..15."""

    tick: int

    def place(self, name: str, position: tuple[float, float], direction: int = 0, **options: Any) -> Any: ...

    def remove(self, entity: Any) -> dict[str, int]: ...

    def find(self, box: tuple[float, float, float, float], name: str | None = None) -> list[Any]: ...

    def advance(self, ticks: int) -> None: ...

    def snapshot(self) -> bytes: ...

    def digest(self) -> str: ...

    def fork(self) -> World: ...


@runtime_checkable
class Instance(Protocol):
    """One running game that agents act on by calling tools.

    After `close()` every method raises `InstanceClosed`. `reset()` on a used instance equals a fresh one.
    `restore(snapshot())` followed by the same calls gives the same digests.
    """

    engine: str

    @property
    def tick(self) -> int:
        """Game ticks since `reset` (60 a second)."""

    def reset(self, start: Start) -> None:
        """Begin an episode. Raises ConfigError for an unknown scenario or item."""

    def close(self) -> None: ...

    def call(
        self, agent_idx: int, tool: str, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Call a tool of the agents' API for one agent; returns game values.

        Raises:
            ToolError: the tool refused; the message is meant for the agent.
            StepLimit: the tick allowance is used up (see `tick_limit`).
        """

    @property
    def tick_limit(self) -> int | None:
        """Absolute tick that tool calls may not pass; None for no limit. Set before each step."""

    def advance(self, ticks: int) -> None:
        """Run the world forward with no agent action; not subject to `tick_limit`."""

    def flows(self) -> Flows: ...

    def score(self) -> tuple[float, float]:
        """(production score, automated production score) since reset."""

    def inventory(self, agent_idx: int) -> dict[str, int]: ...

    def entities(self, agent_idx: int) -> list[Any]: ...

    def positions(self) -> list[tuple[float, float]]: ...

    def research(self) -> dict[str, Any]: ...

    def messages(self) -> list[Message]: ...

    def snapshot(self) -> bytes: ...

    def restore(self, state: bytes) -> None:
        """Raises SnapshotError when `state` is damaged or of another version."""

    def digest(self) -> str:
        """32 hex digits; equal digests mean equal worlds."""

    def fork(self) -> Instance:
        """An independent copy of the whole instance."""
