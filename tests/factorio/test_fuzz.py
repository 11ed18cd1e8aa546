"""100,000 malformed packets and commands: the server lives, nothing grows, no world is touched."""

from __future__ import annotations

import gc
import json
import logging
import os
import random
import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from fle_ray.factorio.actions import ACTIONS
from fle_ray.factorio.client import Client
from fle_ray.factorio.clock import CallClock
from fle_ray.factorio.face import Face
from fle_ray.factorio.packets import MOST_BYTES, BadPacket, Packet, Reader
from fle_ray.factorio.saved import save_blueprint, save_entity_state
from fle_ray.factorio.server import DEFAULT_PASSWORD, Server
from fle_ray.game.values import Direction, Position, Prototype
from tests.factorio.served import served

# an accepted call of every action, as the client writes its arguments; what they do is malformed below
CALLS: dict[str, tuple[str, ...]] = {
    "can_place_entity": ("1", '"stone-furnace"', "1", "3", "3"),
    "clear_collision_boxes": ("1",),
    "clear_entities": ("1",),
    "clear_harvest_queue": ("1",),
    "clear_walking_queue": ("1",),
    "connect_entities": ("1", "5.5", "5.5", "9.5", "5.5", "1", '"transport-belt"', "false", "10"),
    "craft_item": ("1", '"iron-gear-wheel"', "1"),
    "create_agent_characters": ("1",),
    "extend_collision_boxes": ("1", "0", "0", "5", "5"),
    "extract_item": ("1", '"coal"', "1", "3", "3", '"iron-chest"'),
    "get_entities": ("1", "500", '"[\\"iron-chest\\"]"', "3", "3"),
    "get_entity": ("1", '"iron-chest"', "3.5", "3.5"),
    "get_factory_centroid": ("1",),
    "get_path": ("1",),
    "get_prototype_recipe": ("1", '"iron-gear-wheel"'),
    "get_research_progress": ("1", '"automation"'),
    "get_resource_patch": ("1", '"iron-ore"', "20", "80", "10"),
    "harvest_resource": ("1", "15.5", "0.5", "1", "5"),
    "insert_item": ("1", '"coal"', "1", "3.5", "3.5", '"iron-chest"'),
    "inspect_inventory": ("1", "true", "0", "0", '""', "false"),
    "launch_rocket": ("1", "3", "3"),
    "load_blueprint": ("1", "BLUEPRINT", "30", "30"),
    "load_entity_state": ("1", "STATE"),
    "load_research_state": ("1", '{["technologies"] = {["automation"] = {["researched"] = true,["level"] = 1}}}'),
    "move_to": ("1", "1", '"nil"', '"nil"'),
    "nearest": ("1", '"iron-ore"'),
    "nearest_buildable": (
        "1", '"stone-furnace"', '{["left_top"] = {["x"] = 0,["y"] = 0},["right_bottom"] = {["x"] = 3,["y"] = 3}}',
        '{["x"] = 0,["y"] = 0}',
    ),
    "pickup_entity": ("1", "3.5", "3.5", '"iron-chest"'),
    "place_entity": ("1", '"iron-chest"', "0", "6.5", "6.5", "true"),
    "place_entity_next_to": ("1", '"iron-chest"', "3.5", "3.5", "4", "1"),
    "print": ('"x"',),
    "production_stats": ("1",),
    "regenerate_resources": ("1",),
    "render": ("1", "false", "10", '"binary"'),
    "render_message": ("1", '"hello"'),
    "render_simple": ("1", '"radius"', "0", "0", "10"),
    "request_path": ("1", "0", "0", "5", "5", "0", "true", "1"),
    "reset": ('"[{\\"coal\\": 5}]"', "false", "true", "true"),
    "rotate_entity": ("1", "5.5", "3.5", "4", '"burner-inserter"'),
    "save_blueprint": ("1",),
    "save_entity_state": ("1", "500", "false", "false", "true"),
    "save_research_state": ("1",),
    "score": (),
    "set_entity_recipe": ("1", '"iron-gear-wheel"', "8.5", "3.5"),
    "set_inventory": ("1", '"{\\"coal\\": 5}"'),
    "set_research": ("1", '"automation"'),
    "sleep": ("1",),
    "update_walking_queues": (),
}  # fmt: skip
BAD_PLAYERS = ("0", "-1", "2", "1e3", "1.5", "true", "nil", '"1"', "{}", "os.exit()")
BREAKING = "{[\"'\\"  # one of these anywhere in arguments is unreadable, or makes a name that there is not
CHANGING = {name for name in CALLS if name not in ("print", "sleep", "score", "update_walking_queues")}


