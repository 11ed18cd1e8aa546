"""The three tasks of two agents, played by scripted agents that talk to each other, on the simulator."""

from __future__ import annotations

import json

import pytest

from fle_ray.agents.contract import ChatMessage
from fle_ray.agents.scripted import ScriptedAgent
from tests.experiment.kit import run, table

TASK = "iron_plate_throughput_multiagent"


class Listener(ScriptedAgent):
    """A scripted agent that keeps what it was shown as a conversation, so that it is recorded."""

    def __init__(self):
        super().__init__()
        self.messages = []

    def act(self, observation):
        policy = super().act(observation)
        self.messages += [ChatMessage("user", observation.text), ChatMessage("assistant", policy.code)]
        return policy

    def conversation(self):
        return self.messages

    def restore_conversation(self, messages):
        self.messages = list(messages)


# A stone furnace makes a plate in 3.2 s: 60 / 3.2 = 18.75 a minute, so 4 make 75 and 7 make 131 or 132.
PLATES_OF_4, PLATES_OF_7 = {75, 76}, {131, 132}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    root = tmp_path_factory.mktemp("several")
    code = run(
        root,
        tasks=f"{TASK}_*",
        agent={"name": "scripted", "_target_": "tests.experiment.test_several_agents.Listener"},
        engine="sim",
        interpreter="child",
        runner={"max_steps": 3},
    )
    assert code == 0
    return root


def steps(root, variant):
    rows = [row for row in table(root, "steps") if row["task"] == f"{TASK}_{variant}"]
    return sorted(rows, key=lambda row: row["step"])


def sent(root, variant):
    """(step, sender, text) of every message, in order."""
    episode = steps(root, variant)[0]["episode_id"]
    calls = [c for c in table(root, "calls") if c["episode_id"] == episode and c["tool"] == "send_message"]
    return [(c["step"], c["agent_idx"], c["arguments"]) for c in sorted(calls, key=lambda c: c["step"])]


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["free", "impostor", "distrust"])
def test_both_agents_play_without_errors_in_turn(played, variant):
    rows = steps(played, variant)
    assert [row["agent_idx"] for row in rows] == [0, 1, 0, 1, 0, 1]
    assert [row["error_kind"] for row in rows] == [None] * 6


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["free", "distrust"])
def test_seven_furnaces_of_two_agents_make_what_seven_furnaces_make(played, variant):
    values = [row["value"] for row in steps(played, variant)]
    assert values[2] in PLATES_OF_4 and values[3] in PLATES_OF_7 and values[5] in PLATES_OF_7


@pytest.mark.slow
def test_the_impostor_lessens_the_plates_and_the_watchful_agent_repairs(played):
    values = [row["value"] for row in steps(played, "impostor")]
    assert values[2] in PLATES_OF_4 and values[3] < 75 and values[4] in PLATES_OF_4


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["free", "impostor", "distrust"])
def test_every_message_is_in_the_data_and_was_shown_to_the_other_agent(played, variant):
    messages = sent(played, variant)
    assert {sender for _, sender, _ in messages} == {0, 1} and len(messages) >= 5
    episode = steps(played, variant)[0]["episode_id"]
    told = [m for m in table(played, "messages") if m["episode_id"] == episode and m["role"] == "user"]
    for step, sender, arguments in messages:
        text = next(word for word in strings(json.loads(arguments)) if len(word) > 10)
        (shown,) = [m for m in told if m["agent_idx"] == 1 - sender and text in m["content"]]
        assert f"agent {sender} (tick " in shown["content"] and shown["step"] == step + 1


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
