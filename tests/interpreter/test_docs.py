"""docs/interpreter.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from fle_ray.interpreter import ERROR_KINDS, LAYERS, ROLLED_BACK
from fle_ray.interpreter.child.names import _NO_BUILTINS, ALLOWED_MODULES

PAGE = (Path(__file__).parents[2] / "docs" / "interpreter.md").read_text(encoding="utf-8")


def test_every_error_kind_stands_in_the_table_with_what_stays() -> None:
    rows = dict(
        re.findall(r"^\| `(\w+)` \|.*\| ([\w ]+) \|$", PAGE.partition("## Limits")[2].partition("## Layers")[0], re.M)
    )
    assert rows.keys() == set(ERROR_KINDS) - {"no_program"}  # that one never reaches the interpreter
    assert {kind for kind, stays in rows.items() if stays == "rolled back"} == ROLLED_BACK


def test_the_layers_stand_in_the_order_in_which_they_are_applied() -> None:
    assert tuple(re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Layers")[2], re.M)) == LAYERS


def test_the_modules_and_the_missing_builtins_are_listed() -> None:
    modules = re.search(r"\*\*Modules\.\*\* `([^`]+)`", PAGE).group(1).split()
    assert modules == [name for name in ALLOWED_MODULES if "." not in name]
    assert set(re.search(r"All but `([^`]+)`", PAGE).group(1).split()) == _NO_BUILTINS
