"""The schema of every configuration group, and the check of a composed configuration against it.

A composed configuration becomes one `Config`, or one `ConfigError` of one line. Each setting is a dataclass field
with its meaning, its range and its unit; docs/configuration.md is made from here.

Settings do one of two things: most define what is played and belong to an episode's identity; those of `run`,
`runner` (but for the ones marked as defining), `dataset`, `tracker` and `budgets.run` only say how and where.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING, DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from fle_ray.errors import ConfigError, UnknownName

__all__ = [
    "AgentConfig",
    "BudgetConfig",
    "BudgetsConfig",
    "Config",
    "DatasetConfig",
    "EngineConfig",
    "EnvConfig",
    "LlmConfig",
    "PartConfig",
    "PoolConfig",
    "RunConfig",
    "RunnerConfig",
    "TrackerConfig",
    "documentation",
    "load_config",
    "plain_config",
    "redacted",
    "setting_names",
    "settings",
]

REDACTED = "<redacted>"
_IN_URL = re.compile(r"(?<=://)[^/@\s]+(?=@)")  # user and password
_SECRET = re.compile(r"(^|_)(api_?key|token|secret|password|passwd|credentials?|authorization)$", re.IGNORECASE)


def _setting(
    default: Any,
    meaning: str,
    *,
    least: float | None = None,
    choices: tuple[str, ...] = (),
    unit: str = "",
    defining: bool = False,
) -> Any:
    about = {"meaning": meaning, "least": least, "choices": choices, "unit": unit, "defining": defining}
    if isinstance(default, (dict, list)):
        return field(default_factory=lambda: type(default)(default), metadata=about)
    if isinstance(default, type):
        return field(default_factory=default, metadata=about)
    return field(default=default, metadata=about)


@dataclass
class RunConfig:
    """Where a run lies and which one it is."""

    root: str = _setting("data", "Folder of all runs; a run lies in <root>/<name>/<id>.")
    id: str | None = _setting(
        None, "Name of the run. An id that is there already is resumed. Null: a time and a random part."
    )
    dry_run: bool = _setting(False, "Print the plan and start nothing.")
    resume: str | None = _setting(None, "Id of the run to go on with; it must be there.")


@dataclass
class RunnerConfig:
    """How episodes are played: limits, turns, backend, parallelism."""

    backend: str = _setting("ray", "Play on Ray, or one after another in this process.", choices=("ray", "serial"))
    address: str | None = _setting(None, "Ray cluster to use: auto, or host:port. Null: a local Ray of its own.")
    instances: int | None = _setting(
        None, "Games at a time. Null: one a core of this machine; 1 with the serial backend.", least=1
    )
    max_steps: int | None = _setting(
        None, "Programs that each agent may run. Null: the task's own number.", least=1, defining=True
    )
    turns: str = _setting(
        "interleaved",
        "Order of several agents: a step each in turn, or each until its turn is done.",
        choices=("interleaved", "agent_by_agent"),
        defining=True,
    )
    reset_states: bool = _setting(
        False, "Before each try the world is set back to the last accepted state.", defining=True
    )
    max_ticks_per_step: int = _setting(
        72_000, "Game time that one program may use.", least=1, unit="ticks", defining=True
    )
    max_calls_per_step: int = _setting(2_000, "Tool calls that one program may make.", least=1, defining=True)
    step_wall_s: float = _setting(
        120.0, "Real time after which a program is killed.", least=0.1, unit="s", defining=True
    )
    max_episode_retries: int = _setting(
        2, "How often an episode is taken up again after the game failed under it.", least=0
    )
    max_restarts: int = _setting(10, "How many dead instances are replaced in a run before it stops.", least=0)
    log_dir: str | None = _setting(None, "Folder for each step's program and observation as plain files. Null: none.")
    cpus_per_instance: float = _setting(
        1.0, "Cores that Ray reserves for an instance; a fraction for agents that mostly wait.", least=0.0
    )
    memory_per_instance_mb: float | None = _setting(
        None, "Memory that Ray reserves for an instance. Null: none.", least=1, unit="MB"
    )
    progress: str = _setting(
        "auto",
        "A live view, plain lines, or nothing; auto: live in a terminal.",
        choices=("auto", "live", "plain", "none"),
    )
    verbose: bool = _setting(False, "Show what Ray and its workers print.")


@dataclass
class BudgetConfig:
    """Limits whose reaching is a result. Null: no limit."""

    steps: int | None = _setting(None, "Programs of all agents together.", least=1)
    tokens: int | None = _setting(None, "Tokens sent and written.", least=1)
    cost_usd: float | None = _setting(None, "Price of the model calls.", least=0.0, unit="US dollars")
    working_s: float | None = _setting(
        None, "Working time: answering, running, judging; waiting for rate limits left out.", least=0.0, unit="s"
    )
    wall_s: float | None = _setting(None, "Time on the wall, waiting included.", least=0.0, unit="s")
    ticks: int | None = _setting(None, "Game time.", least=1, unit="ticks")


@dataclass
class BudgetsConfig:
    """Budgets of each episode and of the whole run."""

    episode: BudgetConfig = _setting(BudgetConfig, "Budget of each episode.", defining=True)
    run: BudgetConfig = _setting(BudgetConfig, "Budget of the run: no step begins after it is reached.")


@dataclass
class DatasetConfig:
    """What is kept, and how durably."""

    states: str = _setting(
        "every_n",
        "Which snapshots stay beside those that resuming needs.",
        choices=("all", "every_n", "last"),
    )
    states_every: int = _setting(10, "The n of every_n.", least=1)
    fsync: bool = _setting(
        True, "Wait for the disk at each step. Without it a power cut may lose steps, a kill still may not."
    )
    steps_per_part: int = _setting(2_000, "Longer episodes are written in several parts.", least=1)
    compact: bool = _setting(True, "Merge the files of complete episodes into few when the run ends (local files only).")
    parts_root: str | None = _setting(None, "Folder or URL for the finished Parquet files. Null: the run's own folder.")


@dataclass
class TrackerConfig:
    """A copy of the run's numbers elsewhere; what fails there never harms the run."""

    name: str = _setting(
        "none", "Where the numbers are shown besides.", choices=("none", "mlflow", "tensorboard", "wandb")
    )
    steps: bool = _setting(True, "Numbers of each step too, not only of episodes and of the run.")
    folder: str | None = _setting(None, "Where its files lie. Null: <run.root>/_<name>.")
    project: str | None = _setting(None, "Project of W&B, experiment of MLflow. Null: the experiment's name.")
    uri: str | None = _setting(None, "MLflow's tracking URI. Null: a SQLite file in the folder.")
    mode: str = _setting("offline", "W&B: files for `wandb sync`, or its service.", choices=("offline", "online"))
    wait_s: float = _setting(30.0, "How long the run's end waits for what is not written yet.", least=0, unit="s")


