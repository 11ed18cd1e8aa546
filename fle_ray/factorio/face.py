"""`Face`: one served world, from a command's text to the reply's."""

from __future__ import annotations

import inspect
import json
import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from fle_ray.errors import FleRayError, ToolError, UnknownName
from fle_ray.factorio.actions import ACTIONS, UNMAPPED
from fle_ray.factorio.clock import Clock
from fle_ray.factorio.commands import Call, Fixed, Upload, understood
from fle_ray.factorio.lua import BadLua, written
from fle_ray.factorio.scenery import resource_name_at
from fle_ray.game.contracts import Start
from fle_ray.game.values import Position
from fle_ray.tools.context import Context
from fle_ray.tools.instance import LocalInstance

__all__ = ["Face"]

log = logging.getLogger(__name__)

MOST_TICKS_PER_CALL = 216_000  # an hour of game time: what one action may cost
_MOST_GOALS = 256  # path handles held; the oldest is forgotten
_MOST_CHECKSUMS = 1000


class Face:
    """A world and what FLE's client keeps on a server beside it. Not thread-safe: one command at a time.

    Attributes:
        instance: the game; clock: when it moves on; crafts: what each action crafted by hand, as FLE's client lists it.
    """

    def __init__(self, clock: Clock, scenario: str = "lab", seed: int = 0) -> None:
        """Raises ConfigError for an unknown scenario."""
        self.instance = LocalInstance()
        self.clock = clock
        self._scenario = scenario
        self._seed = seed
        self.crafts: list[dict[str, Any]] = []
        self._elapsed = 0  # ticks that actions took, as the client counts them
        self._checksums: dict[str, str] = {}
        self._goals: OrderedDict[int, Position] = OrderedDict()
        self._handles = 0
        self.begin([{}])

    # -- for actions ----------------------------------------------------------------------------------

    def begin(self, inventories: Sequence[Mapping[str, int]], *, all_technologies: bool = True) -> None:
        """A new world with one agent for each inventory. An unknown item raises ConfigError and changes nothing."""
        instance = LocalInstance()
        instance.reset(Start(self._scenario, self._seed, agents=len(inventories), all_technologies=all_technologies))
        for index, inventory in enumerate(inventories):
            slots = instance.world.character(index).slots
            for item, count in inventory.items():
                instance.world.data.item(item)
                slots.insert(item, count)
        self.replace(instance)
        self.crafts = []
        self._elapsed = 0

    def restored(self, snapshot: bytes) -> LocalInstance:
        """An instance of a snapshot, not served yet. Raises SnapshotError."""
        instance = LocalInstance()
        instance.restore(snapshot)
        return instance

    def replace(self, instance: LocalInstance) -> None:
        """Serve another world from now on; paths asked for in the one before are forgotten."""
        self.instance = instance
        self._goals.clear()
        self.clock.restart(instance.tick)

    def forget_elapsed(self) -> None:
        """Count from zero what actions take."""
        self._elapsed = 0

    def tool(self, agent: int, name: str, *arguments: Any, **named: Any) -> Any:
        """Call one of our tools for an agent."""
        return self.instance.call(agent, name, arguments, named)

    def context(self, agent: int) -> Context:
        """What the tools' shared helpers need, for an agent."""
        return Context(self.instance, self.instance.world, agent)

    def hold_goal(self, place: Position) -> int:
        """A handle for a place to go to, >= 1."""
        self._handles += 1
        self._goals[self._handles] = place
        if len(self._goals) > _MOST_GOALS:
            self._goals.popitem(last=False)
        return self._handles

    def goal(self, handle: Any) -> Position:
        """The place of a handle. Raises ToolError for one that is not held."""
        if isinstance(handle, bool) or not isinstance(handle, int) or handle not in self._goals:
            raise ToolError(f"There is no path {handle!r}; ask for one with request_path first.")
        return self._goals[handle]

    # -- commands -------------------------------------------------------------------------------------

    def answer(self, text: str) -> str:
        """Do what a command line asks for, and the text of the reply: empty where the client expects nothing."""
        try:
            command = understood(text)
        except BadLua as error:
            log.warning("arguments that are no Lua literals: %s", error)
            return _refused(str(error))
        if isinstance(command, Upload):
            return ""
        if isinstance(command, Call):
            return self._call(command)
        if isinstance(command, Fixed):
            try:
                return getattr(self, f"_do_{command.name}")(*command.arguments)
            except ValueError as error:
                log.warning("%s: %s", command.name, error)
                return f"error: {error}"
        log.warning("not understood: %.200r", text)
        return (
            "error: this is the simulator's RCON face, which runs no Lua and knows only the commands of FLE's client. "
            f"It does not know {text[:80]!r}; see docs/factorio.md."
        )

    def _catch_up(self) -> None:
        due = self.clock.due(self.instance.tick)
        if due:
            self.instance.advance(due)

    def _call(self, command: Call) -> str:
        name = command.action
        action = ACTIONS.get(name)
        if action is None:
            reason = UNMAPPED.get(name)
            message = f"{name} is not supported by the simulator: {reason}." if reason else None
            message = message or str(UnknownName("action", name, ACTIONS))
            log.warning("%s", message)
            return _refused(message)
        try:
            inspect.signature(action.function).bind(self, *command.arguments)
        except TypeError as error:
            log.warning("%s: %s", name, error)
            return _refused(f"{name}: {error}.")
        self._catch_up()
        before, instance = self.instance.tick, self.instance
        statistics = instance.world.statistics
        crafted, used = dict(statistics.crafted), dict(statistics.crafted_consumed)
        instance.tick_limit = before + MOST_TICKS_PER_CALL
        try:
            value = action.function(self, *command.arguments)
            return written({"a": True, "b": value})
        except FleRayError as error:
            return _refused(str(error))
        finally:
            if self.instance is instance:
                self._elapsed += instance.tick - before
                outputs = _more(statistics.crafted, crafted)
                if outputs:
                    self.crafts.append({"inputs": _more(statistics.crafted_consumed, used), "outputs": outputs})

    # -- fixed commands, by the names in commands.py --------------------------------------------------

    def _do_players(self) -> str:
        return str(self.instance.agents)

    def _do_speed(self, value: str) -> str:
        self._catch_up()
        self.clock.set_speed(float(value))
        return ""

    def _do_pause(self, value: str) -> str:
        self._catch_up()
        self.clock.pause(value == "true")
        return ""

    def _do_elapsed(self) -> str:
        return str(self._elapsed)

    def _do_set_elapsed(self, value: str) -> str:
        self._elapsed = int(value)
        return ""

    def _do_checksums(self) -> str:
        return json.dumps(self._checksums)

    def _do_set_checksum(self, name: str, checksum: str) -> str:
        if name not in self._checksums and len(self._checksums) >= _MOST_CHECKSUMS:
            raise ValueError(f"There are {_MOST_CHECKSUMS} script checksums already.")
        self._checksums[name] = checksum
        return ""

    def _do_clear_checksums(self) -> str:
        self._checksums.clear()
        return ""

    def _do_fast(self, _value: str) -> str:
        """Either way an action is done when it returns: the queues that the client then asks for are empty."""
        return ""

    def _do_agents(self) -> str:
        return str(self.instance.agents)

    def _do_resource_at(self, player: str, x: str, y: str) -> str:
        try:
            return resource_name_at(self, int(player), float(x), float(y))
        except FleRayError as error:
            raise ValueError(str(error)) from error

    def _do_alerts(self, _seconds: str) -> str:
        """What is wrong with each entity now; the simulator keeps no alerts of the past."""
        self._catch_up()
        found = [e for e in self.instance.entities(0) if getattr(e, "warnings", None)]
        return written(
            {
                number: {
                    "entity_name": entity.name,
                    "position": {"x": entity.position.x, "y": entity.position.y},
                    "issues": dict(enumerate(entity.warnings, 1)),
                }
                for number, entity in enumerate(found, 1)
            }
        )

    def _do_queue(self) -> str:
        return "0"

    def _do_nothing(self) -> str:
        return ""


def _more(after: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    return {name: amount - before.get(name, 0) for name, amount in after.items() if amount > before.get(name, 0)}


def _refused(message: str) -> str:
    """An action's error. The client shows what follows the last colon, so that the message has none."""
    text = message.replace(": ", " - ").replace(":", "-").replace('"', "'")
    return written({"a": False, "b": text})
