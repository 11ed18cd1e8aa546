"""One step of the environment, row by row of its contract, on a fake game reckoned by hand."""

from __future__ import annotations

import json

import gymnasium
import pytest

from fle_ray.env import EnvState, FactorioEnv
from fle_ray.errors import ConfigError, EngineError, InstanceClosed
from fle_ray.game.contracts import Flows
from fle_ray.tasks import get_task
from tests.env.fakes import FakeInstance, FakeInterpreter


def make(task="open_play", parameters=None, **options):
    env = FactorioEnv(
        FakeInstance(), get_task(task, **(parameters or {})), make_session=FakeInterpreter, seed=0, **options
    )
    env.reset()
    return env


def play(env, code, agent_idx=0):
    return env.step({"agent_idx": agent_idx, "code": code})


def test_a_program_acts_and_its_output_is_seen():
    observation, reward, terminated, truncated, info = play(make(), "harvest_resource('coal', 4)\nprint('done')")
    assert observation["raw_text"].splitlines()[0] == "1: ('done',)"
    assert observation["inventory"] == ({"type": "coal", "quantity": 4},)
    assert (reward, terminated, truncated) == (8.0, False, False)  # 4 coal at 2 each
    assert (info["error_occurred"], info["error_kind"], info["result"]) == (False, None, "1: ('done',)")


def test_info_has_every_entry_of_the_contract():
    info = play(make(), "build('iron-ore', 30)\ncraft_item('pipe', 2)\nsleep(60)")[-1]
    # 60 s of a machine at 30 a minute; pipes have no price here, ore is 3: score 90, all of it automated.
    assert info["flows"] == Flows(produced={"iron-ore": 30, "pipe": 2}, crafted={"pipe": 2})
    assert info["achievements"] == {"static": {"pipe": 2}, "dynamic": {"iron-ore": 30}}
    assert (info["production_score"], info["automated_production_score"]) == (90.0, 90.0)
    assert (info["ticks"], info["tick_before"], info["program_ticks"], info["judge_ticks"]) == (3600, 0, 3600, 0)
    assert (info["agent_idx"], info["agent_step"], info["steps_left"]) == (0, 0, 4999)
    assert info["last_message_timestamp"] == 0
    assert info["task_verification"] == info["verdict"].message != ""
    assert info["policy_execution_time"] > 0
    assert [call.tool for call in info["program"].calls] == ["build", "craft_item", "sleep"]
    assert [entity.makes for entity in info["entities"]] == ["iron-ore"]
    assert len(info["digest"]) == 32


def test_variables_last_from_one_program_to_the_next():
    env = make()
    play(env, "found = 7")
    assert "(7,)" in play(env, "print(found)")[0]["raw_text"]


def test_flows_and_reward_are_those_of_the_step_alone():
    env = make()
    play(env, "harvest_resource('coal', 4)")
    observation, reward, *_, info = play(env, "harvest_resource('coal', 1)")
    assert reward == 2.0
    assert info["flows"].harvested == {"coal": 1}
    assert observation["flows"]["harvested"] == ({"type": "coal", "amount": 1.0},)
    assert observation["flows"]["output"] == ({"type": "coal", "rate": 1.0},)


def test_throughput_is_the_reward_and_success_ends_the_episode():
    env = make("iron_ore_throughput")
    observation, reward, terminated, truncated, info = play(env, "build('iron-ore', 20)")
    assert (reward, terminated, truncated) == (20.0, True, False)
    assert (info["ticks"], info["program_ticks"], info["judge_ticks"]) == (7200, 0, 7200)
    assert observation["task_verification"]["success"] == 1
    meta = {row["key"]: json.loads(row["value"]) for row in observation["task_verification"]["meta"]}
    assert meta["iron-ore achieved throughput per 60 seconds"] == 20
    assert "20 iron-ore per 60 seconds" in observation["raw_text"]


