"""All calls of language models of a run (or of a sweep's runs) go through here: how many at once, how often, from the
cache or not, and what they cost. Knows no Ray; `actors.GatewayActor` is this in an actor, and the serial backend holds
one in its process.

Per endpoint, the number of calls at once is found by trying: it grows while it is used, is halved when the service
answers 429, and nothing is sent before the time the service asks for (`Retry-After`). Answers of 5xx and dropped
connections say nothing about that number: such calls are made again after 1, 2, 4 ... seconds, and the limit stays.

The cache keys a reply on model, messages, settings and draw (the agent's seed, trial and index), so repetitions stay
repetitions. A reply out of it is the recorded one, its tokens included; the ledger counts no spending for it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fle_ray.agents.clients import Endpoint, ModelClient, ModelReply, ModelRequest, RetryingClient
from fle_ray.agents.language_model import LanguageModelAgent
from fle_ray.agents.prices import Price
from fle_ray.errors import ProviderError

__all__ = ["Call", "Gateway", "GatewayClient", "Limits", "Note", "ReplyCache", "through"]

_WINDOW_S = 60.0
_UNASKED_WAIT_S = 1.0  # after a 429 that names no time
_FIRST_WAIT_S, _MOST_WAIT_S = 1.0, 120.0
_COUNTED = (
    "replies", "cached_replies", "prompt_tokens", "completion_tokens", "cost_usd", "replies_of_unknown_price",
)  # fmt: skip
_CHARACTERS_A_TOKEN = 4  # a rough guess, until the service has counted


@dataclass(frozen=True, slots=True)
class Limits:
    """What each endpoint is asked for, at most.

    Attributes:
        first_concurrency, most_concurrency: calls at once, to begin with and at most.
        requests_per_minute, tokens_per_minute: None for no limit.
    """

    first_concurrency: int = 16
    most_concurrency: int = 256
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One call that an agent asks for.

    Attributes:
        endpoint: where; request: what; retries: further calls after one that failed and may pass.
        price: of the model's tokens, None when unknown.
        run_id: the run that is to know of it; None tells every run.
        call_id: its own name; a call that comes twice is counted once.
    """

    endpoint: Endpoint
    request: ModelRequest
    retries: int = 6
    price: Price | None = None
    run_id: str | None = None
    call_id: str = field(default_factory=lambda: uuid.uuid4().hex)


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened at an endpoint; becomes a row of `events` of the run it concerns (None: of every run)."""

    at: datetime
    kind: str
    source: str
    message: str
    value: float | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    run_id: str | None = None


# ---- how many at once


class Limiter:
    """How many calls one endpoint gets at once, and how often. For several threads.

    Args:
        limits: what is asked for at most.
        note: is told (kind, message, value) of every change.
        clock: monotonic seconds; wait: waits on a condition for at most so many seconds.
    """

    def __init__(
        self,
        limits: Limits,
        note: Callable[[str, str, float], None] = lambda *_: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._note = note
        self._clock = clock
        self._changed = threading.Condition()
        self.limit = float(min(limits.first_concurrency, limits.most_concurrency))
        self.running = 0
        self._not_before = float("-inf")
        self._cut_at = float("-inf")
        self._has_been_cut = False
        self._recent: deque[list[float]] = deque()  # [begun at, tokens] of the last minute

    def begin(self, tokens: int) -> list[float]:
        """Wait for a place and take it.

        Args:
            tokens: a guess of how many the call will use.
        Returns:
            The place, for `end`; its first number is when it was taken.
        """
        with self._changed:
            while (wait_s := self._must_wait(tokens)) is not None:
                self._changed.wait(wait_s)
            self.running += 1
            place = [self._clock(), float(tokens)]
            self._recent.append(place)
            return place

    def _must_wait(self, tokens: int) -> float | None:
        """None to begin now, else the seconds after which to look again at the latest."""
        now = self._clock()
        if now < self._not_before:
            return self._not_before - now
        if self.running >= int(self.limit):
            return _WINDOW_S
        while self._recent and self._recent[0][0] <= now - _WINDOW_S:
            self._recent.popleft()
        requests, most_tokens = self._limits.requests_per_minute, self._limits.tokens_per_minute
        used = sum(place[1] for place in self._recent)
        full = requests is not None and len(self._recent) >= requests
        full = full or (most_tokens is not None and bool(self._recent) and used + tokens > most_tokens)
        return self._recent[0][0] + _WINDOW_S - now if full else None

    def succeeded(self, place: list[float], tokens: int | None) -> None:
        """Give a place back after a reply; the limit grows when it was in use."""
        with self._changed:
            if tokens is not None:
                place[1] = float(tokens)
            if self.running >= int(self.limit) and self.limit < self._limits.most_concurrency:
                before = int(self.limit)
                # Doubles with each round until the service has refused once, then one more a round.
                self.limit += 1.0 / self.limit if self._has_been_cut else 1.0
                self.limit = min(self.limit, float(self._limits.most_concurrency))
                if int(self.limit) != before:
                    self._note(
                        "limit_changed", f"{int(self.limit)} calls at once: all {before} were in use", self.limit
                    )
            self._leave()

    def refused(self, place: list[float], retry_after_s: float | None) -> None:
        """Give a place back after a 429: fewer at once, none before the time asked for."""
        with self._changed:
            now = self._clock()
            place[1] = 0.0
            wait_s = _UNASKED_WAIT_S if retry_after_s is None else retry_after_s
            self._not_before = max(self._not_before, now + min(wait_s, _MOST_WAIT_S))
            self._note("rate_limited", f"asked to wait {wait_s:g} s", wait_s)
            if place[0] >= self._cut_at:  # those that began before the last cut say nothing about the present limit
                self._cut_at, self._has_been_cut = now, True
                self.limit = max(1.0, self.limit / 2)
                self._note("limit_changed", f"{int(self.limit)} calls at once: the service refused", self.limit)
            self._leave()

    def failed(self, place: list[float]) -> None:
        """Give a place back after any other failure; the limit stays."""
        with self._changed:
            place[1] = 0.0
            self._leave()

    def _leave(self) -> None:
        self.running -= 1
        self._changed.notify_all()


# ---- replies that are known


class ReplyCache:
    """Replies in files below a folder, each by the hash of what was asked.

    Args:
        folder: made when the first reply is kept.
        mode: "off"; "read" answers what is known; "write" keeps new replies besides.
    """

    def __init__(self, folder: Path, mode: str) -> None:
        self._folder = folder
        self._mode = mode

    @staticmethod
    def key(request: ModelRequest) -> str:
        """SHA-256 of model, messages (role and text), settings and draw."""
        asked = {
            "model": request.model,
            "messages": [[message.role, message.content] for message in request.messages],
            "sampling": dataclasses.asdict(request.sampling),
            "draw": request.draw,
        }
        return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()

    def get(self, request: ModelRequest) -> ModelReply | None:
        """The recorded reply, None when there is none. A file that is damaged counts as none."""
        if self._mode == "off":
            return None
        try:
            return ModelReply(**json.loads(self._path(self.key(request)).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def put(self, request: ModelRequest, reply: ModelReply) -> None:
        if self._mode != "write":
            return
        path = self._path(self.key(request))
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.tmp-{os.getpid()}-{threading.get_ident()}")
        temporary.write_text(json.dumps({**dataclasses.asdict(reply), "waited_s": 0.0}), encoding="utf-8")
        temporary.replace(path)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


# ---- what it cost


class Ledger:
    """Calls, tokens and dollars by run, endpoint and model since the last look; each call counts once."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._seen: set[str] = set()
        self._open: dict[tuple[str | None, str, str], dict[str, float]] = {}

    def reply(self, call: Call, reply: ModelReply, *, cached: bool) -> None:
        with self._mutex:
            if call.call_id in self._seen:
                return
            self._seen.add(call.call_id)
            sums = self._sums(call)
            if cached:
                sums["cached_replies"] += 1
                return
            sums["replies"] += 1
            sums["prompt_tokens"] += reply.prompt_tokens or 0
            sums["completion_tokens"] += reply.completion_tokens or 0
            cost_usd = call.price.of(reply) if call.price is not None else None
            if cost_usd is None:
                sums["replies_of_unknown_price"] += 1
            else:
                sums["cost_usd"] += cost_usd

    def failure(self, call: Call, kind: str) -> None:
        with self._mutex:
            sums = self._sums(call)
            sums[f"failed_{kind}"] = sums.get(f"failed_{kind}", 0) + 1

    def _sums(self, call: Call) -> dict[str, float]:
        key = (call.run_id, where(call.endpoint), call.request.model)
        return self._open.setdefault(key, dict.fromkeys(_COUNTED, 0))

    def take(self) -> list[tuple[str | None, str, str, dict[str, float]]]:
        """(run, endpoint, model, sums) since the last time."""
        with self._mutex:
            taken, self._open = self._open, {}
        return [(*key, sums) for key, sums in taken.items()]


