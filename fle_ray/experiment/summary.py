"""What is said at the end of a run: a table per task, where the data lies, and how to open it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fle_ray.dataset.records import EpisodeRecord
from fle_ray.experiment.plan import NotSupported, Plan

if TYPE_CHECKING:
    from fle_ray.experiment.sweep import JobResult

__all__ = ["print_plan", "print_summary", "print_sweep", "task_rows"]

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
    """The table, where the data lies, and three lines that open it."""
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
    if (run_dir / "episodes").is_dir():
        _say(console, "    import pandas as pd")
        _say(console, f'    episodes = pd.read_parquet("{run_dir}/episodes")')
        _say(console, f'    steps = pd.read_parquet("{run_dir}/steps")')
    else:  # the finished files are elsewhere (dataset.parts_root), or there are none yet
        _say(console, "    from fle_ray.dataset import open_run")
        _say(console, f'    run = open_run("{run_dir}")')
        _say(console, "    episodes, steps = run.episodes(), run.steps()")


def print_sweep(console: Console, results: Sequence[JobResult], *, sweep_id: str, wall_s: float) -> None:
    """A row a job: what it has of what is swept, how it went, and its run; where the data lies and how to open it."""
    folders = [result.run_dir for result in results if result.run_dir is not None]
    swept = list(dict.fromkeys(key for result in results for key in result.job.invocation.swept))
    one_task = all(len(result.job.plan.tasks) == 1 for result in results)
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("job", justify="right")
    for key in swept:
        table.add_column(key, overflow="fold")
    for name in ("episodes", "success", *(("best / quota",) if one_task else ()), "steps", "wall s"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("run", overflow="fold")
    for result in results:
        cells = [str(result.job.number), *(_plain(result.job.invocation.swept.get(key)) for key in swept)]
        run = Text("-")
        if result.run_dir is not None:  # a link where the terminal has them
            named = f"{result.run_dir.parent.name}/{result.run_dir.name}" if _differ(folders) else result.run_dir.name
            run = Text(named, style=f"link {result.run_dir.resolve().as_uri()}")
        table.add_row(*cells, *_outcome(result, one_task), _STATUSES[result.code], run)
    _say(console, "")
    console.print(table)
    _say(console, "")
    if not folders:
        _say(console, f"Took {wall_s:.1f} s.")
        return
    root = os.path.commonpath([folder.parent for folder in folders])
    _say(console, f"Took {wall_s:.1f} s. The runs lie in {root}; to open them, with a column for each setting swept:")
    _say(console, "")
    _say(console, "    from fle_ray.dataset import open_runs")
    _say(console, f'    runs = open_runs("{root}", {{"sweep_id": "{sweep_id}"}})')
    _say(console, "    episodes = runs.episodes(swept=True)")


_STATUSES = {0: "complete", 2: "mistake", 3: "owed", 130: "stopped"}


def _differ(folders: Sequence[Path]) -> bool:
    return len({folder.parent for folder in folders}) > 1


def _outcome(result: JobResult, one_task: bool) -> list[str]:
    """Episodes, success, the best value where there is one task, steps, seconds."""
    rows = task_rows(result.records)
    planned = len(result.job.plan.episodes)
    ended = sum(int(str(row["ended"])) for row in rows)
    judged = [row for row in rows if row["successes"] is not None]
    success = "-"
    if judged:
        success = f"{sum(int(str(row['successes'])) for row in judged)}/{sum(int(str(r['ended'])) for r in judged)}"
    best = "-"
    if rows and rows[0]["best"] is not None:
        best = f"{rows[0]['best']:g}" + ("" if rows[0]["quota"] is None else f" / {rows[0]['quota']:g}")
    steps = sum(record.steps for record in result.records)
    wall_s = sum(record.wall_s for record in result.records)
    return [f"{ended}/{planned}", success, *([best] if one_task else []), str(steps), f"{wall_s:.1f}"]


def _plain(value: Any) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


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
