"""What the report shows, taken from a dataset as plain JSON values."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fle_ray.analysis import metrics
from fle_ray.analysis.compare import Comparison, compare
from fle_ray.analysis.plain import plain

if TYPE_CHECKING:
    import pandas as pd

    from fle_ray.dataset import RunData

__all__ = ["Collected", "Texts", "collect", "known_states"]

MOST_CALLS = 200
"""Tool calls shown of one step; the rest is counted."""
MOST_ARGUMENT_CHARACTERS = 300
_LONG_TEXT = 4_000

_STEP_COLUMNS = (
    "step agent_idx agent_step try accepted program_id parent_id code output error_kind error_type error_message"
    " error_line reward value score automated_score success terminated truncated produced consumed harvested crafted"
    " inventory tick_before tick_after judge_ticks digest world_state prompt_tokens completion_tokens total_tokens"
    " cached_tokens cost_usd waited_s act_wall_s run_wall_s judge_wall_s wall_s conversation_length meta"
).split()
_EPISODE_COLUMNS = (
    "status reason success value quota agents steps ticks score automated_score total_tokens cost_usd waited_s"
    " wall_s model error_kind error_message error_traceback attempts started_at spec"
).split()
_MAPS = ("produced", "consumed", "harvested", "crafted", "inventory")


class Texts:
    """Long texts, kept as numbers of paragraphs, each once: manuals repeat from episode to episode."""

    def __init__(self) -> None:
        self.paragraphs: list[str] = []
        self._number: dict[str, int] = {}

    def shortened(self, text: str) -> str | list[int]:
        """The text itself, or the numbers of its paragraphs (joined by blank lines) when it is long."""
        if len(text) < _LONG_TEXT:
            return text
        numbers = []
        for paragraph in text.split("\n\n"):
            if paragraph not in self._number:
                self._number[paragraph] = len(self.paragraphs)
                self.paragraphs.append(paragraph)
            numbers.append(self._number[paragraph])
        return numbers


@dataclass
class Collected:
    """What goes into the page.

    Attributes:
        overview: what the first pages show.
        episodes: one entry an episode, in the order of `overview["episodes"]`: steps, messages, calls, fault.
        paragraphs: see `Texts`.
    """

    overview: dict[str, Any]
    episodes: list[dict[str, Any]]
    paragraphs: list[str] = field(default_factory=list)


def collect(
    run: RunData, *, compared: tuple[str, str] | None = None, confidence: float = 0.95, title: str = ""
) -> Collected:
    """Read everything that the report shows.

    Args:
        run: one or several runs opened together.
        compared: two agents to set side by side.
        confidence: of the intervals.

    Raises:
        UnknownName: one of the compared agents is not in the runs.
        StorageError: a file is damaged.
    """
    frames = {table: run.table(table) for table in ("episodes", "steps", "calls")}
    listed = _episodes(run, frames["episodes"])
    owed = _owed(listed)
    episodes, steps, calls = frames["episodes"], frames["steps"], frames["calls"]
    comparison = compare(episodes, *compared, confidence=confidence) if compared else None
    texts = Texts()
    details = _details(run, listed, texts)
    _count_errors(listed, details)
    overview = {
        "title": title or _title(run),
        "confidence": confidence,
        "runs": _runs(run),
        "totals": _totals(listed, details, len(calls)),
        "success": _records(metrics.success_table(episodes, steps, owed, confidence=confidence)),
        "pass_at_k": _records(metrics.pass_at_k_table(episodes, steps)),
        "curves": _curves(metrics.value_curves(steps), listed),
        "milestones": _milestones(metrics.milestone_table(steps)),
        "errors": _records(metrics.error_table(steps)),
        "tools": _records(metrics.tool_table(calls, episodes)),
        "cost": _records(metrics.cost_table(episodes)),
        "comparison": _comparison(comparison),
        "episodes": listed,
    }
    return Collected(overview, details, texts.paragraphs)


def _title(run: RunData) -> str:
    names = list(dict.fromkeys(str(m.get("name") or "") for m in run.manifests.values()))
    return ", ".join(name for name in names if name) or "fle_ray"


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return plain(frame.to_dict(orient="records"))


def _runs(run: RunData) -> list[dict[str, Any]]:
    keys = ("name", "description", "status", "created_at", "ended_at", "engine", "interpreter", "seeds", "trials")
    more = ("host", "packages", "git", "command", "resume_command", "not_supported", "schema_version", "tags")
    return [
        {"run_id": run_id, **{key: plain(manifest.get(key)) for key in (*keys, *more)}}
        for run_id, manifest in run.manifests.items()
    ]


def _episodes(run: RunData, closed: pd.DataFrame) -> list[dict[str, Any]]:
    """One entry for every episode that was planned, begun or closed."""
    records = {(row["run_id"], row["episode_id"]): row for row in _records(closed)}
    models: dict[str, set[str]] = defaultdict(set)
    for row in records.values():
        models[row["agent"]].add(row["model"] or "")
    out = []
    for row in _records(run.progress()):
        record = records.get((row["run_id"], row["episode_id"]), {})
        entry = {key: row[key] for key in ("run_id", "episode_id", "task", "agent", "seed", "trial", "state")}
        entry.update({key: record.get(key) for key in _EPISODE_COLUMNS})
        if not record:
            known = models.get(row["agent"], set())
            entry["model"] = next(iter(known)) if len(known) == 1 else ""
            entry["steps"] = row["steps"]
        entry["model"] = entry["model"] or ""
        out.append(entry)
    out.sort(key=lambda e: [str(e[k]) for k in ("task", "agent", "model")] + [e["seed"] or 0, e["trial"] or 0])
    return out


def _owed(listed: list[dict[str, Any]]) -> pd.DataFrame:
    """Planned episodes that have no record yet."""
    import pandas as pd

    rows = [{key: e[key] for key in metrics.ARM} for e in listed if e["status"] is None]
    return pd.DataFrame(rows, columns=metrics.ARM)


def _count_errors(listed: list[dict[str, Any]], details: list[dict[str, Any]]) -> None:
    for entry, detail in zip(listed, details, strict=True):
        entry["errors"] = sum(step["error_kind"] is not None for step in detail["steps"])
        for name in ("error_traceback", "spec"):  # long, and shown on the episode's own page only
            detail[name] = entry.pop(name)


def _totals(listed: list[dict[str, Any]], details: list[dict[str, Any]], calls: int) -> dict[str, Any]:
    def total(column: str) -> float | None:
        counted = [e[column] for e in listed if e[column] is not None]
        return sum(counted) if counted else None

    return {
        "planned": len(listed),
        "played": sum(e["state"] == "complete" for e in listed),
        "owed": sum(e["state"] != "complete" for e in listed),
        "succeeded": sum(e["success"] is True for e in listed),
        "judged": sum(e["success"] is not None for e in listed),
        "steps": sum(len(d["steps"]) for d in details),
        "errors": sum(e["errors"] for e in listed),
        "calls": calls,
        "tokens": total("total_tokens"),
        "cost_usd": total("cost_usd"),
        "wall_s": total("wall_s"),
    }


def _curves(curves: pd.DataFrame, listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Best value so far per episode, only where it changes."""
    number = {(e["run_id"], e["episode_id"]): k for k, e in enumerate(listed)}
    out = []
    for key, mine in curves.groupby(["run_id", "episode_id"], sort=False):
        if key not in number:
            continue
        points: list[list[float]] = []
        for step, best in zip(mine["step"].tolist(), mine["best"].tolist(), strict=True):
            if not points or points[-1][1] != best:
                points.append([step, best])
        last = int(mine["step"].iloc[-1])
        if points[-1][0] != last:
            points.append([last, points[-1][1]])
        out.append({"episode": number[key], "points": points})
    return plain(out)


