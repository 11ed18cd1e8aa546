"""The language-model agent: its conversation, histories, tokens and costs, and what it does when a reply is bad."""

from __future__ import annotations

import re

import pytest

from fle_ray.agents import Agent, AgentStart, Conversing, Observation, Outcome, make_agent
from fle_ray.agents.clients import ModelReply
from fle_ray.agents.contract import ChatMessage
from fle_ray.agents.history import RunningSummary, SlidingWindow, make_history, merged
from fle_ray.agents.language_model import LanguageModelAgent
from fle_ray.agents.prices import Price, Prices
from fle_ray.env import FactorioEnv
from fle_ray.errors import ConfigError, ProviderError, UnknownName
from fle_ray.tasks import get_task
from tests.agents.servers import ModelServer
from tests.env.fakes import FakeInstance, FakeInterpreter

START = AgentStart(task="open_play", goal="Build.", system_prompt="The manual and the task.", instructions="Watch.")


class Scripted:
    """A model that gives these replies in turn; an exception among them is raised."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.requests = []

    def complete(self, request):
        self.requests.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, ModelReply) else ModelReply(reply, prompt_tokens=100, completion_tokens=10)

    def close(self):
        pass


def program(n):
    return f"```python\nx = {n}\n```"


def play(agent, steps, first=0):
    """`steps` turns with observations "see 0", "see 1" ...; returns the policies."""
    policies = []
    for n in range(first, first + steps):
        policy = agent.act(Observation(f"see {n}", step=n))
        agent.observe(policy, Outcome("", None, 0.0, None, Observation(f"see {n + 1}", step=n + 1)))
        policies.append(policy)
    return policies


def shown(request):
    """What was sent, in short: role and text, the system message by its role alone."""
    return [m.content if m.role != "system" else "system" for m in request.messages]


def agent_with(*replies, **options):
    agent = LanguageModelAgent(Scripted(*replies), "tiny", **options)
    agent.reset(START)
    return agent


def test_it_is_an_agent_that_converses():
    agent = agent_with()
    assert isinstance(agent, Agent)
    assert isinstance(agent, Conversing)


def test_the_conversation_grows_by_each_program_and_what_became_of_it():
    agent = agent_with(program(0), program(1))
    assert [p.code for p in play(agent, 2)] == ["x = 0", "x = 1"]
    assert [(m.role, m.content) for m in agent.conversation()[1:]] == [
        ("user", "see 0"),
        ("assistant", program(0)),
        ("user", "see 1"),
        ("assistant", program(1)),
        ("user", "see 2"),
    ]
    system = agent.conversation()[0].content
    assert system.startswith("The manual and the task.\n\nAnswer every message with one Python program")
    assert "Watch." not in system  # the generated manual holds goal and instructions already
    assert shown(agent.client.requests[1]) == ["system", "see 0", program(0), "see 1"]


def test_without_a_manual_the_goal_and_the_instructions_are_told():
    agent = LanguageModelAgent(Scripted(), "tiny", instructions="Be brief.")
    agent.reset(AgentStart(task="open_play", goal="Build.", instructions="Watch."))
    system = agent.conversation()[0].content
    assert system.startswith("Build.\n\nWatch.\n\nAnswer")
    assert system.endswith("Be brief.")


def test_tokens_and_costs_of_a_step_are_known():
    reply = ModelReply(
        program(0),
        model="tiny-2026",
        prompt_tokens=1000,
        completion_tokens=200,
        cached_tokens=400,
        reasoning_tokens=50,
        waited_s=3.0,
    )
    policy = play(agent_with(reply, prices=Prices({"tiny": Price(2.0, 8.0, 0.5)})), 1)[0]
    assert (policy.prompt_tokens, policy.completion_tokens) == (1000, 200)
    assert (policy.cached_tokens, policy.reasoning_tokens, policy.waited_s) == (400, 50, 3.0)
    assert policy.cost_usd == pytest.approx(0.003)  # (600 x 2 + 400 x 0.5 + 200 x 8) / 1,000,000
    assert policy.model == "tiny-2026"


def test_an_unknown_price_is_null_and_not_zero():
    policy = play(agent_with(program(0), prices=Prices({})), 1)[0]
    assert (policy.cost_usd, policy.cached_tokens) == (None, None)


def test_a_reply_without_a_program_says_why():
    policy = play(agent_with("I would rather not."), 1)[0]
    assert policy.code is None
    assert "no Python program" in policy.meta["reason"]
    assert policy.meta["parsed"] == "prose"
    assert policy.prompt_tokens == 100  # it was paid for


def test_a_reply_that_was_cut_off_is_not_run():
    policy = play(agent_with(ModelReply("```python\nx = ", finish_reason="length")), 1)[0]
    assert (policy.code, policy.meta["parsed"], policy.meta["finish_reason"]) == (None, "cut_off", "length")


def test_a_window_shows_the_task_and_the_last_exchanges():
    agent = agent_with(*map(program, range(4)), history=SlidingWindow(2))
    play(agent, 4)
    assert shown(agent.client.requests[3]) == ["system", "see 0", program(1), "see 2", program(2), "see 3"]
    assert len(agent.conversation()) == 10  # all of it is kept


def test_a_summary_is_asked_for_and_then_stands_for_what_went_before():
    replies = [program(0), program(1), "I built a drill.", program(2), program(3)]
    agent = agent_with(*replies, history=RunningSummary(every=2, keep=1))
    policies = play(agent, 4)
    requests = agent.client.requests
    assert len(requests) == 5
    assert requests[2].messages[-1].content.startswith("see 2\n\nBefore we go on")
    assert shown(requests[3]) == [
        "system",
        "see 0\n\nYour own summary of what happened so far:\nI built a drill.",
        program(1),
        "see 2",
    ]
    assert shown(requests[4])[1:] == [
        "see 0\n\nYour own summary of what happened so far:\nI built a drill.",
        program(1),
        "see 2",
        program(2),
        "see 3",
    ]
    assert [p.prompt_tokens for p in policies] == [100, 100, 200, 100]  # the summary was paid for too
    assert policies[2].meta["summarised"] is True


def test_a_summary_may_stand_alone():
    agent = agent_with(program(0), "Summed up.", program(1), history=RunningSummary(every=1, keep=0))
    play(agent, 2)
    assert shown(agent.client.requests[2])[1:] == [
        "see 0\n\nYour own summary of what happened so far:\nSummed up.\n\nsee 1"
    ]


def test_a_conversation_that_became_too_long_is_halved_until_it_fits():
    long = ProviderError("too long", kind="context_length")
    agent = agent_with(*map(program, range(4)), long, long, program(4))
    policies = play(agent, 5)
    assert [len(r.messages) for r in agent.client.requests[4:]] == [10, 6, 4]
    assert shown(agent.client.requests[6]) == ["system", "see 0", program(3), "see 4"]
    assert policies[4].meta["messages_left_out"] == 6
    assert len(agent.conversation()) == 12


def test_a_first_message_that_is_too_long_is_the_services_failure():
    agent = agent_with(ProviderError("too long", kind="context_length"))
    with pytest.raises(ProviderError):
        play(agent, 1)


def test_after_a_failure_the_same_observation_can_be_asked_again():
    agent = agent_with(program(0), "Summary.", ProviderError("down"), program(1), history=RunningSummary(1, 0))
    play(agent, 1)
    with pytest.raises(ProviderError):
        agent.act(Observation("see 1", step=1))
    assert agent.act(Observation("see 1", step=1)).code == "x = 1"
    assert [m.content for m in agent.conversation() if m.role == "user"].count("see 1") == 1


def test_a_restored_conversation_goes_on_as_if_nothing_had_happened():
    whole = agent_with(*map(program, range(4)))
    play(whole, 4)
    before = agent_with(*map(program, range(2)))
    play(before, 2)
    after = agent_with(*map(program, range(2, 4)))
    after.restore_conversation(before.conversation())
    play(after, 2, first=2)
    assert after.conversation() == whole.conversation()
    assert [shown(r) for r in after.client.requests] == [shown(r) for r in whole.client.requests[2:]]


def test_another_observation_than_the_last_one_is_added():
    agent = agent_with(program(0), program(1))
    play(agent, 1)
    agent.act(Observation("see 1, and a message", step=1))
    assert shown(agent.client.requests[1])[-1] == "see 1\n\nsee 1, and a message"


def test_sampling_seeds_come_from_episode_agent_and_step():
    def seeds(seed, trial=0):
        agent = LanguageModelAgent(Scripted(*map(program, range(3))), "tiny", seed_sampling=True)
        agent.reset(AgentStart(task="open_play", seed=seed, trial=trial))
        play(agent, 3)
        return [r.sampling.seed for r in agent.client.requests]

    assert seeds(1) == seeds(1)
    assert len({*seeds(1), *seeds(2), *seeds(1, trial=1)}) == 9
    assert all(0 <= seed < 2**31 for seed in seeds(1))


def test_neighbouring_messages_of_one_role_are_sent_as_one():
    messages = [ChatMessage(r, c) for r, c in [("system", "a"), ("user", "b"), ("user", "c"), ("assistant", "d")]]
    assert [(m.role, m.content) for m in merged(messages)] == [("system", "a"), ("user", "b\n\nc"), ("assistant", "d")]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("ful", "'full'"),
        ({"kind": "window", "exchange": 3}, "has no 'exchange'; it has: exchanges"),
        ({"kind": "window", "exchanges": 0}, "exchanges is 0"),
        ({"kind": "summary", "every": 0}, "every is 0"),
        ({"kind": "summary", "every": 2, "keep": 2}, "keep is 2"),
    ],
)
def test_a_wrong_history_is_refused(chosen, message):
    with pytest.raises((ConfigError, UnknownName), match=re.escape(message)):
        make_history(chosen)


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_an_agent_without_a_model_is_refused(name):
    with pytest.raises(ConfigError, match="agent.model is not set"):
        make_agent(name, {"model": None})


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_an_agent_by_name_plays_a_game_over_http(name, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    replies = ["```python\nharvest_resource('coal', 3)\n```", "Nothing more.", "```python\nprint('end')\n```"]
    busy = {"status": 429, "headers": {"Retry-After": "0"}}
    with ModelServer(busy, *replies) as server:
        base = server.url + ("/v1" if name == "openai" else "")
        agent = make_agent(name, {"model": "tiny", "base_url": base, "history": {"kind": "window", "exchanges": 1}})
        env = FactorioEnv(FakeInstance(), get_task("open_play"), make_session=FakeInterpreter)
        observed = env.reset(seed=0)
        agent.reset(AgentStart(task="open_play", goal=env.task.goal))
        kinds = []
        for step in range(3):
            policy = agent.act(Observation(env.text(*observed), observed[0], step))
            action = {"agent_idx": 0, "code": policy.code, "reason": policy.meta.get("reason", "")}
            observation, reward, _, _, info = env.step(action)
            kinds.append(info["error_kind"])
            observed = (observation, info)
        assert kinds == [None, "no_program", None]
        assert info["production_score"] == 6.0  # 3 coal at 2 each
        assert policy.meta["attempts"] == 1
        sent = [m["content"] for m in server.requests[-1]["messages"]]
        assert "no Python program" in str(sent)  # the agent is told why in its conversation
