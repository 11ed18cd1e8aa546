"""The Hydra launcher `fle_ray`: hands all jobs of a sweep to the launcher's program at once, which packs them.

Hydra finds it by this namespace package, so there is no `__init__.py` here, and every program with Hydra in the same
environment imports this module: it imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.utils import JobReturn, JobStatus
from hydra.errors import HydraException
from hydra.plugins.launcher import Launcher
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig

__all__ = ["FleRayLauncher"]


# No dataclass: Hydra's scanner runs a module before it is in sys.modules, where dataclasses look for it.
ConfigStore.instance().store(
    group="hydra/launcher",
    name="fle_ray",
    node={"_target_": "hydra_plugins.fle_ray_launcher.FleRayLauncher"},
    provider="fle_ray",
)


class FleRayLauncher(Launcher):
    """Calls `play_sweep(first number, overrides of each job, compose)` of the task function, once a batch.

    `compose` makes a job's configuration from its overrides. `play_sweep` returns an exit status for each job.
    """

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        self._context = hydra_context
        self._task_function = task_function
        self._config = config

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
        play_sweep = getattr(self._task_function, "play_sweep", None)
        if play_sweep is None:
            raise HydraException(
                "hydra/launcher=fle_ray launches `python -m fle_ray.launch` alone. Use hydra/launcher=basic."
            )
        returned = []
        for overrides, code in zip(
            job_overrides, play_sweep(initial_job_idx, job_overrides, self._composed), strict=True
        ):
            job = JobReturn(overrides=overrides, task_name="launch", status=JobStatus.COMPLETED)
            job.return_value = code
            returned.append(job)
        return returned

    def _composed(self, overrides: Sequence[str]) -> Any:
        return self._context.config_loader.load_sweep_config(self._config, list(overrides))
