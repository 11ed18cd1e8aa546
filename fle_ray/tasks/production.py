"""Open play: as large a factory as the steps allow, measured by its production score."""

from __future__ import annotations

from dataclasses import dataclass

from fle_ray.game.contracts import Flows, Instance
from fle_ray.tasks.base import TaskBase
from fle_ray.tasks.contract import Verdict

__all__ = ["SCORES", "ProductionTask"]

SCORES = ("production", "automated")


@dataclass(frozen=True)
class ProductionTask(TaskBase):
    """Raise the production score; there is no quota and the episode ends with its steps.

    The value after a step is the score so far; the reward is what the step added to the production score, so
    the rewards of an episode add up to its final production score.

    Attributes:
        score: which score is the value: `"production"` (everything made, less consumed, at its price) or
            `"automated"` (without what hands made).
    """

    score: str = "production"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require(self.score in SCORES, "score", " or ".join(map(repr, SCORES)))

    def judge(self, instance: Instance, *, before: Flows, score_before: float) -> Verdict:
        """Read the scores; advances nothing."""
        production, automated = instance.score()
        gain = float(production - score_before)
        value = float(production if self.score == "production" else automated)
        return Verdict(
            value=value,
            reward=gain,
            success=None,
            terminated=False,
            message=(
                f"Production score {production:g} ({gain:+g} in this step), of which machines made {automated:g}."
            ),
            meta={"production_score": float(production), "automated_production_score": float(automated)},
        )