def began(face: Face) -> dict[str, str]:
    """Build a little, and give the saved world and its blueprint as Lua strings."""
    face.begin([{"iron-chest": 3, "burner-inserter": 1, "assembling-machine-1": 1, "coal": 9, "iron-plate": 9}])
    row = ((Prototype.IronChest, 3.5), (Prototype.BurnerInserter, 5.5), (Prototype.AssemblingMachine1, 8.5))
    for prototype, x in row:
        face.tool(0, "place_entity", prototype, Direction.UP, Position(x=x, y=3.5))
    state = "".join(f"\\x{byte:02x}" for byte in json.dumps(save_entity_state(face, 1)).encode())
    return {"STATE": f'"{state}"', "BLUEPRINT": f'"{save_blueprint(face, 1)["blueprint"]}"'}


def line(action: str, arguments: tuple[str, ...]) -> str:
    inside = f"storage.actions.{action}" + (", " if arguments else "") + ",".join(arguments)
    return f"/silent-command a, b = pcall({inside}); rcon.print(dump({{a=a, b=b}}))"


def malformed_command(generator: random.Random, texts: dict[str, str]) -> str:
    """A command that is none, or a call of an action that cannot be."""
    action = generator.choice(sorted(CALLS))
    arguments = tuple(texts.get(argument, argument) for argument in CALLS[action])
    whole = line(action, arguments)
    kind = generator.randrange(8)
    if kind == 0:  # cut off
        return whole[: generator.randrange(len(whole))]
    if kind == 1:  # something behind it
        return whole + generator.choice((";", " game.reset()", "\nstorage.x = 1", "--", "\0x"))
    if kind == 2:  # too many arguments
        return line(action, arguments + ("1",) * 20)
    if kind == 3 and action in CHANGING and len(arguments) > 1 and action != "reset":  # a player there is not
        return line(action, (generator.choice(BAD_PLAYERS), *arguments[1:]))
    if kind == 4 and action in CHANGING:  # a character in the way
        inside = ",".join(arguments)
        at = generator.randrange(len(inside) + 1)
        return line(action, (inside[:at] + generator.choice(BREAKING) + inside[at:],))
    if kind == 5:  # an action there is not
        names = ("__class__", "placeentity", "eval", "x" * 300, action + "_", "_" + action)
        return line(generator.choice(names), arguments)
    if kind == 6:
        return generator.choice(
            (
                "/sc game.players[1].insert{name='coal', count=50}", "/sc game.speed = -1", "/sc game.speed = 1e999",
                "/sc storage.elapsed_ticks = x", "/sc storage.fast = 1", "/sc game.tick_paused = nil", "/c", "/x y",
                "/sc rcon.print(dump(storage.get_alerts(--)))", "/sc storage.set_lua_script_checksum('a', b)",
                "/sc local a = 1\nrcon.print(game.players[1].name)", "(" * 2000, "/sc " + "{" * 5000,
                "/sc " + "[[" * 999,
                "/silent-command rcon.print(storage.actions.get_resource_name_at_position(9, 1e308, -1e308))",
            )
        )  # fmt: skip
    return "".join(chr(generator.randrange(1, 0x2FF)) for _ in range(generator.randrange(60)))


