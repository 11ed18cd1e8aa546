"""`python -m fle_ray.sim coverage`: what the simulator has of the game."""

from __future__ import annotations

import sys

from fle_ray.errors import UnknownName
from fle_ray.sim.coverage import render

_COMMANDS = {"coverage": render}


def main(arguments: list[str]) -> int:
    """Run a command; returns the exit status: 0, or 2 for a command there is not."""
    name = arguments[0] if arguments else ""
    command = _COMMANDS.get(name)
    if command is None or len(arguments) != 1:
        print(UnknownName("command", name, _COMMANDS, f"Use one of: {', '.join(_COMMANDS)}."), file=sys.stderr)
        return 2
    sys.stdout.write(command())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
