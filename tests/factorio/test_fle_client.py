"""FLE's own client, unchanged, plays on a served world.

Needs an interpreter with `factorio-learning-environment==0.4.3` and `a2a-sdk<1`, named by FLE_PYTHON.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

import fle_ray
from fle_ray.factorio.actions import ACTIONS, READ_BY_COMMAND, UNMAPPED
from tests.factorio.served import served

HERE = Path(__file__).parent
FLE_PYTHON = os.environ.get("FLE_PYTHON")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not FLE_PYTHON, reason="FLE_PYTHON does not name an interpreter that has factorio-learning-environment"
    ),
]


PROGRAM = HERE / "iron_plates.txt"


def played(script: str, *arguments: object) -> dict:
    """What a script run by FLE's interpreter saw: the last line it printed."""
    done = subprocess.run(
        [str(FLE_PYTHON), str(HERE / script), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONHASHSEED": "0"},  # the client goes through sets of prototypes
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def on_a_world_of_its_own(script: str, *arguments: object) -> dict:
    with served() as server:
        return played(script, server.port, *arguments)


@pytest.fixture(scope="module")
def smelting() -> dict:
    return on_a_world_of_its_own("fle_smelting.py")


@pytest.fixture(scope="module")
def power() -> dict:
    return on_a_world_of_its_own("fle_power.py")


@pytest.fixture(scope="module")
def steam() -> dict:
    return on_a_world_of_its_own("fle_steam.py")


@pytest.fixture(scope="module")
def state() -> dict:
    return on_a_world_of_its_own("fle_state.py")


@pytest.fixture(scope="module")
def gym() -> dict:
    return on_a_world_of_its_own("fle_gym.py", PROGRAM)


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


def test_a_steam_plant_built_by_fles_client_gives_all_its_power_under_full_load(steam):
    # two engines of 900 kW, a unit of steam at 165 degrees holds 30 kJ: 60 units a second
    assert steam["steam"] == pytest.approx(60 * 60, abs=1)
    # the boiler burns 1.8 MW of coal of 4 MJ: 0.45 a second
    assert abs(steam["coal"] - 27) <= 1
    assert steam["engines"] == ["working"] * 2
    assert set(steam["furnaces"]) == {"low_power"}  # they ask for 2,046 kW


# -- every action -----------------------------------------------------------------------------------------------


def test_every_action_of_fles_package_is_mapped_or_listed_with_a_reason():
    package = played("fle_actions.py")
    assert len(package["defined"]) == 54  # counted in the Lua of 0.4.3
    assert set(package["defined"]) == ACTIONS.keys() | READ_BY_COMMAND.keys() | UNMAPPED.keys()


def test_every_action_that_fles_client_can_call_is_mapped():
    package = played("fle_actions.py")
    assert set(package["called"]) & set(package["defined"]) <= ACTIONS.keys()
    assert set(package["printed"]) == READ_BY_COMMAND.keys()


# -- saved states, blueprints, pictures -------------------------------------------------------------------------


def test_a_saved_state_is_taken_up_exactly(state):
    assert state["restored"] == state["saved"]
    # a burner drill mines an ore in 4 s: 15 a minute
    assert state["first minute"] == state["second minute"] == [15, -15]
    assert state["entities after"] == ["burner-mining-drill", "electricity-group", "stone-furnace"]
    assert state["current research"] == "automation"


def test_what_agents_hold_is_what_the_client_gives(state):
    assert state["given"] == {"coal": 7}
    assert state["set"] == {"iron-plate": 3, "coal": 1}


def test_research_is_loaded_there_and_back(state):
    assert state["knows automation"] is True
    assert state["researches"] == ["logistics", 0.25, ["logistics"]]
    assert state["unlearned"] == [False, None]


def test_a_blueprint_of_the_factory_is_built_beside_it_and_not_on_top(state):
    assert (state["in the way"], state["beside"], state["wrong"]) == (False, True, [False, False])
    assert state["twice"] == sorted(2 * state["entities after"])


def test_the_client_can_draw_its_pictures(state):
    assert state["picture"] is True
    assert state["camera"][0] == 6  # three things, and their blueprint
    assert state["simple picture"][0] > 100


def test_land_reaches_the_client_tile_by_tile(state):
    # 64 tiles round (15, 70): the field of iron, the pond of rows 71 to 95, and rows 6 to 20 of the other, 11 wide each
    assert state["land"]["water"] == 11 * 25 + 11 * 15
    assert state["land"]["iron"] == 24 * 26
    assert state["land"]["amounts"] == 10_000
    assert state["land"]["characters"] == 1


def test_ore_is_filled_up_and_entities_are_cleared(state):
    assert state["regenerated"] == 24 * 26 * 10_000
    assert state["kept"] == 6  # a reset with clear_entities=False
    assert state["cleared"] == [0, {}]


def test_a_state_that_the_simulator_did_not_save_is_refused_with_its_reason(state):
    assert "not saved by the simulator" in state["bad state"]


def test_harvesting_works_outside_the_clients_fast_mode(state):
    assert state["slow harvest"] == 4


# -- FLE's gym environment --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ours() -> dict:
    """The same program in our environment."""
    with fle_ray.make_env("iron_plate_throughput", seed=0) as env:
        observation, _ = env.reset()
        after, reward, terminated, _, info = env.step({"agent_idx": 0, "code": PROGRAM.read_text(encoding="utf-8")})
        return {
            "inventory": {entry["type"]: int(entry["quantity"]) for entry in observation["inventory"]},
            "reward": reward,
            "terminated": terminated,
            "ticks": info["ticks"],
            "score": info["production_score"],
            "achievements": info["achievements"],
            "researched": sum(t["researched"] for t in after["research"]["technologies"]),
        }


def test_fles_gym_environment_finds_the_throughput_that_two_furnaces_have(gym):
    # 2 * 60 s / 3.2 s = 37.5 plates: 37 or 38 finish in a window of a minute
    assert gym["reward"] in (37, 38)
    assert gym["terminated"] is True
    assert gym["output"].endswith(f"is {gym['reward']:g} of iron-plate created per 60 seconds")


def test_fles_gym_environment_and_ours_agree_on_every_figure(gym, ours):
    assert {name: gym[name] for name in ours} == ours


def test_fles_gym_environment_goes_on_from_a_state_and_back_to_the_start(gym):
    assert gym["reward a minute later"] in (37, 38)
    assert gym["entities at the start"] == "1: (0,)"
    assert gym["reward at the start"] == 0
