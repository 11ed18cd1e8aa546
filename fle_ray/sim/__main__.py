"""`python -m fle_ray.sim coverage`: what the simulator has of the game; `... blueprint`: see blueprint_command.py."""

from __future__ import annotations

import sys

from fle_ray.errors import UnknownName

_COMMANDS = ("blueprint", "coverage")


def main(arguments: list[str]) -> int:
    """Run a command; returns the exit status: 0, or 2 for a command there is not."""
    name = arguments[0] if arguments else ""
    if name == "blueprint":
        from fle_ray.sim.blueprint_command import run

        return run(arguments[1:])
    if name != "coverage" or len(arguments) != 1:
        print(UnknownName("command", name, _COMMANDS, f"Use one of: {', '.join(_COMMANDS)}."), file=sys.stderr)
        return 2
    from fle_ray.sim.coverage import render

    sys.stdout.write(render())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
