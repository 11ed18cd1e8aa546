"""What the runner costs: `python -m scripts.bench_runner`, on the machine it is run on, a few minutes.

overhead     wall time a step beyond playing it: an agent that answers at once, a program that does nothing
scaling      CPU-bound play with one and with two instances
waiting      32 episodes whose agent waits a second for each answer, 32 instances at a twentieth of a core
model        the same with agent=openai, whose model answers after a second over HTTP, through the gateway
memory       resident memory of a process that plays
"""

from __future__ import annotations

import io
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console

from fle_ray.agents import BaseAgent
from fle_ray.agents.contract import Observation, Policy
from fle_ray.config import load_config
from fle_ray.dataset import open_run
from fle_ray.experiment.run import Invocation, run_experiment
from scripts.chaos import ModelService

REPEATING = "scripts.bench_runner.Repeating"
WAITING_EPISODES, WAITING_STEPS, WAIT_S = 32, 10, 1.0


class Repeating(BaseAgent):
    """Plays one program again and again, after waiting for `wait_s`; says in which process."""

    def __init__(self, program: str = "pass", wait_s: float = 0.0) -> None:
        self.program, self.wait_s = program, wait_s

    def act(self, observation: Observation) -> Policy:
        time.sleep(self.wait_s)
        return Policy(self.program, meta={"rss_mb": resident_mb()})


def resident_mb() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def play(root: Path, name: str, agent: dict[str, Any], **runner: Any) -> tuple[float, Any]:
    """Wall seconds from the first step to the last, and the steps."""
    seeds = runner.pop("seeds", [0])
    config = load_config(
        {
            "name": "bench",
            "tasks": "open_play",
            "seeds": seeds,
            "agent": agent if "model" in agent else {"name": "repeating", "_target_": REPEATING, **agent},
            "engine": "sim",
            "interpreter": "child",
            "runner": {"progress": "none", **runner},
            "dataset": {"states": "last"},
            "run": {"root": str(root), "id": name},
        }
    )
    assert run_experiment(config, Invocation(), console=Console(file=io.StringIO())) == 0
    steps = open_run(root / "bench" / name).steps()
    return (steps["started_at"].max() - steps["started_at"].min()).total_seconds(), steps


def say_waiting(name: str, wall: float, steps: Any) -> None:
    for_one = steps.groupby("seed")["started_at"].agg(lambda at: (at.max() - at.min()).total_seconds())
    ideal = WAIT_S * (WAITING_STEPS - 1)
    print(
        f"{name:10} {WAITING_EPISODES} episodes of {WAITING_STEPS} steps: {wall:.1f} s with starting; once "
        f"started {ideal / for_one.mean():.0%} of the ideal throughput"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the first")
        for backend in ("serial", "ray"):
            wall, steps = play(root, f"overhead-{backend}", {}, backend=backend, instances=1, max_steps=200)
            busy = steps["wall_s"].iloc[:-1].sum()
            ms = (wall - busy) / (len(steps) - 1) * 1e3
            print(f"overhead   {backend:6} {ms:6.2f} ms a step beside {busy / (len(steps) - 1) * 1e3:.2f} ms of play")

        program = "for i in range(300): nearest(Resource.IronOre)\nx = sum(i * i for i in range(1_000_000))"
        walls = {}
        for instances in (1, 2):
            walls[instances], _ = play(
                root, f"scaling-{instances}", {"program": program}, backend="ray", instances=instances,
                max_steps=15, seeds=[0, 1, 2, 3],
            )  # fmt: skip
        print(f"scaling    1 instance {walls[1]:.1f} s, 2 instances {walls[2]:.1f} s: {walls[1] / walls[2]:.2f} x")

        wall, steps = play(
            root, "waiting", {"wait_s": WAIT_S}, backend="ray", instances=WAITING_EPISODES, cpus_per_instance=0.05,
            max_steps=WAITING_STEPS, seeds=list(range(WAITING_EPISODES)),
        )  # fmt: skip
        say_waiting("waiting", wall, steps)
        with ModelService(WAIT_S) as service:
            model = {"name": "openai", "placement": "actor", "model": "hashing", "base_url": service.url}
            wall, asked = play(
                root, "model", model, backend="ray", instances=WAITING_EPISODES, cpus_per_instance=0.05,
                max_steps=WAITING_STEPS, seeds=list(range(WAITING_EPISODES)),
            )  # fmt: skip
        say_waiting("model", wall, asked)
        memory = steps["meta"].map(lambda text: float(text.split(":")[1].rstrip("}")))
        print(f"memory     {memory.median():.0f} MB resident an instance")


if __name__ == "__main__":
    main()
