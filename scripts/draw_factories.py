"""Draw every factory at the end of a run: `python scripts/draw_factories.py RUN [--output docs/images/factories]`.

One PNG per successful task of a run whose agent is scripted, named after the task, no wider than `--width` pixels. The
pictures in docs/factories.md were made with it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fle_ray.dataset import open_run
from fle_ray.render import draw, interesting_box, to_png, world_of


def main() -> None:
    parser = argparse.ArgumentParser(description="One picture per task of a run, at its last step.")
    parser.add_argument("run", help="folder of a run")
    parser.add_argument("--output", type=Path, default=Path("docs/images/factories"), help="folder for the pictures")
    parser.add_argument("--width", type=int, default=1000, help="most pixels a picture is wide")
    chosen = parser.parse_args()
    chosen.output.mkdir(parents=True, exist_ok=True)
    run = open_run(chosen.run)
    won = set(run.episodes(["episode_id"], where=[("success", "==", True)])["episode_id"])
    steps = run.steps(["task", "episode_id", "step", "world_state"], where=[("world_state", "!=", None)])
    last = steps.sort_values("step").drop_duplicates("episode_id", keep="last").sort_values("task")
    for row in last.itertuples():
        if row.episode_id not in won:
            continue
        world = world_of(run.state(row.world_state))
        drawing = draw(world, box=interesting_box(world, margin=2), legend=True)
        scale = min(20.0, chosen.width / drawing.width)
        path = chosen.output / f"{row.task.removesuffix('_throughput')}.png"
        path.write_bytes(to_png(drawing, scale=scale))
        print(f"{path}: {drawing.title}")


if __name__ == "__main__":
    main()
