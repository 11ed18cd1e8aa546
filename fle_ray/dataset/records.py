"""The rows of the dataset as dataclasses: one class a table, one field a column, the same names.

Each field carries its Arrow type, its meaning, its unit and what null means; `schema.py` builds the Arrow
schemas and the data dictionary from here, so a column is described in this one place. Nothing here imports
pyarrow.

The key of `steps` is (run_id, episode_id, program_id). The column `try` is the field `try_`, because `try` is
a keyword of Python.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, dataclass
from datetime import datetime
from typing import Any, ClassVar

__all__ = [
    "REASONS",
    "SCHEMA_VERSION",
    "STATUSES",
    "TABLES",
    "CallRecord",
    "Column",
    "EpisodeRecord",
    "EventRecord",
    "FlowRecord",
    "MessageRecord",
    "Record",
    "StepRecord",
    "columns",
    "flows_of",
]

SCHEMA_VERSION = 1
"""Version of the tables below. Any change of a column's name, type or meaning raises it."""

STATUSES = ("ended", "provider_error", "engine_error", "agent_error", "cancelled")
"""How an episode's record closed. `ended` is a verdict; every other status is owed and has a null value."""

REASONS = ("success", "failure", "steps", "budget", "error", "cancelled")
"""Why an episode stopped, as every agent is told."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        name: its name in the Parquet file.
        attribute: the field of the record class that holds it.
        type: Arrow type as text: "string", "json" (a string holding JSON), "int64", "double", "bool",
            "timestamp" (microseconds, UTC), "map<string,double>", "map<string,int64>".
        meaning: one sentence.
        unit: unit of a number, "" for none.
        null: what null means; "" for a column that is never null.
    """

    name: str
    attribute: str
    type: str
    meaning: str
    unit: str = ""
    null: str = ""


def _column(type: str, meaning: str, *, unit: str = "", null: str = "", default: Any = MISSING, name: str = "") -> Any:
    """A dataclass field that is a column. One that may be null defaults to None, a map to an empty one."""
    about = {"column": (name, type, meaning, unit, null)}
    if type.startswith("map<"):
        return dataclasses.field(default_factory=dict, metadata=about)
    if default is MISSING and null:
        default = None
    return dataclasses.field(default=default, metadata=about)


class Record:
    """Base of all rows. `TABLE` is the table (and folder) a record belongs to."""

    TABLE: ClassVar[str]
    __slots__ = ()


_NO_COUNT = "nobody counted"
_NOT_OF_A_MODEL = "not a language model's step, or nobody counted"


