"""Short ways to play episodes and runs with the fakes of tests/fakes.py."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from fle_ray.config import load_config
from fle_ray.experiment import build
from fle_ray.experiment.episode import Step, play_episode
from fle_ray.experiment.plan import make_plan
from fle_ray.experiment.run import Invocation, run_experiment
from fle_ray.experiment.spec import AgentSpec, EpisodeSpec, Limits, PartSpec
from tests import fakes

REPOSITORY = Path(__file__).resolve().parents[2]
RUN_ID = "r1"
ENGINE = PartSpec("fake", "tests.fakes.FakeInstance")
SESSIONS = PartSpec("fake", "tests.fakes.fake_sessions")

# What differs between two runs of the same steps: times, and where they were played.
TIMES = {"waited_s", "act_wall_s", "run_wall_s", "judge_wall_s", "wall_s", "started_at", "host", "run_id"}


class Play:
    """One episode played in this process with fake agents; its items are kept."""

    def __init__(self, agents, task="open_play_production", *, steps=3, resume=None, control=None, engine=None, **spec):
        self.agents = list(agents)
        self.instance = engine or fakes.FakeInstance()
        self.spec = EpisodeSpec(
            name="test",
            task=task,
            agents=tuple(AgentSpec(f"agent{i}", "tests.fakes.FakeAgent") for i in range(len(self.agents))),
            engine=ENGINE,
            interpreter=SESSIONS,
            limits=Limits(max_steps=steps),
            task_definition={"quota": 16} if task == "iron_ore_throughput" else {"quota": None},
            **spec,
        )
        self.env = build.new_env(self.spec, self.instance, fakes.fake_sessions())
        prompts = [f"manual for agent {i}" for i in range(len(self.agents))]
        options: dict[str, Any] = {"resume": resume, "system_prompts": prompts}
        if control is not None:
            options["control"] = control
        self.generator = play_episode(self.spec, self.env, self.agents, run_id=RUN_ID, **options)
        self.items: list[Any] = []

    def all(self) -> Play:
        for item in self.generator:
            self.items.append(item)
        return self

    @property
    def steps(self) -> list[Any]:
        return [item.record for item in self.items if isinstance(item, Step)]

    @property
    def record(self) -> Any:
        return self.items[-1]


def config(root: Path, **changes: Any) -> Any:
    """A configuration of fakes: BuilderAgent on iron ore, serial, quiet. Nested settings as `runner={...}`."""
    plain: dict[str, Any] = {
        "name": "test",
        "tasks": ["iron_ore_throughput"],
        "seeds": [0],
        "agent": {"name": "builder", "_target_": "tests.fakes.BuilderAgent"},
        "engine": {"name": "fake", "_target_": "tests.fakes.FakeInstance"},
        "interpreter": {"name": "fake", "_target_": "tests.fakes.fake_sessions"},
        "runner": {"backend": "serial", "progress": "none", "max_steps": 4},
        "dataset": {"fsync": False},
        "run": {"root": str(root), "id": RUN_ID},
    }
    for key, value in changes.items():
        same_part = isinstance(value, dict) and key in ("runner", "dataset", "run")
        plain[key] = {**plain.get(key, {}), **value} if same_part else value
    return load_config(plain)


def plan_of(root: Path, **changes: Any) -> Any:
    return make_plan(config(root, **changes))


def run(root: Path, **changes: Any) -> int:
    """Play a run in this process; returns its exit status. What it says is thrown away."""
    with contextlib.redirect_stderr(io.StringIO()):
        return run_experiment(config(root, **changes), Invocation(), console=Console(file=io.StringIO()))


def launch(*words: str, cwd: Path = REPOSITORY, **environment: str) -> subprocess.CompletedProcess[str]:
    """`python -m fle_ray.launch` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "fle_ray.launch", *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=env_for_processes(**environment),
        timeout=120,
        check=False,
    )


def env_for_processes(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(REPOSITORY), "COLUMNS": "120", **more}


CONF = str(REPOSITORY / "tests" / "experiment" / "conf")
FAKED = ("--config-dir", CONF, "+experiment=faked")


def table(root: Path, name: str, run_id: str = RUN_ID, experiment: str = "test") -> list[dict[str, Any]]:
    """The rows of a table of a run, in order, as plain values."""
    from fle_ray.dataset import open_run

    rows = open_run(root / experiment / run_id).arrow(name).to_pylist()
    keys = ("episode_id", "step", "agent_idx", "idx", "call_idx")
    return sorted(rows, key=lambda row: tuple((row.get(k) is not None, row.get(k) or 0) for k in keys if k in row))


def steps_without_times(root: Path, run_id: str = RUN_ID) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k not in TIMES} for row in table(root, "steps", run_id)]
