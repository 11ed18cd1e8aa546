"""Tables of what a run shows: success, values, milestones, errors, tool use, cost.

Every function takes the tables of a run as pandas frames (`episodes`, `steps`, `calls`, `flows`) and returns a frame
with one row per group. Denominators are always there: `planned` episodes, `played` with a verdict, `owed` without
one (an infrastructure failure is never a zero). Episodes whose programs and digests are equal step by step are one
observation repeated; `distinct` counts them once, and intervals are built on distinct ones.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from fle_ray.analysis.intervals import pass_at_k, wilson

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "by_task_and_agent",
    "cost_table",
    "distinct_episodes",
    "error_table",
    "milestone_table",
    "pass_at_k_table",
    "success_table",
    "tool_table",
    "value_curves",
]

ARM = ["task", "agent", "model"]


def with_arms(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with `model` as text ("" for none), so that it can be grouped by."""
    out = frame.copy()
    out["model"] = out["model"].fillna("").astype(str)
    return out


def distinct_episodes(episodes: pd.DataFrame, steps: pd.DataFrame) -> pd.Series:
    """Per episode row a fingerprint of task, agent and what happened; equal ones are repeats of one observation."""
    order = ["run_id", "episode_id", "step"]
    chains: dict[tuple[str, str], Any] = {}
    for run_id, episode_id, _, code, digest in steps.sort_values(order)[[*order, "code", "digest"]].itertuples(
        index=False, name=None
    ):
        chain = chains.setdefault((run_id, episode_id), hashlib.blake2b(digest_size=12))
        chain.update(f"{code}\x00{digest}\x00".encode(errors="surrogatepass"))
    prints = []
    for row in with_arms(episodes)[["run_id", "episode_id", *ARM]].itertuples(index=False, name=None):
        chain = chains.get(row[:2])
        happened = chain.hexdigest() if chain is not None else f"nothing:{row[1]}"
        prints.append("|".join((*row[2:], happened)))
    import pandas as pd

    return pd.Series(prints, index=episodes.index, name="fingerprint", dtype=object)


def by_task_and_agent(episodes: pd.DataFrame, owed: pd.DataFrame | None = None) -> pd.DataFrame:
    """Episodes by task, agent and model: planned, played, owed.

    Args:
        owed: rows (task, agent, model) of planned episodes that have no row in `episodes` yet.
    """
    import pandas as pd

    rows = with_arms(episodes)
    rows["played"] = rows["status"] == "ended"
    counts = rows.groupby(ARM, sort=True).agg(planned=("played", "size"), played=("played", "sum"))
    if owed is not None and len(owed):
        more = with_arms(owed).groupby(ARM).size()
        counts = counts.reindex(counts.index.union(more.index), fill_value=0)
        counts["planned"] = counts["planned"].add(more, fill_value=0).astype(int)
    counts["owed"] = counts["planned"] - counts["played"]
    frame = counts[["planned", "played", "owed"]].astype(int).reset_index()
    return pd.DataFrame(frame)