@dataclass
class LlmConfig:
    """The gateway that all calls of language models go through."""

    cache: str = _setting(
        "off",
        "Replies by model, messages, settings, seed and trial, below <run.root>/_llm_cache: not used; used where "
        "there are any; used and kept.",
        choices=("off", "read", "write"),
    )
    first_concurrency: int = _setting(16, "Calls at once to an endpoint, to begin with.", least=1)
    most_concurrency: int = _setting(
        256, "Calls at once to an endpoint, at most; grows to it while used, halved by each 429.", least=1
    )
    requests_per_minute: int | None = _setting(None, "Calls to an endpoint in any minute. Null: no limit.", least=1)
    tokens_per_minute: int | None = _setting(
        None, "Tokens sent to and written by an endpoint in any minute. Null: no limit.", least=1
    )


@dataclass
class EnvConfig:
    """The environment around each game."""

    error_penalty: float = _setting(
        0.0, "Subtracted from the reward of a step that had an error.", least=0.0, defining=True
    )
    observation: dict[str, Any] = _setting(
        {}, "How observations are written for agents: fields of env.formatting.ObservationFormat.", defining=True
    )


@dataclass
class PartConfig:
    """A part that can be exchanged: an engine, an interpreter. Further keys are its own parameters.

    Either `name` is one that is registered, or `_target_` is the import path of a class or function.
    """

    name: str = _setting(MISSING, "Its name, as it stands in the data.", defining=True)
    target: str | None = _setting(None, "Written `_target_`: import path of what makes it.", defining=True)
    parameters: dict[str, Any] = _setting({}, "All further keys.", defining=True)


@dataclass
class PoolConfig:
    """The Factorio servers of engine=factorio, and how they are shared. Of no other engine's concern."""

    servers: list[Any] = _setting(
        [], "Each as host:port, or a mapping of address, port and password_env, the variable with its password."
    )
    wait_s: float = _setting(3600.0, "How long to wait for a server while all are played on.", least=0, unit="s")
    revive_s: float = _setting(60.0, "How long to wait for one to come back when none answers.", least=0, unit="s")
    timeout_s: float = _setting(120.0, "Time without an answer after which a server is lost.", least=1, unit="s")
    leases: str | None = _setting(
        None,
        "Folder of the locks that keep two from one server. Null: this user's on this machine. For actors on several "
        "machines: one that they share.",
    )


