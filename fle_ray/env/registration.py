"""Environments by name: `make_env("iron_ore_throughput")` and gymnasium's registry.

Registering stores strings only; the simulator is imported when an environment is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium

from fle_ray.tasks.catalogue import BUILT_IN_NAMES, get_task
from fle_ray.tasks.contract import Task

if TYPE_CHECKING:
    from fle_ray.env.environment import FactorioEnv
    from fle_ray.env.session import MakeSession
    from fle_ray.game.contracts import Instance

__all__ = ["env_id", "environment_info", "make_env", "register_environments"]


def env_id(task_key: str) -> str:
    """The id of a task's environment in gymnasium's registry, e.g. `fle_ray/iron_ore_throughput-v0`."""
    return f"fle_ray/{task_key}-v0"


def register_environments() -> None:
    """Register an id for every task of the catalogue; those that are registered already are left alone.

    Done by `import fle_ray`. Without that import, `gymnasium.make("fle_ray:" + env_id(key))` does it.
    """
    for key in BUILT_IN_NAMES:
        if env_id(key) not in gymnasium.registry:
            gymnasium.register(env_id(key), entry_point="fle_ray.env.registration:make_env", kwargs={"task": key})


def environment_info(task_key: str) -> dict[str, Any]:
    """What an environment is, before it is made: `env_id`, `task_key`, `description`, `num_agents`,
    `max_steps`.

    Raises:
        UnknownName: no such task.
    """
    task = get_task(task_key)
    return {
        "env_id": env_id(task.key),
        "task_key": task.key,
        "description": task.goal,
        "num_agents": task.agents,
        "max_steps": task.max_steps,
    }


def make_env(
    task: str | Task,
    *,
    seed: int | None = None,
    task_parameters: Mapping[str, Any] | None = None,
    instance: Instance | None = None,
    make_session: MakeSession | None = None,
    time_limit_s: float = 120.0,
    max_calls_per_step: int = 2_000,
    **options: Any,
) -> FactorioEnv:
    """An environment for a task, on the embedded simulator unless an instance is given.

        env = fle_ray.make_env("iron_ore_throughput", seed=0)
        observation, info = env.reset()

    Args:
        task: key of the catalogue or of a plug-in, or a task.
        seed: of the first episode; None draws one at `reset`.
        task_parameters: changed attributes of the task, e.g. `{"measure": "fork"}`; with a key only.
        instance: the game to play; the environment closes it. None makes an embedded one.
        make_session: what runs programs; None for an isolated child process per agent.
        time_limit_s: real seconds that one program may run before it is killed.
        max_calls_per_step: tool calls that one program may make.
        options: the other keyword arguments of `FactorioEnv`.

    Raises:
        UnknownName: no such task.
        ConfigError: a parameter or option that does not exist or is out of range.
    """
    from fle_ray.env.environment import FactorioEnv

    chosen = get_task(task, **(task_parameters or {})) if isinstance(task, str) else task
    if instance is None:
        from fle_ray.tools import LocalInstance

        instance = LocalInstance()
    if make_session is None:
        from fle_ray.env.session import child_sessions
        from fle_ray.interpreter.limits import Limits

        limits = Limits(wall_s=time_limit_s, cpu_s=time_limit_s, max_calls=max_calls_per_step)
        make_session = child_sessions(limits)
    return FactorioEnv(instance, chosen, make_session=make_session, seed=seed, **options)
