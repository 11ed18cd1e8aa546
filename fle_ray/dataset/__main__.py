"""`python -m fle_ray.dataset dictionary | compact <run> | verify <run>`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from fle_ray.errors import ConfigError, FleRayError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 well, 1 damage or storage trouble, 2 a mistake of the user."""
    parser = argparse.ArgumentParser(prog="python -m fle_ray.dataset", description="Look after a run's dataset.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    dictionary = commands.add_parser("dictionary", help="print the data dictionary as Markdown")
    dictionary.add_argument("--output", type=Path, help="write it to this file instead")
    compact = commands.add_parser("compact", help="merge a finished run's many small files into few")
    compact.add_argument("run", help="the run's folder")
    verify = commands.add_parser("verify", help="check every file of a run")
    verify.add_argument("run", help="the run's folder")
    given = parser.parse_args(arguments)
    try:
        return _COMMANDS[given.command](given)
    except FleRayError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, ConfigError) else 1


def _dictionary(given: argparse.Namespace) -> int:
    from fle_ray.dataset.schema import data_dictionary

    if given.output is None:
        print(data_dictionary(), end="")
    else:
        given.output.write_text(data_dictionary())
    return 0


def _compact(given: argparse.Namespace) -> int:
    from fle_ray.dataset.compact import compact_run

    for done in compact_run(given.run):
        print(
            f"{done.table}: {done.files_before} -> {done.files_after} files, "
            f"{done.bytes_before:,} -> {done.bytes_after:,} bytes, {done.rows:,} rows"
        )
    return 0


def _verify(given: argparse.Namespace) -> int:
    from fle_ray.dataset.verify import verify_run

    found = verify_run(given.run)
    for problem in found.problems:
        print(f"error: {problem}", file=sys.stderr)
    print(
        f"{found.files} Parquet files with {found.rows:,} rows, {found.journals} open journals and "
        f"{found.states} states are whole; {len(found.problems)} problems."
    )
    return 1 if found.problems else 0


_COMMANDS = {"dictionary": _dictionary, "compact": _compact, "verify": _verify}

if __name__ == "__main__":
    sys.exit(main())
