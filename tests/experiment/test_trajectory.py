"""The rows T1 to T22 of the trajectory runner's requirements, one test or more each, named by its row."""

from __future__ import annotations

import json

import pytest

from fle_ray.agents.contract import Completion, Policy
from fle_ray.dataset.records import EpisodeRecord
from fle_ray.dataset.recover import EpisodeProgress
from fle_ray.errors import EngineError
from fle_ray.experiment.episode import Opening, Reply, Resume, Step, Stopped
from fle_ray.experiment.spec import Budget
from tests.experiment.kit import Play, run, steps_without_times, table
from tests.fakes import (
    BuilderAgent,
    FakeAgent,
    FakeInstance,
    ModelAgent,
    NotAPolicyAgent,
    RaisingAgent,
    TryingAgent,
    TurnAgent,
)

TWO = "iron_plate_throughput_multiagent_free"


def order(play: Play) -> list[int]:
    return [step.agent_idx for step in play.steps]


def resume_after(play: Play, steps: int, *, replies_too: bool = True) -> Resume:
    """What a reader of the records would find if the process had died after so many steps, before (or just after) the
    next reply was journalled.
    """
    items = []
    taken = 0
    for item in play.items:
        if isinstance(item, Step):
            if taken == steps:
                break
            taken += 1
        items.append(item)
    played = [item for item in items if isinstance(item, Step)]
    keys = {(s.record.agent_idx, s.record.agent_step, s.record.try_) for s in played}
    replies = {
        (i.agent_idx, i.agent_step, i.try_): i.reply
        for i in items
        if replies_too and isinstance(i, Reply) and (i.agent_idx, i.agent_step, i.try_) not in keys
    }
    messages = [m for item in items if isinstance(item, (Opening, Step)) for m in item.messages]
    states = {address: data for item in played for address, data in item.states.items()}
    progress = EpisodeProgress(
        play.spec.episode_id, "in_progress", None, tuple(s.record for s in played), tuple(messages), replies
    )
    return Resume(progress, states)


def comparable(steps) -> list[dict]:
    from tests.experiment.kit import TIMES

    return [{name: getattr(step, name) for name in step.__slots__ if name not in TIMES} for step in steps]


# ---- inputs


def test_t1_a_record_carries_task_experiment_run_and_agent():
    step = Play([FakeAgent()], steps=1).all().steps[0]
    assert (step.name, step.task, step.run_id, step.agent) == ("test", "open_play_production", "r1", "agent0")


def test_t2_the_environment_is_gymnasiums_around_one_instance():
    import gymnasium

    play = Play([FakeAgent()])
    assert isinstance(play.env, gymnasium.Env) and play.env.instance is play.instance


def test_t3_episodes_of_other_seeds_or_trials_have_other_ids():
    ids = {Play([FakeAgent()], seed=s, trial=t).spec.episode_id for s in (0, 1) for t in (0, 1)}
    assert len(ids) == 4


def test_t4_a_step_refers_to_the_states_after_it_and_hands_over_their_bytes():
    play = Play([BuilderAgent()]).all()
    step = next(item for item in play.items if isinstance(item, Step))
    assert step.record.world_state == step.record.digest
    assert {step.record.world_state, step.record.session_state} == set(step.states)


def test_t4_a_world_that_did_not_change_is_not_handed_over_again():
    play = Play([FakeAgent(["x = 1", "x = 2"])], steps=2).all()
    first, second = [item for item in play.items if isinstance(item, Step)]
    assert first.record.world_state == second.record.world_state
    assert first.record.session_state != second.record.session_state
    assert set(second.states) == {second.record.session_state}


def test_t5_programs_observations_and_prompts_are_written_to_the_log_folder(tmp_path):
    assert run(tmp_path, runner={"log_dir": str(tmp_path / "log")}) == 0
    episode = table(tmp_path, "episodes")[0]["episode_id"]
    folder = tmp_path / "log" / "r1" / episode
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "agent0_system.txt",
        "agent0_step0000.py",
        "agent0_step0000.txt",
        "agent0_step0001.py",
        "agent0_step0001.txt",
    }
    assert (folder / "agent0_step0000.py").read_text() == "x = 1"
    assert "iron-ore" in (folder / "agent0_step0001.txt").read_text()


def test_t6_without_reset_states_every_state_is_kept():
    play = Play([TryingAgent(rejects=9, programs=["sleep(1)"])], steps=3).all()
    assert [step.accepted for step in play.steps] == [True, True, True]
    assert [step.tick_after for step in play.steps] == [60, 120, 180]


