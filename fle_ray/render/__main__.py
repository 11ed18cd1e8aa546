"""`python -m fle_ray.render RUN --episode ID [--step N] --output FILE.svg|.png|.gif|.html`: pictures of a recorded run.

A step's picture needs its state: run with dataset.states=all to keep them all (the default keeps every tenth and the
last). .svg and .png show one step, .gif and .html all steps that have a state.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fle_ray.dataset import open_run
from fle_ray.errors import ConfigError, FleRayError, StorageError, UnknownName
from fle_ray.render.drawing import Box
from fle_ray.render.films import film
from fle_ray.render.png import to_png
from fle_ray.render.scene import draw, world_of
from fle_ray.render.svg import to_svg

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the picture; exit status 0, or 2 for a user's mistake."""
    parser = argparse.ArgumentParser(prog="python -m fle_ray.render", description="Pictures of a recorded run.")
    parser.add_argument("run", metavar="RUN", help="folder of a run")
    parser.add_argument(
        "--episode", metavar="ID", help="episode, or the beginning of its id; may be left out if only one"
    )
    parser.add_argument("--step", type=int, metavar="N", help="number of the step; the last with a state by default")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help=".svg, .png, .gif or .html")
    parser.add_argument("--box", metavar="L,T,R,B", help="what to show, in tiles; what was built by default")
    parser.add_argument("--scale", type=float, default=16.0, help="pixels a tile, 16 by default")
    parser.add_argument("--legend", action="store_true", help="say what the codes and colours mean")
    chosen = parser.parse_args(arguments)
    try:
        said = _write(chosen)
    except FleRayError as error:
        print(f"render: {error}", file=sys.stderr)
        return 2
    print(said)
    return 0


def _write(chosen: argparse.Namespace) -> str:
    path: Path = chosen.output
    if path.suffix not in (".svg", ".png", ".gif", ".html"):
        raise ConfigError(f"{path}: the name must end in .svg, .png (one step), .gif or .html (a film).")
    if not chosen.scale > 0:
        raise ConfigError(f"--scale is {chosen.scale:g}; expected a number above 0.")
    box = _box(chosen.box)
    run = open_run(chosen.run)
    steps = _steps(run, chosen.episode)
    kept = [step for step in steps if step["world_state"] is not None]
    if not kept:
        raise StorageError(
            f"No step of episode {steps[0]['episode_id']} has a state (dataset.states says which are kept)."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix in (".gif", ".html"):
        if chosen.step is not None:
            raise ConfigError("--step goes with .svg and .png; a film shows all steps.")
        worlds = [world_of(run.state(step["world_state"])) for step in kept]
        captions = [f"step {step['step']}, {step['tick_after'] / 60:,.0f} s" for step in kept]
        film(worlds, path, captions=captions, box=box, scale=chosen.scale)
        return f"{path}: {len(worlds)} frames"
    step = kept[-1] if chosen.step is None else _step(steps, kept, chosen.step)
    drawing = draw(world_of(run.state(step["world_state"])), box=box, legend=chosen.legend)
    if path.suffix == ".svg":
        path.write_text(to_svg(drawing, scale=chosen.scale), encoding="utf-8")
    else:
        path.write_bytes(to_png(drawing, scale=chosen.scale))
    return f"{path}: {drawing.title}, after step {step['step']} of episode {step['episode_id']}"


def _box(text: str | None) -> Box | None:
    if text is None:
        return None
    try:
        left, top, right, bottom = map(float, text.split(","))
    except ValueError:
        raise ConfigError(
            f"--box is {text!r}; expected four numbers: left,top,right,bottom. Write --box=-5,0,20,30."
        ) from None
    return left, top, right, bottom


def _steps(run: Any, episode: str | None) -> list[dict[str, Any]]:
    """Steps of the episode that is meant, in order."""
    columns = ["episode_id", "step", "world_state", "tick_after"]
    steps = run.arrow("steps", columns).to_pylist()
    ids = sorted({step["episode_id"] for step in steps})
    meant = ids if episode is None else [one for one in ids if one.startswith(episode)]
    if not meant:
        raise UnknownName("episode", episode or "", ids, f"{len(ids)} episodes have steps: {', '.join(ids[:5])}")
    if len(meant) > 1:
        raise ConfigError(f"{len(meant)} episodes are meant; choose one with --episode: {', '.join(meant[:5])} ...")
    return sorted((step for step in steps if step["episode_id"] == meant[0]), key=lambda step: step["step"])


def _step(steps: list[dict[str, Any]], kept: list[dict[str, Any]], number: int) -> dict[str, Any]:
    for step in steps:
        if step["step"] == number:
            if step["world_state"] is not None:
                return step
            having = ", ".join(str(one["step"]) for one in kept)
            raise StorageError(
                f"Step {number} has no state; these have: {having}. Run with dataset.states=all to keep all."
            )
    raise ConfigError(f"There is no step {number}: the episode has steps {steps[0]['step']} to {steps[-1]['step']}.")


if __name__ == "__main__":
    sys.exit(main())
