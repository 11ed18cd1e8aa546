"""The tool corpus on the simulator directly and through FLE's client over the face, call by call.

Needs an interpreter that has FLE (and for ours the numpy that comes with it), named by FLE_PYTHON.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from fle_ray.factorio.compare import EXPLAINED, explained_table
from tests.factorio.served import served

ROOT = Path(__file__).resolve().parents[2]
FLE_PYTHON = os.environ.get("FLE_PYTHON")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """The comparison as data. FLE's client sleeps a little in every look around, so that it takes a minute."""
    out = tmp_path_factory.mktemp("compare") / "corpus.json"
    with served() as server:
        done = subprocess.run(
            [str(FLE_PYTHON), "scripts/compare_corpus.py", "--server", f"127.0.0.1:{server.port}", "--speed", "10000"]
            + ["--out", str(out)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=900,
            env={**os.environ, "PYTHONHASHSEED": "0"},  # the client goes through sets of prototypes
        )
    assert out.is_file(), done.stderr[-3000:]
    return json.loads(out.read_text(encoding="utf-8"))


needs_fle = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not FLE_PYTHON, reason="FLE_PYTHON does not name an interpreter that has factorio-learning-environment"
    ),
]


class TestCorpus:
    pytestmark = needs_fle

    def test_every_case_is_played(self, corpus):
        assert corpus["failed"] == {}
        assert corpus["cases"] >= 60
        assert sum(corpus["calls"].values()) > 1_000

    def test_nothing_differs_that_is_not_explained(self, corpus):
        unexplained = [d for d in corpus["differences"] if d["why"] is None and not d["follows"]]
        assert unexplained == []

    def test_the_worlds_part_in_few_cases(self, corpus):
        assert len(corpus["parted"]) <= corpus["cases"] / 8
        following = sum(corpus["following"].values())
        assert following <= sum(corpus["calls"].values()) / 20

    def test_every_tool_that_crosses_is_among_the_calls(self, corpus):
        assert {"connect_entities", "craft_item", "get_entities", "harvest_resource", "insert_item", "launch_rocket",
                "move_to", "nearest_buildable", "pickup_entity", "place_entity_next_to", "set_research",
                "sleep"} <= corpus["calls"].keys()  # fmt: skip


def test_the_page_holds_the_generated_table_of_expected_differences():
    assert explained_table() in (ROOT / "docs" / "factorio.md").read_text(encoding="utf-8")


def test_explanations_are_sentences_of_their_own():
    assert len({one.why for one in EXPLAINED}) == len(EXPLAINED)
