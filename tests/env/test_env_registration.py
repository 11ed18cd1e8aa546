"""Environments by name, on the real simulator and interpreter."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import fle_ray
from fle_ray.env import FactorioEnv, env_id, environment_info
from fle_ray.errors import ConfigError, UnknownName
from fle_ray.tasks import task_names

MINE = """
spot = nearest(Resource.IronOre)
move_to(spot)
print(harvest_resource(spot, 3))
"""


LAB = {"scenario": "lab"}


@pytest.fixture
def env():
    made = fle_ray.make_env("iron_ore_throughput", seed=0)
    yield made
    made.close()


def test_every_task_of_the_catalogue_has_an_id():
    assert {env_id(name) for name in task_names()} <= gymnasium.registry.keys()
    assert env_id("open_play") == "fle_ray/open_play-v0"


def test_registering_again_changes_nothing():
    before = dict(gymnasium.registry)
    fle_ray.env.registration.register_environments()
    assert gymnasium.registry == before


def test_an_environment_is_described_before_it_is_made():
    info = environment_info("sulfuric_acid_throughput")
    assert info["env_id"] == "fle_ray/sufuric_acid_throughput-v0"
    assert (info["num_agents"], info["max_steps"]) == (1, 64)
    assert "sulfuric-acid" in info["description"]


def test_a_game_is_played_by_its_name(env):
    assert isinstance(env, FactorioEnv)
    first, info = env.reset()
    assert first in env.observation_space
    assert info["seed"] == 0
    observation, reward, terminated, truncated, info = env.step({"agent_idx": 0, "code": MINE})
    assert observation in env.observation_space
    assert observation["raw_text"].splitlines()[0] == "4: (3,)"
    assert (info["error_kind"], reward, terminated, truncated) == (None, 0.0, False, False)
    assert info["flows"].harvested == {"iron-ore": 3}
    assert info["achievements"]["static"] == {"iron-ore": 3}


def test_gymnasium_makes_the_same_environment():
    with gymnasium.make("fle_ray/iron_ore_throughput-v0", seed=0) as made:
        observation, _ = made.reset()
        assert observation["task_info"]["task_key"] == "iron_ore_throughput"
        assert made.step({"agent_idx": 0, "code": "print(1)"})[4]["error_kind"] is None


def test_gymnasium_finds_it_without_an_import_of_ours():
    code = (
        "import gymnasium\n"
        "env = gymnasium.make('fle_ray:fle_ray/iron_ore_throughput-v0')\n"
        "print(env.reset(seed=0)[0]['task_info']['task_key'])\n"
        "env.close()\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "iron_ore_throughput"
    assert shown.stderr == ""


def test_gymnasiums_own_check_passes_on_the_real_game():
    made = gymnasium.make("fle_ray/iron_ore_throughput-v0", render_mode="ansi")
    check_env(made.unwrapped)
    made.close()


def test_the_same_programs_on_the_same_seed_give_the_same_digests(env):
    def digests():
        env.reset(seed=3)
        return [env.step({"agent_idx": 0, "code": code})[4]["digest"] for code in (MINE, "sleep(7)", MINE)]

    assert digests() == digests()


def test_a_state_goes_on_with_variables_in_another_environment(env):
    env.reset(seed=0)
    env.step({"agent_idx": 0, "code": MINE + "def twice(n):\n    return 2 * n\ncount = 3"})
    state = env.state()
    program = {"agent_idx": 0, "code": "print(twice(count), spot)\nsleep(5)"}
    expected = env.step(program)
    other = fle_ray.make_env("iron_ore_throughput")
    other.reset(seed=0, options={"state": state})
    got = other.step(program)
    other.close()
    assert got == expected
    assert "(6, Position(" in got[0]["raw_text"]
    assert got[0]["serialized_functions"] == ({"name": "twice", "pickled_function": ""},)


def test_a_killed_program_is_undone_in_world_and_variables():
    env = fle_ray.make_env("open_play", seed=0, task_parameters=LAB, time_limit_s=0.5)
    env.reset()
    env.step({"agent_idx": 0, "code": "kept = 1"})
    digest = env.instance.digest()
    *_, info = env.step({"agent_idx": 0, "code": "kept = 2\nmove_to(Position(x=9, y=9))\nwhile True: pass"})
    assert (info["error_kind"], info["digest"], info["program_ticks"]) == ("timeout", digest, 0)
    assert env.step({"agent_idx": 0, "code": "print(kept)"})[0]["raw_text"].startswith("1: (1,)")
    env.close()


def test_limits_of_calls_and_ticks_end_a_program_and_keep_what_it_did():
    env = fle_ray.make_env("open_play", seed=0, task_parameters=LAB, max_calls_per_step=5, max_ticks_per_step=600)
    env.reset()
    assert env.step({"agent_idx": 0, "code": "for i in range(9): sleep(1)"})[4]["error_kind"] == "call_limit"
    assert env.instance.tick == 300
    assert env.step({"agent_idx": 0, "code": "sleep(60)"})[4]["error_kind"] == "tick_limit"
    assert env.instance.tick == 900
    env.close()


def test_two_agents_share_a_world_and_talk():
    env = fle_ray.make_env("iron_plate_throughput_multiagent_free", seed=0)
    env.reset()
    env.step({"agent_idx": 0, "code": "mine = 1\nmove_to(Position(x=5, y=5))"})
    observation, _ = env.observe(1)
    positions = [(p["x"], p["y"]) for p in observation["character_positions"]]
    assert positions[1] == (0.0, 2.0)
    assert positions[0] != (0.0, 0.0)
    *_, info = env.step({"agent_idx": 1, "code": "print(mine)"})
    assert info["program"].error.type == "NameError"  # variables are each agent's own
    env.close()


def test_an_unknown_task_or_option_is_refused():
    with pytest.raises(UnknownName, match="'iron_ore_throughput'"):
        fle_ray.make_env("iron_ore_througput")
    with pytest.raises(ConfigError, match="no parameter 'quote'. Did you mean 'quota'"):
        fle_ray.make_env("iron_ore_throughput", task_parameters={"quote": 1})