@dataclass
class EngineConfig(PartConfig):
    """The game: `name` or `_target_`, its parameters, and the servers it is played on, if any."""

    pool: PoolConfig = _setting(PoolConfig, "Servers to play on.")


@dataclass
class AgentConfig(PartConfig):
    """An agent: `name` or `_target_`, and its parameters."""

    placement: str = _setting(
        "instance",
        "Beside its game, or with many others in an actor for agents that wait for a model.",
        choices=("instance", "actor"),
    )


@dataclass
class Config:
    """A whole experiment. `load_config` makes it from what Hydra composed."""

    name: str = _setting(MISSING, "Name of the experiment; the folder of its runs.", defining=True)
    description: str = _setting("", "What the experiment is for.", defining=True)
    version: str = _setting("1", "Version of the experiment, your own.", defining=True)
    tags: list[str] = _setting([], "Words to find its episodes by.", defining=True)
    tasks: Any = _setting(MISSING, "Task names and globs: one, or a list.", defining=True)
    seeds: Any = _setting([0], "Seeds: one, a list, or a range such as 0..9.", defining=True)
    trials: int = _setting(1, "Repetitions of each task and seed.", least=1, defining=True)
    task: dict[str, Any] = _setting(
        {}, "Parameters of the tasks, e.g. measure; applied to the tasks that have them.", defining=True
    )
    agent: AgentConfig = _setting(AgentConfig, "Who plays; every agent of a task with several.", defining=True)
    agents: Any = _setting(
        None, "For tasks with several agents: a list or mapping of agents in their order.", defining=True
    )
    engine: EngineConfig = _setting(EngineConfig, "The game.", defining=True)
    interpreter: PartConfig = _setting(PartConfig, "What runs the agents' programs.", defining=True)
    env: EnvConfig = _setting(EnvConfig, "The environment around each game.")
    runner: RunnerConfig = _setting(RunnerConfig, "How episodes are played.")
    budgets: BudgetsConfig = _setting(BudgetsConfig, "Limits whose reaching is a result.")
    dataset: DatasetConfig = _setting(DatasetConfig, "What is kept.")
    llm: LlmConfig = _setting(LlmConfig, "The gateway to language models.")
    tracker: TrackerConfig = _setting(TrackerConfig, "A copy of the numbers elsewhere.")
    run: RunConfig = _setting(RunConfig, "Where the run lies.")