# ---- start


def test_t7_a_fresh_episode_starts_from_the_task_and_each_agent_sees_its_own_character():
    agents = [FakeAgent(), FakeAgent()]
    play = Play(agents, TWO, steps=1).all()
    assert play.steps[0].tick_before == 0
    assert play.steps[0].inventory["coal"] == 500
    assert [agent.seen[0].fields["task_info"]["task_key"] for agent in agents] == [TWO, TWO]
    assert [agent.start.agent_idx for agent in agents] == [0, 1]
    assert agents[0].seen[0].step == 0 and agents[0].seen[0].steps_left == 1


def test_t7_reset_on_a_used_game_gives_the_same_first_step():
    first = Play([BuilderAgent()])
    first.all()
    again = Play([BuilderAgent()], engine=first.instance).all()
    assert comparable(first.steps) == comparable(again.steps)


@pytest.mark.parametrize("replies_too", [True, False])
@pytest.mark.parametrize("after", range(6))
def test_t8_an_episode_resumed_after_any_step_gives_the_same_steps(after, replies_too):
    def agents():
        return [
            ModelAgent(["x = 1", "x = x + 1\nprint(x)", "sleep(x)"]),
            ModelAgent(["send_message('hello')", "y = 5", "print(y)"]),
        ]

    whole = Play(agents(), TWO, steps=3).all()
    rest = Play(agents(), TWO, steps=3, resume=resume_after(whole, after, replies_too=replies_too)).all()
    assert len(whole.steps) == 6
    assert comparable(whole.steps[:after]) + comparable(rest.steps) == comparable(whole.steps)
    ignored = ("started_at", "ended_at", "wall_s", "waited_s")
    assert {n: getattr(rest.record, n) for n in EpisodeRecord.__slots__ if n not in ignored} == {
        n: getattr(whole.record, n) for n in EpisodeRecord.__slots__ if n not in ignored
    }


def test_t8_each_agent_goes_on_with_its_own_conversation():
    whole = Play([ModelAgent(), ModelAgent()], TWO, steps=2).all()
    agents = [ModelAgent(), ModelAgent()]
    Play(agents, TWO, steps=2, resume=resume_after(whole, 2)).all()
    for idx, agent in enumerate(agents):
        assert [m.content for m in agent.messages] == [m.content for m in whole.agents[idx].messages]
        assert agent.messages[0].content == f"manual for agent {idx}"


def test_t8_messages_are_recorded_once_however_often_an_episode_is_taken_up():
    whole = Play([ModelAgent()], steps=3).all()
    rest = Play([ModelAgent()], steps=3, resume=resume_after(whole, 1)).all()
    recorded = [m.idx for item in rest.items if isinstance(item, (Opening, Step)) for m in item.messages]
    assert recorded == [3, 4, 5, 6]  # system, user, assistant were there


def test_t8_a_journalled_reply_is_played_without_asking_again(tmp_path):
    asked = tmp_path / "asked"
    whole = Play([ModelAgent(asked=str(asked))], steps=2).all()
    at_reply = [i for i, item in enumerate(whole.items) if isinstance(item, Reply)][1]
    whole.items = whole.items[: at_reply + 1]
    asked.unlink()
    agent = ModelAgent(asked=str(asked))
    rest = Play([agent], steps=2, resume=resume_after(whole, 1)).all()
    assert len(rest.steps) == 1 and not asked.exists()
    assert rest.steps[0].prompt_tokens == 100 and rest.steps[0].conversation_length == 4
    assert [m.content for m in agent.messages] == [m.content for m in whole.agents[0].messages]


def test_t8_the_step_counter_counts_steps():
    whole = Play([FakeAgent()], steps=4).all()
    agent = FakeAgent()
    rest = Play([agent], steps=4, resume=resume_after(whole, 2)).all()
    assert [step.step for step in rest.steps] == [2, 3]
    assert agent.seen[0].step == 2 and agent.seen[0].steps_left == 2


def test_t8_an_agent_without_a_conversation_is_told_again_what_became_of_its_programs():
    whole = Play([FakeAgent(["print('one')", "print('two')", "pass"])], steps=3).all()
    agent = FakeAgent(["print('one')", "print('two')", "pass"])
    Play([agent], steps=3, resume=resume_after(whole, 2)).all()
    assert [o.output for o in agent.observed] == [o.output for o in whole.agents[0].observed]


