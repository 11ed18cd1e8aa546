"""Sweeps: every job is a run of its own, and what it plays is what it would play alone."""

from __future__ import annotations

import io
import itertools
import json
import os
import shlex
import signal
import time
from pathlib import Path

import pytest
from rich.console import Console

from fle_ray.agents import BaseAgent
from fle_ray.agents.contract import Policy
from fle_ray.dataset import open_runs
from fle_ray.errors import ConfigError, StorageError
from fle_ray.experiment import sweep
from fle_ray.experiment.plan import make_plan
from fle_ray.experiment.run import Invocation
from fle_ray.experiment.sweep import SweepJob, play_jobs
from tests.agents.servers import ModelServer
from tests.experiment.kit import FAKED, config, launch, run, steps_without_times, table
from tests.experiment.test_gateway import LATER, PROGRAM, on
from tests.experiment.test_run import PLATE, SLEEPER, fake_game, manifest, modelled, slow_words, started
from tests.fakes import FakeInstance, ModelAgent

ON_RAY = {"backend": "ray", "instances": 2}
REAL = {"engine": {"name": "sim"}, "interpreter": {"name": "child"}}


@pytest.fixture(scope="module", autouse=True)
def one_local_ray_for_all():
    yield
    import ray

    ray.shutdown()


def play(root, *jobs, runner=ON_RAY):
    """Play jobs as a sweep in this process; returns their results. Job number n is the run `s-<n>`."""
    made = []
    for number, changes in enumerate(jobs):
        changes = {**changes, "runner": {**runner, **changes.get("runner", {})}, "run": {"id": None}}
        job = config(root, **changes)
        made.append(SweepJob(number, job, make_plan(job), Invocation(sweep_id="s", run_id=f"s-{number}")))
    return play_jobs(made, Console(file=io.StringIO()))


def codes(results):
    return [result.code for result in results]


# ---- the same as alone

