"""The snippets of docs/dataset.md run as they stand there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from fle_ray.dataset.__main__ import main
from fle_ray.dataset.writer import RunWriter

from .samples import a_call, a_step, an_episode

PAGE = Path(__file__).parents[2] / "docs" / "dataset.md"


@pytest.fixture
def in_a_folder_with_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    run = tmp_path / "data" / "lab_play" / "my_run"
    with RunWriter(run) as writer:
        for episode in ("ep0", "ep1"):
            for step in range(3):
                failed = {"error_kind": "exception", "error_message": "KeyError: 1"} if step == 1 else {}
                step_record = a_step(step, episode=episode, run="my_run", **failed)
                writer.append(step_record, [a_call(step, episode=episode, run="my_run")])
            writer.finish_episode(an_episode(episode=episode, run="my_run", steps=3))
    (run / "manifest.json").write_text(json.dumps({"run_id": "my_run", "name": "lab_play"}))
    monkeypatch.chdir(tmp_path)
    return run


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_the_python_snippets_run_and_show_the_run(in_a_folder_with_a_run: Path, capsys):
    pytest.importorskip("duckdb")
    pytest.importorskip("polars")
    names: dict = {}
    assert len(blocks("python")) == 5
    for block in blocks("python"):
        exec(compile(block, str(PAGE), "exec"), names)
    assert list(names["errors"]["step"]) == [1, 1]
    assert names["table"].num_rows == 6
    assert names["everything"].run_ids == ["my_run"]
    out = capsys.readouterr().out
    assert "{'iron-plate': 1.0}" in out
    assert "iron_plate_throughput" in out
    assert "12.0" in out  # two episodes that made 1 + 2 + 3 plates each


def test_the_commands_run(in_a_folder_with_a_run: Path, capsys):
    (block,) = blocks("bash")
    for line in block.strip().splitlines():
        words = shlex.split(line, comments=True)
        assert words[:3] == ["python", "-m", "fle_ray.dataset"]
        assert main(words[3:]) == 0
