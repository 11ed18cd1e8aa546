"""Power poles: a chain from what is there already to something they must supply, or to a place.

Poles stand as far apart as FLE's spacing along the way, and in any case within the reach of the game's wires. What
counts as connected is the game's own rule: a machine is when a pole of the network covers a tile of it, a network
when one of its poles is in reach of a new one (every pole is wired to those in reach as it is built).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, floor, hypot
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.tools.connecting.ends import End
from fle_ray.tools.connecting.plan import Piece, Plan, Sketch
from fle_ray.tools.connecting.route import ENTRANCE, Goal, Start, Tile, find
from fle_ray.tools.pathfinding import line_is_free, straighten

__all__ = ["Chain", "PolePlanner"]

SPACING = {"small-electric-pole": 4, "medium-electric-pole": 9, "big-electric-pole": 30}  # tiles, as FLE lays them
_SHIFT = 2  # tiles by which a pole may stand off its ideal place
_STEP = 1.0  # tiles by which every pole comes nearer to what lies ahead, at least
_MOST_POLES = 2_000
_NEARLY = 1e-9
_WATER_LAYER = "water_tile"

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Node:
    """A pole that stands, or is to be built."""

    x: float
    y: float
    reach: float  # of its wires
    supply: float  # half the side of the square it supplies

    def reaches(self, other: _Node) -> bool:
        return hypot(self.x - other.x, self.y - other.y) <= min(self.reach, other.reach) + _NEARLY

    def supplies(self, box: Box) -> bool:
        """Whether a tile it covers is a tile of the box (the game's rule goes by whole tiles)."""
        return (
            floor(self.x - self.supply) < ceil(box[2])
            and floor(box[0]) < ceil(self.x + self.supply)
            and floor(self.y - self.supply) < ceil(box[3])
            and floor(box[1]) < ceil(self.y + self.supply)
        )


@dataclass(slots=True)
class Chain:
    """Poles joined so far: `grids` are numbers of networks that stand, `nodes` all poles of both kinds."""

    grids: set[int] = field(default_factory=set)
    nodes: list[_Node] = field(default_factory=list)


class PolePlanner:
    """Plans poles on a sketch, pair by pair.

    Args:
        stock: pole name -> how many may be used, the farthest reaching first.
    """

    def __init__(self, sketch: Sketch, stock: dict[str, float]) -> None:
        self.sketch = sketch
        self.world = sketch.world
        self.grid = sketch.world.power_grid
        self.stock = dict(stock)
        self.records = {name: sketch.world.data.entities[name] for name in stock}
        self.taken: set[Tile] = set()

    # -- planning ----------------------------------------------------------------------------------------------

    def plan(self, source: End | Chain, target: End) -> tuple[Plan, Chain]:
        """The poles from `source` (a waypoint, or what the last pair joined) to `target`."""
        plan = Plan()
        aim = _middle(target)
        if isinstance(source, Chain):
            chain = source
        else:
            chain = self._joined(source)
            if not chain.nodes:
                self._first(plan, chain, source, target, aim)
        self._extend(plan, chain, target, aim)
        if chain.nodes:
            node = next((n for n in chain.nodes if self._supplied_by(n, source)), chain.nodes[0])
            plan.member = floor(node.x), floor(node.y)
        return plan, chain

    def _supplied_by(self, node: _Node, source: End | Chain) -> bool:
        if isinstance(source, Chain):
            return False
        return any(node.supplies(thing.box) for thing in source.things()) or (
            source.bare and hypot(node.x - source.position[0], node.y - source.position[1]) <= _SHIFT + 1
        )

    def _joined(self, end: End) -> Chain:
        """The networks an end is in."""
        chain = Chain()
        if end.bare:
            x, y = _middle(end)
            for pole in self.grid.poles.values():
                if max(abs(pole.x - x), abs(pole.y - y)) <= _SHIFT + 0.5:
                    self._join(chain, pole.grid)
        for thing in end.things():
            if thing.prototype.pole is not None:
                self._join(chain, thing.grid)
                continue
            for pole in self.grid.poles.values():
                if _node(pole).supplies(thing.box):
                    self._join(chain, pole.grid)
        return chain

    def _join(self, chain: Chain, grid: Any) -> None:
        if grid.number not in chain.grids:
            chain.grids.add(grid.number)
            chain.nodes += [_node(pole) for pole in grid.poles.values()]

    def _arrived(self, chain: Chain, target: End) -> bool:
        if target.bare:
            x, y = _middle(target)
            return any(max(abs(n.x - x), abs(n.y - y)) <= _SHIFT + 0.5 for n in chain.nodes)
        for thing in target.things():
            if thing.prototype.pole is not None:
                if thing.grid.number in chain.grids:
                    return True
            elif any(node.supplies(thing.box) for node in chain.nodes):
                return True
        return False

    def _first(self, plan: Plan, chain: Chain, source: End, target: End, aim: Point) -> None:
        """The first pole: at a bare place, else where it supplies the source, as near to the target as it can be."""
        for name in self._usable():
            if source.bare:
                best = next(self._spots(name, _middle(source)), None)
            else:
                best = _nearest(self._supplying(name, source.things()[0].box), aim)
            if best is not None:
                self._put(plan, chain, name, best)
                return
        self._none_left()
        raise ToolError(f"there is no free spot for a pole that supplies {source.shown}: make room beside it.")

    def _extend(self, plan: Plan, chain: Chain, target: End, aim: Point) -> None:
        """Pole after pole until the target is joined."""
        way: list[Point] = []
        head: _Node | None = None
        while not self._arrived(chain, target):
            if len(plan.pieces) > _MOST_POLES:
                raise ToolError(f"more than {_MOST_POLES} poles would be needed: connect in several stretches.")
            if self._last(plan, chain, target, aim):
                continue
            if head is None:
                head = min(chain.nodes, key=lambda n: hypot(n.x - aim[0], n.y - aim[1]))
                way = self._way((head.x, head.y), aim)
            before = len(chain.nodes)
            head, way = self._next(plan, chain, head, way)
            joined = chain.nodes[before:-1]  # a network that stands, met on the way
            if any(_nearer(node, head, aim) for node in joined):
                head = None

    def _last(self, plan: Plan, chain: Chain, target: End, aim: Point) -> bool:
        """One pole that joins the target to what is joined, if there is room for it."""
        for name in self._usable():
            record = self.records[name]
            if target.bare:
                spot = next(self._spots(name, aim), None)
                found = [] if spot is None else [(0.0, spot[1], spot[0])]
                if spot is not None and not any(_planned(record, spot).reaches(n) for n in chain.nodes):
                    found = []
            else:
                found = [rank for thing in target.things() for rank in self._joining(record, thing, chain)]
            for _, y, x in sorted(found):
                if self._free(record, _tile(record, (x, y))):
                    self._put(plan, chain, name, (x, y))
                    return True
        return False

    def _joining(self, record: Any, thing: Any, chain: Chain) -> Iterator[tuple[float, float, float]]:
        """Centres, free or not, from where a pole would join a thing: (distance to what is joined, y, x)."""
        size, reach = record.tile_width, record.pole.wire_reach
        if thing.prototype.pole is not None:
            joins = min(reach, thing.prototype.pole.wire_reach)
            across = joins
        else:
            joins = 0.0
            left, top, right, bottom = thing.box
            across = record.pole.supply_area_distance + max(right - left, bottom - top) / 2 + size
        near = [n for n in chain.nodes if hypot(n.x - thing.x, n.y - thing.y) <= across + min(reach, n.reach) + 1]
        if not near:
            return
        for ty in range(floor(thing.y - across - size), ceil(thing.y + across) + 1):
            for tx in range(floor(thing.x - across - size), ceil(thing.x + across) + 1):
                node = _planned(record, (tx + size / 2, ty + size / 2))
                if joins:
                    if hypot(node.x - thing.x, node.y - thing.y) > joins + _NEARLY:
                        continue
                elif not node.supplies(thing.box):
                    continue
                distances = [hypot(n.x - node.x, n.y - node.y) for n in near if node.reaches(n)]
                if distances:
                    yield round(min(distances), 6), node.y, node.x

    def _next(self, plan: Plan, chain: Chain, head: _Node, way: list[Point]) -> tuple[_Node, list[Point]]:
        """One more pole along the way; returns it, and the rest of the way from there."""
        for name in self._usable():
            record = self.records[name]
            spacing = SPACING[name]
            farthest = floor(min(record.pole.wire_reach, head.reach))
            for distance in [*range(spacing, farthest + _SHIFT + 1), *range(spacing - 1, 1, -1)]:
                ideal, beyond = _along(way, distance), _along(way, distance + farthest)
                nearer = hypot(head.x - beyond[0], head.y - beyond[1]) - _STEP
                spots = (s for s in self._spots(name, ideal) if _planned(record, s).reaches(head))
                best = next((s for s in spots if hypot(s[0] - beyond[0], s[1] - beyond[1]) <= nearer), None)
                if best is not None:
                    self._put(plan, chain, name, best)
                    return chain.nodes[-1], [best, *_rest(way, distance)]
        self._none_left()
        raise ToolError(
            f"there is no room for a pole within reach of the one at ({head.x:g}, {head.y:g}) on the way: "
            f"something stands everywhere, or water is too wide there. Give waypoints round it."
        )

    # -- spots --------------------------------------------------------------------------------------------------

    def _usable(self) -> list[str]:
        return [name for name, left in self.stock.items() if left > 0]

    def _none_left(self) -> None:
        if not self._usable():
            raise ToolError("not enough poles are left for the whole way.")

    def _spots(self, name: str, centre: Point) -> Iterator[Point]:
        """Free centres of a pole at most `_SHIFT` tiles off a point, the nearest first."""
        record = self.records[name]
        size = record.tile_width
        left, top = _tile(record, centre)
        around = range(-_SHIFT, _SHIFT + 1)
        tiles = [(left + dx, top + dy) for dx in around for dy in around]
        ranked = sorted((round(hypot(x + size / 2 - centre[0], y + size / 2 - centre[1]), 6), y, x) for x, y in tiles)
        for _, y, x in ranked:
            if self._free(record, (x, y)):
                yield x + size / 2, y + size / 2

    def _supplying(self, name: str, box: Box) -> Iterator[Point]:
        """Free centres of a pole from where it covers a tile of a box."""
        record = self.records[name]
        size, supply = record.tile_width, ceil(record.pole.supply_area_distance)
        for ty in range(floor(box[1]) - supply - size, ceil(box[3]) + supply + 1):
            for tx in range(floor(box[0]) - supply - size, ceil(box[2]) + supply + 1):
                spot = (tx + size / 2, ty + size / 2)
                if _planned(record, spot).supplies(box) and self._free(record, (tx, ty)):
                    yield spot

    def _free(self, record: Any, tile: Tile) -> bool:
        """Whether a pole may stand there and is in nobody's way: no pipe end, drop or pickup spot is covered."""
        size = record.tile_width
        for dx in range(size):
            for dy in range(size):
                each = (tile[0] + dx, tile[1] + dy)
                if each in self.taken:
                    return False
        if not self.sketch.clear(record, tile):
            return False
        for dx in range(size):
            for dy in range(size):
                each = (tile[0] + dx, tile[1] + dy)
                if self.world.fluids.facing(*each) or self.sketch.watched(each):
                    return False
        return True

    def _put(self, plan: Plan, chain: Chain, name: str, spot: Point) -> None:
        """Plan a pole: it is joined with every network in reach."""
        record = self.records[name]
        size = record.tile_width
        tile = _tile(record, spot)
        node = _planned(record, spot)
        plan.pieces.append(Piece(name, tile, spot))
        plan.walk.append(spot)
        self.taken |= {(tile[0] + dx, tile[1] + dy) for dx in range(size) for dy in range(size)}
        self.stock[name] -= 1
        for pole in self.grid.poles.values():
            if pole.grid.number not in chain.grids and node.reaches(_node(pole)):
                self._join(chain, pole.grid)
        chain.nodes.append(node)

    # -- the way -------------------------------------------------------------------------------------------------

    def _way(self, start: Point, aim: Point) -> list[Point]:
        """Corners of a way over land, and over water as far as a wire reaches; the straight line when there is none."""
        reach = max(int(self.records[name].pole.wire_reach) for name in self._usable() or self.records)
        land = _Land(self.world.map, reach)
        if line_is_free(start, aim, land.dry):
            return [start, aim]
        a, b = (floor(start[0]), floor(start[1])), (floor(aim[0]), floor(aim[1]))
        legs = find([Start(a, laid=False)], [Goal(b, laid=False)], land, tunnels=_MOST_POLES)
        if legs is None:
            return [start, aim]
        points: list[Point] = []
        stretch: list[Point] = []
        for leg in legs:
            stretch.append((leg.tile[0] + 0.5, leg.tile[1] + 0.5))
            if leg.role == ENTRANCE or leg is legs[-1]:  # the wire goes over water from here
                points += straighten(stretch, land.dry)
                stretch = []
        return [start, *points[1:-1], aim]


class _Land:
    """The land as a ground for routes: tunnels are wires over water."""

    def __init__(self, land: Any, reach: int) -> None:
        self.reach = reach
        self._layers = land.tile_layers

    def dry(self, tile: Tile) -> bool:
        return _WATER_LAYER not in self._layers(*tile)

    def surface(self, tile: Tile) -> int | None:
        return 0 if self.dry(tile) else None

    def opening(self, tile: Tile, way: int, entrance: bool) -> bool:
        return self.dry(tile)

    def tunnel(self, entrance: Tile, exit_: Tile, way: int) -> bool:
        return True


def _node(pole: Any) -> _Node:
    return _planned(pole.prototype, pole.position)


def _planned(record: Any, spot: Point) -> _Node:
    return _Node(spot[0], spot[1], record.pole.wire_reach, record.pole.supply_area_distance)


def _tile(record: Any, centre: Point) -> Tile:
    """The left top tile of a pole."""
    off = (record.tile_width - 1) / 2
    return floor(centre[0] - off), floor(centre[1] - off)


def _middle(end: End) -> Point:
    """Where a pole for an end should stand, or the middle of what it must supply."""
    things = end.things()
    return things[0].position if things else (end.tile[0] + 0.5, end.tile[1] + 0.5)


def _nearest(spots: Iterator[Point], to: Point) -> Point | None:
    return min(spots, key=lambda p: (round(hypot(p[0] - to[0], p[1] - to[1]), 6), p[1], p[0]), default=None)


def _nearer(a: _Node, b: _Node, aim: Point) -> bool:
    return hypot(a.x - aim[0], a.y - aim[1]) + _NEARLY < hypot(b.x - aim[0], b.y - aim[1])


def _along(way: list[Point], distance: float) -> Point:
    """The point so far along a way; its end when it is shorter."""
    for (ax, ay), (bx, by) in zip(way, way[1:], strict=False):
        length = hypot(bx - ax, by - ay)
        if distance <= length and length:
            share = distance / length
            return ax + (bx - ax) * share, ay + (by - ay) * share
        distance -= length
    return way[-1]


def _rest(way: list[Point], distance: float) -> list[Point]:
    """The corners after the point so far along a way."""
    for index, ((ax, ay), (bx, by)) in enumerate(zip(way, way[1:], strict=False)):
        length = hypot(bx - ax, by - ay)
        if distance < length:
            return way[index + 1 :]
        distance -= length
    return way[-1:]
