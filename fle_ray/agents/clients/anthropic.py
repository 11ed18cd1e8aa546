"""Anthropic's messages API through the official SDK. Replies come whole; conversations are marked for caching."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fle_ray.agents.clients.failures import failure
from fle_ray.agents.clients.protocol import ModelReply, ModelRequest
from fle_ray.agents.contract import ChatMessage
from fle_ray.errors import ConfigError, ProviderError

if TYPE_CHECKING:
    from fle_ray.agents.clients.endpoint import Endpoint

__all__ = ["AnthropicClient"]

DEFAULT_MAX_TOKENS = 8192  # the API demands a limit
_FINISH = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length"}


class AnthropicClient:
    """Anthropic's service. Makes each call once; waiting and retrying are for others.

    Raises:
        ConfigError: the SDK is not installed, or the key is missing.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        try:
            import anthropic
        except ImportError as error:
            raise ConfigError("agent=anthropic needs Anthropic's SDK: pip install 'fle-ray[llm]'.") from error
        self.endpoint = endpoint
        self._error = anthropic.AnthropicError
        self._sdk = anthropic.Anthropic(
            api_key=endpoint.key(), base_url=endpoint.base_url, timeout=endpoint.timeout_s, max_retries=0
        )

    def complete(self, request: ModelRequest) -> ModelReply:
        """One reply; raises ProviderError."""
        sampling = request.sampling
        chosen: dict[str, Any] = {
            "stop_sequences": list(sampling.stop) or None,
            "system": self._system(request.messages) or None,
        }
        # Not every version of the SDK has these two as arguments, and not every model takes them.
        body: dict[str, Any] = {"temperature": sampling.temperature, "top_p": sampling.top_p}
        body = {name: value for name, value in body.items() if value is not None} | dict(sampling.extra)
        try:
            answer = self._sdk.messages.create(
                model=request.model,
                messages=self._turns(request.messages),
                max_tokens=sampling.max_tokens or DEFAULT_MAX_TOKENS,
                stream=False,
                extra_body=body or None,
                **{name: value for name, value in chosen.items() if value is not None},
            )
        except (self._error, ValueError) as error:
            raise failure(error, self._where()) from error
        return self._reply(answer)

    def _where(self) -> str:
        return self.endpoint.base_url or "anthropic"

    def _block(self, text: str, cached: bool) -> dict[str, Any]:
        block: dict[str, Any] = {"type": "text", "text": text}
        if cached and self.endpoint.cache_prompts:
            block["cache_control"] = {"type": "ephemeral"}
        return block

    def _system(self, messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
        texts = [m.content for m in messages if m.role == "system" and m.content]
        return [self._block(text, cached=i == len(texts) - 1) for i, text in enumerate(texts)]

    def _turns(self, messages: Sequence[ChatMessage]) -> list[Any]:
        """The conversation; everything up to its last message is marked for caching."""
        turns = [m for m in messages if m.role != "system" and m.content]
        return [
            {"role": m.role, "content": [self._block(m.content, cached=i == len(turns) - 1)]}
            for i, m in enumerate(turns)
        ]

    def _reply(self, answer: Any) -> ModelReply:
        blocks = getattr(answer, "content", None)
        if not isinstance(blocks, list):
            raise ProviderError(f"{self._where()}: the reply holds no message: {answer!r:.500}", kind="bad_reply")
        usage = getattr(answer, "usage", None)
        fresh = getattr(usage, "input_tokens", None)
        read = getattr(usage, "cache_read_input_tokens", None)
        written = getattr(usage, "cache_creation_input_tokens", None)
        reason = getattr(answer, "stop_reason", None) or "stop"
        return ModelReply(
            text="".join(block.text for block in blocks if getattr(block, "type", "") == "text"),
            finish_reason=_FINISH.get(reason, reason),
            model=getattr(answer, "model", "") or "",
            prompt_tokens=None if fresh is None else fresh + (read or 0) + (written or 0),
            completion_tokens=getattr(usage, "output_tokens", None),
            cached_tokens=read,
            cache_write_tokens=written,
            request_id=getattr(answer, "id", "") or "",
        )

    def close(self) -> None:
        self._sdk.close()