def success_table(
    episodes: pd.DataFrame, steps: pd.DataFrame, owed: pd.DataFrame | None = None, *, confidence: float = 0.95
) -> pd.DataFrame:
    """Success by task, agent and model.

    Columns: planned, played, owed, distinct (observations that differ), succeeded (of distinct), success, low, high
    (Wilson interval on distinct ones), best (largest value), mean_quota (mean of value / quota), quota,
    steps_to_success (median over distinct successes, rejected tries too). `success` is null for tasks without a quota,
    `steps_to_success` where nothing succeeded.
    """
    import pandas as pd

    table = by_task_and_agent(episodes, owed)
    rows = with_arms(episodes)
    rows["fingerprint"] = distinct_episodes(episodes, steps)
    rows["steps_to_success"] = _steps_to_success(episodes, steps)
    ended = rows[rows["status"] == "ended"]
    once = ended.drop_duplicates("fingerprint")
    found = []
    for key in table[ARM].itertuples(index=False, name=None):
        mine = once[(once["task"] == key[0]) & (once["agent"] == key[1]) & (once["model"] == key[2])]
        judged = mine[mine["success"].notna()]
        wins = int(judged["success"].astype(bool).sum())
        interval = wilson(wins, len(judged), confidence=confidence)
        quota = mine["quota"].dropna()
        ratio = (mine["value"] / mine["quota"]).dropna()
        found.append(
            {
                "distinct": len(mine),
                "succeeded": wins if len(judged) else None,
                "success": interval.estimate if len(judged) else None,
                "low": interval.low if len(judged) else None,
                "high": interval.high if len(judged) else None,
                "best": mine["value"].max() if mine["value"].notna().any() else None,
                "mean_quota": ratio.mean() if len(ratio) else None,
                "quota": quota.iloc[0] if len(quota) else None,
                "steps_to_success": judged.loc[judged["success"].astype(bool), "steps_to_success"].median(),
            }
        )
    return pd.concat([table, pd.DataFrame(found, index=table.index)], axis=1)


def _steps_to_success(episodes: pd.DataFrame, steps: pd.DataFrame) -> pd.Series:
    """Per episode row how many steps it took to the first that reached the quota; null where none did."""
    import pandas as pd

    reached = steps[steps["success"].eq(True)].groupby(["run_id", "episode_id"])["step"].min() + 1
    took = reached.to_dict()
    keys = zip(episodes["run_id"], episodes["episode_id"], strict=True)
    return pd.Series([took.get(key) for key in keys], index=episodes.index, dtype="float64")


def pass_at_k_table(episodes: pd.DataFrame, steps: pd.DataFrame, *, k: tuple[int, ...] = (1, 2, 4, 8)) -> pd.DataFrame:
    """Unbiased pass@k by task, agent and model on distinct episodes; null where fewer than k were played."""
    import pandas as pd

    rows = with_arms(episodes)
    rows["fingerprint"] = distinct_episodes(episodes, steps)
    once = rows[(rows["status"] == "ended") & rows["success"].notna()].drop_duplicates("fingerprint")
    out = []
    for key, mine in once.groupby(ARM, sort=True):
        wins = int(mine["success"].astype(bool).sum())
        row: dict[str, Any] = dict(zip(ARM, key, strict=True))
        row["tries"] = len(mine)
        for size in k:
            row[f"pass@{size}"] = pass_at_k(wins, len(mine), size)
        out.append(row)
    return pd.DataFrame(out, columns=[*ARM, "tries", *(f"pass@{size}" for size in k)])


def value_curves(steps: pd.DataFrame) -> pd.DataFrame:
    """Best value so far after each step: columns of the arm, run_id, episode_id, step, value, best."""
    rows = with_arms(steps)
    rows = rows[rows["accepted"].astype(bool) & rows["value"].notna()]
    rows = rows.sort_values([*ARM, "run_id", "episode_id", "step"])
    rows["best"] = rows.groupby(["run_id", "episode_id"])["value"].cummax()
    return rows[[*ARM, "run_id", "episode_id", "seed", "trial", "step", "value", "best"]].reset_index(drop=True)


def milestone_table(steps: pd.DataFrame) -> pd.DataFrame:
    """First step and tick at which each item was made at all, and by a machine, in each episode.

    Columns: the arm, run_id, episode_id, item, kind ("made" or "automated"), step, tick.
    """
    import pandas as pd

    rows = with_arms(steps).sort_values(["run_id", "episode_id", "step"])
    seen: set[tuple[str, str, str, str]] = set()
    out = []
    columns = [*ARM, "run_id", "episode_id", "step", "tick_after", "produced", "achievements_dynamic"]
    for row in rows[columns].itertuples(index=False):
        for kind, items in (("made", row.produced), ("automated", row.achievements_dynamic)):
            for item, amount in dict(items if items is not None else ()).items():
                key = (row.run_id, row.episode_id, item, kind)
                if amount > 0 and key not in seen:
                    seen.add(key)
                    arm = (row.task, row.agent, row.model)
                    out.append((*arm, row.run_id, row.episode_id, item, kind, row.step, row.tick_after))
    return pd.DataFrame(out, columns=[*ARM, "run_id", "episode_id", "item", "kind", "step", "tick"])


