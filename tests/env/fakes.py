"""A game and an interpreter small enough to reckon by hand, for tests of tasks, environment and agents."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Mapping, Sequence
from typing import Any

from fle_ray.errors import InstanceClosed, SnapshotError, StepLimit, ToolError
from fle_ray.game.contracts import Flows, Message, Start
from fle_ray.interpreter.result import ProgramError, ProgramResult, ToolCall

PRICES = {"iron-ore": 3, "iron-plate": 5, "coal": 2}


class FakeInstance:
    """Machines make items at given rates; hands harvest and craft. Prices: iron-ore 3, iron-plate 5, coal
    2.
    """

    engine = "fake"

    def __init__(self) -> None:
        self.closed = False
        self.forks: list[FakeInstance] = []
        self.tick_limit: int | None = None
        self._state: dict[str, Any] = {}
        self.reset(Start())

    def reset(self, start: Start) -> None:
        self._open()
        self.start = start
        self._state = {
            "tick": 0,
            "machines": [],
            "inventories": [dict(start.inventory) for _ in range(start.agents)],
            "positions": [(0.0, 2.0 * i) for i in range(start.agents)],
            "flows": {name: {} for name in ("produced", "consumed", "harvested", "crafted", "crafted_consumed")},
            "messages": [],
        }

    def close(self) -> None:
        self.closed = True

    def _open(self) -> None:
        if self.closed:
            raise InstanceClosed("The fake instance is closed.")

    @property
    def tick(self) -> int:
        self._open()
        return self._state["tick"]

    # Tools: the names that fake programs use.

    def call(self, agent_idx: int, tool: str, args: Sequence[Any] = (), kwargs: Mapping[str, Any] = {}) -> Any:
        self._open()
        method = getattr(self, f"_tool_{tool}", None)
        if method is None:
            raise ToolError(f"No tool {tool!r}.")
        return method(agent_idx, *args, **kwargs)

    def _tool_sleep(self, agent_idx: int, seconds: int) -> bool:
        end = self.tick + 60 * seconds
        if self.tick_limit is not None and end > self.tick_limit:
            self.advance(self.tick_limit - self.tick)
            raise StepLimit("tick_limit", "The step has used up its game ticks.")
        self.advance(60 * seconds)
        return True

    def _tool_build(self, agent_idx: int, item: str, *per_minute: int) -> None:
        """A machine; one rate for each minute of its age, the last one for ever."""
        self._state["machines"].append({"item": item, "rates": list(per_minute), "age": 0, "progress": 0})

    def _tool_harvest_resource(self, agent_idx: int, item: str, count: int) -> int:
        self._add("produced", item, count)
        self._add("harvested", item, count)
        self._give(agent_idx, item, count)
        return count

    def _tool_craft_item(self, agent_idx: int, item: str, count: int, uses: str = "", used: int = 0) -> int:
        self._add("produced", item, count)
        self._add("crafted", item, count)
        if used:
            self._add("consumed", uses, used)
            self._add("crafted_consumed", uses, used)
            self._give(agent_idx, uses, -used)
        self._give(agent_idx, item, count)
        return count

    def _tool_move_to(self, agent_idx: int, x: float, y: float) -> None:
        self._state["positions"][agent_idx] = (float(x), float(y))

    def _tool_send_message(self, agent_idx: int, text: str, recipient: int | None = None) -> bool:
        self._state["messages"].append((agent_idx, recipient, text, self.tick))
        return True

    def _tool_refuse(self, agent_idx: int) -> None:
        raise ToolError("Cannot do that: it is refused: always.")

    def _add(self, flow: str, item: str, count: float) -> None:
        amounts = self._state["flows"][flow]
        amounts[item] = amounts.get(item, 0) + count

    def _give(self, agent_idx: int, item: str, count: int) -> None:
        inventory = self._state["inventories"][agent_idx]
        inventory[item] = inventory.get(item, 0) + count

    # The rest of the contract.

    def advance(self, ticks: int) -> None:
        self._open()
        for machine in self._state["machines"]:
            left = ticks
            while left:
                minute = machine["age"] // 3600
                rate = machine["rates"][min(minute, len(machine["rates"]) - 1)]
                step = min(left, 3600 * (minute + 1) - machine["age"])
                made, machine["progress"] = divmod(machine["progress"] + rate * step, 3600)
                if made:
                    self._add("produced", machine["item"], made)
                machine["age"] += step
                left -= step
        self._state["tick"] += ticks

    def flows(self) -> Flows:
        self._open()
        return Flows(**{name: dict(amounts) for name, amounts in self._state["flows"].items()})

    def score(self) -> tuple[float, float]:
        flows = self.flows()

        def worth(amounts: dict[str, float]) -> float:
            return sum(PRICES.get(item, 0) * amount for item, amount in amounts.items())

        total = worth(flows.produced) - worth(flows.consumed)
        by_hand = worth(flows.harvested) + worth(flows.crafted) - worth(flows.crafted_consumed)
        return float(total), float(total - by_hand)

    def inventory(self, agent_idx: int) -> dict[str, int]:
        return {item: n for item, n in self._state["inventories"][agent_idx].items() if n > 0}

    def entities(self, agent_idx: int) -> list[Any]:
        return [
            FakeEntity("fake-machine", (i + 0.5, 0.5), machine["item"])
            for i, machine in enumerate(self._state["machines"])
        ]

    def positions(self) -> list[tuple[float, float]]:
        return list(self._state["positions"])

    def research(self) -> dict[str, Any]:
        return {
            "technologies": [
                {
                    "name": "automation",
                    "researched": 1,
                    "enabled": 1,
                    "level": 1,
                    "research_unit_count": 10,
                    "research_unit_energy": 600.0,
                    "prerequisites": [],
                    "ingredients": [{"name": "automation-science-pack", "count": 1}],
                }
            ],
            "current_research": "None",
            "research_progress": 0.0,
            "research_queue": [],
            "progress": [],
        }

    def messages(self) -> list[Message]:
        return [Message(*row) for row in self._state["messages"]]

    def snapshot(self) -> bytes:
        self._open()
        return pickle.dumps(self._state)

    def restore(self, state: bytes) -> None:
        self._open()
        try:
            self._state = pickle.loads(state)
        except pickle.UnpicklingError as error:
            raise SnapshotError(f"The snapshot is damaged: {error}") from error

    def digest(self) -> str:
        self._open()
        return hashlib.sha256(json.dumps(self._state, sort_keys=True).encode()).hexdigest()[:32]

    def fork(self) -> FakeInstance:
        copy = FakeInstance()
        copy.restore(self.snapshot())
        self.forks.append(copy)
        return copy


class FakeEntity:
    """What `entities` returns: a value with the fields that the formatting reads."""

    def __init__(self, name: str, position: tuple[float, float], makes: str) -> None:
        self.name = name
        self.position = {"x": position[0], "y": position[1]}
        self.status = "working"
        self.makes = makes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FakeEntity) and vars(self) == vars(other)


class _Killed(BaseException):
    pass


class FakeInterpreter:
    """Runs programs in this process. `hang()` in a program stands for one that had to be killed."""

    def __init__(self, handler: Any, clock: Any) -> None:
        self._handler = handler
        self._clock = clock
        self._variables: dict[str, Any] = {}
        self.closed = False
        self.seeds: list[int] = []

    def run(self, code: str, *, seed: int = 0) -> ProgramResult:
        self.seeds.append(seed)
        printed: list[str] = []
        calls: list[ToolCall] = []

        def tool(name: str) -> Any:
            def call(*args: Any, **kwargs: Any) -> Any:
                before, error = self._clock(), None
                try:
                    return self._handler(name, args, kwargs)
                except ToolError as refusal:
                    error = str(refusal)
                    raise
                finally:
                    calls.append(ToolCall(name, json.dumps(args), error, self._clock() - before, 0))

            return call

        def hang() -> None:
            self._variables["touched"] = True
            raise _Killed

        tools = ("sleep", "build", "harvest_resource", "craft_item", "move_to", "send_message", "refuse")
        names = {name: tool(name) for name in tools} | {
            "hang": hang,
            "print": lambda *words: printed.append(f"1: {words!r}"),
        }
        kept, error = dict(self._variables), None
        try:
            exec(compile(code, "<program>", "exec"), scope := {**names, **self._variables})
            self._variables = {n: v for n, v in scope.items() if n not in names and n != "__builtins__"}
        except _Killed:
            self._variables = kept
            error = ProgramError("timeout", message="The program ran for more than 120 s and was stopped.")
        except SyntaxError as problem:
            error = ProgramError("syntax", "SyntaxError", str(problem), problem.lineno)
        except StepLimit as limit:
            error = ProgramError(limit.kind, "StepLimit", str(limit), 1)
        except Exception as problem:
            error = ProgramError("exception", type(problem).__name__, str(problem), 1)
        if error is not None:
            printed.append(f"1: ('{error.type}: {error.message}',)")
        return ProgramResult("\n".join(printed), error, tuple(calls), 0.001)

    @property
    def functions(self) -> dict[str, str]:
        return {name: name for name, value in self._variables.items() if callable(value)}

    def save(self) -> bytes:
        return pickle.dumps(self._variables)

    def load(self, state: bytes) -> None:
        self._variables = pickle.loads(state)

    def reset(self) -> None:
        self._variables = {}

    def close(self) -> None:
        self.closed = True
