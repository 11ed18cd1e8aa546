"""`python -m fle_ray.sim blueprint show | export | import`: blueprint strings at the command line."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from fle_ray.errors import BlueprintError, FleRayError
from fle_ray.game.blueprint import MOST_TEXT, decode, titles
from fle_ray.sim.blueprint import export_blueprint, import_blueprint
from fle_ray.sim.world import World

__all__ = ["run"]


def run(arguments: list[str]) -> int:
    """Run one of the three commands; returns the exit status: 0, or 2 when something was wrong."""
    options = _parser().parse_args(arguments)
    try:
        sys.stdout.write(options.command(options))
    except (FleRayError, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fle_ray.sim blueprint", description=__doc__)
    commands = parser.add_subparsers(required=True)
    show = commands.add_parser("show", help="what a string holds")
    show.set_defaults(command=_show)
    export = commands.add_parser("export", help="the string of what stands in a saved world")
    export.add_argument("world", type=Path, help="a snapshot, as World.snapshot() gives it")
    export.add_argument("--box", nargs=4, type=float, metavar=("LEFT", "TOP", "RIGHT", "BOTTOM"))
    export.add_argument("--label", default="")
    export.set_defaults(command=_export)
    building = commands.add_parser("import", help="build a string in a world and save it")
    building.add_argument("--at", nargs=2, type=float, default=(0.0, 0.0), metavar=("X", "Y"))
    building.add_argument("--world", type=Path, help="a snapshot to build in; else a new world")
    building.add_argument("--scenario", default="empty")
    building.add_argument("--seed", type=int, default=0)
    building.add_argument("--research", default="all", help='a technology, "all" or "none" (default: all)')
    building.add_argument("--skip", action="store_true", help="leave out what cannot be built")
    building.add_argument("--out", type=Path, required=True, help="where to write the snapshot")
    building.set_defaults(command=_import)
    for command in (show, building):
        command.add_argument("text", type=Path, help="a file with the string, - for standard input")
        command.add_argument("--index", type=int, help="which blueprint of a book, from 0")
    return parser


def _read(path: Path) -> str:
    if str(path) == "-":
        return sys.stdin.read(MOST_TEXT * 2)
    with path.open(encoding="utf-8") as file:
        return file.read(MOST_TEXT * 2)


def _show(options: argparse.Namespace) -> str:
    text = _read(options.text)
    labels = titles(text)
    if options.index is None and len(labels) > 1:
        return "A book:\n" + "".join(f"  {k}: {label or '(no label)'}\n" for k, label in enumerate(labels))
    blueprint = decode(text, options.index if options.index is not None else 0)
    lines = [blueprint.label or "(no label)", f"written by version {'.'.join(map(str, blueprint.version[:3]))}"]
    lines += _counts("entities", Counter(e.name for e in blueprint.entities))
    lines += _counts("recipes", Counter(e.recipe for e in blueprint.entities if e.recipe))
    lines += _counts("modules", Counter(m for e in blueprint.entities for m in e.modules))
    lines += _counts("tiles, which are not built", blueprint.tiles)
    lines += _counts("ignored", blueprint.ignored)
    return "\n".join(lines) + "\n"


def _counts(title: str, counts: Mapping[str, int]) -> Iterable[str]:
    if not counts:
        return []
    ordered = sorted(counts.items(), key=lambda c: (-c[1], c[0]))
    return [f"{title}:", *(f"  {count:6} {name}" for name, count in ordered)]


def _export(options: argparse.Namespace) -> str:
    world = World.restore(options.world.read_bytes())
    box = tuple(options.box) if options.box is not None else None
    return export_blueprint(world, box, label=options.label) + "\n"


def _import(options: argparse.Namespace) -> str:
    if options.out.exists():
        raise BlueprintError(f"{options.out} is there already; name a new file for the world.")
    if options.world is not None:
        world = World.restore(options.world.read_bytes())
    else:
        world = World(options.scenario, options.seed)
        if options.research != "none":
            world.research(options.research)
    report = import_blueprint(
        world,
        _read(options.text),
        tuple(options.at),
        index=options.index,
        on_unsupported="skip" if options.skip else "error",
    )
    options.out.write_bytes(world.snapshot())
    lines = [f"{report.label or '(no label)'}: {len(report.placed)} entities built, world saved in {options.out}"]
    for each in report.skipped:
        part = f"{each.setting} of " if each.setting is not None else ""
        lines.append(f"left out: {part}{each.name} at ({each.position[0]:g}, {each.position[1]:g}): {each.reason}")
    lines += _counts("placed, but without their mechanic", report.passive)
    lines += _counts("ignored", report.ignored)
    return "\n".join(lines) + "\n"
