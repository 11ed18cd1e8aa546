"""Geometry of belt lanes, in 1/256 tile.

A belt tile has two lanes, 0 (lane 1 of the game, left of travel) and 1 (lane 2, right). A position on a lane runs
from the downstream edge (0) to the upstream edge. Lane lengths, centre lines, where feeds from the side join and
where items lie on a turn were measured on 2.0.60 by the FactorioGym probes, for right turns; left turns are their
mirror image.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate

__all__ = [
    "CLEARANCE",
    "LEFT",
    "RIGHT",
    "STRAIGHT",
    "TILE",
    "drop_point",
    "item_offset",
    "lane_lengths",
    "side_entry",
    "vector",
]

TILE = 256
CLEARANCE = 64  # the least distance between two items of a lane
_OUTER, _INNER = 295, 106  # lane lengths on a turn
_CENTRE_LINE = 60  # from the middle of the belt
_ENTRY_UPSTREAM, _ENTRY_DOWNSTREAM = 188, 67  # where the two lanes of a feed from the side join

STRAIGHT, LEFT, RIGHT = "straight", "left", "right"

_VECTORS = {0: (0, -1), 4: (1, 0), 8: (0, 1), 12: (-1, 0)}

# Items of a turn lie on quarter circles round its inner corner, on the game's grid. Per position, from the exit on,
# the step to the next: y one back along the travel, x one towards the inner side, d both, o none.
_STEPS = {"y": (0, -1), "x": (-1, 0), "d": (-1, -1), "o": (0, 0)}
_OUTER_START, _INNER_START = (60, 128), (-61, 128)
_OUTER_STEPS = (
    "yyyyyyydyyyyyyyyyyyyxyyyyyyydyyyyydyyyydyyyydyyydyydyyydyydyyxyyydydyydyydydyodydyydydyxydyydydyxydydydoddyd"
    "ydodyddodydydxyddodyddoddyxdydxyddoddodddoddoddxydxdyxddoddxdoddxydxdxdoddxdodxdxddodxdxdxyxdxdxxdxyxdxdxxdx"
    "doxdxdxxdxxdxdxxxyxxdxxdxxxdxxdxxxdxxxxdxxxxdxxxxxdxxxxxxxyxxxxxxxxxxxxdxxxxxxo"
)
_INNER_STEPS = (
    "yyyyyyyyyydyoyydyyydyydyydyydydodydydydodyddodyddoddxyddoddxdoddxdodxdxdxdodxdxxdxxdxxdxxxdxxoxdxxxxxxxxxo"
)


def vector(direction: int) -> tuple[int, int]:
    """Unit vector of a direction (0, 4, 8 or 12)."""
    return _VECTORS[direction]


def lane_lengths(shape: str) -> tuple[int, int]:
    """Lengths of the two lanes of a belt tile."""
    if shape == STRAIGHT:
        return TILE, TILE
    return (_OUTER, _INNER) if shape == RIGHT else (_INNER, _OUTER)


@lru_cache(maxsize=1)
def _arcs() -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Points of the outer and the inner lane of a right turn by position: (to the left of travel, along travel)."""

    def points(start: tuple[int, int], steps: str) -> tuple[tuple[int, int], ...]:
        moves = [start, *(_STEPS[s] for s in steps)]
        return tuple(accumulate(moves, lambda a, b: (a[0] + b[0], a[1] + b[1])))

    return points(_OUTER_START, _OUTER_STEPS), points(_INNER_START, _INNER_STEPS)


def item_offset(shape: str, direction: int, lane: int, position: int) -> tuple[int, int]:
    """Where an item of a lane lies, from the centre of its belt tile."""
    ux, uy = _VECTORS[direction]
    lx, ly = uy, -ux  # left of travel
    if shape == STRAIGHT:
        along = TILE // 2 - position
        side = _CENTRE_LINE if lane == 0 else -_CENTRE_LINE
    else:
        right = shape == RIGHT
        points = _arcs()[1 if right == (lane == 1) else 0]
        side, along = points[min(max(position, 0), len(points) - 1)]
        if not right:
            side = -side
    return ux * along + lx * side, uy * along + ly * side


def drop_point(shape: str, direction: int, dx: int, dy: int) -> tuple[int, int]:
    """(lane, position) at which something dropped at (dx, dy) from the centre of a belt tile is aimed.

    On a straight tile it is the lane whose half holds the point (on the centre line, lane 1) and the point's
    distance from the downstream edge; on a turn the middle of the inner or the outer lane, whichever is nearer.
    """
    ux, uy = _VECTORS[direction]
    if shape == STRAIGHT:
        along = dx * ux + dy * uy
        right = -dx * uy + dy * ux
        return (0 if right < 0 else 1), TILE // 2 - along
    side = 1 if shape == RIGHT else -1
    inner = dx * (ux - side * uy) + dy * (uy + side * ux) > 0
    lane = 1 if (shape == RIGHT) == inner else 0
    return lane, lane_lengths(shape)[lane] // 2


def side_entry(feed_direction: int, lane: int, direction: int) -> int:
    """Position at which a lane of a feed from the side joins a straight tile that runs in `direction`."""
    fx, fy = _VECTORS[feed_direction]
    ax, ay = _VECTORS[direction]
    sx, sy = (fy, -fx) if lane == 0 else (-fy, fx)  # which side of the feed the lane lies on
    return _ENTRY_UPSTREAM if sx * ax + sy * ay < 0 else _ENTRY_DOWNSTREAM