@dataclass(slots=True, kw_only=True)
class StepRecord(Record):
    """One program of one agent, executed and judged."""

    TABLE: ClassVar[str] = "steps"

    name: str = _column("string", "Name of the experiment.")
    run_id: str = _column("string", "The run this row belongs to.")
    episode_id: str = _column("string", "Content hash of what defines the episode; equal in every run of it.")
    program_id: str = _column("string", "The program's own id; key of this table with run_id and episode_id.")
    parent_id: str | None = _column(
        "string",
        "The program whose end state this one started from, by its program_id.",
        null="it started from the task's own starting state",
    )
    task: str = _column("string", "Key of the task in the catalogue.")
    agent: str = _column("string", "Name of the agent's configuration.")
    model: str | None = _column("string", "Name of the language model.", null="the agent uses none")
    seed: int = _column("int64", "Seed of the episode.")
    trial: int = _column("int64", "Number of the repetition, from 0.")
    step: int = _column("int64", "Number of the step in the episode over all agents, from 0, rejected tries too.")
    agent_idx: int = _column("int64", "Number of the agent within the episode, from 0.", default=0)
    agent_step: int = _column("int64", "Number of the step among this agent's own, from 0.")
    try_: int = _column("int64", "Number of the try at this agent_step, from 0.", default=0, name="try")
    accepted: bool = _column("bool", "Whether the state after this program was kept.", default=True)
    depth: int = _column("int64", "Number of ancestors on the way of parents.", default=0)
    conversation_length: int | None = _column(
        "int64",
        "The program came from this agent's messages with idx below this number.",
        null="the agent holds no conversation",
    )

    code: str | None = _column("string", "The program, Python text.", null="the agent produced no program")
    output: str = _column("string", "What the agent was shown: numbered output, error, the task's words.", default="")
    error_kind: str | None = _column("string", "How the program failed.", null="it ran to its end")
    error_type: str | None = _column("string", "Class name of the exception.", null="no exception")
    error_message: str | None = _column("string", "The whole error message.", null="no error")
    error_line: int | None = _column("int64", "Line of the program that failed, from 1.", null="no error, or unknown")

    reward: float = _column("double", "Reward of this step.", default=0.0)
    value: float | None = _column(
        "double",
        "The task's measure after this step (throughput tasks: best window, units a minute).",
        null="the task has no measure, or it was not taken",
    )
    score: float | None = _column("double", "Production score since the episode's start.", null="not measured")
    automated_score: float | None = _column("double", "Production score of what machines made.", null="not measured")
    success: bool | None = _column("bool", "Quota reached at this step.", null="the task has no quota")
    terminated: bool = _column("bool", "The task's own rule ends the episode here.", default=False)
    truncated: bool = _column("bool", "A limit (steps or budget) ends the episode here.", default=False)

    produced: dict[str, float] = _column(
        "map<string,double>",
        "Item or fluid to amount made in this step, by machines and hands.",
        unit="items",
    )
    consumed: dict[str, float] = _column(
        "map<string,double>", "Item or fluid to amount used up in this step.", unit="items"
    )
    harvested: dict[str, float] = _column(
        "map<string,double>", "The part of produced that was mined by hand.", unit="items"
    )
    crafted: dict[str, float] = _column(
        "map<string,double>", "The part of produced that was crafted by hand.", unit="items"
    )
    inventory: dict[str, int] = _column(
        "map<string,int64>", "What the agent's character carries after the step.", unit="items"
    )
    achievements_static: dict[str, float] = _column(
        "map<string,double>", "Items got by hand in this step.", unit="items"
    )
    achievements_dynamic: dict[str, float] = _column(
        "map<string,double>", "Items made by machines in this step.", unit="items"
    )

    tick_before: int = _column("int64", "Game time before the program.", unit="ticks (60 a second)")
    tick_after: int = _column("int64", "Game time after program and judging.", unit="ticks (60 a second)")
    judge_ticks: int = _column(
        "int64", "Game time that judging took, part of tick_after - tick_before.", unit="ticks", default=0
    )
    digest: str | None = _column("string", "Digest of the world after the step.", null="the engine has none")
    world_state: str | None = _column(
        "string", "Address in states/ of the world's snapshot after the step.", null="not kept"
    )
    session_state: str | None = _column(
        "string", "Address in states/ of the agent's variables after the step.", null="not kept"
    )

    prompt_tokens: int | None = _column("int64", "Tokens sent to the model.", unit="tokens", null=_NOT_OF_A_MODEL)
    completion_tokens: int | None = _column("int64", "Tokens the model wrote.", unit="tokens", null=_NOT_OF_A_MODEL)
    total_tokens: int | None = _column("int64", "Tokens sent and written.", unit="tokens", null=_NOT_OF_A_MODEL)
    cached_tokens: int | None = _column(
        "int64", "The part of prompt_tokens the service had cached.", unit="tokens", null=_NOT_OF_A_MODEL
    )
    reasoning_tokens: int | None = _column(
        "int64", "The part of completion_tokens spent on reasoning.", unit="tokens", null=_NOT_OF_A_MODEL
    )
    cost_usd: float | None = _column("double", "Price of the step's model calls.", unit="US dollars", null="unknown")

    waited_s: float = _column(
        "double", "Time spent waiting for others (rate limits), not part of wall_s.", unit="s", default=0.0
    )
    act_wall_s: float = _column("double", "Time the agent took to answer.", unit="s", default=0.0)
    run_wall_s: float = _column("double", "Time the program took to run.", unit="s", default=0.0)
    judge_wall_s: float = _column("double", "Time the task took to judge.", unit="s", default=0.0)
    wall_s: float = _column("double", "Working time of the whole step.", unit="s", default=0.0)
    started_at: datetime = _column("timestamp", "When the step began.", unit="us, UTC")
    host: str = _column("string", "Machine that played the step.", default="")
    meta: str | None = _column("json", "What the agent attached to its answer.", null="nothing")
    extra: str | None = _column("json", "Whatever has no column in this version of the schema.", null="nothing")


