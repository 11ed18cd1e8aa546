"""Rectangles and sizes, in tiles."""

from __future__ import annotations

from .model import Model
from .position import Position

__all__ = ["BoundingBox", "BuildingBox", "Dimensions", "TileDimensions"]


class BoundingBox(Model):
    """An axis-aligned rectangle given by its four corners."""

    left_top: Position
    right_bottom: Position
    left_bottom: Position
    right_top: Position

    @classmethod
    def spanned(cls, a: Position, b: Position) -> BoundingBox:
        """The rectangle with two opposite corners at `a` and `b`, in either order."""
        left, right = sorted((a.x, b.x))
        top, bottom = sorted((a.y, b.y))
        return cls(
            left_top=Position(left, top),
            right_bottom=Position(right, bottom),
            left_bottom=Position(left, bottom),
            right_top=Position(right, top),
        )

    @property
    def center(self) -> Position:
        """The point in the middle."""
        return Position((self.left_top.x + self.right_bottom.x) / 2, (self.left_top.y + self.right_bottom.y) / 2)

    def width(self) -> float:
        """Extent from west to east."""
        return self.right_bottom.x - self.left_top.x

    def height(self) -> float:
        """Extent from north to south."""
        return self.right_bottom.y - self.left_top.y


class BuildingBox(Model):
    """How much room a building plan needs, in whole tiles."""

    height: int
    width: int


class Dimensions(Model):
    """Extent of an entity's collision box as it faces north."""

    width: float
    height: float


class TileDimensions(Model):
    """Tiles an entity covers as it faces north; not swapped when it is turned."""

    tile_width: float
    tile_height: float
