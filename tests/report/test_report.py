"""The report file: whole, self-contained, equal for equal data, and honest about what is missing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from fle_ray.analysis.plain import plain
from fle_ray.analysis.report.collect import MOST_CALLS, Texts
from fle_ray.analysis.report.maps import chosen_states
from fle_ray.analysis.report.page import packed
from fle_ray.report import main, write_report

from .conftest import LONG


@pytest.fixture(scope="module")
def html(small_run: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report([small_run], tmp_path_factory.mktemp("report") / "report.html").read_text("utf-8")


def blobs(html: str) -> dict[str, Any]:
    found = re.findall(r'<script type="text/plain" id="([^"]+)">([^<]*)</script>', html)
    return {name: json.loads(zlib.decompress(base64.b64decode(text), -15)) for name, text in found}


def test_the_file_asks_for_nothing_outside_itself(html: str):
    shell = re.sub(r'<script type="text/plain".*?</script>', "", html, flags=re.DOTALL)
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", shell)
    assert "@import" not in shell and "url(" not in shell
    assert "default-src 'none'" in shell


def test_the_policy_allows_exactly_the_script_and_the_styles_that_are_in_it(html: str):
    script, style = (
        re.search(r"<script>(.*?)</script>", html, re.DOTALL),
        re.search(r"<style>(.*?)</style>", html, re.DOTALL),
    )
    for kind, found in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in html


def test_what_a_run_says_stands_nowhere_in_the_markup(html: str):
    assert "<img" not in html
    assert html.count("<script") == html.count("</script>")
    assert "&lt;/script&gt;&lt;img src=x onerror=" in html  # the experiment's name, in the title
    assert html.count("window.hacked") == html.count("&lt;img") * 2


def test_equal_data_give_an_equal_file(small_run: Path, html: str, tmp_path: Path):
    assert write_report([small_run], tmp_path / "again.html").read_text("utf-8") == html


def test_every_planned_episode_is_there_with_its_state(html: str):
    overview = blobs(html)["overview"]
    states = {entry["episode_id"]: entry["state"] for entry in overview["episodes"]}
    assert states == {"won": "complete", "lost": "complete", "owed": "owed", "later": "unstarted"}
    totals = overview["totals"]
    assert (totals["planned"], totals["played"], totals["owed"]) == (4, 2, 2)
    assert (totals["succeeded"], totals["judged"], totals["steps"], totals["errors"]) == (1, 2, 8, 1)
    assert totals["tokens"] == 480 and totals["cost_usd"] == 0.5


def test_denominators_stand_beside_every_rate(html: str):
    rows = {(r["agent"], r["model"]): r for r in blobs(html)["overview"]["success"]}
    won = rows["careful", "some-model"]
    assert (won["planned"], won["played"], won["owed"], won["succeeded"], won["success"]) == (1, 1, 0, 1, 1.0)
    # Wilson, 1 of 1 at 95 %: z^2 = 3.8415, low = 1 / (1 + z^2) = 0.2065
    assert won["low"] == pytest.approx(0.2065, abs=1e-4) and won["high"] == 1.0
    assert rows["careful", ""]["owed"] == 1 and rows["careful", ""]["success"] is None
    assert (rows["idle", ""]["planned"], rows["idle", ""]["owed"]) == (2, 1)


def test_a_step_has_its_program_error_line_changes_and_map(html: str):
    data = blobs(html)
    number = next(k for k, e in enumerate(data["overview"]["episodes"]) if e["episode_id"] == "won")
    steps = data[f"episode-{number}"]["steps"]
    assert [s["step"] for s in steps] == [0, 1, 2, 3]
    assert steps[1]["error_line"] == 2 and steps[1]["error_type"] == "NameError"
    assert steps[1]["produced"] == {"iron-plate": 10.0, "iron-ore": 12.0} and steps[1]["harvested"] == {"iron-ore": 2.0}
    assert steps[1]["map"] is None and "map_problem" not in steps[1]
    assert "burner-mining-drill" in data[f"map-{steps[2]['map']}"]
    assert steps[3]["map"] is None and "no snapshot" in steps[3]["map_problem"]


def test_a_lone_surrogate_is_replaced_not_fatal():
    text = base64.b64decode(packed({"name": "a\ud800b"}))
    assert json.loads(zlib.decompress(text, -15)) == {"name": "a?b"}


def test_of_many_tool_calls_the_first_are_shown_and_the_rest_counted(html: str):
    data = blobs(html)
    number = next(k for k, e in enumerate(data["overview"]["episodes"]) if e["episode_id"] == "won")
    calls = data[f"episode-{number}"]["calls"]["won-1"]
    assert len(calls["shown"]) == MOST_CALLS == 200 and calls["left_out"] == 50
    assert calls["shown"][1][2] == "too far away"
    assert calls["shown"][0][1].endswith("…")


def test_long_texts_are_kept_once_and_come_back_whole(html: str):
    texts = Texts()
    first, second = texts.shortened(LONG), texts.shortened("x\n\n" + LONG)
    assert isinstance(first, list) and second == [texts.paragraphs.index("x"), *first]
    assert "\n\n".join(texts.paragraphs[k] for k in first) == LONG
    assert texts.shortened("short") == "short"
    data = blobs(html)
    number = next(k for k, e in enumerate(data["overview"]["episodes"]) if e["episode_id"] == "won")
    system = data[f"episode-{number}"]["messages"][0]["content"]
    assert "\n\n".join(data["texts"][k] for k in system) == LONG


def test_a_comparison_without_equal_episodes_gives_no_verdict(small_run: Path, tmp_path: Path):
    path = write_report([small_run], tmp_path / "report.html", compared=("careful", "idle"))
    found = blobs(path.read_text("utf-8"))["overview"]["comparison"]
    assert found["pairs"] == 1
    assert found["verdict"].startswith("No verdict")


def test_maps_can_be_left_out(small_run: Path, tmp_path: Path):
    path = write_report([small_run], tmp_path / "report.html", maps=0)
    assert not any(name.startswith("map-") for name in blobs(path.read_text("utf-8")))


@pytest.mark.parametrize(
    ("most", "chosen"),
    [(None, ["a", "b", "c", "d", "e"]), (9, ["a", "b", "c", "d", "e"]), (3, ["a", "c", "e"]), (1, ["e"]), (0, [])],
)
def test_chosen_states_are_spread_evenly_and_end_with_the_last(most: int | None, chosen: list[str]):
    assert chosen_states(["a", None, "a", "b", "c", "d", None, "e"], most) == chosen


def test_values_that_json_lacks_become_null():
    import numpy as np
    import pandas as pd

    assert plain(
        {"a": float("nan"), "b": np.int64(3), "c": pd.NA, "d": pd.NaT, "e": [np.float64("inf")], "f": True}
    ) == {
        "a": None,
        "b": 3,
        "c": None,
        "d": None,
        "e": [None],
        "f": True,
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "no runs under"),
        (["RUN", "--compare", "careful", "idel"], "idle"),
        (["RUN", "--output", "."], "is a folder"),
    ],
)
def test_the_command_says_what_is_wrong(
    words: list[str],
    said: str,
    small_run: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
):
    monkeypatch.chdir(tmp_path)
    assert main([str(small_run) if word == "RUN" else word for word in words]) == 2
    assert said in capsys.readouterr().err


def test_the_command_writes_the_file(small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture):
    assert main([str(small_run), "--output", str(tmp_path / "new" / "r.html"), "--title", "Mine"]) == 0
    assert "MB" in capsys.readouterr().out
    assert "<title>Mine" in (tmp_path / "new" / "r.html").read_text("utf-8")
