"""Values of frames and records as plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

__all__ = ["plain"]


def plain(value: Any) -> Any:
    """A value as JSON knows it: no NaN, no numpy scalars, times as text."""
    if type(value).__name__ in ("NAType", "NaTType"):  # what pandas writes for null
        return None
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if hasattr(value, "item"):  # a numpy scalar
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int, bool)):
        return value
    return str(value)
