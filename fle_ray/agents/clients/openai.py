"""The OpenAI chat API through the official SDK, at OpenAI or at any server that speaks it. Replies come whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fle_ray.agents.clients.failures import failure
from fle_ray.agents.clients.protocol import ModelReply, ModelRequest
from fle_ray.errors import ConfigError, ProviderError

if TYPE_CHECKING:
    from fle_ray.agents.clients.endpoint import Endpoint

__all__ = ["OpenAIClient"]


class OpenAIClient:
    """One service that speaks the OpenAI chat API. Makes each call once; waiting and retrying are for others.

    Raises:
        ConfigError: the SDK is not installed, or the key is missing.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        try:
            import openai
        except ImportError as error:
            raise ConfigError("agent=openai needs the OpenAI SDK: pip install 'fle-ray[llm]'.") from error
        self.endpoint = endpoint
        self._limit = endpoint.token_limit_field or ("max_tokens" if endpoint.base_url else "max_completion_tokens")
        self._error = openai.OpenAIError
        self._sdk = openai.OpenAI(
            api_key=endpoint.key(), base_url=endpoint.base_url, timeout=endpoint.timeout_s, max_retries=0
        )

    def complete(self, request: ModelRequest) -> ModelReply:
        """One reply; raises ProviderError."""
        sampling = request.sampling
        chosen: dict[str, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "stop": list(sampling.stop) or None,
            "seed": sampling.seed,
            self._limit: sampling.max_tokens,
        }
        body = {
            "model": request.model,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "stream": False,
            **{name: value for name, value in chosen.items() if value is not None},
            **sampling.extra,
        }
        try:
            # Not chat.completions.create: it walks every message of the conversation through the API's types, and
            # makes the answer a model of its own, at several milliseconds a call.
            answer = self._sdk.post("/chat/completions", cast_to=object, body=body)
        except (self._error, ValueError) as error:  # ValueError: a body that is not JSON
            raise failure(error, self._where()) from error
        return self._reply(answer)

    def _where(self) -> str:
        return self.endpoint.base_url or "openai"

    def _reply(self, answer: Any) -> ModelReply:
        choices = _of(answer, "choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = _of(choice, "message")
        if not isinstance(message, dict):
            raise ProviderError(f"{self._where()}: the reply holds no message: {answer!r:.500}", kind="bad_reply")
        usage = _of(answer, "usage")
        return ModelReply(
            text=message.get("content") or "",
            finish_reason=_of(choice, "finish_reason") or "stop",
            model=_of(answer, "model") or "",
            prompt_tokens=_of(usage, "prompt_tokens"),
            completion_tokens=_of(usage, "completion_tokens"),
            cached_tokens=_of(_of(usage, "prompt_tokens_details"), "cached_tokens"),
            reasoning_tokens=_of(_of(usage, "completion_tokens_details"), "reasoning_tokens"),
            request_id=_of(answer, "id") or "",
        )

    def close(self) -> None:
        self._sdk.close()


def _of(value: Any, name: str) -> Any:
    """An entry of a JSON object; None where there is no such entry, or no object."""
    return value.get(name) if isinstance(value, dict) else None
