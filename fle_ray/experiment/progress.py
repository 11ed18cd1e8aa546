"""What a run shows while it goes on: a live view in a terminal, plain lines otherwise.

Both show, per running episode, step n of N, value, production score, time passed and time to go (from its last 50
steps); and over the run, episodes done, running and owed, successes, tokens and cost.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console

from fle_ray.dataset.records import EpisodeRecord, StepRecord
from fle_ray.experiment.spec import EpisodeSpec

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

__all__ = ["EpisodeView", "JobProgress", "LiveProgress", "NoProgress", "PlainProgress", "Progress", "make_progress"]

_RATE_STEPS = 50  # time to go is estimated from this many last steps
_PLAIN_EVERY_S = 10.0
_LIVE_ROWS = 12
_LIVE_PER_SECOND = 4


@dataclass
class EpisodeView:
    """A running episode as it is shown.

    Attributes:
        steps, of: programs so far, and how many there may be at most.
        value, score: after the last step; None where not measured.
        began_at: clock reading when it was begun here.
        job: of a sweep; empty outside of one.
    """

    spec: EpisodeSpec
    of: int
    began_at: float
    steps: int = 0
    value: float | None = None
    score: float | None = None
    times: deque[float] = field(default_factory=lambda: deque(maxlen=_RATE_STEPS + 1))
    job: str = ""

    def to_go_s(self) -> float | None:
        """Seconds to the last possible step at the pace of the last 50; None before the first."""
        if len(self.times) < 2:
            return None
        pace = (self.times[-1] - self.times[0]) / (len(self.times) - 1)
        return pace * max(0, self.of - self.steps)

    def text(self, now: float) -> str:
        """One line, e.g. `iron_ore_throughput seed 0 trial 0: step 3/64, value 12, score 340, 5s, 1m40s to go`."""
        parts = [f"step {self.steps}/{self.of}"]
        if self.value is not None:
            parts.append(f"value {self.value:g}")
        if self.score is not None:
            parts.append(f"score {self.score:g}")
        parts.append(duration(now - self.began_at))
        to_go = self.to_go_s()
        if to_go is not None:
            parts.append(f"{duration(to_go)} to go")
        return f"{named(self.job, label(self.spec))}: {', '.join(parts)}"


class Progress:
    """Keeps the numbers; subclasses show them. The base shows nothing.

    Runs of a sweep share one; `job` says which of them something happens in.
    """

    def __init__(self, planned: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.planned = planned
        self.running: dict[tuple[str, str], EpisodeView] = {}  # by job and episode
        self.done = self.owed = self.successes = self.with_quota = 0
        self.tokens = 0
        self.cost_usd = 0.0
        self.began_at = clock()

    # what happens

    def started(self, spec: EpisodeSpec, steps: int, *, job: str = "") -> None:
        """An episode is begun, or gone on with after `steps` steps."""
        of = spec.limits.max_steps * len(spec.agents)
        view = EpisodeView(spec, of, self.clock(), steps, job=job)
        view.times.append(view.began_at)
        self.running[job, spec.episode_id] = view

    def step(self, spec: EpisodeSpec, step: StepRecord, *, job: str = "") -> None:
        view = self.running[job, spec.episode_id]
        view.steps += 1
        view.value, view.score = step.value, step.score
        view.times.append(self.clock())
        self.tokens += step.total_tokens or 0
        self.cost_usd += step.cost_usd or 0.0

    def ended(self, record: EpisodeRecord, *, before: bool = False, job: str = "") -> None:
        """An episode's record is closed; `before`: in an earlier session of the run."""
        self.running.pop((job, record.episode_id), None)
        if record.status == "ended":
            self.done += 1
            if record.success is not None:
                self.with_quota += 1
                self.successes += record.success
        else:
            self.owed += 1

    def retried(self, spec: EpisodeSpec, why: str, times: int, *, job: str = "") -> None:
        """The game failed under an episode; it will be taken up again."""
        self.running.pop((job, spec.episode_id), None)

    def stopped(self, spec: EpisodeSpec, *, job: str = "") -> None:
        """An episode stops between two steps, to go on another time."""
        self.running.pop((job, spec.episode_id), None)

    def note(self, text: str, *, job: str = "") -> None:
        """Something the user should know."""

    def close(self) -> None:
        """Show nothing more."""

    # what is said

    def totals(self) -> str:
        """The run in one line, e.g. `3/12 episodes, 2 running, 0 owed, 2 of 3 succeeded, 41s`."""
        parts = [f"{self.done}/{self.planned} episodes", f"{len(self.running)} running", f"{self.owed} owed"]
        if self.with_quota:
            parts.append(f"{self.successes} of {self.with_quota} succeeded")
        if self.tokens:
            parts.append(f"{self.tokens:,} tokens")
        if self.cost_usd:
            parts.append(f"${self.cost_usd:.2f}")
        parts.append(duration(self.clock() - self.began_at))
        return ", ".join(parts)


class NoProgress(Progress):
    """Shows nothing."""


