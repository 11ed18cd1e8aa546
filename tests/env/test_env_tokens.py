"""The script that prints what each form of the observation costs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from observation_tokens import approximate_tokens  # noqa: E402


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("coal", 1),
        ("coals", 2),
        ("iron-ore 40000", 1 + 1 + 1 + 2),
        ("(16.5,72)", 1 + 1 + 1 + 1 + 1 + 1 + 1),
        ("a_b", 3),
    ],
)
def test_tokens_are_counted_by_the_stated_rule(text, tokens):
    assert approximate_tokens(text) == tokens


def test_the_script_prints_a_row_for_each_form_and_its_text():
    def run(*arguments):
        command = [sys.executable, str(ROOT / "scripts" / "observation_tokens.py"), *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    rows = run().splitlines()
    assert [row.split("|")[1].strip() for row in rows[2:5]] == ["list", "grid", "delta"]
    assert all(int(row.split("|")[2]) > int(row.split("|")[3]) > 0 for row in rows[2:5])
    shown = run("--show", "list")
    assert "## Entities\n" in shown
    assert "electric-mining-drill, up, working" in shown
