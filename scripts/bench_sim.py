"""Speed of the simulator, in one run on one machine.

(a) Burner and belt rigs of 38, 152, 304 and 456 entities, in fle_ray and in factory-sim 0.3.0 side by side
    (a C simulator that ticks every entity; the test extra installs it).
(b) A finished factory of about 150 and 1,000 mixed electric entities (drills, furnaces, inserters, belts, assembling
    machines, chests) at full work.
(c) The same, starved (ore gone) and full (chests full).
(d) Reset of the lab; snapshot, restore and fork of a world of about 500 entities, and its size.
(e) Memory of a world.

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
    """38 entities: ore of four drills and coal by belt to three furnaces, which it keeps busy, plates by belt to a
    chest, and a drill into a chest.

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
    for dx in (1, 3, 5, 7):
        drill("iron-ore", dx, -1, 8)
    drill("coal", 2, 2, 0)
    for k in range(3):
        add("burner-inserter", 5.5 + 2 * k, 1.5, 0, coal=5)
        add("stone-furnace", 6 + 2 * k, 3, 0, coal=5)
        add("burner-inserter", 5.5 + 2 * k, 4.5, 0, coal=50)
    for k in range(8):
        add("transport-belt", 4.5 + k, 5.5, 4)
    add("burner-inserter", 12.5, 5.5, 12, coal=50)
    add("wooden-chest", 13.5, 5.5)
    drill("iron-ore", 9, -3, 8)
    add("wooden-chest", 9.5, -1.5)
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


def electric_factory(cells: int, ore: int = 1_000_000) -> World:
    """`cells` times ten entities: drill -> furnace -> inserter -> belts -> inserter -> gears -> inserter -> chest."""
    world = World(scenario="empty", seed=0)
    world.always_day = True
    for k in range(cells):
        x, y = 20 * (k % 10), 8 * (k // 10)
        world.ore("iron-ore", (x - 2, y - 2, x + 3, y + 3), amount=ore)
        world.build("electric-mining-drill", (x + 0.5, y + 0.5), 4)
        world.build("electric-furnace", (x + 3.5, y + 0.5))
        world.build("inserter", (x + 5.5, y + 0.5), 12)
        world.belt([(x + 6.5, y + 0.5), (x + 8.5, y + 0.5)])
        world.build("inserter", (x + 9.5, y + 0.5), 12)
        world.build("assembling-machine-2", (x + 11.5, y + 0.5), recipe="iron-gear-wheel")
        world.build("inserter", (x + 13.5, y + 0.5), 12)
        world.build("wooden-chest", (x + 14.5, y + 0.5))
        world.power((x + 2.5, y + 2.5))
        world.power((x + 6.5, y + 2.5))
        world.power((x + 10.5, y + 2.5))
        world.power((x + 14.5, y + 2.5))
    return world


def bench_electric_factory() -> None:
    print("(b) electric factories at full work, (c) starved and full: ticks per second of CPU time")
    print(f"{'entities':>9} {'full work':>12} {'starved':>14} {'full':>14}")
    for cells, ticks in ((12, 20_000), (80, 4_000)):
        busy = electric_factory(cells)
        busy.advance(WARM_UP)
        at_work = ticks_per_second(busy.advance, ticks)
        starved = electric_factory(cells, ore=1)
        starved.advance(100_000)
        idle = ticks_per_second(starved.advance, 5_000_000)
        full = electric_factory(cells)
        for entity in list(full.entities.values()):
            if entity.name == "wooden-chest":
                entity.put("iron-gear-wheel", 10_000)
        full.advance(100_000)
        stopped = ticks_per_second(full.advance, 5_000_000)
        print(f"{len(busy.entities):>9} {at_work:>12,.0f} {idle:>14.2g} {stopped:>14.2g}")


def milliseconds(action: Callable[[], object], times: int = 10) -> float:
    """The best of some tries, CPU time."""
    best = float("inf")
    for _ in range(times):
        begin = time.process_time()
        action()
        best = min(best, time.process_time() - begin)
    return best * 1000


def bench_state() -> None:
    World("lab")  # the land itself is made once a process
    print(f"(d) reset of the lab: {milliseconds(lambda: World('lab')):.1f} ms")
    world = electric_factory(40)
    world.advance(WARM_UP)
    snapshot = world.snapshot()
    print(
        f"    {len(world.entities)} entities: snapshot {milliseconds(world.snapshot):.1f} ms, "
        f"restore {milliseconds(lambda: World.restore(snapshot)):.1f} ms, fork {milliseconds(world.fork):.1f} ms, "
        f"digest {milliseconds(world.digest):.1f} ms, {len(snapshot) / 1000:.1f} kB"
    )


def bench_memory() -> None:
    import tracemalloc

    for name, make in (("empty lab", lambda: World("lab")), ("400 entities", lambda: electric_factory(40))):
        make()
        tracemalloc.start()
        kept = make()
        print(f"(e) memory of a world, {name}: {tracemalloc.get_traced_memory()[0] / 1e6:.1f} MB")
        tracemalloc.stop()
        del kept


def main() -> None:
    print(machine())
    bench_burner_rigs()
    bench_electric_factory()
    bench_state()
    bench_memory()


if __name__ == "__main__":
    main()
