"""Routes over the tile grid, with tunnels: how a line gets from some tiles to others.

Nothing in here knows belts or pipes: a `Ground` says where pieces may stand. Ways are numbered 0 to 3: north, east,
south, west. Costs are whole thousandths of a tile, so that sums are exact and equal routes are told apart by fixed
rules: fewest tiles, fewest turns, then the order of the ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple, Protocol

__all__ = [
    "ANY_WAY",
    "ENTRANCE",
    "EXIT",
    "STAND",
    "SURFACE",
    "WAYS",
    "Goal",
    "Ground",
    "Leg",
    "Start",
    "Tile",
    "find",
    "opposite",
    "step",
    "straight",
    "way_to",
]

Tile = tuple[int, int]

WAYS: tuple[Tile, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
ANY_WAY = frozenset(range(4))
_TILE = 1000
_TURN = 1
_TUNNEL = 500  # a tunnel costs this much more than the tiles it spans
_MOST_STATES = 30_000
_EARLY_LOOK = 2_000  # states after which it is checked whether the goals are walled in
_POCKET = 4_000  # tiles of a pocket that are looked at

STAND, SURFACE, ENTRANCE, EXIT = "stand", "surface", "entrance", "exit"


class Ground(Protocol):
    """Where pieces of a line may stand.

    Attributes:
        reach: largest distance between the two ends of a tunnel, 0 for no tunnels.
    """

    reach: int

    def surface(self, tile: Tile) -> int | None:
        """What a piece above ground costs extra on a tile, thousandths; None where it may not stand."""

    def opening(self, tile: Tile, way: int, entrance: bool) -> bool:
        """Whether the entrance (or exit) of a tunnel that leads `way` may stand on a tile."""

    def tunnel(self, entrance: Tile, exit_: Tile, way: int) -> bool:
        """Whether two ends would find each other, and disturb no others."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where a line may begin.

    Attributes:
        laid: a piece is laid on the tile; False: something of the line stands there already.
        ways: ways in which the line may leave.
        dives: ways in which a laid start may itself be the entrance of a tunnel.
        heading: the way that costs no turn, None for all.
    """

    tile: Tile
    laid: bool = True
    ways: frozenset[int] = ANY_WAY
    dives: frozenset[int] = frozenset()
    heading: int | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a line may end.

    Attributes:
        laid: a piece is laid on the tile; False: the line ends by leading into what stands there.
        ways: ways in which the line may arrive.
        rises: ways in which a laid goal may itself be the exit of a tunnel.
    """

    tile: Tile
    laid: bool = True
    ways: frozenset[int] = ANY_WAY
    rises: frozenset[int] = frozenset()


class Leg(NamedTuple):
    """One tile of a route: `way` is the one the line leaves it by (of the last: the one it came by).

    `role`: STAND (there already), SURFACE, ENTRANCE or EXIT.
    """

    tile: Tile
    way: int
    role: str


def step(tile: Tile, way: int, distance: int = 1) -> Tile:
    """The tile so many steps away."""
    dx, dy = WAYS[way]
    return tile[0] + dx * distance, tile[1] + dy * distance


def opposite(way: int) -> int:
    return (way + 2) % 4


def way_to(a: Tile, b: Tile) -> int | None:
    """The way from a tile to another on the same row or column; None for other tiles."""
    if a == b or (a[0] != b[0] and a[1] != b[1]):
        return None
    if a[0] == b[0]:
        return 2 if b[1] > a[1] else 0
    return 1 if b[0] > a[0] else 3


class _State(NamedTuple):
    tile: Tile
    way: int  # the way it was reached by, -1 at a start without heading
    role: str


def find(starts: Sequence[Start], goals: Sequence[Goal], ground: Ground, *, tunnels: int = 0) -> list[Leg] | None:
    """The cheapest route from any start to any goal, both ends included.

    Args:
        tunnels: at most so many.

    Returns:
        Legs in order, None when there is none (or none was found within a bound of tiles looked at).
    """
    route = _search(starts, goals, ground, ground.reach if tunnels else 0)
    if route is not None and sum(leg.role == ENTRANCE for leg in route) > tunnels:
        route = _search(starts, goals, ground, 0)
    return route


