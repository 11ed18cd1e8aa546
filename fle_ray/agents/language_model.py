"""An agent that asks a language model for its programs.

It keeps one conversation an episode: the manual, the first observation, then each program and what became of it.
What of it the model is shown is the history's choice; how it is called is the client's; neither is known here.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from fle_ray.agents.base import BaseAgent
from fle_ray.agents.clients import Endpoint, ModelClient, ModelReply, ModelRequest, RetryingClient, Sampling
from fle_ray.agents.contract import AgentStart, ChatMessage, Observation, Outcome, Policy
from fle_ray.agents.history import SUMMARY, History, half_of, make_history, merged
from fle_ray.agents.parsing import parse_reply
from fle_ray.agents.prices import Prices
from fle_ray.errors import ConfigError, ProviderError

__all__ = ["LanguageModelAgent", "anthropic_agent", "openai_agent"]

_ANSWER = (
    "Answer every message with one Python program between a line ```python and a line ```. It is run in the game, its"
    " variables and functions stay for your next program, and you are shown what it printed and what you then see."
)


class LanguageModelAgent(BaseAgent):
    """Plays by a model's programs.

    Args:
        client: calls the model; may be replaced between episodes, e.g. by one that many agents share.
        model: its name, as the service knows it.
        history: which part of the conversation is sent.
        sampling: how the model writes.
        prices: of the model's tokens; None when the cost is not to be known.
        seed_sampling: send a seed made from the episode, the agent and its step.
        instructions: text added to the system message.

    The conversation can be read with `conversation()` and given back with `restore_conversation`.
    """

    reads_fields = False

    def __init__(
        self,
        client: ModelClient,
        model: str,
        *,
        history: History | None = None,
        sampling: Sampling | None = None,
        prices: Prices | None = None,
        seed_sampling: bool = False,
        instructions: str = "",
    ) -> None:
        _require_model(model)
        self.client = client
        self.model = model
        self.history = history or make_history("full")
        self.sampling = sampling or Sampling()
        self.prices = prices
        self.seed_sampling = seed_sampling
        self.instructions = instructions
        self._messages: list[ChatMessage] = []

    # ---- the contract

    def reset(self, start: AgentStart) -> None:
        """Begin a conversation: the manual with the task, how to answer, and the agent's own instructions."""
        super().reset(start)
        told = [start.system_prompt] if start.system_prompt else [start.goal, start.instructions]
        parts = [*told, _ANSWER, self.instructions]
        self._messages = [ChatMessage("system", "\n\n".join(part for part in parts if part))]

    def act(self, observation: Observation) -> Policy:
        """Ask the model for the next program.

        Raises:
            ProviderError: the service failed. The conversation then ends with the observation, so `act` may be called
                again with the same one.
        """
        self._tell(observation.text)
        replies: list[ModelReply] = []
        request = self.history.summary_request(self._messages)
        if request is not None:
            summary, _ = self._ask([*self.history.shown(self._messages), request], observation)
            replies.append(summary)
            meta = dict(request.meta)
            self._messages += [request, ChatMessage("assistant", summary.text, summary.completion_tokens, meta)]
        reply, left_out = self._ask(self.history.shown(self._messages), observation)
        replies.append(reply)
        about = {"finish_reason": reply.finish_reason, "request_id": reply.request_id, "attempts": reply.attempts}
        self._messages.append(ChatMessage("assistant", reply.text, reply.completion_tokens, about))
        parsed = parse_reply(reply.text, cut_off=reply.finish_reason == "length")
        meta = {**about, "parsed": parsed.kind}
        if parsed.reason:
            meta["reason"] = parsed.reason
        if left_out:
            meta["messages_left_out"] = left_out
        if request is not None:
            meta["summarised"] = True
        return Policy(
            parsed.code,
            prompt_tokens=_sum(r.prompt_tokens for r in replies),
            completion_tokens=_sum(r.completion_tokens for r in replies),
            cached_tokens=_sum(r.cached_tokens for r in replies),
            reasoning_tokens=_sum(r.reasoning_tokens for r in replies),
            cost_usd=_sum(self._cost_usd(r) for r in replies),
            model=reply.model or self.model,
            waited_s=sum(r.waited_s for r in replies),
            meta=meta,
        )

    def observe(self, policy: Policy, outcome: Outcome) -> None:
        """Add what became of the program to the conversation."""
        self._tell(outcome.observation.text)

    def conversation(self) -> Sequence[ChatMessage]:
        """Every message so far, oldest first."""
        return tuple(self._messages)

    def restore_conversation(self, messages: Sequence[ChatMessage]) -> None:
        """Go on from a recorded conversation."""
        self._messages = list(messages)

    # ---- the model

    def _tell(self, text: str) -> None:
        """Add an observation, unless it is the one the conversation ends with."""
        turns = (m for m in reversed(self._messages) if m.meta.get("purpose") != SUMMARY)
        last = next(turns, None)
        if text and not (last is not None and last.role == "user" and last.content == text):
            self._messages.append(ChatMessage("user", text))

    def _ask(self, messages: list[ChatMessage], observation: Observation) -> tuple[ModelReply, int]:
        """A reply, and how many messages had to be left out because the model takes no longer conversation."""
        whole, start = len(messages), self.start
        draw = f"{start.seed}/{start.trial}/{start.agent_idx}"
        while True:
            request = ModelRequest(self.model, tuple(merged(messages)), self._sampling(observation), draw)
            try:
                return self.client.complete(request), whole - len(messages)
            except ProviderError as error:
                shorter = half_of(messages) if error.kind == "context_length" else None
                if shorter is None or len(shorter) >= len(messages):
                    raise
                messages = shorter

    def _sampling(self, observation: Observation) -> Sampling:
        if not self.seed_sampling:
            return self.sampling
        start = self.start
        text = f"{start.seed}/{start.trial}/{start.agent_idx}/{observation.step}"
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1
        return dataclasses.replace(self.sampling, seed=seed)

    def _cost_usd(self, reply: ModelReply) -> float | None:
        return None if self.prices is None else self.prices.cost_usd(self.model, reply)


