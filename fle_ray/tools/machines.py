"""What furnaces, labs and rocket silos show agents beyond what every entity carries (see details.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["MACHINES"]

Fields = dict[str, Any]


def _furnace(entity: Any) -> Fields:
    return {"recipe": entity.craft} if entity.craft is not None else {}


def _lab(entity: Any) -> Fields:
    return {"research": entity.world.research_queue.current}


def _silo(entity: Any) -> Fields:
    fields: Fields = {
        "rocket_parts": entity.parts,
        "rocket_progress": 100.0 * entity.parts / entity.required,
    }
    if entity.stage == "ready":
        fields["status"] = "waiting_to_launch_rocket"
        fields["more_warnings"] = ["ready to launch"]
    elif entity.stage == "preparing" or (entity.stage == "crafting" and 0 < entity.parts < entity.required):
        fields["status"] = "preparing_rocket_for_launch"
        fields["more_warnings"] = ["waiting for rocket parts"] if entity.stage == "crafting" else []
    return fields


MACHINES: dict[str, Callable[[Any], Fields]] = {
    "furnace": _furnace,
    "lab": _lab,
    "rocket-silo": _silo,
}
