"""MLflow: a SQLite file on this machine by default, or any tracking server."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fle_ray.tracking.contract import RunInfo

__all__ = ["MlflowTracker"]

RUN_ID_TAG = "fle_ray.run_id"
_MOST_METRICS = 1_000  # of a call to log_batch; MLflow's limit
_LONGEST_PARAM = 6_000  # characters; MLflow's limit
_STATUSES = {"complete": "FINISHED", "owed": "FAILED", "cancelled": "KILLED", "interrupted": "KILLED"}


class MlflowTracker:
    """One MLflow run a run; a resumed one is found by its tag and gone on with.

    Args:
        folder: of the SQLite file; look with `mlflow ui --backend-store-uri sqlite:///<folder>/mlflow.db`.
        project: MLflow's experiment; None for the experiment's name.
        uri: MLflow's tracking URI; None for the SQLite file.
    """

    def __init__(self, folder: Path, *, project: str | None = None, uri: str | None = None) -> None:
        os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # it tells its makers how it is used, otherwise
        for talkative in ("mlflow", "alembic"):  # a new SQLite file is told of in dozens of lines
            logging.getLogger(talkative).setLevel(logging.WARNING)
        from mlflow.tracking import MlflowClient

        if uri is None:
            folder.mkdir(parents=True, exist_ok=True)
            uri = f"sqlite:///{folder / 'mlflow.db'}"
            self._artifacts: str | None = (folder / "artifacts").as_uri()
        else:
            self._artifacts = None
        self._client = MlflowClient(tracking_uri=uri)
        self._project = project

    def run_started(self, run: RunInfo) -> None:
        from mlflow.entities import Param

        name = self._project or run.experiment
        found = self._client.get_experiment_by_name(name)
        experiment = found.experiment_id if found else self._client.create_experiment(name, self._artifacts)
        earlier = self._earlier(experiment, run.run_id) if run.resumed else None
        if earlier is not None:
            self._run = earlier
            self._client.set_terminated(earlier, "RUNNING")
            return
        tags = {RUN_ID_TAG: run.run_id, **{f"fle_ray.tag.{tag}": "true" for tag in run.tags}}
        self._run = self._client.create_run(experiment, run_name=run.run_id, tags=tags).info.run_id
        params = [Param(name, value[:_LONGEST_PARAM]) for name, value in _flat(run.config).items()]
        for first in range(0, len(params), 100):  # of a call; MLflow's limit
            self._client.log_batch(self._run, params=params[first : first + 100])

    def _earlier(self, experiment: str, run_id: str) -> str | None:
        found = self._client.search_runs([experiment], f"tags.`{RUN_ID_TAG}` = '{run_id}'", max_results=1)
        return found[0].info.run_id if found else None

    def scalars(self, values: Mapping[str, float], at: int) -> None:
        from mlflow.entities import Metric

        now = round(time.time() * 1000)
        metrics = [Metric(name, value, now, at) for name, value in values.items()]
        for first in range(0, len(metrics), _MOST_METRICS):
            self._client.log_batch(self._run, metrics=metrics[first : first + _MOST_METRICS])

    def run_ended(self, summary: Mapping[str, float], status: str) -> None:
        self._client.set_tag(self._run, "fle_ray.status", status)
        self._client.set_terminated(self._run, _STATUSES[status])


def _flat(value: Any, prefix: str = "") -> dict[str, str]:
    """Nested settings by dotted name, as text."""
    if isinstance(value, Mapping) and (value or not prefix):
        out: dict[str, str] = {}
        for key, inner in value.items():
            out |= _flat(inner, f"{prefix}.{key}" if prefix else str(key))
        return out
    return {prefix: value if isinstance(value, str) else json.dumps(value, default=str)}
