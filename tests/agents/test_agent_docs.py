"""The examples of docs/agents.md and docs/environment.md, executed as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def own_package(tmp_path):
    """A user's folder with the agent and the configuration of the page."""
    (tmp_path / "my_agents.py").write_text(blocks("agents.md", "python")[0])
    conf = tmp_path / "my_conf" / "agent"
    conf.mkdir(parents=True)
    (conf / "one_more_drill.yaml").write_text(blocks("agents.md", "yaml")[0])
    return tmp_path


def run(folder, *arguments):
    env = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, check=True
    ).stdout


def test_the_agent_of_the_page_has_fewer_than_thirty_lines(own_package):
    assert len((own_package / "my_agents.py").read_text().splitlines()) < 30


def test_the_agent_of_the_page_plays_from_a_users_own_package_by_configuration_alone(own_package):
    shown = run(
        own_package,
        *("-m", "fle_ray.launch", "--config-dir", "my_conf"),
        *("+experiment=smoke", "agent=one_more_drill", "agent.coal=30", "run.id=mine", "task.quota=40"),
    )
    assert "OneMoreDrill" in shown
    assert "success" in shown
    frame = (
        "import pandas as pd; s = pd.read_parquet('data/smoke/mine/steps'); print(*s['value'], *s['agent'].unique())"
    )
    # 0.25 ore a second for each drill, and 40 % more by the mining productivity that lab play starts with.
    assert run(own_package, "-c", frame).split() == ["21.0", "42.0", "OneMoreDrill"]


def test_the_notebook_example_of_the_page_runs(own_package):
    assert run(own_package, "-c", blocks("agents.md", "python")[1]).split() == ["1", "21.0"]


def test_the_examples_of_the_environments_page_run(tmp_path):
    play, state = blocks("environment.md", "python")
    shown = run(tmp_path, "-c", play.replace("env.close()\n", "") + state + "env.close()\n")
    assert shown.startswith("1: (Position(")
