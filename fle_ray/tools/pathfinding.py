"""Paths over the tile grid: A* for walking (eight ways) and for laying things (four ways).

Nothing here knows the game: what is passable is a question asked of the caller. Among equally short paths the
choice is fixed (fewest turns, then north, east, south, west), so results depend on nothing but the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from heapq import heappop, heappush
from math import floor, sqrt

__all__ = ["grid_path", "line_is_free", "straighten"]

Tile = tuple[int, int]

_FOUR = ((0, -1), (1, 0), (0, 1), (-1, 0))
_EIGHT = (*_FOUR, (1, -1), (1, 1), (-1, 1), (-1, -1))
_DIAGONAL = sqrt(2.0)
_TURN_COST = 1e-3  # prefers straight paths among equally long ones


def grid_path(
    start: Tile,
    goals: Collection[Tile],
    passable: Callable[[Tile], bool],
    *,
    diagonal: bool = False,
    most_tiles: int = 40_000,
) -> list[Tile] | None:
    """A shortest path from `start` to the cheapest of `goals`, both ends included.

    Args:
        passable: whether a tile may be entered; not asked of `start`.
        diagonal: also steps to the four diagonal neighbours, never squeezing between two blocked tiles.
        most_tiles: give up after looking at this many tiles.

    Returns:
        Tiles in order, None when no goal can be reached (or within `most_tiles`).
    """
    wanted = frozenset(goals)
    if not wanted:
        return None
    if start in wanted:
        return [start]
    left = min(g[0] for g in wanted)
    right = max(g[0] for g in wanted)
    top = min(g[1] for g in wanted)
    bottom = max(g[1] for g in wanted)

    def estimate(x: int, y: int) -> float:
        dx = left - x if x < left else x - right if x > right else 0
        dy = top - y if y < top else y - bottom if y > bottom else 0
        if diagonal:
            return dx + dy - (2 - _DIAGONAL) * (dx if dx < dy else dy)
        return dx + dy

    steps = _EIGHT if diagonal else _FOUR
    known: dict[Tile, bool] = {start: True}

    def free(tile: Tile) -> bool:
        verdict = known.get(tile)
        if verdict is None:
            verdict = known[tile] = passable(tile)
        return verdict

    best: dict[tuple[Tile, int], float] = {(start, -1): 0.0}
    came: dict[tuple[Tile, int], tuple[Tile, int]] = {}
    queue: list[tuple[float, int, float, Tile, int]] = [(estimate(*start), 0, 0.0, start, -1)]
    number = 0
    looked = 0
    while queue:
        _, _, cost, tile, heading = heappop(queue)
        state = (tile, heading)
        if cost > best[state]:
            continue
        if tile in wanted:
            path = [tile]
            while state in came:
                state = came[state]
                path.append(state[0])
            path.reverse()
            return path
        looked += 1
        if looked > most_tiles:
            return None
        x, y = tile
        for way, (dx, dy) in enumerate(steps):
            following = (x + dx, y + dy)
            if not free(following):
                continue
            if dx and dy:
                if not (free((x + dx, y)) and free((x, y + dy))):
                    continue
                step = _DIAGONAL
            else:
                step = 1.0
            if heading >= 0 and way != heading:
                step += _TURN_COST
            total = cost + step
            next_state = (following, way)
            if total < best.get(next_state, 1e18):
                best[next_state] = total
                came[next_state] = state
                number += 1
                heappush(queue, (total + estimate(*following), number, total, following, way))
    return None


def _tiles_on_line(a: tuple[float, float], b: tuple[float, float]) -> Iterator[Tile]:
    """Tiles that a straight line crosses, from a to b."""
    x, y = floor(a[0]), floor(a[1])
    end = (floor(b[0]), floor(b[1]))
    dx, dy = b[0] - a[0], b[1] - a[1]
    step_x, step_y = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    big = float("inf")
    to_x = ((x + (dx > 0)) - a[0]) / dx if dx else big
    to_y = ((y + (dy > 0)) - a[1]) / dy if dy else big
    per_x = abs(1 / dx) if dx else big
    per_y = abs(1 / dy) if dy else big
    yield x, y
    while (x, y) != end and (to_x <= 1 or to_y <= 1):
        if abs(to_x - to_y) < 1e-12:  # exactly through a corner: both neighbours count
            yield x + step_x, y
            yield x, y + step_y
            x, y = x + step_x, y + step_y
            to_x += per_x
            to_y += per_y
        elif to_x < to_y:
            x += step_x
            to_x += per_x
        else:
            y += step_y
            to_y += per_y
        yield x, y


def line_is_free(a: tuple[float, float], b: tuple[float, float], passable: Callable[[Tile], bool]) -> bool:
    """Whether every tile that the straight line from a to b crosses is passable, the first not asked."""
    tiles = _tiles_on_line(a, b)
    next(tiles)
    return all(passable(tile) for tile in tiles)


def straighten(points: list[tuple[float, float]], passable: Callable[[Tile], bool]) -> list[tuple[float, float]]:
    """The path with every detour round nothing taken out: points from which the next is not in straight sight."""
    if len(points) <= 2:
        return list(points)
    kept = [points[0]]
    index = 0
    while index < len(points) - 1:
        reach = len(points) - 1
        while reach > index + 1 and not line_is_free(points[index], points[reach], passable):
            reach -= max(1, (reach - index) // 2)
            if reach <= index:
                reach = index + 1
        kept.append(points[reach])
        index = reach
    return kept
