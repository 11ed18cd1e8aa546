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
_LARGEST = 200  # tiles a side
_LARGE = 64  # tiles from which on a box is worth a look at the whole area first


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
    large = width * height > _LARGE
    area = _Area(context, prototype, x, y, width, height) if large else None
    for dx, dy in _spiral():
        left, top = x + dx, y + dy
        box = (left, top, left + width, top + height)
        if (area.good(box) if area is not None else True) and _good(context, prototype, box):
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
        width, height = box.width, box.height
    elif isinstance(box, BoundingBox):
        width, height = box.width(), box.height()
    else:
        raise ToolError(
            f"nearest_buildable: expected BuildingBox(width=..., height=...), not {type(box).__name__}.",
            type="ValueError",
        )
    if not all(isinstance(side, (int, float)) and 0 < side <= _LARGEST for side in (width, height)):
        raise ToolError(
            f"nearest_buildable: a box has more than 0 and at most {_LARGEST} tiles a side, not {width} x {height}.",
            type="ValueError",
        )
    return float(width), float(height)


class _Area:
    """All tiles that boxes on the spiral may touch, so that large boxes are turned down without looking at each tile.

    Counts what forbids a box on every tile: water, something that stands there, and for drills bare ground.
    """

    def __init__(self, context: Context, prototype: Any, x: float, y: float, width: float, height: float) -> None:
        self.left, self.top = floor(x) - _REACH - 1, floor(y) - _REACH - 1
        columns, rows = ceil(width) + 2 * _REACH + 4, ceil(height) + 2 * _REACH + 4
        land = context.world.map
        drill = prototype.mining is not None and prototype.mining.drop_vector is not None
        right, bottom = self.left + columns, self.top + rows
        taken = {t for thing in land.things_in((self.left, self.top, right, bottom)) for t in tiles_of(thing.box)}
        self.sums = [[0] * (columns + 1)]
        for ty in range(self.top, bottom):
            above, row = self.sums[-1], [0]
            total = 0
            for k, tx in enumerate(range(self.left, right)):
                if (
                    (tx, ty) in taken
                    or land.is_water(tx, ty)
                    or land.tile(tx, ty) == "out-of-map"
                    or (drill and land.resource_at(tx, ty) is None)
                ):
                    total += 1
                row.append(above[k + 1] + total)
            self.sums.append(row)

    def good(self, box: tuple[float, float, float, float]) -> bool:
        """Whether nothing forbids the tiles that lie wholly in a box."""
        left, top = ceil(box[0] - 1e-6) - self.left, ceil(box[1] - 1e-6) - self.top
        right, bottom = floor(box[2] + 1e-6) - self.left, floor(box[3] + 1e-6) - self.top
        if left >= right or top >= bottom:
            return True
        sums = self.sums
        return sums[bottom][right] - sums[top][right] - sums[bottom][left] + sums[top][left] == 0


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
