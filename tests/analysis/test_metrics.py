"""Tables of metrics on small runs worked out by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from fle_ray.analysis import metrics
from fle_ray.analysis.compare import compare
from fle_ray.errors import UnknownName


def episode(task="iron", agent="a", seed=0, trial=0, *, success=True, value=20.0, status="ended", run="r", **more):
    row = {
        "run_id": run,
        "episode_id": f"{task}-{agent}-{seed}-{trial}",
        "task": task,
        "agent": agent,
        "model": None,
        "seed": seed,
        "trial": trial,
        "status": status,
        "success": success if status == "ended" else None,
        "value": value if status == "ended" else None,
        "quota": 16.0,
        "total_tokens": None,
        "cost_usd": None,
        "wall_s": 1.0,
    }
    return row | more


def step(of, number, *, code="pass", digest="d", error_kind=None, agent_idx=0, **more):
    row = {
        "run_id": of["run_id"],
        "episode_id": of["episode_id"],
        "task": of["task"],
        "agent": of["agent"],
        "model": None,
        "seed": of["seed"],
        "trial": of["trial"],
        "step": number,
        "agent_idx": agent_idx,
        "accepted": True,
        "code": code,
        "digest": digest,
        "error_kind": error_kind,
        "error_type": "KeyError" if error_kind else None,
        "value": of["value"],
        "success": False,
        "tick_after": 60 * (number + 1),
        "produced": [],
        "achievements_dynamic": [],
    }
    return row | more


def test_repeats_of_one_observation_count_once():
    episodes = [episode(seed=0), episode(seed=1), episode(seed=2, success=False, value=3.0)]
    steps = [step(episodes[0], 0), step(episodes[1], 0), step(episodes[2], 0, digest="other")]
    table = metrics.success_table(pd.DataFrame(episodes), pd.DataFrame(steps))
    row = table.iloc[0]
    assert (row.planned, row.played, row.distinct, row.succeeded) == (3, 3, 2, 1)
    assert row.success == 0.5
    assert row.best == 20.0


def test_steps_to_success_is_the_median_over_successes_of_the_first_step_that_reached_the_quota():
    episodes = [episode(seed=seed) for seed in range(4)] + [episode(seed=4, success=False, value=3.0)]
    reached = {0: 0, 1: 3, 2: 4}  # steps 1, 4 and 5: their median is 4; episode 3 is a repeat of episode 2
    steps = []
    for of in episodes:
        at = reached.get(2 if of["seed"] == 3 else of["seed"])
        digest = "2" if of["seed"] == 3 else str(of["seed"])
        steps += [step(of, n, digest=digest, success=at is not None and n >= at) for n in range(6)]
    row = metrics.success_table(pd.DataFrame(episodes), pd.DataFrame(steps)).iloc[0]
    assert (row.distinct, row.succeeded, row.steps_to_success) == (4, 3, 4.0)


def test_nothing_that_succeeded_has_no_steps_to_success():
    episodes = [episode(success=False, value=3.0)]
    row = metrics.success_table(pd.DataFrame(episodes), pd.DataFrame([step(episodes[0], 0)])).iloc[0]
    assert pd.isna(row.steps_to_success)


def test_an_infrastructure_failure_is_owed_and_never_a_zero():
    episodes = [episode(seed=0), episode(seed=1, status="engine_error")]
    steps = [step(episodes[0], 0)]
    row = metrics.success_table(pd.DataFrame(episodes), pd.DataFrame(steps)).iloc[0]
    assert (row.planned, row.played, row.owed) == (2, 1, 1)
    assert row.success == 1.0


def test_planned_episodes_without_a_row_are_owed():
    episodes = [episode()]
    owed = pd.DataFrame([{"task": "iron", "agent": "a", "model": None}, {"task": "coal", "agent": "a", "model": None}])
    table = metrics.success_table(pd.DataFrame(episodes), pd.DataFrame([step(episodes[0], 0)]), owed).set_index("task")
    assert (table.loc["iron", "planned"], table.loc["iron", "owed"]) == (2, 1)
    assert (table.loc["coal", "planned"], table.loc["coal", "owed"], table.loc["coal", "played"]) == (1, 1, 0)
    assert pd.isna(table.loc["coal", "success"])


def test_values_are_weighed_against_the_quota():
    episodes = [episode(value=8.0, success=False)]
    row = metrics.success_table(pd.DataFrame(episodes), pd.DataFrame([step(episodes[0], 0)])).iloc[0]
    assert row.mean_quota == 0.5


def test_curves_hold_the_best_value_so_far():
    one = episode()
    values = [3.0, 9.0, 4.0]
    steps = [step(one, i, value=v) for i, v in enumerate(values)]
    assert metrics.value_curves(pd.DataFrame(steps))["best"].tolist() == [3.0, 9.0, 9.0]


def test_the_first_of_each_item_and_the_first_made_by_a_machine():
    one = episode()
    steps = [
        step(one, 0, produced=[("iron-ore", 5.0)]),
        step(one, 1, produced=[("iron-ore", 7.0)], achievements_dynamic=[("iron-ore", 7.0)]),
    ]
    table = metrics.milestone_table(pd.DataFrame(steps))
    found = {(r.item, r.kind): (r.step, r.tick) for r in table.itertuples()}
    assert found == {("iron-ore", "made"): (0, 60), ("iron-ore", "automated"): (1, 120)}


def test_an_error_is_recovered_from_when_the_next_step_has_none():
    one = episode()
    kinds = ["exception", None, "exception", "exception"]
    steps = [step(one, i, error_kind=k) for i, k in enumerate(kinds)]
    row = metrics.error_table(pd.DataFrame(steps)).iloc[0]
    # three errors in four steps; followed by none, by an error, by nothing: 1 of 2 known
    assert (row.steps, row.share, row.recovered) == (3, 0.75, 0.5)


def test_tool_use_counts_calls_refusals_and_time():
    one = episode()
    calls = pd.DataFrame(
        [
            {
                "run_id": "r",
                "episode_id": one["episode_id"],
                "tool": "nearest",
                "error_kind": e,
                "ticks": 2,
                "microseconds": 500_000,
            }
            for e in (None, "exception", None, None)
        ]
    )
    row = metrics.tool_table(calls, pd.DataFrame([one])).iloc[0]
    assert (row.calls, row.refused, row.ticks, row.wall_s, row.refused_share) == (4, 1, 8, 2.0, 0.25)


def test_cost_per_success_divides_by_successes_and_is_null_without():
    episodes = [
        episode(seed=0, cost_usd=0.3, total_tokens=100),
        episode(seed=1, success=False, cost_usd=0.1, total_tokens=50),
        episode(agent="b", success=False, cost_usd=0.2, total_tokens=10),
    ]
    table = metrics.cost_table(pd.DataFrame(episodes)).set_index("agent")
    assert table.loc["a", "cost_usd_per_success"] == pytest.approx(0.4)
    assert table.loc["a", "tokens"] == 150
    assert pd.isna(table.loc["b", "cost_usd_per_success"])


def pairs(tasks, wins_a, wins_b):
    rows = []
    for i, task in enumerate(tasks):
        for agent, wins in (("a", wins_a), ("b", wins_b)):
            rows.append(episode(task=task, agent=agent, success=bool(wins[i]), value=20.0 if wins[i] else 4.0))
    return pd.DataFrame(rows)


def test_paired_differences_are_taken_episode_by_episode():
    result = compare(pairs(["w", "x", "y", "z"], [1, 1, 1, 0], [0, 1, 0, 0]), "a", "b")
    assert result.pairs == 4
    assert result.success.estimate == 0.5  # (1 + 0 + 1 + 0) / 4
    assert result.quota.estimate == pytest.approx((0.75 + 0 + 0.75 + 0) / 4)


def test_a_clear_difference_over_many_tasks_gets_a_verdict():
    tasks = [f"t{i}" for i in range(10)]
    result = compare(pairs(tasks, [1] * 10, [0] * 10), "a", "b")
    assert result.verdict.startswith("a succeeds more often than b")


def test_no_verdict_when_the_two_did_not_play_the_same_episodes():
    frame = pairs(["w", "x", "y"], [1, 1, 1], [0, 0, 0])
    frame = frame[~((frame["agent"] == "b") & (frame["task"] == "y"))]
    result = compare(frame, "a", "b")
    assert (result.pairs, result.only_a, result.only_b) == (2, 1, 0)
    assert result.verdict.startswith("No verdict")


def test_an_owed_episode_of_one_side_leaves_no_verdict():
    frame = pairs(["w", "x"], [1, 1], [0, 0])
    frame = frame.astype({"success": object})
    frame.loc[(frame["agent"] == "b") & (frame["task"] == "x"), ["status", "success"]] = ["provider_error", None]
    assert compare(frame, "a", "b").verdict.startswith("No verdict")


def test_an_unknown_agent_is_named_with_those_there_are():
    with pytest.raises(UnknownName, match="They have: a, b"):
        compare(pairs(["w"], [1], [0]), "a", "c")


def test_a_handful_of_tasks_is_too_few_for_a_verdict():
    result = compare(pairs(["w", "x", "y", "z"], [1, 1, 1, 1], [0, 0, 0, 0]), "a", "b")
    assert result.verdict.startswith("No verdict") and "4 task" in result.verdict
