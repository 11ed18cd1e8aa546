"""Tasks as plain data and as tables, for the command line and the documentation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fle_ray.tasks.contract import Task
from fle_ray.tasks.production import ProductionTask
from fle_ray.tasks.throughput import ThroughputTask, UnboundedThroughputTask

__all__ = ["describe_task", "markdown_table", "plain_table", "task_kind"]

_COLUMNS = ("task", "kind", "target", "quota", "agents", "steps", "map")


def task_kind(task: Task) -> str:
    """`"throughput"`, `"unbounded_throughput"`, `"production"`, or the class name of a plug-in's task."""
    for kind, name in (
        (UnboundedThroughputTask, "unbounded_throughput"),
        (ThroughputTask, "throughput"),
        (ProductionTask, "production"),
    ):
        if isinstance(task, kind):
            return name
    return type(task).__name__


def describe_task(task: Task) -> dict[str, Any]:
    """Everything about a task as plain JSON values."""
    start = task.start(0)
    return {
        "task": task.key,
        "kind": task_kind(task),
        "goal": task.goal,
        "target": task.target,
        "quota": task.quota,
        "agents": task.agents,
        "max_steps": task.max_steps,
        "scenario": start.scenario,
        "all_technologies": start.all_technologies,
        "inventory": dict(start.inventory),
        "instructions": [task.instructions(i) for i in range(task.agents)],
    }


def _row(task: Task) -> tuple[str, ...]:
    quota = "-" if task.quota is None else f"{task.quota:g}"
    scenario = task.start(0).scenario
    return (
        task.key,
        task_kind(task),
        task.target or "-",
        quota,
        str(task.agents),
        str(task.max_steps),
        scenario,
    )


def plain_table(tasks: Iterable[Task]) -> str:
    """A table with aligned columns; the quota is in units per 60 game seconds."""
    rows = [_COLUMNS, *map(_row, tasks)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def markdown_table(tasks: Iterable[Task]) -> str:
    """The same table in Markdown."""
    lines = ["| " + " | ".join(_COLUMNS) + " |", "|" + "---|" * len(_COLUMNS)]
    for task in tasks:
        key, kind, target, *rest = _row(task)
        lines.append("| " + " | ".join([f"`{key}`", kind, target, *rest]) + " |")
    return "\n".join(lines)