def test_a_program_that_raises_keeps_what_it_did_and_is_told():
    env = make()
    observation, reward, *_, info = play(env, "harvest_resource('coal', 1)\nraise ValueError('no way')")
    assert (info["error_kind"], info["program"].error.message) == ("exception", "no way")
    assert observation["inventory"] == ({"type": "coal", "quantity": 1},)
    assert reward == 2.0


def test_the_word_error_in_the_output_is_no_error():
    info = play(make(), "print('error: exception: ')")[-1]
    assert (info["error_occurred"], info["error_kind"]) == (False, None)


def test_a_killed_program_leaves_world_and_variables_as_they_were():
    env = make()
    play(env, "kept = 1\nharvest_resource('coal', 2)")
    digest = env.instance.digest()
    observation, reward, *_, info = play(env, "kept = 2\nharvest_resource('coal', 5)\nsleep(9)\nhang()")
    assert info["error_kind"] == "timeout"
    assert info["digest"] == digest
    assert (reward, info["program_ticks"], info["flows"]) == (0.0, 0, Flows())
    assert "(1,)" in play(env, "print(kept)")[0]["raw_text"]


def test_the_tick_limit_ends_a_program_and_keeps_what_was_done():
    env = make(max_ticks_per_step=600)
    *_, info = play(env, "harvest_resource('coal', 5)\nsleep(60)\nharvest_resource('coal', 5)")
    assert (info["error_kind"], info["ticks"]) == ("tick_limit", 600)
    assert info["flows"].harvested == {"coal": 5}
    assert env.instance.tick_limit is None  # the task's own measuring is not held back
    assert play(env, "sleep(10)")[-1]["error_kind"] is None  # the next step has ticks of its own


def test_an_answer_without_a_program_uses_the_step_and_says_why():
    env = make("iron_ore_throughput")
    observation, *_, info = env.step({"agent_idx": 0, "code": None, "reason": "it was only prose"})
    assert (info["error_kind"], info["steps_left"], info["judge_ticks"]) == ("no_program", 63, 3600)
    assert "it was only prose" in observation["raw_text"]


@pytest.mark.parametrize(("code", "penalty"), [("pass", 0), ("raise ValueError", 5), ("(", 5), (None, 5)])
def test_the_error_penalty_is_charged_on_errors_only(code, penalty):
    assert play(make(error_penalty=5), code)[1] == -penalty


def test_an_episode_is_truncated_when_every_agent_has_used_its_steps():
    env = make("iron_plate_throughput_multiagent_free", max_steps=2)
    turns = [(0, False), (0, False), (1, False), (1, True)]
    assert [play(env, "pass", agent)[3] for agent, _ in turns] == [cut for _, cut in turns]


def test_only_the_task_that_says_so_tells_the_steps_left():
    text = play(make("iron_gear_wheel_throughput_unbounded_steps_show_steps_true"), "pass")[0]["raw_text"]
    assert text.endswith("You have 15 steps left.")
    assert "steps left" not in play(make("open_play"), "pass")[0]["raw_text"]


def test_each_agent_sees_its_own_inventory_and_only_new_messages_for_it():
    env = make("iron_plate_throughput_multiagent_free", {"inventory": {}})
    first = play(env, "send_message('to all')\nsend_message('to me', 0)\nharvest_resource('coal', 1)", 0)
    assert [m["content"] for m in first[0]["messages"]] == ["to me"]
    observation, info = env.observe(1)
    assert [(m["sender"], m["content"]) for m in observation["messages"]] == [("0", "to all")]
    assert (observation["inventory"], info["agent_idx"]) == ((), 1)
    assert env.observe(1)[0]["messages"] == ()
    assert [(p["x"], p["y"]) for p in observation["character_positions"]] == [(0.0, 0.0), (0.0, 2.0)]


