"""Research as observations show it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

__all__ = ["research_state"]


def research_state(world: Any) -> dict[str, Any]:
    """Technologies known and to be had: technologies, current_research, research_progress, research_queue, progress.

    `technologies` is the same object as before, and not to be changed, while no technology has been learned.
    """
    force, queue = world.force, world.research_queue
    technologies = _technologies(world.data, frozenset(force.researched), frozenset(force.levels.items()))
    begun = [{"name": name, "value": queue.progress(name)} for name in queue.begun()]
    return {
        "technologies": technologies,
        "current_research": queue.current or "None",
        "research_progress": queue.progress(),
        "research_queue": list(queue.queue),
        "progress": begun or "None",
    }


@lru_cache(maxsize=16)
def _technologies(
    data: Any, researched: frozenset[str], levels: frozenset[tuple[str, int]]
) -> tuple[dict[str, Any], ...]:
    """All technologies in the data's order; `levels` are those that endless ones have reached."""
    reached = dict(levels)

    def row(t: Any) -> dict[str, Any]:
        level = reached.get(t.name, t.level - 1) + 1 if t.infinite else t.level
        return {
            "name": t.name,
            "researched": int(t.name in researched),
            "enabled": int(t.enabled),
            "level": level,
            "research_unit_count": t.units(level) if t.infinite else t.units(),
            "research_unit_energy": t.unit_time_s * 60,
            "prerequisites": list(t.prerequisites),
            "ingredients": [{"name": name, "amount": amount} for name, amount in t.ingredients],
        }

    return tuple(row(t) for t in data.technologies.values())
