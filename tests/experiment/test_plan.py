"""An experiment's episodes: which they are, and what their ids depend on."""

from __future__ import annotations

import random

from fle_ray.experiment.spec import AgentSpec, EpisodeSpec
from fle_ray.tasks import task_names
from tests.experiment.kit import plan_of

DRILL = "iron_ore_throughput"
PLATE = "iron_plate_throughput"


def ids(plan):
    return [spec.episode_id for spec in plan.episodes]


def test_a_plan_is_tasks_by_seeds_by_trials_in_this_order(tmp_path):
    plan = plan_of(tmp_path, tasks=[PLATE, DRILL], seeds=[3, 1], trials=2)
    assert [(s.task, s.seed, s.trial) for s in plan.episodes] == [
        (PLATE, 3, 0), (PLATE, 3, 1), (PLATE, 1, 0), (PLATE, 1, 1),
        (DRILL, 3, 0), (DRILL, 3, 1), (DRILL, 1, 0), (DRILL, 1, 1),
    ]  # fmt: skip
    assert len(set(ids(plan))) == 8


def test_tasks_take_names_globs_and_lists_and_each_is_played_once(tmp_path):
    every = [name for name in task_names() if name.endswith("_throughput")]
    assert plan_of(tmp_path, tasks="*_throughput").tasks == every
    assert plan_of(tmp_path, tasks=[DRILL, "iron_*_throughput"]).tasks[0] == DRILL
    assert len(plan_of(tmp_path, tasks=[DRILL, DRILL], seeds=[0, 0]).episodes) == 1


def test_seeds_take_a_number_a_list_and_a_range_with_both_ends(tmp_path):
    assert [s.seed for s in plan_of(tmp_path, seeds=7).episodes] == [7]
    assert [s.seed for s in plan_of(tmp_path, seeds="0..3").episodes] == [0, 1, 2, 3]
    assert [s.seed for s in plan_of(tmp_path, seeds=[9, "1..2"]).episodes] == [9, 1, 2]


def test_ids_do_not_depend_on_order_parallelism_backend_or_folders(tmp_path):
    first = plan_of(tmp_path, tasks=[DRILL, PLATE], seeds=[0, 1])
    other = plan_of(
        tmp_path / "elsewhere",
        tasks=[PLATE, DRILL],
        seeds=[1, 0],
        runner={"backend": "ray", "instances": 7, "progress": "plain", "max_episode_retries": 0, "log_dir": "x"},
        dataset={"states": "all", "fsync": True},
        run={"id": "another"},
        budgets={"run": {"tokens": 5}},
        agent={"name": "builder", "_target_": "tests.fakes.BuilderAgent", "placement": "actor"},
    )
    assert sorted(ids(first)) == sorted(ids(other))


def test_ids_depend_on_all_that_defines_an_episode(tmp_path):
    changes = [
        {},
        {"name": "other"},
        {"seeds": [1]},
        {"task": {"measure": "fork"}},
        {"task": {"quota": 17}},
        {"agent": {"name": "builder", "_target_": "tests.fakes.BuilderAgent", "rate": 19}},
        {"agent": {"name": "b", "_target_": "tests.fakes.BuilderAgent"}},
        {"engine": {"name": "fake", "_target_": "tests.fakes.FakeInstance", "settle_ticks": 1}},
        {"runner": {"max_steps": 5}},
        {"runner": {"turns": "agent_by_agent"}},
        {"runner": {"reset_states": True}},
        {"runner": {"step_wall_s": 60.0}},
        {"runner": {"max_ticks_per_step": 1000}},
        {"budgets": {"episode": {"tokens": 5}}},
        {"env": {"error_penalty": 1.0}},
        {"version": "2"},
    ]
    found = [ids(plan_of(tmp_path, **change))[0] for change in changes]
    assert len(set(found)) == len(changes)


def test_the_id_is_the_hash_of_the_definition_and_survives_a_shuffled_mapping():
    import hashlib

    parameters = {f"p{i}": i for i in range(20)}
    shuffled = list(parameters.items())
    random.Random(1).shuffle(shuffled)
    first = EpisodeSpec("x", DRILL, (AgentSpec("a", None, parameters),))
    second = EpisodeSpec("x", DRILL, (AgentSpec("a", None, dict(shuffled)),))
    assert first.episode_id == second.episode_id
    assert hashlib.sha256(first.definition_json.encode()).hexdigest().startswith(first.episode_id)


def test_a_parameter_goes_to_the_tasks_that_have_it(tmp_path):
    plan = plan_of(tmp_path, tasks=[DRILL, "open_play"], task={"measure": "fork"})
    assert [dict(s.task_parameters) for s in plan.episodes] == [{"measure": "fork"}, {}]


def test_steps_are_the_tasks_own_unless_the_runner_says_otherwise(tmp_path):
    tasks = [DRILL, "iron_plate_throughput_multiagent_free"]
    own = plan_of(tmp_path, tasks=tasks, runner={"max_steps": None})
    assert [s.limits.max_steps for s in own.episodes] == [64, 16]
    assert [s.limits.max_steps for s in plan_of(tmp_path, tasks=tasks).episodes] == [4, 4]


def test_agents_are_one_for_all_or_listed_in_their_order(tmp_path):
    task = "iron_plate_throughput_multiagent_free"
    one = plan_of(tmp_path, tasks=task).episodes[0]
    assert [a.name for a in one.agents] == ["builder", "builder"] and one.agent_names == "builder"
    two = plan_of(tmp_path, tasks=task, agents={"first": {"name": "idle"}, "second": "random"}).episodes[0]
    assert [a.name for a in two.agents] == ["idle", "random"] and two.agent_names == "idle+random"


def test_tasks_that_cannot_be_played_yet_are_named_and_left_out(tmp_path):
    (tmp_path / "programs" / DRILL).mkdir(parents=True)
    (tmp_path / "programs" / DRILL / "01_only.py").write_text("print(1)")
    agent = {"name": "scripted", "folder": str(tmp_path / "programs")}
    plan = plan_of(tmp_path, tasks=[DRILL, "open_play"], agent=agent)
    assert plan.tasks == [DRILL]
    assert [(n.task, n.why) for n in plan.not_supported] == [("open_play", "no reference program")]