def _search(starts: Sequence[Start], goals: Sequence[Goal], ground: Ground, reach: int) -> list[Leg] | None:
    ends = {goal.tile: goal for goal in goals}
    if not ends or not starts:
        return None
    left, right = min(t[0] for t in ends), max(t[0] for t in ends)
    top, bottom = min(t[1] for t in ends), max(t[1] for t in ends)

    def estimate(tile: Tile, way: int) -> int:
        x, y = tile
        dx = left - x if x < left else x - right if x > right else 0
        dy = top - y if y < top else y - bottom if y > bottom else 0
        if dx and dy:
            return (dx + dy) * _TILE + _TURN
        if (dx or dy) and way >= 0:
            wanted = (1 if x < left else 3) if dx else (2 if y < top else 0)
            return (dx + dy) * _TILE + (_TURN if way != wanted else 0)
        return (dx + dy) * _TILE

    known: dict[Tile, int | None] = {}

    def surface(tile: Tile) -> int | None:
        if tile in known:
            return known[tile]
        cost = known[tile] = ground.surface(tile)
        return cost

    best: dict[_State, int] = {}
    came: dict[_State, _State | None] = {}
    queue: list[tuple[int, int, int, _State]] = []
    number = 0

    def reach_state(state: _State, cost: int, before: _State | None) -> None:
        nonlocal number
        if cost < best.get(state, 1 << 60):
            best[state] = cost
            came[state] = before
            number += 1
            heappush(queue, (cost + estimate(state.tile, state.way), -cost, number, state))

    def dive(tile: Tile, way: int, cost: int, before: _State | None) -> None:
        """Tunnels with their entrance on a tile."""
        if not ground.opening(tile, way, True):
            return
        entrance = _State(tile, way, ENTRANCE)
        for distance in range(1, reach + 1):
            far = step(tile, way, distance)
            goal = ends.get(far)
            if goal is not None and (not goal.laid or way not in goal.rises):
                continue
            if not ground.opening(far, way, False) or not ground.tunnel(tile, far, way):
                continue
            total = cost + distance * _TILE + _TUNNEL
            if goal is None and surface(step(far, way)) is None and not _leads_on(far, way):
                continue
            if total < best.get(_State(far, way, EXIT), 1 << 60):
                came[entrance] = before  # the cheapest way to this entrance, since costs only grow
                reach_state(_State(far, way, EXIT), total, entrance)

    def _leads_on(tile: Tile, way: int) -> bool:
        """Whether the tile after an exit is a goal, or can be an entrance."""
        following = step(tile, way)
        return following in ends or ground.opening(following, way, True)

    by_tile = {start.tile: start for start in starts}
    if not _has_entry(goals, by_tile, ground, reach):
        return None
    for start in starts:
        heading = -1 if start.heading is None else start.heading
        if not start.laid:
            reach_state(_State(start.tile, heading, STAND), 0, None)
            continue
        cost = surface(start.tile)
        if cost is not None:
            reach_state(_State(start.tile, heading, SURFACE), 0, None)
        if reach:
            for way in sorted(start.dives):
                dive(start.tile, way, 0, None)
    looked = 0
    while queue:
        _, minus, _, state = heappop(queue)
        cost = -minus
        if cost > best[state]:
            continue
        tile, arrived, role = state
        goal = ends.get(tile)
        if goal is not None and _arrives(state, goal, came[state]):
            return _legs(state, came)
        if goal is not None and not goal.laid and came[state] is not None:
            continue  # what stands there is no way through
        looked += 1
        if looked > _MOST_STATES or (looked == _EARLY_LOOK and _walled_in(goals, by_tile, surface, reach)):
            return None
        start = by_tile.get(tile) if came[state] is None else None
        if role == EXIT:
            ways: Iterable[int] = (arrived,)
        elif start is not None:
            ways = sorted(start.ways)
        else:
            ways = (0, 1, 2, 3)
        for way in ways:
            if arrived >= 0 and way == opposite(arrived) and start is None:
                continue
            following = step(tile, way)
            total = cost + _TILE + (_TURN if arrived not in (-1, way) else 0)
            end = ends.get(following)
            if end is not None and not end.laid:
                if way in end.ways:
                    reach_state(_State(following, way, STAND), total, state)
                continue
            extra = surface(following)
            if extra is not None:
                reach_state(_State(following, way, SURFACE), total + extra, state)
            if reach and (extra is None or surface(step(following, way)) is None):
                dive(following, way, total, state)
    return None


