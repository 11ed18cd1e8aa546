"""T17: what a run shows while it goes on, and at its end."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from rich.console import Console

from fle_ray.dataset.records import EpisodeRecord
from fle_ray.experiment.progress import LiveProgress, NoProgress, PlainProgress, duration, make_progress, verdict
from fle_ray.experiment.spec import AgentSpec, EpisodeSpec, Limits
from fle_ray.experiment.summary import task_rows
from tests.experiment.kit import Play
from tests.fakes import BuilderAgent, ModelAgent

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def record(task="iron_ore_throughput", status="ended", **values):
    fields = {
        "reason": "success",
        "success": True,
        "value": 20.0,
        "quota": 16.0,
        "steps": 2,
        "ticks": 10,
        "wall_s": 1.5,
    }
    return EpisodeRecord(
        name="t", run_id="r", episode_id=f"e{len(values)}{task}", task=task, agent="a", seed=0, trial=0, spec="{}",
        status=status, started_at=NOW, ended_at=NOW, engine="fake", **{**fields, **values},
    )  # fmt: skip


def spec(steps=100):
    return EpisodeSpec("t", "iron_ore_throughput", (AgentSpec("a"),), limits=Limits(max_steps=steps))


def test_t17_an_episode_shows_step_value_score_elapsed_and_time_to_go():
    clock, progress = Clock(), NoProgress(1)
    progress.clock = clock
    play = Play([BuilderAgent()], "iron_ore_throughput").all()
    progress.started(spec(), 0)
    for step in play.steps:
        clock.now += 2.0
        progress.step(spec(), step)
    (view,) = progress.running.values()
    assert view.text(clock.now) == (
        "iron_ore_throughput a seed 0 trial 0: step 2/100, value 20, score 120, 4s, 3m16s to go"
    )  # 98 steps at two seconds


def test_t17_time_to_go_is_from_the_last_50_steps():
    clock, progress = Clock(), NoProgress(1)
    progress.clock = clock
    step = Play([BuilderAgent()], "iron_ore_throughput").all().steps[0]
    progress.started(spec(200), 0)
    for pace in [10.0] * 50 + [1.0] * 50:
        clock.now += pace
        progress.step(spec(200), step)
    (view,) = progress.running.values()
    assert view.to_go_s() == pytest.approx(100.0)  # 100 steps left at one second


def test_t17_the_run_shows_done_running_owed_successes_tokens_and_cost():
    clock, progress = Clock(), NoProgress(5)
    progress.clock, progress.began_at = clock, 0.0
    play = Play([ModelAgent()], steps=2).all()
    progress.started(spec(), 0)
    for step in play.steps:
        progress.step(spec(), step)
    progress.ended(record())
    progress.ended(record(success=False, value=3.0, reason="steps"))
    progress.ended(record(status="engine_error", value=None, success=None, reason="error"))
    clock.now = 61.0
    assert progress.totals() == "2/5 episodes, 1 running, 1 owed, 1 of 2 succeeded, 220 tokens, $0.50, 1m01s"


def test_t17_output_that_is_no_terminal_gets_plain_lines():
    out = io.StringIO()
    progress = make_progress("auto", 2, Console(file=out, width=40))
    assert isinstance(progress, PlainProgress)
    progress.ended(record(value=20.0))
    progress.ended(record(status="engine_error", value=None, success=None, error_message="it fell\nover"))
    assert out.getvalue().splitlines() == [
        "[1/2] iron_ore_throughput a seed 0 trial 0: success, value 20 of 16, 2 steps, 1.5 s",
        "[2/2] iron_ore_throughput a seed 0 trial 0: engine_error: it fell",
    ]


def test_t17_a_long_episode_says_now_and_then_where_it_is():
    clock, out = Clock(), io.StringIO()
    progress = PlainProgress(1, Console(file=out, width=200), clock=clock)
    step = Play([BuilderAgent()], "iron_ore_throughput").all().steps[0]
    progress.started(spec(), 0)
    for _ in range(40):
        clock.now += 1.0
        progress.step(spec(), step)
    lines = out.getvalue().splitlines()
    assert len(lines) == 8 and lines[0].startswith("iron_ore_throughput a seed 0 trial 0: step 10/100, value 0")
    assert lines[1].startswith("0/1 episodes, 1 running, 0 owed")


def test_t17_a_terminal_gets_a_live_view_that_shows_the_same():
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=120)
    progress = make_progress("auto", 1, console)
    assert isinstance(progress, LiveProgress)
    step = Play([BuilderAgent()], "iron_ore_throughput").all().steps[1]
    progress.started(spec(), 0)
    progress.step(spec(), step)
    progress.close()
    shown = out.getvalue()
    for word in ("0/1 episodes, 1 running", "iron_ore_throughput a seed 0 trial 0", "1/100", "20", "120"):
        assert word in shown


def test_a_verdict_names_what_counts():
    assert verdict(record(value=None, quota=None, success=None, reason="steps", steps=1)).endswith(
        ": steps, 1 step, 1.5 s"
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0s"), (59.4, "59s"), (60, "1m00s"), (3599, "59m59s"), (7620, "2h07m")]
)
def test_durations_are_short(seconds, text):
    assert duration(seconds) == text


def test_the_table_of_the_summary_counts_by_task_and_agent():
    rows = task_rows(
        [
            record(value=3.0, success=False, reason="steps", steps=8, wall_s=1.0),
            record(value=20.0, steps=2, wall_s=2.0),
            record(status="engine_error", value=None, success=None, steps=1, wall_s=0.5),
            record("open_play", value=7.0, quota=None, success=None, steps=3, wall_s=4.0),
        ]
    )
    assert rows == [
        {
            "task": "iron_ore_throughput", "agent": "a", "episodes": 3, "ended": 2, "successes": 1, "best": 20.0,
            "quota": 16.0, "steps": 11, "wall_s": 3.5,
        },
        {
            "task": "open_play", "agent": "a", "episodes": 1, "ended": 1, "successes": None, "best": 7.0, "quota": None,
            "steps": 3, "wall_s": 4.0,
        },
    ]  # fmt: skip
