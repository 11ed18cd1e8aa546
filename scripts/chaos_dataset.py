"""Kill a writer of the dataset with SIGKILL at random moments, resume it, and count what was lost.

    python scripts/chaos_dataset.py --kills 200 --seed 0

A child process writes several episodes at once, with calls, messages and snapshots, and says on a pipe which
steps are acknowledged. The parent kills it after a random number of acknowledgements and a random pause, reads the
run back as a user would, starts the child again, and goes on until the kills are used up. When a run completes, the
next one begins. Prints one line of JSON; the exit status is 0 when nothing was lost, repeated or unreadable.

`unacknowledged` counts steps that were durable though the child died before it could say so, at most one a kill.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq

from fle_ray.dataset import (
    CallRecord,
    EpisodeRecord,
    KeepStates,
    MessageRecord,
    RunWriter,
    StepRecord,
    compact_run,
    open_run,
    state_address,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def write(run_dir: Path, episodes: int, steps: int) -> None:
    """The child: go on with every episode where it stands, and tell each acknowledged step."""
    with RunWriter(run_dir, keep=KeepStates("every_n", 4), steps_per_part=7) as writer:
        todo = {}
        for number in range(episodes):
            progress = writer.progress(f"ep{number}")
            if progress.state != "complete":
                if progress.world_state:  # what resuming needs must be there
                    writer.states.get(progress.world_state)
                todo[progress.episode_id] = progress.next_step
        while todo:
            for episode, step in list(todo.items()):
                if step == steps:
                    writer.finish_episode(_episode(run_dir.name, episode, steps))
                    del todo[episode]
                else:
                    _append(writer, episode, step)
                    print(f"{episode}-{step}", flush=True)
                    todo[episode] = step + 1
    compact_run(run_dir)


def _append(writer: RunWriter, episode: str, step: int) -> None:
    ids = {"run_id": writer.run_id, "episode_id": episode}
    program = f"{episode}-{step}"
    snapshot = f"world of {program}".encode() * 500
    address = state_address(snapshot)
    writer.append(
        StepRecord(
            **ids, name="chaos", program_id=program, task="t", agent="a", seed=0, trial=0, step=step,
            agent_step=step, code="x = 1\n" * 50, produced={"iron-plate": 1.0}, tick_before=step, tick_after=step + 1,
            started_at=NOW, world_state=address,
        ),
        [CallRecord(**ids, program_id=program, step=step, call_idx=n, tool="sleep") for n in range(3)],
        [MessageRecord(**ids, idx=step, role="assistant", content="text " * 200, program_id=program)],
        states={address: snapshot},
    )  # fmt: skip


def _episode(run_id: str, episode: str, steps: int) -> EpisodeRecord:
    return EpisodeRecord(
        name="chaos", run_id=run_id, episode_id=episode, task="t", agent="a", seed=0, trial=0, spec="{}",
        status="ended", reason="steps", value=1.0, steps=steps, ticks=steps, started_at=NOW, ended_at=NOW,
        engine="sim",
    )  # fmt: skip


def check(run_dir: Path, acknowledged: set[str], counts: Counter[str]) -> None:
    """Read a run back as a user would, and count what is wrong with it."""
    for path in run_dir.glob("*/*.parquet"):
        if not path.name.startswith("."):
            try:
                pq.read_table(path)
            except Exception:
                counts["unreadable"] += 1
    programs = open_run(run_dir).arrow("steps", ["program_id"]).column(0).to_pylist()
    calls = Counter(open_run(run_dir).arrow("calls", ["program_id"]).column(0).to_pylist())
    counts["lost"] += len(acknowledged - set(programs))
    counts["repeated"] += len(programs) - len(set(programs))
    counts["half"] += sum(calls[program] != 3 for program in programs)
    counts["unacknowledged"] += len(set(programs) - acknowledged)
    acknowledged |= set(programs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--episodes", type=int, default=4)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        write(given.child, given.episodes, given.steps)
        return 0

    draw = random.Random(given.seed)
    kinds = ("kills", "runs_completed", "lost", "repeated", "half", "unreadable", "unacknowledged")
    counts: Counter[str] = Counter(dict.fromkeys(kinds, 0))
    root = Path(tempfile.mkdtemp(prefix="chaos_dataset-"))
    everything = {f"ep{n}-{s}" for n in range(given.episodes) for s in range(given.steps)}
    command = [sys.executable, __file__, f"--episodes={given.episodes}", f"--steps={given.steps}"]
    began = time.monotonic()
    try:
        while counts["kills"] < given.kills:
            run_dir = root / f"run-{counts['runs_completed']}"
            acknowledged: set[str] = set()  # and what was read back before
            while True:
                child = subprocess.Popen([*command, f"--child={run_dir}"], stdout=subprocess.PIPE, text=True)
                killing = counts["kills"] < given.kills
                more = draw.randint(1, given.episodes * given.steps // 3) if killing else None
                pause = draw.uniform(0, 0.03)
                for line in child.stdout:
                    acknowledged.add(line.strip())
                    more = None if more is None else more - 1
                    if more == 0:
                        time.sleep(pause)
                        child.send_signal(signal.SIGKILL)
                if child.wait() == 0:
                    break
                if child.returncode != -signal.SIGKILL:
                    raise RuntimeError(f"the writer failed with status {child.returncode}")
                counts["kills"] += 1
                acknowledged &= everything  # the last line of a killed child may be cut short
                check(run_dir, acknowledged, counts)
            check(run_dir, everything, counts)
            counts["runs_completed"] += 1
            shutil.rmtree(run_dir)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    bad = counts["lost"] + counts["repeated"] + counts["half"] + counts["unreadable"]
    took = {"seed": given.seed, "wall_s": round(time.monotonic() - began, 1), "cpus": os.cpu_count()}
    print(json.dumps({**counts, **took}))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
