"""Where a model is served: a plain value that can be sent to another process, which connects there."""

from __future__ import annotations

import os
from dataclasses import dataclass

from fle_ray.agents.clients.protocol import ModelClient
from fle_ray.errors import ConfigError, UnknownName

__all__ = ["SERVICES", "Endpoint"]

SERVICES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
"""Kind of service -> environment variable that holds its key by default."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model service.

    Attributes:
        service: `"openai"` (that API, whoever serves it) or `"anthropic"`.
        base_url: address of the service; None for the maker's own.
        api_key_env: name of the environment variable that holds the key; None for the service's usual one.
            The key itself stands in no configuration.
        timeout_s: seconds before a call is given up.
        token_limit_field: name of the field for `max_tokens` in requests to the OpenAI API; None for
            `max_completion_tokens` at OpenAI and `max_tokens` elsewhere.
        cache_prompts: mark the conversation for caching where the service wants it marked (Anthropic).
    """

    service: str
    base_url: str | None = None
    api_key_env: str | None = None
    timeout_s: float = 300.0
    token_limit_field: str | None = None
    cache_prompts: bool = True

    def __post_init__(self) -> None:
        if self.service not in SERVICES:
            raise UnknownName("model service", self.service, SERVICES, f"There are: {', '.join(SERVICES)}.")
        if not self.timeout_s > 0:
            raise ConfigError(f"agent.timeout_s is {self.timeout_s}; expected seconds above 0.")
        if self.base_url is not None and not self.base_url.startswith(("http://", "https://")):
            raise ConfigError(f"agent.base_url is {self.base_url!r}; expected an address that begins with http.")

    def key(self) -> str:
        """The key out of the environment; "none" for a server of one's own that has no variable set.

        Raises:
            ConfigError: the variable is not set, and the service needs a key.
        """
        name = self.api_key_env or SERVICES[self.service]
        value = os.environ.get(name)
        if value:
            return value
        if self.api_key_env is None and self.base_url is not None:
            return "none"
        raise ConfigError(
            f"The environment variable {name} is not set; it must hold the key of the {self.service} service."
            " Set it, name another by agent.api_key_env, or give agent.base_url for a server without keys."
        )

    def connect(self) -> ModelClient:
        """A client of this service, which makes each call once.

        Raises:
            ConfigError: the key or the SDK is missing.
        """
        if self.service == "openai":
            from fle_ray.agents.clients.openai import OpenAIClient

            return OpenAIClient(self)
        from fle_ray.agents.clients.anthropic import AnthropicClient

        return AnthropicClient(self)