# ---- the settings as a list


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its dotted name and what its field says about it."""

    name: str
    type: Any
    default: Any
    meaning: str
    unit: str
    least: float | None
    choices: tuple[str, ...]
    defining: bool


def settings(kind: type = Config, prefix: str = "", defining: bool = False) -> Iterator[Setting]:
    """Every setting of a group, in the order they are declared; groups are opened, not listed."""
    hints = typing.get_type_hints(kind)
    for f in dataclasses.fields(kind):
        name, type_, about = f"{prefix}{f.name}", hints[f.name], f.metadata
        inherits = defining or about["defining"]
        if dataclasses.is_dataclass(type_):
            yield from settings(type_, f"{name}.", inherits)
            continue
        default = f.default if f.default is not dataclasses.MISSING else f.default_factory()  # type: ignore[misc]
        if f.name == "target" and issubclass(kind, PartConfig):
            name = f"{prefix}_target_"
        own = about["defining"] if issubclass(kind, (RunnerConfig, PartConfig, PoolConfig, EnvConfig)) else inherits
        yield Setting(name, type_, default, about["meaning"], about["unit"], about["least"], about["choices"], own)


def setting_names() -> list[str]:
    """Dotted names of all settings and groups, for finding the nearest one."""
    names = [s.name for s in settings() if not s.name.endswith(".parameters")]
    groups = {name.rsplit(".", 1)[0] for name in names if "." in name}
    return [*names, *sorted(groups)]


# ---- from what Hydra composed


def load_config(composed: DictConfig | Mapping[str, Any]) -> Config:
    """Check a composed configuration and give it its types.

    Raises:
        ConfigError: an unknown key, a value of the wrong type or out of range, or one that is missing. One
            line, with the nearest known name.
    """
    if not isinstance(composed, DictConfig):
        composed = OmegaConf.create(dict(composed))
    try:
        plain = OmegaConf.to_container(composed, resolve=True)
    except OmegaConfBaseException as error:
        raise ConfigError(_first_line(error)) from error
    assert isinstance(plain, dict)
    plain.pop("hydra", None)
    for key, kind in (("agent", AgentConfig), ("engine", EngineConfig), ("interpreter", PartConfig)):
        if key in plain:
            plain[key] = _part(plain[key], kind, key)
    for key in ("name", "tasks"):
        if plain.get(key) in (None, MISSING, ""):
            raise ConfigError(f"{key} is not set. Choose an experiment with +experiment=NAME, or give {key}=...")
    if plain.get("agents") is not None:
        plain["agents"] = _several_agents(plain["agents"])
    try:
        merged = OmegaConf.merge(OmegaConf.structured(Config), OmegaConf.create(plain, flags={"allow_objects": True}))
        config = OmegaConf.to_object(merged)
    except OmegaConfBaseException as error:
        raise _explained(error, plain) from error
    assert isinstance(config, Config)
    _check(config)
    return config


def _part(value: Any, kind: type[PartConfig], where: str) -> dict[str, Any]:
    """The flat keys of a part sorted into name, target and parameters."""
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where} is {value!r}; expected the name of one, or a mapping with `name` or `_target_`.")
    rest = {str(key): v for key, v in value.items()}
    known: dict[str, Any] = {"target": rest.pop("_target_", None)}
    for own in ("placement",) if kind is AgentConfig else ("pool",) if kind is EngineConfig else ():
        if own in rest:
            known[own] = rest.pop(own)
    name = rest.pop("name", None) or (known["target"] or "").rsplit(".", 1)[-1]
    if not name:
        raise ConfigError(f"{where} has neither `name` nor `_target_`; give one of them.")
    return {**known, "name": name, "parameters": rest}


def _several_agents(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list) or not value:
        raise ConfigError(f"agents is {value!r}; expected a list or mapping of agents, or null.")
    return [_part(one, AgentConfig, f"agents[{i}]") for i, one in enumerate(value)]


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0].rstrip(".") + "."


def _explained(error: OmegaConfBaseException, plain: Mapping[str, Any]) -> ConfigError:
    """OmegaConf's complaint as one line that says what was expected."""
    key = error.full_key or str(error.key or "")
    known = {s.name: s for s in settings()}
    if error.key is not None and key not in known and key not in setting_names():
        return unknown_setting(key)
    value: Any = plain
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if key in known:
        return ConfigError(f"{key} is {value!r}; expected {_expected(known[key])}.")
    for group in (f.name for f in dataclasses.fields(Config)):
        if dataclasses.is_dataclass(typing.get_type_hints(Config)[group]) and not isinstance(
            plain.get(group, {}), Mapping
        ):
            return ConfigError(f"{group} is {plain[group]!r}; expected a group of settings.")
    return ConfigError(_first_line(error))


def unknown_setting(name: str) -> UnknownName:
    """The error for a setting that is not there."""
    names = setting_names()
    hint = "docs/configuration.md lists them all."
    if "." in name:  # the right name in the wrong group
        leaf = name.rsplit(".", 1)[1]
        same = [known for known in names if known.rsplit(".", 1)[-1] == leaf]
        if same:
            return UnknownName("setting", name, [], f"Did you mean {same[0]!r}? {hint}")
    return UnknownName("setting", name, names, hint)


def _expected(setting: Setting) -> str:
    base, optional = _base_type(setting.type)
    words = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "text",
    }.get(base, "a mapping" if typing.get_origin(base) is dict else "a list")
    if setting.choices:
        words = "one of " + ", ".join(setting.choices)
    if setting.least is not None:
        words += f" of at least {setting.least:g}"
    return words + (" or null" if optional else "")


def _base_type(type_: Any) -> tuple[Any, bool]:
    if typing.get_origin(type_) in (types.UnionType, typing.Union):
        inner = [t for t in typing.get_args(type_) if t is not type(None)]
        return inner[0], True
    return type_, False


