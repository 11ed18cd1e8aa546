"""The gateway to models: how many calls at once, how often, what from the cache, what it cost; over real HTTP."""

from __future__ import annotations

import json
import threading

import pytest

from fle_ray.agents.clients import Endpoint, ModelReply, ModelRequest, Sampling
from fle_ray.agents.contract import ChatMessage
from fle_ray.agents.prices import Price
from fle_ray.errors import ProviderError
from fle_ray.experiment.gateway import Call, Gateway, Limiter, Limits, ReplyCache
from tests.agents.servers import ModelServer
from tests.experiment.kit import run, steps_without_times, table

HERE = Endpoint("openai", "http://127.0.0.1:9/v1")


def request(text="hello", **about):
    return ModelRequest("m", (ChatMessage("user", text),), **about)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def limiter(**limits):
    told: list[tuple[str, str, float]] = []
    clock = Clock()
    return Limiter(Limits(**limits), lambda *about: told.append(about), clock), clock, told


# ---- how many at once


def round_of(one, calls):
    """So many calls at once, all answered."""
    places = [one.begin(1) for _ in range(calls)]
    for place in places:
        one.succeeded(place, 1)


def test_the_limit_grows_while_it_is_used_and_not_otherwise():
    one, _, told = limiter(first_concurrency=4)
    round_of(one, 3)
    assert one.limit == 4 and not told
    round_of(one, 4)
    assert one.limit == 5  # only the first of four to end saw all places taken
    round_of(one, 5)
    assert [kind for kind, *_ in told] == ["limit_changed", "limit_changed"] and told[-1][2] == 6


def test_the_limit_does_not_grow_beyond_the_most():
    one, _, _ = limiter(first_concurrency=2, most_concurrency=3)
    for _ in range(5):
        round_of(one, int(one.limit))
    assert one.limit == 3


def test_a_429_halves_the_limit_once_for_all_calls_that_were_under_way():
    one, clock, told = limiter(first_concurrency=8)
    places = [one.begin(1) for _ in range(8)]
    clock.now = 1.0
    for place in places:
        one.refused(place, 3.0)
    assert one.limit == 4
    assert [kind for kind, *_ in told].count("limit_changed") == 1
    assert [kind for kind, *_ in told].count("rate_limited") == 8


def test_after_a_429_the_limit_grows_by_one_a_round_only():
    one, clock, _ = limiter(first_concurrency=8)
    place = one.begin(1)
    one.refused(place, 0.0)
    for _ in range(4):
        round_of(one, int(one.limit))
    assert one.limit == pytest.approx(4 + 1 / 4 + 1 / 4.25 + 1 / (4.25 + 1 / 4.25) + 1 / 4.7249, abs=0.01)


def test_a_failure_of_the_server_leaves_the_limit():
    one, _, told = limiter(first_concurrency=8)
    one.failed(one.begin(1))
    assert (one.limit, one.running, told) == (8, 0, [])


def test_nothing_is_sent_before_the_time_the_service_asked_for():
    one, clock, _ = limiter(first_concurrency=8)
    one.refused(one.begin(1), 7.5)
    assert one._must_wait(1) == 7.5
    clock.now = 7.5
    assert one._must_wait(1) is None


def test_requests_and_tokens_of_any_minute_are_limited():
    one, clock, _ = limiter(first_concurrency=9, requests_per_minute=2)
    round_of(one, 1)
    clock.now = 20.0
    round_of(one, 1)
    assert one._must_wait(1) == 40.0
    clock.now = 60.0
    assert one._must_wait(1) is None

    one, clock, _ = limiter(first_concurrency=9, tokens_per_minute=1000)
    place = one.begin(100)
    one.succeeded(place, 900)
    assert one._must_wait(100) is None and one._must_wait(101) == 60.0


