"""What a model service is to an agent: one call, whole replies, typed errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from fle_ray.agents.contract import ChatMessage

__all__ = ["ModelClient", "ModelReply", "ModelRequest", "Sampling"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the model writes. None leaves a setting to the service; it is then not sent at all.

    Attributes:
        temperature: 0 or more.
        top_p: above 0, at most 1.
        max_tokens: most tokens of a reply, reasoning included.
        stop: texts at which the reply ends.
        seed: seeds the service's sampling, where it has such a setting.
        extra: further fields of the request, as the service names them.
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call of a model. `messages` begins with the system message, if there is one.

    `draw` tells repetitions apart that ask the same, for a cache of replies; it is not sent.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    sampling: Sampling = Sampling()
    draw: str = ""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A whole reply.

    Attributes:
        text: what the model wrote, "" for nothing.
        finish_reason: "stop", "length" (cut off at `max_tokens`), or as the service says.
        model: the model that answered, as the service names it.
        prompt_tokens: tokens sent, cached ones included; None where nobody counted, as for the next three.
        completion_tokens: tokens written, reasoning included.
        cached_tokens: part of `prompt_tokens` that the service had cached.
        cache_write_tokens: part of `prompt_tokens` that it put into its cache at a price of its own.
        reasoning_tokens: part of `completion_tokens` spent on reasoning.
        request_id: the service's name for the call, "" for none.
        waited_s: seconds spent waiting for rate limits and retries.
        attempts: calls that were made for this reply.
    """

    text: str
    finish_reason: str = "stop"
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    request_id: str = ""
    waited_s: float = 0.0
    attempts: int = 1


@runtime_checkable
class ModelClient(Protocol):
    """Calls a model service. May be used from several threads at once."""

    def complete(self, request: ModelRequest) -> ModelReply:
        """One whole reply.

        Raises:
            ProviderError: the service failed; its `kind` says how, `retry_after_s` how long it asked to wait.
        """

    def close(self) -> None: ...
