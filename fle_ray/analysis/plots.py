"""Plots for papers, drawn with matplotlib: success with intervals, value over steps, milestones, errors.

Each takes a table of `fle_ray.analysis.metrics` (or of `fle_ray.analyze.tables`) and returns a matplotlib figure, one
or two columns of a page wide, with vector text. Matplotlib is imported when a plot is made.

    from fle_ray.analysis.plots import plot_success
    from fle_ray.analyze import tables
    plot_success(tables(["data/lab_play/my_run"])["success"]).savefig("success.pdf")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fle_ray.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "plot_curves", "plot_errors", "plot_milestones", "plot_success"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito's colours (2008), which people who see colours differently can tell apart."""

_MARKERS = "osD^vPX"
_STYLE = {
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
}


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise ConfigError("Plots need matplotlib, which is not installed: pip install 'fle-ray[notebooks]'.") from error
    return matplotlib


def _figure(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Figure, list[Any]]:
    """A figure outside of pyplot's memory, and its axes row by row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def _arms(table: pd.DataFrame) -> pd.Series:
    """Agent and model as one name."""
    model = table["model"].fillna("").astype(str)
    return table["agent"].where(model == "", table["agent"] + "/" + model)


def _short(task: str) -> str:
    return task.removesuffix("_throughput").replace("_", " ")


def _looks(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    return {name: (COLOURS[k % len(COLOURS)], _MARKERS[k % len(_MARKERS)]) for k, name in enumerate(sorted(names))}


def plot_success(table: pd.DataFrame, *, width: float = 3.5) -> Figure:
    """Success rate by task with its interval, one mark an agent; the number of distinct episodes beside it.

    Args:
        table: `success_table`; tasks without a quota are left out.
        width: inches.

    Raises:
        ConfigError: no task has a quota and a verdict, or matplotlib is missing.
    """
    with _matplotlib().rc_context(_STYLE):
        judged = table[table["success"].notna()].assign(arm=_arms)
        if judged.empty:
            raise ConfigError("There is nothing to plot: no episode of a task with a quota has a verdict.")
        tasks = sorted(judged["task"].unique(), reverse=True)
        looks = _looks(judged["arm"].unique())
        figure, (axis,) = _figure(width, 0.7 + len(tasks) * (0.1 + 0.11 * len(looks)))
        for k, (arm, (colour, marker)) in enumerate(looks.items()):
            shift = 0.7 * ((len(looks) - 1) / 2 - k) / len(looks)
            for row in judged[judged["arm"] == arm].itertuples():
                y = tasks.index(row.task) + shift
                axis.plot([row.low, row.high], [y, y], color=colour, linewidth=1.2)
                axis.plot(row.success, y, marker, color=colour, markersize=3.5)
                axis.text(1.03, y, f"n={row.distinct}", fontsize=5.5, va="center", color=colour)
            axis.plot([], [], marker, color=colour, label=arm, markersize=3.5)
        axis.set_yticks(range(len(tasks)), [_short(task) for task in tasks])
        axis.set_ylim(-0.7, len(tasks) - 0.3)
        axis.set_xlim(-0.02, 1.02)
        axis.set_xlabel("success rate (95 % Wilson interval)")
        axis.grid(axis="x", linewidth=0.4, color="#dddddd")
        owed = int(table["owed"].sum())
        if owed:
            axis.set_title(f"{owed} of {int(table['planned'].sum())} planned episodes are owed", loc="left", fontsize=6)
        figure.legend(loc="outside upper center", ncols=min(4, len(looks)), fontsize=7)
    return figure


def plot_curves(curves: pd.DataFrame, *, quotas: dict[str, float] | None = None, columns: int = 3,
                width: float = 7.0) -> Figure:  # fmt: skip
    """Best value so far over steps: per task and agent the median over episodes and the span of all of them.

    An episode that ended counts with its last value from then on.

    Args:
        curves: `value_curves`. quotas: task -> quota, drawn as a dashed line.

    Raises:
        ConfigError: there are no curves, or matplotlib is missing.
    """
    with _matplotlib().rc_context(_STYLE):
        if curves.empty:
            raise ConfigError("There is nothing to plot: no step has a value.")
        curves = curves.assign(arm=_arms)
        tasks = sorted(curves["task"].unique())
        looks = _looks(curves["arm"].unique())
        columns = min(columns, len(tasks))
        rows = -(-len(tasks) // columns)
        figure, axes = _figure(width, 0.4 + 1.55 * rows, rows, columns)
        for axis, task in zip(axes, tasks, strict=False):
            here = curves[curves["task"] == task]
            last = int(here["step"].max())
            for arm, (colour, _) in looks.items():
                mine = here[here["arm"] == arm]
                if mine.empty:
                    continue
                wide = mine.pivot_table(index="step", columns=["run_id", "episode_id"], values="best")
                wide = wide.reindex(range(last + 1)).ffill().fillna(0.0)
                x = [step + 1 for step in wide.index]
                axis.fill_between(
                    x, wide.min(axis=1), wide.max(axis=1), color=colour, alpha=0.15, linewidth=0, step="post"
                )
                axis.plot(x, wide.median(axis=1), color=colour, drawstyle="steps-post", linewidth=1.3)
            quota = (quotas or {}).get(task)
            if quota is not None:
                axis.axhline(quota, color="#555555", linestyle="--", linewidth=0.8)
            axis.set_title(_short(task))
            axis.set_ylim(bottom=-0.03 * axis.get_ylim()[1])  # a line at zero is seen
            axis.grid(linewidth=0.3, color="#e5e5e5")
        for axis in axes[len(tasks) :]:
            axis.remove()
        handles = [_line(colour, arm) for arm, (colour, _) in looks.items()]
        figure.legend(handles=handles, loc="outside upper center", ncols=min(4, len(looks)), fontsize=7)
        figure.supxlabel("step", fontsize=8)
        figure.supylabel("best value so far", fontsize=8)
    return figure


def _line(colour: str, label: str) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], color=colour, linewidth=1.3, label=label)


def plot_milestones(table: pd.DataFrame, *, kind: str = "automated", width: float = 3.5, most: int = 30) -> Figure:
    """When each item was first made: a point per episode at its step, the median as a line, one row an item.

    Args:
        table: `milestone_table`; kind: "automated" (by a machine) or "made" (at all).
        most: rows; the items made in most episodes are shown.

    Raises:
        ConfigError: no item of this kind was made, or matplotlib is missing.
    """
    with _matplotlib().rc_context(_STYLE):
        rows = table[table["kind"] == kind].assign(arm=_arms)
        if rows.empty:
            raise ConfigError(f"There is nothing to plot: no milestone is of kind {kind!r} (made, automated).")
        common = rows["item"].value_counts().head(most).index
        rows = rows[rows["item"].isin(common)]
        order = rows.groupby("item")["step"].median().sort_values(ascending=False, kind="stable").index.tolist()
        looks = _looks(rows["arm"].unique())
        figure, (axis,) = _figure(width, 0.8 + 0.17 * len(order))
        for k, (arm, (colour, marker)) in enumerate(looks.items()):
            mine = rows[rows["arm"] == arm]
            shift = 0.5 * ((len(looks) - 1) / 2 - k) / len(looks)
            y = [order.index(item) + shift for item in mine["item"]]
            axis.plot(mine["step"] + 1, y, marker, color=colour, markersize=3, alpha=0.5, label=arm, markeredgewidth=0)
            for item, step in mine.groupby("item")["step"].median().items():
                at = order.index(item) + shift
                axis.plot([step + 1, step + 1], [at - 0.2, at + 0.2], color=colour, linewidth=1.4)
        axis.set_yticks(range(len(order)), order)
        axis.set_ylim(-0.7, len(order) - 0.3)
        axis.set_xlabel(f"step of the first one {kind}")
        axis.grid(linewidth=0.3, color="#e5e5e5")
        figure.legend(loc="outside upper center", ncols=min(4, len(looks)), fontsize=7)
    return figure


def plot_errors(table: pd.DataFrame, *, width: float = 3.5) -> Figure:
    """Share of an agent's steps that failed, by type of error, over all its tasks.

    Args:
        table: `error_table`.

    Raises:
        ConfigError: nothing failed, or matplotlib is missing.
    """
    with _matplotlib().rc_context(_STYLE):
        if table.empty:
            raise ConfigError("There is nothing to plot: no step failed.")
        rows = table.assign(arm=_arms, what=table["error_type"].where(table["error_type"] != "", table["error_kind"]))
        rows["total"] = rows["steps"] / rows["share"]
        arms = sorted(rows["arm"].unique(), reverse=True)
        steps = rows.drop_duplicates(["arm", "task"]).groupby("arm")["total"].sum()
        shares = rows.groupby(["arm", "what"])["steps"].sum().unstack(fill_value=0).div(steps, axis=0)
        order = shares.sum().sort_values(ascending=False, kind="stable").index
        figure, (axis,) = _figure(width, 0.9 + 0.3 * len(arms))
        left = [0.0] * len(arms)
        for k, what in enumerate(order):
            values = [float(shares.loc[arm, what]) for arm in arms]
            axis.barh(range(len(arms)), values, left=left, color=COLOURS[k % len(COLOURS)], label=what, height=0.6)
            left = [a + b for a, b in zip(left, values, strict=True)]
        axis.set_yticks(range(len(arms)), arms)
        axis.set_xlabel("share of steps (of tasks with any error)")
        figure.legend(loc="outside upper center", ncols=3, fontsize=6)
    return figure
