"""`launch_rocket`: send up the rocket that a silo has ready."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import Position, RocketSilo
from fle_ray.tools.context import Context, xy
from fle_ray.tools.describe import describe
from fle_ray.tools.lookup import built_in, nearest_of

__all__ = ["launch_rocket"]

_REACH = 1000


def launch_rocket(context: Context, silo: Any) -> RocketSilo:
    """Launch the rocket of a silo: the one given, or the one nearest to a Position.

    Returns the silo as it is now. When its rocket is not ready nothing happens, and the silo's warnings say what
    it waits for. Raises when there is no silo. Takes no time; the flight takes half a minute.
    """
    if isinstance(silo, RocketSilo):
        place = silo.position
    elif isinstance(silo, Position):
        place = silo
    else:
        raise ToolError(
            f"launch_rocket: expected a RocketSilo or its Position, not {type(silo).__name__}.", type="ValueError"
        )
    x, y = xy(place)
    box = (x - _REACH, y - _REACH, x + _REACH, y + _REACH)
    found = nearest_of([e for e in built_in(context, box) if e.prototype.type == "rocket-silo"], x, y)
    if found is None:
        raise ToolError(
            f"Could not launch: there is no rocket-silo within {_REACH} tiles of ({x:g}, {y:g}). Place one first."
        )
    launched = found.launch()
    value = describe(found)
    if not launched and found.stage == "crafting":
        value.warnings.append(f"not launched: {found.parts} of {found.required} rocket parts are there")
    elif not launched:
        value.warnings.append(f"not launched: the silo is {found.stage}")
    return value