def test_a_state_goes_on_exactly_with_variables_steps_and_messages():
    env = make("iron_plate_throughput_multiagent_free")
    play(env, "mine = 'a'\nsend_message('hello')\nharvest_resource('coal', 3)", 0)
    state = env.state()
    kept = play(env, "harvest_resource('coal', 1)\nprint(mine)", 0)

    other = FactorioEnv(FakeInstance(), get_task("iron_plate_throughput_multiagent_free"), make_session=FakeInterpreter)
    other.reset(seed=0, options={"state": EnvState(state.world, state.sessions, **state.counters())})
    again = play(other, "harvest_resource('coal', 1)\nprint(mine)", 0)
    assert again == kept
    assert [m["content"] for m in other.observe(1)[0]["messages"]] == ["hello"]


def test_going_on_from_a_state_need_not_show_anybody_its_messages():
    env = make("iron_plate_throughput_multiagent_free")
    play(env, "send_message('hello', 0)", 1)
    state = env.state()
    first, _ = env.reset(seed=0, options={"state": state, "agent_idx": None})
    assert [m["content"] for m in first["messages"]] == ["hello"]
    assert [m["content"] for m in env.observe(0)[0]["messages"]] == ["hello"]
    assert env.observe(0)[0]["messages"] == ()


def test_a_state_of_another_number_of_agents_is_refused():
    with pytest.raises(ConfigError, match="one of 1 agent"):
        make("iron_plate_throughput_multiagent_free").restore(make().state())


def test_random_numbers_of_programs_depend_on_episode_agent_and_step_only():
    def seeds(episode, agents=(0, 1, 0)):
        env = make("iron_plate_throughput_multiagent_free")
        env.reset(seed=1, options={"episode_id": episode})
        for agent in agents:
            play(env, "pass", agent)
        return [env._agents[i].session.seeds for i in (0, 1)]

    assert seeds("e1") == seeds("e1")
    assert len({seed for row in seeds("e1") + seeds("e2") for seed in row}) == 6


def test_a_game_that_fails_is_not_the_agents_fault():
    env = make()
    env.instance.close()
    with pytest.raises(EngineError):
        play(env, "pass")


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ({"agent_idx": 1, "code": "pass"}, "has 1 agent"),
        ({"agent_idx": 0}, "An action is"),
        ({"agent_idx": 0, "code": 7}, "is a int"),
        ({"agent_idx": 0, "code": "\ud800"}, "UTF-8"),
        ("pass", "An action is"),
    ],
)
def test_what_is_no_action_is_refused(action, message):
    with pytest.raises(gymnasium.error.InvalidAction, match=message):
        make().step(action)


def test_a_step_before_reset_is_refused():
    env = FactorioEnv(FakeInstance(), get_task("open_play"), make_session=FakeInterpreter)
    with pytest.raises(gymnasium.error.ResetNeeded):
        play(env, "pass")


@pytest.mark.parametrize(
    "options", [{"max_ticks_per_step": 0}, {"max_steps": 0}, {"error_penalty": -1}, {"render_mode": "human"}]
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ConfigError, match=next(iter(options))):
        make(**options)


def test_an_unknown_reset_option_is_refused():
    with pytest.raises(ConfigError, match="no option 'game_state'"):
        make().reset(options={"game_state": None})


def test_the_seed_reaches_the_world_and_settle_ticks_too():
    env = make(settle_ticks=60)
    env.reset(seed=11)
    assert (env.instance.start.seed, env.instance.start.settle_ticks) == (11, 60)
    env.reset()
    first = env.instance.start.seed
    env.reset(seed=11)
    env.reset()
    assert env.instance.start.seed == first  # drawn from the seeded generator


def test_closing_closes_the_game_and_every_session_and_may_be_repeated():
    env = make("iron_plate_throughput_multiagent_free")
    sessions = [place.session for place in env._agents]
    env.close()
    env.close()
    assert all(session.closed for session in sessions)
    with pytest.raises(InstanceClosed):
        env.instance.tick  # noqa: B018
