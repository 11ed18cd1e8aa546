"""The embedded engine: a deterministic, event-driven simulator of Factorio 2.0 (base game)."""

from __future__ import annotations

from fle_ray.sim.world import World

__all__ = ["World"]
