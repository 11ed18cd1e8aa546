"""Draw every factory at the end of a run: `python scripts/draw_factories.py RUN [--output docs]`.

Writes one PNG per task that succeeded, `<output>/images/factories/<task>.png`, and the page `<output>/factories.md`
that shows them. The run needs its last states, which every run keeps:

    python -m fle_ray.launch +experiment=lab_play run.id=reference
    python scripts/draw_factories.py data/lab_play/reference
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fle_ray.dataset import open_run
from fle_ray.render import draw, interesting_box, to_png, world_of

LEAST_PIXELS_A_TILE, MOST_PIXELS_A_TILE = 8.5, 20.0  # codes on machines can be read
HEAD = """# The reference factories

What the scripted agent has built for each task at the end of its episode, drawn from the recorded state by
`python scripts/draw_factories.py RUN`. How to read the pictures: [report.md](report.md).
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="One picture per task of a run, at its last step, and a page of them.")
    parser.add_argument("run", help="folder of a run")
    parser.add_argument("--output", type=Path, default=Path("docs"), help="folder of the page; docs by default")
    parser.add_argument("--width", type=int, default=900, help="pixels a picture is to be wide at most; 900 by default")
    parser.add_argument("--height", type=int, default=1200, help="pixels it is to be high at most; 1200 by default")
    chosen = parser.parse_args()
    pictures = chosen.output / "images" / "factories"
    pictures.mkdir(parents=True, exist_ok=True)
    run = open_run(chosen.run)
    episodes = run.episodes(["task", "episode_id", "value", "quota"], where=[("success", "==", True)])
    steps = run.steps(["episode_id", "step", "world_state"], where=[("world_state", "!=", None)])
    last = steps.sort_values("step").drop_duplicates("episode_id", keep="last")
    parts = [HEAD]
    for row in episodes.merge(last, on="episode_id").drop_duplicates("task").sort_values("task").itertuples():
        world = world_of(run.state(row.world_state))
        drawing = draw(world, box=interesting_box(world, margin=2), legend=True)
        name = row.task.removesuffix("_throughput")
        fitting = min(chosen.width / drawing.width, chosen.height / drawing.height)
        png = to_png(drawing, scale=min(MOST_PIXELS_A_TILE, max(LEAST_PIXELS_A_TILE, fitting)))
        (pictures / f"{name}.png").write_bytes(png)
        title = name.replace("_", " ").capitalize()
        parts.append(
            f"## {title}\n\n`{row.task}`: {row.value:g} of {row.quota:g} a minute, {len(world.entities)} entities, "
            f"{world.tick / 60:.0f} s of game time.\n\n![{title}](images/factories/{name}.png)\n"
        )
        print(f"{name}: {drawing.title}, {len(png) / 1e3:.0f} kB")
    (chosen.output / "factories.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
