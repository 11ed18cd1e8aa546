"""What a tracker is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

__all__ = ["RunInfo", "Tracker"]


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A run that begins, or is gone on with.

    Attributes:
        experiment: its name; run_id: the run's.
        config: the whole configuration as plain values, without secrets.
        tags: the experiment's words.
        resumed: whether an earlier session has told of it already.
    """

    experiment: str
    run_id: str
    config: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    resumed: bool = False


@runtime_checkable
class Tracker(Protocol):
    """Where a run's numbers are shown besides. Called from one thread, in this order; may raise anything."""

    def run_started(self, run: RunInfo) -> None:
        """Once, before anything else."""

    def scalars(self, values: Mapping[str, float], at: int) -> None:
        """Numbers by name, e.g. `{"run/success_rate": 0.5}`.

        Args:
            at: how many steps of the run are recorded, its earlier sessions included; never decreases.
        """

    def run_ended(self, summary: Mapping[str, float], status: str) -> None:
        """Once, last.

        Args:
            summary: the run's last numbers.
            status: "complete", "owed", "cancelled" or "interrupted", as in the manifest.
        """
