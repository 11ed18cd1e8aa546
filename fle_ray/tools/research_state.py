"""Research as observations show it."""

from __future__ import annotations

from typing import Any

__all__ = ["research_state"]


def research_state(world: Any) -> dict[str, Any]:
    """Technologies known and to be had: technologies, current_research, research_progress, research_queue, progress."""
    force = world.force
    queue = world.research_queue
    technologies = [
        {
            "name": t.name,
            "researched": int(t.name in force.researched),
            "enabled": int(t.enabled),
            "level": force.level(t) if t.infinite else t.level,
            "research_unit_count": queue.units(t.name),
            "research_unit_energy": t.unit_time_s * 60,
            "prerequisites": list(t.prerequisites),
            "ingredients": [{"name": name, "amount": amount} for name, amount in t.ingredients],
        }
        for t in world.data.technologies.values()
    ]
    begun = [
        {"name": name, "value": queue.progress(name)}
        for name in world.data.technologies
        if name not in force.researched and queue.progress(name) > 0
    ]
    return {
        "technologies": technologies,
        "current_research": queue.current or "None",
        "research_progress": queue.progress(),
        "research_queue": list(queue.queue),
        "progress": begun or "None",
    }
