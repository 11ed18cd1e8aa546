"""`LocalInstance`: the embedded simulator as an instance that agents call tools on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fle_ray.errors import (
    CannotPlace,
    CannotSet,
    ConfigError,
    InstanceClosed,
    SnapshotError,
    ToolError,
    UnknownName,
    Unsupported,
)
from fle_ray.game.contracts import Flows, Message, Start
from fle_ray.sim.state import copied, digest_of, pack, unpack
from fle_ray.sim.world import World
from fle_ray.tools.arguments import check_values
from fle_ray.tools.context import Context
from fle_ray.tools.registry import SETTLING, TOOLS
from fle_ray.tools.scoring import production_score

__all__ = ["LocalInstance"]


class LocalInstance:
    """One simulated game. See `fle_ray.game.contracts.Instance` for the contract.

    Attributes:
        world: the simulator's world, for tools, tests and pictures.
    """

    engine = "sim"

    def __init__(self) -> None:
        self._world: World | None = None
        self._start = Start()
        self._messages: list[Message] = []
        self._closed = False
        self.tick_limit: int | None = None
        self.reset(self._start)

    # -- life -----------------------------------------------------------------------------------------

    @property
    def world(self) -> World:
        if self._closed or self._world is None:
            raise InstanceClosed("This instance is closed; make a new one.")
        return self._world

    def reset(self, start: Start) -> None:
        """Begin an episode. Raises ConfigError for an unknown scenario or item."""
        if self._closed:
            raise InstanceClosed("This instance is closed; make a new one.")
        if start.agents < 1:
            raise ConfigError(f"agents is {start.agents}; expected 1 or more.")
        world = World(start.scenario, start.seed)
        world.always_day = True
        for item in start.inventory:
            world.data.item(item)
        if start.all_technologies:
            world.force.learn_all()
        else:
            world.force.start()
        for index in range(start.agents):
            character = world.character(index)
            for item, count in start.inventory.items():
                character.slots.insert(item, count)
        self._world = world
        self._start = start
        self._messages = []
        self.tick_limit = None

    def close(self) -> None:
        self._world = None
        self._closed = True

    # -- acting -----------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        return self.world.tick

    @property
    def agents(self) -> int:
        return self._start.agents

    def call(self, agent_idx: int, tool: str, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None) -> Any:
        """Call a tool for one agent; see the contract for what it raises."""
        function = TOOLS.get(tool)
        if function is None:
            raise ToolError(str(UnknownName("tool", tool, TOOLS)), type="NameError")
        context = Context(self, self.world, agent_idx)
        check_values(tool, (*args, *(kwargs or {}).values()))
        try:
            value = function(context, *args, **(kwargs or {}))
        except (CannotPlace, CannotSet, UnknownName, Unsupported) as error:
            raise ToolError(f"{tool}: {error}") from error
        except OverflowError as error:
            raise ToolError(f"{tool}: a number is too large to count with ({error}).", type="OverflowError") from error
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                message = str(error).replace(f"{function.__name__}()", f"{tool}()")
                raise ToolError(message, type="TypeError") from error
            raise
        if tool in SETTLING and self._start.settle_ticks:
            context.advance(self._start.settle_ticks)
        return value

    def advance(self, ticks: int) -> None:
        self.world.advance(ticks)

    def post(self, message: Message) -> None:
        """Add a message between agents."""
        self._messages.append(message)

    # -- looking ----------------------------------------------------------------------------------------

    def flows(self) -> Flows:
        return self.world.statistics.flows()

    def score(self) -> tuple[float, float]:
        return production_score(self.flows())

    def inventory(self, agent_idx: int) -> dict[str, int]:
        return dict(sorted(self.world.character(agent_idx).inventory.items()))

    def entities(self, agent_idx: int) -> list[Any]:
        """Everything built, as `get_entities()` gives it to that agent; takes no game time."""
        return TOOLS["get_entities"](Context(self, self.world, agent_idx))

    def positions(self) -> list[tuple[float, float]]:
        return [character.position for character in self.world.characters]

    def research(self) -> dict[str, Any]:
        """State of research: see `fle_ray.tools.research_state`."""
        from fle_ray.tools.research_state import research_state

        return research_state(self.world)

    def messages(self) -> list[Message]:
        return list(self._messages)

    # -- state ------------------------------------------------------------------------------------------

    def _state(self) -> dict[str, Any]:
        return {
            "instance": 1,
            "agents": self._start.agents,
            "settle_ticks": self._start.settle_ticks,
            "messages": [[m.sender, m.recipient, m.content, m.tick] for m in self._messages],
            "world": self.world.state(),
        }

    def snapshot(self) -> bytes:
        return pack(self._state())

    def restore(self, state: bytes) -> None:
        """Raises SnapshotError when `state` is damaged or of another version."""
        if self._closed:
            raise InstanceClosed("This instance is closed; make a new one.")
        self._take(unpack(state))

    def _take(self, plain: dict[str, Any]) -> None:
        try:
            world = World.from_state(plain["world"])
            messages = [Message(*fields) for fields in plain["messages"]]
            start = Start(
                scenario=world.scenario,
                seed=world.seed,
                agents=plain["agents"],
                settle_ticks=plain["settle_ticks"],
            )
        except (KeyError, TypeError) as error:
            raise SnapshotError(f"This snapshot does not describe an instance: {error!r}.") from error
        self._world = world
        self._messages = messages
        self._start = start
        self.tick_limit = None

    def digest(self) -> str:
        return digest_of(self._state())

    def fork(self) -> LocalInstance:
        """An independent copy of the whole instance."""
        copy = LocalInstance()
        copy._take(copied(self._state()))
        return copy
