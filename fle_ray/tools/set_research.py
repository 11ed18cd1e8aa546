"""`set_research`: what the labs work on."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import CannotResearch, ToolError
from fle_ray.game.values import Ingredient
from fle_ray.tools.context import Context
from fle_ray.tools.technologies import packs, technology_name

__all__ = ["set_research"]


def set_research(context: Context, technology: Any) -> list[Ingredient]:
    """Research a technology now; returns the science packs it costs in all.

    A refusal leaves the research that is going on as it is: it is known already, lacks a prerequisite, or comes by
    itself when something is made. Takes no time.
    """
    name = technology_name(context, "set_research", technology)
    queue = context.world.research_queue
    if name != queue.current:
        try:
            queue.start(name)
        except CannotResearch as reason:
            raise ToolError(f"Could not set research: {reason}") from reason
    return packs(context, name, queue.units(name))
