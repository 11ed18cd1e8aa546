"""Intervals and estimators for success rates and differences.

Wilson score interval: E. B. Wilson (1927), "Probable inference, the law of succession, and statistical inference".
Unbiased pass@k: M. Chen et al. (2021), "Evaluating large language models trained on code", equation 1.
Cluster bootstrap: whole clusters are drawn with replacement, since episodes of one task resemble each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

__all__ = ["Interval", "cluster_bootstrap", "pass_at_k", "wilson"]

DEFAULT_CONFIDENCE = 0.95


class Interval(NamedTuple):
    """An estimate with its bounds."""

    estimate: float
    low: float
    high: float


def wilson(successes: int, trials: int, *, confidence: float = DEFAULT_CONFIDENCE) -> Interval:
    """Wilson score interval of a proportion.

    Args:
        successes: 0..trials; trials: number of observations. With none the interval is (nan, 0, 1).
        confidence: coverage, between 0 and 1.

    Raises:
        ValueError: counts out of range.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials: expected 0 <= successes <= trials")
    if trials == 0:
        return Interval(float("nan"), 0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(share, low, high)


def pass_at_k(successes: int, trials: int, k: int) -> float:
    """Unbiased estimate of the chance that at least one of k tries succeeds: 1 - C(n - c, k) / C(n, k).

    Returns nan when fewer than k tries were made. Raises ValueError for counts out of range or k < 1.
    """
    if k < 1 or not 0 <= successes <= trials:
        raise ValueError(f"pass@{k} of {successes} successes in {trials} tries is not defined")
    if trials < k:
        return float("nan")
    if trials - successes < k:
        return 1.0
    failing = 1.0
    for i in range(trials - successes + 1, trials + 1):
        failing *= 1 - k / i
    return 1.0 - failing


def cluster_bootstrap(
    clusters: Mapping[str, Sequence[float]],
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    draws: int = 10_000,
    seed: int = 0,
) -> Interval:
    """Percentile interval of the mean over all observations, drawing whole clusters with replacement.

    Args:
        clusters: cluster (e.g. a task) -> its observations; empty ones are left out.
        draws: bootstrap samples; seed: of the generator, so that results repeat.

    Returns:
        Mean of all observations and its bounds; nan without any. One cluster alone tells nothing about how
        clusters differ: its bounds are nan.
    """
    names = sorted(name for name, values in clusters.items() if len(values))
    if not names:
        return Interval(float("nan"), float("nan"), float("nan"))
    sums = np.array([float(np.sum(clusters[name])) for name in names])
    sizes = np.array([len(clusters[name]) for name in names], dtype=float)
    mean = float(sums.sum() / sizes.sum())
    if len(names) == 1:
        return Interval(mean, float("nan"), float("nan"))
    picks = np.random.default_rng(seed).integers(len(names), size=(draws, len(names)))
    means = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(mean, float(low), float(high))
