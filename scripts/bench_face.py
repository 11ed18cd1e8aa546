"""Calls a second at the RCON face: of bare RCON, of FLE's client, and through FLE's own interpreter.

    python scripts/bench_face.py [--fle PYTHON] [--calls 200]

A world is served by a process of its own. Bare RCON is our small client on one connection. FLE's client runs in the
interpreter named by `--fle` (or FLE_PYTHON), which has factorio-learning-environment==0.4.3; without one only bare
RCON is measured. Its waiting for game time is left out (it sleeps as long as an action takes, over its speed), and so
is what it prints. The published figures of FLE 0.4.3 are means over its tools on a real server: 218 calls a second
directly, 68 through its interpreter.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

FLE_DIRECT, FLE_INTERPRETER = 218, 68  # calls a second, published
ROOT = Path(__file__).resolve().parents[1]

INVENTORY = {
    "coal": 1500,
    "iron-plate": 2000,
    "wooden-chest": 10,
    "burner-inserter": 1,
    "iron-chest": 1,
    "transport-belt": 100,
}

# (row, what a round does after `setup` has run; each round calls its tool once, what else it calls is not counted)
SETUP = """
chest = place_entity(Prototype.IronChest, Direction.UP, Position(x=3, y=3))
inserter = place_entity(Prototype.BurnerInserter, Direction.UP, Position(x=6, y=3))
insert_item(Prototype.Coal, chest, 1000)
"""
ROWS = [
    ("nearest", "nearest(Resource.IronOre)", ""),
    ("get_resource_patch", "get_resource_patch(Resource.Coal, Position(x=20, y=5))", ""),
    ("get_entity", "get_entity(Prototype.IronChest, chest.position)", ""),
    ("get_entities", "get_entities()", ""),
    ("inspect_inventory", "inspect_inventory()", ""),
    ("can_place_entity", "can_place_entity(Prototype.WoodenChest, Direction.UP, Position(x=-3, y=3))", ""),
    ("place_entity", "place_entity(Prototype.WoodenChest, Direction.UP, Position(x=-3, y=3))",
     "pickup_entity(Prototype.WoodenChest, Position(x=-3.5, y=3.5))"),
    ("place_entity_next_to", "place_entity_next_to(Prototype.WoodenChest, chest.position, Direction.DOWN, 1)",
     "pickup_entity(Prototype.WoodenChest, Position(x=3.5, y=5.5))"),
    ("rotate_entity", "rotate_entity(inserter, Direction.RIGHT)", ""),
    ("insert_item", "insert_item(Prototype.Coal, chest, 1)", ""),
    ("extract_item", "extract_item(Prototype.Coal, chest, 1)", ""),
    ("craft_item", "craft_item(Prototype.IronGearWheel, 1)", ""),
    ("connect_entities",
     "connect_entities(Position(x=-8.5, y=-4.5), Position(x=-4.5, y=-4.5), Prototype.TransportBelt)",
     "[pickup_entity(Prototype.TransportBelt, Position(x=x, y=-4.5)) for x in (-8.5, -7.5, -6.5, -5.5, -4.5)]"),
    ("move_to", "move_to(Position(x=-1, y=0))", "move_to(Position(x=0, y=0))"),
    ("harvest_resource", "harvest_resource(Position(x=16.5, y=0.5), 1)", ""),
]  # fmt: skip
BEFORE = {"harvest_resource": "move_to(Position(x=15.5, y=0.5))"}


@contextlib.contextmanager
def world() -> Iterator[int]:
    """The port of a world served by another process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "fle_ray.factorio", "serve", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait(10)


def seconds_each(calls: int, call: Callable[[], object], undo: Callable[[], object] | None = None) -> float:
    """Mean wall seconds of a call; what `undo` takes between two is not counted."""
    spent = 0.0
    for _ in range(calls):
        started = time.perf_counter()
        call()
        spent += time.perf_counter() - started
        if undo:
            undo()
    return spent / calls


