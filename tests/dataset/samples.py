"""Records for tests: small ones with arithmetic one can do in the head."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from fle_ray.dataset.records import CallRecord, EpisodeRecord, EventRecord, MessageRecord, StepRecord

RUN = "run-1"
BEGAN = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def a_step(step: int = 0, *, episode: str = "ep0", run: str = RUN, **changes: Any) -> StepRecord:
    """Step number `step`: makes step + 1 iron plates of twice as much ore in 60 ticks."""
    values: dict[str, Any] = {
        "name": "test",
        "run_id": run,
        "episode_id": episode,
        "program_id": f"{episode}-{step}",
        "parent_id": f"{episode}-{step - 1}" if step else None,
        "task": "iron_plate_throughput",
        "agent": "scripted",
        "seed": 7,
        "trial": 0,
        "step": step,
        "agent_step": step,
        "code": f"print({step})",
        "output": f"1: ({step},)",
        "reward": float(step),
        "produced": {"iron-plate": step + 1.0},
        "consumed": {"iron-ore": 2 * (step + 1.0)},
        "inventory": {"iron-plate": step + 1},
        "tick_before": 60 * step,
        "tick_after": 60 * (step + 1),
        "started_at": BEGAN + timedelta(seconds=step),
        "wall_s": 0.25,
    }
    return StepRecord(**{**values, **changes})


def a_call(step: int = 0, call: int = 0, *, episode: str = "ep0", run: str = RUN, **changes: Any) -> CallRecord:
    values: dict[str, Any] = {
        "run_id": run,
        "episode_id": episode,
        "program_id": f"{episode}-{step}",
        "step": step,
        "call_idx": call,
        "tool": "sleep",
        "arguments": "[1]",
        "ticks": 60,
        "microseconds": 12,
    }
    return CallRecord(**{**values, **changes})


def a_message(idx: int = 0, *, episode: str = "ep0", run: str = RUN, **changes: Any) -> MessageRecord:
    values: dict[str, Any] = {
        "run_id": run,
        "episode_id": episode,
        "idx": idx,
        "role": "user",
        "content": f"message {idx}",
    }
    return MessageRecord(**{**values, **changes})


def an_event(*, episode: str | None = "ep0", run: str = RUN, **changes: Any) -> EventRecord:
    values: dict[str, Any] = {"run_id": run, "episode_id": episode, "at": BEGAN, "kind": "rate_limited"}
    return EventRecord(**{**values, **changes})


def an_episode(*, episode: str = "ep0", run: str = RUN, steps: int = 1, **changes: Any) -> EpisodeRecord:
    values: dict[str, Any] = {
        "name": "test",
        "run_id": run,
        "episode_id": episode,
        "task": "iron_plate_throughput",
        "agent": "scripted",
        "seed": 7,
        "trial": 0,
        "spec": '{"task": "iron_plate_throughput"}',
        "status": "ended",
        "reason": "success",
        "success": True,
        "value": 16.0,
        "quota": 16.0,
        "steps": steps,
        "ticks": 60 * steps,
        "started_at": BEGAN,
        "ended_at": BEGAN + timedelta(seconds=steps),
        "engine": "sim",
    }
    return EpisodeRecord(**{**values, **changes})