def _check(config: Config) -> None:
    """Ranges, choices and what is missing."""
    for setting in settings():
        if setting.name.endswith("_target_"):
            continue
        value: Any = config
        for part in setting.name.split("."):
            value = getattr(value, part)
        if value is None:
            continue
        if setting.choices and value not in setting.choices:
            near = UnknownName("choice", str(value), setting.choices).nearest
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ConfigError(f"{setting.name} is {value!r}; expected {_expected(setting)}.{hint}")
        if setting.least is not None and not value >= setting.least:
            raise ConfigError(f"{setting.name} is {value!r}; expected {_expected(setting)}.")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", config.name):
        raise ConfigError(
            f"name is {config.name!r}; expected letters, digits, dots, dashes and underscores, for it names a folder."
        )
    for key in ("id", "resume"):
        value = getattr(config.run, key)
        if value is not None and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", value):
            raise ConfigError(
                f"run.{key} is {value!r}; expected letters, digits, dots, dashes and underscores, for it names a "
                "folder."
            )
    if config.run.id and config.run.resume and config.run.id != config.run.resume:
        raise ConfigError(
            f"run.id is {config.run.id!r} and run.resume is {config.run.resume!r}; give one of them, or the same."
        )


# ---- as plain data


def plain_config(config: Config) -> dict[str, Any]:
    """The configuration as Hydra would compose it: plain values, parts flat again, secrets redacted.

    `run.id` and `run.resume` are null: a run made from it is a new one.
    """
    plain = dataclasses.asdict(config)
    for key in ("agent", "engine", "interpreter"):
        plain[key] = _flat(plain[key])
    if plain["agents"] is not None:
        plain["agents"] = [_flat(one) for one in plain["agents"]]
    plain["run"]["id"] = plain["run"]["resume"] = None
    plain["run"]["dry_run"] = False
    return redacted(plain)


def _flat(part: dict[str, Any]) -> dict[str, Any]:
    part = dict(part)
    if "pool" in part and not part["pool"]["servers"]:
        del part["pool"]
    parameters, target = part.pop("parameters"), part.pop("target")
    return {**part, **({"_target_": target} if target else {}), **parameters}


def redacted(value: Any) -> Any:
    """A copy in which the value of every key that names a secret is replaced, and users and passwords in URLs; names
    of variables stay.
    """
    if isinstance(value, Mapping):
        return {
            key: REDACTED
            if _SECRET.search(str(key)) and v not in (None, "") and not isinstance(v, (Mapping, list))
            else redacted(v)
            for key, v in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [redacted(one) for one in value]
    return _IN_URL.sub(REDACTED, value) if isinstance(value, str) else value


# ---- the documentation's page


def documentation() -> str:
    """docs/configuration.md, as Markdown."""
    lines = [
        "# Configuration",
        "",
        "Made by `python -m fle_ray.config`; do not edit. Settings are overridden on the command line as",
        "`name=value` (docs/running.md); one that is not there yet, such as an agent's own parameter, as",
        "`+name=value`.",
        "",
        "Those marked *defines* are part of what an episode is: a run with another value plays other episodes. The",
        "rest only says how and where.",
    ]
    rows: dict[str, list[str]] = {}
    for setting in settings():
        if setting.name.endswith(".parameters"):
            continue
        group, _, _ = setting.name.rpartition(".")
        rows.setdefault(group, []).append(_documented(setting))
    for group, kind in _documented_groups():
        lines += ["", f"## {group or 'experiment'}", "", (kind.__doc__ or "").strip().splitlines()[0], ""]
        if issubclass(kind, PartConfig):
            lines += ["Further keys are parameters of what is named; see `conf/" + group + "/`.", ""]
        lines += ["| setting | default | values | meaning | |", "|---|---|---|---|---|", *rows[group]]
    return "\n".join(lines) + "\n"


def _documented_groups(kind: type = Config, prefix: str = "") -> Iterator[tuple[str, type]]:
    hints = typing.get_type_hints(kind)
    if prefix not in ("budgets",):
        yield prefix, kind
    for f in dataclasses.fields(kind):
        if dataclasses.is_dataclass(hints[f.name]):
            yield from _documented_groups(hints[f.name], f"{prefix}.{f.name}" if prefix else f.name)


def _documented(setting: Setting) -> str:
    default = "must be given" if setting.default == MISSING else _as_yaml(setting.default)
    values = "any" if setting.type is Any else _expected(setting)
    unit = f" ({setting.unit})" if setting.unit else ""
    defines = "defines" if setting.defining else ""
    return f"| `{setting.name}` | {default} | {values} | {setting.meaning}{unit} | {defines} |"


def _as_yaml(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return f"`{str(value).lower().replace('none', 'null')}`"
    return f"`{value}`" if value != "" else "empty"


if __name__ == "__main__":
    print(documentation(), end="")
