"""From specifications to the things themselves: games, program runners, agents, environments.

Everything is imported when it is first needed, so planning an experiment loads no simulator and playing one loads
no other engine. `check_*` refuse what could not be made, before anything is started.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import fle_ray
from fle_ray.agents import Agent, find_agent, make_agent
from fle_ray.agents.registry import BUILT_IN
from fle_ray.errors import ConfigError, EngineError, ToolError, UnknownName, nearest_names
from fle_ray.experiment.spec import AgentSpec, EpisodeSpec, Limits, PartSpec
from fle_ray.tasks import get_task
from fle_ray.tasks.contract import Task

if TYPE_CHECKING:
    from fle_ray.env.environment import FactorioEnv
    from fle_ray.env.session import MakeSession
    from fle_ray.game.contracts import Instance

__all__ = [
    "ENGINE_GROUP",
    "check_agent",
    "check_engine",
    "check_env",
    "check_interpreter",
    "check_ready",
    "child_sessions",
    "engine_names",
    "engine_version",
    "is_exact",
    "isolation_layers",
    "most_instances",
    "new_agent",
    "new_env",
    "new_instance",
    "new_make_session",
    "not_supported",
    "system_prompt",
]

ENGINE_GROUP = "fle_ray.engines"

_ENGINES = {"factorio": "fle_ray.factorio.remote.RemoteInstance", "sim": "fle_ray.tools.LocalInstance"}
_INTERPRETERS = {"child": "fle_ray.experiment.build.child_sessions"}
_STARTS = 3  # of a child, before it counts as one that cannot start here
_OF_THE_ENV = ("settle_ticks",)  # written in the engine's configuration, used by the environment


def _found(path: str, what: str) -> Callable[..., Any]:
    """The class or function at an import path, `package.module.Name` or `package.module:Name`."""
    module, separator, attribute = path.partition(":")
    if not separator:
        module, _, attribute = path.rpartition(".")
    if not module or not attribute:
        raise ConfigError(f"{what}: expected the import path of a class, such as my_package.games.MyGame.")
    try:
        found = getattr(import_module(module), attribute)
    except Exception as error:  # whatever a module of the user's raises while it is imported
        raise ConfigError(f"{what} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise ConfigError(f"{what} is a {type(found).__name__}; expected a class or a function.")
    return found


def _check_keywords(
    what: str, maker: Callable[..., Any], given: Mapping[str, Any], *, ours: Sequence[str] = (), group: str = ""
) -> None:
    """Refuse parameters that `maker` does not take, and missing ones; those in `ours` are supplied by us."""
    known = [p for p in inspect.signature(maker).parameters.values() if p.name not in ours]
    named = [p for p in known if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    if not any(p.kind is p.VAR_KEYWORD for p in known):
        names = [p.name for p in named]
        for name in given:
            if name not in names:
                near = nearest_names(name, names)
                hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
                raise ConfigError(f"{what} has no parameter {name!r}.{hint} It has: {', '.join(names) or 'none'}.")
    for p in named:
        if p.default is p.empty and p.name not in given:
            raise ConfigError(f"{what} needs {group}.{p.name}, which is not set.")


# ---- engines


def engine_names() -> list[str]:
    """Engines that can be named: ours, then those of other packages (entry points of `fle_ray.engines`)."""
    return [*_ENGINES, *sorted(point.name for point in entry_points(group=ENGINE_GROUP) if point.name not in _ENGINES)]


def _engine_maker(engine: PartSpec) -> Callable[..., Any]:
    if engine.target is not None:
        return _found(engine.target, f"Engine {engine.name!r}: _target_ {engine.target!r}")
    if engine.name in _ENGINES:
        return _found(_ENGINES[engine.name], f"Engine {engine.name!r}")
    for point in entry_points(group=ENGINE_GROUP):
        if point.name == engine.name:
            return _found(point.value, f"Engine {engine.name!r} (entry point {point.value!r})")
    raise UnknownName(
        "engine",
        engine.name,
        engine_names(),
        f"There are: {', '.join(engine_names())}. Or give the import path of a class as engine._target_.",
    )


def _engine_keywords(engine: PartSpec) -> dict[str, Any]:
    keywords = {name: value for name, value in engine.parameters.items() if name not in _OF_THE_ENV}
    pool = getattr(engine, "pool", None)
    return {**keywords, "pool": dict(pool)} if pool else keywords


def check_engine(engine: PartSpec) -> None:
    """Raises ConfigError when there is no such engine, or it has no such parameter."""
    maker = _engine_maker(engine)
    _check_keywords(f"Engine {engine.name!r}", maker, _engine_keywords(engine), group="engine")
    settle = engine.parameters.get("settle_ticks", 0)
    if isinstance(settle, bool) or not isinstance(settle, int) or settle < 0:
        raise ConfigError(f"engine.settle_ticks is {settle!r}; expected a whole number of at least 0.")


def is_exact(engine: PartSpec) -> bool:
    """Whether its snapshots hold everything (attribute `exact` of its class; true where it says nothing)."""
    return bool(getattr(_engine_maker(engine), "exact", True))


def check_ready(engine: PartSpec) -> None:
    """Raises ConfigError when the engine's class has a `check_ready` that says so: no server answers, say."""
    asked = getattr(_engine_maker(engine), "check_ready", None)
    if asked is not None:
        asked(**_engine_keywords(engine))


