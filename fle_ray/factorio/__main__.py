"""`python -m fle_ray.factorio serve`: worlds for FLE's client; `... actions`: what of its actions is mapped."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import time

from fle_ray.errors import ConfigError
from fle_ray.factorio.actions import ACTIONS, READ_BY_COMMAND, UNMAPPED
from fle_ray.factorio.clock import CLOCKS, CallClock, WallClock
from fle_ray.factorio.face import Face
from fle_ray.factorio.server import DEFAULT_PASSWORD, Server, serve

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PASSWORD_VARIABLE = "FLE_RAY_RCON_PASSWORD"


def actions_table() -> str:
    """The client's actions, mapped or not, as a Markdown table."""
    rows = ["| action | mapped | onto, or why not |", "|---|---|---|"]
    found = {name: ("yes", action.onto) for name, action in ACTIONS.items()}
    found |= {name: ("yes", f"by a command of its own: {onto}") for name, onto in READ_BY_COMMAND.items()}
    found |= {name: ("no", reason) for name, reason in UNMAPPED.items()}
    rows += [f"| `{name}` | {mapped} | {words} |" for name, (mapped, words) in sorted(found.items())]
    return "\n".join(rows) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fle_ray.factorio", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("actions", help="list FLE's server-side actions and what they are mapped onto")
    one = commands.add_parser("serve", help="serve worlds over RCON until interrupted")
    one.add_argument("--port", type=int, default=27000, help="of the first world; the others follow (default 27000)")
    one.add_argument("--count", type=int, default=1, help="number of worlds, one to a port (default 1)")
    one.add_argument("--scenario", default="lab", help="lab, open or empty (default lab)")
    one.add_argument("--seed", type=int, default=0)
    one.add_argument(
        "--clock", choices=CLOCKS, default="call", help="call: only actions take time; wall: as a server does"
    )
    one.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    one.add_argument(
        "--password", help=f"RCON password (default: {_PASSWORD_VARIABLE}, else {DEFAULT_PASSWORD!r}, as FLE's)"
    )
    one.add_argument("--packet-bytes", type=int, help="cut longer replies into several packets (default: never)")
    return parser


def main(arguments: list[str]) -> int:
    """Run a command; returns the exit status: 0, or 2 for settings that cannot be."""
    settings = _parser().parse_args(arguments)
    if settings.command == "actions":
        sys.stdout.write(actions_table())
        return 0
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    password = settings.password or os.environ.get(_PASSWORD_VARIABLE) or DEFAULT_PASSWORD
    try:
        if settings.count < 1:
            raise ConfigError(f"--count is {settings.count}; expected 1 or more.")
        if not 0 < settings.port <= 65_536 - settings.count:
            raise ConfigError(f"--port is {settings.port}; expected 1 to {65_536 - settings.count}.")
        if settings.host not in _LOOPBACK and password == DEFAULT_PASSWORD:
            raise ConfigError(f"--host {settings.host} is open to others: set a password of your own.")
        servers = [
            Server(
                Face(
                    CallClock() if settings.clock == "call" else WallClock(time.monotonic),
                    settings.scenario,
                    settings.seed,
                ),
                host=settings.host,
                port=settings.port + number,
                password=password,
                packet_bytes=settings.packet_bytes,
            )
            for number in range(settings.count)
        ]
        asyncio.run(serve(servers))
    except (ConfigError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
