"""Trackers get a run's numbers; what fails there never harms the run."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from fle_ray.errors import ConfigError, UnknownName
from fle_ray.experiment import tracked
from fle_ray.tracking import Background, RunInfo, Tracker, check_tracker, make_tracker
from tests.experiment.kit import FAKED, REPOSITORY, RUN_ID, launch, run, steps_without_times, table

PLATE = "iron_plate_throughput"
TENSORBOARD = {"name": "tensorboard"}


class Remembering:
    """A tracker that keeps what it is told; the call named `fails` raises, or hangs if `hangs` says so."""

    def __init__(self, fails: str = "", hangs: str = "") -> None:
        self.fails, self.hangs = fails, hangs
        self.told: list[tuple] = []

    def run_started(self, run: RunInfo) -> None:
        self._take("run_started", run)

    def scalars(self, values, at) -> None:
        self._take("scalars", values, at)

    def run_ended(self, summary, status) -> None:
        self._take("run_ended", summary, status)

    def _take(self, name, *given) -> None:
        self.told.append((name, *given))
        if name == self.fails:
            raise OSError("the service is down")
        if name == self.hangs:
            threading.Event().wait(60)


@pytest.fixture
def remembering(monkeypatch):
    """Every tracker that is made from now on; `remembering(fails=...)` makes them fail."""
    made: list[Remembering] = []
    how: dict[str, str] = {}

    def make(name, folder, **settings):
        made.append(Remembering(**how))
        return made[-1]

    def change(**changes):
        how.update(changes)
        return made

    monkeypatch.setattr(tracked, "make_tracker", make)
    monkeypatch.setattr("fle_ray.experiment.plan.check_tracker", lambda name: None)
    return change


def test_off_by_default_and_no_library_is_imported(tmp_path):
    code = (
        "import sys; from tests.experiment.kit import run; from pathlib import Path; "
        f"assert run(Path({str(tmp_path)!r})) == 0; "
        "assert not {'wandb', 'mlflow', 'tensorboardX'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=REPOSITORY)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["test"]


def test_a_tracker_hears_the_beginning_every_step_every_episode_and_the_end(tmp_path, remembering):
    made = remembering()
    assert run(tmp_path, tasks=["iron_ore_throughput", PLATE], tags=["mine"], tracker=TENSORBOARD) == 0
    (tracker,) = made
    assert isinstance(tracker, Tracker)
    first, *middle, last = tracker.told
    assert first[0] == "run_started" and first[1].run_id == RUN_ID and first[1].experiment == "test"
    assert first[1].config["runner"]["max_steps"] == 4 and first[1].tags == ("mine",) and not first[1].resumed
    # BuilderAgent: 2 steps to 20 ore a minute; on iron plate its 4 steps come to nothing.
    values = [(at, v["step/iron_ore_throughput/value"]) for _, v, at in middle if "step/iron_ore_throughput/value" in v]
    assert values == [(1, 0.0), (2, 20.0)]
    ended = [(at, v) for _, v, at in middle if any(name.startswith("episode/") for name in v)]
    assert [at for at, _ in ended] == [2, 6]
    assert ended[0][1]["episode/iron_ore_throughput/success"] == 1.0
    assert ended[1][1][f"episode/{PLATE}/success"] == 0.0 and ended[1][1][f"episode/{PLATE}/owed"] == 0.0
    assert last[0] == "run_ended" and last[2] == "complete"
    assert last[1] == {
        "run/planned": 2.0,
        "run/ended": 2.0,
        "run/owed": 0.0,
        "run/steps": 6.0,
        "run/tokens": 0.0,
        "run/cost_usd": 0.0,
        "run/success_rate": 0.5,
    }


def test_numbers_of_steps_can_be_left_out(tmp_path, remembering):
    made = remembering()
    run(tmp_path, tracker={**TENSORBOARD, "steps": False})
    assert [told[0] for told in made[0].told] == ["run_started", "scalars", "run_ended"]


def test_a_resumed_run_counts_on_from_what_is_recorded(tmp_path, remembering):
    made = remembering()
    slow = {"name": "modelled", "_target_": "tests.fakes.ModelAgent", "down_at": 1, "once": str(tmp_path / "up")}
    assert run(tmp_path, agent=slow, tracker=TENSORBOARD) == 3
    assert made[0].told[-1][2] == "owed" and made[0].told[-1][1]["run/owed"] == 1.0
    assert run(tmp_path, agent=slow, tracker=TENSORBOARD) == 0
    first, *middle, last = made[1].told
    assert first[1].resumed
    assert [at for _, _, at in middle] == [2, 3, 4, 4]  # steps 1, 2, 3 and the episode; step 0 was of the first session
    assert last[1]["run/steps"] == 4.0
    assert last[1]["run/tokens"] == sum(step["total_tokens"] for step in table(tmp_path, "steps"))


@pytest.mark.parametrize("where", ["run_started", "scalars", "run_ended"])
def test_a_tracker_that_raises_leaves_the_run_as_it_is_and_is_recorded_once(tmp_path, remembering, where):
    run(tmp_path / "without")
    made = remembering(fails=where)
    assert run(tmp_path / "with", tracker=TENSORBOARD) == 0
    assert steps_without_times(tmp_path / "with") == steps_without_times(tmp_path / "without")
    (event,) = [row for row in table(tmp_path / "with", "events") if row["kind"] == "tracker_failed"]
    assert event["source"] == "tensorboard" and event["message"] == "OSError: the service is down"
    assert made[0].told[-1][0] == where  # nothing was handed over afterwards


def test_a_tracker_that_hangs_is_left_behind(tmp_path, remembering):
    remembering(hangs="scalars")
    assert run(tmp_path, tracker={**TENSORBOARD, "wait_s": 0.1}) == 0
    (event,) = [row for row in table(tmp_path, "events") if row["kind"] == "tracker_failed"]
    assert event["message"] == "it had not taken everything 0.1 s after the run's end"


def test_the_user_is_warned_once(tmp_path, remembering, capsys):
    from rich.console import Console

    from fle_ray.experiment.run import Invocation, run_experiment
    from tests.experiment.kit import config

    remembering(fails="scalars")
    with open(tmp_path / "said", "w") as said:
        wanted = config(tmp_path / "data", tracker=TENSORBOARD, runner={"progress": "plain"})
        run_experiment(wanted, Invocation(), console=Console(file=said, width=200))
    text = (tmp_path / "said").read_text()
    assert text.count("Tracker tensorboard has failed and is told nothing more: OSError: the service is down.") == 1


def test_a_tracker_too_slow_for_the_run_is_given_up():
    hanging = Remembering(hangs="run_started")
    background = Background(lambda: hanging, wait_s=0.0, queued=3)
    for at in range(10):
        background.scalars({"a": 1.0}, at)
    assert background.failure == "it is 3 calls behind"


def test_a_library_that_is_missing_is_a_mistake_before_anything_is_started(tmp_path, monkeypatch):
    monkeypatch.setattr("fle_ray.tracking.registry.find_spec", lambda name: None)
    with pytest.raises(ConfigError) as refused:
        run(tmp_path, tracker={"name": "wandb"})
    assert "pip install 'fle-ray[wandb]'" in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_an_unknown_tracker_is_named_with_the_nearest_one():
    with pytest.raises(UnknownName, match="Did you mean 'wandb'"):
        check_tracker("wandbb")


# ---- with the libraries themselves


def points(event_file):
    """(tag, step, value) of a TensorBoard event file, read by TensorBoard's own record format."""
    from tensorboardX.proto.event_pb2 import Event

    data = event_file.read_bytes()
    at, found = 0, []
    while at < len(data):  # length (8 bytes, little endian), its checksum (4), the event, its checksum (4)
        length = int.from_bytes(data[at : at + 8], "little")
        event = Event.FromString(data[at + 12 : at + 12 + length])
        found += [(v.tag, event.step, v.simple_value) for v in event.summary.value if v.HasField("simple_value")]
        at += 16 + length
    return found


