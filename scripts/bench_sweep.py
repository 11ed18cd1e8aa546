"""What packing a sweep saves: `python -m scripts.bench_sweep [--jobs 8] [--times 3]`, a minute or two.

The same episodes three ways, each in a process of its own, starting Ray included: a sweep whose jobs are packed on one
pool of instances (the default), the same sweep with Hydra's own launcher (`hydra/launcher=basic`), which plays one job
after another, and one run that has all the episodes. The shortest of `--times` is shown, for other load only adds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TASK = "tasks=[iron_plate_throughput]"


def seconds(root: Path, *words: str) -> float:
    """Wall seconds of one `python -m fle_ray.launch`. Raises CalledProcessError when it fails."""
    command = [sys.executable, "-m", "fle_ray.launch", *words, f"run.root={root}", "runner.progress=none"]
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=8, help="jobs of the sweep, an episode each")
    parser.add_argument("--times", type=int, default=3, help="how often each way is measured")
    chosen = parser.parse_args()
    seeds = ",".join(map(str, range(chosen.jobs)))
    sweep = ("-m", "+experiment=lab_play", TASK, f"seeds={seeds}")
    ways = {
        "packed": sweep,
        "one after another": (*sweep, "hydra/launcher=basic"),
        "one run": ("+experiment=lab_play", TASK, f"seeds=[{seeds}]"),
    }
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the first")
    best = dict.fromkeys(ways, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(chosen.times):  # in turns, so that other load falls on all
            for number, (way, words) in enumerate(ways.items()):
                best[way] = min(best[way], seconds(Path(folder) / f"{turn}-{number}", *words))
    print(", ".join(f"{way} {wall_s:.1f} s" for way, wall_s in best.items()))
    others = [f"packed / {way} {best['packed'] / wall_s:.2f}" for way, wall_s in best.items() if way != "packed"]
    print(f"{chosen.jobs} jobs of one episode: {', '.join(others)}")


if __name__ == "__main__":
    main()