def test_t8_a_state_that_was_not_kept_is_an_engine_error_that_names_it():
    whole = Play([FakeAgent()], steps=2).all()
    resume = resume_after(whole, 1)
    lost = Resume(resume.progress, {})
    with pytest.raises(EngineError, match="was not kept"):
        Play([FakeAgent()], steps=2, resume=lost).all()


def test_t9_the_system_prompt_of_each_agent_comes_before_its_first_step():
    play = Play([FakeAgent(), ModelAgent()], TWO, steps=1).all()
    opening = play.items[0]
    assert isinstance(opening, Opening)
    assert [(m.agent_idx, m.idx, m.role, m.content) for m in opening.messages] == [
        (0, 0, "system", "manual for agent 0"),
        (1, 0, "system", "manual for agent 1"),
    ]


# ---- the loop


def test_t10_a_step_is_act_execute_judge_record_and_the_conversation_grows():
    agent = ModelAgent(["print('hello')"])
    play = Play([agent], steps=1).all()
    kinds = [type(item).__name__ for item in play.items]
    assert kinds == ["Opening", "Reply", "Step", "EpisodeRecord"]
    step = play.items[2]
    assert "hello" in step.record.output and step.record.value == 0.0
    assert [m.role for m in step.messages] == ["user", "assistant"]
    assert all(m.program_id == step.record.program_id for m in step.messages)
    assert step.record.conversation_length == 2  # system and user: what the program came from
    assert agent.observed[0].output == step.record.output


def test_t11_interleaved_agents_take_a_step_each_in_turn():
    play = Play([FakeAgent(), FakeAgent()], TWO, steps=3).all()
    assert order(play) == [0, 1, 0, 1, 0, 1]
    assert [step.agent_step for step in play.steps] == [0, 0, 1, 1, 2, 2]


def test_t11_agent_by_agent_each_plays_until_its_steps_are_used():
    play = Play([FakeAgent(), FakeAgent()], TWO, steps=3, turns="agent_by_agent").all()
    assert order(play) == [0, 0, 0, 1, 1, 1]


def test_t11_agent_by_agent_a_turn_ends_when_the_agent_says_so():
    play = Play([TurnAgent(steps=2), FakeAgent()], TWO, steps=3, turns="agent_by_agent").all()
    assert order(play) == [0, 0, 1, 1, 1, 0]


@pytest.mark.parametrize("after", range(6))
def test_t11_the_order_of_turns_survives_a_resume(after):
    def play(resume=None):
        agents = [TurnAgent(steps=2), FakeAgent()]
        return Play(agents, TWO, steps=3, turns="agent_by_agent", resume=resume).all()

    whole = play()
    assert order(whole)[:after] + order(play(resume_after(whole, after))) == order(whole)


def test_t11_an_agent_sees_what_another_did_since_its_own_last_step():
    agents = [FakeAgent(["send_message('dig here')"]), FakeAgent()]
    Play(agents, TWO, steps=1).all()
    assert [m["content"] for m in agents[1].seen[0].fields["messages"]] == ["dig here"]


def test_t12_no_program_uses_the_step_is_recorded_and_the_agent_is_told_why():
    agent = FakeAgent([None, "sleep(1)"])
    play = Play([agent], steps=2).all()
    step = play.steps[0]
    assert (step.code, step.error_kind) == (None, "no_program")
    assert "nothing came to mind" in agent.observed[0].output
    assert agent.observed[0].error_kind == "no_program"
    assert len(play.steps) == 2 and play.record.status == "ended"


def test_t12_no_program_ends_the_turn():
    play = Play([FakeAgent(["sleep(1)", None, "sleep(1)"]), FakeAgent()], TWO, steps=3, turns="agent_by_agent").all()
    assert order(play) == [0, 0, 1, 1, 1, 0]


def test_t12_a_program_that_is_not_utf8_is_none():
    play = Play([FakeAgent(["print('\ud800')"])], steps=1).all()
    assert play.steps[0].error_kind == "no_program" and "UTF-8" in play.steps[0].output


