"""How long pictures take: `python scripts/bench_render.py`.

Builds rows of drills, furnaces, belts, inserters and poles on the lab's iron ore, lets them run for a minute of game
time, and times restoring, drawing and writing the world, best of five.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from fle_ray.render import draw, to_png, to_svg
from fle_ray.sim.world import World

REPEATS = 5


def factory() -> World:
    """About 300 entities on the iron ore of the lab."""
    world = World("lab", 0)
    world.research("all")
    for row in range(3):
        y = 71.5 + 8 * row
        for x in range(16, 38, 3):
            world.build("electric-mining-drill", (x + 0.5, y), 8)
        world.belt([(15.5, y + 2), (45.5, y + 2)])
        for x in range(16, 44, 2):
            world.build("inserter", (x + 0.5, y + 3), 0)
            world.build("iron-chest", (x + 0.5, y + 4))
        for x in range(17, 45, 6):
            world.build("medium-electric-pole", (x + 0.5, y + 3))
        world.belt([(15.5, y + 5), (45.5, y + 5)])
    world.power((46.5, 74.5))
    world.advance(3600)
    return world


def best(what: Callable[[], object]) -> float:
    """Milliseconds of the quickest of several times."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        what()
        times.append(time.perf_counter() - began)
    return 1000 * min(times)


def main() -> None:
    world = factory()
    state = world.snapshot()
    drawing = draw(world)
    print(f"{len(world.entities)} entities, {drawing.width:g} x {drawing.height:g} tiles, best of {REPEATS}:")
    print(f"  restore the snapshot   {best(lambda: World.restore(state)):6.0f} ms  ({len(state) / 1e3:.0f} kB)")
    print(f"  draw                   {best(lambda: draw(world)):6.0f} ms")
    print(f"  write as SVG           {best(lambda: to_svg(drawing)):6.0f} ms  ({len(to_svg(drawing)) / 1e3:.0f} kB)")
    print(f"  write as PNG, 16 px    {best(lambda: to_png(drawing)):6.0f} ms  ({len(to_png(drawing)) / 1e3:.0f} kB)")
    whole = draw(world, box=(-500, -500, 500, 500))
    print(
        f"  draw the whole lab     {best(lambda: draw(world, box=(-500, -500, 500, 500))):6.0f} ms  (1000 x 1000 tiles)"
    )
    print(f"  write that as SVG      {best(lambda: to_svg(whole)):6.0f} ms")


if __name__ == "__main__":
    main()