def test_no_more_calls_than_the_limit_run_at_once():
    most, running, mutex = [0], [0], threading.Lock()

    class Slow:
        def complete(self, asked):
            with mutex:
                running[0] += 1
                most[0] = max(most[0], running[0])
            gate.wait(0.02)
            with mutex:
                running[0] -= 1
            return ModelReply("ok", prompt_tokens=1, completion_tokens=1)

    gate = threading.Event()
    gateway = Gateway(Limits(first_concurrency=3, most_concurrency=3), connect=lambda endpoint: Slow())
    threads = [threading.Thread(target=gateway.complete, args=(Call(HERE, request(str(i))),)) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most[0] == 3


# ---- attempts, waiting, spending


class Failing:
    """Raises each of `failures`, then answers."""

    def __init__(self, *failures):
        self.failures, self.asked = list(failures), 0

    def complete(self, asked):
        self.asked += 1
        if self.failures:
            raise self.failures.pop(0)
        return ModelReply("ok", prompt_tokens=1_000, completion_tokens=100)

    def close(self):
        pass


def gateway_on(client, slept=None, **options):
    return Gateway(connect=lambda endpoint: client, sleep=(slept if slept is not None else []).append, **options)


def spending(gateway):
    (note,) = [note for note in gateway.take_notes() if note.kind == "spending"]
    return note


def test_what_may_pass_is_called_again_after_1_2_4_seconds_and_the_waiting_is_told():
    slept: list[float] = []
    client = Failing(*(ProviderError("down", kind=kind) for kind in ("server", "connection", "timeout")))
    reply = gateway_on(client, slept).complete(Call(HERE, request()))
    assert slept == [1.0, 2.0, 4.0] and reply.attempts == 4
    assert 7.0 <= reply.waited_s < 8.0


def test_what_cannot_pass_is_not_called_again():
    client = Failing(ProviderError("who are you", kind="authentication"))
    with pytest.raises(ProviderError):
        gateway_on(client).complete(Call(HERE, request()))
    assert client.asked == 1


def test_a_call_that_never_passes_is_an_error_after_its_retries():
    client = Failing(*(ProviderError("down") for _ in range(9)))
    with pytest.raises(ProviderError):
        gateway_on(client).complete(Call(HERE, request(), retries=2))
    assert client.asked == 3


def test_a_call_with_failed_attempts_is_paid_for_once():
    gateway = gateway_on(Failing(ProviderError("down"), ProviderError("down")))
    gateway.complete(Call(HERE, request(), price=Price(2.0, 10.0)))
    note = spending(gateway)
    assert note.value == pytest.approx((1_000 * 2.0 + 100 * 10.0) / 1e6)
    assert (note.meta["replies"], note.meta["failed_server"]) == (1, 2)


def test_a_reply_of_unknown_price_is_not_said_to_cost_nothing():
    gateway = gateway_on(Failing())
    gateway.complete(Call(HERE, request()))
    note = spending(gateway)
    assert note.value is None and note.meta["replies_of_unknown_price"] == 1


def test_the_same_call_that_comes_twice_counts_once():
    gateway = gateway_on(Failing())
    call = Call(HERE, request())
    gateway.complete(call)
    gateway.complete(call)
    assert spending(gateway).meta["replies"] == 1
    assert gateway.take_notes() == []


# ---- the cache


def test_a_reply_is_kept_by_model_messages_settings_and_draw(tmp_path):
    same = ReplyCache.key(request(draw="0/0/0"))
    assert ReplyCache.key(request(draw="0/0/0")) == same
    others = [
        request("other", draw="0/0/0"),
        request(draw="0/1/0"),
        request(draw="0/0/0", sampling=Sampling(temperature=0.5)),
        ModelRequest("other", request().messages, draw="0/0/0"),
    ]
    assert len({same, *map(ReplyCache.key, others)}) == 5


def test_a_reply_from_the_cache_is_the_recorded_one_and_costs_nothing(tmp_path):
    client = Failing()
    first = gateway_on(client, cache=ReplyCache(tmp_path, "write")).complete(Call(HERE, request()))
    again = gateway_on(client, cache=ReplyCache(tmp_path, "read"))
    assert again.complete(Call(HERE, request(), price=Price(2.0, 10.0))).text == first.text
    assert client.asked == 1
    note = spending(again)
    assert (note.value, note.meta["replies"], note.meta["cached_replies"]) == (0, 0, 1)


def test_reading_keeps_nothing_and_off_reads_nothing(tmp_path):
    client = Failing()
    for mode, asked in (("read", 1), ("read", 2), ("write", 3), ("write", 3), ("off", 4)):
        gateway_on(client, cache=ReplyCache(tmp_path, mode)).complete(Call(HERE, request()))
        assert client.asked == asked, mode


def test_a_damaged_file_in_the_cache_counts_as_none(tmp_path):
    client = Failing()
    gateway_on(client, cache=ReplyCache(tmp_path, "write")).complete(Call(HERE, request()))
    (path,) = tmp_path.rglob("*.json")
    path.write_text(path.read_text()[:20])
    gateway_on(client, cache=ReplyCache(tmp_path, "write")).complete(Call(HERE, request()))
    assert client.asked == 2 and json.loads(path.read_text())["text"] == "ok"


# ---- whole runs over HTTP

PROGRAM = "```python\nsleep(1)\n```"
LATER = {"status": 429, "headers": {"retry-after": "0.05"}}


def on(server, **parameters):
    given = {"prices": None, "retries": 6, **parameters}
    return {"name": "openai", "model": "gpt-4o", "base_url": f"{server.url}/v1", **given}


def paid_for(root):
    notes = [e for e in table(root, "events") if e["kind"] == "spending"]
    sums: dict[str, float] = {}
    for note in notes:
        for name, value in json.loads(note["meta"]).items():
            if name != "model":
                sums[name] = sums.get(name, 0) + value
    return sums


def test_a_storm_of_429_scores_nothing_wrong_counts_spending_once_and_is_in_the_data(tmp_path):
    prices = tmp_path / "prices.yaml"
    prices.write_text("models: {gpt-4o: {input: 2.0, output: 10.0}}")
    with ModelServer(LATER, LATER, LATER, PROGRAM, LATER, LATER, PROGRAM) as server:
        assert run(tmp_path, agent=on(server, prices=str(prices)), tasks="iron_plate_throughput") == 0
    (row,) = table(tmp_path, "episodes")
    assert (row["status"], row["steps"]) == ("ended", 4)
    kinds = [e["kind"] for e in table(tmp_path, "events")]
    assert kinds.count("rate_limited") == 5 and "limit_changed" in kinds
    sums = paid_for(tmp_path)
    assert (sums["replies"], sums["failed_rate_limited"]) == (4, 5)
    assert sums["prompt_tokens"] == row["prompt_tokens"] == 4 * 1000
    assert sums["cost_usd"] == pytest.approx(row["cost_usd"]) == pytest.approx(4 * (1000 * 2.0 + 200 * 10.0) / 1e6)
    steps = table(tmp_path, "steps")
    assert steps[0]["waited_s"] >= 0.15 and sum(s["waited_s"] for s in steps) == pytest.approx(row["waited_s"])


def test_a_storm_that_does_not_end_owes_the_episode_and_scores_none(tmp_path):
    with ModelServer(PROGRAM, LATER) as server:
        assert run(tmp_path, agent=on(server, retries=2), tasks="iron_plate_throughput") == 3
    (row,) = table(tmp_path, "episodes")
    assert (row["status"], row["value"], row["success"], row["steps"]) == ("provider_error", None, None, 1)
    assert (paid_for(tmp_path)["replies"], paid_for(tmp_path)["failed_rate_limited"]) == (1, 3)


@pytest.mark.parametrize(
    ("answer", "failed"),
    [
        ({"status": 500, "headers": {"retry-after": "0.01"}}, "failed_server"),
        ({"drop": True}, "failed_connection"),
    ],
)
def test_errors_of_the_server_and_dropped_connections_cost_nothing_and_leave_the_limit(tmp_path, answer, failed):
    with ModelServer(PROGRAM, answer, PROGRAM) as server:
        assert run(tmp_path, agent=on(server), tasks="iron_plate_throughput") == 0
    (row,) = table(tmp_path, "episodes")
    assert (row["status"], row["steps"]) == ("ended", 4)
    assert (paid_for(tmp_path)["replies"], paid_for(tmp_path)[failed]) == (4, 1)
    kinds = [e["kind"] for e in table(tmp_path, "events")]
    assert "limit_changed" not in kinds and kinds.count("call_failed") == 1


def test_a_run_from_the_cache_asks_nothing_and_has_the_same_steps(tmp_path):
    with ModelServer("```python\nx = 1\n```", PROGRAM, "```python\nprint(x)\n```", "no program") as server:
        agent = on(server)
        common = {"agent": agent, "tasks": "iron_plate_throughput"}
        assert run(tmp_path, **common, llm={"cache": "write"}) == 0
        asked = len(server.requests)
        assert run(tmp_path, **common, llm={"cache": "read"}, run={"root": str(tmp_path), "id": "r2"}) == 0
        assert len(server.requests) == asked == 4
    assert steps_without_times(tmp_path) == steps_without_times(tmp_path, "r2")


def test_a_resumed_run_with_the_cache_repeats_no_call(tmp_path):
    down = {"status": 503, "headers": {"retry-after": "0"}}
    with ModelServer(PROGRAM, PROGRAM, down, PROGRAM) as server:
        common = {"agent": on(server, retries=0), "tasks": "iron_plate_throughput", "llm": {"cache": "write"}}
        assert run(tmp_path, **common) == 3
        assert run(tmp_path, **{**common, "llm": {"cache": "read"}}) == 0
        asked = [len(r["messages"]) for r in server.requests]
    assert len(asked) == 5 and asked[2] == asked[3]  # only the one that failed is asked again
    (row,) = table(tmp_path, "episodes")
    assert (row["status"], row["steps"]) == ("ended", 4)


@pytest.mark.ray
def test_agents_on_ray_share_one_gateway_and_give_the_same_records(tmp_path):
    options = {"tasks": "iron_plate_throughput", "seeds": [0, 1, 2]}
    with ModelServer(PROGRAM) as server:
        assert run(tmp_path / "serial", agent=on(server), **options) == 0
    ray = {"backend": "ray", "instances": 2}
    with ModelServer(LATER, PROGRAM, LATER, PROGRAM) as server:
        # The address is part of an agent's definition, so ids differ; programs, digests and tokens do not.
        for placement in ("actor", "instance"):
            where = tmp_path / placement
            agent = on(server, placement=placement)
            assert run(where, agent=agent, **options, runner=ray) == 0
            assert paid_for(where)["replies"] == 12
            rows = [table(root, "steps") for root in (where, tmp_path / "serial")]
            kept = ("seed", "step", "code", "digest", "prompt_tokens", "value")
            first, second = ([tuple(r[k] for k in kept) for r in one] for one in rows)
            assert sorted(first) == sorted(second)
    assert [e["kind"] for e in table(tmp_path / "actor", "events")].count("rate_limited") == 2
    import ray as started

    started.shutdown()