@dataclass(slots=True, kw_only=True)
class EpisodeRecord(Record):
    """One episode, closed. Null value, success and score go with every status but `ended`."""

    TABLE: ClassVar[str] = "episodes"

    name: str = _column("string", "Name of the experiment.")
    run_id: str = _column("string", "The run this row belongs to.")
    episode_id: str = _column("string", "Content hash of what defines the episode; key with run_id.")
    task: str = _column("string", "Key of the task in the catalogue.")
    agent: str = _column("string", "Name of the agent's configuration.")
    model: str | None = _column("string", "Name of the language model.", null="the agent uses none")
    seed: int = _column("int64", "Seed of the episode.")
    trial: int = _column("int64", "Number of the repetition, from 0.")
    agents: int = _column("int64", "Number of agents in the world.", default=1)
    spec: str = _column("json", "The whole resolved definition that episode_id is the hash of.")

    status: str = _column("string", "How the record closed: " + ", ".join(STATUSES) + ".")
    reason: str = _column("string", "Why the episode stopped: " + ", ".join(REASONS) + ".")
    success: bool | None = _column("bool", "Quota reached.", null="the task has no quota, or status is not ended")
    value: float | None = _column(
        "double", "The task's measure at the end.", null="the task has none, or status is not ended"
    )
    quota: float | None = _column("double", "What value must reach for success.", null="the task has no quota")
    steps: int = _column("int64", "Acknowledged steps, rejected tries included.", unit="steps")
    ticks: int = _column("int64", "Game time at the end.", unit="ticks (60 a second)")
    score: float | None = _column("double", "Production score at the end.", null="not measured")
    automated_score: float | None = _column("double", "Production score of what machines made.", null="not measured")

    prompt_tokens: int | None = _column("int64", "Sum over the steps.", unit="tokens", null=_NO_COUNT)
    completion_tokens: int | None = _column("int64", "Sum over the steps.", unit="tokens", null=_NO_COUNT)
    total_tokens: int | None = _column("int64", "Sum over the steps.", unit="tokens", null=_NO_COUNT)
    cached_tokens: int | None = _column("int64", "Sum over the steps.", unit="tokens", null=_NO_COUNT)
    reasoning_tokens: int | None = _column("int64", "Sum over the steps.", unit="tokens", null=_NO_COUNT)
    cost_usd: float | None = _column("double", "Sum over the steps.", unit="US dollars", null="unknown")
    waited_s: float = _column("double", "Sum over the steps.", unit="s", default=0.0)
    wall_s: float = _column("double", "Working time of the episode.", unit="s", default=0.0)
    started_at: datetime = _column("timestamp", "When the episode first began.", unit="us, UTC")
    ended_at: datetime = _column("timestamp", "When its record closed.", unit="us, UTC")

    engine: str = _column("string", "Kind of game: sim or factorio.")
    engine_version: str = _column("string", "Version of the engine and its game data.", default="")
    package_version: str = _column("string", "Version of fle_ray.", default="")
    python: str = _column("string", "Version of Python.", default="")
    host: str = _column("string", "Machine that closed the episode.", default="")
    error_kind: str | None = _column("string", "Kind of the fault that closed it.", null="no fault")
    error_message: str | None = _column("string", "The fault's message.", null="no fault")
    error_traceback: str | None = _column("string", "The fault's traceback.", null="no fault, or none was had")
    attempts: int = _column("int64", "How often the episode was taken up, 1 when undisturbed.", default=1)
    schema_version: int = _column("int64", "Version of the schema the run began with.", default=SCHEMA_VERSION)
    extra: str | None = _column("json", "Whatever has no column in this version of the schema.", null="nothing")


@dataclass(slots=True, kw_only=True)
class CallRecord(Record):
    """One tool call of a program."""

    TABLE: ClassVar[str] = "calls"

    run_id: str = _column("string", "The run this row belongs to.")
    episode_id: str = _column("string", "The episode this row belongs to.")
    program_id: str = _column("string", "The program that called.")
    step: int = _column("int64", "Number of the step in the episode.")
    agent_idx: int = _column("int64", "Number of the calling agent.", default=0)
    call_idx: int = _column("int64", "Number of the call within the program, from 0.")
    tool: str = _column("string", "Name of the tool.")
    arguments: str = _column("string", "JSON text of the arguments, cut at 2,000 characters.", default="")
    error_kind: str | None = _column("string", "How the call failed.", null="it returned")
    error_message: str | None = _column("string", "The message the tool refused with.", null="it returned")
    ticks: int = _column("int64", "Game time the call took.", unit="ticks (60 a second)", default=0)
    microseconds: int = _column("int64", "Wall time of the call, without the pipe.", unit="us", default=0)
    line: int | None = _column("int64", "Line of the program, from 1.", null="unknown")