def error_table(steps: pd.DataFrame) -> pd.DataFrame:
    """Errors by arm and kind: how many steps, their share, and how many were followed by a step without error.

    Columns: the arm, error_kind, error_type, steps, share (of the arm's steps), recovered (share of those errors
    after which the same agent's next step had none; null where no step followed).
    """
    import pandas as pd

    rows = with_arms(steps).sort_values(["run_id", "episode_id", "agent_idx", "step"])
    following = rows.groupby(["run_id", "episode_id", "agent_idx"])["error_kind"].shift(-1)
    last = rows.groupby(["run_id", "episode_id", "agent_idx"]).cumcount(ascending=False) == 0
    rows["recovered"] = following.isna().astype(float).where(~last)
    totals = rows.groupby(ARM).size()
    failed = rows[rows["error_kind"].notna()].copy()
    failed["error_type"] = failed["error_type"].fillna("")
    table = failed.groupby([*ARM, "error_kind", "error_type"], sort=True).agg(
        steps=("step", "size"), recovered=("recovered", "mean")
    )
    frame = table.reset_index()
    shares = [n / totals[tuple(key)] for *key, n in frame[[*ARM, "steps"]].itertuples(index=False, name=None)]
    frame.insert(len(ARM) + 3, "share", pd.Series(shares, index=frame.index, dtype=float))
    return frame


def tool_table(calls: pd.DataFrame, episodes: pd.DataFrame) -> pd.DataFrame:
    """Tool use by arm: calls, refused ones and their share, game ticks and wall seconds spent."""
    arms = with_arms(episodes)[["run_id", "episode_id", *ARM]]
    rows = calls.merge(arms, on=["run_id", "episode_id"], how="inner")
    rows["refused"] = rows["error_kind"].notna()
    table = rows.groupby([*ARM, "tool"], sort=True).agg(
        calls=("tool", "size"), refused=("refused", "sum"), ticks=("ticks", "sum"), wall_s=("microseconds", "sum")
    )
    table["refused_share"] = table["refused"] / table["calls"]
    table["wall_s"] = table["wall_s"] / 1e6
    return table.reset_index()


def cost_table(episodes: pd.DataFrame) -> pd.DataFrame:
    """What success costs, by agent and model over all tasks.

    Columns: agent, model, episodes, succeeded, tokens, cost_usd, wall_s (sums over played episodes), and each per
    success; null where nothing succeeded or nobody counted.
    """
    import pandas as pd

    rows = with_arms(episodes)
    rows = rows[rows["status"] == "ended"]
    out = []
    for (agent, model), mine in rows.groupby(["agent", "model"], sort=True):
        wins = int((mine["success"].astype("boolean").fillna(False)).sum())
        row: dict[str, Any] = {"agent": agent, "model": model, "episodes": len(mine), "succeeded": wins}
        for name, column in (("tokens", "total_tokens"), ("cost_usd", "cost_usd"), ("wall_s", "wall_s")):
            counted = mine[column].dropna()
            total = float(counted.sum()) if len(counted) else None
            row[name] = total
            row[f"{name}_per_success"] = total / wins if wins and total is not None else None
        out.append(row)
    names = [f"{n}{suffix}" for n in ("tokens", "cost_usd", "wall_s") for suffix in ("", "_per_success")]
    return pd.DataFrame(out, columns=["agent", "model", "episodes", "succeeded", *names])
