"""Lets the tests here import their oracle, and says at the end how many belt rigs there were of each kind."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))


def pytest_terminal_summary(terminalreporter):
    belt_rigs = sys.modules.get("belt_rigs")
    if belt_rigs is not None and belt_rigs.kinds:
        listed = "; ".join(f"{count} {kind}" for kind, count in belt_rigs.kinds.most_common())
        terminalreporter.write_line(f"belt rigs against factory-sim: {listed}")
