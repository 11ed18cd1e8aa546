"""What the research tools share: which technology is meant, and what it costs."""

from __future__ import annotations

from math import ceil
from typing import Any

from fle_ray.errors import ToolError, UnknownName
from fle_ray.game.values import Ingredient, Technology
from fle_ray.tools.context import Context

__all__ = ["packs", "technology_name"]


def technology_name(context: Context, tool: str, value: Any) -> str:
    """Name of the technology a Technology or text stands for. Raises ToolError for what does not exist."""
    name = value.value if isinstance(value, Technology) else value
    if not isinstance(name, str):
        raise ToolError(f"{tool}: expected a Technology or its name, not {type(value).__name__}.", type="ValueError")
    technologies = context.world.data.technologies
    if name not in technologies:
        unknown = UnknownName("technology", name, technologies)
        raise ToolError(f"{tool}: {name} does not exist in this version of the game. {unknown}")
    return name


def packs(context: Context, name: str, units: float) -> list[Ingredient]:
    """The science packs of `units` units, rounded up to whole units."""
    whole = ceil(round(units, 9))
    return [
        Ingredient(name=pack, count=amount * whole, type="item")
        for pack, amount in context.world.data.technologies[name].ingredients
        if whole
    ]
