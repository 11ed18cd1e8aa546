"""Agents that need no model: idle, random, scripted, replay."""

from __future__ import annotations

import dataclasses
from contextlib import closing
from datetime import UTC, datetime

import pytest

import fle_ray
from fle_ray.agents import Agent, AgentStart, BaseAgent, Completion, Observation, Outcome, Policy
from fle_ray.agents.idle import IdleAgent
from fle_ray.agents.random import DEFAULT_PROGRAMS, RandomAgent
from fle_ray.agents.replay import ReplayAgent
from fle_ray.agents.scripted import ScriptedAgent, program_files, program_text, scripted_tasks
from fle_ray.dataset import RunWriter, StepRecord
from fle_ray.errors import ConfigError
from fle_ray.tasks import get_task, task_names

START = AgentStart(task="iron_ore_throughput")


def answers(agent, start=START, steps=4):
    agent.reset(start)
    return [agent.act(Observation("", step=step)) for step in range(steps)]


def test_a_base_agent_needs_act_only():
    agent = BaseAgent()
    assert isinstance(agent, Agent)
    agent.reset(START)
    outcome = Outcome("", None, 0.0, None, Observation(""))
    assert agent.check_step_completion(outcome) == Completion()
    agent.observe(Policy("pass"), outcome)
    agent.end("steps")
    with pytest.raises(NotImplementedError, match="must define act"):
        agent.act(Observation(""))


def test_idle_does_nothing():
    assert {policy.code for policy in answers(IdleAgent())} == {"pass"}


def test_random_draws_again_the_same_for_the_same_seed_trial_and_agent():
    def drawn(**changes):
        return [p.code for p in answers(RandomAgent(list("abcdefgh")), dataclasses.replace(START, **changes), 12)]

    assert drawn() == drawn()
    different = [drawn(), drawn(seed=1), drawn(trial=1), drawn(agent_idx=1)]
    assert len({tuple(row) for row in different}) == 4
    assert len(set(drawn())) > 3


@pytest.mark.parametrize("code", DEFAULT_PROGRAMS, ids=lambda code: code.splitlines()[0])
def test_the_programs_that_random_draws_from_run_from_the_start_of_lab_play(code):
    with closing(fle_ray.make_env("iron_ore_throughput", seed=0)) as env:
        env.reset()
        assert [env.step({"agent_idx": 0, "code": code})[4]["error_kind"] for _ in range(2)] == [None, None]


def test_random_can_go_on_in_the_middle():
    agent = RandomAgent(list("abcdefgh"))
    whole = [p.code for p in answers(agent, steps=6)]
    agent.reset(START)
    assert agent.act(Observation("", step=5)).code == whole[5]


@pytest.fixture
def programs(tmp_path):
    home = tmp_path / "iron_ore_throughput"
    home.mkdir()
    (home / "02_second.py").write_text("second = 'größe'", encoding="utf-8")
    (home / "01_first.py").write_text("first = 1")
    two = tmp_path / "together"
    for i in range(2):
        (two / f"agent_{i}").mkdir(parents=True)
        (two / f"agent_{i}" / "01_only.py").write_text(f"me = {i}")
    (tmp_path / "empty").mkdir()
    return str(tmp_path)


def test_scripted_plays_its_files_in_order_and_idles(programs):
    policies = answers(ScriptedAgent(programs), steps=3)
    assert [p.code for p in policies] == ["first = 1", "second = 'größe'", "pass"]
    assert [p.meta["program"] for p in policies] == ["01_first", "02_second", "idle"]


def test_scripted_can_stop_instead(programs):
    last = answers(ScriptedAgent(programs, afterwards="stop"), steps=3)[-1]
    assert (last.code, last.meta["reason"]) == (None, "all 2 programs have been played")


def test_each_agent_of_a_task_plays_its_own_folder(programs):
    starts = [AgentStart(task="together", agent_idx=i, agents=2) for i in range(2)]
    assert [answers(ScriptedAgent(programs), s, 1)[0].code for s in starts] == ["me = 0", "me = 1"]


def test_a_task_without_programs_names_those_that_have_some(programs):
    assert scripted_tasks(programs) == ["iron_ore_throughput", "together"]
    with pytest.raises(ConfigError, match="no programs for task 'open_play'.*iron_ore_throughput, together"):
        ScriptedAgent(programs).reset(AgentStart(task="open_play"))


def test_a_plan_can_ask_which_tasks_are_supported(programs):
    assert ScriptedAgent.supports("together", folder=programs) is None
    assert ScriptedAgent.supports("open_play", folder=programs, afterwards="stop") == "no reference program"
    assert ScriptedAgent.supports("iron_ore_throughput") is None


def test_our_reference_programs_belong_to_tasks_and_are_python():
    assert set(scripted_tasks()) <= set(task_names())
    for task in scripted_tasks():
        for path in program_files(task):
            compile(path.read_text(encoding="utf-8"), path.name, "exec")


