"""Intervals and estimators against hand-worked examples, statsmodels and scipy."""

from __future__ import annotations

from itertools import combinations
from math import isnan

import pytest

from fle_ray.analysis.intervals import cluster_bootstrap, pass_at_k, wilson


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (57, 144), (1, 1000)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wilson_intervals_agree_with_statsmodels(successes, trials, confidence):
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    low, high = proportion.proportion_confint(successes, trials, alpha=1 - confidence, method="wilson")
    ours = wilson(successes, trials, confidence=confidence)
    assert ours.low == pytest.approx(low, abs=1e-12)
    assert ours.high == pytest.approx(high, abs=1e-12)


def test_the_wilson_interval_of_one_half_of_ten_by_hand():
    # z = 1.959964; centre (0.5 + z*z/20) / (1 + z*z/10) = 0.5; half = z/(1.38415) * sqrt(0.025 + 0.0096037)
    interval = wilson(5, 10)
    assert interval.estimate == 0.5
    assert interval.low == pytest.approx(0.2366, abs=5e-5)
    assert interval.high == pytest.approx(0.7634, abs=5e-5)


def test_nothing_played_has_no_rate_and_the_widest_interval():
    interval = wilson(0, 0)
    assert isnan(interval.estimate) and (interval.low, interval.high) == (0.0, 1.0)


def test_more_successes_than_trials_are_refused():
    with pytest.raises(ValueError, match="3 successes of 2 trials"):
        wilson(3, 2)


@pytest.mark.parametrize("trials", range(1, 8))
def test_pass_at_k_is_the_share_of_draws_of_k_tries_with_a_success(trials):
    for successes in range(trials + 1):
        outcomes = [True] * successes + [False] * (trials - successes)
        for k in range(1, trials + 1):
            draws = list(combinations(outcomes, k))
            share = sum(any(draw) for draw in draws) / len(draws)
            assert pass_at_k(successes, trials, k) == pytest.approx(share)


def test_pass_at_k_is_unknown_with_fewer_than_k_tries():
    assert isnan(pass_at_k(1, 2, 3))


def test_the_bootstrap_mean_weighs_observations_not_clusters():
    # (1 + 1 + 1 + 0) / 4
    assert cluster_bootstrap({"a": [1, 1, 1], "b": [0]}).estimate == 0.75


def test_the_bootstrap_of_two_clusters_spans_their_means():
    # with two equal-sized clusters the resampled mean is 0, 1/2 or 1 with chances 1/4, 1/2, 1/4
    interval = cluster_bootstrap({"a": [1, 1], "b": [0, 0]})
    assert (interval.low, interval.high) == (0.0, 1.0)


def test_the_bootstrap_of_single_observations_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    import numpy as np

    values = np.random.default_rng(3).normal(size=60)
    theirs = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(1))
    ours = cluster_bootstrap({f"{i:02d}": [v] for i, v in enumerate(values)}, draws=20_000)
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.02)


def test_one_cluster_says_nothing_about_the_spread_between_clusters():
    interval = cluster_bootstrap({"a": [1, 0, 1]})
    assert interval.estimate == pytest.approx(2 / 3) and isnan(interval.low) and isnan(interval.high)


def test_equal_seeds_give_equal_intervals():
    clusters = {"a": [1, 0], "b": [0, 0, 1], "c": [1]}
    assert cluster_bootstrap(clusters, seed=5) == cluster_bootstrap(clusters, seed=5)
