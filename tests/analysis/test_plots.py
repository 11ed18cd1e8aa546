"""Plots draw the figures of their tables, say what is missing, and need matplotlib only when one is made."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import pytest

from fle_ray.analysis import plots
from fle_ray.errors import ConfigError

pytest.importorskip("matplotlib")


def success() -> pd.DataFrame:
    columns = ["task", "agent", "model", "planned", "owed", "distinct", "success", "low", "high"]
    rows = [
        ("iron_ore_throughput", "a", "", 4, 1, 3, 1 / 3, 0.06, 0.79),
        ("iron_ore_throughput", "b", "m", 4, 0, 4, 1.0, 0.51, 1.0),
        ("open_play", "a", "", 1, 0, 1, None, None, None),
    ]
    return pd.DataFrame(rows, columns=columns)


def curves() -> pd.DataFrame:
    rows = [
        ("t_throughput", "a", "", "r", episode, step, best)
        for episode, values in (("e1", [0, 4, 8]), ("e2", [0, 2]))
        for step, best in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=["task", "agent", "model", "run_id", "episode_id", "step", "best"])


def lines(axis, colour: str) -> list[list[float]]:
    return [list(line.get_ydata()) for line in axis.lines if line.get_color() == colour and len(line.get_xdata()) > 1]


def test_success_has_a_mark_and_an_interval_for_every_task_with_a_quota():
    figure = plots.plot_success(success())
    (axis,) = figure.axes
    spans = [tuple(line.get_xdata()) for line in axis.lines if len(line.get_xdata()) == 2]
    assert spans == [(0.06, 0.79), (0.51, 1.0)]
    assert [text.get_text() for text in axis.texts] == ["n=3", "n=4"]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["iron ore"]
    assert axis.get_title(loc="left") == "1 of 9 planned episodes are owed"


def test_a_curve_is_the_median_over_episodes_and_an_ended_one_counts_with_its_last_value():
    figure = plots.plot_curves(curves(), quotas={"t_throughput": 5.0})
    axis = figure.axes[0]
    # step 1: 0 and 0; step 2: 4 and 2; step 3: 8, and 2 kept
    assert lines(axis, plots.COLOURS[0]) == [[0.0, 3.0, 5.0]]
    assert lines(axis, "#555555") == [[5.0, 5.0]]


def test_milestones_are_ordered_by_when_they_come():
    rows = [
        ("t", "a", "", "r", f"e{k}", item, "automated", step, 60)
        for k in range(2)
        for item, step in (("iron-ore", 1), ("iron-plate", 5))
    ]
    table = pd.DataFrame(
        rows, columns=["task", "agent", "model", "run_id", "episode_id", "item", "kind", "step", "tick"]
    )
    (axis,) = plots.plot_milestones(table).axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["iron-plate", "iron-ore"]
    with pytest.raises(ConfigError, match="made"):
        plots.plot_milestones(table, kind="made")


def test_errors_are_shares_of_all_steps_of_the_agent():
    table = pd.DataFrame(
        [("t", "a", "", "exception", "NameError", 2, 0.2), ("t", "a", "", "timeout", "", 1, 0.1)],
        columns=["task", "agent", "model", "error_kind", "error_type", "steps", "share"],
    )
    (axis,) = plots.plot_errors(table).axes
    assert [round(bar.get_width(), 6) for bar in axis.patches] == [0.2, 0.1]
    assert [c.get_label() for c in axis.containers] == ["NameError", "timeout"]


@pytest.mark.parametrize("plot", [plots.plot_success, plots.plot_curves, plots.plot_milestones, plots.plot_errors])
def test_nothing_to_plot_is_said(plot):
    empty = {
        plots.plot_success: success().iloc[2:],
        plots.plot_curves: curves().iloc[:0],
        plots.plot_milestones: pd.DataFrame(columns=["agent", "model", "kind"]),
        plots.plot_errors: pd.DataFrame(columns=["agent", "model"]),
    }
    with pytest.raises(ConfigError, match="nothing to plot"):
        plot(empty[plot])


def test_plots_can_be_saved_as_vectors_with_text(tmp_path):
    plots.plot_success(success()).savefig(tmp_path / "success.svg")
    assert "success rate" in (tmp_path / "success.svg").read_text()


def test_importing_plots_loads_no_matplotlib():
    code = "import sys, fle_ray.analysis.plots; assert 'matplotlib' not in sys.modules and 'pandas' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_matplotlib_a_plot_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigError, match="pip install"):
        plots.plot_success(success())