def nonsense(generator: random.Random, texts: dict[str, str]) -> bytes:
    """Bytes that are no packet, or a packet with a command that is none."""
    kind = generator.randrange(10)
    if kind == 0:
        return generator.randbytes(generator.randrange(1, 80))
    if kind == 1:  # a length that lies
        return struct.pack("<iii", generator.randrange(-(2**31), 2**31), 1, 2) + generator.randbytes(20)
    if kind == 2:  # no end
        return struct.pack("<iii", 14, 1, 2) + b"abcdef"
    if kind == 3:  # a type there is not
        return Packet(1, generator.choice([1, 4, -7, 99]), "/sc x").encoded()
    if kind == 4:  # text that is not UTF-8, or holds a zero
        return struct.pack("<iii", 14, 1, 2) + generator.choice((b"\xff\xfe\xfd\xfc", b"ab\0d")) + b"\0\0"
    return Packet(generator.randrange(-(2**31), 2**31), 2, malformed_command(generator, texts)).encoded()


def ends_a_connection(data: bytes) -> bool:
    """Whether the server reads no further after these bytes."""
    reader = Reader(MOST_BYTES)
    reader.feed(data)
    try:
        packet = reader.next()
    except BadPacket:
        return True
    return packet is None or packet.type not in (0, 2, 3)


def until_closed(connection: socket.socket) -> None:
    try:
        while connection.recv(65_536):
            pass
    except ConnectionError:
        pass


def attack(server: Server, generator: random.Random, texts: dict[str, str], packets: int) -> int:
    """Send so many malformed packets, many to a connection; how many were sent."""
    sent = 0
    while sent < packets:
        data = nonsense(generator, texts)
        sent += 1
        whole = [data]
        while not ends_a_connection(data) and len(whole) < 40:
            data = nonsense(generator, texts)
            whole.append(data)
            sent += 1
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
            try:
                if generator.randrange(8):
                    connection.sendall(Packet(1, 3, DEFAULT_PASSWORD).encoded())
                    connection.recv(64)
                connection.sendall(b"".join(whole))
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # the server has ended the connection before all of it was sent
            until_closed(connection)  # so that all of it has been looked at
    return sent


def held(server: Server) -> dict[str, int]:
    """What could grow: Python objects, threads, open files, connections, and what the face keeps."""
    gc.collect()
    face = server.face
    return {
        "objects": len(gc.get_objects()),
        "threads": threading.active_count(),
        "files": len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0,
        "connections": len(server._connections),
        "crafts": len(face.crafts),
        "checksums": len(face._checksums),
    }


@pytest.fixture
def quiet() -> Iterator[None]:
    log = logging.getLogger("fle_ray.factorio")
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(logging.NOTSET)


def test_the_calls_to_be_malformed_are_those_of_every_action():
    assert CALLS.keys() == ACTIONS.keys()


@pytest.mark.parametrize("action", sorted(set(CALLS) - {"launch_rocket", "get_path", "move_to", "connect_entities"}))
def test_unharmed_those_calls_are_accepted(action):
    face = Face(CallClock())
    texts = began(face)
    if action == "harvest_resource":
        face.tool(0, "move_to", Position(x=14, y=0.5))
    if action == "extract_item":
        face.tool(0, "insert_item", Prototype.Coal, face.tool(0, "get_entities")[0], 5)
    if action == "set_research":
        face.instance.world.force.researched.discard("automation")
    arguments = tuple(texts.get(argument, argument) for argument in CALLS[action])
    assert face.answer(line(action, arguments)).startswith('{["a"] = true')


@pytest.mark.parametrize("packets", [3_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_malformed_packets_and_commands_crash_nothing_grow_nothing_and_touch_no_world(packets, quiet):
    with served() as server:
        generator = random.Random(7)
        texts = began(server.face)
        warm = attack(server, generator, texts, 1_000)
        instance, before, then = server.face.instance, server.face.instance.digest(), held(server)
        assert warm + attack(server, generator, texts, packets - warm) >= packets
        assert server.face.instance is instance
        assert instance.digest() == before
        now = held(server)
        assert now.pop("objects") - then.pop("objects") < 1_000, "Python objects"
        assert now.pop("threads") <= then.pop("threads") + 32  # the pool that answers is bounded by that
        assert now == then
        with Client(server.port, DEFAULT_PASSWORD) as client:
            assert client.command("/sc rcon.print(#game.players)") == "1"