class JobProgress(Progress):
    """What one job of a sweep tells: passed on to the sweep's view, with the job's name."""

    def __init__(self, whole: Progress, job: str) -> None:
        super().__init__(0, clock=whole.clock)
        self._whole = whole
        self._job = job

    def started(self, spec: EpisodeSpec, steps: int, *, job: str = "") -> None:
        self._whole.started(spec, steps, job=self._job)

    def step(self, spec: EpisodeSpec, step: StepRecord, *, job: str = "") -> None:
        self._whole.step(spec, step, job=self._job)

    def ended(self, record: EpisodeRecord, *, before: bool = False, job: str = "") -> None:
        self._whole.ended(record, before=before, job=self._job)

    def retried(self, spec: EpisodeSpec, why: str, times: int, *, job: str = "") -> None:
        self._whole.retried(spec, why, times, job=self._job)

    def stopped(self, spec: EpisodeSpec, *, job: str = "") -> None:
        self._whole.stopped(spec, job=self._job)

    def note(self, text: str, *, job: str = "") -> None:
        self._whole.note(text, job=self._job)


class PlainProgress(Progress):
    """One line for each episode that ends, and now and then where the run is."""

    def __init__(self, planned: int, console: Console, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(planned, clock=clock)
        self._console = console
        self._said_at = clock()

    def step(self, spec: EpisodeSpec, step: StepRecord, *, job: str = "") -> None:
        super().step(spec, step, job=job)
        now = self.clock()
        if now - self._said_at >= _PLAIN_EVERY_S:
            self._said_at = now
            for view in self.running.values():
                self._line(view.text(now))
            self._line(self.totals())

    def ended(self, record: EpisodeRecord, *, before: bool = False, job: str = "") -> None:
        super().ended(record, before=before, job=job)
        if not before:
            self._line(f"[{self.done + self.owed}/{self.planned}] {named(job, verdict(record))}")

    def retried(self, spec: EpisodeSpec, why: str, times: int, *, job: str = "") -> None:
        super().retried(spec, why, times, job=job)
        self._line(f"{named(job, label(spec))}: the game failed ({why}); taken up again, try {times}")

    def note(self, text: str, *, job: str = "") -> None:
        self._line(named(job, text))

    def _line(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


class LiveProgress(Progress):
    """A view that is redrawn in place."""

    def __init__(self, planned: int, console: Console, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(planned, clock=clock)
        self._console = console
        self._live: Live | None = None

    def _show(self) -> None:
        from rich.live import Live

        if self._live is None:
            self._live = Live(
                get_renderable=self._table,
                console=self._console,
                refresh_per_second=_LIVE_PER_SECOND,
                transient=True,
            )
            self._live.start()

    def started(self, spec: EpisodeSpec, steps: int, *, job: str = "") -> None:
        super().started(spec, steps, job=job)
        self._show()

    def ended(self, record: EpisodeRecord, *, before: bool = False, job: str = "") -> None:
        super().ended(record, before=before, job=job)
        if not before:
            self._console.print(named(job, verdict(record)), markup=False, highlight=False)

    def retried(self, spec: EpisodeSpec, why: str, times: int, *, job: str = "") -> None:
        super().retried(spec, why, times, job=job)
        self.note(f"{label(spec)}: the game failed ({why}); taken up again, try {times}", job=job)

    def note(self, text: str, *, job: str = "") -> None:
        self._console.print(named(job, text), markup=False, highlight=False)

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _table(self) -> Table:
        from rich.table import Table

        table = Table(box=None, padding=(0, 2, 0, 0), title=self.totals(), title_justify="left")
        for name in ("episode", "step", "value", "score", "elapsed", "to go"):
            table.add_column(name, justify="left" if name == "episode" else "right")
        now = self.clock()
        views = list(self.running.values())  # a copy: the view is drawn by another thread
        for view in views[:_LIVE_ROWS]:
            to_go = view.to_go_s()
            table.add_row(
                named(view.job, label(view.spec)),
                f"{view.steps}/{view.of}",
                "-" if view.value is None else f"{view.value:g}",
                "-" if view.score is None else f"{view.score:g}",
                duration(now - view.began_at),
                "-" if to_go is None else duration(to_go),
            )
        if len(views) > _LIVE_ROWS:
            table.add_row(f"and {len(views) - _LIVE_ROWS} more", "", "", "", "", "")
        return table


def make_progress(mode: str, planned: int, console: Console) -> Progress:
    """The view for `runner.progress`: "auto", "live", "plain" or "none"."""
    if mode == "none":
        return NoProgress(planned)
    if mode == "live" or (mode == "auto" and console.is_terminal):
        return LiveProgress(planned, console)
    return PlainProgress(planned, console)


def label(spec: EpisodeSpec | EpisodeRecord) -> str:
    """An episode in a few words."""
    agent = spec.agent if isinstance(spec, EpisodeRecord) else spec.agent_names
    return f"{spec.task} {agent} seed {spec.seed} trial {spec.trial}"


def named(job: str, text: str) -> str:
    """The text, after the name of the job of a sweep that it is about."""
    return f"{job} {text}" if job else text


def verdict(record: EpisodeRecord) -> str:
    """How an episode ended, in one line."""
    if record.status != "ended":
        why = f": {record.error_message.splitlines()[0]}" if record.error_message else ""
        return f"{label(record)}: {record.status}{why}"
    parts = [record.reason]
    if record.value is not None:
        parts.append(f"value {record.value:g}" + (f" of {record.quota:g}" if record.quota is not None else ""))
    parts.append(f"{record.steps} step{'' if record.steps == 1 else 's'}")
    parts.append(f"{record.wall_s:.1f} s")
    return f"{label(record)}: {', '.join(parts)}"


def duration(seconds: float) -> str:
    """Seconds as `41s`, `3m05s` or `2h07m`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02d}s"
    return f"{whole // 3600}h{whole % 3600 // 60:02d}m"
