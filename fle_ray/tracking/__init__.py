"""Copies of a run's numbers for TensorBoard, MLflow and Weights & Biases. Off by default; the dataset is the record.

A `Tracker` is told of the run's beginning, of scalars and of its end. `Background` keeps its failures, and its
slowness, away from the run.
"""

from __future__ import annotations

from fle_ray.tracking.background import Background
from fle_ray.tracking.contract import RunInfo, Tracker
from fle_ray.tracking.registry import TRACKERS, check_tracker, make_tracker

__all__ = ["TRACKERS", "Background", "RunInfo", "Tracker", "check_tracker", "make_tracker"]
