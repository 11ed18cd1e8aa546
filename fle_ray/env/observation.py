"""Builds the observation dictionary of one agent: the same keys on every engine, plain values only.

The keys are those of the Factorio Learning Environment's observation, with `production_score` added, and with
every entry filled from what the engine says. docs/environment.md describes each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fle_ray.env.plain import as_json
from fle_ray.game.contracts import Flows, Instance, Message
from fle_ray.tasks.contract import Task, Verdict

__all__ = ["ResearchShape", "build_observation", "messages_for"]

TICKS_PER_SECOND = 60


def messages_for(agent_idx: int, messages: Iterable[Message]) -> list[Message]:
    """Those of `messages` that this agent receives: sent to it, or to all others by somebody else."""
    return [m for m in messages if m.recipient == agent_idx or (m.recipient is None and m.sender != agent_idx)]


def build_observation(
    instance: Instance,
    task: Task,
    agent_idx: int,
    *,
    entities: Sequence[Any],
    messages: Sequence[Message],
    flows: Flows,
    score: tuple[float, float],
    raw_text: str = "",
    reward: float = 0.0,
    verdict: Verdict | None = None,
    map_image: str = "",
    functions: Sequence[str] = (),
    speed: float = 1.0,
    research: ResearchShape | None = None,
) -> dict[str, Any]:
    """What one agent sees now; an element of `observation_space(task.agents)`.

    Args:
        entities: typed entities as the agent's tools return them; each becomes a JSON text.
        messages: those to show, oldest first.
        flows: amounts since the last observation of a step (totals after a reset).
        score: production score and automated production score.
        raw_text: output of the program with the task's words; "" after a reset.
        verdict: the task's judgement of the step; None after a reset.
        map_image: base64 text of a PNG, "" without pictures.
        functions: names of the functions that the agent has defined.
        speed: game speed that the engine runs at, 1 for real time.
        research: shapes the engine's account of research; one that is kept between observations spares most of it.
    """
    tick = int(instance.tick)
    return {
        "raw_text": raw_text,
        "map_image": map_image,
        "entities": tuple(as_json(entity) for entity in entities),
        "inventory": tuple(
            {"type": item, "quantity": int(count)}
            for item, count in sorted(instance.inventory(agent_idx).items(), key=lambda row: (-row[1], row[0]))
            if count > 0
        ),
        "research": (research or ResearchShape())(instance.research()),
        "game_info": {"tick": tick, "time": tick / TICKS_PER_SECOND, "speed": float(speed)},
        "score": float(reward),
        "production_score": float(score[0]),
        "automated_score": float(score[1]),
        "flows": _flows(flows),
        "task_verification": {
            "success": int(bool(verdict is not None and verdict.success)),
            "meta": _meta(verdict),
        },
        "messages": tuple({"sender": str(m.sender), "content": m.content, "timestamp": int(m.tick)} for m in messages),
        # Functions stay inside the agent's process; their code is not handed out.
        "serialized_functions": tuple({"name": name, "pickled_function": ""} for name in functions),
        "task_info": {
            "goal_description": task.goal,
            "agent_instructions": task.instructions(agent_idx),
            "task_key": task.key,
            "trajectory_length": int(task.max_steps),
        },
        "character_positions": tuple(
            {"agent_idx": i, "x": float(x), "y": float(y)} for i, (x, y) in enumerate(instance.positions())
        ),
    }


def _flows(flows: Flows) -> dict[str, Any]:
    def rows(amounts: Mapping[str, float], word: str) -> tuple[dict[str, Any], ...]:
        return tuple({"type": name, word: float(amounts[name])} for name in sorted(amounts))

    return {
        "input": rows(flows.consumed, "rate"),
        "output": rows(flows.produced, "rate"),
        "crafted": rows(flows.crafted, "amount"),
        "harvested": rows(flows.harvested, "amount"),
        "price_list": (),
        "static_items": (),
    }


def _meta(verdict: Verdict | None) -> tuple[dict[str, str], ...]:
    if verdict is None:
        return ()
    return tuple({"key": key, "value": as_json(value)} for key, value in verdict.meta.items())


class ResearchShape:
    """Brings the engine's account of research into the observation's shape; entries that it leaves out are empty.

    An account whose `technologies` are the very tuple of the last time gives copies of what that one gave.
    """

    def __init__(self) -> None:
        self._entries: Any = None
        self._technologies: tuple[dict[str, Any], ...] = ()

    def __call__(self, research: Mapping[str, Any]) -> dict[str, Any]:
        entries = research.get("technologies", ())
        if entries is not self._entries or not isinstance(entries, tuple):
            self._entries, self._technologies = entries, tuple(_technology(entry) for entry in entries)
        return {
            # Observations share nothing that could be changed, as gymnasium asks.
            "technologies": tuple(
                {**entry, "ingredients": tuple(map(dict, entry["ingredients"]))} for entry in self._technologies
            ),
            "current_research": str(research.get("current_research") or "None"),
            "research_progress": float(research.get("research_progress") or 0.0),
            "research_queue": tuple(str(name) for name in research.get("research_queue") or ()),
            "progress": tuple({"name": name, "value": value} for name, value in _amounts(research.get("progress"))),
        }


def _technology(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": str(entry["name"]),
        "researched": int(bool(entry.get("researched"))),
        "enabled": int(bool(entry.get("enabled"))),
        "level": int(entry.get("level") or 0),
        "research_unit_count": int(entry.get("research_unit_count") or 0),
        "research_unit_energy": float(entry.get("research_unit_energy") or 0.0),
        "prerequisites": tuple(entry.get("prerequisites") or ()),
        "ingredients": tuple({"item": name, "amount": amount} for name, amount in _amounts(entry.get("ingredients"))),
    }


def _amounts(rows: Any) -> list[tuple[str, float]]:
    """(name, amount) out of rows of a name and an amount; the word "None", as the published observation has it, is
    none.
    """
    if not rows or isinstance(rows, str):
        return []
    return [(str(name), float(amount)) for name, amount in (tuple(row.values())[:2] for row in rows)]
