"""`python -m fle_ray.tasks list [--json|--markdown]` and `python -m fle_ray.tasks show NAME`."""

from __future__ import annotations

import argparse
import json
import sys

from fle_ray.errors import ConfigError
from fle_ray.tasks.catalogue import get_task, task_names
from fle_ray.tasks.describe import describe_task, markdown_table, plain_table


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fle_ray.tasks", description="The tasks that can be played.")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="one line for each task")
    form = listing.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as a JSON list")
    form.add_argument("--markdown", action="store_true", help="as the table of docs/tasks.md")
    show = commands.add_parser("show", help="everything about one task, as JSON")
    show.add_argument("name")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "show":
            print(json.dumps(describe_task(get_task(chosen.name)), indent=2))
            return 0
        tasks = [get_task(name) for name in task_names()]
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    if chosen.json:
        print(json.dumps([describe_task(task) for task in tasks], indent=2))
    else:
        print(markdown_table(tasks) if chosen.markdown else plain_table(tasks))
    return 0


if __name__ == "__main__":
    sys.exit(main())
