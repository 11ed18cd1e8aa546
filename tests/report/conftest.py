"""Small runs for the tests of the report, written by the dataset's own writer."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from fle_ray.dataset import KeepStates, RunWriter
from fle_ray.dataset.records import CallRecord, EpisodeRecord, MessageRecord, StepRecord
from fle_ray.sim.world import World

BEGAN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
EVIL = '</script><img src=x onerror="window.hacked=1"><script>window.hacked=2</script>\ud800'
LONG = "\n\n".join(f"Rule {k}: " + "do nothing that is not asked for. " * 8 for k in range(30))


def step(episode: str, number: int, **changes: Any) -> StepRecord:
    values: dict[str, Any] = {
        "name": "test",
        "run_id": "run-1",
        "episode_id": episode,
        "program_id": f"{episode}-{number}",
        "task": "iron_plate_throughput",
        "agent": "careful",
        "seed": 0,
        "trial": 0,
        "step": number,
        "agent_step": number,
        "code": f"print({number})  # step {number}",
        "output": f"1: ({number},)",
        "value": float(2 * number),
        "produced": {"iron-plate": 10.0, "iron-ore": 12.0},
        "consumed": {"iron-ore": 10.0},
        "harvested": {"iron-ore": 2.0},
        "inventory": {"coal": 50 - number, "iron-plate": 10 * number},
        "tick_before": 600 * number,
        "tick_after": 600 * (number + 1),
        "started_at": BEGAN + timedelta(seconds=number),
        "wall_s": 0.5,
        "success": False,
    }
    return StepRecord(**{**values, **changes})


def episode(episode_id: str, **changes: Any) -> EpisodeRecord:
    values: dict[str, Any] = {
        "name": "test",
        "run_id": "run-1",
        "episode_id": episode_id,
        "task": "iron_plate_throughput",
        "agent": "careful",
        "seed": 0,
        "trial": 0,
        "spec": "{}",
        "status": "ended",
        "reason": "steps",
        "success": False,
        "value": 4.0,
        "quota": 16.0,
        "steps": 3,
        "ticks": 1800,
        "started_at": BEGAN,
        "ended_at": BEGAN + timedelta(seconds=9),
        "engine": "sim",
    }
    return EpisodeRecord(**{**values, **changes})


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Episodes `won` (maps, an error, a conversation), `lost` by another agent, `owed`, and `later`, not started."""
    run = tmp_path_factory.mktemp("data") / "test" / "run-1"
    world = World("lab", 0)
    world.build("burner-mining-drill", (20, 80), direction=4).put("coal", 5)
    world.advance(60)
    planned = []
    with RunWriter(run, keep=KeepStates("all")) as writer:
        calls = [
            CallRecord(
                run_id="run-1",
                episode_id="won",
                program_id="won-1",
                step=1,
                call_idx=k,
                tool="place_entity",
                arguments='["burner-mining-drill"]' * 40,
                error_message="too far away" if k == 1 else None,
                error_kind="exception" if k == 1 else None,
                ticks=3,
                microseconds=20,
                line=2,
            )
            for k in range(250)
        ]

        def said(idx: int, role: str, content: str, at: int | None) -> MessageRecord:
            program = None if at is None else f"won-{at}"
            return MessageRecord(
                run_id="run-1", episode_id="won", idx=idx, role=role, content=content, program_id=program, step=at
            )

        model = {"model": "some-model", "total_tokens": 120, "prompt_tokens": 100, "completion_tokens": 20}
        writer.append_rows("won", messages=[said(0, "system", LONG, None), said(1, "user", "Begin.", None)])
        writer.append(step("won", 0, **model), messages=[said(2, "assistant", "```python\nprint(0)\n```", 0)])
        failing = {
            "error_kind": "exception",
            "error_type": "NameError",
            "error_message": EVIL,
            "error_line": 2,
            "code": f'x = """a\nb"""\n{EVIL}',
            "output": EVIL,
        }
        writer.append(
            step("won", 1, **failing, **model),
            calls,
            [said(3, "assistant", EVIL, 1), said(4, "user", "It failed.", 1)],
            states={world.digest(): world.snapshot()},
        )
        writer.append(
            step("won", 2, value=20.0, success=True, world_state=world.digest(), **model),
            states={world.digest(): world.snapshot()},
        )
        writer.append(
            step("won", 3, value=21.0, success=True, world_state="00" * 16, **model), states={"00" * 16: b"no"}
        )
        writer.finish_episode(
            episode(
                "won",
                success=True,
                value=21.0,
                reason="success",
                steps=4,
                model="some-model",
                total_tokens=480,
                cost_usd=0.5,
            )
        )
        for number in range(3):
            writer.append(step("lost", number, agent="idle"))
        writer.finish_episode(episode("lost", agent="idle"))
        fault = {"error_kind": "server", "error_message": EVIL, "error_traceback": EVIL}
        writer.append(step("owed", 0, seed=1))
        writer.finish_episode(
            episode("owed", seed=1, status="provider_error", reason="error", success=None, value=None, steps=1, **fault)
        )
        for name, agent, seed in (
            ("won", "careful", 0),
            ("lost", "idle", 0),
            ("owed", "careful", 1),
            ("later", "idle", 1),
        ):
            planned.append(
                {"episode_id": name, "task": "iron_plate_throughput", "agent": agent, "seed": seed, "trial": 0}
            )
    manifest = {"run_id": "run-1", "name": f"test {EVIL.split(chr(0xD800))[0]}", "plan": planned}
    (run / "manifest.json").write_text(json.dumps(manifest))
    return run


@pytest.fixture(scope="session")
def large_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3,000 episodes without steps, and one of 4,000 steps."""
    run = tmp_path_factory.mktemp("data") / "large" / "run-1"
    with RunWriter(run, fsync=False) as writer:
        for number in range(4000):
            error = {"error_kind": "exception", "error_type": "ValueError"} if number % 50 == 7 else {}
            writer.append(step("long", number, value=number / 100, **error))
        writer.finish_episode(episode("long", steps=4000, value=39.99))
    plan = [
        {"episode_id": f"e{k:05d}", "task": f"task_{k % 24:02d}", "agent": f"agent_{k % 2}", "seed": k, "trial": 0}
        for k in range(3000)
    ]
    (run / "manifest.json").write_text(json.dumps({"run_id": "run-1", "name": "large", "plan": plan}))
    return run
