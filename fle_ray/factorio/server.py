"""Served worlds: Source RCON over TCP, a world to a port, any number of connections to each."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Sequence

from fle_ray.factorio.face import Face
from fle_ray.factorio.packets import AUTH, AUTH_REPLY, COMMAND, MOST_BYTES, REPLY, BadPacket, Packet, Reader, split

__all__ = ["DEFAULT_PASSWORD", "Server", "serve"]

log = logging.getLogger(__name__)

DEFAULT_PASSWORD = "factorio"  # what FLE's client sends unless it is changed
_SECONDS_TO_AUTH = 10.0
_MOST_CONNECTIONS = 64  # to one world
_MOST_TRIES = 3  # of the password on one connection


class Server:
    """One world on one port.

    Attributes:
        face: the world; port: where it listens once started.
    """

    def __init__(
        self,
        face: Face,
        *,
        host: str = "127.0.0.1",
        port: int = 27000,
        password: str = DEFAULT_PASSWORD,
        packet_bytes: int | None = None,
    ) -> None:
        """
        Args:
            host: address to listen on; the loopback by default, as the protocol sends the password in the clear.
            port: 0 lets the system choose.
            packet_bytes: cut longer replies into packets of at most this many bytes of body; None sends each reply
                in one packet, as a Factorio server does and as FLE's client expects.

        Raises:
            ValueError: an empty password, or fewer than 16 packet bytes.
        """
        if not password:
            raise ValueError("The password is empty; expected some text.")
        if packet_bytes is not None and packet_bytes < 16:
            raise ValueError(f"packet_bytes is {packet_bytes}; expected at least 16.")
        self.face = face
        self.host = host
        self.port = port
        self._password = password.encode()
        self._packet_bytes = packet_bytes
        self._server: asyncio.Server | None = None
        self._turn = asyncio.Lock()
        self._connections: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen. Raises OSError when the port is taken."""
        self._server = await asyncio.start_server(self._serve, self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop listening and end every connection."""
        if self._server is None:
            return
        self._server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._connections) >= _MOST_CONNECTIONS:
            log.warning("port %d: a connection is refused, there are %d", self.port, len(self._connections))
            writer.close()
            return
        self._connections.add(task)
        try:
            packets = Reader()
            async with asyncio.timeout(_SECONDS_TO_AUTH):
                admitted = await self._admit(packets, reader, writer)
            while admitted and (packet := await _received(packets, reader)) is not None:
                await self._reply(packet, writer)
        except BadPacket as error:
            log.warning("port %d: connection ended: %s", self.port, error)
        except TimeoutError:
            log.warning("port %d: connection ended: no password within %g s", self.port, _SECONDS_TO_AUTH)
        except ConnectionError as error:
            log.info("port %d: connection lost: %s", self.port, error)
        finally:
            self._connections.discard(task)
            writer.close()

    async def _admit(self, packets: Reader, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the client gave the password."""
        for _ in range(_MOST_TRIES):
            packet = await _received(packets, reader)
            if packet is None:
                return False
            if packet.type != AUTH:
                raise BadPacket(f"The first packet has type {packet.type}; expected the password, type {AUTH}.")
            right = hmac.compare_digest(packet.body.encode(), self._password)
            writer.write(Packet(packet.id if right else -1, AUTH_REPLY, "").encoded())
            await writer.drain()
            if right:
                packets.most_bytes = MOST_BYTES
                return True
            log.warning("port %d: a wrong password", self.port)
        return False

    async def _reply(self, packet: Packet, writer: asyncio.StreamWriter) -> None:
        if packet.type == COMMAND:
            async with self._turn:
                body = await asyncio.to_thread(self._answer, packet.body)
        elif packet.type == REPLY:
            body = ""  # clients send one after a command, to see by its echo where a reply in several packets ends
        elif packet.type == AUTH:
            writer.write(Packet(packet.id, AUTH_REPLY, "").encoded())
            await writer.drain()
            return
        else:
            raise BadPacket(f"A packet has type {packet.type}; expected {COMMAND}, {REPLY} or {AUTH}.")
        pieces = [body] if self._packet_bytes is None else split(body, self._packet_bytes)
        writer.write(b"".join(Packet(packet.id, REPLY, piece).encoded() for piece in pieces))
        await writer.drain()

    def _answer(self, text: str) -> str:
        try:
            return self.face.answer(text)
        except Exception:
            log.exception("port %d: a fault of ours at %.200r", self.port, text)
            return "error: a fault inside the simulator's RCON face; its log has the details."


async def _received(packets: Reader, reader: asyncio.StreamReader) -> Packet | None:
    """The next packet, None at the end of the connection. Raises BadPacket."""
    while True:
        packet = packets.next()
        if packet is not None:
            return packet
        data = await reader.read(65_536)
        if not data:
            return None
        packets.feed(data)


async def serve(servers: Sequence[Server]) -> None:
    """Run servers until cancelled."""
    try:
        for server in servers:
            await server.start()
            log.info("a world is served on %s:%d", server.host, server.port)
        await asyncio.Event().wait()
    finally:
        for server in servers:
            await server.stop()
