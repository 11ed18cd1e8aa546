"""A small RCON client: for tests, and for a look at a served world by hand."""

from __future__ import annotations

import socket

from fle_ray.factorio.packets import AUTH, AUTH_REPLY, COMMAND, MOST_BYTES, REPLY, Packet, Reader

__all__ = ["Client"]


class Client:
    """A connection to an RCON server. Replies in several packets are put together."""

    def __init__(self, port: int, password: str, host: str = "127.0.0.1", timeout_s: float = 10.0) -> None:
        """Raises OSError when nothing listens, PermissionError when the password is refused."""
        self._socket = socket.create_connection((host, port), timeout=timeout_s)
        self._packets = Reader(MOST_BYTES)
        self._number = 1
        try:
            self._send(AUTH, password)
            while (packet := self._receive()).type != AUTH_REPLY:
                pass  # some servers send an empty reply first
            if packet.id == -1:
                raise PermissionError("The server refused the password.")
        except BaseException:
            self._socket.close()
            raise

    def command(self, text: str) -> str:
        """Send a command line and return the whole reply."""
        number = self._send(COMMAND, text)
        end = self._send(REPLY, "")
        body = ""
        while (packet := self._receive()).id != end:
            if packet.id == number:
                body += packet.body
        return body

    def command_alone(self, text: str) -> str:
        """The same for a server that sends each reply in one packet, as Factorio does: asks for no end of it."""
        number = self._send(COMMAND, text)
        while (packet := self._receive()).id != number:
            pass
        return packet.body

    def action(self, name: str, *arguments: str) -> str:
        """Call one of FLE's actions; the arguments are Lua literals."""
        inside = ", ".join((f"storage.actions.{name}", *arguments))
        return self.command(f"/silent-command a, b = pcall({inside}); rcon.print(dump({{a=a, b=b}}))")

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _send(self, kind: int, body: str) -> int:
        self._number += 1
        self._socket.sendall(Packet(self._number, kind, body).encoded())
        return self._number

    def _receive(self) -> Packet:
        while (packet := self._packets.next()) is None:
            data = self._socket.recv(65_536)
            if not data:
                raise ConnectionError("The server ended the connection.")
            self._packets.feed(data)
        return packet
