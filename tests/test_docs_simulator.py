"""The page on the simulator: its example runs."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "simulator.md"


def test_the_example_runs():
    code = re.search(r"```python\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.S).group(1)
    names: dict = {}
    exec(compile(code, str(PAGE), "exec"), names)
    assert names["furnace"].contents()["furnace_result"]["iron-plate"] == 3  # at ticks 437, 677, 917
