"""Short sentences about what is amiss with an entity, worked out afresh each time."""

from __future__ import annotations

from typing import Any

__all__ = ["warnings_of"]


def warnings_of(entity: Any) -> list[str]:
    """Warnings in the order agents know them by."""
    found = []
    source = getattr(entity, "source", None)
    if source is not None and source.kind == "burner" and source.remaining <= 0 and not source.fuel:
        found.append("out of fuel")
    if entity.prototype.type == "furnace" and not entity.busy:
        found.append("no ingredients to smelt")
    if entity.status == "waiting_for_space_in_destination":
        found.append("waiting for space in destination")
    return found
