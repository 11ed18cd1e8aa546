"""Chat lines hold what was said, in alternating roles and ending with the assistant; a leaderboard row its sources."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fle_ray.analysis.export import ChatFilter, chat_lines, leaderboard_row
from fle_ray.dataset import open_run
from fle_ray.dataset.records import EpisodeRecord, MessageRecord, StepRecord
from fle_ray.dataset.writer import RunWriter
from fle_ray.errors import ConfigError, UnknownName
from fle_ray.export import main

BEGAN = datetime(2026, 1, 2, tzinfo=UTC)


def step(episode: str, number: int, **changes: Any) -> StepRecord:
    values: dict[str, Any] = dict(
        name="x", run_id="run", episode_id=episode, program_id=f"{episode}-{number}", task="t1", agent="bot", seed=0,
        trial=0, step=number, agent_step=number, code=f"print({number})", output=f"1: ({number},)",
        tick_before=0, tick_after=60, started_at=BEGAN, digest=f"{episode}{number}",
    )  # fmt: skip
    return StepRecord(**{**values, **changes})


def ended(episode: str, **changes: Any) -> EpisodeRecord:
    values: dict[str, Any] = dict(
        name="x", run_id="run", episode_id=episode, task="t1", agent="bot", seed=0, trial=0, spec="{}", status="ended",
        reason="success", success=True, value=20.0, quota=16.0, steps=2, ticks=60, started_at=BEGAN, ended_at=BEGAN,
        engine="sim", wall_s=2.0,
    )  # fmt: skip
    return EpisodeRecord(**{**values, **changes})


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "x" / "run"
    with RunWriter(folder) as writer:
        # a scripted agent, no conversation
        writer.append(step("s", 0))
        writer.append(step("s", 1, success=True))
        writer.append(step("s", 2))
        writer.finish_episode(ended("s", steps=3))

        # a language model: one reply whose try was rejected, one error
        def said(idx: int, role: str, content: str, at: int | None) -> MessageRecord:
            program = None if at is None else f"m-{at}"
            return MessageRecord(
                run_id="run", episode_id="m", idx=idx, role=role, content=content, program_id=program, step=at
            )

        model = {"agent": "llm", "model": "big", "task": "t2"}
        writer.append_rows("m", messages=[said(0, "system", "Rules.", None), said(1, "user", "Begin.", None)])
        writer.append(
            step("m", 0, accepted=False, **model), messages=[said(2, "assistant", "no", 0), said(3, "user", "again", 0)]
        )
        writer.append(
            step("m", 1, error_kind="exception", **model),
            messages=[said(4, "assistant", "yes", 1), said(5, "user", "made 3", 1)],
        )
        writer.finish_episode(
            ended("m", success=False, value=3.0, reason="steps", total_tokens=50, cost_usd=0.25, **model)
        )
        writer.append(step("o", 0, **model, seed=1))
        fault = {"status": "provider_error", "reason": "error", "success": None, "value": None}
        writer.finish_episode(ended("o", seed=1, **fault, **model))
    plan = [
        {"episode_id": name, "task": task, "agent": agent, "seed": seed, "trial": 0}
        for name, task, agent, seed in (
            ("s", "t1", "bot", 0),
            ("m", "t2", "llm", 0),
            ("o", "t2", "llm", 1),
            ("n", "t3", "llm", 0),
        )
    ]
    manifest = {
        "run_id": "run",
        "name": "x",
        "plan": plan,
        "command": ["launch"],
        "git": {"commit": "abc"},
        "seeds": [0, 1],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def lines(run: Path, **chosen: Any) -> list[dict[str, Any]]:
    return list(chat_lines(open_run(run), ChatFilter(**chosen)))


def test_a_recorded_conversation_is_given_as_it_was_held_without_rejected_tries(run: Path):
    (line,) = lines(run, agents=("llm",))
    assert line["messages"] == [
        {"role": "system", "content": "Rules."},
        {"role": "user", "content": "Begin."},
        {"role": "assistant", "content": "yes"},
    ]
    assert line["metadata"]["model"] == "big" and line["metadata"]["value"] == 3.0


def test_programs_without_a_conversation_become_one(run: Path):
    (line,) = lines(run, tasks=("t1",))
    assert [message["role"] for message in line["messages"]] == ["user", "assistant"] + ["user", "assistant"] * 2
    assert line["messages"][1]["content"] == "```python\nprint(0)\n```"
    assert line["messages"][2]["content"] == "1: (0,)"


def test_filters_choose_episodes_and_where_they_end(run: Path):
    assert [line["metadata"]["episode_id"] for line in lines(run)] == ["s", "m"]
    assert [line["metadata"]["episode_id"] for line in lines(run, successful=True)] == ["s"]
    assert [line["metadata"]["episode_id"] for line in lines(run, without_errors=True)] == ["s"]
    assert [line["metadata"]["episode_id"] for line in lines(run, least_value=4)] == ["s"]
    assert [line["metadata"]["episode_id"] for line in lines(run, most_steps=2)] == ["m"]
    assert [line["metadata"]["episode_id"] for line in lines(run, agents=("llm/big",))] == ["m"]
    (line,) = lines(run, successful=True, until_success=True)
    assert line["messages"][-1]["content"] == "```python\nprint(1)\n```"


def test_an_owed_episode_is_never_exported(run: Path):
    assert "o" not in [line["metadata"]["episode_id"] for line in lines(run)]


def test_an_unknown_task_or_agent_is_named(run: Path):
    with pytest.raises(UnknownName, match="'t1'"):
        lines(run, tasks=("t11",))
    with pytest.raises(UnknownName, match="bot"):
        lines(run, agents=("bott",))


def test_a_leaderboard_row_has_its_denominators_and_its_sources(run: Path):
    row = leaderboard_row(open_run(run), agent="llm")
    assert (row["agent"], row["model"]) == ("llm", "big")
    assert (row["planned"], row["played"], row["owed"], row["distinct"], row["succeeded"]) == (3, 1, 2, 1, 0)
    # Wilson at 0 of 1: high = z^2 / (1 + z^2) = 3.8415 / 4.8415
    assert row["success"]["estimate"] == 0 and row["success"]["high"] == pytest.approx(0.7935, abs=1e-4)
    assert row["mean_task_success"]["low"] is None  # one task says nothing about others
    assert (row["total_tokens"], row["cost_usd"]) == (50, 0.25)
    assert [task["task"] for task in row["per_task"]] == ["t2", "t3"]
    (source,) = row["reproduce"]
    assert source["command"] == ["launch"] and source["git"] == {"commit": "abc"} and source["seeds"] == [0, 1]
    json.dumps(row, allow_nan=False)


def test_with_several_agents_one_must_be_named(run: Path):
    with pytest.raises(ConfigError, match="bot, llm/big"):
        leaderboard_row(open_run(run))
    with pytest.raises(UnknownName, match="'bot'"):
        leaderboard_row(open_run(run), agent="bt")


def test_the_command_writes_both(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture):
    chat, row = tmp_path / "out" / "chat.jsonl", tmp_path / "out" / "row.json"
    assert main([str(run), "--chat", str(chat), "--successful", "--leaderboard", str(row), "--agent", "bot"]) == 0
    assert "1 conversations" in capsys.readouterr().out
    assert [json.loads(line)["metadata"]["agent"] for line in chat.read_text().splitlines()] == ["bot"]
    assert json.loads(row.read_text())["succeeded"] == 1
    assert main([str(run)]) == 2
    assert "--chat" in capsys.readouterr().err
