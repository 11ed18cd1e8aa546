"""The real thing end to end: simulator, isolated child, catalogue tasks, reference programs."""

from __future__ import annotations

import signal

import pytest

from fle_ray.experiment.episode import Step
from tests.experiment.kit import FAKED, launch, run, steps_without_times, table
from tests.experiment.test_run import steps_of

REAL = {"engine": {"name": "sim"}, "interpreter": {"name": "child"}}
LAB = ["iron_ore_throughput", "iron_plate_throughput"]


def programs(*texts):
    return {"name": "programs", "_target_": "tests.fakes.FakeAgent", "programs": list(texts)}


def test_the_reference_programs_reach_the_quota_for_every_seed(tmp_path):
    assert run(tmp_path, **REAL, tasks=LAB, seeds=[0, 1, 2], agent={"name": "scripted"}) == 0
    rows = table(tmp_path, "episodes")
    assert len(rows) == 6 and all(row["success"] and row["value"] >= 16 for row in rows)


def test_doing_nothing_fails_with_value_0(tmp_path):
    assert run(tmp_path, **REAL, tasks=LAB, agent={"name": "idle"}, runner={"max_steps": 2}) == 0
    assert [(r["success"], r["value"], r["reason"]) for r in table(tmp_path, "episodes")] == [(False, 0.0, "steps")] * 2


def test_the_same_command_twice_gives_the_same_steps(tmp_path):
    for name in ("a", "b"):
        assert run(tmp_path / name, **REAL, tasks=LAB, seeds=[0, 1], agent={"name": "random"}) == 0
    assert steps_without_times(tmp_path / "a") == steps_without_times(tmp_path / "b")


def test_a_program_that_loops_and_one_that_raises_are_recorded_and_the_episode_goes_on(tmp_path):
    agent = programs("x = 1\nsleep(1)", "x = 2\nsleep(5)\nwhile True: pass", "x += 1\n1 / 0", "print(x)")
    runner = {"max_steps": 4, "step_wall_s": 1.0}
    assert run(tmp_path, **REAL, tasks="open_play", agent=agent, runner=runner) == 0
    rows = table(tmp_path, "steps")
    assert [row["error_kind"] for row in rows] == [None, "timeout", "exception", None]
    assert [row["tick_after"] for row in rows] == [60, 60, 60, 60]  # what the killed program slept is undone
    assert "(2,)" in rows[3]["output"]  # x was 1 again, then 2: the program that raised keeps what it did
    assert table(tmp_path, "episodes")[0]["status"] == "ended"


def test_limits_of_a_step_come_from_the_runner(tmp_path):
    agent = programs("for i in range(9): score()", "sleep(100)")
    runner = {"max_steps": 2, "max_calls_per_step": 5, "max_ticks_per_step": 600}
    assert run(tmp_path, **REAL, tasks="open_play", agent=agent, runner=runner) == 0
    rows = table(tmp_path, "steps")
    assert [row["error_kind"] for row in rows] == ["call_limit", "tick_limit"]
    assert rows[1]["tick_after"] == 600


def test_two_agents_talk_to_each_other_in_one_world(tmp_path):
    agents = [programs("send_message('ore is to the south')", "pass"), programs("pass", "print('read')")]
    task = "iron_plate_throughput_multiagent_free"
    assert run(tmp_path, **REAL, tasks=task, agents=agents, runner={"max_steps": 2}) == 0
    assert [row["agent_idx"] for row in table(tmp_path, "steps")] == [0, 1, 0, 1]
    calls = table(tmp_path, "calls")
    assert [call["tool"] for call in calls] == ["send_message"] and "ore is to the south" in calls[0]["arguments"]


@pytest.mark.parametrize("after", [1, 2, 3])
def test_a_real_episode_resumed_after_any_step_gives_the_same_digests(tmp_path, after):
    """World, variables, functions and random numbers go on exactly."""
    from fle_ray.agents import make_agent
    from fle_ray.experiment import build
    from fle_ray.experiment.episode import play_episode
    from fle_ray.experiment.spec import AgentSpec, EpisodeSpec, Limits, PartSpec
    from tests.experiment.test_trajectory import Play, comparable, resume_after

    texts = [
        "import random\nx = random.random()\ndef twice(n): return 2 * n",
        "spot = nearest(Resource.IronOre)\nmove_to(spot)\nprint(harvest_resource(spot, 5), twice(x))",
        "drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, spot)\ninsert_item(Prototype.Coal, drill)",
        "print(drill, random.random(), x)\nprint(get_entities())",
    ]
    agent = AgentSpec("programs", "tests.fakes.FakeAgent", {"programs": texts})
    spec = EpisodeSpec("t", "iron_ore_throughput", (agent,), limits=Limits(max_steps=4), task_definition={"quota": 16})

    def play(resume=None):
        instance = build.new_instance(PartSpec("sim"))
        env = build.new_env(spec, instance, build.new_make_session(PartSpec("child"), spec.limits))
        agents = [make_agent("programs", agent.parameters, target=agent.target)]
        try:
            items = list(play_episode(spec, env, agents, run_id="r", resume=resume))
        finally:
            env.close()
        kept = Play.__new__(Play)
        kept.items, kept.spec = items, spec
        return kept

    whole = play()
    assert sum(isinstance(item, Step) for item in whole.items) == 4
    assert [step.error_kind for step in whole.steps] == [None] * 4, [step.output for step in whole.steps]
    rest = play(resume_after(whole, after))
    # a session's bytes are opaque: they need not be the same, only mean the same
    without = [{k: v for k, v in row.items() if k != "session_state"} for row in comparable(whole.steps)[after:]]
    again = [{k: v for k, v in row.items() if k != "session_state"} for row in comparable(rest.steps)]
    assert again == without


def test_a_killed_real_run_goes_on_to_the_same_steps(tmp_path):
    """The agent's process (here the driver itself) dies with -9 as it answers for the third time."""
    words = [
        *FAKED,
        "engine=sim",
        "interpreter=child",
        "agent.name=k",
        "agent._target_=tests.experiment.test_first_light.DiesOnce",
        f"+agent.once={tmp_path}/dead",
        "runner.max_steps=5",
        "tasks=iron_plate_throughput",
    ]
    hit = launch(*words, f"run.root={tmp_path}", "run.id=hit")
    assert hit.returncode == -signal.SIGKILL
    assert launch(*words, f"run.root={tmp_path}", "run.id=hit").returncode == 0
    assert launch(*words, f"run.root={tmp_path}", "run.id=calm").returncode == 0
    hit_steps, calm_steps = steps_of(tmp_path, "hit"), steps_of(tmp_path, "calm")
    for row in [*hit_steps, *calm_steps]:
        del row["session_state"]
    assert len(calm_steps) == 5 and hit_steps == calm_steps


class DiesOnce:
    def __new__(cls, once):
        import os
        from pathlib import Path

        from tests.fakes import FakeAgent

        class Agent(FakeAgent):
            def act(self, observation):
                if observation.step == 2 and not Path(once).exists():
                    Path(once).touch()
                    os.kill(os.getpid(), signal.SIGKILL)
                return super().act(observation)

        return Agent(
            ["x = [1]", "x.append(sleep(3))", "print(x, nearest(Resource.Coal))", "def f(): return x", "print(f())"]
        )
