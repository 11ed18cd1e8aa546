"""Research as observations show it."""

from __future__ import annotations

from typing import Any

__all__ = ["research_state"]


def research_state(world: Any) -> dict[str, Any]:
    """Technologies known and to be had: {technologies: [...], current_research, research_progress, research_queue}."""
    force = world.force
    technologies = [
        {
            "name": t.name,
            "researched": int(t.name in force.researched),
            "enabled": int(t.enabled),
            "level": t.level,
            "research_unit_count": t.units(),
            "research_unit_energy": t.unit_time_s * 60,
            "prerequisites": list(t.prerequisites),
            "ingredients": [{"name": name, "amount": amount} for name, amount in t.ingredients],
        }
        for t in world.data.technologies.values()
    ]
    return {
        "technologies": technologies,
        "current_research": "None",
        "research_progress": 0.0,
        "research_queue": [],
        "progress": "None",
    }
