"""The dataset of a run: records, schema, journal, writer, reader. See docs/dataset.md.

Names are imported when first used, so that `import fle_ray.dataset` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "CallRecord": "records",
    "EpisodeProgress": "recover",
    "EpisodeRecord": "records",
    "EventRecord": "records",
    "FlowRecord": "records",
    "KeepStates": "states",
    "MessageRecord": "records",
    "Recovery": "recover",
    "RunData": "reader",
    "RunWriter": "writer",
    "SCHEMA_VERSION": "records",
    "StateStore": "states",
    "StepRecord": "records",
    "compact_run": "compact",
    "open_run": "reader",
    "open_runs": "reader",
    "recover_run": "recover",
    "state_address": "states",
    "verify_run": "verify",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
