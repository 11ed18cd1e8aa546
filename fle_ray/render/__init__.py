"""Pictures of a world: `draw(world)` makes a drawing, `to_svg` and `to_png` write it, `film` strings several together.

from fle_ray.render import draw, to_svg, world_of
drawing = draw(world_of(run.state(address)), legend=True)
open("map.svg", "w").write(to_svg(drawing))
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Drawing": "drawing",
    "draw": "scene",
    "film": "films",
    "hull": "films",
    "interesting_box": "scene",
    "to_png": "png",
    "to_svg": "svg",
    "world_of": "scene",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
