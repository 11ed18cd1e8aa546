"""Clients of model services against a real HTTP server on this machine: replies, failures, waiting, prices."""

from __future__ import annotations

import pytest

from fle_ray.agents.clients import Endpoint, ModelClient, ModelReply, ModelRequest, RetryingClient, Sampling
from fle_ray.agents.clients.failures import retry_after_s
from fle_ray.agents.contract import ChatMessage
from fle_ray.agents.prices import Price, Prices
from fle_ray.errors import ConfigError, ProviderError, UnknownName
from tests.agents.servers import ModelServer

ASK = ModelRequest(
    "tiny",
    (ChatMessage("system", "Play."), ChatMessage("user", "You see ore."), ChatMessage("assistant", "pass")),
    Sampling(temperature=0.5, max_tokens=99, stop=("END",), seed=7, extra={"top_k": 3}),
)


def client(server, service="openai", **options):
    base = server.url + ("/v1" if service == "openai" else "")
    return Endpoint(service, base_url=base, **options).connect()


@pytest.fixture(autouse=True)
def no_keys_from_outside(monkeypatch):
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "OPENAI_BASE_URL",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_AUTH_TOKEN",
    ):
        monkeypatch.delenv(name, raising=False)


def test_an_openai_reply_comes_whole_with_its_tokens():
    with ModelServer("```python\npass\n```") as server:
        one = client(server)
        reply = one.complete(ASK)
        assert isinstance(one, ModelClient)
        one.close()
    assert reply == ModelReply(
        text="```python\npass\n```",
        finish_reason="stop",
        model="tiny-2026",
        prompt_tokens=1000,
        completion_tokens=200,
        cached_tokens=400,
        reasoning_tokens=50,
        request_id="call-1",
    )
    assert server.requests == [
        {
            "model": "tiny",
            "messages": [
                {"role": "system", "content": "Play."},
                {"role": "user", "content": "You see ore."},
                {"role": "assistant", "content": "pass"},
            ],
            "stream": False,
            "temperature": 0.5,
            "max_tokens": 99,
            "stop": ["END"],
            "seed": 7,
            "top_k": 3,
        }
    ]


def test_settings_that_are_left_to_the_service_are_not_sent():
    with ModelServer("x") as server:
        client(server).complete(ModelRequest("tiny", (ChatMessage("user", "Hi"),)))
    assert set(server.requests[0]) == {"model", "messages", "stream"}


def test_an_anthropic_reply_counts_cached_tokens_and_asks_for_caching():
    with ModelServer({"text": "pass", "finish_reason": "max_tokens"}) as server:
        reply = client(server, "anthropic").complete(ASK)
    assert (reply.text, reply.finish_reason) == ("pass", "length")
    assert (reply.prompt_tokens, reply.cached_tokens, reply.cache_write_tokens) == (1000, 600, 300)
    assert reply.completion_tokens == 200
    sent = server.requests[0]
    mark = {"type": "ephemeral"}
    assert sent["system"] == [{"type": "text", "text": "Play.", "cache_control": mark}]
    assert sent["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "You see ore."}]},
        {"role": "assistant", "content": [{"type": "text", "text": "pass", "cache_control": mark}]},
    ]
    assert (sent["max_tokens"], sent["stop_sequences"], sent["temperature"], sent["top_k"]) == (99, ["END"], 0.5, 3)


def test_prompt_caching_can_be_left_off():
    with ModelServer("pass") as server:
        client(server, "anthropic", cache_prompts=False).complete(ASK)
    assert "cache_control" not in str(server.requests[0])


FAILURES = [
    ({"status": 429, "headers": {"Retry-After": "7"}}, "rate_limited", 7.0, True),
    ({"status": 429, "headers": {"Retry-After-Ms": "250"}}, "rate_limited", 0.25, True),
    ({"status": 429}, "rate_limited", None, True),
    ({"status": 500}, "server", None, True),
    ({"status": 503, "headers": {"Retry-After": "2"}}, "server", 2.0, True),
    ({"status": 408}, "timeout", None, True),
    ({"status": 401}, "authentication", None, False),
    ({"status": 404}, "bad_request", None, False),
    ({"status": 400}, "bad_request", None, False),
    (
        {"status": 400, "body": {"error": {"message": "long", "type": "x", "code": "context_length_exceeded"}}},
        "context_length",
        None,
        False,
    ),
    ({"body": "this is not JSON"}, "bad_reply", None, True),
    ({"body": {}}, "bad_reply", None, True),
    ({"body": "[]"}, "bad_reply", None, True),
    ({"body": "<html>busy</html>", "headers": {"Content-Type": "text/html"}}, "bad_reply", None, True),
    ({"text": "pass", "half": True}, "connection", None, True),
    ({"drop": True}, "connection", None, True),
]


@pytest.mark.parametrize("service", ["openai", "anthropic"])
@pytest.mark.parametrize(("answer", "kind", "wait", "retryable"), FAILURES, ids=lambda v: str(v)[:40])
def test_every_failure_of_a_service_has_a_kind(service, answer, kind, wait, retryable):
    with ModelServer(answer) as server, pytest.raises(ProviderError) as caught:
        client(server, service).complete(ASK)
    assert (caught.value.kind, caught.value.retry_after_s, caught.value.retryable) == (kind, wait, retryable)
    assert len(server.requests) == 1  # each call is made once


@pytest.mark.parametrize("service", ["openai", "anthropic"])
def test_a_service_that_does_not_answer_in_time_is_given_up(service):
    with ModelServer({"text": "late", "wait_s": 1.0}) as server, pytest.raises(ProviderError) as caught:
        client(server, service, timeout_s=0.1).complete(ASK)
    assert caught.value.kind == "timeout"


