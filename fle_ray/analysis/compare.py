"""Two agents on the same episodes: paired differences, and no verdict where the pairs are missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fle_ray.analysis.intervals import Interval, cluster_bootstrap
from fle_ray.errors import UnknownName

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "compare"]

PAIR = ["task", "seed", "trial"]
FEWEST_TASKS = 5  # with fewer clusters a bootstrap over them says little; our choice


@dataclass(frozen=True, slots=True)
class Comparison:
    """A minus B on the episodes both played.

    Attributes:
        arm_a, arm_b: names of the agents (or of agent and model, `agent/model`).
        pairs: episodes (task, seed, trial) both have a verdict for; only_a, only_b: those only one has; owed: those
            planned for both that lack a verdict of either.
        success: difference of success rates with a cluster-bootstrap interval over tasks; quota: likewise of
            value / quota, each cut at 1. nan without pairs.
        verdict: a sentence, or why there is none.
        table: one row a pair: task, seed, trial, success_a, success_b, quota_a, quota_b.
    """

    arm_a: str
    arm_b: str
    pairs: int
    only_a: int
    only_b: int
    success: Interval
    quota: Interval
    verdict: str
    table: pd.DataFrame = field(repr=False, compare=False)


def _arm(episodes: pd.DataFrame, name: str) -> pd.DataFrame:
    full = episodes["agent"] + "/" + episodes["model"].fillna("").astype(str)
    chosen = episodes[(episodes["agent"] == name) | (full == name)]
    if chosen.empty:
        known = {*episodes["agent"], *(f for f in full if not f.endswith("/"))}
        raise UnknownName("agent in these runs", name, known, f"They have: {', '.join(sorted(known)) or 'none'}.")
    return chosen


def compare(episodes: pd.DataFrame, arm_a: str, arm_b: str, *, confidence: float = 0.95, seed: int = 0) -> Comparison:
    """Compare two agents of the same runs, pair by pair.

    Args:
        episodes: rows of the episodes table; several rows of one agent on one (task, seed, trial) are averaged.
        arm_a, arm_b: an agent's name, or `agent/model`.

    Raises:
        UnknownName: an agent that is not in the episodes.
    """
    sides = []
    for name in (arm_a, arm_b):
        rows = _arm(episodes, name)
        rows = rows[(rows["status"] == "ended") & rows["success"].notna()].copy()
        rows["won"] = rows["success"].astype(float)
        rows["reached"] = (rows["value"] / rows["quota"]).clip(upper=1.0)
        sides.append(rows.groupby(PAIR, sort=True)[["won", "reached"]].mean())
    a, b = sides
    both = a.add_suffix("_a").join(b.add_suffix("_b"), how="inner").reset_index()
    only_a, only_b = len(a) - len(both), len(b) - len(both)
    both = both.rename(
        columns={"won_a": "success_a", "won_b": "success_b", "reached_a": "quota_a", "reached_b": "quota_b"}
    )

    def difference(column: str) -> Interval:
        gaps = both[f"{column}_a"] - both[f"{column}_b"]
        clusters = {task: gaps[both["task"] == task].dropna().tolist() for task in sorted(set(both["task"]))}
        return cluster_bootstrap(clusters, confidence=confidence, seed=seed)

    success, quota = difference("success"), difference("quota")
    return Comparison(
        arm_a,
        arm_b,
        len(both),
        only_a,
        only_b,
        success,
        quota,
        _verdict(arm_a, arm_b, both, only_a, only_b, success, confidence),
        both,
    )


def _verdict(
    arm_a: str, arm_b: str, both: pd.DataFrame, only_a: int, only_b: int, success: Interval, confidence: float
) -> str:
    if not len(both):
        return f"No verdict: {arm_a} and {arm_b} have no episode (task, seed, trial) in common."
    if only_a or only_b:
        return (
            f"No verdict: the two did not play the same episodes ({only_a} only by {arm_a}, {only_b} only by {arm_b}); "
            f"the difference over the {len(both)} common ones is {success.estimate:+.3f}."
        )
    tasks = both["task"].nunique()
    if tasks < FEWEST_TASKS:
        return (
            f"No verdict: the {len(both)} pairs are of {tasks} task(s), too few for an interval over tasks "
            f"(at least {FEWEST_TASKS}); the difference over them is {success.estimate:+.3f}."
        )
    span = f"{success.estimate:+.3f}, {confidence:.0%} interval {success.low:+.3f} to {success.high:+.3f}"
    if success.low > 0:
        return f"{arm_a} succeeds more often than {arm_b}: {span} ({len(both)} pairs, {tasks} tasks)."
    if success.high < 0:
        return f"{arm_b} succeeds more often than {arm_a}: {span} ({len(both)} pairs, {tasks} tasks)."
    return f"No difference shown: {span} ({len(both)} pairs, {tasks} tasks)."