def recorded(run, episode, seed, codes, agent="scripted", agent_idx=0, rejected=()):
    for step, code in enumerate(codes):
        run.append(
            StepRecord(
                name="lab",
                run_id=run.run_id,
                episode_id=episode,
                program_id=f"{episode}-{agent_idx}-{step}",
                task="iron_ore_throughput",
                agent=agent,
                seed=seed,
                trial=0,
                step=step,
                agent_idx=agent_idx,
                agent_step=step,
                accepted=step not in rejected,
                code=code,
                tick_before=0,
                tick_after=0,
                started_at=datetime(2026, 1, 1, tzinfo=UTC),
            ),
            [],
            [],
            states={},
        )


def test_replay_plays_the_programs_of_the_same_task_seed_and_agent(tmp_path):
    with RunWriter(tmp_path / "r1") as run:
        recorded(run, "e0", 0, ["a = 1", None, "b = 2"])
        recorded(run, "e1", 1, ["other = 1"])
    policies = answers(ReplayAgent(str(tmp_path / "r1")), steps=4)
    assert [p.code for p in policies] == ["a = 1", None, "b = 2", "pass"]
    assert policies[0].meta == {"replayed": "e0-0-0"}
    assert "no program" in policies[1].meta["reason"]
    with RunWriter(tmp_path / "r2") as run:
        recorded(run, "e0", 0, ["kept = 1", "refused = 1", "kept = 2"], rejected=[1])
    assert [p.code for p in answers(ReplayAgent(str(tmp_path / "r2")), steps=2)] == ["kept = 1", "kept = 2"]
    by_id = ReplayAgent(str(tmp_path / "r1"), episode_id="e1")
    assert answers(by_id, steps=1)[0].code == "other = 1"


def test_replay_refuses_what_it_cannot_decide(tmp_path):
    with RunWriter(tmp_path / "r1") as run:
        recorded(run, "e0", 0, ["a = 1"])
        recorded(run, "e2", 0, ["b = 1"], agent="random")
    path = str(tmp_path / "r1")
    with pytest.raises(ConfigError, match="has 2 episodes"):
        ReplayAgent(path).reset(START)
    with pytest.raises(ConfigError, match="no steps with task 'open_play'"):
        ReplayAgent(path).reset(AgentStart(task="open_play"))
    with pytest.raises(ConfigError, match="There is no run at"):
        ReplayAgent(str(tmp_path / "r9")).reset(START)
    assert answers(ReplayAgent(path, agent="random"), steps=1)[0].code == "b = 1"


# Those of several agents are played in tests/experiment/test_several_agents.py.
ALONE = [task for task in scripted_tasks() if get_task(task).agents == 1 and get_task(task).quota is not None]


@pytest.mark.parametrize("task", ALONE)
def test_our_reference_programs_reach_the_quota_and_keep_it_for_ten_minutes_with_nobody_there(task):
    with closing(fle_ray.make_env(task, seed=0)) as env:
        agent = ScriptedAgent()
        agent.reset(AgentStart(task=task))
        env.reset()
        for step in range(len(program_files(task))):
            *_, terminated, _, info = env.step({"agent_idx": 0, "code": agent.act(Observation("", step=step)).code})
            assert info["program"].error is None
        assert terminated
        assert info["verdict"].success
        assert min(minutes_untouched(env.unwrapped, 10)) >= get_task(task).quota


@pytest.mark.slow
@pytest.mark.parametrize("task", ["iron_ore_throughput", "iron_plate_throughput"])
def test_ore_and_plates_come_for_an_hour_without_fuel_by_hand(task):
    with closing(fle_ray.make_env(task, seed=0)) as env:
        env.reset()
        for path in program_files(task):
            env.step({"agent_idx": 0, "code": program_text(path)})
        assert min(minutes_untouched(env.unwrapped, 60)) >= get_task(task).quota


def minutes_untouched(env, minutes):
    """What machines made of the task's target in each minute after the last program."""
    made = []
    for _ in range(minutes):
        before = env.instance.flows()
        env.instance.advance(3600)
        made.append(env.instance.flows().since(before).automated().get(env.task.target, 0))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_our_open_play_programs_come_from_nothing_to_machines_making_two_science_packs(seed):
    with closing(fle_ray.make_env("open_play", seed=seed)) as env:
        agent = ScriptedAgent()
        agent.reset(AgentStart(task="open_play"))
        env.reset()
        for step in range(len(program_files("open_play"))):
            *_, info = env.step({"agent_idx": 0, "code": agent.act(Observation("", step=step)).code})
            assert info["program"].error is None
        made = env.unwrapped.instance.flows().automated()
        assert made["automation-science-pack"] >= 75 + 20 + 50 + 40  # the units of four technologies
        assert made["logistic-science-pack"] >= 40  # automation 2 takes as many


@pytest.mark.parametrize("task", ["iron_ore_throughput", "iron_plate_throughput"])
def test_idling_is_worth_nothing(task):
    with closing(fle_ray.make_env(task, seed=0)) as env:
        env.reset()
        code = answers(IdleAgent(), steps=1)[0].code
        assert [env.step({"agent_idx": 0, "code": code})[1] for _ in range(2)] == [0.0, 0.0]
