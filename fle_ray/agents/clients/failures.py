"""How a failed HTTP call becomes a `ProviderError`; the two SDKs name their errors alike."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from typing import Any

from fle_ray.errors import ProviderError

__all__ = ["failure", "retry_after_s"]

# What the services call a conversation that is too long for the model, in the error's code, type or message.
_TOO_LONG = ("context_length_exceeded", "exceed_context_size", "prompt is too long", "maximum context length")


def failure(error: Exception, service: str) -> ProviderError:
    """The error of an SDK as one of ours, with its kind and the time that the service asked to wait."""
    name = type(error).__name__
    status = getattr(error, "status_code", None)
    text = f"{service}: {name}: {str(error)[:2000]}"
    if name == "APITimeoutError":
        return ProviderError(text, kind="timeout")
    if status is None:
        return ProviderError(text, kind="connection" if name == "APIConnectionError" else "bad_reply")
    headers = getattr(getattr(error, "response", None), "headers", {})
    wait = retry_after_s(headers)
    if status == 429:
        return ProviderError(text, kind="rate_limited", retry_after_s=wait)
    if status >= 500 or status in (408, 409):
        return ProviderError(text, kind="timeout" if status == 408 else "server", retry_after_s=wait)
    if status in (401, 403):
        return ProviderError(text, kind="authentication")
    about = f"{getattr(error, 'code', '')} {getattr(error, 'type', '')} {error} {getattr(error, 'body', '')}".lower()
    if any(words in about for words in _TOO_LONG):
        return ProviderError(text, kind="context_length")
    if status < 400:
        return ProviderError(text, kind="bad_reply")
    return ProviderError(text, kind="bad_request")


def retry_after_s(headers: Mapping[str, Any], now: float | None = None) -> float | None:
    """Seconds that the headers ask to wait: `retry-after-ms`, or `retry-after` in seconds or as a date."""
    milliseconds, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
    for value, scale in ((milliseconds, 0.001), (seconds, 1.0)):
        try:
            if value is not None:
                return max(0.0, float(value) * scale)
        except ValueError:
            continue
    parsed = email.utils.parsedate_tz(seconds) if seconds else None
    if parsed is None:
        return None
    return max(0.0, email.utils.mktime_tz(parsed) - (time.time() if now is None else now))