def test_t13_a_rejected_try_leaves_no_trace_in_the_world_and_shares_its_parent():
    play = Play([TryingAgent(rejects=2, programs=["sleep(1)"])], steps=6, reset_states=True).all()
    rows = [(s.agent_step, s.try_, s.accepted, s.tick_before, s.tick_after) for s in play.steps]
    assert rows == [
        (0, 0, False, 0, 60),
        (0, 1, False, 0, 60),
        (0, 2, True, 0, 60),
        (1, 0, False, 60, 120),
        (1, 1, False, 60, 120),
        (1, 2, True, 60, 120),
    ]
    assert [s.parent_id for s in play.steps[:3]] == [None, None, None]
    assert {s.parent_id for s in play.steps[3:]} == {play.steps[2].program_id}


def test_t13_variables_of_a_rejected_try_are_gone():
    agent = TryingAgent(rejects=1, programs=["x = 1", "print(x)"])
    play = Play([agent], steps=2, reset_states=True).all()
    assert [s.accepted for s in play.steps] == [False, True]
    assert play.steps[1].error_type == "NameError"


def test_t13_others_wait_until_a_turn_is_done():
    play = Play([TryingAgent(rejects=1), FakeAgent()], TWO, steps=2, reset_states=True).all()
    assert order(play) == [0, 0, 1, 1]


@pytest.mark.parametrize("after", range(6))
def test_t13_tries_survive_a_resume(after):
    def play(resume=None, tries=0):
        agent = TryingAgent(rejects=2, programs=["x = 1", "sleep(2)"])
        agent.tries = tries
        return Play([agent], steps=6, reset_states=True, resume=resume).all()

    whole = play()
    rest = play(resume_after(whole, after), tries=after % 3)
    assert comparable(whole.steps[:after]) + comparable(rest.steps) == comparable(whole.steps)


def test_t14_a_record_holds_parent_depth_tokens_reward_value_achievements_and_the_time_of_each_phase():
    play = Play([ModelAgent(["harvest_resource('coal', 3)", "build('iron-ore', 6)", "sleep(60)"])], steps=3).all()
    steps = play.steps
    assert [s.parent_id for s in steps] == [None, steps[0].program_id, steps[1].program_id]
    assert [s.depth for s in steps] == [0, 1, 2]
    first, last = steps[0], steps[2]
    assert (first.prompt_tokens, first.completion_tokens, first.total_tokens, first.cost_usd) == (100, 10, 110, 0.25)
    assert first.model == "fake-model" and first.waited_s == 0.5
    assert first.reward == 6.0  # three coal at 2 each
    assert first.achievements_static == {"coal": 3} and first.achievements_dynamic == {}
    assert last.achievements_dynamic == {"iron-ore": 6}
    assert last.value == 18.0  # six ore at 3 each, made by machines
    assert last.wall_s == pytest.approx(last.act_wall_s + last.run_wall_s + last.judge_wall_s)
    assert (last.tick_before, last.tick_after) == (0, 3600)


def test_t14_tool_calls_are_recorded_with_their_refusals():
    play = Play([FakeAgent(["harvest_resource('coal', 1)\nrefuse()"])], steps=1).all()
    calls = play.items[1].calls
    assert [(c.tool, c.call_idx) for c in calls] == [("harvest_resource", 0), ("refuse", 1)]
    assert calls[0].error_message is None and "always" in calls[1].error_message


@pytest.mark.parametrize(
    ("agents", "task", "options", "reason"),
    [
        ([BuilderAgent()], "iron_ore_throughput", {}, "success"),
        ([FakeAgent()], "iron_ore_throughput", {}, "steps"),
        ([FakeAgent()], "open_play", {"budget": Budget(ticks=100)}, "budget"),
        ([FakeAgent(), FakeAgent()], TWO, {}, "steps"),
        ([RaisingAgent("act")], "open_play", {}, "error"),
        ([RaisingAgent("observe")], "open_play", {}, "error"),
        ([RaisingAgent("reset")], "open_play", {}, "error"),
        ([ModelAgent(down_at=1)], "open_play", {}, "error"),
        ([FakeAgent()], "open_play", {"control": lambda: "cancel"}, "cancelled"),
        ([FakeAgent()], "open_play", {"control": lambda: "drain"}, "cancelled"),
        ([FakeAgent()], "open_play", {"control": lambda: "budget"}, "budget"),
    ],
)
def test_t15_every_agent_is_told_the_end_once_with_its_reason(agents, task, options, reason):
    play = Play(agents, task, **options).all()
    assert [agent.ended for agent in agents] == [[reason]] * len(agents)
    if not isinstance(play.record, Stopped):
        assert play.record.reason == reason


