"""Recorded programs, played again, come out as recorded; an altered step is found."""

from __future__ import annotations

import json
import shutil

import pytest

from fle_ray import replay
from fle_ray.experiment.spec import AgentSpec, Budget, EngineSpec, EpisodeSpec, Limits
from tests.experiment.kit import run, table
from tests.experiment.test_run import modelled

REAL = {"engine": {"name": "sim"}, "interpreter": {"name": "child"}}
TWO = "iron_plate_throughput_multiagent_free"


def test_a_spec_can_be_read_back_from_the_data():
    spec = EpisodeSpec(
        "x", TWO, (AgentSpec("a", None, {"k": [1]}), AgentSpec("b", "m.C")), seed=3, trial=1, tags=("t",),
        engine=EngineSpec("sim", None, {"settle_ticks": 2}), limits=Limits(max_steps=4), budget=Budget(tokens=5),
        turns="agent_by_agent", reset_states=True,
    )  # fmt: skip
    again = EpisodeSpec.from_definition(json.loads(spec.definition_json))
    assert again == spec and again.episode_id == spec.episode_id


def test_runs_of_reference_and_random_programs_come_out_as_recorded(tmp_path, capsys):
    run(tmp_path / "a", **REAL, tasks=["iron_ore_throughput", "iron_plate_throughput"], agent={"name": "scripted"})
    run(tmp_path / "b", **REAL, tasks="open_play", seeds=[0, 1], agent={"name": "random"}, runner={"max_steps": 6})
    assert replay.main([str(tmp_path / "a" / "test" / "r1")]) == 0
    assert replay.main([str(tmp_path / "b" / "test" / "r1")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and all(line.endswith("all the same") for line in lines)


@pytest.mark.parametrize(
    "changes",
    [
        {"tasks": TWO, "agent": modelled(programs=["send_message('a')", None, "sleep(2)"])},
        {"tasks": TWO, "runner": {"turns": "agent_by_agent"}},
        {
            "tasks": "open_play",
            "runner": {"reset_states": True},
            "agent": {"name": "t", "_target_": "tests.fakes.TryingAgent", "programs": ["x = 1", "sleep(2)"]},
        },
        {"tasks": "open_play", "agent": modelled(), "budgets": {"episode": {"tokens": 200}}},
    ],
    ids=["two agents", "agent by agent", "tries", "budget"],
)
def test_turns_tries_missing_programs_and_budgets_are_replayed(tmp_path, changes):
    assert run(tmp_path, **changes) == 0
    assert replay.main([str(tmp_path / "test" / "r1")]) == 0


def test_an_altered_step_is_named(tmp_path, capsys):
    import pyarrow as pa
    import pyarrow.parquet as pq

    run(tmp_path, **REAL, tasks="open_play", agent={"name": "random"}, runner={"max_steps": 5})
    folder = tmp_path / "test" / "r1"
    (part,) = (folder / "steps").glob("*.parquet")
    steps = pq.read_table(part)
    rows = steps.to_pylist()
    rows[3]["code"] = "sleep(7)"
    copy = shutil.copytree(folder, tmp_path / "altered")
    pq.write_table(pa.Table.from_pylist(rows, schema=steps.schema), copy / "steps" / part.name)
    assert replay.main([str(copy), "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert not found["same"] and found["difference"]["step"] == 3


def test_an_unknown_run_or_episode_is_one_line_and_status_2(tmp_path, capsys):
    assert replay.main([str(tmp_path / "none")]) == 2
    run(tmp_path)
    known = table(tmp_path, "episodes")[0]["episode_id"]
    assert replay.main([str(tmp_path / "test" / "r1"), "--episode", known[:-1] + "x"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 and f"Did you mean {known!r}" in lines[1]
