"""fle_ray: agents play Factorio by writing programs; every step becomes data.

    import fle_ray

    env = fle_ray.make_env("iron_ore_throughput", seed=0)      # a gymnasium environment
    run = fle_ray.open_run("data/lab_play/my_run")             # the dataset of a run

Importing this package registers the environments' ids with gymnasium and does nothing else: what the names
below stand for is imported when it is used.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fle_ray.agents.registry import agent_names, make_agent
    from fle_ray.dataset import open_run
    from fle_ray.env.registration import make_env
    from fle_ray.errors import FleRayError
    from fle_ray.tasks import get_task, select_tasks, task_names

__version__ = "0.1.0"

# Public name -> where it lives.
_EXPORTS = {
    "FleRayError": "fle_ray.errors",
    "agent_names": "fle_ray.agents.registry",
    "get_task": "fle_ray.tasks",
    "make_agent": "fle_ray.agents.registry",
    "make_env": "fle_ray.env.registration",
    "open_run": "fle_ray.dataset",
    "select_tasks": "fle_ray.tasks",
    "task_names": "fle_ray.tasks",
}

__all__ = [
    "FleRayError",
    "__version__",
    "agent_names",
    "get_task",
    "make_agent",
    "make_env",
    "open_run",
    "select_tasks",
    "task_names",
]


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module 'fle_ray' has no attribute {name!r}; it has: {', '.join(__all__)}")
    value = getattr(import_module(_EXPORTS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


# An agent's child process has no site packages, so no gymnasium and nothing to register with.
if find_spec("gymnasium") is not None:
    import_module("fle_ray.env.registration").register_environments()