@dataclass(slots=True, kw_only=True)
class MessageRecord(Record):
    """One message of an agent's conversation, written once however often it was sent."""

    TABLE: ClassVar[str] = "messages"

    run_id: str = _column("string", "The run this row belongs to.")
    episode_id: str = _column("string", "The episode this row belongs to.")
    agent_idx: int = _column("int64", "Number of the agent whose conversation it is.", default=0)
    idx: int = _column("int64", "Position in the conversation, from 0; key with the ids and agent_idx.")
    role: str = _column("string", "Who speaks: system, user or assistant.")
    content: str = _column("string", "The text.")
    program_id: str | None = _column(
        "string",
        "The program this reply held, or whose result this message tells.",
        null="before the first program, or about none",
    )
    step: int | None = _column("int64", "The episode's step it belongs to.", null="before the first step")
    tokens: int | None = _column("int64", "Length of the message.", unit="tokens", null=_NO_COUNT)
    created_at: datetime | None = _column("timestamp", "When it was written.", unit="us, UTC", null="not recorded")
    meta: str | None = _column("json", "What the service said beside the text.", null="nothing")


@dataclass(slots=True, kw_only=True)
class FlowRecord(Record):
    """One item's flow in one step: the maps `produced` and `consumed` of `steps` as a long table."""

    TABLE: ClassVar[str] = "flows"

    run_id: str = _column("string", "The run this row belongs to.")
    episode_id: str = _column("string", "The episode this row belongs to.")
    program_id: str = _column("string", "The program in whose step it flowed.")
    step: int = _column("int64", "Number of the step in the episode.")
    item: str = _column("string", "Name of the item or fluid.")
    produced: float = _column("double", "Amount made in this step, by machines and hands.", unit="items")
    consumed: float = _column("double", "Amount used up in this step.", unit="items")


@dataclass(slots=True, kw_only=True)
class EventRecord(Record):
    """Something that happened around the episodes: limiter, faults, retries, resumes."""

    TABLE: ClassVar[str] = "events"

    run_id: str = _column("string", "The run this row belongs to.")
    episode_id: str | None = _column("string", "The episode it concerns.", null="it concerns the whole run")
    step: int | None = _column("int64", "The episode's step it fell in.", null="in no step")
    agent_idx: int | None = _column("int64", "The agent it concerns.", null="none in particular")
    at: datetime = _column("timestamp", "When it happened.", unit="us, UTC")
    kind: str = _column("string", "What happened, e.g. rate_limited, limit_changed, instance_died, resumed.")
    source: str = _column("string", "Who reports it: an endpoint, an instance, the driver.", default="")
    message: str = _column("string", "In words.", default="")
    value: float | None = _column("double", "The event's number, e.g. seconds waited, new limit.", null="it has none")
    host: str = _column("string", "Machine it happened on.", default="")
    meta: str | None = _column("json", "Details.", null="nothing")


TABLES: dict[str, type[Record]] = {
    kind.TABLE: kind for kind in (StepRecord, EpisodeRecord, CallRecord, MessageRecord, FlowRecord, EventRecord)
}
"""Table name to record class, in the order the documentation lists them."""


def columns(kind: type[Record]) -> tuple[Column, ...]:
    """The columns of a record class, in the order of the file."""
    out = []
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        name, type_, meaning, unit, null = field.metadata["column"]
        out.append(Column(name or field.name, field.name, type_, meaning, unit, null))
    return tuple(out)


def flows_of(step: StepRecord) -> list[FlowRecord]:
    """The rows of `flows` that belong to a step: one an item that was produced or consumed, by name."""
    return [
        FlowRecord(
            run_id=step.run_id,
            episode_id=step.episode_id,
            program_id=step.program_id,
            step=step.step,
            item=item,
            produced=float(step.produced.get(item, 0.0)),
            consumed=float(step.consumed.get(item, 0.0)),
        )
        for item in sorted(step.produced.keys() | step.consumed.keys())
    ]
