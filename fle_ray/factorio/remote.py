"""`RemoteInstance`: a Factorio server, through FLE's client, as an instance that agents call tools on.

The rules are the server's. What stands here is the crossing: values both ways, errors of the game apart from a lost
server, time as the client counts it (the ticks that actions take), and a world that stands still between calls.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from types import SimpleNamespace
from typing import Any

from fle_ray.errors import (
    ConfigError,
    EngineError,
    InstanceClosed,
    SnapshotError,
    StepLimit,
    ToolError,
    UnknownName,
    Unsupported,
)
from fle_ray.factorio.fle_client import FLE_VERSION, Fle, connect, load_fle, quietly
from fle_ray.factorio.pool import Lease, Pool, server_addresses
from fle_ray.factorio.saved_state import SavedState
from fle_ray.factorio.values import from_fle, to_fle
from fle_ray.game.codec import encode
from fle_ray.game.contracts import Flows, Message, Start
from fle_ray.game.prototypes import load
from fle_ray.tools.arguments import check_values
from fle_ray.tools.registry import SETTLING, TOOLS
from fle_ray.tools.scoring import production_score

__all__ = ["RemoteInstance"]

log = logging.getLogger(__name__)

SCENARIOS = ("lab", "open", "empty")
RESUME = ("go_on", "refuse")
_POOL_SETTINGS = ("servers", "wait_s", "revive_s", "timeout_s", "leases")
_MOST_TICKS_AT_ONCE = 36_000  # of one command to wait: a server must answer within its time-out
_LOOKING = frozenset(
    {
        "can_place_entity",
        "get_connection_amount",
        "get_entities",
        "get_entity",
        "get_prototype_recipe",
        "get_research_progress",
        "get_resource_patch",
        "inspect_inventory",
        "nearest",
        "nearest_buildable",
    }
)
_RAISED = ("AssertionError", "TypeError", "ValueError", "NameError")  # types that programs see as they are


class RemoteInstance:
    """One Factorio server on loan. See `fle_ray.game.contracts.Instance` for the contract.

    A server is leased at the first `reset` and given back, its world emptied, by `close`. Snapshots are as exact as
    what FLE saves, so `exact` is False: steps say so, there are no digests in the data, and forks are refused.

    Args:
        pool: `servers` (see `server_addresses`), and how they are shared: `wait_s`, `revive_s`, `timeout_s`, `leases`.
        scenario: what the servers play: lab, open or empty.
        speed: of the game while it runs, 1 for real time.
        pause: let the world stand still between calls.
        resume: what to do with an episode that was cut off: "go_on" from its saved state, which is not exact, or
            "refuse".

    Raises:
        ConfigError: an argument is out of its range.
    """

    engine = "factorio"
    engine_version = f"factorio-learning-environment {FLE_VERSION}"
    exact = False
    on_loan = True

    def __init__(
        self,
        pool: Mapping[str, Any] | None = None,
        scenario: str = "lab",
        speed: float = 10.0,
        pause: bool = True,
        resume: str = "go_on",
    ) -> None:
        if scenario not in SCENARIOS:
            raise UnknownName("scenario", str(scenario), SCENARIOS, f"There are: {', '.join(SCENARIOS)}.")
        if isinstance(speed, bool) or not isinstance(speed, int | float) or not 0 < speed <= 10_000:
            raise ConfigError(f"engine.speed is {speed!r}; expected a number above 0, at most 10000.")
        if not isinstance(pause, bool):
            raise ConfigError(f"engine.pause is {pause!r}; expected true or false.")
        if resume not in RESUME:
            raise UnknownName("engine.resume", str(resume), RESUME, f"There are: {', '.join(RESUME)}.")
        settings = dict(pool or {})
        self._timeout_s = float(settings.get("timeout_s", 120.0))
        self._pool = _pool(settings)
        self._scenario, self._speed, self._pause, self._resume = scenario, float(speed), pause, resume
        self._lease: Lease | None = None
        self._client: Any = None
        self._closed = False
        self._start = Start()
        self._messages: list[Message] = []
        self._tick = 0
        self._tick_before = 0  # what the server does not count: ticks up to the state that was taken up
        self._flows_before = Flows()
        self._saved: bytes | None = None  # of the world as it is now
        self.tick_limit: int | None = None

    # -- what the plan asks -----------------------------------------------------------------------------

    @staticmethod
    def supports(task: Any, pool: Mapping[str, Any] | None = None, scenario: str = "lab", **_others: Any) -> str | None:
        """Why a task cannot be played on servers, as a sentence's end; None when it can."""
        if getattr(task, "measure", None) == "fork":
            return "it measures on a copy of the world (measure=fork), which a Factorio server cannot make"
        wanted = task.start(0).scenario
        if wanted != scenario:
            return f"it is played in the scenario {wanted}, and the servers have {scenario} (engine.scenario)"
        return None

    @staticmethod
    def check_ready(pool: Mapping[str, Any] | None = None, **_others: Any) -> None:
        """Raises ConfigError when FLE's client is not installed, a password is missing or no server answers."""
        load_fle()
        troubles = _pool(dict(pool or {})).alive()
        if all(troubles.values()):
            listed = "; ".join(f"{server}: {trouble}" for server, trouble in troubles.items())
            raise ConfigError(
                f"No Factorio server answers ({listed}). Start them (`python -m fle_ray.factorio compose` writes a "
                "docker compose file), or name others with engine.pool.servers=[host:port,...]."
            )

    @staticmethod
    def most_instances(pool: Mapping[str, Any] | None = None, **_others: Any) -> int:
        """How many can be played on at a time."""
        return len(server_addresses((pool or {}).get("servers", ())))

    # -- life -------------------------------------------------------------------------------------------

    @property
    def client(self) -> Any:
        """FLE's client; connected by `reset`."""
        self._require_open()
        if self._client is None:
            raise EngineError("This instance has no server yet: call reset() first.")
        return self._client

    @property
    def server(self) -> str:
        """Which server is leased, as host:port; "" before the first reset."""
        return str(self._lease.server) if self._lease is not None else ""

    @property
    def agents(self) -> int:
        return self._start.agents

    def _require_open(self) -> None:
        if self._closed:
            raise InstanceClosed("This instance is closed; make a new one.")

    def _connected(self, agents: int) -> Any:
        """FLE's client with that many characters; leases a server when there is none yet."""
        if self._lease is None:
            self._lease = self._pool.lease()
        if self._client is None or self._client.num_agents != agents:
            if self._client is not None:
                self._client.rcon_client.close()
            self._client = connect(self._lease.server, agents=agents, speed=self._speed, timeout_s=self._timeout_s)
        return self._client

    def reset(self, start: Start) -> None:
        """Begin an episode. The seed is the server's own.

        Raises:
            ConfigError: an unknown scenario or item, or another scenario than the server's.
            EngineError: no server is to be had, or it was lost.
        """
        self._require_open()
        if start.scenario != self._scenario:
            known = UnknownName("scenario", start.scenario, SCENARIOS) if start.scenario not in SCENARIOS else None
            raise known or ConfigError(f"The servers play {self._scenario}; the episode wants {start.scenario}.")
        if start.agents < 1:
            raise ConfigError(f"agents is {start.agents}; expected 1 or more.")
        for item in start.inventory:
            load().item(item)
        self._connected(start.agents)
        self._begin(start, [dict(start.inventory)] * start.agents)
        self._start, self._messages = start, []
        self._tick_before, self._flows_before = 0, Flows()
        self._moved()
        self.tick_limit = None

    def _begin(self, start: Start, inventories: Sequence[Mapping[str, int]]) -> None:
        """An empty world with these inventories."""
        client = self.client
        with self._running():
            for index, space in enumerate(client.namespaces):
                space.reset()
                space.player_location = self._fle.entities.Position(x=0, y=2 * index)
            client.initial_score = 0  # totals, not what was added
            answer = client.first_namespace._reset(
                [dict(inventory) for inventory in inventories],
                reset_position=True,
                all_technologies_researched=start.all_technologies,
                clear_entities=True,
            )
            self._require_done(answer, "reset the world")
            client.game_control.reset_to_defaults()

    def close(self) -> None:
        """Empty the world and give the server back; a lost server is just given back. May be called again."""
        if self._closed:
            return
        client, self._client, self._closed = self._client, None, True
        try:
            if client is not None and client.rcon_client.failure is None:
                with quietly():
                    client.first_namespace._reset([{}] * client.num_agents, True, True, True)
                    client.rcon_client.send_command("/sc game.tick_paused = false")
        except Exception as error:
            log.warning("The server %s could not be left clean: %s", self.server, error)
        finally:
            if client is not None:
                client.rcon_client.close()
            if self._lease is not None:
                self._lease.release()

    # -- talking to the server --------------------------------------------------------------------------

    @property
    def _fle(self) -> Fle:
        return load_fle()

    @contextmanager
    def _running(self) -> Iterator[None]:
        """The world runs meanwhile; then it stands still again, and a lost server is an EngineError, whatever the
        client made of it."""
        wire = self.client.rcon_client
        try:
            with quietly():
                if self._pause:
                    wire.send_command("/sc game.tick_paused = false")
                try:
                    yield
                finally:
                    if self._pause:
                        wire.send_command("/sc game.tick_paused = true")
        except Exception as error:
            if wire.failure is None:
                raise
            raise EngineError(f"The Factorio server {self.server} was lost: {wire.failure}") from error
        if wire.failure is not None:
            raise EngineError(f"The Factorio server {self.server} was lost: {wire.failure}") from wire.failure

    def _asked(self, question: Callable[[], Any]) -> Any:
        """The answer to a question that changes nothing and takes no time: the world stays as it stands."""
        wire = self.client.rcon_client
        try:
            with quietly():
                answer = question()
        except Exception as error:
            what = f"was lost: {wire.failure}" if wire.failure is not None else f"gave an answer that is none: {error}"
            raise EngineError(f"The Factorio server {self.server} {what}") from error
        if wire.failure is not None:
            raise EngineError(f"The Factorio server {self.server} was lost: {wire.failure}") from wire.failure
        return answer

    def _require_done(self, answer: Any, what: str) -> None:
        if isinstance(answer, tuple):
            answer = answer[0]
        if isinstance(answer, str) or answer is None or answer == {}:
            raise EngineError(f"The server {self.server} did not {what}: {answer or 'no answer'}")

    def _moved(self) -> None:
        """Read the clock after something that may have taken time."""
        self._saved = None
        self._tick = self._tick_before + int(self._asked(self.client.get_elapsed_ticks))

    # -- acting -----------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        """Ticks that actions and waiting have taken since the episode began, as FLE counts them."""
        self._require_open()
        return self._tick

    def call(self, agent_idx: int, tool: str, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None) -> Any:
        """Call a tool for one agent; see the contract for what it raises."""
        client = self.client
        named = dict(kwargs or {})
        if tool not in TOOLS:
            raise ToolError(str(UnknownName("tool", tool, TOOLS)), type="NameError")
        if not 0 <= agent_idx < self.agents:
            raise ToolError(f"There is no agent {agent_idx}; there are {self.agents}.")
        check_values(tool, (*args, *named.values()))
        if tool in _OURS:
            value = _OURS[tool](self, agent_idx, *args, **named)
        else:
            if tool not in _LOOKING:
                self._require_time()
            function = getattr(client.namespaces[agent_idx], tool)
            ours = [to_fle(value, self._fle) for value in args]
            ours_named = {name: to_fle(value, self._fle) for name, value in named.items()}
            try:
                with self._running():
                    value = function(*ours, **ours_named)
            except EngineError:
                raise
            except Exception as error:
                raise _refusal(tool, error) from error
            finally:
                if tool not in _LOOKING and client.rcon_client.failure is None:
                    self._moved()
            value = from_fle(value)
        if tool in SETTLING and self._start.settle_ticks:
            self._wait(self._start.settle_ticks)
        if self.tick_limit is not None and self._tick > self.tick_limit:
            raise StepLimit(
                "tick_limit",
                f"This step has used all its game ticks: {tool} ended {self._tick - self.tick_limit} past the limit. "
                "The program ends here; what it did is kept.",
            )
        return value

    def _require_time(self) -> None:
        if self.tick_limit is not None and self._tick >= self.tick_limit:
            raise StepLimit(
                "tick_limit", "This step has used all its game ticks. The program ends here; what it did is kept."
            )

    def _sleep(self, _agent_idx: int, seconds: Any) -> bool:
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds != seconds:
            raise ToolError(f"sleep: seconds must be a number, not {seconds!r}.", type="TypeError")
        if seconds == float("inf"):
            raise ToolError("sleep: seconds must be finite.", type="ValueError")
        whole = max(0, ceil(round(seconds * 60, 6)))
        left = whole if self.tick_limit is None else max(0, self.tick_limit - self._tick)
        self._wait(min(whole, left))
        if whole > left:
            raise StepLimit(
                "tick_limit",
                f"This step has used all its game ticks: {whole} more were asked for and {left} were left. "
                f"The program ends here; what it did is kept.",
            )
        return True

    def _wait(self, ticks: int) -> None:
        """Let the world run as long as so many ticks take."""
        for seconds in _waits(ticks):
            with self._running():
                self.client.first_namespace.sleep(seconds)
        if ticks:
            self._moved()

    def _send_message(self, agent_idx: int, *args: Any, **kwargs: Any) -> Any:
        """Messages stay on this side: agents of an episode share an instance."""
        return TOOLS["send_message"](SimpleNamespace(instance=self, world=self, agent_idx=agent_idx), *args, **kwargs)

    def _print(self, _agent_idx: int, *args: Any) -> str:
        return TOOLS["print"](None, *args)

    def _score(self, _agent_idx: int) -> tuple[float, float]:
        return self.score()

    def advance(self, ticks: int) -> None:
        self._require_open()
        self._wait(ticks)

    def post(self, message: Message) -> None:
        """Add a message between agents."""
        self._messages.append(message)
        self._saved = None

    # -- looking ----------------------------------------------------------------------------------------

    def flows(self) -> Flows:
        return _added(self._flows_before, self._server_flows())

    def _server_flows(self) -> Flows:
        found = self._asked(self.client.first_namespace._get_production_stats)
        if not isinstance(found, dict):
            raise EngineError(f"The server {self.server} has no production statistics: {found!r:.200}")
        crafted: dict[str, float] = {}
        used: dict[str, float] = {}
        for craft in _entries(found.get("crafted")):
            _sum_into(crafted, craft.get("outputs"))
            _sum_into(used, craft.get("inputs"))
        return Flows(
            produced=_amounts(found.get("output")),
            consumed=_amounts(found.get("input")),
            harvested=_amounts(found.get("harvested")),
            crafted=crafted,
            crafted_consumed=used,
        )

    def score(self) -> tuple[float, float]:
        """By our price list from the server's statistics, so that engines can be compared."""
        return production_score(self.flows())

    def inventory(self, agent_idx: int) -> dict[str, int]:
        held = self._asked(self.client.namespaces[agent_idx].inspect_inventory)
        return {item: int(count) for item, count in sorted(held.items()) if count}

    def entities(self, agent_idx: int) -> list[Any]:
        """Everything built, as `get_entities()` gives it to that agent."""
        return from_fle(self._asked(self.client.namespaces[agent_idx].get_entities))

    def positions(self) -> list[tuple[float, float]]:
        """Where the client has last walked each agent to."""
        places = [space.player_location for space in self.client.namespaces]
        return [(float(place.x), float(place.y)) for place in places]

    def research(self) -> dict[str, Any]:
        """State of research, in the form of `fle_ray.tools.research_state`."""
        state = self._asked(self.client.first_namespace._save_research_state)
        queue = list(state.research_queue or [])
        begun = [{"name": n, "value": float(v)} for n, v in dict(state.progress or {}).items()]
        return {
            "technologies": [
                {
                    "name": t.name,
                    "researched": int(t.researched),
                    "enabled": int(t.enabled),
                    "level": t.level,
                    "research_unit_count": t.research_unit_count,
                    "research_unit_energy": t.research_unit_energy,
                    "prerequisites": list(t.prerequisites),
                    "ingredients": [{"name": n, "amount": a} for entry in t.ingredients for n, a in entry.items()],
                }
                for t in state.technologies.values()
            ],
            "current_research": state.current_research or "None",
            "research_progress": float(state.research_progress or 0.0),
            "research_queue": queue,
            "progress": begun or "None",
        }

    def messages(self) -> list[Message]:
        self._require_open()
        return list(self._messages)

    # -- state ------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """What FLE saves of the world: not exact."""
        self._require_open()
        if self._saved is None:
            space = self.client.first_namespace
            entities = self._asked(lambda: space._save_entity_state(compress=True, encode=True))
            research = self._asked(space._save_research_state)
            self._saved = SavedState(
                start=dataclasses.replace(self._start, inventory=dict(self._start.inventory)),
                tick=self._tick,
                flows=self.flows(),
                messages=tuple(self._messages),
                positions=tuple(self.positions()),
                inventories=tuple(self.inventory(index) for index in range(self.agents)),
                research=dataclasses.asdict(research),
                entities=entities,
            ).packed()
        return self._saved

    def restore(self, state: bytes) -> None:
        """Take up what FLE saved, as far as it goes.

        Raises:
            SnapshotError: `state` is damaged, none of a server, or `resume` is "refuse".
            EngineError: the server was lost, or does not take the state.
        """
        self._require_open()
        saved = SavedState.unpacked(state)
        if self._resume == "refuse":
            raise SnapshotError(
                "An episode on a Factorio server cannot go on exactly from a saved state, and engine.resume is refuse. "
                "Play it in a new run, or set engine.resume=go_on."
            )
        self._connected(saved.start.agents)
        self._begin(saved.start, saved.inventories)
        client, fle = self.client, self._fle
        space = client.first_namespace
        technologies = {
            name: fle.technologies.TechnologyState(**entry) for name, entry in saved.research["technologies"].items()
        }
        with self._running():
            self._require_done(space._load_entity_state(saved.entities, decompress=True), "take up the saved entities")
            research = fle.states.ResearchState(**{**saved.research, "technologies": technologies})
            self._require_done(space._load_research_state(research), "take up the saved research")
            for index, (x, y) in enumerate(saved.positions):
                client.namespaces[index].player_location = fle.entities.Position(x=x, y=y)
        for index, held in enumerate(saved.inventories):
            if self.inventory(index) != held:
                self._asked(lambda index=index, held=held: client.namespaces[index]._set_inventory(held))
        self._start, self._messages = saved.start, list(saved.messages)
        self._tick_before, self._flows_before = 0, Flows()
        self._moved()
        self._tick_before, self._tick = saved.tick - self._tick, saved.tick
        self._flows_before = saved.flows.since(self._server_flows())
        self.tick_limit = None

    def digest(self) -> str:
        """A hash of what can be seen of the world. It stands in no data: worlds that look alike may differ."""
        seen = [
            self._tick,
            dataclasses.asdict(self.flows()),
            [self.inventory(index) for index in range(self.agents)],
            encode(self.entities(0)),
            self.positions(),
            self.research(),
            [dataclasses.astuple(message) for message in self._messages],
        ]
        return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:32]

    def fork(self) -> RemoteInstance:
        """Refused: a server cannot be copied."""
        self._require_open()
        raise Unsupported("fork", "A world on a Factorio server cannot be copied; use engine=sim for forks.")


