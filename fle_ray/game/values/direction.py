"""The eight directions, with the game's sixteen-way numbers."""

from __future__ import annotations

from .names import NamedEnum

__all__ = ["Direction", "DirectionInternal"]


class Direction(NamedEnum):
    """Where something faces. Each has two names, of which the first prints: `UP` is `NORTH`, and so on.

    The turning methods work on a member and through the class: `Direction.UP.opposite()` and
    `Direction.opposite(Direction.UP)`.
    """

    UP = 0
    NORTH = 0
    UPRIGHT = 2
    NORTHEAST = 2
    RIGHT = 4
    EAST = 4
    DOWNRIGHT = 6
    SOUTHEAST = 6
    DOWN = 8
    SOUTH = 8
    DOWNLEFT = 10
    SOUTHWEST = 10
    LEFT = 12
    WEST = 12
    UPLEFT = 14
    NORTHWEST = 14

    @classmethod
    def from_string(cls, text: str | int) -> Direction | None:
        """The direction of that name (in any case) or number, None if there is none."""
        if isinstance(text, str):
            return cls.__members__.get(text.strip().upper().replace("-", "").replace("_", ""))
        return cls._value2member_map_.get(text)

    def opposite(self) -> Direction:
        """The direction half a turn away."""
        return Direction((self._value_ + 8) % 16)

    def next_clockwise(self) -> Direction:
        """The direction a quarter turn to the right."""
        return Direction((self._value_ + 4) % 16)

    def next_counterclockwise(self) -> Direction:
        """The direction a quarter turn to the left."""
        return Direction((self._value_ - 4) % 16)

    def to_factorio_direction(self) -> int:
        """The game's number, 0 to 14."""
        return self._value_

    def from_factorio_direction(self) -> int:
        """The game's number, 0 to 14; the same as `to_factorio_direction`."""
        return self._value_


DirectionInternal = Direction