def test_tensorboard_files_hold_the_values(tmp_path):
    pytest.importorskip("tensorboardX")
    assert run(tmp_path, tracker=TENSORBOARD) == 0
    (file,) = (tmp_path / "_tensorboard" / "test" / RUN_ID).glob("events.out.tfevents.*")
    found = points(file)
    assert [(at, value) for tag, at, value in found if tag == "step/iron_ore_throughput/value"] == [(1, 0.0), (2, 20.0)]
    assert ("run/success_rate", 2, 1.0) in found
    assert run(tmp_path, tracker=TENSORBOARD) == 0  # nothing to play; a second file, no harm


def test_mlflow_holds_the_run_its_settings_and_values_and_goes_on_with_it(tmp_path):
    for module in ("mlflow", "sqlalchemy", "alembic"):
        pytest.importorskip(module)
    from mlflow.tracking import MlflowClient

    slow = {"name": "modelled", "_target_": "tests.fakes.ModelAgent", "down_at": 1, "once": str(tmp_path / "up")}
    wanted = {"name": "mlflow", "project": "factories"}
    assert run(tmp_path, agent=slow, tracker=wanted) == 3
    client = MlflowClient(tracking_uri=f"sqlite:///{tmp_path}/_mlflow/mlflow.db")
    experiment = client.get_experiment_by_name("factories")
    (found,) = client.search_runs([experiment.experiment_id])
    assert found.info.run_name == RUN_ID and found.info.status == "FAILED"
    assert found.data.params["runner.max_steps"] == "4" and found.data.params["agent.name"] == "modelled"
    assert run(tmp_path, agent=slow, tracker=wanted) == 0
    (found,) = client.search_runs([experiment.experiment_id])
    assert found.info.status == "FINISHED" and found.data.tags["fle_ray.status"] == "complete"
    history = client.get_metric_history(found.info.run_id, "step/iron_ore_throughput/value")
    assert sorted(metric.step for metric in history) == [1, 2, 3, 4]
    assert "tracker_failed" not in [row["kind"] for row in table(tmp_path, "events")]


