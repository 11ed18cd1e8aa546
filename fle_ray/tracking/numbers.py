"""Which numbers are tracked: of a step, of an episode, and of the run so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from fle_ray.dataset.records import EpisodeRecord, StepRecord

__all__ = ["RunNumbers", "of_episode", "of_step"]


def of_step(step: StepRecord) -> dict[str, float]:
    """A step's numbers, below `step/<task>/`; those nobody counted are left out."""
    return _named(
        f"step/{step.task}",
        {
            "reward": step.reward,
            "value": step.value,
            "score": step.score,
            "error": step.error_kind is not None,
            "ticks": step.tick_after - step.tick_before,
            "tokens": step.total_tokens,
            "cost_usd": step.cost_usd,
            "wall_s": step.wall_s,
        },
    )


def of_episode(record: EpisodeRecord) -> dict[str, float]:
    """A closed episode's numbers, below `episode/<task>/`; `owed` is 1 without a verdict, and value is left out."""
    return _named(
        f"episode/{record.task}",
        {
            "owed": record.status != "ended",
            "value": record.value,
            "success": record.success,
            "steps": record.steps,
            "tokens": record.total_tokens,
            "cost_usd": record.cost_usd,
            "wall_s": record.wall_s,
        },
    )


def _named(prefix: str, values: dict[str, float | None]) -> dict[str, float]:
    return {f"{prefix}/{name}": float(value) for name, value in values.items() if value is not None}


@dataclass
class RunNumbers:
    """A run's numbers so far, those of earlier sessions included.

    Attributes:
        planned: episodes; steps, tokens, cost_usd: of the steps that are recorded.
    """

    planned: int
    steps: int = 0
    tokens: float = 0.0
    cost_usd: float = 0.0
    _closed: dict[str, EpisodeRecord] = field(default_factory=dict)

    def add_step(self, step: StepRecord) -> None:
        self.steps += 1
        self.tokens += step.total_tokens or 0
        self.cost_usd += step.cost_usd or 0.0

    def add_episode(self, record: EpisodeRecord, *, before: bool = False) -> None:
        """Count a closed episode; one of an earlier session (`before`) brings its steps along."""
        self._closed[record.episode_id] = record
        if before:
            self.steps += record.steps
            self.tokens += record.total_tokens or 0
            self.cost_usd += record.cost_usd or 0.0

    def summary(self) -> dict[str, float]:
        """The numbers, below `run/`. `success_rate` is over episodes with verdict and quota; absent before one."""
        ended = [record for record in self._closed.values() if record.status == "ended"]
        judged = [record for record in ended if record.success is not None]
        numbers: dict[str, float] = {
            "run/planned": self.planned,
            "run/ended": len(ended),
            "run/owed": self.planned - len(ended),
            "run/steps": self.steps,
            "run/tokens": self.tokens,
            "run/cost_usd": self.cost_usd,
        }
        if judged:
            numbers["run/success_rate"] = sum(bool(record.success) for record in judged) / len(judged)
        return {name: float(value) for name, value in numbers.items()}