def test_a_service_that_is_not_there_is_a_connection_failure():
    with ModelServer("x") as server:
        url = server.url
    with pytest.raises(ProviderError) as caught:
        Endpoint("openai", base_url=url + "/v1").connect().complete(ASK)
    assert caught.value.kind == "connection"


def test_retry_after_may_be_a_date():
    headers = {"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}
    assert retry_after_s(headers, now=40.0) == 60.0
    assert retry_after_s(headers, now=140.0) == 0.0
    assert retry_after_s({"retry-after": "soon"}) is None


def test_a_key_comes_from_the_variable_that_is_named(monkeypatch):
    monkeypatch.setenv("MY_KEY", "s3cret")
    with ModelServer("x") as server:
        client(server, api_key_env="MY_KEY").complete(ASK)
        client(server).complete(ASK)
        client(server, "anthropic", api_key_env="MY_KEY").complete(ASK)
    assert [h.get("authorization") for h in server.headers[:2]] == ["Bearer s3cret", "Bearer none"]
    # Anthropic's SDK sends the key in one of two headers, according to its version.
    assert "s3cret" in (server.headers[2].get("x-api-key") or server.headers[2].get("authorization"))


def test_a_missing_key_says_which_variable_to_set():
    with pytest.raises(ConfigError, match="OPENAI_API_KEY is not set"):
        Endpoint("openai").connect()
    with pytest.raises(ConfigError, match="MY_KEY is not set"):
        Endpoint("openai", base_url="http://127.0.0.1:1/v1", api_key_env="MY_KEY").connect()


def test_a_wrong_endpoint_is_refused():
    with pytest.raises(UnknownName, match="'openai'"):
        Endpoint("open_ai")
    with pytest.raises(ConfigError, match="base_url is 'localhost:80'"):
        Endpoint("openai", base_url="localhost:80")
    with pytest.raises(ConfigError, match="timeout_s is 0"):
        Endpoint("openai", timeout_s=0)


class Flaky:
    """Fails as told, then replies."""

    def __init__(self, *failures):
        self.failures = list(failures)
        self.calls = 0

    def complete(self, request):
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return ModelReply("pass")

    def close(self):
        pass


def busy(wait=None, kind="rate_limited"):
    return ProviderError("busy", kind=kind, retry_after_s=wait)


def test_retrying_waits_as_long_as_it_is_asked_and_else_twice_as_long_each_time():
    slept = []
    flaky = Flaky(busy(), busy(), busy(9.5), busy(kind="server"))
    reply = RetryingClient(flaky, retries=4, first_wait_s=1, sleep=slept.append).complete(ASK)
    assert slept == [1, 2, 9.5, 8]
    assert (reply.text, reply.waited_s, reply.attempts) == ("pass", 20.5, 5)


def test_retrying_gives_up_after_its_last_retry():
    flaky = Flaky(*[busy() for _ in range(5)])
    with pytest.raises(ProviderError):
        RetryingClient(flaky, retries=2, sleep=lambda s: None).complete(ASK)
    assert flaky.calls == 3


@pytest.mark.parametrize("failure", [busy(kind="authentication"), busy(kind="bad_request"), busy(wait=999)])
def test_what_cannot_pass_is_raised_at_once(failure):
    flaky = Flaky(failure)
    with pytest.raises(ProviderError):
        RetryingClient(flaky, retries=5, sleep=lambda s: None).complete(ASK)
    assert flaky.calls == 1


def test_a_call_costs_what_the_table_says():
    # 1000 prompt tokens of which 400 cached: 600 x 2 + 400 x 0.5; 200 completion x 8. Dollars a million.
    reply = ModelReply("x", prompt_tokens=1000, completion_tokens=200, cached_tokens=400)
    assert Price(2.0, 8.0, cached_input=0.5).of(reply) == pytest.approx((1200 + 200 + 1600) / 1e6)
    # 100 fresh x 5 + 600 read x 0.5 + 300 written x 6.25 + 200 x 25
    reply = ModelReply("x", prompt_tokens=1000, completion_tokens=200, cached_tokens=600, cache_write_tokens=300)
    assert Price(5.0, 25.0, 0.5, 6.25).of(reply) == pytest.approx((500 + 300 + 1875 + 5000) / 1e6)
    assert Price(1.0, 1.0).of(ModelReply("x")) is None


def test_prices_are_found_by_name_then_by_the_longest_pattern():
    prices = Prices({"a-*": Price(1, 1), "a-big-*": Price(2, 2), "a-big-3": Price(3, 3)})
    assert [prices.find(n).input for n in ("a-1", "a-big-1", "a-big-3")] == [1, 2, 3]
    assert prices.find("b") is None
    assert prices.cost_usd("b", ModelReply("x", prompt_tokens=1, completion_tokens=1)) is None


def test_our_price_file_loads_and_cached_input_is_never_dearer_than_fresh():
    prices = Prices.load()
    assert prices.find("gpt-4.1") == Price(2.0, 8.0, 0.5)
    assert all(p.cached_input <= p.input < p.output for p in prices._table.values())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("models: {x: {input: 1}}", "expected input and output"),
        ("models: {x: {input: 1, output: -1}}", "expected input and output"),
        ("models: {x: {input: 1, output: 2, price: 3}}", "expected input and output"),
        ("prices: {}", "no mapping `models`"),
        ("models: [", "is not YAML"),
    ],
)
def test_a_wrong_price_file_is_refused(tmp_path, content, message):
    path = tmp_path / "prices.yaml"
    path.write_text(content)
    with pytest.raises(ConfigError, match=message):
        Prices.load(path)


def test_a_missing_price_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        Prices.load(tmp_path / "none.yaml")