def _milestones(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Per arm, kind and item: in how many episodes, and the median step."""
    if table.empty:
        return []
    grouped = table.groupby([*metrics.ARM, "kind", "item"], sort=True)
    return _records(grouped.agg(episodes=("step", "size"), median_step=("step", "median")).reset_index())


def _comparison(found: Comparison | None) -> dict[str, Any] | None:
    if found is None:
        return None
    names = ("arm_a", "arm_b", "pairs", "only_a", "only_b", "success", "quota", "verdict")
    return {name: plain(getattr(found, name)) for name in names} | {"table": _records(found.table)}


def _details(run: RunData, listed: list[dict[str, Any]], texts: Texts) -> list[dict[str, Any]]:
    steps: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in run.arrow("steps", ["run_id", "episode_id", *_STEP_COLUMNS]).to_pylist():
        key = (row.pop("run_id"), row.pop("episode_id"))
        for column in _MAPS:
            row[column] = dict(row[column] or ())
        row["meta"] = _parsed(row["meta"])
        steps[key].append(plain(row))
    messages: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    columns = ["run_id", "episode_id", "agent_idx", "idx", "role", "content", "program_id", "step", "tokens"]
    for row in run.arrow("messages", columns).to_pylist():
        key = (row.pop("run_id"), row.pop("episode_id"))
        row["content"] = texts.shortened(row["content"])
        messages[key].append(row)
    calls = _calls(run)
    out = []
    for entry in listed:
        key = (entry["run_id"], entry["episode_id"])
        mine = sorted(steps.get(key, ()), key=lambda row: row["step"])
        said = sorted(messages.get(key, ()), key=lambda row: (row["agent_idx"], row["idx"]))
        out.append({"steps": mine, "messages": said, "calls": calls.get(key, {})})
    return out


def _calls(run: RunData) -> dict[tuple[str, str], dict[str, dict[str, Any]]]:
    """Calls by episode and program, each as [tool, arguments, error, ticks, microseconds, line]."""
    columns = ["run_id", "episode_id", "program_id", "call_idx", "tool", "arguments", "error_message", "ticks",
               "microseconds", "line"]  # fmt: skip
    rows = run.arrow("calls", columns).to_pylist()
    rows.sort(key=lambda row: row["call_idx"])
    out: dict[tuple[str, str], dict[str, dict[str, Any]]] = defaultdict(dict)
    for row in rows:
        program = out[row["run_id"], row["episode_id"]].setdefault(row["program_id"], {"shown": [], "left_out": 0})
        if len(program["shown"]) >= MOST_CALLS:
            program["left_out"] += 1
            continue
        arguments = row["arguments"]
        if len(arguments) > MOST_ARGUMENT_CHARACTERS:
            arguments = arguments[:MOST_ARGUMENT_CHARACTERS] + "…"
        program["shown"].append(
            [row["tool"], arguments, row["error_message"], row["ticks"], row["microseconds"], row["line"]]
        )
    return out


def _parsed(text: str | None) -> Any:
    """JSON text as a value, as text where it is none."""
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def known_states(details: Sequence[Mapping[str, Any]]) -> list[list[str | None]]:
    """Per episode the address of each step's state, None where none was kept."""
    return [[step["world_state"] for step in detail["steps"]] for detail in details]
