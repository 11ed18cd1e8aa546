"""`python -m fle_ray.analyze RUN... [--compare A B] [--output FOLDER] [--json]`: tables of what runs show."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fle_ray.errors import FleRayError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["main", "tables"]


def tables(paths: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Every table of `fle_ray.analysis.metrics` over some runs, by name. Raises ConfigError when one is no run."""
    import pandas as pd

    from fle_ray.analysis import metrics
    from fle_ray.dataset import open_run

    runs = [open_run(path) for path in paths]

    def gather(table: str) -> pd.DataFrame:
        return pd.concat([run.table(table) for run in runs], ignore_index=True)

    episodes, steps, calls = gather("episodes"), gather("steps"), gather("calls")
    owed = pd.concat([_owed(run) for run in runs], ignore_index=True)
    return {
        "success": metrics.success_table(episodes, steps, owed),
        "pass_at_k": metrics.pass_at_k_table(episodes, steps),
        "value_curves": metrics.value_curves(steps),
        "milestones": metrics.milestone_table(steps),
        "errors": metrics.error_table(steps),
        "tools": metrics.tool_table(calls, episodes),
        "cost": metrics.cost_table(episodes),
        "episodes": episodes,
    }


def _owed(run: object) -> pd.DataFrame:
    """Planned episodes of a run that have no row yet: task, agent, model."""
    import pandas as pd

    done = set(run.episodes(columns=["episode_id"])["episode_id"])
    rows = []
    for manifest in run.manifests.values():
        for planned in manifest.get("plan", ()):
            if planned["episode_id"] not in done:
                rows.append({"task": planned["task"], "agent": planned["agent"], "model": planned.get("model")})
    return pd.DataFrame(rows, columns=["task", "agent", "model"])


def _write(found: dict[str, pd.DataFrame], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, frame in found.items():
        frame.to_parquet(folder / f"{name}.parquet", index=False)
        frame.to_csv(folder / f"{name}.csv", index=False)


def _show(title: str, frame: pd.DataFrame) -> None:
    print(f"\n{title}")
    print("  (nothing)" if frame.empty else frame.to_string(index=False, float_format=lambda x: f"{x:.3g}", na_rep="-"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; exit status 0, or 2 for a user's mistake."""
    parser = argparse.ArgumentParser(prog="python -m fle_ray.analyze", description="What runs show.")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folder of a run")
    parser.add_argument("--compare", nargs=2, metavar=("A", "B"), help="two agents (or agent/model), pair by pair")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="write every table as Parquet and CSV too")
    parser.add_argument("--json", action="store_true", help="print the success table and comparison as JSON")
    chosen = parser.parse_args(arguments)
    try:
        found = tables(chosen.runs)
        comparison = None
        if chosen.compare:
            from fle_ray.analysis.compare import compare

            comparison = compare(found["episodes"], *chosen.compare)
    except FleRayError as error:
        print(f"analyze: {error}", file=sys.stderr)
        return 2
    if chosen.output is not None:
        _write({name: frame for name, frame in found.items() if name != "episodes"}, chosen.output)
    if chosen.json:
        shown: dict[str, object] = {"success": json.loads(found["success"].to_json(orient="records"))}
        if comparison is not None:
            shown["compare"] = {
                "a": comparison.arm_a,
                "b": comparison.arm_b,
                "pairs": comparison.pairs,
                "only_a": comparison.only_a,
                "only_b": comparison.only_b,
                "success": list(comparison.success),
                "verdict": comparison.verdict,
            }
        print(json.dumps(shown, indent=2).replace("NaN", "null"))
        return 0
    _show("Success (Wilson 95 % intervals on distinct episodes)", found["success"])
    _show("Pass@k", found["pass_at_k"])
    _show("Errors", found["errors"])
    _show("Tools", found["tools"])
    _show("Cost", found["cost"])
    if comparison is not None:
        _show(f"{comparison.arm_a} against {comparison.arm_b}", comparison.table)
        print(f"\n{comparison.verdict}")
    if chosen.output is not None:
        print(f"\nTables written to {chosen.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
