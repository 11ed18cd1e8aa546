from __future__ import annotations

import pytest

from fle_ray.game.contracts import Message
from tests.tools.cases import case


@case("send_message", "alone it does nothing and returns True")
def test_alone_nothing_happens(game):
    assert game.send_message("is anybody there?") is True
    assert game.instance.messages() == []


@case("send_message", "to everybody else without a recipient, with sender and game time")
def test_to_everybody(make):
    game = make({}, agents=3)
    game.agent = 1
    game.sleep(2)
    assert game.send_message("iron is done", metadata={"ignored": True}) is True
    assert game.instance.messages() == [Message(1, None, "iron is done", 120)]


@case("send_message", "to one, by number or as text")
@pytest.mark.parametrize("recipient", [1, "1", "agent_1"])
def test_to_one(make, recipient):
    game = make({}, agents=2)
    assert game.send_message("hello", recipient=recipient) is True
    assert game.instance.messages()[0].recipient == 1


@case("send_message", "False for a recipient that does not exist")
@pytest.mark.parametrize("recipient", [2, -1, "bob"])
def test_to_nobody(make, recipient):
    game = make({}, agents=2)
    assert game.send_message("hello", recipient=recipient) is False
    assert game.instance.messages() == []


@case("send_message", "only text, of at most 10,000 characters")
def test_what_is_no_message(game):
    game.bad("ValueError", "send_message", 5)
    assert "at most 10000" in game.refusal("send_message", "x" * 10_001)
