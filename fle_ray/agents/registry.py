"""Agents by name. Ours, those of other packages (entry points of the group `fle_ray.agents`), and any class by its
import path. Nothing is imported before it is made.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any

from fle_ray.agents.contract import Agent
from fle_ray.errors import ConfigError, UnknownName, nearest_names

__all__ = ["BUILT_IN", "ENTRY_POINT_GROUP", "agent_names", "find_agent", "make_agent"]

ENTRY_POINT_GROUP = "fle_ray.agents"

BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "anthropic": "fle_ray.agents.language_model.anthropic_agent",
        "idle": "fle_ray.agents.idle.IdleAgent",
        "openai": "fle_ray.agents.language_model.openai_agent",
        "random": "fle_ray.agents.random.RandomAgent",
        "replay": "fle_ray.agents.replay.ReplayAgent",
        "scripted": "fle_ray.agents.scripted.ScriptedAgent",
    }
)


def _plugins() -> dict[str, EntryPoint]:
    found = {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
    return {name: found[name] for name in sorted(found) if name not in BUILT_IN}


def agent_names() -> list[str]:
    """Every name that `make_agent` takes: ours, then those of plug-ins, each sorted."""
    return [*BUILT_IN, *_plugins()]


def find_agent(name: str, target: str | None = None) -> Callable[..., Agent]:
    """The class or function that makes an agent, without making one.

    Args:
        name: a registered name; only a label when `target` is given.
        target: import path of a class or function, `package.module.Name` or `package.module:Name`.

    Raises:
        UnknownName: no agent of this name.
        ConfigError: what it names cannot be imported or called.
    """
    if target is not None:
        return _imported(target, f"Agent {name!r}: _target_ {target!r}")
    if name in BUILT_IN:
        return _imported(BUILT_IN[name], f"Agent {name!r}")
    plugin = _plugins().get(name)
    if plugin is not None:
        return _imported(plugin.value, f"Agent {name!r} (entry point {plugin.value!r})")
    raise UnknownName(
        "agent",
        name,
        agent_names(),
        f"There are: {', '.join(agent_names())}. Or give the import path of a class as agent._target_.",
    )


def make_agent(name: str, parameters: Mapping[str, Any] | None = None, *, target: str | None = None) -> Agent:
    """A new agent.

        make_agent("scripted")
        make_agent("mine", {"patience": 3}, target="my_package.agents.PatientAgent")

    Args:
        name, target: as in `find_agent`.
        parameters: keyword arguments of its constructor.

    Raises:
        UnknownName: no agent of this name.
        ConfigError: it cannot be imported, has no such parameter, or what it makes is no agent.
    """
    maker = find_agent(name, target)
    keywords = dict(parameters or {})
    _check_parameters(name, maker, keywords)
    agent = maker(**keywords)
    if not isinstance(agent, Agent):
        missing = [m for m in ("reset", "act", "observe", "check_step_completion", "end") if not hasattr(agent, m)]
        raise ConfigError(
            f"Agent {name!r} is a {type(agent).__name__} without {', '.join(missing)}; deriving from"
            " fle_ray.agents.BaseAgent gives defaults for all but act."
        )
    return agent


def _imported(path: str, what: str) -> Callable[..., Agent]:
    module, separator, attribute = path.partition(":")
    if not separator:
        module, _, attribute = path.rpartition(".")
    if not module or not attribute:
        raise ConfigError(f"{what}: expected the import path of a class, such as my_package.agents.MyAgent.")
    try:
        found = getattr(import_module(module), attribute)
    except Exception as error:  # whatever a module of the user's raises while it is imported
        raise ConfigError(f"{what} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise ConfigError(f"{what} is a {type(found).__name__}; expected a class or a function that makes an agent.")
    return found


def _check_parameters(name: str, maker: Callable[..., Agent], parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that the maker does not take, and missing ones, before anything runs."""
    known = inspect.signature(maker).parameters
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in known.values()):
        return
    for parameter in parameters:
        if parameter not in known:
            near = nearest_names(parameter, known)
            hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            has = ", ".join(known) or "none"
            raise ConfigError(f"Agent {name!r} has no parameter {parameter!r}.{hint} It has: {has}.")
    for parameter in known.values():
        required = parameter.default is inspect.Parameter.empty and parameter.kind in (
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            inspect.Parameter.KEYWORD_ONLY,
        )
        if required and parameter.name not in parameters:
            raise ConfigError(f"Agent {name!r} needs agent.{parameter.name}, which is not set.")
