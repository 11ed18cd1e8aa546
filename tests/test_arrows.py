"""Arrows between rooms point one way (docs/architecture.md), and importing fle_ray starts nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "fle_ray"

# room -> rooms it may import; `errors` and `paths` belong to everybody
ARROWS = {
    "game": set(),
    "sim": {"game"},
    "tools": {"game", "sim"},
    "interpreter": {"game", "tools"},
    "factorio": {"game", "sim", "tools", "interpreter"},
    "tasks": {"game", "tools"},
    "env": {"game", "sim", "tools", "interpreter", "factorio", "tasks"},
    "dataset": set(),
    "agents": {"game", "interpreter", "tools", "tasks", "env", "dataset"},
    "render": {"game", "sim"},
    "tracking": {"dataset"},
    "experiment": {"game", "sim", "tools", "interpreter", "factorio", "tasks", "env", "agents", "dataset", "tracking"},
    "analysis": {"dataset"},
    "search": {"game", "sim", "tools", "interpreter", "tasks", "env", "agents", "dataset", "experiment"},
}
COMMON = {"errors", "paths", "__init__"}
TOP_LEVEL = {"experiment": {"config"}, "search": {"config"}}  # the configuration schema
MAY_IMPORT_RAY = {"experiment/actors.py", "experiment/driver.py"}
# a module of a room may be allowed one more arrow, with its reason
EXCEPTIONS = {
    ("factorio/cases", "agents"),  # engines are compared by the reference programs
    ("factorio/cases", "tasks"),
    ("analysis/report", "render"),  # the report shows pictures of worlds
    ("render/__main__", "dataset"),  # the command reads recorded runs
}


def test_relative_imports_stay_in_their_own_folder():
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level > 1), f"{path} reaches out of its folder"


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Names of modules imported anywhere in a file, type-checking imports included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                continue  # a relative import of one level stays in its own folder
            found.add(node.module or "")
            if node.module == "fle_ray":
                found.update(f"fle_ray.{alias.name}" for alias in node.names)
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_imports_only_from_rooms_below_it(path: Path):
    inside = path.relative_to(PACKAGE)
    if len(inside.parts) == 1:
        return  # top-level modules put the rooms together
    room = inside.parts[0]
    for name in imports(path):
        parts = name.split(".")
        if parts[0] != "fle_ray" or len(parts) == 1:
            continue
        target = parts[1]
        if target in COMMON or target == room or not (PACKAGE / target).is_dir():
            allowed = COMMON | TOP_LEVEL.get(room, set()) | {room}
            assert target in allowed, f"{inside} imports {name}, but {room} may import only {sorted(allowed)}"
            continue
        if any(str(inside).startswith(where) and target == what for where, what in EXCEPTIONS):
            continue
        assert target in ARROWS[room], f"{inside} imports {name}, but {room} may import only {sorted(ARROWS[room])}"


def test_only_the_driver_and_the_actors_import_ray():
    users = {
        str(path.relative_to(PACKAGE))
        for path in modules()
        if any(name == "ray" or name.startswith("ray.") for name in imports(path))
    }
    assert users <= MAY_IMPORT_RAY


def test_importing_fle_ray_starts_nothing_and_loads_neither_ray_nor_pandas():
    code = (
        "import sys, threading; import fle_ray; "
        "assert 'ray' not in sys.modules and 'pandas' not in sys.modules; "
        "assert threading.active_count() == 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=PACKAGE.parent)
