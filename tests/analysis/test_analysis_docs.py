"""The snippets and commands of docs/analysis.md and docs/report.md run as they stand there."""

from __future__ import annotations

import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("analysis.md", "report.md")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the two runs that the pages speak of: one episode each, scripted and idle."""
    root = tmp_path_factory.mktemp("docs")
    for run_id, agent in (("my_run", "scripted"), ("other", "idle")):
        words = ["+experiment=smoke", "name=lab_play", f"run.id={run_id}", f"agent={agent}", "dataset.states=all"]
        command = [sys.executable, "-m", "fle_ray.launch", *words, f"run.root={root / 'data'}"]
        subprocess.run(command, check=True, capture_output=True)
    return root


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_the_python_snippets_run(
    page: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(folder)
    names: dict = {}
    assert blocks(page, "python")
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), names)
    out = capsys.readouterr().out
    if page == "analysis.md":
        assert "Interval(estimate=0.7, low=0.3967" in out
        assert names["found"]["success"]["owed"].tolist() == [0, 0]
        assert "1 pairs are of 1 task" in names["result"].verdict
        assert len(names["lines"]) == 1 and names["row"]["succeeded"] == 1
        assert (folder / "curves.pdf").read_bytes()[:4] == b"%PDF"
    else:
        assert "burner-mining-drill" in (folder / "map.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_run(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(folder)
    lines = [line for block in blocks(page, "bash") for line in block.strip().splitlines()]
    assert lines
    for line in lines:
        words = shlex.split(line.replace("scripted random", "scripted idle"), comments=True)
        assert words[:2] == ["python", "-m"], line
        module = "fle_ray.render.__main__" if words[2] == "fle_ray.render" else words[2]
        assert importlib.import_module(module).main(words[3:]) == 0, (line, capsys.readouterr().err)


@pytest.mark.parametrize("page", [*PAGES, "factories.md"])
def test_every_picture_and_page_that_is_linked_is_there(page: str):
    text = (DOCS / page).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", text)
    assert links
    for link in links:
        assert (DOCS / link).is_file(), link


def test_every_table_that_the_page_on_analysis_names_exists():
    from fle_ray.analysis import metrics

    text = (DOCS / "analysis.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+_table|value_curves)`", text))
    assert named == {name for name in metrics.__all__ if name.endswith("_table") or name == "value_curves"}
