"""The names a program finds, and that the values load in a bare interpreter."""

from __future__ import annotations

import math
import subprocess
import sys
import typing
from pathlib import Path

from fle_ray.game import values
from fle_ray.game.values import Direction, Prototype
from fle_ray.game.values.namespace import agent_names

ROOT = Path(__file__).resolve().parents[2]


def test_directions_go_by_all_their_words():
    names = agent_names()
    for word in ("UP", "ABOVE", "TOP", "NORTH"):
        assert names[word] is Direction.UP
    for word in ("RIGHT", "EAST"):
        assert names[word] is Direction.RIGHT
    for word in ("DOWN", "BELOW", "BOTTOM", "SOUTH"):
        assert names[word] is Direction.DOWN
    for word in ("LEFT", "WEST"):
        assert names[word] is Direction.LEFT


def test_types_and_every_entity_class_are_there():
    names = agent_names()
    for word in (
        "Prototype Resource Direction Position EntityStatus BoundingBox BuildingBox BeltGroup PipeGroup "
        "ElectricityGroup Technology Recipe RecipeName Pipe Inventory Entity BurnerType ResourcePatch Ingredient"
    ).split():
        assert names[word] is getattr(values, word)
    for word in values.entities.__all__:
        assert names[word] is getattr(values, word)
    assert names["prototype_by_name"]["coal"] is Prototype.Coal


def test_each_member_with_a_class_names_that_class():
    names = agent_names()
    assert names["IronChest"] is values.Chest
    assert names["AssemblingMachine1"] is values.AssemblingMachine
    assert names["SteamEngine"] is values.Generator
    assert names["BurnerInserter"] is values.BurnerInserter
    assert names["FilterInserter"] is values.FilterInserter  # the class, as the member is called FastInserter
    assert "Coal" not in names


def test_mathematics_and_typing_are_there():
    names = agent_names()
    for word in ("sqrt", "sin", "cos", "tan", "pi", "floor", "ceil"):
        assert names[word] is getattr(math, word)
    assert names["abs"] is abs and names["pow"] is pow
    for word in ("Optional", "Union", "List", "Dict", "Tuple", "Set"):
        assert names[word] is getattr(typing, word)


def test_names_that_must_be_imported_are_not_there():
    assert not {"ResourceName", "Layer", "math", "time", "Model"} & agent_names().keys()


def test_every_call_gives_a_dictionary_of_its_own():
    agent_names()["UP"] = None
    assert agent_names()["UP"] is Direction.UP


def test_values_and_codec_load_in_a_bare_interpreter_from_the_standard_library_alone():
    program = (
        "import sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "import fle_ray.game.codec, fle_ray.game.values.namespace\n"
        "print('\\n'.join(sys.modules))\n"
    )
    ran = subprocess.run([sys.executable, "-s", "-S", "-P", "-c", program], capture_output=True, text=True, env={})
    assert ran.returncode == 0, ran.stderr
    loaded = ran.stdout.split()
    ours = {name for name in loaded if name.startswith("fle_ray")}
    others = {name.partition(".")[0] for name in loaded} - {"fle_ray"}
    assert others <= set(sys.stdlib_module_names) | {"__main__", "sitecustomize"}
    assert {name for name in ours if not name.startswith("fle_ray.game.values")} == {
        "fle_ray",
        "fle_ray.game",
        "fle_ray.game.codec",
    }
    assert "difflib" not in loaded and "dataclasses" not in loaded


def test_the_public_list_is_sorted_and_holds():
    assert values.__all__ == sorted(values.__all__)
    assert all(hasattr(values, name) for name in values.__all__)