def where(endpoint: Endpoint) -> str:
    """An endpoint as it stands in the data."""
    return endpoint.base_url or endpoint.service


# ---- the whole


class Gateway:
    """Makes the calls of many agents, from many threads.

    Args:
        limits: of each endpoint.
        cache: of replies.
        connect: makes the client of an endpoint.
        sleep: how to wait between attempts.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        cache: ReplyCache | None = None,
        *,
        connect: Callable[[Endpoint], ModelClient] = Endpoint.connect,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._limits = limits or Limits()
        self._cache = cache or ReplyCache(Path(), "off")
        self._connect = connect
        self._sleep = sleep
        self._mutex = threading.Lock()
        self._clients: dict[Endpoint, ModelClient] = {}
        self._limiters: dict[str, Limiter] = {}
        self._ledger = Ledger()
        self._notes: list[Note] = []

    def complete(self, call: Call) -> ModelReply:
        """One reply; `waited_s` of it is all the time that was not spent on the call that succeeded or failed.

        Raises:
            ProviderError: it cannot pass, or no attempt passed.
            ConfigError: the endpoint's key or SDK is missing here.
        """
        known = self._cache.get(call.request)
        if known is not None:
            self._ledger.reply(call, known, cached=True)
            return known
        client, limiter = self._for(call.endpoint)
        waited_s = 0.0
        guess = sum(len(message.content) for message in call.request.messages) // _CHARACTERS_A_TOKEN
        for attempt in range(call.retries + 1):
            asked_at = time.monotonic()
            place = limiter.begin(guess)
            waited_s += time.monotonic() - asked_at
            try:
                reply = client.complete(call.request)
            except ProviderError as error:
                self._ledger.failure(call, error.kind)
                if error.kind == "rate_limited":
                    limiter.refused(place, error.retry_after_s)
                else:
                    limiter.failed(place)
                    words = f"{error.kind}: {str(error)[:300]}"
                    self._note(where(call.endpoint), "call_failed", words, None, call.run_id)
                too_long = (error.retry_after_s or 0.0) > _MOST_WAIT_S
                if not error.retryable or attempt == call.retries or too_long:
                    raise
                if error.kind != "rate_limited":  # the limiter makes those wait
                    wait_s = min(_FIRST_WAIT_S * 2**attempt, _MOST_WAIT_S)
                    wait_s = wait_s if error.retry_after_s is None else error.retry_after_s
                    self._sleep(wait_s)
                    waited_s += wait_s
            except BaseException:
                limiter.failed(place)
                raise
            else:
                limiter.succeeded(place, _tokens(reply))
                reply = dataclasses.replace(reply, waited_s=reply.waited_s + waited_s, attempts=attempt + 1)
                self._ledger.reply(call, reply, cached=False)
                self._cache.put(call.request, reply)
                return reply
        raise AssertionError("unreachable: the loop returns or raises")

    def take_notes(self) -> list[Note]:
        """What happened since the last time, and one `spending` a model: dollars (None when a price is
        unknown), and the sums as `meta`.
        """
        with self._mutex:
            notes, self._notes = self._notes, []
        for run_id, endpoint, model, sums in self._ledger.take():
            words = f"{model}: {sums['replies']:g} replies, {sums['cached_replies']:g} from the cache"
            cost_usd = None if sums["replies_of_unknown_price"] else sums["cost_usd"]
            meta = {"model": model, **sums}
            notes.append(Note(datetime.now(UTC), "spending", endpoint, words, cost_usd, meta, run_id))
        return notes

    def close(self) -> None:
        with self._mutex:
            clients, self._clients = self._clients, {}
        for client in clients.values():
            client.close()

    def _for(self, endpoint: Endpoint) -> tuple[ModelClient, Limiter]:
        with self._mutex:
            if endpoint not in self._clients:
                self._clients[endpoint] = self._connect(endpoint)
            name = where(endpoint)
            if name not in self._limiters:
                self._limiters[name] = Limiter(self._limits, lambda *about: self._note(name, *about))
            return self._clients[endpoint], self._limiters[name]

    def _note(self, source: str, kind: str, message: str, value: float | None, run_id: str | None = None) -> None:
        with self._mutex:
            self._notes.append(Note(datetime.now(UTC), kind, source, message, value, run_id=run_id))


def _tokens(reply: ModelReply) -> int | None:
    if reply.prompt_tokens is None and reply.completion_tokens is None:
        return None
    return (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)


# ---- the agent's end


class GatewayClient:
    """A `ModelClient` whose calls go through a gateway, wherever that is.

    Args:
        complete: the gateway's `complete`, or what calls it elsewhere.
        endpoint, retries, price_of: of the agent.
        run_id: of the run it plays in.
    """

    def __init__(
        self,
        complete: Callable[[Call], ModelReply],
        endpoint: Endpoint,
        retries: int,
        price_of: Callable[[str], Price | None] = lambda model: None,
        run_id: str | None = None,
    ) -> None:
        self._complete = complete
        self.endpoint = endpoint
        self.retries = retries
        self._price_of = price_of
        self._run_id = run_id

    def complete(self, request: ModelRequest) -> ModelReply:
        return self._complete(
            Call(self.endpoint, request, self.retries, self._price_of(request.model), self._run_id)
        )

    def close(self) -> None:
        """The gateway is another's."""


def through(agent: Any, complete: Callable[[Call], ModelReply] | None, run_id: str | None = None) -> Any:
    """The agent of a run, its model's calls led through a gateway.

    Agents without a model, and those whose client is not one of ours, stay as they are.
    """
    if complete is None or not isinstance(agent, LanguageModelAgent):
        return agent
    client, retries = agent.client, 0
    if isinstance(client, RetryingClient):
        client, retries = client.client, client.retries
    endpoint = getattr(client, "endpoint", None)
    if isinstance(endpoint, Endpoint):
        find = agent.prices.find if agent.prices is not None else lambda model: None
        agent.client.close()
        agent.client = GatewayClient(complete, endpoint, retries, find, run_id)
    return agent
