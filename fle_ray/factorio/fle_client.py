"""FLE's own Python client, imported when the engine `factorio` is first used, and a connection of it to one server.

It is an ordinary library here: agents' programs never run in it, only tools are called on it. What it prints goes to
the log. It takes lost connections for empty answers; `Wire` remembers them, so that they cannot pass for a result.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import io
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from fle_ray.errors import ConfigError, EngineError
from fle_ray.factorio.pool import ServerAddress

__all__ = ["FLE_VERSION", "Fle", "Wire", "connect", "load_fle", "quietly"]

log = logging.getLogger(__name__)

FLE_VERSION = "0.4.3"  # what the extra pins; its tools' arguments and answers are what this room is written for


@dataclass(frozen=True)
class Fle:
    """The modules of FLE's client that are used.

    Attributes:
        entities, types: classes of its values. instance: its connection to a server. rcon: the library below it.
        states: what it saves of research; technologies: of each technology.
    """

    entities: Any
    types: Any
    instance: Any
    rcon: Any
    states: Any
    technologies: Any

    def kind(self, name: str) -> Any:
        """One of its classes of values, None when it has none of that name."""
        return getattr(self.entities, name, None) or getattr(self.types, name, None)


@cache
def load_fle() -> Fle:
    """Import FLE's client. Raises ConfigError that names the extra when it is not installed."""
    try:
        with quietly():
            return Fle(
                *(
                    importlib.import_module(name)
                    for name in (
                        "fle.env.entities",
                        "fle.env.game_types",
                        "fle.env.instance",
                        "factorio_rcon",
                        "fle.commons.models.research_state",
                        "fle.commons.models.technology_state",
                    )
                )
            )
    except ImportError as error:
        raise ConfigError(
            f"engine=factorio needs FLE's client, which cannot be imported ({error}). "
            f"Install it with: pip install 'fle-ray[factorio]' (factorio-learning-environment=={FLE_VERSION} and "
            "a2a-sdk<1)."
        ) from error


class _Printed(io.TextIOBase):
    """Turns printed lines into lines of the log."""

    def write(self, text: str) -> int:
        if text.strip():
            log.debug("FLE's client: %s", text.strip())
        return len(text)


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """What is printed meanwhile goes to the log."""
    printed = _Printed()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        yield


class Wire:
    """An RCON connection that remembers its first failure.

    Attributes:
        failure: what went wrong, None while nothing has; afterwards every command fails.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self.failure: Exception | None = None

    def send_command(self, text: str) -> str | None:
        return self.send_commands({"": text})[""]

    def send_commands(self, commands: dict[str, str]) -> dict[str, str | None]:
        if self.failure is not None:
            raise self.failure
        try:
            return self._client.send_commands(commands)
        except Exception as error:
            self.failure = error
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def connect(server: ServerAddress, *, agents: int, speed: float, timeout_s: float) -> Any:
    """FLE's client on a server, its scripts loaded and its characters made.

    Args:
        agents: number of characters. speed: of the game, 1 for real time.
        timeout_s: seconds without an answer after which the server counts as lost.

    Raises:
        EngineError: the server cannot be reached or was lost meanwhile.
        ConfigError: FLE's client is not installed, or the password is not set.
    """
    fle = load_fle()
    password = server.password
    wires: list[Wire] = []

    class Connected(fle.instance.FactorioInstance):
        @staticmethod
        def connect_to_server(address: str, tcp_port: int) -> tuple[Wire, str]:
            wire = Wire(fle.rcon.RCONClient(address, tcp_port, password, timeout=timeout_s))
            wires.append(wire)
            return wire, address

    try:
        with quietly():
            client = Connected(
                address=server.address, tcp_port=server.port, num_agents=agents, reset_speed=speed, inventory={}
            )
    except Exception as error:
        for wire in wires:
            wire.close()
        cause = next((wire.failure for wire in wires if wire.failure is not None), error)
        raise EngineError(f"FLE's client cannot begin on the server {server}: {cause}") from cause
    atexit.unregister(client.cleanup)  # it would wait for every thread of this process
    if wires[0].failure is not None:
        wires[0].close()
        raise EngineError(f"The server {server} was lost: {wires[0].failure}") from wires[0].failure
    return client
