"""FLE's own client, unchanged, plays on a served world.

Needs an interpreter with `factorio-learning-environment==0.4.3` and `a2a-sdk<1`, named by FLE_PYTHON.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from fle_ray.factorio.server import Server

HERE = Path(__file__).parent
FLE_PYTHON = os.environ.get("FLE_PYTHON")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not FLE_PYTHON, reason="FLE_PYTHON does not name an interpreter that has factorio-learning-environment"
    ),
]


def played(script: str, server: Server) -> dict:
    """What a script run by FLE's interpreter saw: the last line it printed."""
    done = subprocess.run(
        [str(FLE_PYTHON), str(HERE / script), str(server.port)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.fixture(scope="module")
def smelting() -> dict:
    from tests.factorio.served import served

    with served() as server:
        return played("fle_smelting.py", server)


def test_a_smelting_line_built_by_fles_client_reaches_the_rate_of_its_furnace(smelting):
    # a stone furnace smelts a plate in 3.2 s: 18.75 a minute
    assert smelting["second"] - smelting["first"] in (18, 19)


def test_the_client_sees_its_entities_with_their_status(smelting):
    assert smelting["kinds"] == ["burner-inserter", "burner-mining-drill", "iron-chest", "stone-furnace"]
    assert smelting["drill_status"] == "working"
    assert smelting["warnings"] == []


def test_hand_work_through_the_client_moves_items(smelting):
    # 5 plates out of the chest, 2 of them for each of 2 gear wheels; 3 ores by hand
    assert (smelting["taken"], smelting["gears"], smelting["harvested"]) == (5, 2, 3)
    assert smelting["held"]["iron-plate"] == 5 - 2 * 2
    assert smelting["held"]["iron-gear-wheel"] == 2
    assert smelting["held"]["iron-ore"] == 3
    assert smelting["held"]["coal"] == 100 - 20 - 20 - 5
    assert smelting["recipe"] == [["iron-plate", 2]]


def test_production_statistics_and_score_reach_the_client(smelting):
    stats = smelting["stats"]
    assert stats["harvested"] == {"iron-ore": 3}
    assert stats["crafted"] == {"iron-gear-wheel": 2}
    assert stats["output"]["iron-plate"] == 2 * 2
    assert stats["input"]["iron-plate"] >= smelting["second"]
    total, automated = smelting["score"]
    assert total > automated > 0


def test_a_refusal_reaches_the_client_with_its_reason(smelting):
    assert "already exists" in smelting["refused"]


def test_elapsed_ticks_count_what_actions_took(smelting):
    assert smelting["ticks"] > 2 * 60 * 60  # two sleeps of a minute, and the walking and hand work
