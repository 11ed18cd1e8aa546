"""A run's progress, told to a tracker as well."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fle_ray.config import Config, plain_config
from fle_ray.dataset.records import EpisodeRecord, EventRecord, StepRecord
from fle_ray.errors import StorageError
from fle_ray.experiment.progress import Progress
from fle_ray.experiment.spec import EpisodeSpec
from fle_ray.tracking import Background, RunInfo, Tracker, make_tracker
from fle_ray.tracking.numbers import RunNumbers, of_episode, of_step

if TYPE_CHECKING:
    from fle_ray.dataset.writer import RunWriter

__all__ = ["TrackedProgress", "make_tracking"]


class TrackedProgress(Progress):
    """Passes everything on to a run's own view, and its numbers to a tracker.

    A tracker that fails is told nothing more; the run goes on, with a warning and a row `tracker_failed` in `events`.

    Args:
        shown: the view.
        tracker: its name, for the warning; make: makes it.
        planned: episodes of the run.
        failed: called once, with why the tracker failed.
        steps: whether numbers of each step are handed over.
        wait_s: how long the end waits for the tracker.
    """

    def __init__(
        self,
        shown: Progress,
        make: Callable[[], Tracker],
        info: RunInfo,
        planned: int,
        failed: Callable[[str], None],
        *,
        steps: bool = True,
        wait_s: float = 30.0,
    ) -> None:
        super().__init__(planned, clock=shown.clock)
        self._shown = shown
        self._make = make
        self._info = info
        self._numbers = RunNumbers(planned)
        self._failed: Callable[[str], None] | None = failed
        self._steps = steps
        self._wait_s = wait_s
        self._tracker: Background | None = None

    def begin(self, recorded: Iterable[StepRecord], *, resumed: bool) -> None:
        """Start the tracker.

        Args:
            recorded: steps of earlier sessions, of episodes that are not complete.
            resumed: whether there was an earlier session.
        """
        for step in recorded:
            self._numbers.add_step(step)
        self._tracker = Background(self._make, wait_s=self._wait_s)
        self._tracker.run_started(dataclasses.replace(self._info, resumed=resumed))

    def end(self, status: str) -> None:
        """Tell how the run ended, and wait for the tracker."""
        if self._tracker is not None:
            self._tracker.run_ended(self._numbers.summary(), status)
            self._look()

    def _tell(self, values: dict[str, float]) -> None:
        if self._tracker is not None and values:
            self._tracker.scalars(values, self._numbers.steps)
            self._look()

    def _look(self) -> None:
        """Say it, once, when the tracker has failed."""
        if self._failed is not None and self._tracker is not None and self._tracker.failure is not None:
            failed, self._failed = self._failed, None
            failed(self._tracker.failure)

    # what happens

    def step(self, spec: EpisodeSpec, step: StepRecord, *, job: str = "") -> None:
        self._shown.step(spec, step, job=job)
        self._numbers.add_step(step)
        self._tell(of_step(step) if self._steps else {})

    def ended(self, record: EpisodeRecord, *, before: bool = False, job: str = "") -> None:
        self._shown.ended(record, before=before, job=job)
        self._numbers.add_episode(record, before=before)
        if not before:
            self._tell({**of_episode(record), **self._numbers.summary()})

    def started(self, spec: EpisodeSpec, steps: int, *, job: str = "") -> None:
        self._shown.started(spec, steps, job=job)

    def retried(self, spec: EpisodeSpec, why: str, times: int, *, job: str = "") -> None:
        self._shown.retried(spec, why, times, job=job)

    def stopped(self, spec: EpisodeSpec, *, job: str = "") -> None:
        self._shown.stopped(spec, job=job)

    def note(self, text: str, *, job: str = "") -> None:
        self._shown.note(text, job=job)

    def close(self) -> None:
        self._shown.close()


def make_tracking(config: Config, planned: int, writer: RunWriter, shown: Progress) -> TrackedProgress | None:
    """What `tracker` in the configuration asks for; None for `none`."""
    wanted = config.tracker
    if wanted.name == "none":
        return None
    folder = Path(wanted.folder or f"{config.run.root}/_{wanted.name}").absolute()

    def failed(why: str) -> None:
        shown.note(f"Tracker {wanted.name} has failed and is told nothing more: {why}. The run goes on.")
        event = EventRecord(
            run_id=writer.run_id, at=datetime.now(UTC), kind="tracker_failed", source=wanted.name, message=why
        )
        try:
            writer.append_events([event])
        except StorageError:
            pass  # of a full disk, which the run finds by itself

    make = partial(make_tracker, wanted.name, folder, project=wanted.project, uri=wanted.uri, mode=wanted.mode)
    info = RunInfo(config.name, writer.run_id, plain_config(config), tuple(config.tags))
    return TrackedProgress(shown, make, info, planned, failed, steps=wanted.steps, wait_s=wanted.wait_s)