def _require_model(model: str | None) -> None:
    if not model:
        raise ConfigError("agent.model is not set; expected the name of a model as its service knows it.")


def _sum(values: Any) -> Any:
    """The sum of what is known; None when one is not."""
    known = list(values)
    return None if any(value is None for value in known) else sum(known)


def openai_agent(
    model: str,
    *,
    base_url: str | None = None,
    api_key_env: str | None = None,
    timeout_s: float = 300.0,
    token_limit_field: str | None = None,
    retries: int = 6,
    history: str | Mapping[str, Any] = "full",
    temperature: float | None = None,
    top_p: float | None = None,
    max_tokens: int | None = None,
    stop: Sequence[str] = (),
    seed: int | None = None,
    seed_sampling: bool = False,
    extra: Mapping[str, Any] | None = None,
    prices: str | None = None,
    instructions: str = "",
) -> LanguageModelAgent:
    """An agent on any service that speaks the OpenAI chat API.

    Args:
        model: its name at the service.
        base_url: address of the service, e.g. `http://127.0.0.1:8000/v1`; None for OpenAI's own.
        api_key_env: environment variable that holds the key; None for OPENAI_API_KEY.
        timeout_s: seconds before a call is given up.
        token_limit_field: field of the request for `max_tokens`, where it has another name.
        retries: further calls after one that failed and may pass.
        history: `"full"`, `{"kind": "window", "exchanges": n}` or `{"kind": "summary", "every": n, "keep": k}`.
        temperature, top_p, max_tokens, stop, seed, extra: see `Sampling`.
        seed_sampling: send a seed made from the episode, the agent and its step, instead of `seed`.
        prices: file of prices; None for the one that comes with the package.
        instructions: text added to the system message.

    Raises:
        ConfigError: a setting is out of range, the SDK is not installed, or the key is missing.
    """
    _require_model(model)
    endpoint = Endpoint("openai", base_url, api_key_env, timeout_s, token_limit_field)
    return LanguageModelAgent(
        RetryingClient(endpoint.connect(), retries=retries),
        model,
        history=make_history(history),
        sampling=Sampling(temperature, top_p, max_tokens, tuple(stop), seed, dict(extra or {})),
        prices=Prices.load(prices),
        seed_sampling=seed_sampling,
        instructions=instructions,
    )


def anthropic_agent(
    model: str,
    *,
    base_url: str | None = None,
    api_key_env: str | None = None,
    timeout_s: float = 300.0,
    cache_prompts: bool = True,
    retries: int = 6,
    history: str | Mapping[str, Any] = "full",
    temperature: float | None = None,
    top_p: float | None = None,
    max_tokens: int | None = None,
    stop: Sequence[str] = (),
    extra: Mapping[str, Any] | None = None,
    prices: str | None = None,
    instructions: str = "",
) -> LanguageModelAgent:
    """An agent on Anthropic's messages API; its conversation is marked for the service's prompt cache.

    Args: as `openai_agent`; the key is in ANTHROPIC_API_KEY unless `api_key_env` names another variable.

    Raises:
        ConfigError: a setting is out of range, the SDK is not installed, or the key is missing.
    """
    _require_model(model)
    endpoint = Endpoint("anthropic", base_url, api_key_env, timeout_s, cache_prompts=cache_prompts)
    return LanguageModelAgent(
        RetryingClient(endpoint.connect(), retries=retries),
        model,
        history=make_history(history),
        sampling=Sampling(temperature, top_p, max_tokens, tuple(stop), None, dict(extra or {})),
        prices=Prices.load(prices),
        instructions=instructions,
    )
