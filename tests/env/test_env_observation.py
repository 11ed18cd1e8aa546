"""The observation dictionary: what is under each key."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from enum import Enum

from fle_ray.env import FactorioEnv
from fle_ray.env.plain import as_json, as_plain
from fle_ray.tasks import get_task
from tests.env.fakes import FakeInstance, FakeInterpreter


def first(task="iron_plate_throughput_multiagent_impostor"):
    env = FactorioEnv(FakeInstance(), get_task(task), make_session=FakeInterpreter)
    return env, env.reset(seed=0)[0]


def test_the_keys_are_those_of_the_published_observation_and_the_production_score():
    assert set(first()[1]) == {
        "raw_text",
        "map_image",
        "entities",
        "inventory",
        "research",
        "game_info",
        "score",
        "production_score",
        "automated_score",
        "flows",
        "task_verification",
        "messages",
        "serialized_functions",
        "task_info",
        "character_positions",
    }


def test_a_first_observation_has_the_goal_and_no_output():
    env, observation = first()
    assert (observation["raw_text"], observation["score"], observation["map_image"]) == ("", 0.0, "")
    assert observation["task_info"]["goal_description"] == env.task.goal
    assert observation["task_info"]["agent_instructions"] == env.task.instructions(0)
    assert observation["task_info"]["trajectory_length"] == 16
    assert observation["inventory"][0] == {"type": "coal", "quantity": 500}
    assert observation["game_info"] == {"tick": 0, "time": 0.0, "speed": 1.0}


def test_research_carries_ingredients_and_the_word_none_when_nothing_runs():
    research = first()[1]["research"]
    assert research["current_research"] == "None"
    assert research["technologies"][0]["ingredients"] == ({"item": "automation-science-pack", "amount": 1.0},)


def test_entities_are_json_texts_and_typed_objects_are_in_the_info():
    env, _ = first("open_play")
    observation, *_, info = env.step({"agent_idx": 0, "code": "build('coal', 1)\nsleep(60)"})
    assert json.loads(observation["entities"][0]) == {
        "name": "fake-machine",
        "position": {"x": 0.5, "y": 0.5},
        "status": "working",
        "makes": "coal",
    }
    assert info["entities"][0].position == {"x": 0.5, "y": 0.5}
    assert observation["game_info"]["time"] == 60.0


def test_a_picture_is_taken_when_there_is_something_that_draws():
    env = FactorioEnv(
        FakeInstance(),
        get_task("open_play"),
        make_session=FakeInterpreter,
        vision=lambda instance, agent_idx: f"{instance.tick}/{agent_idx}",
    )
    assert env.reset(seed=0)[0]["map_image"] == "0/0"


class Colour(Enum):
    RED = "red"
    PAIR = ("a", "b")


@dataclass
class Point:
    x: float
    tags: set


def test_game_values_become_plain_json():
    assert as_plain({"c": Colour.RED, "p": Colour.PAIR, "n": math.nan, 1: (1, 2)}) == {
        "c": "red",
        "p": "PAIR",
        "n": None,
        "1": [1, 2],
    }
    assert as_plain(Point(1.0, {"b", "a"})) == {"x": 1.0, "tags": ["a", "b"]}
    assert as_json({"größe": 1}) == '{"größe":1}'
