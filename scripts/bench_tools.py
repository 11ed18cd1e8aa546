"""What each tool costs: called directly, and from a program in an isolated child.

    python scripts/bench_tools.py [--calls 200] [--only connect] [--one-core]

Every row is a line of an agent's program, run over and over in the lab with a factory of some 200 entities on it. A
call's direct cost is the time inside `LocalInstance.call`. Through the interpreter it adds what passes from the end
of one call to the beginning of the next: values there and back, the switch between two processes, the program's own
line. The published figures of FLE 0.4.3 are means over its tools on a real server.

A child that wakes another, idle core pays for that (some 0.06 ms a call in a virtual machine); `--one-core` keeps
parent and child on one, as they are on a machine whose cores are all busy with episodes.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from typing import Any

from bench_interpreter import SESSION, start, timed_ms

from fle_ray.game.contracts import Start
from fle_ray.game.values.namespace import agent_names
from fle_ray.interpreter import Interpreter, Limits
from fle_ray.tools import TOOL_NAMES, LocalInstance

FLE_DIRECT_MS, FLE_PROGRAM_MS = 4.6, 14.6

INVENTORY = {
    "coal": 500,
    "iron-plate": 2000,
    "iron-ore": 100,
    "iron-gear-wheel": 200,
    "wooden-chest": 100,
    "stone-furnace": 100,
    "burner-mining-drill": 20,
    "burner-inserter": 100,
    "inserter": 100,
    "assembling-machine-1": 50,
    "transport-belt": 1000,
    "underground-belt": 100,
    "pipe": 500,
    "pipe-to-ground": 50,
    "small-electric-pole": 200,
    "stone-wall": 200,
}

# A block of machines with their belts, pipes and poles, at some distance from where the rows work.
FACTORY = """
move_to(Position(x=-20, y=-12))
for k in range(12):
    y = -20.5 + 1.5 * 2 * (k // 2)
    x = -32.5 + 18 * (k % 2)
    move_to(Position(x=x, y=y))
    place_entity(Prototype.AssemblingMachine1, Direction.UP, Position(x=x, y=y))
    place_entity(Prototype.Inserter, Direction.RIGHT, Position(x=x + 2, y=y))
    connect_entities(Position(x=x + 3, y=y), Position(x=x + 12, y=y), Prototype.TransportBelt)
connect_entities(Position(x=-36, y=-24), Position(x=0, y=-24), Prototype.Pipe)
connect_entities(Position(x=-36, y=-26), Position(x=0, y=-26), Prototype.SmallElectricPole)
move_to(Position(x=0, y=0))
furnace = place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=-3, y=-3))
chest = place_entity(Prototype.WoodenChest, Direction.UP, Position(x=-5, y=-3))
machine = place_entity(Prototype.AssemblingMachine1, Direction.UP, Position(x=-3, y=3))
"""

# (name, what is timed: a tool, code of one round)
ROWS = [
    ("nearest, ore", "nearest", "nearest(Resource.IronOre)"),
    ("nearest, water", "nearest", "nearest(Resource.Water)"),
    ("get_entity", "get_entity", "get_entity(Prototype.StoneFurnace, furnace.position)"),
    ("get_entities, one kind", "get_entities", "get_entities({Prototype.AssemblingMachine1})"),
    ("get_entities, everything", "get_entities", "get_entities()"),
    ("get_resource_patch", "get_resource_patch", "get_resource_patch(Resource.Coal, nearest(Resource.Coal))"),
    ("nearest_buildable", "nearest_buildable",
     "nearest_buildable(Prototype.StoneFurnace, BuildingBox(width=4, height=4), Position(x=3, y=3))"),
    ("can_place_entity", "can_place_entity",
     "can_place_entity(Prototype.WoodenChest, Direction.UP, Position(x=4, y=4))"),
    ("place_entity, chest", "place_entity",
     "pickup_entity(place_entity(Prototype.WoodenChest, Direction.UP, Position(x=4, y=4)))"),
    ("place_entity, inserter", "place_entity",
     "pickup_entity(place_entity(Prototype.Inserter, Direction.UP, Position(x=4, y=4)))"),
    ("place_entity_next_to", "place_entity_next_to",
     "pickup_entity(place_entity_next_to(Prototype.WoodenChest, furnace.position, Direction.RIGHT))"),
    ("pickup_entity", "pickup_entity",
     "pickup_entity(place_entity(Prototype.WoodenChest, Direction.UP, Position(x=4, y=4)))"),
    ("rotate_entity", "rotate_entity", "rotate_entity(machine, Direction.UP)"),
    ("insert_item", "insert_item", "insert_item(Prototype.Coal, chest, 5); extract_item(Prototype.Coal, chest, 5)"),
    ("extract_item", "extract_item", "insert_item(Prototype.Coal, chest, 5); extract_item(Prototype.Coal, chest, 5)"),
    ("inspect_inventory", "inspect_inventory", "inspect_inventory()"),
    ("set_entity_recipe", "set_entity_recipe", "set_entity_recipe(machine, Prototype.IronGearWheel)"),
    ("get_prototype_recipe", "get_prototype_recipe", "get_prototype_recipe(Prototype.ElectronicCircuit)"),
    ("get_research_progress", "get_research_progress", "get_research_progress(Technology.Automation)"),
    ("craft_item", "craft_item", "craft_item(Prototype.IronGearWheel, 1)"),
    ("move_to, 10 tiles", "move_to", "move_to(Position(x=10, y=0)); move_to(Position(x=0, y=0))"),
    ("score", "score", "score()"),
    ("connect_entities, 50 belts straight", "connect_entities",
     "pickup_entity(connect_entities(Position(x=-9, y=6), Position(x=40, y=6), Prototype.TransportBelt))"),
    ("connect_entities, belts round a pond", "connect_entities",
     "pickup_entity(connect_entities(Position(x=-25, y=6), Position(x=24, y=6), Prototype.TransportBelt))"),
    ("connect_entities, 50 belts, one bend", "connect_entities",
     "pickup_entity(connect_entities(Position(x=-10, y=6), Position(x=19, y=26), Prototype.TransportBelt))"),
    ("connect_entities, 50 tiles, undergrounds", "connect_entities",
     "pickup_entity(connect_entities(Position(x=-10, y=6), Position(x=19, y=26), "
     "{Prototype.TransportBelt, Prototype.UndergroundBelt}))"),
    ("connect_entities, 50 pipes", "connect_entities",
     "pickup_entity(connect_entities(Position(x=-10, y=6), Position(x=19, y=26), Prototype.Pipe))"),
    ("connect_entities, poles over 50 tiles", "connect_entities",
     "pickup_entity(connect_entities(Position(x=-9, y=6), Position(x=40, y=6), Prototype.SmallElectricPole))"),
    ("connect_entities, 50 walls", "connect_entities",
     "pickup_entity(connect_entities(Position(x=-9, y=6), Position(x=40, y=6), Prototype.StoneWall))"),
    ("connect_entities, connected already", "connect_entities",
     "connect_entities(Position(x=-36, y=-24), Position(x=0, y=-24), Prototype.Pipe)"),
    ("get_connection_amount, 50 belts", "get_connection_amount",
     "get_connection_amount(Position(x=-9, y=6), Position(x=40, y=6), Prototype.TransportBelt)"),
]  # fmt: skip

# Queries, and what places or takes away one entity.
SMALL = frozenset(
    "nearest get_entity get_entities get_resource_patch nearest_buildable can_place_entity place_entity "
    "place_entity_next_to pickup_entity inspect_inventory get_prototype_recipe get_research_progress score".split()
)


class Timed:
    """A game that notes how long each call takes."""

    def __init__(self) -> None:
        self.instance = LocalInstance()
        self.instance.reset(Start(scenario="lab", inventory=INVENTORY))
        self.times_s: dict[str, list[float]] = {}
        self.between_s: list[float] = []
        self.ended: float | None = None

    def call(self, tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        began = time.perf_counter()
        if self.ended is not None:
            self.between_s.append(began - self.ended)
        try:
            return self.instance.call(0, tool, args, kwargs)
        finally:
            self.ended = time.perf_counter()
            self.times_s.setdefault(tool, []).append(self.ended - began)

    def names(self) -> dict[str, Any]:
        """What a program sees, with the tools called directly."""
        names = agent_names()
        for tool in TOOL_NAMES:
            names[tool] = lambda *args, _tool=tool, **kwargs: self.call(_tool, args, kwargs)
        return names


def directly(game: Timed, names: dict[str, Any], tool: str, code: str, calls: int) -> list[float]:
    """Milliseconds of each call of a tool in rounds of a line of code."""
    compiled = compile(code, "<row>", "exec")
    game.times_s.clear()
    for _ in range(calls):
        exec(compiled, names)  # this script's own code
    return [s * 1_000 for s in game.times_s[tool]]


def through_the_interpreter(game: Timed, interpreter: Interpreter, tool: str, code: str, calls: int) -> float:
    """Milliseconds of a call from a child: the medians of the calls and of what passes between two calls."""
    game.times_s.clear()
    game.between_s.clear()
    game.ended = None
    result = interpreter.run(f"for _ in range({calls}):\n    {code}", seed=0)
    if result.error is not None:
        raise RuntimeError(f"{code}: {result.error}")
    return (statistics.median(game.times_s[tool]) + statistics.median(game.between_s)) * 1_000


def interpreter_costs(repeat: int = 20) -> None:
    """Print what the start of a child and the move of a session to a new child take."""
    starts = timed_ms(repeat, lambda: start().close())
    with start() as interpreter, start() as other:
        interpreter.run(SESSION, seed=0)
        state = interpreter.save()
        moves = timed_ms(repeat, lambda: other.load(state))
    for what, times in (("start of a child", starts), ("session moved to a new child, its start included", moves)):
        print(f"{what:<48} median {statistics.median(times):6.1f} ms, best {min(times):6.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=200, help="rounds of every row")
    parser.add_argument("--only", default="", help="rows whose name holds this")
    parser.add_argument("--one-core", action="store_true", help="keep parent and child on one core")
    options = parser.parse_args()
    if options.one_core:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{platform.platform()}, CPython {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()}")
    game = Timed()
    names = game.names()
    exec(compile(FACTORY, "<factory>", "exec"), names)  # this script's own code
    print(f"{len(game.instance.world.entities)} entities; FLE 0.4.3: {FLE_DIRECT_MS} ms directly, ", end="")
    print(f"{FLE_PROGRAM_MS} ms through its interpreter\n")
    print(f"{'ms a call':<44} {'direct':>8} {'best':>8} {'p95':>8} {'in a program':>13}")
    limits = Limits(max_calls=10 * options.calls, wall_s=600, cpu_s=600)
    medians, small = [], []
    with Interpreter(game.call, tools=TOOL_NAMES, limits=limits) as interpreter:
        interpreter.run(
            "furnace = get_entity(Prototype.StoneFurnace, Position(x=-3, y=-3))\n"
            "chest = get_entity(Prototype.WoodenChest, Position(x=-5, y=-3))\n"
            "machine = get_entity(Prototype.AssemblingMachine1, Position(x=-3, y=3))",
            seed=0,
        )
        for name, tool, code in ROWS:
            if options.only not in name:
                continue
            times = sorted(directly(game, names, tool, code, options.calls))
            median = statistics.median(times)
            p95 = times[round(0.95 * (len(times) - 1))]
            program = through_the_interpreter(game, interpreter, tool, code, max(2, options.calls))
            medians.append((median, program))
            if tool in SMALL and name != "get_entities, everything":
                small.append((median, program))
            print(f"{name:<44} {median:8.3f} {times[0]:8.3f} {p95:8.3f} {program:13.3f}")
    for what, rows in (("median of the rows", medians), ("median of queries and placing", small)):
        if rows:
            direct, program = (statistics.median(column) for column in zip(*rows, strict=True))
            print(f"{what:<44} {direct:8.3f} {'':>8} {'':>8} {program:13.3f}")
    if not options.only:
        print()
        interpreter_costs()



if __name__ == "__main__":
    main()
