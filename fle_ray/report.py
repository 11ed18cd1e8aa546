"""`python -m fle_ray.report RUN... --output report.html [--compare A B]`: one HTML file about some runs.

The file opens offline in any browser of 2023 or later and loads nothing. See docs/report.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from fle_ray.errors import ConfigError, FleRayError

__all__ = ["main", "write_report"]


def write_report(
    paths: Sequence[str | Path],
    output: str | Path,
    *,
    compared: tuple[str, str] | None = None,
    maps: int | None = 40,
    confidence: float = 0.95,
    title: str = "",
) -> Path:
    """Write the report on some runs; returns where it is.

    Args:
        paths: folders of runs, or folders that hold runs.
        output: the file to write; a file of that name is replaced.
        compared, maps, confidence, title: see `fle_ray.analysis.report.page.build_report`.

    Raises:
        ConfigError: no run is there, the output is a folder, or a compared agent is unknown.
        StorageError: a file of a run is damaged.
    """
    from fle_ray.analysis.report.page import build_report
    from fle_ray.dataset import open_runs

    output = Path(output)
    if output.is_dir():
        raise ConfigError(f"{output} is a folder; give the name of a file, such as {output / 'report.html'}.")
    html = build_report(open_runs(list(paths)), compared=compared, maps=maps, confidence=confidence, title=title)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(html, encoding="utf-8")
    return output


def _maps(text: str) -> int | None:
    if text == "all":
        return None
    if text.isdigit():
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no number of maps; expected 0, 1, 2 ... or all")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; exit status 0, or 2 for a user's mistake."""
    parser = argparse.ArgumentParser(prog="python -m fle_ray.report", description="One HTML file about some runs.")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folder of a run, or a folder of runs")
    parser.add_argument(
        "--output", type=Path, default=Path("report.html"), help="file to write; report.html by default"
    )
    parser.add_argument("--compare", nargs=2, metavar=("A", "B"), help="two agents (or agent/model), pair by pair")
    parser.add_argument(
        "--maps", type=_maps, default=40, metavar="N", help="most maps an episode, or all; 40 by default"
    )
    parser.add_argument("--title", default="", help="heading; the experiments' names by default")
    chosen = parser.parse_args(arguments)
    try:
        path = write_report(
            chosen.runs,
            chosen.output,
            compared=tuple(chosen.compare) if chosen.compare else None,
            maps=chosen.maps,
            title=chosen.title,
        )
    except FleRayError as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