def bare(port: int, calls: int) -> None:
    """Bare RCON on one connection."""
    sys.path.insert(0, str(ROOT))
    from fle_ray.factorio.client import Client
    from fle_ray.factorio.server import DEFAULT_PASSWORD

    print("\nbare RCON, one connection          calls/s")
    with Client(port, DEFAULT_PASSWORD) as client:
        for name, call in (
            ("a fixed command", lambda: client.command("/sc rcon.print(#game.players)")),
            ("score", lambda: client.action("score")),
            ("nearest", lambda: client.action("nearest", "1", '"iron-ore"')),
            ("inspect_inventory", lambda: client.action("inspect_inventory", "1", "true", "0", "0", '""')),
        ):
            call()
            print(f"  {name:32s} {1 / seconds_each(calls * 5, call):7.0f}")


def client_of_fle(port: int, calls: int) -> dict[str, dict[str, float]]:
    """Run by FLE's interpreter: row -> mean seconds of a call, directly and through `FactorioInstance.eval`."""
    time.sleep = lambda _s: None  # before the tools take it over by name
    from fle.env import FactorioInstance

    instance = FactorioInstance(address="localhost", tcp_port=port, inventory=INVENTORY, reset_speed=1000)
    game = instance.namespace

    def code(text: str) -> Callable[[], object]:
        compiled = compile(text, "row", "exec")
        return lambda: exec(compiled, tools)

    def program(text: str) -> Callable[[], object]:
        def run() -> None:
            _, _, result = instance.eval(text)
            if "rror" in result:
                raise RuntimeError(f"{text}: {result}")

        return run

    from fle.env import game_types
    from fle.env.entities import Direction, Position

    tools = {name: getattr(game, name) for name in dir(game) if not name.startswith("__")}
    tools |= {"Direction": Direction, "Position": Position}
    tools |= {"Prototype": game_types.Prototype, "Resource": game_types.Resource}
    found: dict[str, dict[str, float]] = {}
    for how, make in (("direct", code), ("interpreter", program)):
        for name, text, undo in ROWS:
            instance.reset()
            make(SETUP)()
            if name in BEFORE:
                code(BEFORE[name])()
            found.setdefault(name, {})[how] = seconds_each(calls, make(text), code(undo) if undo else None)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fle", default=os.environ.get("FLE_PYTHON"), help="interpreter with FLE (default FLE_PYTHON)")
    parser.add_argument("--calls", type=int, default=200, help="of each tool (default 200)")
    parser.add_argument("--within", type=int, metavar="PORT", help=argparse.SUPPRESS)
    settings = parser.parse_args()
    if settings.within:
        with contextlib.redirect_stdout(io.StringIO()):
            found = client_of_fle(settings.within, settings.calls)
        print(json.dumps(found), flush=True)
        os._exit(0)  # FLE's threads would keep the interpreter alive
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, {settings.calls} calls each")
    with world() as port:
        bare(port, settings.calls)
        if not settings.fle:
            print("\nFLE's client was not measured: name an interpreter that has it by --fle or FLE_PYTHON.")
            return
        command = [settings.fle, __file__, "--within", str(port), "--calls", str(settings.calls)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-3000:])
    found = json.loads(done.stdout.splitlines()[-1])
    print(f"\n{'FLE 0.4.3, calls/s':28s} {'direct':>8s} {'interpreter':>12s}")
    for name, seconds in found.items():
        print(f"  {name:26s} {1 / seconds['direct']:8.0f} {1 / seconds['interpreter']:12.0f}")
    means = {how: sum(s[how] for s in found.values()) / len(found) for how in ("direct", "interpreter")}
    print(f"  {'mean time of a call':26s} {1 / means['direct']:8.0f} {1 / means['interpreter']:12.0f}")
    print(f"  {'published, a real server':26s} {FLE_DIRECT:8d} {FLE_INTERPRETER:12d}")


if __name__ == "__main__":
    main()
