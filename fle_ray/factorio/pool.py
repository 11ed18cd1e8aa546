"""Factorio servers from the configuration, leased one at a time to whoever plays on them.

A lease is a lock on a file, one for each server, in a folder that all who share the servers use. The system takes the
lock away from a process that dies, however it dies, so a lease can neither be forgotten nor held by two: actors of a
run, jobs of a sweep and other runs on the same machine share servers without knowing of each other. Actors on several
machines need the folder on a file system that they share.
"""

from __future__ import annotations

import fcntl
import logging
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fle_ray.errors import ConfigError, EngineError
from fle_ray.factorio.client import Client
from fle_ray.factorio.server import DEFAULT_PASSWORD

__all__ = ["Lease", "Pool", "ServerAddress", "server_addresses"]

log = logging.getLogger(__name__)

HEALTH = "/sc rcon.print(#game.players)"  # what FLE's client asks first, too
_HEALTH_S = 10.0  # a server that takes longer to say how many players it has is not fit to play on
_LOOK_AGAIN_S = 0.5


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server answers RCON. `password_env` names the variable with its password; None for FLE's default."""

    address: str
    port: int
    password_env: str | None = None

    def __str__(self) -> str:
        return f"{self.address}:{self.port}"

    @property
    def password(self) -> str:
        """Raises ConfigError when the variable is not set."""
        if self.password_env is None:
            return DEFAULT_PASSWORD
        password = os.environ.get(self.password_env)
        if not password:
            raise ConfigError(
                f"The password of the server {self} should be in the environment variable {self.password_env}, which "
                "is not set. Set it, or leave password_env out for FLE's default."
            )
        return password


def server_addresses(entries: Any) -> tuple[ServerAddress, ...]:
    """Servers from a configuration: texts `host:port`, or mappings of address, port and password_env.

    Raises:
        ConfigError: an entry is neither, or a server is named twice.
    """
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise ConfigError(f"engine.pool.servers is {entries!r}; expected a list of servers, each as host:port.")
    servers = tuple(_server(entry) for entry in entries)
    places = [(s.address, s.port) for s in servers]
    for place in places:
        if places.count(place) > 1:
            raise ConfigError(f"engine.pool.servers names {place[0]}:{place[1]} twice.")
    return servers


def _server(entry: Any) -> ServerAddress:
    what = f"engine.pool.servers holds {entry!r}"
    if isinstance(entry, str):
        address, _, port = entry.rpartition(":")
        fields: Mapping[str, Any] = {"address": address, "port": int(port) if port.isdecimal() else port}
    elif isinstance(entry, Mapping):
        fields = entry
    else:
        raise ConfigError(f"{what}; expected host:port, or a mapping with address, port and password_env.")
    unknown = sorted(set(fields) - {"address", "port", "password_env"})
    if unknown:
        raise ConfigError(f"{what}, which has an unknown key {unknown[0]!r}; there are address, port and password_env.")
    address, port, variable = fields.get("address") or "localhost", fields.get("port"), fields.get("password_env")
    if isinstance(port, bool) or not isinstance(port, int) or not 0 < port < 65_536:
        raise ConfigError(f"{what}; expected a port from 1 to 65535, as in localhost:27000.")
    if not isinstance(address, str) or "/" in address:
        raise ConfigError(f"{what}; expected the name or number of a machine as its address.")
    if variable is not None and not isinstance(variable, str):
        raise ConfigError(f"{what}; expected the name of an environment variable as password_env.")
    return ServerAddress(address, port, variable)


class Lease:
    """A server that nobody else plays on until `release()`.

    Attributes:
        server: where it is.
    """

    def __init__(self, server: ServerAddress, descriptor: int) -> None:
        self.server = server
        self._descriptor = descriptor

    def release(self) -> None:
        """Let others have the server; may be called again."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Pool:
    """Leases servers.

    Args:
        servers: those there are, tried in this order.
        folder: where the locks are; null for one of this user's below the system's folder for temporary files.
        wait_s: how long to wait for a server while others play on those that are alive.
        revive_s: how long to wait for one to come back when none is alive.

    Raises:
        ConfigError: there are no servers, or the folder cannot be used.
    """

    def __init__(
        self,
        servers: Sequence[ServerAddress],
        *,
        folder: str | Path | None = None,
        wait_s: float = 3600.0,
        revive_s: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not servers:
            raise ConfigError(
                "engine.pool.servers is empty: name the servers, e.g. engine.pool.servers=[localhost:27000]. "
                "`python -m fle_ray.factorio compose --count 2` writes a docker compose file for some."
            )
        self.servers = tuple(servers)
        self._folder = Path(folder) if folder is not None else _own_folder()
        self._wait_s, self._revive_s = wait_s, revive_s
        self._clock, self._sleep = clock, sleep
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise ConfigError(f"The folder for leases of servers, {self._folder}, cannot be made: {error}.") from error

    def lease(self) -> Lease:
        """A server that answers and that nobody else has; waits for one.

        Raises:
            EngineError: none came free in `wait_s`, or none was alive for `revive_s`.
        """
        began = self._clock()
        while True:
            taken, dead = [], {}
            for server in self.servers:
                descriptor = self._lock(server)
                if descriptor is None:
                    taken.append(server)
                    continue
                trouble = trouble_of(server)
                if trouble is None:
                    return Lease(server, descriptor)
                os.close(descriptor)
                dead[server] = trouble
            waited = self._clock() - began
            if waited >= (self._wait_s if taken else self._revive_s):
                words = [f"{server}: {trouble}" for server, trouble in dead.items()]
                words += [f"{server}: another plays on it" for server in taken]
                raise EngineError(f"No Factorio server is to be had after {waited:.0f} s ({'; '.join(words)}).")
            self._sleep(_LOOK_AGAIN_S)

    def alive(self) -> dict[ServerAddress, str | None]:
        """What is wrong with each server, None for those that answer. Leases nothing."""
        return {server: trouble_of(server) for server in self.servers}

    def _lock(self, server: ServerAddress) -> int | None:
        """A descriptor that holds the server's lock; None when another process or lease has it."""
        path = self._folder / f"{server.address}-{server.port}.lock"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def _own_folder() -> Path:
    return Path(tempfile.gettempdir()) / f"fle_ray-servers-{os.getuid()}"


def trouble_of(server: ServerAddress) -> str | None:
    """Why a server cannot be played on, in words; None when it takes the password and answers a question."""
    try:
        with Client(server.port, server.password, server.address, timeout_s=_HEALTH_S) as client:
            answer = client.command_alone(HEALTH).strip()
    except PermissionError:
        return "it refuses the password"
    except TimeoutError:
        return f"no answer in {_HEALTH_S:g} s"
    except (OSError, ValueError) as error:
        return str(error) or type(error).__name__
    return None if answer.isdecimal() else f"expected a number of players, got {answer[:80]!r}"
