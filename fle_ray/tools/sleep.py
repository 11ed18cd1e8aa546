"""`sleep`: let game time pass."""

from __future__ import annotations

from fle_ray.errors import ToolError
from fle_ray.tools.context import Context

__all__ = ["sleep"]


def sleep(context: Context, seconds: float) -> bool:
    """Let `seconds` of game time pass (60 ticks each, rounded up); zero or less does nothing. Returns True."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or seconds != seconds:
        raise ToolError(f"sleep: seconds must be a number, not {seconds!r}.", type="TypeError")
    if seconds > 0:
        if seconds == float("inf"):
            raise ToolError("sleep: seconds must be finite.", type="ValueError")
        context.advance(seconds * 60)
    return True
