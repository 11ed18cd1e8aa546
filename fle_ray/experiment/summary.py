"""What is said at the end of a run: a table per task, where the data lies, and how to open it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from fle_ray.dataset.records import EpisodeRecord
from fle_ray.experiment.plan import NotSupported, Plan

__all__ = ["print_plan", "print_summary", "task_rows"]

_LISTED = 40


def task_rows(records: Iterable[EpisodeRecord]) -> list[dict[str, object]]:
    """One dict a task and agent: task, agent, episodes, ended, successes (None without a quota), best, quota, steps,
    wall_s. `best` is the largest value of an ended episode; steps and seconds are sums.
    """
    groups: dict[tuple[str, str], list[EpisodeRecord]] = {}
    for record in records:
        groups.setdefault((record.task, record.agent), []).append(record)
    rows = []
    for (task, agent), group in groups.items():
        ended = [r for r in group if r.status == "ended"]
        judged = [r for r in ended if r.success is not None]
        values = [r.value for r in ended if r.value is not None]
        rows.append(
            {
                "task": task,
                "agent": agent,
                "episodes": len(group),
                "ended": len(ended),
                "successes": sum(bool(r.success) for r in judged) if judged else None,
                "best": max(values) if values else None,
                "quota": group[0].quota,
                "steps": sum(r.steps for r in group),
                "wall_s": sum(r.wall_s for r in group),
            }
        )
    return rows


def print_summary(
    console: Console,
    records: Iterable[EpisodeRecord],
    run_dir: Path,
    *,
    not_supported: tuple[NotSupported, ...] = (),
    wall_s: float,
) -> None:
    """The table, where the data lies, and three lines of pandas."""
    rows = task_rows(records)
    several = len({row["agent"] for row in rows}) > 1
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("task", *(("agent",) if several else ()), "episodes", "success", "best / quota", "steps", "wall s"):
        left = name in ("task", "agent")
        table.add_column(name, justify="left" if left else "right", overflow="fold", no_wrap=not left)
    for row in rows:
        best = "-" if row["best"] is None else f"{row['best']:g}"
        quota = "" if row["quota"] is None else f" / {row['quota']:g}"
        success = "-" if row["successes"] is None else f"{row['successes']}/{row['ended']}"
        table.add_row(
            str(row["task"]),
            *((str(row["agent"]),) if several else ()),
            str(row["episodes"]),
            success,
            best + quota,
            str(row["steps"]),
            f"{row['wall_s']:.1f}",
        )
    if table.row_count:
        console.print()
        console.print(table)
    _say(console, "")
    if not_supported:
        _say(console, _left_out(not_supported))
    _say(console, f"Took {wall_s:.1f} s. The data lies in {run_dir}; to open it:")
    _say(console, "")
    _say(console, "    import pandas as pd")
    _say(console, f'    episodes = pd.read_parquet("{run_dir}/episodes")')
    _say(console, f'    steps = pd.read_parquet("{run_dir}/steps")')


def print_plan(console: Console, plan: Plan, run_dir: Path, needs: list[str]) -> None:
    """What would be played, for `run.dry_run`."""
    _say(console, f"{len(plan.episodes)} episode(s) in {run_dir}. Nothing was started.")
    _say(console, "")
    for spec in plan.episodes[:_LISTED]:
        _say(
            console,
            f"  {spec.episode_id}  {spec.task}  {spec.agent_names}  seed {spec.seed}  trial {spec.trial}  "
            f"{spec.limits.max_steps} steps",
        )
    if len(plan.episodes) > _LISTED:
        _say(console, f"  and {len(plan.episodes) - _LISTED} more")
    _say(console, "")
    if plan.not_supported:
        _say(console, _left_out(plan.not_supported))
    _say(console, "Needs: " + "; ".join(needs) + ".")


def _left_out(not_supported: tuple[NotSupported, ...]) -> str:
    by_reason: dict[str, list[str]] = {}
    for left in not_supported:
        by_reason.setdefault(left.why, []).append(left.task)
    return "\n".join(f"Not yet supported ({why}): {', '.join(tasks)}." for why, tasks in by_reason.items())


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)
