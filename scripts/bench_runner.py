"""What the runner costs: `python -m scripts.bench_runner [PART ...]`, on the machine it is run on, a few minutes.

overhead     wall time a step beyond playing it: an agent that answers at once, a program that does nothing
scaling      CPU-bound play with one and with two instances: steps a second while all of them play
waiting      32 episodes whose agent waits a second for each answer, 32 instances at a twentieth of a core
model        the same with agent=openai, whose model answers after a second over HTTP, through the gateway

Each part also says where the CPU time went, in milliseconds a step. That and the rates are of the time in which every
episode plays, so without starting; other load on the machine changes CPU time far less than wall time. `waiting` says
the memory of a process that plays.
"""

from __future__ import annotations

import argparse
import io
import os
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console

from fle_ray.agents import BaseAgent
from fle_ray.agents.contract import Observation, Policy
from fle_ray.config import load_config
from fle_ray.dataset import open_run
from fle_ray.experiment.run import Invocation, run_experiment
from scripts.chaos import KINDS, ModelService, descendants

REPEATING = "scripts.bench_runner.Repeating"
WAITING_EPISODES, WAITING_STEPS, WAIT_S = 32, 40, 1.0


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


class Usage:
    """CPU seconds by role of this process and all below it, looked up twice a second until left.

    Roles are those of `scripts.chaos` (the driver is this process, with the model service when it serves one), and
    "ray" for Ray's own processes.
    """

    EVERY_S = 0.5

    def __init__(self) -> None:
        self._looks: list[tuple[float, dict[str, float]]] = []
        self._cpu_s: dict[int, tuple[str, float]] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Usage:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def between(self, first: float, last: float) -> dict[str, float]:
        """CPU seconds by role from the look before `first` to the look after `last` (seconds since the epoch)."""
        before = max((look for look in self._looks if look[0] <= first), default=self._looks[0], key=lambda x: x[0])
        after = min((look for look in self._looks if look[0] >= last), default=self._looks[-1], key=lambda x: x[0])
        return {role: cpu - before[1].get(role, 0.0) for role, cpu in after[1].items()}

    def _watch(self) -> None:
        while True:
            self._look()
            if self._over.wait(self.EVERY_S):
                return

    def _look(self) -> None:
        tick_s = 1 / os.sysconf("SC_CLK_TCK")
        for pid, command in [(os.getpid(), ""), *descendants(os.getpid())]:
            role = next((kind for kind, words in KINDS.items() if words and words in command), "ray")
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended; what it used when last seen stays counted
            used = (int(fields[11]) + int(fields[12])) * tick_s
            self._cpu_s[pid] = ("driver" if pid == os.getpid() else role, used)
        sums: dict[str, float] = {}
        for role, used in self._cpu_s.values():
            sums[role] = sums.get(role, 0.0) + used
        self._looks.append((time.time(), sums))


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
    with Usage() as usage:
        assert run_experiment(config, Invocation(), console=Console(file=io.StringIO())) == 0
    steps = open_run(root / "bench" / name).steps()
    first, last, count = together(steps)
    used = usage.between(first.timestamp(), last.timestamp())
    each = ", ".join(f"{role} {cpu / count * 1e3:.1f}" for role, cpu in sorted(used.items()))
    print(f"cpu        {name}: {sum(used.values()) / count * 1e3:.1f} ms a step ({each})", flush=True)
    return (steps["started_at"].max() - steps["started_at"].min()).total_seconds(), steps


def together(steps: Any) -> tuple[Any, Any, int]:
    """From the last episode's first step to the first one's last, in which every episode plays; the steps in it."""
    at = steps.groupby("seed")["started_at"]
    first, last = at.min().max(), at.max().min()
    if first >= last:
        raise RuntimeError("The episodes did not all play at one time: more steps an episode are needed.")
    return first, last, int(((steps["started_at"] >= first) & (steps["started_at"] < last)).sum())


def steps_a_second(steps: Any) -> float:
    """While every episode plays."""
    first, last, count = together(steps)
    return count / (last - first).total_seconds()


def say_waiting(name: str, wall: float, steps: Any) -> None:
    rate, ideal = steps_a_second(steps), WAITING_EPISODES / WAIT_S
    print(
        f"{name:10} {WAITING_EPISODES} episodes of {WAITING_STEPS} steps: {wall:.1f} s from the first step to the "
        f"last; {rate:.1f} of {ideal:.0f} steps/s while all play, {rate / ideal:.0%} of the ideal throughput"
    )


def bench_overhead(root: Path) -> None:
    for backend in ("serial", "ray"):
        wall, steps = play(root, f"overhead-{backend}", {}, backend=backend, instances=1, max_steps=200)
        busy = steps["wall_s"].iloc[:-1].sum()
        ms = (wall - busy) / (len(steps) - 1) * 1e3
        print(f"overhead   {backend:6} {ms:6.2f} ms a step beside {busy / (len(steps) - 1) * 1e3:.2f} ms of play")


def bench_scaling(root: Path) -> None:
    program = "for i in range(300): nearest(Resource.IronOre)\nx = sum(i * i for i in range(1_000_000))"
    rates = {}
    for instances in (1, 2):
        _, steps = play(
            root, f"scaling-{instances}", {"program": program}, backend="ray", instances=instances, max_steps=40,
            seeds=list(range(instances)),
        )  # fmt: skip
        rates[instances] = steps_a_second(steps)
    print(
        f"scaling    1 instance {rates[1]:.2f} steps/s, 2 instances {rates[2]:.2f} steps/s: "
        f"{rates[2] / rates[1]:.2f} x once started"
    )


def bench_waiting(root: Path) -> None:
    wall, steps = play(
        root, "waiting", {"wait_s": WAIT_S}, backend="ray", instances=WAITING_EPISODES, cpus_per_instance=0.05,
        max_steps=WAITING_STEPS, seeds=list(range(WAITING_EPISODES)),
    )  # fmt: skip
    say_waiting("waiting", wall, steps)
    memory = steps["meta"].map(lambda text: float(text.split(":")[1].rstrip("}")))
    print(f"memory     {memory.median():.0f} MB resident an instance")


def bench_model(root: Path) -> None:
    with ModelService(WAIT_S) as service:
        model = {"name": "openai", "placement": "actor", "model": "hashing", "base_url": service.url}
        wall, steps = play(
            root, "model", model, backend="ray", instances=WAITING_EPISODES, cpus_per_instance=0.05,
            max_steps=WAITING_STEPS, seeds=list(range(WAITING_EPISODES)),
        )  # fmt: skip
    say_waiting("model", wall, steps)


PARTS = {"overhead": bench_overhead, "scaling": bench_scaling, "waiting": bench_waiting, "model": bench_model}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parts = parser.parse_args().parts or list(PARTS)
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory() as folder:
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the first")
        for part in parts:
            PARTS[part](Path(folder))


if __name__ == "__main__":
    main()