def test_t15_end_is_told_when_the_game_fails_and_when_the_loop_is_abandoned():
    failing = FakeAgent()
    with pytest.raises(EngineError):
        Play([failing], engine=FakeInstance(fail_at=2)).all()
    abandoned = FakeAgent()
    play = Play([abandoned])
    next(play.generator)
    play.generator.close()
    assert (failing.ended, abandoned.ended) == (["error"], ["cancelled"])


def test_t15_an_end_that_raises_spoils_no_verdict_and_is_kept():
    play = Play([RaisingAgent("end", at=1)], steps=2).all()
    assert play.record.status == "ended"
    assert "the agent broke in end" in json.loads(play.record.extra)["end_errors"][0]


def test_t15_the_last_step_says_terminated_or_truncated():
    success = Play([BuilderAgent()], "iron_ore_throughput").all()
    assert [(s.terminated, s.truncated) for s in success.steps] == [(False, False), (True, False)]
    out_of_steps = Play([FakeAgent()], "iron_ore_throughput", steps=2).all()
    assert [(s.terminated, s.truncated) for s in out_of_steps.steps] == [(False, False), (False, True)]
    assert (out_of_steps.record.success, out_of_steps.record.value) == (False, 0.0)


def test_t16_an_agent_that_raises_is_an_agent_error_with_its_traceback_and_no_score():
    record = Play([RaisingAgent("act", at=1)], "iron_ore_throughput").all().record
    assert (record.status, record.error_kind, record.steps) == ("agent_error", "LookupError", 1)
    assert record.value is None and record.success is None
    assert "the agent broke in act" in record.error_message
    assert "in _maybe" in record.error_traceback


def test_t16_a_step_is_recorded_even_when_the_agent_then_raises():
    play = Play([RaisingAgent("observe", at=1)]).all()
    assert len(play.steps) == 1 and play.record.status == "agent_error"


def test_t16_an_answer_that_is_no_policy_is_an_agent_error_that_says_so():
    record = Play([NotAPolicyAgent()]).all().record
    assert record.status == "agent_error" and "act returned 'sleep(1)'; expected a Policy" in record.error_message


def test_t16_a_completion_that_is_none_is_an_agent_error():
    class Wrong(FakeAgent):
        def check_step_completion(self, outcome):
            return True

    play = Play([Wrong()]).all()
    assert len(play.steps) == 1 and "expected a Completion" in play.record.error_message


def test_t16_a_failing_service_is_a_provider_error_and_no_score():
    record = Play([ModelAgent(down_at=1)], "iron_ore_throughput").all().record
    assert (record.status, record.reason, record.value) == ("provider_error", "error", None)


@pytest.mark.parametrize("failure", ["raise", "bug"])
def test_t16_a_failing_game_raises_with_run_episode_and_step(failure):
    play = Play([FakeAgent()], engine=FakeInstance(fail_at=2, failure=failure))
    with pytest.raises(EngineError) as caught:
        play.all()
    assert (caught.value.run_id, caught.value.episode_id, caught.value.step) == ("r1", play.spec.episode_id, 1)
    assert len(play.steps) == 1  # the one before was handed over


# T17 (progress) is in test_progress.py.

# ---- one environment step; the environment's own tests hold these rows too


def test_t18_the_interpreter_says_what_an_error_is():
    play = Play([FakeAgent(["print('error: exception: none')", "1 / 0", "def"])], steps=3).all()
    assert [(s.error_kind, s.error_type) for s in play.steps] == [
        (None, None),
        ("exception", "ZeroDivisionError"),
        ("syntax", "SyntaxError"),
    ]


def test_t18_a_killed_program_leaves_world_and_variables_as_they_were():
    play = Play([FakeAgent(["x = 1", "x = 2\nsleep(5)\nhang()", "print(x)"])], steps=3).all()
    killed = play.steps[1]
    assert killed.error_kind == "timeout" and killed.tick_after == killed.tick_before
    assert "(1,)" in play.steps[2].output


def test_t19_throughput_is_the_best_window_against_the_quota_and_the_agent_is_told():
    agent = FakeAgent(["build('iron-ore', 5, 12, 12)"])
    play = Play([agent], "iron_ore_throughput", steps=1).all()
    step = play.steps[0]
    assert (step.value, step.reward, step.success) == (12.0, 12.0, False)
    assert step.judge_ticks == 3 * 3600  # 5, then 12, then 12 again: no better, so it stops
    assert "12 iron-ore per 60 seconds" in agent.observed[0].output