def most_instances(engine: PartSpec) -> int | None:
    """How many games there can be at a time (`most_instances` of the engine's class); None for any number."""
    asked = getattr(_engine_maker(engine), "most_instances", None)
    return None if asked is None else int(asked(**_engine_keywords(engine)))


def new_instance(engine: PartSpec) -> Instance:
    """A new game. Raises EngineError when it cannot be had."""
    return _engine_maker(engine)(**_engine_keywords(engine))


def engine_version(engine: PartSpec) -> str:
    """Version of the engine and its data, "" where it states none (attribute `engine_version` of its class)."""
    if engine.target is None and engine.name == "sim":
        from fle_ray.game.prototypes import load

        return f"{fle_ray.__version__} (game data {load().game_version})"
    return str(getattr(_engine_maker(engine), "engine_version", ""))


def not_supported(task: Task, engine: PartSpec, agents: Sequence[AgentSpec]) -> str | None:
    """Why this task cannot be played yet, as the end of a sentence; None when it can.

    An engine's class may have `supports(task) -> str | None`, or `supports(task, **parameters)`; so may an
    agent's, called with the task's key and the agent's parameters.
    """
    asked = getattr(_engine_maker(engine), "supports", None)
    if asked is not None:
        takes_parameters = len(inspect.signature(asked).parameters) > 1
        if why := asked(task, **_engine_keywords(engine)) if takes_parameters else asked(task):
            return why
    for agent in dict.fromkeys((a.name, a.target) for a in agents):
        spec = next(a for a in agents if (a.name, a.target) == agent)
        asked = getattr(find_agent(spec.name, spec.target), "supports", None)
        if asked is not None and (why := asked(task.key, **spec.parameters)):
            return why
    return None


# ---- what runs programs


def _interpreter_maker(interpreter: PartSpec) -> Callable[..., Any]:
    if interpreter.target is not None:
        return _found(interpreter.target, f"Interpreter {interpreter.name!r}: _target_ {interpreter.target!r}")
    if interpreter.name not in _INTERPRETERS:
        raise UnknownName("interpreter", interpreter.name, _INTERPRETERS, f"There are: {', '.join(_INTERPRETERS)}.")
    return _found(_INTERPRETERS[interpreter.name], f"Interpreter {interpreter.name!r}")


def check_interpreter(interpreter: PartSpec) -> None:
    """Raises ConfigError when there is no such interpreter, or it has no such parameter."""
    maker = _interpreter_maker(interpreter)
    what = f"Interpreter {interpreter.name!r}"
    _check_keywords(what, maker, interpreter.parameters, ours=("time_limit_s", "max_calls"), group="interpreter")
    if interpreter.target is None:
        maker(time_limit_s=1.0, max_calls=1, **interpreter.parameters)  # starts nothing; refuses values out of range


