"""`nearest_buildable`: the nearest free box in which something can be built."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.values import BoundingBox, BuildingBox, Position
from fle_ray.sim.map import overlaps, tiles_of
from fle_ray.tools.arguments import as_position, as_prototype
from fle_ray.tools.context import Context, xy
from fle_ray.tools.placing import placed_by

__all__ = ["nearest_buildable"]

_REACH = 30


def _spiral() -> Iterator[tuple[int, int]]:
    """Offsets on a square spiral: right 1, down 1, left 2, up 2, right 3, ..., within the reach."""
    x = y = 0
    yield x, y
    length = 1
    while True:
        for dx, dy, steps in ((1, 0, length), (0, 1, length), (-1, 0, length + 1), (0, -1, length + 1)):
            for _ in range(steps):
                x, y = x + dx, y + dy
                if max(abs(x), abs(y)) > _REACH:
                    return
                yield x, y
        length += 2


def nearest_buildable(context: Context, entity: Any, building_box: Any, center_position: Any) -> BoundingBox:
    """The nearest free box of the asked size whose left top lies on a spiral within 30 tiles of a place.

    Free means: no water, nothing built, no trees or rocks. For a pumpjack a well must be inside; for drills
    every tile of the box must carry ore. Place the entity at the box's `center`. Takes no time.
    """
    member = as_prototype("nearest_buildable", "entity", entity, error="Exception")
    width, height = _size(building_box)
    x, y = xy(as_position("nearest_buildable", "center_position", center_position))
    prototype = placed_by(context, member)
    for dx, dy in _spiral():
        left, top = x + dx, y + dy
        if _good(context, prototype, (left, top, left + width, top + height)):
            return BoundingBox(
                left_top=Position(x=left, y=top),
                right_bottom=Position(x=left + width, y=top + height),
                left_bottom=Position(x=left, y=top + height),
                right_top=Position(x=left + width, y=top),
            )
    raise ToolError(
        f"nearest_buildable: no viable place for {member.value[0]} near ({x:g}, {y:g}) with a box of "
        f"{width:g} x {height:g} tiles. Make the box smaller, use several, or look somewhere else."
    )


def _size(box: Any) -> tuple[float, float]:
    if isinstance(box, BuildingBox):
        return float(box.width), float(box.height)
    if isinstance(box, BoundingBox):
        return float(box.width()), float(box.height())
    raise ToolError(
        f"nearest_buildable: expected BuildingBox(width=..., height=...), not {type(box).__name__}.", type="ValueError"
    )


def _good(context: Context, prototype: Any, box: tuple[float, float, float, float]) -> bool:
    land = context.world.map
    for tile in tiles_of(box):
        if land.is_water(*tile) or land.tile(*tile) == "out-of-map":
            return False
    if any(overlaps(thing.box, box) for thing in land.things_in(box)):
        return False
    if prototype.mining is None:
        return True
    categories = prototype.mining.categories
    records = context.world.data.resources

    def fits(tx: int, ty: int) -> bool:
        resource = land.resource_at(tx, ty)
        return resource is not None and records[resource.name].resource.category in categories

    if prototype.mining.drop_vector is None:  # a pumpjack stands on one well
        return any(fits(*tile) for tile in tiles_of(box))
    columns = range(floor(box[0] + 1e-6), ceil(box[2] - 1e-6))
    rows = range(floor(box[1] + 1e-6), ceil(box[3] - 1e-6))
    return all(fits(tx, ty) for tx in columns for ty in rows)