_OURS: Mapping[str, Callable[..., Any]] = {
    "print": RemoteInstance._print,
    "score": RemoteInstance._score,
    "send_message": RemoteInstance._send_message,
    "sleep": RemoteInstance._sleep,
}
"""Tools of which this side must know: time within the limits of a step, messages, scores that compare."""


def _pool(settings: dict[str, Any]) -> Pool:
    for name in settings.keys() - set(_POOL_SETTINGS):
        raise UnknownName("setting of engine.pool", str(name), _POOL_SETTINGS, f"It has: {', '.join(_POOL_SETTINGS)}.")
    return Pool(
        server_addresses(settings.get("servers", ())),
        folder=settings.get("leases"),
        wait_s=float(settings.get("wait_s", 3600.0)),
        revive_s=float(settings.get("revive_s", 60.0)),
    )


def _refusal(tool: str, error: Exception) -> ToolError:
    """What FLE's client raised, as the program sees it."""
    words = [str(part).strip() for part in error.args] or [type(error).__name__]
    kind = type(error).__name__
    text = " ".join(word for word in words if word)
    return ToolError(f"{tool}: {text}", type=kind if kind in _RAISED else "Exception")


def _waits(ticks: int) -> Iterator[float | int]:
    """Seconds that together are so many ticks, each a whole number of ticks when multiplied by 60 in floats."""
    while ticks > 0:
        now = min(ticks, _MOST_TICKS_AT_ONCE)
        if now % 60 and (now / 60) * 60 != now:
            now = now - now % 60 or 30  # 31/60 * 60 is not 31
        ticks -= now
        yield now // 60 if now % 60 == 0 else now / 60


def _entries(value: Any) -> list[Any]:
    """A list that the client may have left as a table."""
    return list(value.values()) if isinstance(value, Mapping) else list(value or [])


def _amounts(value: Any) -> dict[str, float]:
    return {str(name): amount for name, amount in value.items() if amount} if isinstance(value, Mapping) else {}


def _sum_into(totals: dict[str, float], amounts: Any) -> None:
    for name, amount in _amounts(amounts).items():
        totals[name] = totals.get(name, 0) + amount


def _added(a: Flows, b: Flows) -> Flows:
    if a == Flows():
        return b
    out = {}
    for field in dataclasses.fields(Flows):
        totals = dict(getattr(a, field.name))
        _sum_into(totals, getattr(b, field.name))
        out[field.name] = {name: amount for name, amount in sorted(totals.items()) if amount}
    return Flows(**out)
