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
from tests.factorio.served import served

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
        [str(FLE_PYTHON), str(HERE / script), str(server.port)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONHASHSEED": "0"},  # the client goes through sets of prototypes
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def on_a_world_of_its_own(script: str) -> dict:
    with served() as server:
        return played(script, server)


@pytest.fixture(scope="module")
def smelting() -> dict:
    return on_a_world_of_its_own("fle_smelting.py")


@pytest.fixture(scope="module")
def power() -> dict:
    return on_a_world_of_its_own("fle_power.py")


@pytest.fixture(scope="module")
def refinery() -> dict:
    return on_a_world_of_its_own("fle_refinery.py")


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
    assert stats["crafted"] == [{"inputs": {"iron-plate": 2 * 2}, "outputs": {"iron-gear-wheel": 2}}]
    # in the client's words output is what was produced, input what was consumed
    assert stats["input"]["iron-plate"] == 2 * 2
    assert stats["output"]["iron-plate"] >= smelting["second"]
    total, automated = smelting["score"]
    assert total > automated > 0


def test_a_refusal_reaches_the_client_with_its_reason(smelting):
    assert "already exists" in smelting["refused"]


def test_elapsed_ticks_count_what_actions_took(smelting):
    assert smelting["ticks"] > 2 * 60 * 60  # two sleeps of a minute, and the walking and hand work


def test_fles_throughput_task_measures_the_rate_of_the_furnace_and_succeeds(smelting):
    # 60 s / 3.2 s = 18.75 plates: 18 or 19 finish in a window of a minute
    assert smelting["throughput"] in (18, 19)
    assert smelting["success"] is True


def test_the_state_of_research_reaches_the_client(smelting):
    assert {"automation", "oil-processing", "rocket-silo"} <= set(smelting["technologies"])


def test_a_steam_plant_built_by_fles_client_runs_an_assembler_at_its_rate(power):
    # a gear wheel takes 0.5 s at speed 0.5: one a second; the inserter takes out up to 3 at a time
    assert 60 - 3 <= power["second"] - power["first"] <= 60 + 3
    assert (power["engine"], power["assembler"]) == ("working", "working")


def test_connections_come_back_as_the_clients_own_groups(power):
    assert power["groups"] == ["PipeGroup", "PipeGroup", "ElectricityGroup", "BeltGroup"]


def test_a_belt_has_the_length_that_was_foretold(power):
    assert power["wanted"] == power["belts"] == 11  # 10 tiles apart, both ends included


def test_a_refinery_built_by_fles_client_reaches_its_rate(refinery):
    # 45 petroleum gas every 5 s: 540 a minute; a cycle more or less may end within the window
    assert abs(refinery["gas"] - 540) <= 45
    assert refinery["refinery"] == "working"
    assert "petroleum-gas" in refinery["tank"]
