"""T7, T8 for agents that talk with a model: resumed anywhere, they ask the same questions and play the same steps."""

from __future__ import annotations

import dataclasses
import hashlib

import pytest

from fle_ray.agents.clients import ModelReply
from fle_ray.agents.history import make_history
from fle_ray.agents.language_model import LanguageModelAgent
from fle_ray.experiment.episode import Opening, Step
from tests.experiment.kit import Play
from tests.experiment.test_trajectory import TWO, comparable, resume_after

PROGRAMS = ["x = {n}", "sleep({n})\nprint(x)", "harvest_resource('coal', {n})", "send_message('{n}')", "no program"]


class HashingModel:
    """Answers by a hash of all it is sent, so any difference in a conversation changes the play."""

    def complete(self, request):
        text = "\n".join(f"{m.role}: {m.content}" for m in request.messages)
        n = hashlib.sha256(text.encode()).digest()[0]
        program = PROGRAMS[n % len(PROGRAMS)].format(n=n % 7 + 1)
        answer = program if program == "no program" else f"Let us see.\n```python\n{program}\n```"
        fields = {f.name for f in dataclasses.fields(ModelReply)}
        known = {"text": answer, "model": "hashing", "prompt_tokens": len(text), "completion_tokens": len(answer)}
        return ModelReply(**{k: v for k, v in known.items() if k in fields})


def agents(history):
    return [LanguageModelAgent(HashingModel(), "hashing", history=make_history(history)) for _ in range(2)]


@pytest.mark.parametrize(
    "history", ["full", {"kind": "window", "exchanges": 1}, {"kind": "summary", "every": 2, "keep": 1}]
)
@pytest.mark.parametrize("replies_too", [True, False])
def test_t8_a_conversation_resumed_after_any_step_goes_on_word_for_word(history, replies_too):
    whole = Play(agents(history), TWO, steps=4).all()
    said = [[m.content for m in agent.conversation()] for agent in whole.agents]
    assert len({step.code for step in whole.steps}) > 2
    for after in range(8):
        players = agents(history)
        rest = Play(players, TWO, steps=4, resume=resume_after(whole, after, replies_too=replies_too)).all()
        assert comparable(whole.steps)[after:] == comparable(rest.steps), after
        assert [[m.content for m in agent.conversation()] for agent in players] == said, after


def test_t8_a_single_agents_conversation_resumed_after_any_step_goes_on_word_for_word():
    def player():
        return LanguageModelAgent(HashingModel(), "hashing")

    whole = Play([player()], steps=6).all()
    for after in range(6):
        rest = Play([player()], steps=6, resume=resume_after(whole, after, replies_too=False)).all()
        assert comparable(whole.steps)[after:] == comparable(rest.steps), after


def test_t9_t14_the_recorded_messages_are_the_conversation_and_a_program_points_to_what_it_came_from():
    agent = LanguageModelAgent(HashingModel(), "hashing")
    play = Play([agent], steps=3).all()
    messages = [m for item in play.items if isinstance(item, (Opening, Step)) for m in item.messages]
    assert [m.idx for m in messages] == list(range(len(messages)))
    assert [m.content for m in messages] == [m.content for m in agent.conversation()]
    assert messages[0].role == "system" and "manual for agent 0" in messages[0].content
    for step in play.steps:
        answer = messages[step.conversation_length]
        assert answer.role == "assistant" and (step.code is None or step.code.strip() in answer.content)
