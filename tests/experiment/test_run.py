"""A run from its configuration to its exit status, on the serial backend."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from fle_ray import runs
from fle_ray.errors import ConfigError
from tests.experiment.kit import (
    FAKED,
    REPOSITORY,
    config,
    env_for_processes,
    launch,
    run,
    steps_without_times,
    table,
)

PLATE = "iron_plate_throughput"
SLEEPER = {"name": "sleeper", "_target_": "tests.fakes.FakeAgent"}


def modelled(**parameters):
    return {"name": "modelled", "_target_": "tests.fakes.ModelAgent", **parameters}


def fake_game(**parameters):
    return {"name": "fake", "_target_": "tests.fakes.FakeInstance", **parameters}


def manifest(root: Path, run_id="r1", experiment="test"):
    return json.loads((root / experiment / run_id / "manifest.json").read_text())


# ---- what a run leaves


def test_every_planned_episode_becomes_a_row_and_the_exit_status_is_0(tmp_path):
    assert run(tmp_path, tasks=["iron_ore_throughput", PLATE], seeds=[0, 1]) == 0
    rows = table(tmp_path, "episodes")
    assert sorted((r["task"], r["seed"], r["status"], r["success"], r["value"]) for r in rows) == [
        ("iron_ore_throughput", 0, "ended", True, 20.0),
        ("iron_ore_throughput", 1, "ended", True, 20.0),
        (PLATE, 0, "ended", False, 0.0),
        (PLATE, 1, "ended", False, 0.0),
    ]
    assert {e["episode_id"] for e in manifest(tmp_path)["plan"]} == {r["episode_id"] for r in rows}


def test_parquet_reads_with_plain_pandas(tmp_path):
    import pandas as pd

    run(tmp_path)
    steps = pd.read_parquet(tmp_path / "test" / "r1" / "steps")
    assert list(steps["value"]) == [0.0, 20.0]
    assert len(pd.read_parquet(tmp_path / "test" / "r1" / "episodes")) == 1


def test_the_manifest_says_how_the_run_was_made(tmp_path):
    run(tmp_path, seeds=[5])
    found = manifest(tmp_path)
    assert (found["status"], found["exit_code"], found["run_id"], found["seeds"]) == ("complete", 0, "r1", [5])
    assert found["engine"]["version"] == "fake-1" and found["schema_version"] == 1
    assert found["packages"]["ray"] and found["host"]["python"] and len(found["config_sha256"]) == 64
    commit = subprocess.run(["git", "-C", str(REPOSITORY), "rev-parse", "HEAD"], capture_output=True, text=True)
    if commit.returncode == 0:
        assert found["git"]["commit"] == commit.stdout.strip()
    assert found["counts"] == {"planned": 1, "ended": 1, "owed": 0}
    assert len(found["sessions"]) == 1 and found["sessions"][0]["exit_code"] == 0


def test_the_saved_configuration_has_no_secret_and_no_run_id(tmp_path):
    agent = {"name": "x", "_target_": "tests.experiment.test_run.SecretiveAgent", "api_key": "sk-hidden"}
    run(tmp_path, agent=agent)
    folder = tmp_path / "test" / "r1"
    saved = yaml.safe_load((folder / "config.yaml").read_text())
    assert saved["run"]["id"] is None and saved["run"]["resume"] is None
    for path in folder.rglob("*"):
        if path.is_file():
            assert b"sk-hidden" not in path.read_bytes(), path


def test_a_run_by_its_saved_configuration_plays_the_same_steps(tmp_path):
    first = launch(*FAKED, f"run.root={tmp_path}", "run.id=first")
    assert first.returncode == 0, first.stderr
    folder = tmp_path / "faked" / "first"
    again = launch("--config-path", str(folder), "--config-name", "config", "run.id=second")
    assert again.returncode == 0, again.stderr
    assert steps_of(tmp_path, "first") == steps_of(tmp_path, "second")


def steps_of(root, run_id):
    from tests.experiment.kit import TIMES

    return [{k: v for k, v in r.items() if k not in TIMES} for r in table(root, "steps", run_id, "faked")]


def test_a_dry_run_prints_the_plan_and_starts_and_writes_nothing(tmp_path):
    done = launch(*FAKED, "seeds=[0,1]", "runner.backend=ray", "run.dry_run=true", f"run.root={tmp_path}/d", "run.id=x")
    assert done.returncode == 0, done.stderr
    assert f"2 episode(s) in {tmp_path}/d/faked/x. Nothing was started." in done.stdout
    assert done.stdout.count("iron_ore_throughput  builder  seed") == 2
    assert "Needs: a local Ray, started for the run; 2 game(s) at a time" in done.stdout
    assert not (tmp_path / "d" / "faked").exists()


def test_the_serial_backend_and_planning_do_not_import_ray(tmp_path):
    code = (
        "import sys; sys.argv = ['launch']\n"
        "import fle_ray.launch as launch\n"
        f"words = {[*FAKED, f'run.root={tmp_path}']!r}\n"
        "try: launch.main(words)\n"
        "except SystemExit as done: assert done.code == 0, done.code\n"
        "assert 'ray' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=REPOSITORY, env=env_for_processes()
    )
    assert done.returncode == 0, done.stderr


def test_the_summary_has_a_row_a_task_and_three_lines_of_pandas(tmp_path):
    done = launch(*FAKED, f"tasks=[iron_ore_throughput,{PLATE}]", "seeds=[0,1]", f"run.root={tmp_path}", "run.id=x")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["iron_ore_throughput", "2", "2/2", "20", "/", "16", "4"] in [line[:7] for line in lines]
    assert [PLATE, "2", "0/2", "0", "/", "16", "8"] in [line[:7] for line in lines]
    code = "\n".join(line.strip() for line in done.stdout.splitlines() if "pd" in line)
    names: dict = {}
    exec(code, names)
    assert len(names["episodes"]) == 4 and len(names["steps"]) == 12


# ---- faults, and what is owed


def test_an_episode_whose_game_failed_is_taken_up_again_at_its_step(tmp_path):
    """Six steps of one call each; the game dies at the fourth call, once."""
    options = {"agent": SLEEPER, "tasks": PLATE, "runner": {"max_steps": 6}}
    assert run(tmp_path / "calm", **options) == 0
    failing = fake_game(fail_at=4, once=str(tmp_path / "failed"))
    assert run(tmp_path / "hit", **options, engine=failing) == 0
    assert (tmp_path / "failed").exists()

    def identity_free(root):
        rows = steps_without_times(root)
        for row in rows:
            del row["episode_id"], row["program_id"], row["parent_id"]  # another engine, another id
        return rows

    assert identity_free(tmp_path / "hit") == identity_free(tmp_path / "calm")
    assert table(tmp_path / "hit", "episodes")[0]["attempts"] == 2
    kinds = [event["kind"] for event in table(tmp_path / "hit", "events")]
    assert kinds == ["engine_failed", "resumed"]


def test_an_episode_whose_game_keeps_failing_is_an_engine_error_without_a_score_and_exit_3(tmp_path):
    assert run(tmp_path, agent=SLEEPER, engine=fake_game(fail_at=1, failure="bug")) == 3
    (row,) = table(tmp_path, "episodes")
    assert (row["status"], row["value"], row["success"], row["attempts"]) == ("engine_error", None, None, 3)
    assert row["error_kind"] == "ZeroDivisionError" and "a bug in the engine" in row["error_traceback"]
    assert manifest(tmp_path)["status"] == "owed"


def test_what_is_owed_is_said_with_the_command_that_plays_it(tmp_path):
    words = [*FAKED, "agent=modelled", "agent.down_at=1", f"agent.once={tmp_path}/up", f"run.root={tmp_path}/d"]
    done = launch(*words, "run.id=x", "tasks=[iron_ore_throughput,iron_plate_throughput]")
    assert done.returncode == 3
    said = done.stderr.strip().splitlines()
    assert said[0] == "1 of 2 episodes are owed (1 provider_error). To play them:"
    assert said[1].strip().startswith("python -m fle_ray.launch --config-dir ") and said[1].endswith("run.resume=x")

    rows = {r["task"]: r for r in table(tmp_path / "d", "episodes", "x", "faked")}
    assert rows["iron_ore_throughput"]["value"] is None and rows[PLATE]["status"] == "ended"
    again = launch(*shlex.split(said[1])[3:])
    assert again.returncode == 0, again.stderr
    rows = {r["task"]: r for r in table(tmp_path / "d", "episodes", "x", "faked")}
    assert [(r["status"], r["steps"]) for r in rows.values()] == [("ended", 4), ("ended", 4)]
    steps = table(tmp_path / "d", "steps", "x", "faked")
    assert len(steps) == len({s["program_id"] for s in steps}) == 8


def test_an_agent_that_raises_is_recorded_and_the_others_are_played(tmp_path):
    agent = {"name": "raising", "_target_": "tests.fakes.RaisingAgent", "at": 1}
    assert run(tmp_path, agent=agent, seeds=[0, 1]) == 3
    rows = table(tmp_path, "episodes")
    assert [r["status"] for r in rows] == ["agent_error"] * 2 and [r["steps"] for r in rows] == [1, 1]
    assert "the agent broke in act" in rows[0]["error_traceback"]


def test_an_agent_that_cannot_be_made_is_an_agent_error(tmp_path):
    assert run(tmp_path, agent={"name": "x", "_target_": "tests.experiment.test_run.UnmakeableAgent"}) == 3
    (row,) = table(tmp_path, "episodes")
    assert row["status"] == "agent_error" and "no weights" in row["error_message"]


def test_a_game_that_cannot_be_started_is_an_engine_error(tmp_path):
    engine = {"name": "x", "_target_": "tests.experiment.test_run.unmakeable_game"}
    assert run(tmp_path, engine=engine) == 3
    (row,) = table(tmp_path, "episodes")
    assert row["status"] == "engine_error" and "no licence" in row["error_message"]


def test_a_full_disk_stops_the_run_with_one_line_and_everything_stays_readable(tmp_path, monkeypatch, capsys):
    from fle_ray.dataset.journal import Journal

    append, left = Journal.append, iter(range(5))

    def full(self, entry):
        if next(left, None) is None:
            import errno

            from fle_ray.dataset.layout import storage_errors

            with storage_errors("write to the journal"):
                raise OSError(errno.ENOSPC, "No space left on device")
        return append(self, entry)

    monkeypatch.setattr(Journal, "append", full)
    from rich.console import Console

    from fle_ray.experiment.run import run_experiment

    code = run_experiment(config(tmp_path, agent=SLEEPER, runner={"max_steps": 20}), console=Console(file=sys.stdout))
    said = capsys.readouterr().err
    assert code == 3 and "the disk is full" in said and "Traceback" not in said
    monkeypatch.undo()
    assert len(table(tmp_path, "steps")) == 3  # header, prompt and three steps went through
    assert run(tmp_path, agent=SLEEPER, runner={"max_steps": 20}) == 0
    assert len(table(tmp_path, "steps")) == 20


# ---- resume


def test_the_same_run_id_again_plays_nothing_that_is_complete(tmp_path):
    asked = tmp_path / "asked"
    agent = modelled(asked=str(asked))
    assert run(tmp_path, agent=agent) == 0
    assert asked.read_text().count("\n") == 4
    assert run(tmp_path, agent=agent) == 0
    assert asked.read_text().count("\n") == 4
    assert [s["exit_code"] for s in manifest(tmp_path)["sessions"]] == [0, 0]


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seeds": [0, 1]}, "seeds: \\[0\\] -> \\[0, 1\\]"),
        ({"runner": {"max_steps": 9}}, "runner.max_steps: 4 -> 9"),
        ({"agent": SLEEPER}, "agent.name: builder -> sleeper"),
        ({"task": {"measure": "fork"}}, "task.measure: not set -> fork"),
    ],
)
def test_going_on_with_another_configuration_is_refused_with_the_difference(tmp_path, change, difference):
    run(tmp_path)
    before = table(tmp_path, "steps")
    with pytest.raises(ConfigError, match=f"was made with another configuration. Changed: .*{difference}"):
        run(tmp_path, **change)
    assert table(tmp_path, "steps") == before


def test_settings_that_do_not_define_episodes_may_change_on_resume(tmp_path):
    run(tmp_path)
    assert run(tmp_path, runner={"max_episode_retries": 7, "log_dir": str(tmp_path / "log")}) == 0


def test_a_folder_that_is_no_run_is_left_alone(tmp_path):
    (tmp_path / "test" / "r1").mkdir(parents=True)
    (tmp_path / "test" / "r1" / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match="is no run of ours"):
        run(tmp_path)


def test_a_run_killed_between_any_two_writes_goes_on_to_the_same_steps(tmp_path):
    """The process is killed in the middle of its third step; the second session plays the rest."""
    options = ["agent=modelled", "agent.programs=['x = 1','x = x + 1','sleep(x)','print(x)']", "run.id=x"]
    calm = launch(*FAKED, *options, f"run.root={tmp_path}/calm", "engine.fail_at=null", f"engine.once={tmp_path}/dead")
    assert calm.returncode == 0, calm.stderr
    asked = tmp_path / "asked"
    hit_words = [
        *FAKED,
        *options,
        f"run.root={tmp_path}/hit",
        f"engine.once={tmp_path}/dead",
        "engine.failure=kill",
        "engine.fail_at=1",
        f"agent.asked={asked}",
    ]
    hit = launch(*hit_words)
    assert hit.returncode == -signal.SIGKILL
    assert len(table(tmp_path / "hit", "steps", "x", "faked")) == 2  # read from the journal
    again = launch(*hit_words)
    assert again.returncode == 0, again.stderr
    assert asked.read_text().split("\n")[:-1] == ["0 0", "0 1", "0 2", "0 3"]  # no reply was paid for twice

    def plain(root):
        rows = steps_of(root, "x")
        for row in rows:
            del row["episode_id"], row["program_id"], row["parent_id"]
        return rows

    assert plain(tmp_path / "hit") == plain(tmp_path / "calm")


# ---- stopping


def started(words, until: Path, lines: int) -> subprocess.Popen:
    """Start a launch and wait until `until` has so many lines."""
    process = subprocess.Popen(
        [sys.executable, "-m", "fle_ray.launch", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env=env_for_processes(),
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not until.exists() or until.read_text().count("\n") < lines:
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.02)
    return process


def slow_words(tmp_path, *more):
    return [
        *FAKED,
        "agent=modelled",
        "agent.pause_s=0.1",
        f"agent.asked={tmp_path}/asked",
        "runner.max_steps=40",
        f"run.root={tmp_path}/d",
        "run.id=x",
        *more,
    ]


def test_ctrl_c_once_drains_and_the_printed_command_goes_on_at_the_step(tmp_path):
    process = started(slow_words(tmp_path), tmp_path / "asked", 3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3 and "Traceback" not in err
    assert "Stopping after the steps that are being played" in out
    said = err.strip().splitlines()
    assert said[-2] == "1 of 1 episodes are owed (1 not finished). To play them:"
    before = table(tmp_path / "d", "steps", "x", "faked")
    assert 3 <= len(before) < 40
    assert table(tmp_path / "d", "episodes", "x", "faked") == []

    again = launch(*shlex.split(said[-1])[3:])
    assert again.returncode == 0, again.stderr
    after = table(tmp_path / "d", "steps", "x", "faked")
    for row in [*before, *after]:  # which states are kept changes as an episode goes on
        del row["world_state"], row["session_state"]
    assert after[: len(before)] == before and [s["step"] for s in after] == list(range(40))
    assert (tmp_path / "asked").read_text().count("\n") == 40


def test_ctrl_c_twice_stops_now_and_keeps_what_is_recorded(tmp_path):
    process = started(slow_words(tmp_path, "agent.pause_s=2.0"), tmp_path / "asked", 1)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.5)
    at = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Stopped at once" in err and "Traceback" not in err
    assert time.monotonic() - at < 10
    assert manifest(tmp_path / "d", "x", "faked")["status"] == "interrupted"


def test_runs_can_be_paused_resumed_and_cancelled_from_outside(tmp_path, capsys):
    process = started(slow_words(tmp_path, "agent.pause_s=0.05"), tmp_path / "asked", 2)
    root = ["--root", str(tmp_path / "d")]
    assert runs.main(["pause", "x", *root]) == 0
    time.sleep(1.5)
    standing = (tmp_path / "asked").read_text()
    assert runs.main(["list", "--json", *root]) == 0
    listed = json.loads(capsys.readouterr().out.split("\n", 1)[1])
    assert [(r["run_id"], r["status"], r["complete"], r["planned"]) for r in listed] == [("x", "paused", 0, 1)]
    time.sleep(0.7)
    assert (tmp_path / "asked").read_text() == standing
    assert runs.main(["resume", "x", *root]) == 0
    deadline = time.monotonic() + 30
    while (tmp_path / "asked").read_text() == standing:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert runs.main(["cancel", "x", *root]) == 0
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3
    (row,) = table(tmp_path / "d", "episodes", "x", "faked")
    assert (row["status"], row["reason"], row["value"]) == ("cancelled", "cancelled", None)
    assert manifest(tmp_path / "d", "x", "faked")["status"] == "cancelled"


def test_two_processes_cannot_write_one_run(tmp_path):
    process = started(slow_words(tmp_path), tmp_path / "asked", 1)
    second = launch(*slow_words(tmp_path))
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert second.returncode == 2 and "is being written by process" in second.stderr
    assert second.stderr.count("\n") == 1


# ---- budgets of the run


def test_a_budget_of_the_run_ends_running_episodes_and_begins_no_more(tmp_path):
    agent = modelled()
    assert run(tmp_path, agent=agent, seeds=[0, 1, 2], budgets={"run": {"tokens": 600}}) == 3
    rows = table(tmp_path, "episodes")
    assert sorted((r["reason"], r["steps"]) for r in rows) == [("budget", 2), ("steps", 4)]  # 110 a step, six steps
    assert manifest(tmp_path)["counts"] == {"planned": 3, "ended": 2, "owed": 1}
    assert run(tmp_path, agent=agent, seeds=[0, 1, 2], budgets={"run": {"tokens": 2000}}) == 0


# ---- sweeps


def test_a_sweep_is_one_run_a_job_under_one_root_with_the_largest_exit_status(tmp_path):
    done = launch("-m", *FAKED, "agent=builder,modelled", "+x=1,2".replace("+x", "seeds"), f"run.root={tmp_path}",
                  "run.id=s", "runner.max_steps=2")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = {p.name: manifest(tmp_path, p.name, "faked") for p in (tmp_path / "faked").iterdir()}
    assert sorted(found) == ["s-0", "s-1", "s-2", "s-3"]
    assert {m["sweep_id"] for m in found.values()} == {"s"}
    assert [(m["plan"][0]["agent"], m["seeds"]) for _, m in sorted(found.items())] == [
        ("builder", [1]), ("builder", [2]), ("modelled", [1]), ("modelled", [2]),
    ]  # fmt: skip
    again = launch("-m", *FAKED, "agent=builder,modelled", "seeds=1,2", f"run.root={tmp_path}", "run.id=s",
                   "runner.max_steps=2")  # fmt: skip
    assert again.returncode == 0 and "Going on with" in again.stdout
    assert len(list((tmp_path / "faked").iterdir())) == 4


def test_a_job_that_owes_does_not_stop_the_sweep(tmp_path):
    done = launch("-m", *FAKED, "agent=modelled", "agent.down_at=0,null", f"run.root={tmp_path}", "run.id=s")
    assert done.returncode == 3
    statuses = [manifest(tmp_path, f"s-{k}", "faked")["status"] for k in (0, 1)]
    assert statuses == ["owed", "complete"]
    assert "agent.down_at=0" in done.stderr and "run.resume=s-0" in done.stderr


def test_a_job_of_a_sweep_is_gone_on_with_by_its_own_command(tmp_path):
    words = [*FAKED, "agent=modelled", "agent.down_at=0,null", f"agent.once={tmp_path}/up", f"run.root={tmp_path}/d"]
    done = launch("-m", *words, "run.id=s")
    assert done.returncode == 3
    command = shlex.split(done.stderr.strip().splitlines()[-1])[3:]
    assert launch(*command).returncode == 0
    assert manifest(tmp_path / "d", "s-0", "faked")["status"] == "complete"


def test_hydra_writes_below_the_root_and_nobody_writes_a_secret(tmp_path):
    secretive = ["agent.name=x", "agent._target_=tests.experiment.test_run.SecretiveAgent", "+agent.api_key=sk-hidden"]
    done = launch("-m", *FAKED, *secretive, "seeds=0,1", f"run.root={tmp_path}/d", "run.id=s", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {p.name for p in tmp_path.iterdir()} == {"d"}
    assert {p.name for p in (tmp_path / "d").iterdir()} == {"_hydra", "faked"}
    for path in (tmp_path / "d").rglob("*"):
        assert not path.is_file() or b"sk-hidden" not in path.read_bytes(), path


# ---- agents and games for the tests above


class SecretiveAgent:
    def __new__(cls, api_key):
        from tests.fakes import BuilderAgent

        assert api_key == "sk-hidden"
        return BuilderAgent()


class UnmakeableAgent:
    def __init__(self):
        raise OSError("no weights")


def unmakeable_game():
    raise OSError("no licence")


# ---- files at the end


def parquet_files(root: Path, table_name: str) -> list[str]:
    return sorted(path.name for path in (root / "test" / "r1" / table_name).glob("*.parquet"))


def test_a_run_that_ends_leaves_one_file_a_table_with_the_same_rows(tmp_path):
    played = {"tasks": ["iron_ore_throughput", PLATE], "seeds": [0, 1]}
    assert run(tmp_path / "many", **played, dataset={"compact": False}) == 0
    assert run(tmp_path / "few", **played) == 0
    assert len(parquet_files(tmp_path / "many", "steps")) == len(parquet_files(tmp_path / "many", "episodes")) == 4
    for name in ("steps", "episodes", "messages", "flows"):
        assert len(parquet_files(tmp_path / "few", name)) == (1 if parquet_files(tmp_path / "many", name) else 0)
    few, many = (sorted(map(str, steps_without_times(tmp_path / folder))) for folder in ("few", "many"))
    assert few == many and len(few) == 12  # 2 steps to the quota of ore, 4 without plates; two seeds each


def test_a_run_that_owes_keeps_files_for_what_it_owes_and_merges_them_when_that_is_played(tmp_path):
    agent = modelled(down_at=1, once=str(tmp_path / "up"))
    assert run(tmp_path, seeds=[0, 1], agent=agent) == 3
    assert len(parquet_files(tmp_path, "episodes")) == 2
    assert run(tmp_path, seeds=[0, 1], agent=agent) == 0
    assert len(parquet_files(tmp_path, "episodes")) == len(parquet_files(tmp_path, "steps")) == 1
    assert len(table(tmp_path, "steps")) == 8


def test_files_that_cannot_be_merged_stay_and_the_run_is_complete(tmp_path, monkeypatch, capsys):
    from fle_ray.dataset.writer import RunWriter
    from fle_ray.errors import StorageError
    from fle_ray.experiment.run import Invocation, run_experiment

    def full(self):
        raise StorageError("the disk is full")

    monkeypatch.setattr(RunWriter, "compact", full)
    assert run_experiment(config(tmp_path, seeds=[0, 1]), Invocation()) == 0
    assert "not merged: the disk is full" in capsys.readouterr().err
    assert manifest(tmp_path)["status"] == "complete" and len(parquet_files(tmp_path, "steps")) == 2
