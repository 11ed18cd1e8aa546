"""Exports: trajectories as chat messages for fine-tuning, and one row for a leaderboard.

A chat line is what most trainers read: `{"messages": [{"role", "content"}, ...], "metadata": {...}}`. Steps of
agents that hold no conversation (scripted, random ...) become one of their own: the program as the assistant's words,
what came of it as the user's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fle_ray.analysis import metrics
from fle_ray.analysis.intervals import cluster_bootstrap, wilson
from fle_ray.analysis.plain import plain
from fle_ray.errors import ConfigError, UnknownName

if TYPE_CHECKING:
    from fle_ray.dataset import RunData

__all__ = ["ChatFilter", "chat_lines", "leaderboard_row"]

_BEGIN = "Begin."


@dataclass(frozen=True, slots=True)
class ChatFilter:
    """Which episodes become chat lines.

    Attributes:
        successful: only episodes that reached their quota.
        until_success: cut an episode after the step that reached the quota first.
        without_errors: only episodes in which no step failed.
        tasks: only these tasks; agents: only these agents (or `agent/model`); empty for all.
        least_value: only episodes whose value is at least this.
        most_steps: only episodes of at most so many steps.
    """

    successful: bool = False
    until_success: bool = False
    without_errors: bool = False
    tasks: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    least_value: float | None = None
    most_steps: int | None = None

    def takes(self, episode: Mapping[str, Any]) -> bool:
        """Whether an episode's row passes; whether its steps do is looked at later."""
        return (
            episode["status"] == "ended"
            and (not self.successful or episode["success"] is True)
            and (not self.tasks or episode["task"] in self.tasks)
            and (not self.agents or not _names(episode).isdisjoint(self.agents))
            and (self.least_value is None or (episode["value"] is not None and episode["value"] >= self.least_value))
            and (self.most_steps is None or episode["steps"] <= self.most_steps)
        )


def _names(episode: Mapping[str, Any]) -> set[str]:
    """What an episode's agent may be called."""
    model = episode["model"]
    return {episode["agent"], f"{episode['agent']}/{model}"} if model else {episode["agent"]}


def chat_lines(run: RunData, chosen: ChatFilter | None = None) -> Iterator[dict[str, Any]]:
    """One chat per agent and episode, in the order of the episodes' tasks, agents, seeds and trials.

    Args:
        run: one or several runs.
        chosen: which episodes; every ended one when None.

    Yields:
        {"messages": [{"role", "content"}, ...], "metadata": {...}}; messages begin with the system's or the user's and
        end with the assistant's, so that a trainer can take every assistant message as a target. Rejected tries are
        left out.

    Raises:
        UnknownName: a task or agent of the filter that is not in the runs.
    """
    chosen = chosen or ChatFilter()
    episodes = run.arrow("episodes").to_pylist()
    for kind, wanted, known in (
        ("task", chosen.tasks, {episode["task"] for episode in episodes}),
        ("agent", chosen.agents, {name for episode in episodes for name in _names(episode)}),
    ):
        for name in wanted:
            if name not in known:
                raise UnknownName(f"{kind} in these runs", name, known, f"They have: {', '.join(sorted(known))}.")
    taken = [episode for episode in episodes if chosen.takes(episode)]
    taken.sort(key=lambda e: (e["task"], e["agent"], e["model"] or "", e["seed"], e["trial"], e["run_id"]))
    steps, messages = _by_episode(run, "steps"), _by_episode(run, "messages")
    for episode in taken:
        key = (episode["run_id"], episode["episode_id"])
        mine = sorted(steps[key], key=lambda row: row["step"])
        if chosen.without_errors and any(row["error_kind"] is not None for row in mine):
            continue
        if chosen.until_success:
            first = next((k for k, row in enumerate(mine) if row["success"]), None)
            mine = mine if first is None else mine[: first + 1]
        for agent_idx in sorted({row["agent_idx"] for row in mine}):
            own = [row for row in mine if row["agent_idx"] == agent_idx and row["accepted"]]
            said = [m for m in messages[key] if m["agent_idx"] == agent_idx]
            chat = _recorded(own, sorted(said, key=lambda m: m["idx"]), rejected=_rejected(mine, agent_idx))
            if chat:
                yield {"messages": chat, "metadata": _metadata(episode, agent_idx, own)}


def _rejected(steps: list[dict[str, Any]], agent_idx: int) -> set[str]:
    return {row["program_id"] for row in steps if row["agent_idx"] == agent_idx and not row["accepted"]}


def _by_episode(run: RunData, table: str) -> dict[tuple[str, str], list[dict[str, Any]]]:
    columns = {
        "steps": "step agent_idx accepted program_id code output error_kind success".split(),
        "messages": "agent_idx idx role content program_id step".split(),
    }[table]
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in run.arrow(table, ["run_id", "episode_id", *columns]).to_pylist():
        found[row["run_id"], row["episode_id"]].append(row)
    return found


def _recorded(
    steps: list[dict[str, Any]], messages: list[dict[str, Any]], *, rejected: set[str]
) -> list[dict[str, str]]:
    """The conversation as it was held up to the last of these steps; made of the steps where none was recorded."""
    if not any(message["role"] == "assistant" for message in messages):
        return _made(steps, [m for m in messages if m["role"] == "system" or m["program_id"] is None])
    last = max((row["step"] for row in steps), default=-1)
    kept = [m for m in messages if (m["step"] is None or m["step"] <= last) and m["program_id"] not in rejected]
    return _until_the_assistant(_joined({"role": m["role"], "content": m["content"]} for m in kept))


