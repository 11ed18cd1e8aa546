"""Scenarios: the untouched land an episode starts on, by name."""

from __future__ import annotations

from functools import lru_cache

from fle_ray.errors import UnknownName
from fle_ray.sim.map import Terrain

__all__ = ["SCENARIOS", "terrain"]

SCENARIOS = ("lab", "open", "empty")


@lru_cache(maxsize=16)
def terrain(name: str, seed: int) -> Terrain:
    """The land of a scenario; immutable, so worlds share it. Raises UnknownName."""
    if name == "lab":
        from fle_ray.sim.scenarios.lab import LabTerrain

        return LabTerrain()
    if name == "empty":
        from fle_ray.sim.scenarios.empty import EmptyTerrain

        return EmptyTerrain()
    if name == "open":
        from fle_ray.sim.scenarios.open import OpenTerrain

        return OpenTerrain(seed)
    raise UnknownName("scenario", name, SCENARIOS)
