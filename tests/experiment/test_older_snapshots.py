"""A run whose snapshots are of another version of the simulator: it cannot go on, says so once, and stays readable."""

from __future__ import annotations

import contextlib
import io

import pytest
from rich.console import Console

from fle_ray import replay
from fle_ray.dataset import open_run
from fle_ray.errors import SnapshotError
from fle_ray.experiment.run import Invocation, run_experiment
from fle_ray.render.scene import world_of
from fle_ray.sim import state
from fle_ray.sim.state import FORMAT
from tests.experiment.kit import config, run, table

SIMULATOR = {"name": "sim"}
OLDER = FORMAT - 1


@pytest.fixture
def halted(tmp_path, monkeypatch):
    """A run of one episode whose agent was down at step 2, with snapshots of the version before this one."""
    agent = {"name": "modelled", "_target_": "tests.fakes.ModelAgent", "down_at": 2}
    agent["once"] = str(tmp_path / "up")
    options = {"agent": agent, "engine": SIMULATOR, "dataset": {"states": "all"}}
    with monkeypatch.context() as older:
        older.setattr(state, "FORMAT", OLDER)
        assert run(tmp_path, **options) == 3
    assert len(table(tmp_path, "steps")) == 2
    return tmp_path, options


def test_going_on_is_refused_with_one_line_that_names_both_versions_and_loses_nothing(halted):
    root, options = halted
    before = table(root, "steps")
    said = io.StringIO()
    plan = config(root, **{**options, "runner": {"progress": "plain", "max_episode_retries": 5}})
    with contextlib.redirect_stderr(io.StringIO()):
        assert run_experiment(plan, Invocation(), console=Console(file=said, width=1000)) == 3
    lines = [line for line in said.getvalue().splitlines() if "format version" in line]
    assert len(lines) == 1 and f"format version {OLDER}, this simulator reads version {FORMAT}" in lines[0]
    assert "Traceback" not in said.getvalue()
    (row,) = table(root, "episodes")
    assert (row["status"], row["error_kind"], row["attempts"]) == ("engine_error", "SnapshotError", 2)
    assert table(root, "steps") == before


def test_the_version_that_made_them_goes_on(halted, monkeypatch):
    root, options = halted
    assert run(root, **options) == 3  # in vain
    monkeypatch.setattr(state, "FORMAT", OLDER)
    assert run(root, **options) == 0
    assert [row["step"] for row in table(root, "steps")] == [0, 1, 2, 3]
    assert table(root, "episodes")[0]["status"] == "ended"


def test_tables_states_and_replay_of_such_a_run_go_on_working(halted, capsys):
    root, _ = halted
    opened = open_run(root / "test" / "r1")
    assert opened.arrow("steps").num_rows == 2
    stored = opened.state(opened.arrow("steps").to_pylist()[0]["world_state"])
    with pytest.raises(SnapshotError, match=f"format version {OLDER}"):
        world_of(stored)  # its bytes are there; a world of them is refused
    assert replay.main([str(root / "test" / "r1")]) == 0  # programs are played again; no snapshot is needed
    assert "Traceback" not in capsys.readouterr().err
