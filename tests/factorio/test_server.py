"""The port: who is let in, and how replies are cut. What malformed bytes do to it: `test_fuzz.py`."""

from __future__ import annotations

import socket
import struct
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fle_ray.factorio.client import Client
from fle_ray.factorio.packets import BadPacket, Packet, Reader, split
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
