"""Writers that are killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from fle_ray.dataset.layout import is_temporary
from fle_ray.dataset.reader import open_run
from fle_ray.dataset.writer import RunWriter

from .samples import RUN, a_call, a_step, an_episode

ROOT = Path(__file__).parents[2]


def run_module(*arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def every_kill_point(operation: str, source: Path, out: Path) -> list[Path]:
    """The run as a kill before each change of the disk leaves it; the last one undisturbed."""
    run_module("-m", "tests.dataset.kill_points", operation, source, out)
    return [out / str(n) / source.name for n in range(len(list(out.iterdir())))]


def visible_files(run: Path) -> list[Path]:
    return [path for path in run.glob("*/*.parquet") if not path.name.startswith(".")]


def leftovers(run: Path) -> list[Path]:
    return [path for path in run.rglob("*") if is_temporary(path.name) or path.name.endswith(".old")]


def read_steps(run: Path) -> list[str]:
    return sorted(open_run(run).steps()["program_id"])


def test_what_was_acknowledged_survives_kill_9_at_ten_random_moments():
    line = json.loads(run_module("scripts/chaos_dataset.py", "--kills", 10, "--seed", 1))
    assert line["kills"] == 10
    assert (line["lost"], line["repeated"], line["half"], line["unreadable"]) == (0, 0, 0, 0)
    assert line["unacknowledged"] <= 10
    assert line["runs_completed"] >= 1


@pytest.fixture
def open_episode(tmp_path: Path) -> Path:
    """Three acknowledged steps of ep0, not closed."""
    run = tmp_path / RUN
    with RunWriter(run) as writer:
        for step in range(3):
            writer.append(a_step(step), [a_call(step)])
    return run


def test_a_kill_anywhere_in_closing_an_episode_loses_and_repeats_no_row(open_episode: Path, tmp_path: Path):
    cases = every_kill_point("finish", open_episode, tmp_path / "cases")
    assert len(cases) > 20
    outcomes = Counter()
    for run in cases:
        for path in visible_files(run):
            pq.read_table(path)
        before = read_steps(run)
        assert before in (["ep0-0", "ep0-1", "ep0-2"], ["ep0-0", "ep0-1", "ep0-2", "ep0-3"])
        assert len(open_run(run).flows()) == 2 * len(before)
        assert len(open_run(run).calls()) == 3
        with RunWriter(run) as writer:
            progress = writer.progress("ep0")
            outcomes[progress.state] += 1
            if progress.state == "in_progress":
                if progress.next_step == 3:
                    writer.append(a_step(3))
                writer.finish_episode(an_episode(steps=4))
        assert list(pd.read_parquet(run / "steps")["program_id"]) == ["ep0-0", "ep0-1", "ep0-2", "ep0-3"]
        assert list(pd.read_parquet(run / "episodes")["episode_id"]) == ["ep0"]
        assert list(run.glob("journal/*.jsonl")) == []
        assert leftovers(run) == []
    assert outcomes["in_progress"] > 0 and outcomes["complete"] > 0


@pytest.fixture
def many_parts(tmp_path: Path) -> Path:
    """Five complete episodes and an owed one, three steps each."""
    run = tmp_path / RUN
    with RunWriter(run) as writer:
        for episode in ("ep0", "ep1", "ep2", "ep3", "ep4", "owed"):
            for step in range(3):
                writer.append(a_step(step, episode=episode))
            owed = {"status": "engine_error", "reason": "error", "success": None, "value": None}
            writer.finish_episode(an_episode(episode=episode, steps=3, **(owed if episode == "owed" else {})))
    return run


def test_a_kill_anywhere_in_compaction_leaves_every_row_once_even_for_plain_pandas(many_parts: Path, tmp_path: Path):
    cases = every_kill_point("compact", many_parts, tmp_path / "cases")
    assert len(cases) > 20
    expected = sorted(pd.read_parquet(many_parts / "steps")["program_id"])
    assert len(expected) == 18
    for run in cases:
        assert sorted(pd.read_parquet(run / "steps")["program_id"]) == expected
        assert len(pd.read_parquet(run / "flows")) == 36
        assert len(pd.read_parquet(run / "episodes")) == 6
        RunWriter(run).close()
        assert leftovers(run) == []
        assert sorted(pd.read_parquet(run / "steps")["program_id"]) == expected
    # 15 rows of complete episodes in files of at most 8 rows; the owed episode keeps its own
    assert sorted(path.name for path in (cases[-1] / "steps").iterdir()) == [
        "compact-g001-000.parquet",
        "compact-g001-001.parquet",
        "owed-p000.parquet",
    ]


def test_where_names_cannot_be_exchanged_our_reader_still_sees_every_row_once(many_parts: Path, tmp_path: Path):
    cases = every_kill_point("compact_by_renames", many_parts, tmp_path / "cases")
    expected = sorted(pd.read_parquet(many_parts / "steps")["program_id"])
    without_folder = 0
    for run in cases:
        without_folder += not (run / "steps").is_dir()
        assert read_steps(run) == expected
        RunWriter(run).close()
        assert leftovers(run) == []
        assert sorted(pd.read_parquet(run / "steps")["program_id"]) == expected
    assert without_folder == 1  # the window between the two renames was hit
