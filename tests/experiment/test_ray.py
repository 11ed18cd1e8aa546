"""The Ray backend: the same records as the serial one, whatever dies."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from fle_ray import runs
from tests.experiment.kit import FAKED, REPOSITORY, env_for_processes, launch, run, steps_without_times, table
from tests.experiment.test_run import PLATE, SLEEPER, fake_game, manifest, modelled, slow_words, started

pytestmark = pytest.mark.ray

ON_RAY = {"backend": "ray", "instances": 2}


@pytest.fixture(scope="module", autouse=True)
def one_local_ray_for_all():
    yield
    import ray

    ray.shutdown()


def without_ids(rows):
    """Rows of runs whose engines differ in parameters only."""
    return [{k: v for k, v in row.items() if k not in ("episode_id", "program_id", "parent_id")} for row in rows]


def by_identity(rows):
    return sorted(rows, key=lambda r: (r["task"], r["seed"], r["step"]))


def test_ray_and_serial_give_the_same_records(tmp_path):
    options = {
        "tasks": ["iron_ore_throughput", PLATE],
        "seeds": [0, 1, 2],
        "agent": modelled(programs=["x = 1", "sleep(2)"]),
    }
    assert run(tmp_path / "serial", **options) == 0
    assert run(tmp_path / "ray", **options, runner=ON_RAY) == 0
    assert steps_without_times(tmp_path / "ray") == steps_without_times(tmp_path / "serial")
    for name, skip in (("messages", {"created_at"}), ("calls", {"microseconds"}), ("flows", set())):
        tables = [
            [{k: v for k, v in row.items() if k not in skip} for row in table(tmp_path / where, name)]
            for where in ("serial", "ray")
        ]
        assert tables[0] == tables[1], name


def test_one_and_two_instances_give_the_same_digests(tmp_path):
    options = {"tasks": "iron_ore_throughput", "seeds": [0, 1, 2]}
    for instances in (1, 2):
        assert run(tmp_path / str(instances), **options, runner={"backend": "ray", "instances": instances}) == 0
    assert steps_without_times(tmp_path / "1") == steps_without_times(tmp_path / "2")


def test_killing_an_actor_in_the_middle_of_an_episode_loses_and_repeats_nothing(tmp_path):
    """The process that plays is killed with -9 during its 4th program; every reply is asked for once."""
    asked = tmp_path / "asked"
    options = {"tasks": PLATE, "runner": {**ON_RAY, "max_steps": 8}}
    calm = modelled(programs=["x = 1", "x = x + 1\nsleep(x)"])
    hit = modelled(programs=["x = 1", "x = x + 1\nsleep(x)"], asked=str(asked))
    assert run(tmp_path / "calm", **options, agent=calm) == 0
    game = fake_game(fail_at=3, failure="kill", once=str(tmp_path / "dead"))
    assert run(tmp_path / "hit", **options, agent=hit, engine=game) == 0
    assert (tmp_path / "dead").exists()
    assert without_ids(steps_without_times(tmp_path / "hit")) == without_ids(steps_without_times(tmp_path / "calm"))
    assert asked.read_text().splitlines() == [f"0 {n}" for n in range(8)]
    (row,) = table(tmp_path / "hit", "episodes")
    assert (row["status"], row["attempts"]) == ("ended", 2)
    assert [e["kind"] for e in table(tmp_path / "hit", "events")] == ["engine_failed", "resumed"]


def test_an_episode_that_kills_every_actor_is_an_engine_error_and_the_others_are_played(tmp_path):
    game = fake_game(fail_at=2, failure="kill")
    agents = {"name": "mixed", "_target_": "tests.experiment.test_ray.KillsAtSeedOne"}
    assert run(tmp_path, tasks=PLATE, seeds=[0, 1, 2], agent=agents, engine=game, runner=ON_RAY) == 3
    found = {row["seed"]: (row["status"], row["attempts"], row["value"]) for row in table(tmp_path, "episodes")}
    assert found == {0: ("ended", 1, 0.0), 1: ("engine_error", 3, None), 2: ("ended", 1, 0.0)}


def test_a_run_whose_instances_die_too_often_gives_up_and_owes_the_rest(tmp_path):
    game = fake_game(fail_at=1, failure="kill")
    runner = {**ON_RAY, "instances": 1, "max_restarts": 1, "max_episode_retries": 5}
    assert run(tmp_path, tasks=PLATE, seeds=[0, 1, 2], agent=SLEEPER, engine=game, runner=runner) == 3
    counts = manifest(tmp_path)["counts"]
    assert counts["owed"] == 3 and counts["ended"] == 0


def test_agents_in_an_actor_of_their_own_give_the_same_records(tmp_path):
    beside = modelled(programs=["x = 1", "sleep(2)"])
    assert run(tmp_path / "beside", tasks=PLATE, seeds=[0, 1], agent=beside, runner=ON_RAY) == 0
    apart = {**beside, "placement": "actor"}
    assert run(tmp_path / "apart", tasks=PLATE, seeds=[0, 1], agent=apart, runner=ON_RAY) == 0
    assert steps_without_times(tmp_path / "apart") == steps_without_times(tmp_path / "beside")


def test_faults_of_agents_in_an_actor_keep_their_kinds(tmp_path):
    down = {**modelled(down_at=1), "placement": "actor"}
    assert run(tmp_path / "down", agent=down, runner=ON_RAY) == 3
    raising = {"name": "r", "_target_": "tests.fakes.RaisingAgent", "at": 1, "placement": "actor"}
    assert run(tmp_path / "raising", agent=raising, runner=ON_RAY) == 3
    (first,), (second,) = table(tmp_path / "down", "episodes"), table(tmp_path / "raising", "episodes")
    assert (first["status"], second["status"]) == ("provider_error", "agent_error")
    assert "answered 503" in first["error_message"] and "the agent broke in act" in second["error_message"]


def test_a_lost_agent_actor_is_a_fault_of_ours(tmp_path):
    agent = {"name": "k", "_target_": "tests.experiment.test_ray.KillsItself", "once": str(tmp_path / "dead")}
    assert run(tmp_path, tasks=PLATE, agent={**agent, "placement": "actor"}, runner=ON_RAY) == 0
    assert (tmp_path / "dead").exists()
    (row,) = table(tmp_path, "episodes")
    assert (row["status"], row["steps"], row["attempts"]) == ("ended", 4, 2)


def test_pausing_and_resuming_a_run_on_ray_loses_nothing(tmp_path):
    asked = tmp_path / "asked"

    def pause_and_resume():
        folder = tmp_path / "d" / "test" / "r1"
        while not asked.exists() or asked.read_text().count("\n") < 5:
            time.sleep(0.02)
        assert runs.main(["pause", str(folder)]) == 0
        time.sleep(2.0)
        seen.append(asked.read_text())
        time.sleep(0.5)
        seen.append(asked.read_text())
        assert runs.main(["resume", str(folder)]) == 0

    seen: list[str] = []
    other = threading.Thread(target=pause_and_resume)
    other.start()
    agent = modelled(asked=str(asked), pause_s=0.1)
    assert run(tmp_path / "d", tasks=PLATE, agent=agent, runner={**ON_RAY, "max_steps": 30}) == 0
    other.join()
    assert seen[0] == seen[1] and seen[0].count("\n") < 30
    assert asked.read_text().splitlines() == [f"0 {n}" for n in range(30)]


@pytest.mark.slow
def test_a_local_ray_is_of_its_own_though_a_cluster_runs_on_this_machine(tmp_path):
    import ray

    ray.shutdown()
    # Where `ray start --head` leaves the address that a plain ray.init() would join.
    with tempfile.TemporaryDirectory() as folder:  # a short path, for Ray's sockets lie below it
        (Path(folder) / "ray").mkdir()
        (Path(folder) / "ray" / "ray_current_cluster").write_text("127.0.0.1:1")
        done = launch(*FAKED, "runner=ray", f"run.root={tmp_path}/d", "runner.instances=1", RAY_TMPDIR=folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_newcomer_sees_nothing_of_ray(tmp_path):
    done = launch(*FAKED, "runner=ray", "seeds=[0,1]", f"run.root={tmp_path}", "runner.instances=2")
    assert done.returncode == 0 and done.stderr == ""
    assert "ray" not in done.stdout.lower().replace("fle_ray", "").replace(str(tmp_path).lower(), "")


@pytest.mark.slow
def test_ctrl_c_drains_a_run_on_ray_and_the_command_goes_on(tmp_path):
    process = started(slow_words(tmp_path, "runner=ray", "runner.instances=1"), tmp_path / "asked", 3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3 and "Traceback" not in err, err
    said = err.strip().splitlines()
    assert said[-2] == "1 of 1 episodes are owed (1 not finished). To play them:" and len(said) == 2
    before = len(table(tmp_path / "d", "steps", "x", "faked"))
    assert 3 <= before < 40
    again = launch(*shlex.split(said[-1])[3:], "runner.backend=serial")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "asked").read_text().splitlines() == [f"0 {n}" for n in range(40)]


@pytest.mark.slow
def test_ctrl_c_twice_stops_a_run_on_ray_now(tmp_path):
    process = started(slow_words(tmp_path, "runner=ray", "agent.pause_s=5.0"), tmp_path / "asked", 1)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.7)
    at = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in err and time.monotonic() - at < 10


@pytest.mark.slow
def test_a_killed_driver_is_gone_on_with_from_its_last_step(tmp_path):
    words = slow_words(tmp_path, "runner=ray", "runner.instances=1")
    process = started(words, tmp_path / "asked", 4)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert runs.run_status(tmp_path / "d" / "faked" / "x", manifest(tmp_path / "d", "x", "faked")) == "interrupted"
    before = table(tmp_path / "d", "steps", "x", "faked")
    assert len(before) >= 3
    again = launch(*words, "runner.backend=serial")
    assert again.returncode == 0, again.stderr
    after = table(tmp_path / "d", "steps", "x", "faked")
    assert [s["step"] for s in after] == list(range(40))
    questions = (tmp_path / "asked").read_text().splitlines()
    assert len(questions) <= 41  # at most the one that was being asked is asked again


@pytest.mark.slow
def test_the_jobs_of_a_sweep_share_one_ray(tmp_path):
    code = (
        "import sys, fle_ray.launch as launch, ray\n"
        "init, calls = ray.init, []\n"
        "ray.init = lambda *a, **k: (calls.append(1), init(*a, **k))[1]\n"
        f"sys.argv = ['launch']\n"
        f"words = {['-m', *FAKED, 'runner=ray', 'seeds=0,1', f'run.root={tmp_path}', 'run.id=s']!r}\n"
        "try: launch.main(words)\n"
        "except SystemExit as done: assert done.code == 0, done.code\n"
        "assert len(calls) == 1, calls"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=REPOSITORY, env=env_for_processes()
    )
    assert done.returncode == 0, done.stderr
    assert [json.loads(p.read_text())["exit_code"] for p in tmp_path.glob("faked/*/manifest.json")] == [0, 0]


@pytest.mark.slow
def test_a_cluster_that_does_not_answer_is_a_mistake_of_one_line(tmp_path):
    done = launch(*FAKED, "runner=ray", "runner.address=127.0.0.1:1", f"run.root={tmp_path}/d")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "runner.address is '127.0.0.1:1', but no Ray cluster answers there" in done.stderr
    assert not (tmp_path / "d" / "faked").exists()


# ---- agents for the tests above


class KillsAtSeedOne:
    def __new__(cls):
        from tests.fakes import FakeAgent

        class Agent(FakeAgent):
            def act(self, observation):
                from fle_ray.agents import Policy

                return Policy("sleep(1)" if self.start.seed == 1 else "pass")

        return Agent()


class KillsItself:
    def __new__(cls, once):
        from pathlib import Path

        from tests.fakes import FakeAgent

        class Agent(FakeAgent):
            def act(self, observation):
                if observation.step == 2 and not Path(once).exists():
                    Path(once).touch()
                    os.kill(os.getpid(), signal.SIGKILL)
                return super().act(observation)

        return Agent()