def test_t19_measuring_on_a_fork_costs_the_episode_no_time():
    play = Play(
        [FakeAgent(["build('iron-ore', 10)"])], "iron_ore_throughput", steps=1, task_parameters={"measure": "fork"}
    ).all()
    assert (play.steps[0].value, play.steps[0].tick_after) == (10.0, 0)


def test_t20_reward_is_the_gain_of_the_step_and_the_penalty_is_charged_on_errors_only():
    programs = ["harvest_resource('coal', 5)", "harvest_resource('coal', 1)\n1 / 0"]
    play = Play([FakeAgent(programs)], steps=2, env={"error_penalty": 7.0}).all()
    assert [s.reward for s in play.steps] == [10.0, 2.0 - 7.0]


def test_t21_flows_inventory_score_and_ticks_of_the_step_are_recorded():
    programs = ["harvest_resource('iron-ore', 4)", "craft_item('iron-plate', 2, 'iron-ore', 2)"]
    step = Play([FakeAgent(programs)], steps=2).all().steps[1]
    assert (step.produced, step.consumed, step.crafted) == ({"iron-plate": 2}, {"iron-ore": 2}, {"iron-plate": 2})
    assert step.inventory == {"iron-ore": 2, "iron-plate": 2}
    assert (step.score, step.automated_score) == (4 * 3 + 2 * 5 - 2 * 3, 0.0)


def test_t22_what_an_agent_is_shown_is_in_the_observation_space():
    agent = FakeAgent(["build('iron-ore', 5)", "print('x')"])
    play = Play([agent], steps=2).all()
    for seen in [*agent.seen, *(o.observation for o in agent.observed)]:
        assert play.env.observation_space.contains(seen.fields)


# ---- budgets and control


@pytest.mark.parametrize(
    ("budget", "steps"),
    [
        (Budget(steps=2), 2),
        (Budget(tokens=200), 2),  # 110 a step
        (Budget(cost_usd=0.75), 3),  # a quarter each
        (Budget(ticks=121), 3),  # 60 a step
        (Budget(wall_s=0.0), 1),
        (Budget(working_s=0.0), 1),
    ],
)
def test_a_budget_ends_the_episode_after_the_step_that_reaches_it(budget, steps):
    play = Play([ModelAgent()], "iron_ore_throughput", steps=9, budget=budget, task_parameters={"measure": "fork"})
    record = play.all().record
    assert (record.status, record.reason, record.steps) == ("ended", "budget", steps)
    assert play.steps[-1].truncated and record.success is False and record.value == 0.0
    assert "budget of" in json.loads(record.extra)["note"]


def test_a_resumed_episode_whose_budget_is_used_up_ends_without_another_step():
    whole = Play([ModelAgent()], steps=9, budget=Budget(steps=2)).all()
    rest = Play([ModelAgent()], steps=9, budget=Budget(steps=2), resume=resume_after(whole, 2)).all()
    assert rest.steps == [] and rest.record.reason == "budget"


def test_draining_stops_between_two_steps_without_a_record():
    orders = iter([None, None, "drain"])
    play = Play([FakeAgent()], steps=9, control=lambda: next(orders)).all()
    assert len(play.steps) == 2 and isinstance(play.record, Stopped)


def test_the_next_step_begins_only_when_asked_for():
    agent = FakeAgent()
    play = Play([agent], steps=3)
    next(play.generator)  # opening
    next(play.generator)
    assert len(agent.seen) == 1


def test_completion_defaults_leave_the_turn_to_the_order_of_turns():
    assert Completion().turn_done is None and Completion().accept


def test_sums_of_what_nobody_counted_are_null():
    record = Play([FakeAgent()], steps=2).all().record
    assert record.total_tokens is None and record.cost_usd is None
    counted = Play([ModelAgent()], steps=2).all().record
    assert (counted.total_tokens, counted.cost_usd, counted.waited_s) == (220, 0.5, 1.0)


def test_serial_runs_give_the_same_steps_twice(tmp_path):
    run(tmp_path / "a", seeds=[0, 1])
    run(tmp_path / "b", seeds=[0, 1])
    assert steps_without_times(tmp_path / "a") == steps_without_times(tmp_path / "b")


def test_a_policy_can_be_journalled_as_json():
    reply = next(i for i in Play([ModelAgent()], steps=1).all().items if isinstance(i, Reply))
    again = json.loads(json.dumps(reply.reply))
    assert Policy(**again["policy"]).prompt_tokens == 100
