"""Weights & Biases: files for `wandb sync` by default, its service when asked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from fle_ray.tracking.contract import RunInfo

__all__ = ["WandbTracker"]


class WandbTracker:
    """One W&B run a run, with the run's id; a resumed one goes on under the same id.

    Args:
        folder: W&B's files lie in `<folder>/wandb`.
        project: W&B's project; None for the experiment's name.
        mode: "offline" writes files only, to be sent by `wandb sync`; "online" needs its service and a login.
    """

    def __init__(self, folder: Path, *, project: str | None = None, mode: str = "offline") -> None:
        os.environ.setdefault("WANDB_ERROR_REPORTING", "false")  # it tells its makers of its errors, otherwise
        import wandb

        self._wandb = wandb
        self._folder = folder
        self._project = project
        self._mode = mode

    def run_started(self, run: RunInfo) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._run = self._wandb.init(
            project=self._project or run.experiment,
            id=run.run_id,
            name=run.run_id,
            group=run.experiment,
            tags=list(run.tags) or None,
            config=dict(run.config),
            dir=str(self._folder),
            mode=self._mode,
            resume="allow" if self._mode == "online" else None,
            reinit="create_new",  # the runs of a sweep are open at the same time
            settings=self._wandb.Settings(silent=True, console="off", save_code=False, disable_git=True),
        )

    def scalars(self, values: Mapping[str, float], at: int) -> None:
        self._run.log(dict(values), step=at)

    def run_ended(self, summary: Mapping[str, float], status: str) -> None:
        self._run.summary.update({**summary, "status": status})
        self._run.finish(exit_code=0 if status == "complete" else 1)
