"""Throughput: how much of the target the factory makes a minute with nobody there.

After each program the world runs for windows of 60 game seconds. A window counts what machines made of the
target: produced, less harvested, less hand-crafted. Windows go on while the last one beat the best so far, so
a factory that is still starting up is given the time it needs.
"""

from __future__ import annotations

from dataclasses import dataclass

from fle_ray.game.contracts import Flows, Instance
from fle_ray.tasks.base import TaskBase
from fle_ray.tasks.contract import Verdict
from fle_ray.tasks.milestones import Achievements, achievements

__all__ = ["MEASURES", "Measurement", "ThroughputTask", "UnboundedThroughputTask", "measure_throughput"]

MEASURES = ("in_place", "fork")
TICKS_PER_SECOND = 60


@dataclass(frozen=True, slots=True)
class Measurement:
    """Windows of automated production.

    Attributes:
        per_minute: the best window, in units of the target per 60 game seconds.
        windows: every window in order, in units a window.
        ticks: game ticks that the measured world advanced.
        best: what was made in the best window; in the first one when nothing was.
    """

    per_minute: float
    windows: tuple[float, ...]
    ticks: int
    best: Achievements


def measure_throughput(instance: Instance, target: str, *, window_s: float = 60, max_windows: int = 30) -> Measurement:
    """Advance `instance` window by window while automated production of `target` grows.

    Args:
        instance: is advanced; hand in a fork to leave the world alone.
        target: item or fluid name.
        window_s: length of a window in game seconds, above 0.
        max_windows: stop after so many even if production still grows (a fluid can creep up for hours).
    """
    ticks_each = round(window_s * TICKS_PER_SECOND)
    windows: list[float] = []
    best = 0.0
    best_made = Achievements()
    before = instance.flows()
    while len(windows) < max_windows:
        instance.advance(ticks_each)
        after = instance.flows()
        made = achievements(before, after)
        amount = made.dynamic.get(target, 0.0)
        windows.append(amount)
        if len(windows) == 1:
            best_made = made
        if amount <= best:
            break
        best, best_made, before = amount, made, after
    return Measurement(best * 60 / window_s, tuple(windows), ticks_each * len(windows), best_made)


@dataclass(frozen=True)
class ThroughputTask(TaskBase):
    """Make `quota` units of `target` a minute; the reward of a step is the measured throughput.

    Attributes:
        measure: `"in_place"` lets the episode's own world run (each step costs at least one window of game
            time); `"fork"` measures on a copy, so that measuring costs the episode no game time.
        window_s: game seconds of a window.
        max_windows: most windows after one step.
    """

    measure: str = "in_place"
    window_s: float = 60
    max_windows: int = 30

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(bool(self.target), "target", "the name of an item or fluid")
        self._require(self.measure in MEASURES, "measure", " or ".join(map(repr, MEASURES)))
        self._require(self.window_s > 0, "window_s", "game seconds above 0")
        self._require_count("max_windows")

    def judge(self, instance: Instance, *, before: Flows, score_before: float) -> Verdict:
        """Measure; value and reward are units a minute, `success` is the quota reached, which ends the
        episode.
        """
        measured, ticks = self._measured(instance)
        value = measured.per_minute
        success = None if self.quota is None else value >= self.quota
        return Verdict(
            value=value,
            reward=value,
            success=success,
            terminated=bool(success),
            message=self._message(value),
            ticks=ticks,
            meta=self._meta(measured),
        )

    def _measured(self, instance: Instance) -> tuple[Measurement, int]:
        """The measurement, and the ticks that it cost the episode."""
        if self.measure == "in_place":
            measured = measure_throughput(instance, self.target, window_s=self.window_s, max_windows=self.max_windows)
            return measured, measured.ticks
        copy = instance.fork()
        try:
            measured = measure_throughput(copy, self.target, window_s=self.window_s, max_windows=self.max_windows)
        finally:
            copy.close()
        return measured, 0

    def _meta(self, measured: Measurement) -> dict:
        return {
            f"{self.target} achieved throughput per 60 seconds": measured.per_minute,
            "windows": list(measured.windows),
            "measured_ticks": measured.ticks,
        }

    def _message(self, value: float) -> str:
        text = f"Your factory makes {value:g} {self.target} per 60 seconds by itself"
        if self.quota is None:
            return text + "."
        if value >= self.quota:
            return text + f". The quota of {self.quota:g} is reached."
        return text + f"; the quota is {self.quota:g}."


@dataclass(frozen=True)
class UnboundedThroughputTask(ThroughputTask):
    """Make as much of `target` a minute as possible, without a quota.

    The value is the throughput; the reward is what the step (its measuring included) added to the production
    score. The agent is also told everything that machines made in the best window.
    """

    def judge(self, instance: Instance, *, before: Flows, score_before: float) -> Verdict:
        """Measure; the episode never ends by the task's own rule."""
        measured, ticks = self._measured(instance)
        made = ", ".join(f"{amount:g} {item}" for item, amount in measured.best.dynamic.items()) or "nothing"
        return Verdict(
            value=measured.per_minute,
            reward=float(instance.score()[0] - score_before),
            success=None,
            terminated=False,
            message=f"{self._message(measured.per_minute)} In that minute machines made: {made}.",
            ticks=ticks,
            meta={**self._meta(measured), "achievements": measured.best.as_dict()},
        )
