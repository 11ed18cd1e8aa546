"""`get_research_progress`: what a technology still needs."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Ingredient
from fle_ray.tools.context import Context
from fle_ray.tools.technologies import packs, technology_name

__all__ = ["get_research_progress"]


def get_research_progress(context: Context, technology: Any = None) -> list[Ingredient]:
    """Science packs a technology still needs, the current one without an argument; `[]` when it is known.

    Of a technology that was begun and left, all packs are given.

    Raises when nothing is being researched and no technology is named. Takes no time.
    """
    queue = context.world.research_queue
    if technology is None:
        if queue.current is None:
            raise ToolError("No research is in progress. Use set_research, or name a technology.")
        name = queue.current
    else:
        name = technology_name(context, "get_research_progress", technology)
        record = context.world.data.technologies[name]
        if name in context.world.force.researched and not record.infinite:
            return []
    done = queue.progress() if name == queue.current else 0.0
    return packs(context, name, queue.units(name) * (1 - done))
