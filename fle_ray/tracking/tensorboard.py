"""TensorBoard, by tensorboardX: event files on this machine, no torch, no network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from fle_ray.tracking.contract import RunInfo

__all__ = ["TensorBoardTracker"]


class TensorBoardTracker:
    """Writes `<folder>/<experiment>/<run_id>/events.out.tfevents.*`; look with `tensorboard --logdir <folder>`.

    A resumed run adds a file; TensorBoard shows both as one.
    """

    def __init__(self, folder: Path) -> None:
        from tensorboardX import SummaryWriter

        self._new_writer = SummaryWriter
        self._folder = folder
        self._at = 0

    def run_started(self, run: RunInfo) -> None:
        self._writer = self._new_writer(str(self._folder / run.experiment / run.run_id))
        text = json.dumps(run.config, indent=2, default=str)
        self._writer.add_text("config", "\n".join("    " + line for line in text.splitlines()), 0)

    def scalars(self, values: Mapping[str, float], at: int) -> None:
        self._at = at
        for name, value in values.items():
            self._writer.add_scalar(name, value, at)

    def run_ended(self, summary: Mapping[str, float], status: str) -> None:
        self.scalars(summary, self._at)
        self._writer.add_text("status", status, self._at)
        self._writer.close()