def _made(steps: list[dict[str, Any]], opening: list[dict[str, Any]]) -> list[dict[str, str]]:
    chat = [{"role": m["role"], "content": m["content"]} for m in opening]
    if not any(m["role"] == "user" for m in chat):
        chat.append({"role": "user", "content": _BEGIN})
    for row in steps:
        if row["code"] is not None:
            chat.append({"role": "assistant", "content": f"```python\n{row['code'].rstrip()}\n```"})
            chat.append({"role": "user", "content": row["output"]})
    return _until_the_assistant(_joined(chat))


def _joined(messages: Any) -> list[dict[str, str]]:
    """Neighbours of one role as one message: many trainers want roles to alternate."""
    chat: list[dict[str, str]] = []
    for message in messages:
        if chat and chat[-1]["role"] == message["role"]:
            chat[-1] = {**message, "content": f"{chat[-1]['content']}\n\n{message['content']}"}
        else:
            chat.append(dict(message))
    return chat


def _until_the_assistant(chat: list[dict[str, str]]) -> list[dict[str, str]]:
    while chat and chat[-1]["role"] != "assistant":
        chat.pop()
    return chat


def _metadata(episode: Mapping[str, Any], agent_idx: int, steps: list[dict[str, Any]]) -> dict[str, Any]:
    names = "run_id episode_id task agent model seed trial success value quota reason engine_version package_version"
    return {name: episode[name] for name in names.split()} | {"agent_idx": agent_idx, "steps": len(steps)}


def leaderboard_row(run: RunData, *, agent: str | None = None, confidence: float = 0.95) -> dict[str, Any]:
    """What a table of agents shows of one agent, with what makes it possible to play it again.

    Args:
        run: one or several runs that together are the entry.
        agent: an agent's name, or `agent/model`; may be left out when there is only one.

    Returns:
        agent, model, denominators (planned, played, owed, distinct), success over distinct episodes with its Wilson
        interval, the mean over tasks of each task's success rate with a bootstrap interval over tasks, tokens, cost
        and seconds, a row per task, and `reproduce`: per run its command, versions, commit, seeds,
        engine and isolation.

    Raises:
        ConfigError: several agents, and none was named. UnknownName: no such agent.
    """
    import pandas as pd

    episodes, steps = run.episodes(), run.steps()
    progress = run.progress()
    progress["model"] = _models_of(progress, episodes)
    arms = sorted({(a, m) for a, m in zip(progress["agent"], progress["model"], strict=True)})
    names = {f"{a}/{m}" if m else a for a, m in arms}
    if agent is None:
        if len(arms) != 1:
            raise ConfigError(f"These runs have {len(arms)} agents; name one of {', '.join(sorted(names))}.")
        (who,) = arms
    else:
        fitting = [one for one in arms if agent in (one[0], f"{one[0]}/{one[1]}")]
        if not fitting:
            raise UnknownName("agent in these runs", agent, names, f"They have: {', '.join(sorted(names))}.")
        if len(fitting) > 1:
            raise ConfigError(f"{agent!r} played with several models; name one of {', '.join(sorted(names))}.")
        (who,) = fitting
    episodes = metrics.with_arms(episodes)
    mine = episodes[(episodes["agent"] == who[0]) & (episodes["model"] == who[1])]
    own = progress[(progress["agent"] == who[0]) & (progress["model"] == who[1])]
    open_ones = own[~own["episode_id"].isin(mine["episode_id"])]
    owed = pd.DataFrame({"task": open_ones["task"], "agent": who[0], "model": who[1]})
    table = metrics.success_table(
        mine, steps[steps["episode_id"].isin(mine["episode_id"])], owed, confidence=confidence
    )
    judged = table[table["success"].notna()]
    wins, distinct = int(judged["succeeded"].sum()), int(judged["distinct"].sum())
    overall = wilson(wins, distinct, confidence=confidence)
    by_task = cluster_bootstrap({row.task: [float(row.success)] for row in judged.itertuples()}, confidence=confidence)
    ended = mine[mine["status"] == "ended"]
    return plain(
        {
            "format": 1,
            "agent": who[0],
            "model": who[1] or None,
            "tasks": len(table),
            "planned": int(table["planned"].sum()),
            "played": int(table["played"].sum()),
            "owed": int(table["owed"].sum()),
            "distinct": distinct,
            "succeeded": wins,
            "success": overall._asdict(),
            "mean_task_success": by_task._asdict(),
            "confidence": confidence,
            "total_tokens": _sum(ended["total_tokens"]),
            "cost_usd": _sum(ended["cost_usd"]),
            "working_s": _sum(ended["wall_s"]),
            "per_task": table.drop(columns=["agent", "model"]).to_dict(orient="records"),
            "reproduce": [_reproduce(run_id, manifest) for run_id, manifest in run.manifests.items()],
        }
    )


def _models_of(progress: Any, episodes: Any) -> list[str]:
    """The model of each planned episode: its own record's, else the one that its agent used elsewhere."""
    known = dict(zip(zip(episodes["run_id"], episodes["episode_id"], strict=True), episodes["model"], strict=True))
    elsewhere = dict(zip(episodes["agent"], episodes["model"], strict=True))
    found = []
    for run_id, episode_id, agent in zip(progress["run_id"], progress["episode_id"], progress["agent"], strict=True):
        model = known.get((run_id, episode_id), elsewhere.get(agent))
        found.append(model if isinstance(model, str) else "")
    return found


def _reproduce(run_id: str, manifest: Mapping[str, Any]) -> dict[str, Any]:
    names = "name version created_at command engine interpreter seeds trials packages git host schema_version"
    return {"run_id": run_id} | {name: manifest.get(name) for name in names.split()}


def _sum(column: Any) -> float | None:
    counted = column.dropna()
    return float(counted.sum()) if len(counted) else None