def new_make_session(interpreter: PartSpec, limits: Limits) -> MakeSession:
    """What makes a session for each agent."""
    return _interpreter_maker(interpreter)(
        time_limit_s=limits.step_wall_s, max_calls=limits.max_calls_per_step, **interpreter.parameters
    )


def child_sessions(
    *,
    time_limit_s: float,
    max_calls: int,
    memory_mb: int = 512,
    output_lines: int = 512,
    require: Sequence[str] = (),
    without: Sequence[str] = (),
) -> MakeSession:
    """Isolated child processes; the interpreter named `child`.

    Args:
        memory_mb: what a program may take beyond what the child starts with.
        output_lines: printed lines that are shown.
        require: isolation layers without which no program is run; without: layers left off.
    """
    from fle_ray.env.session import child_sessions as sessions
    from fle_ray.interpreter.limits import MIB, LayerPolicy
    from fle_ray.interpreter.limits import Limits as ProgramLimits

    limits = ProgramLimits(
        wall_s=time_limit_s,
        cpu_s=time_limit_s,
        max_calls=max_calls,
        memory_bytes=memory_mb * MIB,
        output_lines=output_lines,
    )
    return sessions(limits, LayerPolicy(require=tuple(require), without=tuple(without)))


def isolation_layers(interpreter: PartSpec) -> list[str] | None:
    """Which layers keep programs in on this machine, found by starting one; None where nobody says.

    One that was ended from outside while it started is started again.

    Raises:
        ConfigError: a layer that is required is not to be had here.
        EngineError: no program can be run here.
    """
    for attempt in range(_STARTS):
        try:
            session = new_make_session(interpreter, Limits())(_no_tools, lambda: 0)
            break
        except EngineError:
            if attempt == _STARTS - 1:
                raise
    try:
        if not hasattr(session, "layers"):
            return None
        return list(session.layers)
    finally:
        session.close()


def _no_tools(tool: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    raise ToolError(f"There is no game to call {tool!r} in.")


# ---- agents


def check_agent(agent: AgentSpec) -> None:
    """Raises ConfigError when there is no such agent, or it has no such parameter."""
    maker = find_agent(agent.name, agent.target)
    _check_keywords(f"Agent {agent.name!r}", maker, agent.parameters, group="agent")
    if agent.target is None and agent.name in BUILT_IN:
        new_agent(agent)  # ours start nothing when made; a missing key or package is found here


def new_agent(agent: AgentSpec) -> Agent:
    return make_agent(agent.name, agent.parameters, target=agent.target)


def system_prompt(task: Task, agent_idx: int) -> str:
    """The manual that an agent is given, generated; the same for every episode of a task and agent."""
    from fle_ray.agents.prompts import system_prompt as generated

    return generated(task, agent_idx)


# ---- environments


def check_env(env: Mapping[str, Any]) -> None:
    """Raises ConfigError when an observation cannot be written so."""
    observation_format(env.get("observation") or {})


def observation_format(fields: Mapping[str, Any]) -> Any:
    from fle_ray.env.formatting import ObservationFormat

    _check_keywords("The observation format", ObservationFormat, fields)
    return ObservationFormat(**{k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()})


def new_env(spec: EpisodeSpec, instance: Instance, make_session: MakeSession) -> FactorioEnv:
    """The environment of an episode around a game."""
    from fle_ray.env.environment import FactorioEnv

    return FactorioEnv(
        instance,
        get_task(spec.task, **spec.task_parameters),
        make_session=make_session,
        seed=spec.seed,
        max_ticks_per_step=spec.limits.max_ticks_per_step,
        max_steps=spec.limits.max_steps,
        settle_ticks=int(spec.engine.parameters.get("settle_ticks", 0)),
        error_penalty=float(spec.env.get("error_penalty", 0.0)),
        observation_format=observation_format(spec.env.get("observation") or {}),
    )