def wandb_records(path):
    """Records of a W&B file: LevelDB's log format in blocks of 32 KiB, after a header of 7 bytes."""
    from wandb.proto.wandb_internal_pb2 import Record

    data, at, whole, found = path.read_bytes(), 7, b"", []
    while at + 7 <= len(data):
        left = 32_768 - at % 32_768
        length, kind = int.from_bytes(data[at + 4 : at + 6], "little"), data[at + 6]  # after a checksum of 4 bytes
        if left < 7 or kind == 0:  # the rest of a block is padding
            at += left
            continue
        whole += data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):  # a whole record, or the last part of one
            found.append(Record.FromString(whole))
            whole = b""
    return found


def test_wandb_writes_files_offline(tmp_path):
    pytest.importorskip("wandb")
    assert run(tmp_path, tracker={"name": "wandb", "wait_s": 120}) == 0
    assert not (tmp_path / "test" / RUN_ID / "events").exists()  # no tracker_failed
    (file,) = (tmp_path / "_wandb" / "wandb").glob(f"offline-run-*/run-{RUN_ID}.wandb")
    records = wandb_records(file)
    values = [
        float(item.value_json)
        for record in records
        for item in record.history.item
        if (item.key or "/".join(item.nested_key)) == "step/iron_ore_throughput/value"
    ]
    assert values == [0.0, 20.0]
    (started,) = [record.run for record in records if record.HasField("run")]
    assert (started.run_id, started.project) == (RUN_ID, "test")


LIBRARIES = [("wandb", "wandb"), ("mlflow", "mlflow"), ("tensorboard", "tensorboardX")]


@pytest.mark.parametrize(("name", "module"), LIBRARIES)
def test_two_runs_of_a_sweep_that_are_open_at_the_same_time_stay_apart(tmp_path, name, module):
    pytest.importorskip(module)
    trackers = {run_id: make_tracker(name, tmp_path) for run_id in ("s-0", "s-1")}
    for run_id, tracker in trackers.items():
        tracker.run_started(RunInfo("sweep", run_id))
    for number, tracker in enumerate(trackers.values()):
        tracker.scalars({"run/steps": float(number + 1)}, 1)
    for tracker in trackers.values():
        tracker.run_ended({}, "complete")
    assert {run_id: recorded(name, tmp_path, run_id) for run_id in trackers} == {"s-0": [1.0], "s-1": [2.0]}


def recorded(name, folder, run_id):
    """Values of `run/steps` that a tracker has of a run."""
    if name == "tensorboard":
        (file,) = folder.glob(f"sweep/{run_id}/events.*")
        return [value for tag, _, value in points(file) if tag == "run/steps"]
    if name == "wandb":
        (file,) = folder.glob(f"wandb/offline-run-*/run-{run_id}.wandb")
        items = [item for record in wandb_records(file) for item in record.history.item]
        return [float(i.value_json) for i in items if (i.key or "/".join(i.nested_key)) == "run/steps"]
    from mlflow.tracking import MlflowClient

    client = MlflowClient(tracking_uri=f"sqlite:///{folder}/mlflow.db")
    experiment = client.get_experiment_by_name("sweep").experiment_id
    (found,) = client.search_runs([experiment], f"tags.`fle_ray.run_id` = '{run_id}'")
    return [metric.value for metric in client.get_metric_history(found.info.run_id, "run/steps")]


@pytest.mark.parametrize(("name", "module"), LIBRARIES)
def test_nothing_goes_over_the_network_unless_asked_for(tmp_path, name, module):
    pytest.importorskip(module)
    code = f"""
import os, socket, sys
for name in list(os.environ):
    if name.startswith(("WANDB", "MLFLOW", "DO_NOT", "CI", "PYTEST")): del os.environ[name]
asked, real, connect = [], socket.getaddrinfo, socket.socket.connect
def look_up(host, *rest, **named):
    asked.append(host)
    return real(host, *rest, **named)
def connect_to(self, address):
    if self.family != socket.AF_UNIX: asked.append(address[0])
    return connect(self, address)
socket.getaddrinfo, socket.socket.connect = look_up, connect_to
from pathlib import Path
from tests.experiment.kit import run
assert run(Path({str(tmp_path)!r}), tracker={{"name": {name!r}, "wait_s": 120}}) == 0
assert {module!r} in sys.modules
strange = [host for host in asked if host not in ("127.0.0.1", "::1", "localhost")]
assert not strange, strange
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=REPOSITORY)


@pytest.mark.ray
@pytest.mark.slow
def test_the_ray_backend_tracks_as_the_serial_one_does(tmp_path):
    pytest.importorskip("tensorboardX")
    for backend in ("ray", "serial"):
        done = launch(
            *FAKED,
            f"runner.backend={backend}",
            "tracker=tensorboard",
            f"run.root={tmp_path}",
            f"run.id={backend}",
            f"tracker.folder={tmp_path}/tb",
        )
        assert done.returncode == 0, done.stderr
    found = {}
    for backend in ("ray", "serial"):
        (file,) = (tmp_path / "tb").glob(f"*/{backend}/events.out.tfevents.*")
        found[backend] = sorted((tag, value) for tag, _, value in points(file) if not tag.endswith("wall_s"))
    assert found["ray"] == found["serial"] and found["serial"]
