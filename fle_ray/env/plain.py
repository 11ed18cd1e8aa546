"""Game values as plain JSON values, for observations and records."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

__all__ = ["as_json", "as_plain"]


def as_plain(value: Any) -> Any:
    """`value` made of dict, list, str, int, float, bool and None only.

    Enum members become their value, or the name of a member whose value is not plain; objects become a
    dictionary of their public fields; sets are sorted by their text, so that the result does not depend on
    hash order; a number that JSON does not have becomes None.
    """
    if value is None or isinstance(value, str | bool | int) and not isinstance(value, Enum):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Enum):
        return value.value if isinstance(value.value, str | int) else value.name
    if isinstance(value, Mapping):
        return {str(as_plain(key)): as_plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(entry) for entry in value]
    if isinstance(value, set | frozenset):
        return sorted((as_plain(entry) for entry in value), key=str)
    if isinstance(value, type) or callable(value):
        return getattr(value, "__name__", str(value))
    for method in ("model_dump", "to_dict"):
        if hasattr(value, method):
            return as_plain(getattr(value, method)())
    if dataclasses.is_dataclass(value):
        return {f.name: as_plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if hasattr(value, "__dict__"):
        return {name: as_plain(entry) for name, entry in vars(value).items() if not name.startswith("_")}
    return str(value)


def as_json(value: Any) -> str:
    """`as_plain(value)` as compact JSON text; characters beyond ASCII stay as they are."""
    return json.dumps(as_plain(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
