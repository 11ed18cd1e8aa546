"""Points on the map, in tiles: x grows to the east, y to the south, so that up is minus y."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from .model import Model, expected, to_float, to_text

if TYPE_CHECKING:
    from typing import Any

    from .boxes import BoundingBox

__all__ = ["IndexedPosition", "Position"]


class Position(Model):
    """A point: `Position(x=1, y=2)` or `Position(1, 2)`, coordinates in tiles.

    Two positions are `==` when both coordinates differ by less than one tile, which is what programs want when
    they compare entities' places. The hash goes by the exact coordinates, so sets and dictionaries tell apart
    positions that `==` does not: do not use positions as keys.
    """

    x: float
    y: float

    def __init__(self, /, *args: Any, **named: Any) -> None:
        if args:
            if named or len(args) != 2:
                raise ValueError(
                    f"Position takes x and y, both by keyword or both by position; got {len(args)} by position"
                    + (f" and {', '.join(named)} by keyword." if named else ".")
                )
            x, y = args
        elif len(named) == 2 and "x" in named and "y" in named:
            x = named["x"]
            y = named["y"]
        else:
            super().__init__(**named)
            return
        if type(x) is not float:
            x = _coordinate(self, "x", x)
        if type(y) is not float:
            y = _coordinate(self, "y", y)
        self.x = x
        self.y = y

    @classmethod
    def model_validate(cls, value: Any) -> Position:
        """A position as it is, or one made from a pair of numbers or a dictionary."""
        if isinstance(value, cls):
            return value
        if isinstance(value, tuple | list) and len(value) == len(cls.model_fields):
            return cls(*value)
        if isinstance(value, dict) and all(type(key) is str for key in value):
            return cls(**value)
        raise expected(f"{cls.__name__} or ({', '.join(cls.model_fields)})", value)

    def __add__(self, other: Any) -> Position:
        if not (hasattr(other, "x") and hasattr(other, "y")):
            return NotImplemented
        return Position(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Any) -> Position:
        if not (hasattr(other, "x") and hasattr(other, "y")):
            return NotImplemented
        return Position(self.x - other.x, self.y - other.y)

    def is_close(self, a: Position, tolerance: float = 0.5) -> bool:
        """Whether each coordinate differs by less than `tolerance` tiles."""
        return abs(self.x - a.x) < tolerance and abs(self.y - a.y) < tolerance

    def distance(self, a: Position) -> float:
        """Straight-line distance in tiles."""
        return hypot(self.x - a.x, self.y - a.y)

    distance_to = distance

    def up(self, n: float = 1) -> Position:
        """The point `n` tiles to the north."""
        return Position(self.x, self.y - n)

    def down(self, n: float = 1) -> Position:
        """The point `n` tiles to the south."""
        return Position(self.x, self.y + n)

    def left(self, n: float = 1) -> Position:
        """The point `n` tiles to the west."""
        return Position(self.x - n, self.y)

    def right(self, n: float = 1) -> Position:
        """The point `n` tiles to the east."""
        return Position(self.x + n, self.y)

    above = up
    below = down

    def to_bounding_box(self, other: Position) -> BoundingBox:
        """The box that has this point and `other` as opposite corners."""
        from .boxes import BoundingBox  # a box is made of positions, so it imports this module

        return BoundingBox.spanned(self, other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return abs(self.x - other.x) < 1 and abs(self.y - other.y) < 1

    def __hash__(self) -> int:
        return hash((self.x, self.y))


class IndexedPosition(Position):
    """A connection point and what flows there: `type` is a fluid's name, `""` or `"all"`."""

    type: str

    def __init__(self, /, *args: Any, **named: Any) -> None:
        if args:
            if named or len(args) != 3:
                raise ValueError(
                    "IndexedPosition takes x, y and type, all by keyword or all by position; "
                    f"got {len(args)} by position" + (f" and {', '.join(named)} by keyword." if named else ".")
                )
            self.x = _coordinate(self, "x", args[0])
            self.y = _coordinate(self, "y", args[1])
            try:
                self.type = to_text(args[2])
            except ValueError as error:
                raise ValueError(f"IndexedPosition.type: {error}") from None
        else:
            Model.__init__(self, **named)

    def __hash__(self) -> int:
        return hash((self.x, self.y, self.type))


def _coordinate(of: Position, name: str, value: Any) -> float:
    try:
        return to_float(value)
    except ValueError as error:
        raise ValueError(f"{of.__class__.__name__}.{name}: {error}") from None
