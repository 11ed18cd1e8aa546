"""`print` as a tool: the text of its arguments. Inside programs `print` is the log instead."""

from __future__ import annotations

from typing import Any

from fle_ray.tools.context import Context

__all__ = ["print_"]


def print_(context: Context, *args: Any) -> str:
    """The arguments as text, joined by tabs."""
    return "\t".join(str(value) for value in args)
