"""`print` as a tool: the text of its arguments. Inside programs `print` is the log instead."""

from __future__ import annotations

from typing import Any

from fle_ray.game.values import Entity, EntityGroup, Model, Position
from fle_ray.tools.context import Context

__all__ = ["print_"]


def print_(context: Context, *args: Any) -> str:
    """The arguments as text, joined by tabs; recipes and the like as dictionaries of their fields."""
    return "\t".join(_text(value) for value in args)


def _text(value: Any) -> str:
    if isinstance(value, Model) and not isinstance(value, (Entity, EntityGroup, Position)):
        return str(value.model_dump())
    return str(value)