# Jobs that differ in agent, seeds, engine and interpreter; the random agent's programs make worlds that differ.
VARIED = [
    {**REAL, "tasks": "iron_ore_throughput", "agent": {"name": "scripted"}, "seeds": [0, 1]},
    {**REAL, "tasks": "open_play", "agent": {"name": "random"}, "seeds": [0, 1, 2]},
    {**REAL, "tasks": "open_play", "agent": {"name": "random"}, "seeds": [1],
     "engine": {"name": "sim", "settle_ticks": 30}},
    {**REAL, "tasks": PLATE, "agent": {"name": "random"}, "interpreter": {"name": "child", "output_lines": 1}},
]  # fmt: skip


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The steps of each job, played alone in this process."""
    root = tmp_path_factory.mktemp("alone")
    for number, job in enumerate(VARIED):
        assert run(root, **job, run={"id": f"a-{number}"}) == 0
    return [steps_without_times(root, f"a-{number}") for number in range(len(VARIED))]


@pytest.mark.ray
@pytest.mark.parametrize(
    ("instances", "order"), [(1, (0, 1, 2, 3)), (2, (0, 1, 2, 3)), (2, (3, 2, 1, 0)), (1, (2, 0, 3, 1))]
)
def test_a_packed_job_has_the_steps_and_digests_that_it_has_alone(tmp_path, alone, instances, order):
    results = play(tmp_path, *(VARIED[job] for job in order), runner={"backend": "ray", "instances": instances})
    assert codes(results) == [0, 0, 0, 0]
    for number, job in enumerate(order):
        assert steps_without_times(tmp_path, f"s-{number}") == alone[job], VARIED[job]
    assert len({step["digest"] for steps in alone for step in steps}) > 4  # so equality says something


@pytest.mark.ray
def test_a_sweep_over_backends_gives_the_same_records_from_each(tmp_path):
    job = {"tasks": PLATE, "seeds": [0, 1], "agent": SLEEPER}
    serial = {**job, "runner": {"backend": "serial"}}
    assert codes(play(tmp_path, job, serial, job)) == [0, 0, 0]
    first = steps_without_times(tmp_path, "s-0")
    assert first == steps_without_times(tmp_path, "s-1") == steps_without_times(tmp_path, "s-2")


# ---- one pool


class TellsItsProcess(BaseAgent):
    """Writes down which process plays, and when."""

    def __init__(self, path: str) -> None:
        self.path = path

    def act(self, observation):
        with open(self.path, "a") as file:
            file.write(f"{os.getpid()}\n")
        return Policy("sleep(1)")


@pytest.mark.ray
def test_all_jobs_of_a_sweep_are_played_by_the_same_instances(tmp_path):
    told = {"name": "t", "_target_": "tests.experiment.test_sweep.TellsItsProcess", "path": str(tmp_path / "pids")}
    results = play(tmp_path, *({"tasks": PLATE, "agent": told, "seeds": [seed]} for seed in range(6)))
    assert codes(results) == [0] * 6
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) == 6 * 4 and len(set(pids)) <= 2 and str(os.getpid()) not in pids


@pytest.mark.ray
def test_jobs_of_other_numbers_of_instances_have_a_pool_of_their_own_on_the_same_ray(tmp_path):
    told = {"name": "t", "_target_": "tests.experiment.test_sweep.TellsItsProcess"}
    jobs = [
        {"tasks": PLATE, "seeds": list(range(4)), "runner": {"instances": count},
         "agent": {**told, "path": str(tmp_path / f"pids{count}")}}
        for count in (1, 2)
    ]  # fmt: skip
    assert codes(play(tmp_path, *jobs)) == [0, 0]
    pids = [set((tmp_path / f"pids{count}").read_text().split()) for count in (1, 2)]
    assert len(pids[0]) == 1 and len(pids[1]) <= 2 and not pids[0] & pids[1]


class MeetsAnother(BaseAgent):
    """Begins only when its partner has begun too, so its job ends only if both are played at the same time."""

    def __init__(self, folder: str, me: int, partner: int) -> None:
        self.mine, self.other = Path(folder, str(me)), Path(folder, str(partner))

    def act(self, observation):
        self.mine.touch()
        waited_from = time.monotonic()
        while not self.other.exists():
            if time.monotonic() - waited_from > 60:
                raise RuntimeError("nobody came")
            time.sleep(0.01)
        return Policy("sleep(1)")


@pytest.mark.ray
def test_jobs_are_played_at_the_same_time(tmp_path):
    meets = {"name": "m", "_target_": "tests.experiment.test_sweep.MeetsAnother", "folder": str(tmp_path)}
    jobs = [{"tasks": PLATE, "agent": {**meets, "me": me, "partner": me ^ 1}} for me in range(4)]
    assert codes(play(tmp_path, *jobs)) == [0, 0, 0, 0]


@pytest.mark.ray
@pytest.mark.parametrize("instances", [1, 2])
def test_jobs_end_one_by_one_and_one_is_opened_only_for_an_instance_that_is_free(tmp_path, monkeypatch, instances):
    happened = []

    class Watched(sweep.OpenRun):
        def __init__(self, config, plan, invocation, *rest):
            happened.append(("open", invocation.run_id))
            super().__init__(config, plan, invocation, *rest)

        def close(self, code):
            super().close(code)
            happened.append(("close", self.run_dir.name))

    monkeypatch.setattr(sweep, "OpenRun", Watched)
    jobs = [{"tasks": PLATE, "agent": SLEEPER, "seeds": [seed]} for seed in range(6)]
    runner = {**ON_RAY, "instances": instances}
    for _ in range(2):  # the second time all of them are played already
        assert codes(play(tmp_path, *jobs, runner=runner)) == [0] * 6
        assert [run_id for what, run_id in happened if what == "open"] == [f"s-{n}" for n in range(6)]
        still_open = list(itertools.accumulate(1 if what == "open" else -1 for what, _ in happened))
        assert max(still_open) <= instances and still_open[-1] == 0
        happened.clear()


class OneServer(FakeInstance):
    """A game of which there can be one at a time; none when nothing `listens`."""

    def __init__(self, listens: bool = True, speed: int = 1) -> None:
        super().__init__()

    @staticmethod
    def most_instances(**_) -> int:
        return 1

    @staticmethod
    def check_ready(listens: bool = True, **_) -> None:
        if not listens:
            raise ConfigError("No server answers.")


SERVER = {"name": "server", "_target_": "tests.experiment.test_sweep.OneServer"}


@pytest.mark.ray
def test_games_of_which_there_are_few_are_played_on_no_more_instances_whatever_the_jobs_have_besides(tmp_path):
    told = {"name": "t", "_target_": "tests.experiment.test_sweep.TellsItsProcess"}
    jobs = [
        {"tasks": PLATE, "seeds": [0, 1], "engine": {**SERVER, "speed": speed},
         "agent": {**told, "path": str(tmp_path / f"pids{speed}")}}
        for speed in (1, 2, 1)
    ]  # fmt: skip
    assert codes(play(tmp_path, *jobs, {"tasks": PLATE, "agent": SLEEPER})) == [0] * 4
    pids = [set((tmp_path / f"pids{speed}").read_text().split()) for speed in (1, 2)]
    assert len(pids[0]) == len(pids[1]) == 1 and pids[0] != pids[1]


@pytest.mark.parametrize("backend", ["serial", pytest.param("ray", marks=pytest.mark.ray)])
def test_a_job_whose_servers_do_not_answer_is_a_mistake_of_that_job(tmp_path, backend):
    jobs = [{"tasks": PLATE, "agent": SLEEPER, "engine": {**SERVER, "listens": listens}} for listens in (True, False)]
    results = play(tmp_path, *jobs, runner={"backend": backend})
    assert codes(results) == [0, 2] and results[1].trouble == "No server answers."
    assert not (tmp_path / "test" / "s-1").exists()


def test_what_is_wrong_in_many_jobs_is_said_once(tmp_path, capsys):
    results = play(tmp_path, *[{"tasks": PLATE, "engine": {**SERVER, "listens": False}}] * 12)
    sweep.say_what_is_owed(results, ["again"])
    named = ", ".join(f"#{n}" for n in range(10))
    assert capsys.readouterr().err == f"{named} and 2 more: No server answers.\n"


@pytest.mark.ray
@pytest.mark.parametrize("placement", ["actor", "instance"])
def test_each_job_has_its_own_spending_though_all_share_one_gateway(tmp_path, placement):
    prices = tmp_path / "prices.yaml"
    prices.write_text("models: {gpt-4o: {input: 2.0, output: 10.0}}")
    with ModelServer(PROGRAM) as server:
        agent = on(server, prices=str(prices), placement=placement)
        jobs = [{"tasks": PLATE, "agent": agent, "seeds": list(range(count))} for count in (1, 2, 3)]
        assert codes(play(tmp_path, *jobs)) == [0, 0, 0]
    for number, episodes in enumerate((1, 2, 3)):
        spent = [e for e in table(tmp_path, "events", f"s-{number}") if e["kind"] == "spending"]
        assert sum(json.loads(e["meta"])["replies"] for e in spent) == 4 * episodes
        cost = sum(row["cost_usd"] for row in table(tmp_path, "episodes", f"s-{number}"))
        assert sum(e["value"] for e in spent) == pytest.approx(cost) == pytest.approx(4 * episodes * 0.004)


@pytest.mark.ray
def test_a_service_that_holds_back_is_told_in_every_job_that_is_open(tmp_path):
    with ModelServer(LATER, PROGRAM) as server:
        jobs = [{"tasks": PLATE, "agent": on(server), "seeds": [seed]} for seed in (0, 1)]
        assert codes(play(tmp_path, *jobs)) == [0, 0]
    kinds = [{event["kind"] for event in table(tmp_path, "events", f"s-{n}")} for n in (0, 1)]
    assert all("rate_limited" in one for one in kinds)


# ---- a job that fails takes no other one down


@pytest.mark.ray
def test_a_job_whose_game_kills_every_instance_gives_up_alone(tmp_path):
    deadly = {"tasks": PLATE, "agent": SLEEPER, "engine": fake_game(fail_at=1, failure="kill")}
    calm = {"tasks": PLATE, "agent": SLEEPER, "seeds": [0, 1]}
    runner = {**ON_RAY, "max_restarts": 1, "max_episode_retries": 5}
    results = play(tmp_path, calm, deadly, calm, calm, runner=runner)
    assert codes(results) == [0, 3, 0, 0]
    (row,) = table(tmp_path, "episodes", "s-1")
    assert (row["status"], row["value"]) == ("engine_error", None)
    assert "instances have died" in row["error_message"]


@pytest.mark.ray
def test_a_job_whose_records_cannot_be_written_ends_alone_and_can_be_gone_on_with(tmp_path, monkeypatch):
    from fle_ray.dataset.writer import RunWriter

    append = RunWriter.append

    def full(self, record, *rest, **more):
        if self.run_id == "s-1" and record.step == 2:
            raise StorageError("There is no space left on the disk.")
        return append(self, record, *rest, **more)

    jobs = [{"tasks": PLATE, "agent": SLEEPER, "seeds": [0, 1]}] * 3
    with monkeypatch.context() as patch:
        patch.setattr(RunWriter, "append", full)
        results = play(tmp_path, *jobs)
    assert codes(results) == [0, 3, 0]
    assert results[1].trouble == "There is no space left on the disk."
    assert manifest(tmp_path, "s-1")["status"] == "owed"
    assert codes(play(tmp_path, *jobs)) == [0, 0, 0]
    assert steps_without_times(tmp_path, "s-1") == steps_without_times(tmp_path, "s-0")


@pytest.mark.ray
def test_a_job_whose_run_another_process_writes_is_a_mistake_of_that_job(tmp_path):
    from fle_ray.dataset.writer import RunWriter

    jobs = [{"tasks": PLATE, "agent": SLEEPER, "seeds": [seed]} for seed in (0, 1, 2)]
    assert codes(play(tmp_path, *jobs)) == [0, 0, 0]
    with RunWriter(tmp_path / "test" / "s-1"):
        results = play(tmp_path, *jobs)
    assert codes(results) == [0, 2, 0]
    assert "is being written by process" in results[1].trouble and results[1].run_dir is None


@pytest.mark.ray
def test_a_job_with_a_budget_stops_alone(tmp_path):
    job = {"tasks": PLATE, "agent": modelled(), "seeds": [0, 1, 2]}
    # 110 a step: the second episode reaches it, the third is not begun
    results = play(tmp_path, {**job, "budgets": {"run": {"tokens": 600}}}, job, runner={**ON_RAY, "instances": 1})
    assert codes(results) == [3, 0]
    assert results[0].owed.startswith("1 of 3 episodes are owed (1 not finished; the run's ")


@pytest.mark.ray
def test_a_sweep_of_which_all_is_played_starts_nothing(tmp_path, monkeypatch):
    jobs = [{"tasks": PLATE, "agent": SLEEPER, "seeds": [seed]} for seed in (0, 1)]
    assert codes(play(tmp_path, *jobs)) == [0, 0]

    def never(runner):
        raise AssertionError("Ray was started.")

    monkeypatch.setattr("fle_ray.experiment.driver.start_ray", never)
    assert codes(play(tmp_path, *jobs)) == [0, 0]


# ---- as a command


def job_table(out):
    """The lines of the final table, split into words."""
    lines = out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("job "))
    return [line.split() for line in itertools.takewhile(str.strip, lines[at:])]


def test_a_sweep_ends_with_a_row_a_job_and_how_to_open_all_of_them(tmp_path):
    words = [*FAKED, "agent=builder,sleeper", "seeds=[0],[1,2]", f"run.root={tmp_path}", "run.id=s"]
    done = launch("-m", *words)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    head, *rows = job_table(done.stdout)
    assert head[:4] == ["job", "agent", "seeds", "episodes"] and head[-1] == "run"
    assert [row[:4] for row in rows] == [
        ["0", "builder", "[0]", "1/1"], ["1", "builder", "[1,2]", "2/2"],
        ["2", "sleeper", "[0]", "1/1"], ["3", "sleeper", "[1,2]", "2/2"],
    ]  # fmt: skip
    assert [row[-2:] for row in rows] == [["complete", f"s-{n}"] for n in range(4)]
    opening = [line.strip() for line in done.stdout.splitlines() if line.startswith("    ")]
    here: dict = {}
    exec("\n".join(opening), here)  # what the command prints, word for word
    assert sorted(here["episodes"]["seeds"].tolist()) == ["[0]", "[0]", "[1,2]", "[1,2]", "[1,2]", "[1,2]"]


def test_swept_settings_are_columns_of_the_tables_that_are_read(tmp_path):
    words = [*FAKED, "agent=builder,sleeper", "runner.max_steps=1,2", f"run.root={tmp_path}", "run.id=s"]
    assert launch("-m", *words).returncode == 0
    assert launch(*FAKED, f"run.root={tmp_path}", "run.id=plain").returncode == 0
    runs = open_runs(tmp_path)
    settings = runs.swept().set_index("run_id")
    assert list(settings.columns) == ["sweep_id", "agent", "runner.max_steps"]
    assert settings.loc["s-1"].to_list() == ["s", "builder", 2] and settings.loc["plain"].isna().all()
    episodes = open_runs(tmp_path, {"sweep_id": "s"}).episodes(["task", "agent"], swept=True)
    assert list(episodes.columns) == ["task", "agent", "agent_swept", "runner.max_steps"]
    assert (episodes["agent"] == episodes["agent_swept"]).all()
    assert list(open_runs(tmp_path, {"run_id": "s-?"}).episodes(["task"], swept=True).columns)[1] == "agent_swept"
    steps = open_runs(tmp_path, {"sweep_id": "s"}).steps(["step"], swept=True)
    assert steps.groupby("runner.max_steps").size().to_dict() == {1: 2, 2: 4}  # of two agents each


def test_runs_of_the_same_id_in_two_experiments_keep_their_own_settings(tmp_path):
    for name, steps in (("one", "1,2"), ("two", "range(3,4)")):
        words = [*FAKED, f"name={name}", f"run.root={tmp_path}", "agent=sleeper"]
        assert launch("-m", *words, "run.id=s", f"runner.max_steps={steps}").returncode == 0
    episodes = open_runs(tmp_path).episodes(["run_id", "steps"], swept=True)
    assert sorted(map(tuple, episodes.to_numpy())) == [("s-0", 1, 1), ("s-0", 3, 3), ("s-1", 2, 2)]
    won = open_runs(tmp_path).episodes(["steps"], [("steps", ">", 1)], swept=True)
    assert (won["steps"] == won["runner.max_steps"]).all() and len(won) == 2
    assert launch("-m", *words, "run.id=t", "runner.max_steps=3").returncode == 0
    assert manifest(tmp_path, "t-0", "two")["swept"] == {}  # nothing of it was swept


def test_a_mistake_in_one_job_is_one_line_that_names_the_job(tmp_path):
    done = launch("-m", *FAKED, "seeds=0,1", "runner.turns=interleaved,odd", f"run.root={tmp_path / 'data'}")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and done.stdout == ""
    assert done.stderr.startswith("Job #1 (seeds=0 runner.turns=odd): runner.turns is 'odd'; expected one of ")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["run.resume=x"], "run.resume is 'x', which is one run. To go on with a sweep give its own id as run.id"),
        (["run.id=a,b"], "run.id is swept over a, b, but it is the id of the whole sweep"),
        (["runner.backend=ray", "runner.address=null,auto"], "runner.address is swept over auto, null"),
    ],
)
def test_what_the_jobs_of_one_sweep_cannot_have_is_refused(tmp_path, words, line):
    done = launch("-m", *FAKED, "seeds=0,1", *words, f"run.root={tmp_path / 'data'}")
    assert done.returncode == 2 and done.stderr.startswith(line) and done.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


def test_a_late_mistake_of_a_job_is_one_line_with_its_number_and_the_others_are_played(tmp_path):
    from fle_ray.dataset.writer import RunWriter

    words = [*FAKED, "seeds=0,1,2", f"run.root={tmp_path}", "run.id=s"]
    assert launch("-m", *words).returncode == 0
    with RunWriter(tmp_path / "faked" / "s-1"):
        done = launch("-m", *words)
    assert done.returncode == 2 and done.stderr.startswith("#1: ") and done.stderr.count("\n") == 1
    assert [row[-2] for row in job_table(done.stdout)[1:]] == ["complete", "mistake", "complete"]


def test_several_jobs_that_owe_are_gone_on_with_by_one_command(tmp_path):
    words = [*FAKED, "agent=modelled", "agent.down_at=0,1,null", f"agent.once={tmp_path}/up", f"run.root={tmp_path}/d"]
    down = launch("-m", *words, "seeds=0", "agent.once=null", "run.id=s")
    assert down.returncode == 3
    said = down.stderr.splitlines()
    assert said[0] == "#0: 1 of 1 episodes are owed (1 provider_error). To play them:"
    assert "run.resume=s-0" in said[1] and "run.resume=s-1" in said[3]
    assert said[4] == "2 of 3 jobs are owed. To play them all:"
    again = shlex.split(said[5])
    assert again[:4] == ["python", "-m", "fle_ray.launch", "-m"] and again[-1] == "run.id=s"
    assert launch(*again[3:]).returncode == 3  # the same sweep; the service is still down
    assert manifest(tmp_path / "d", "s-2", "faked")["status"] == "complete"
    assert len(manifest(tmp_path / "d", "s-0", "faked")["sessions"]) == 2


class HeldAgent(ModelAgent):
    """Waits at its fourth step until there is a file `hold`."""

    def __init__(self, hold: str, **parameters) -> None:
        super().__init__(**parameters)
        self.hold = Path(hold)

    def act(self, observation):
        while observation.step >= 3 and not self.hold.exists():
            time.sleep(0.01)
        return super().act(observation)


def held_words(tmp_path, *more):
    """A sweep of three jobs of 40 steps, held at the fourth."""
    held = ["agent._target_=tests.experiment.test_sweep.HeldAgent", f"+agent.hold={tmp_path}/hold"]
    return ["-m", *slow_words(tmp_path, "seeds=0,1,2", *held, *more)]


def interrupt(process):
    """Ctrl-C, and wait until it has been heard."""
    os.killpg(process.pid, signal.SIGINT)
    for line in process.stdout:
        if "Stopping after the steps that are being played" in line:
            return
    raise AssertionError(process.communicate())


def interrupted(words, tmp_path, steps=3):
    """Start a sweep, Ctrl-C it while it is held, and let go; returns the exit status and the lines of its stderr."""
    process = started(words, tmp_path / "asked", steps)
    interrupt(process)
    (tmp_path / "hold").touch()
    _, err = process.communicate(timeout=100)
    assert "Traceback" not in err, err
    return process.returncode, err.strip().splitlines()


def test_ctrl_c_drains_the_whole_sweep_and_the_printed_command_plays_the_rest(tmp_path):
    code, said = interrupted(held_words(tmp_path, "agent.pause_s=0.0"), tmp_path)
    assert code == 3
    assert said[-2] == "3 of 3 jobs are owed, 2 of which were not begun. To play them all:"
    assert [path.name for path in (tmp_path / "d" / "faked").iterdir()] == ["x-0"]
    again = launch(*shlex.split(said[-1])[3:], "runner.max_steps=30")
    assert again.returncode == 2 and "runner.max_steps: 40 -> 30" in again.stderr
    assert again.stderr.startswith("Job #0 (seeds=0): ") and again.stderr.count("\n") == 1
    again = launch(*shlex.split(said[-1])[3:])
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "asked").read_text().count("\n") == 3 * 40


@pytest.mark.parametrize("words", [["hydra/launcher=basic"], ["hydra.sweeper.max_batch_size=1"]])
def test_ctrl_c_begins_no_more_jobs_where_hydra_launches_them_by_and_by(tmp_path, words):
    code, said = interrupted(held_words(tmp_path, "agent.pause_s=0.0", *words), tmp_path)
    assert code == 3
    assert [path.name for path in (tmp_path / "d" / "faked").iterdir()] == ["x-0"]
    assert "not begun" in said[-2] and said[-2].endswith("To play them all:")
    assert said[-1].endswith("run.id=x")


def test_hydras_own_launcher_plays_one_job_after_another(tmp_path):
    done = launch("-m", *FAKED, "seeds=0,1", f"run.root={tmp_path}", "run.id=s", "hydra/launcher=basic")
    assert done.returncode == 0, done.stderr
    assert [manifest(tmp_path, f"s-{n}", "faked")["swept"] for n in (0, 1)] == [{"seeds": 0}, {"seeds": 1}]
    assert "job " not in done.stdout and done.stdout.count("to open it") == 2


def test_the_plan_of_a_sweep_can_be_seen(tmp_path):
    done = launch("-m", *FAKED, "seeds=0,1", f"run.root={tmp_path}/d", "run.dry_run=true")
    assert done.returncode == 0 and done.stdout.count("Nothing was started.") == 2
    assert not (tmp_path / "d" / "faked").exists()


@pytest.mark.ray
@pytest.mark.slow
def test_ctrl_c_drains_a_packed_sweep_and_one_job_is_gone_on_with_by_itself(tmp_path):
    words = held_words(tmp_path, "runner=ray", "runner.instances=2")
    code, said = interrupted(words, tmp_path, steps=6)  # three each
    assert code == 3
    assert said[0].startswith("#0: 1 of 1 episodes are owed")
    one = launch(*shlex.split(said[1])[3:], "runner.backend=serial")
    assert one.returncode == 0, one.stderr
    assert [manifest(tmp_path / "d", f"x-{n}", "faked")["status"] for n in (0, 1)] == ["complete", "owed"]
    rest = launch(*shlex.split(said[-1])[3:])
    assert rest.returncode == 0, rest.stderr
    assert (tmp_path / "asked").read_text().count("\n") == 3 * 40  # no question was asked twice


@pytest.mark.ray
@pytest.mark.slow
def test_ctrl_c_twice_stops_a_packed_sweep_now(tmp_path):
    process = started(held_words(tmp_path, "runner=ray"), tmp_path / "asked", 1)
    interrupt(process)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=100)
    assert process.returncode == 130 and "Traceback" not in err, err
    assert manifest(tmp_path / "d", "x-0", "faked")["status"] == "interrupted"
