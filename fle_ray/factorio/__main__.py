"""`python -m fle_ray.factorio serve`: worlds for FLE's client; `... actions`: what of its actions is mapped;
`... compare`: the simulator and a server, call by call."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import time
from pathlib import Path

from fle_ray.errors import ConfigError, EngineError
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
    two = commands.add_parser("compare", help="play the same calls on the simulator and a server; show what differs")
    two.add_argument("--server", required=True, metavar="HOST:PORT", help="RCON of a Factorio server or a served world")
    two.add_argument(
        "--password-env", metavar="NAME", help=f"variable with its password (default: FLE's, {DEFAULT_PASSWORD!r})"
    )
    two.add_argument("--tasks", nargs="*", help="tasks whose reference programs are played (default: all of lab play)")
    two.add_argument("--no-examples", action="store_true", help="leave out the manual's examples of every tool")
    two.add_argument("--speed", type=float, default=10.0, help="of the server's game, 1 for real time (default 10)")
    two.add_argument("--out", type=Path, help="file for the report (default: compare-HOST-PORT.md; .json for data)")
    one.add_argument("--packet-bytes", type=int, help="cut longer replies into several packets (default: never)")
    return parser


def _compare(settings: argparse.Namespace) -> int:
    """Play, print and file; 0 when the two agree but for explained differences, 1 when not."""
    from fle_ray.factorio.cases import example_cases, task_cases
    from fle_ray.factorio.compare import compare
    from fle_ray.factorio.remote import RemoteInstance
    from fle_ray.tools.instance import LocalInstance

    cases = [] if settings.no_examples else example_cases()
    cases += task_cases(settings.tasks)
    address, _, port = settings.server.rpartition(":")
    if not address or not port.isdigit():
        raise ConfigError(f"--server is {settings.server!r}; expected host:port.")
    server = {"address": address, "port": int(port)}
    if settings.password_env:
        server["password_env"] = settings.password_env
    remote = RemoteInstance({"servers": [server]}, speed=settings.speed)
    try:
        found = compare(
            cases,
            LocalInstance(),
            remote,
            names=("sim", settings.server),
            progress=lambda name: print(name, file=sys.stderr, flush=True),
        )
    finally:
        remote.close()
    out = settings.out or Path(f"compare-{address}-{port}.md")
    out.write_text(found.as_json() if out.suffix == ".json" else found.report(), encoding="utf-8")
    print(found.report())
    print(f"written to {out}")
    return 0 if found.agree else 1


def main(arguments: list[str]) -> int:
    """Run a command; returns the exit status: 0, 1 when compared engines differ, or 2 for settings that cannot be."""
    settings = _parser().parse_args(arguments)
    if settings.command == "actions":
        sys.stdout.write(actions_table())
        return 0
    if settings.command == "compare":
        try:
            return _compare(settings)
        except (ConfigError, EngineError, OSError) as error:
            print(error, file=sys.stderr)
            return 2
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
