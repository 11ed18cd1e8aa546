"""The port: who is let in, how replies are cut, and that no bytes crash it or touch a world."""

from __future__ import annotations

import logging
import random
import socket
import struct
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fle_ray.factorio.client import Client
from fle_ray.factorio.packets import MOST_BYTES, BadPacket, Packet, Reader, split
from fle_ray.factorio.server import DEFAULT_PASSWORD
from tests.factorio.served import served

PLAYERS = "/sc rcon.print(#game.players)"


def raw(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def until_closed(connection: socket.socket) -> bytes:
    data = b""
    try:
        while piece := connection.recv(4096):
            data += piece
    except ConnectionError:
        pass
    return data


def end_sending(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # the server has ended the connection already


def test_a_packet_is_length_id_type_body_and_two_zeros():
    assert Packet(7, 2, "hi").encoded() == struct.pack("<iii", 12, 7, 2) + b"hi\0\0"


@given(st.lists(st.text(max_size=50), max_size=5), st.integers(1, 7))
def test_packets_are_read_whatever_the_pieces_they_come_in(bodies, step):
    bodies = [body.replace("\0", "") for body in bodies]
    data = b"".join(Packet(number, 2, body).encoded() for number, body in enumerate(bodies))
    reader, read = Reader(), []
    for at in range(0, len(data), step):
        reader.feed(data[at : at + step])
        while packet := reader.next():
            read.append(packet.body)
    assert read == bodies


@pytest.mark.parametrize("length", [-1, 0, 9, 4097, 2**31 - 1])
def test_a_length_outside_the_protocols_limits_is_refused_before_its_bytes_come(length):
    reader = Reader()
    reader.feed(struct.pack("<i", length))
    with pytest.raises(BadPacket, match=str(length)):
        reader.next()


@given(st.text(max_size=200), st.integers(16, 40))
def test_cut_replies_join_to_the_whole_and_keep_to_the_limit(body, most):
    pieces = split(body, most)
    assert "".join(pieces) == body
    assert all(len(piece.encode()) <= most for piece in pieces)


def test_the_right_password_is_let_in(server):
    with Client(server.port, DEFAULT_PASSWORD) as client:
        assert client.command(PLAYERS) == "1"


def test_a_wrong_password_is_refused(server):
    with pytest.raises(PermissionError):
        Client(server.port, "wrong")


def test_a_password_can_be_set():
    with served(password="another") as server:
        with pytest.raises(PermissionError):
            Client(server.port, DEFAULT_PASSWORD)
        with Client(server.port, "another") as client:
            assert client.command(PLAYERS) == "1"


def test_a_command_before_the_password_ends_the_connection(server):
    with raw(server.port) as connection:
        connection.sendall(Packet(1, 2, PLAYERS).encoded())
        assert until_closed(connection) == b""


def test_guessing_on_one_connection_ends_it(server):
    with raw(server.port) as connection:
        connection.sendall(b"".join(Packet(number, 3, "guess").encoded() for number in range(5)))
        assert until_closed(connection).count(struct.pack("<ii", -1, 2)) == 3


def test_several_connections_see_one_world_and_may_come_back(server):
    with Client(server.port, DEFAULT_PASSWORD) as one, Client(server.port, DEFAULT_PASSWORD) as two:
        one.command("/sc storage.elapsed_ticks = 42")
        assert two.command("/sc rcon.print(storage.elapsed_ticks or 0)") == "42"
    with Client(server.port, DEFAULT_PASSWORD) as again:
        assert again.command("/sc rcon.print(storage.elapsed_ticks or 0)") == "42"


def test_commands_of_many_connections_at_once_are_done_one_by_one(server):
    def sleep_ten_times() -> None:
        with Client(server.port, DEFAULT_PASSWORD) as client:
            for _ in range(10):
                client.action("sleep", "1")

    threads = [threading.Thread(target=sleep_ten_times) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert server.face.instance.tick == 4 * 10 * 60


def test_long_replies_can_come_in_several_packets():
    with served(packet_bytes=100) as server, Client(server.port, DEFAULT_PASSWORD) as client:
        whole = server.face.answer("/sc unknown()")
        assert len(whole) > 100
        assert client.command("/sc unknown()") == whole


def test_two_worlds_on_two_ports_are_apart():
    with served() as one, served() as two, Client(one.port, DEFAULT_PASSWORD) as client:
        client.action("sleep", "1")
        assert (one.face.instance.tick, two.face.instance.tick) == (60, 0)


def nonsense(generator: random.Random) -> bytes:
    """Bytes that are no command, or a packet with a command that is none."""
    kind = generator.randrange(5)
    if kind == 0:
        return generator.randbytes(generator.randrange(1, 80))
    if kind == 1:  # a length that lies
        return struct.pack("<iii", generator.randrange(-(2**31), 2**31), 1, 2) + generator.randbytes(20)
    if kind == 2:  # no end
        return struct.pack("<iii", 14, 1, 2) + b"abcdef"
    if kind == 3:  # a type there is not
        return Packet(1, generator.choice([1, 4, -7, 99]), "/sc x").encoded()
    text = generator.choice(
        [
            "/silent-command a, b = pcall(storage.actions.place_entity, {{{{); rcon.print(dump({a=a, b=b}))",
            "/silent-command a, b = pcall(storage.actions.place_entity); rcon.print(dump({a=a, b=b}))",
            "/silent-command a, b = pcall(storage.actions.__class__, 1); rcon.print(dump({a=a, b=b}))",
            '/silent-command a, b = pcall(storage.actions.sleep, "x"); rcon.print(dump({a=a, b=b}))',
            "/silent-command a, b = pcall(storage.actions.reset, 1, 2, 3, 4); rcon.print(dump({a=a, b=b}))",
            "/sc game.players[1].insert{name='coal', count=50}",
            "/sc game.speed = -1",
            "/sc storage.elapsed_ticks = x",
            "".join(chr(generator.randrange(1, 0x2FF)) for _ in range(generator.randrange(60))),
        ]
    )
    return Packet(1, 2, text).encoded()


def ends_a_connection(data: bytes) -> bool:
    """Whether the server reads no further after these bytes."""
    reader = Reader(MOST_BYTES)
    reader.feed(data)
    try:
        packet = reader.next()
    except BadPacket:
        return True
    return packet is None or packet.type not in (0, 2, 3)


@pytest.mark.parametrize("packets", [2_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_nonsense_neither_crashes_the_server_nor_touches_the_world(server, packets):
    logging.getLogger("fle_ray.factorio").setLevel(logging.CRITICAL)
    generator = random.Random(7)
    before = server.face.instance.digest()
    sent = 0
    while sent < packets:
        data = nonsense(generator)
        sent += 1
        whole = [data]
        while not ends_a_connection(data):
            data = nonsense(generator)
            whole.append(data)
            sent += 1
        with raw(server.port) as connection:
            if generator.randrange(4):
                connection.sendall(Packet(1, 3, DEFAULT_PASSWORD).encoded())
                connection.recv(64)
            try:
                connection.sendall(b"".join(whole))
            except ConnectionError:
                pass  # ended before all of it was sent
            end_sending(connection)
            until_closed(connection)  # so that all of it has been looked at
    logging.getLogger("fle_ray.factorio").setLevel(logging.NOTSET)
    with Client(server.port, DEFAULT_PASSWORD) as client:
        assert client.command(PLAYERS) == "1"
    assert server.face.instance.digest() == before
