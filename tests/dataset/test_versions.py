"""Datasets of every schema version there was are read, alone and together with today's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from fle_ray.dataset.reader import open_run, open_runs
from fle_ray.dataset.records import SCHEMA_VERSION
from fle_ray.dataset.verify import verify_run
from fle_ray.dataset.writer import RunWriter

from .samples import a_step, an_episode

FIXTURES = Path(__file__).parent / "fixtures"
VERSIONS = range(1, SCHEMA_VERSION + 1)


@pytest.fixture(params=VERSIONS, ids=lambda version: f"v{version}")
def old(request, tmp_path: Path) -> Path:
    """A copy of what make_fixture.py wrote when that version was today's."""
    shutil.copytree(FIXTURES / f"v{request.param}", tmp_path / "data")
    return tmp_path / "data" / "test" / "old-run"


def test_an_old_dataset_is_whole_and_read_by_plain_pandas_and_by_ours(old: Path):
    assert verify_run(old).problems == ()
    assert len(pd.read_parquet(old / "steps")) == 8  # four closed episodes of two steps
    data = open_run(old)
    assert len(data.steps()) == 10
    assert data.steps()["produced"].map(lambda made: made["iron-plate"]).sum() == 5 * (1 + 2)
    assert list(data.progress()["state"]) == ["complete"] * 3 + ["owed", "in_progress"]
    last = data.steps(where=[("episode_id", "==", "ep4"), ("step", "==", 1)])
    assert data.state(last["world_state"][0]) == b"world ep4 1"
    assert data.events()["value"].tolist() == [1.5]


def test_an_old_dataset_is_read_together_with_todays(old: Path):
    with RunWriter(old.parent / "new-run") as writer:
        writer.append(a_step(0, run="new-run"))
        writer.finish_episode(an_episode(run="new-run"))
    data = open_runs(old.parents[1])
    assert data.steps()["run_id"].value_counts().to_dict() == {"old-run": 10, "new-run": 1}
    assert data.episodes()["success"].sum() == 4


def test_an_old_run_is_gone_on_with(old: Path):
    with RunWriter(old) as writer:
        assert writer.progress("ep4").next_step == 2
        assert writer.progress("ep3").next_step == 2
        writer.append(a_step(2, episode="ep4", run="old-run"))
        writer.finish_episode(an_episode(episode="ep4", run="old-run", steps=3))
        writer.compact()
    assert len(pd.read_parquet(old / "steps")) == 11
