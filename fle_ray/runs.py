"""Runs below a folder: `python -m fle_ray.runs list|show|pause|resume|cancel [--root data] [--json]`.

`list` and `show` read; the others ask the process that writes a run, which looks twice a second. A run that no
process writes is gone on with by the command that `show` prints.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fle_ray.errors import ConfigError, FleRayError, UnknownName
from fle_ray.experiment.backend import CONTROL
from fle_ray.experiment.manifest import MANIFEST, read_manifest

__all__ = ["find_runs", "is_being_written", "main", "run_status"]

_ORDERS = {
    "pause": "pausing after the steps that are being played",
    "resume": "going on",
    "cancel": "cancelling: its unfinished episodes are closed as cancelled",
}


def find_runs(root: Path | str) -> list[Path]:
    """Folders of all runs in `<root>/<experiment>/<run>`, oldest first."""
    found = [(str(read_manifest(p.parent)["created_at"]), p.parent) for p in Path(root).glob(f"*/*/{MANIFEST}")]  # type: ignore[index]
    return [folder for _, folder in sorted(found)]


def is_being_written(run_dir: Path) -> bool:
    """Whether a process of this machine holds the run's lock."""
    try:
        with open(run_dir / ".lock") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False


def run_status(run_dir: Path, manifest: dict[str, Any]) -> str:
    """`running`, `paused`, `complete`, `owed`, `cancelled`, or `interrupted` for one whose process died."""
    if is_being_written(run_dir):
        return "paused" if _order_of(run_dir) == "pause" else "running"
    return "interrupted" if manifest["status"] == "running" else manifest["status"]


def _order_of(run_dir: Path) -> str:
    try:
        return (run_dir / CONTROL).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""


def _progress(run_dir: Path) -> list[dict[str, Any]]:
    """Every planned episode with its state, as plain values."""
    from fle_ray.dataset import open_run

    frame = open_run(run_dir).progress()
    return json.loads(frame.to_json(orient="records"))


def _summary(run_dir: Path) -> dict[str, Any]:
    manifest = read_manifest(run_dir)
    assert manifest is not None
    states: dict[str, int] = {}
    for row in _progress(run_dir):
        states[row["state"]] = states.get(row["state"], 0) + 1
    return {
        "run_id": manifest["run_id"],
        "name": manifest["name"],
        "status": run_status(run_dir, manifest),
        "planned": len(manifest["plan"]),
        "complete": states.get("complete", 0),
        "owed": len(manifest["plan"]) - states.get("complete", 0),
        "created_at": manifest["created_at"],
        "sweep_id": manifest["sweep_id"],
        "path": str(run_dir),
        "resume_command": manifest["resume_command"],
    }


def _pick(root: str, run: str) -> Path:
    """A run by its id, by name/id, or by its folder."""
    if (Path(run) / MANIFEST).is_file():
        return Path(run)
    runs = find_runs(root)
    matching = [path for path in runs if run in (path.name, f"{path.parent.name}/{path.name}")]
    if len(matching) > 1:
        names = ", ".join(f"{path.parent.name}/{path.name}" for path in matching)
        raise ConfigError(f"{len(matching)} runs are called {run!r}: {names}. Give one of these.")
    if not matching:
        raise UnknownName("run", run, [path.name for path in runs], f"`python -m fle_ray.runs list --root {root}`.")
    return matching[0]


def _list(root: str, as_json: bool) -> None:
    rows = [_summary(run_dir) for run_dir in find_runs(root)]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    if not rows:
        print(f"No runs in {root}.")
        return
    head = ("run", "experiment", "status", "complete", "created")
    table = [head] + [
        (
            r["run_id"],
            r["name"],
            r["status"],
            f"{r['complete']}/{r['planned']}",
            r["created_at"][:19].replace("T", " "),
        )
        for r in rows
    ]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _show(run_dir: Path, as_json: bool) -> None:
    summary = _summary(run_dir)
    episodes = _progress(run_dir)
    if as_json:
        print(json.dumps({**summary, "episodes": episodes}, indent=2))
        return
    for key in ("run_id", "name", "status", "path"):
        print(f"{key + ':':9}{summary[key]}")
    print(f"{'episodes:':9} {summary['complete']} of {summary['planned']} complete")
    for row in episodes:
        state = row["state"] if row["status"] in (None, "ended") else f"{row['state']} ({row['status']})"
        print(
            f"  {row['episode_id']}  {row['task']}  {row['agent']}  seed {row['seed']}  trial {row['trial']}  "
            f"{row['steps']} steps  {state}"
        )
    if summary["owed"] and summary["status"] not in ("running", "paused"):
        print(f"To play what is owed:\n    {summary['resume_command']}")


def _ask(run_dir: Path, order: str) -> None:
    """Leave an order where the process that writes the run will see it."""
    if not is_being_written(run_dir):
        manifest = read_manifest(run_dir)
        assert manifest is not None
        raise ConfigError(f"No process writes {run_dir}. To go on with it: {manifest['resume_command']}")
    (run_dir / CONTROL).write_text(order + "\n", encoding="utf-8")
    print(f"{run_dir.name}: {_ORDERS[order]}.")


def main(arguments: Sequence[str] | None = None) -> int:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--root", default="data", help="folder of all runs (run.root); data by default")
    common.add_argument("--json", action="store_true", help="machine-readable")
    parser = argparse.ArgumentParser(prog="python -m fle_ray.runs", description="Runs below a folder.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", parents=[common], help="one line a run")
    for name, words in (
        ("show", "a run and its episodes"),
        ("pause", "stop playing after the current steps, until resumed"),
        ("resume", "go on with a paused run"),
        ("cancel", "close what is unfinished as cancelled, and end the run"),
    ):
        commands.add_parser(name, parents=[common], help=words).add_argument("run", help="id, name/id or folder")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "list":
            _list(chosen.root, chosen.json)
        elif chosen.command == "show":
            _show(_pick(chosen.root, chosen.run), chosen.json)
        else:
            _ask(_pick(chosen.root, chosen.run), chosen.command)
    except FleRayError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
