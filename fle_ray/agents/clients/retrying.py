"""Waits and calls again when a model service is busy or stumbles, and says how long it waited."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

from fle_ray.agents.clients.protocol import ModelClient, ModelReply, ModelRequest
from fle_ray.errors import ConfigError, ProviderError

__all__ = ["RetryingClient"]


class RetryingClient:
    """A client that makes another one's failing calls again.

    Waits as long as the service asks (`Retry-After`), else 1, 2, 4 ... seconds up to `most_wait_s`. What cannot pass
    (a wrong key, a wrong request) is raised at once, and a service that asks to wait longer than `most_wait_s` too.

    Args:
        client: makes each call once.
        retries: further calls after the first; 0 for none.
        first_wait_s, most_wait_s: seconds before the first retry, and at most.
        sleep: how to wait.
    """

    def __init__(
        self,
        client: ModelClient,
        *,
        retries: int = 6,
        first_wait_s: float = 1.0,
        most_wait_s: float = 120.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if retries < 0:
            raise ConfigError(f"agent.retries is {retries}; expected 0 or more.")
        self.client = client
        self.retries = retries
        self.first_wait_s = first_wait_s
        self.most_wait_s = most_wait_s
        self._sleep = sleep

    def complete(self, request: ModelRequest) -> ModelReply:
        """One reply, with the seconds waited for it; raises ProviderError after the last retry."""
        waited_s = 0.0
        for attempt in range(self.retries + 1):
            try:
                reply = self.client.complete(request)
            except ProviderError as error:
                asked = error.retry_after_s
                if not error.retryable or attempt == self.retries or (asked or 0) > self.most_wait_s:
                    raise
                wait_s = min(self.first_wait_s * 2**attempt, self.most_wait_s) if asked is None else asked
                self._sleep(wait_s)
                waited_s += wait_s
            else:
                return dataclasses.replace(reply, waited_s=reply.waited_s + waited_s, attempts=attempt + 1)
        raise AssertionError("unreachable: the loop returns or raises")

    def close(self) -> None:
        self.client.close()
