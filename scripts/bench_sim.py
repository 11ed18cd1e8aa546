"""Speed of the simulator, in one run on one machine.

(a) Burner and belt rigs of 38, 152, 304 and 456 entities, in fle_ray and in factory-sim 0.3.0 side by side
    (a C simulator that ticks every entity; the test extra installs it).

Run: python scripts/bench_sim.py
"""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from fle_ray.sim import World  # noqa: E402

CELLS = (1, 4, 8, 12)  # 38 entities each
WARM_UP = 6_000
ROUNDS = 3

Placed = tuple[str, float, float, int, dict[str, int]]


def machine() -> str:
    """One line on where the figures come from."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{model}, {platform.system()} {platform.release()}, CPython {platform.python_version()}"


def burner_cell(x: int, y: int) -> tuple[list[tuple[str, int, int]], list[Placed]]:
    """38 entities: ore and coal by belt to three furnaces, plates by belt to a chest, two drills into chests.

    Returns:
        (resource, tile x, tile y) of the ore, and (name, x, y, direction, contents) of what is built.
    """
    ore: list[tuple[str, int, int]] = []
    things: list[Placed] = []

    def add(name: str, dx: float, dy: float, direction: int = 0, **contents: int) -> None:
        things.append((name, x + dx, y + dy, direction, {k.replace("_", "-"): v for k, v in contents.items()}))

    def drill(resource: str, dx: int, dy: int, direction: int) -> None:
        ore.extend((resource, x + dx + i, y + dy + j) for i in (-1, 0) for j in (-1, 0))
        add("burner-mining-drill", dx, dy, direction, coal=50)

    for k in range(12):
        add("transport-belt", k + 0.5, 0.5, 4)
    drill("iron-ore", 1, -1, 8)
    drill("iron-ore", 3, -1, 8)
    drill("coal", 2, 2, 0)
    for k in range(3):
        add("burner-inserter", 5.5 + 2 * k, 1.5, 0, coal=5)
        add("stone-furnace", 6 + 2 * k, 3, 0, coal=5)
        add("burner-inserter", 5.5 + 2 * k, 4.5, 0, coal=50)
    for k in range(8):
        add("transport-belt", 4.5 + k, 5.5, 4)
    add("burner-inserter", 12.5, 5.5, 12, coal=50)
    add("wooden-chest", 13.5, 5.5)
    for dx in (6, 9):
        drill("iron-ore", dx, -3, 8)
        add("wooden-chest", dx + 0.5, -1.5)
    return ore, things


def burner_rig(cells: int) -> tuple[list[tuple[str, int, int]], list[Placed]]:
    ore: list[tuple[str, int, int]] = []
    things: list[Placed] = []
    for k in range(cells):
        more_ore, more = burner_cell(-40 + 18 * (k % 4), -30 + 14 * (k // 4))
        ore += more_ore
        things += more
    return ore, things


def in_fle_ray(cells: int) -> World:
    world = World(scenario="empty", seed=0)
    ore, things = burner_rig(cells)
    for name, tx, ty in ore:
        world.ore(name, (tx, ty, tx + 1, ty + 1), amount=1_000_000)
    for name, x, y, direction, contents in things:
        entity = world.build(name, (x, y), direction)
        for item, count in contents.items():
            entity.put(item, count)
    return world


def in_factory_sim(cells: int) -> Callable[[int], None]:
    """The same rig; returns its `advance(ticks)`."""
    import fsim
    from fsim import ffi, lib

    kinds = {name: kind for kind, name in fsim.KIND_NAME.items()}
    ore, things = burner_rig(cells)
    env = ffi.gc(lib.fsim_new(), lib.fsim_free)
    resources = [{"name": n, "position": [x + 0.5, y + 0.5], "amount": 1_000_000} for n, x, y in ore]
    scene, keep = fsim.scene_struct({"resources": resources, "character": {"position": [1000, 1000]}})
    lib.fsim_reset(env, scene)
    for name, x, y, direction, contents in things:
        at = lib.fsim_add_entity(env, kinds[name], round(x * 256), round(y * 256), direction)
        for item, count in contents.items():
            lib.fsim_entity_insert(env, at, fsim.ITEM_IDS[item], count)

    def advance(ticks: int) -> None:
        assert keep
        lib.fsim_advance(env, ticks)

    return advance


def ticks_per_second(advance: Callable[[int], None], ticks: int) -> float:
    """The best of some rounds, by CPU time, which other work on the machine disturbs least."""
    best = 0.0
    for _ in range(ROUNDS):
        begin = time.process_time()
        advance(ticks)
        best = max(best, ticks / (time.process_time() - begin))
    return best


def bench_burner_rigs() -> None:
    print("(a) burner and belt rigs, ticks per second of CPU time")
    print(f"{'entities':>9} {'fle_ray':>12} {'factory-sim':>12} {'ratio':>7}")
    for cells in CELLS:
        world = in_fle_ray(cells)
        world.advance(WARM_UP)
        ours = ticks_per_second(world.advance, 6_000)
        try:
            advance = in_factory_sim(cells)
        except ImportError:
            print(f"{len(burner_rig(cells)[1]):>9} {ours:>12,.0f} {'not installed':>12}")
            continue
        advance(WARM_UP)
        theirs = ticks_per_second(advance, 6_000)
        print(f"{len(burner_rig(cells)[1]):>9} {ours:>12,.0f} {theirs:>12,.0f} {ours / theirs:>7.2f}")


def main() -> None:
    print(machine())
    bench_burner_rigs()


if __name__ == "__main__":
    main()