def _arrives(state: _State, goal: Goal, before: _State | None) -> bool:
    """Whether a line that has reached a goal's tile has arrived."""
    if not goal.laid:
        return before is not None and state.role == STAND and state.way in goal.ways
    if state.role == EXIT:
        return state.way in goal.rises
    if state.role == STAND:
        return True  # it begins where it should end
    return before is None or state.way in goal.ways


def _legs(last: _State, came: dict[_State, _State | None]) -> list[Leg] | None:
    states = [last]
    while (before := came[states[-1]]) is not None:
        states.append(before)
    states.reverse()
    legs = []
    for index, state in enumerate(states):
        way = state.way
        if index + 1 < len(states):
            way = states[index + 1].way
        legs.append(Leg(state.tile, max(way, 0), state.role))
    if len({leg.tile for leg in legs}) < len(legs) and legs[0].tile != legs[-1].tile:
        return None  # it would cross itself
    return legs


def _has_entry(goals: Iterable[Goal], starts: dict[Tile, Start], ground: Ground, reach: int) -> bool:
    """Whether the last step onto any goal is possible at all, whatever comes before."""

    def comes_by(tile: Tile) -> bool:
        return tile in starts or ground.surface(tile) is not None

    def comes_out(exit_: Tile, way: int) -> bool:
        if not reach or not ground.opening(exit_, way, False):
            return False
        for distance in range(1, reach + 1):
            entrance = step(exit_, way, -distance)
            if ground.opening(entrance, way, True) and ground.tunnel(entrance, exit_, way):
                before = step(entrance, way, -1)
                if entrance in starts or comes_by(before) or ground.opening(before, way, False):
                    return True
        return False

    for goal in goals:
        if goal.tile in starts:
            return True
        on_it = not goal.laid or ground.surface(goal.tile) is not None
        for way in range(4):
            before = step(goal.tile, way, -1)
            if on_it and way in goal.ways and (comes_by(before) or comes_out(before, way)):
                return True
            if way in goal.rises and comes_out(goal.tile, way):
                return True
    return False


def _entries(goals: Iterable[Goal]) -> Iterator[Tile]:
    """The tiles from which a route can step onto a goal, and goals that a piece is laid on."""
    for goal in goals:
        if goal.laid:
            yield goal.tile
        else:
            for way in sorted(goal.ways):
                yield step(goal.tile, opposite(way))


def _walled_in(
    goals: Sequence[Goal], starts: dict[Tile, Start], surface: Callable[[Tile], int | None], reach: int
) -> bool:
    """Whether the goals lie in a pocket that holds no start, and that no tunnel could lead out of."""
    farthest = reach + 2 if reach else 1  # with a tunnel: its entrance and exit, and the tile beyond
    todo = []
    for tile in _entries(goals):
        if tile in starts:
            return False
        if reach or surface(tile) is not None:
            todo.append(tile)
    seen = set(todo)
    while todo:
        tile = todo.pop()
        for way in range(4):
            for distance in range(1, farthest + 1):
                following = step(tile, way, distance)
                if following in starts:
                    return False
                if following not in seen and surface(following) is not None:
                    seen.add(following)
                    todo.append(following)
                    if len(seen) > _POCKET:
                        return False
    return True


def straight(tiles: Sequence[Tile], way: int, ground: Ground) -> list[Leg] | None:
    """Tunnel after tunnel along a straight run of tiles, as few as possible; None when they do not fit."""
    count = len(tiles)
    if count < 2 or not ground.reach:
        return None
    # fewest[i]: tunnels that cover tiles[:i]; via[i]: where the last of them begins
    fewest: list[int | None] = [0] + [None] * count
    via = [0] * (count + 1)
    for end in range(1, count):
        for begin in range(max(0, end - ground.reach), end):
            so_far = fewest[begin]
            if so_far is None or (fewest[end + 1] is not None and fewest[end + 1] <= so_far + 1):
                continue
            a, b = tiles[begin], tiles[end]
            if ground.opening(a, way, True) and ground.opening(b, way, False) and ground.tunnel(a, b, way):
                fewest[end + 1] = so_far + 1
                via[end + 1] = begin
    if fewest[count] is None:
        return None
    legs: list[Leg] = []
    end = count
    while end:
        begin = via[end]
        legs = [Leg(tiles[begin], way, ENTRANCE), Leg(tiles[end - 1], way, EXIT), *legs]
        end = begin
    return legs
