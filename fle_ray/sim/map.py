"""The land: tiles, resources, trees and rocks by chunk, and what stands where.

A `Terrain` is the untouched land of one scenario and seed; it is immutable and says what a 32 x 32 chunk
holds. A `Map` is one world's land: the chunks looked at so far, what has changed in them, and a spatial index
of everything that stands on it. Positions are in tiles, y to the south; a tile (i, j) covers
[i, i + 1) x [j, j + 1).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any, Protocol

__all__ = ["CHUNK", "Box", "Chunk", "Map", "Natural", "Resource", "Terrain", "overlaps", "square_ring", "tiles_of"]

CHUNK = 32
Box = tuple[float, float, float, float]
Tile = tuple[int, int]


def overlaps(a: Box, b: Box) -> bool:
    """Whether two boxes (left, top, right, bottom) share area; touching edges do not count."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def tiles_of(box: Box) -> Iterator[Tile]:
    """The tiles a box touches with area."""
    for tx in range(floor(box[0]), ceil(box[2])):
        for ty in range(floor(box[1]), ceil(box[3])):
            yield tx, ty


def square_ring(ring: int) -> list[Tile]:
    """Offsets of a square ring round (0, 0), clockwise from its top left corner."""
    if ring == 0:
        return [(0, 0)]
    top = [(dx, -ring) for dx in range(-ring, ring + 1)]
    right = [(ring, dy) for dy in range(-ring + 1, ring + 1)]
    bottom = [(dx, ring) for dx in range(ring - 1, -ring - 1, -1)]
    left = [(-ring, dy) for dy in range(ring - 1, -ring, -1)]
    return top + right + bottom + left


def _tiles_of_chunk(chunk: Tile) -> Iterator[Tile]:
    left, top = chunk[0] * CHUNK, chunk[1] * CHUNK
    for ty in range(top, top + CHUNK):
        for tx in range(left, left + CHUNK):
            yield tx, ty


@dataclass(frozen=True, slots=True)
class Chunk:
    """Untouched contents of one chunk.

    Attributes:
        tiles: tile -> tile name, only where it differs from the terrain's ground.
        resources: tile -> (name, amount).
        naturals: (prototype name, x, y) of trees and rocks.
    """

    tiles: dict[Tile, str] = field(default_factory=dict)
    resources: dict[Tile, tuple[str, int]] = field(default_factory=dict)
    naturals: tuple[tuple[str, float, float], ...] = ()


class Terrain(Protocol):
    """Untouched land. Two terrains with equal name and seed are equal, in whatever order they are explored.

    Attributes:
        name: scenario name; seed: what it was made from; start_chunks: chunks known from the beginning;
        bounds: left, top, right, bottom in tiles outside which there is no map; None for an endless one.
            A bounded map is known as a whole from the beginning.
    """

    name: str
    seed: int
    start_chunks: tuple[Tile, ...]
    bounds: tuple[int, int, int, int] | None

    def ground(self, tx: int, ty: int) -> str:
        """Tile where the chunk names none."""

    def chunk(self, cx: int, cy: int) -> Chunk: ...


class Resource:
    """One ore tile or well: `x`, `y` are its centre, `amount` what is left (wells: yield = amount / normal)."""

    __slots__ = ("amount", "initial", "name", "tile", "x", "y")

    def __init__(self, name: str, tile: Tile, amount: int, initial: int | None) -> None:
        self.name = name
        self.tile = tile
        self.x = tile[0] + 0.5
        self.y = tile[1] + 0.5
        self.amount = amount
        self.initial = initial  # amount in the untouched land, None when put here later


class Natural:
    """A tree or a rock standing on the map."""

    __slots__ = ("box", "name", "prototype", "x", "y")
    number = 0  # naturals come before everything built, in whatever order they were seen

    def __init__(self, prototype: Any, x: float, y: float) -> None:
        self.prototype = prototype
        self.name = prototype.name
        self.x = x
        self.y = y
        left, top, right, bottom = prototype.collision_box
        self.box = (x + left, y + top, x + right, y + bottom)


def _order(thing: Any) -> tuple[int, float, float]:
    """Trees and rocks by row and column, then what was built by creation number."""
    return thing.number, thing.y, thing.x


class Map:
    """One world's land.

    What has been looked at (`explored`) is not part of its state: land is the same whenever it is first seen.
    """

    def __init__(self, terrain: Terrain, data: Any) -> None:
        self.terrain = terrain
        self._data = data
        self._tiles: dict[Tile, str] = {}
        self._laid: set[Tile] = set()  # tiles that `set_tile` has changed
        self._blocked_layers: dict[str, frozenset[str]] = {
            name: tile.collision_layers for name, tile in data.tiles.items()
        }
        self.resources: dict[Tile, Resource] = {}
        self._touched: set[Tile] = set()  # tiles whose resource may differ from the untouched land
        self._holding: dict[str, set[Tile]] = {}  # resource, tile or prototype type -> chunks that have or had it
        # (resource or tile name, chunk) -> its rows of them, (ty, tx in order); worked out when first asked for
        self._rows: dict[tuple[str, Tile], list[tuple[int, list[int]]]] = {}
        self.exhausted: set[Tile] = set()
        self.felled: set[tuple[str, float, float]] = set()
        self.explored: set[Tile] = set()
        self._occupied: dict[Tile, list[Any]] = {}
        self._interest: dict[Tile, list[Any]] = {}
        for chunk in terrain.start_chunks:
            self.explore(*chunk)

    # -- land ---------------------------------------------------------------------------------------

    def explore(self, cx: int, cy: int) -> None:
        """Look at a chunk; the first time its resources, trees and rocks come onto the map."""
        if (cx, cy) in self.explored:
            return
        self.explored.add((cx, cy))
        chunk = self.terrain.chunk(cx, cy)
        tiles = self._tiles
        for tile, name in chunk.tiles.items():
            if tile not in tiles:
                tiles[tile] = name
        held = set(chunk.tiles.values())
        for tile, (name, amount) in chunk.resources.items():
            held.add(name)
            if tile not in self.exhausted and tile not in self.resources:
                self.resources[tile] = Resource(name, tile, amount, amount)
        entities = self._data.entities
        for name, x, y in chunk.naturals:
            prototype = entities[name]
            held.add(prototype.type)
            if (name, x, y) not in self.felled:
                self.occupy(Natural(prototype, x, y))
        for name in held:
            self._holding.setdefault(name, set()).add((cx, cy))

    def explore_box(self, box: Box) -> None:
        """Look at every chunk a box touches (nothing to do on a bounded map, known from the start)."""
        if self.terrain.bounds is not None:
            return
        for cx in range(floor(box[0] / CHUNK), floor(box[2] / CHUNK) + 1):
            for cy in range(floor(box[1] / CHUNK), floor(box[3] / CHUNK) + 1):
                if (cx, cy) not in self.explored:
                    self.explore(cx, cy)

    def tile(self, tx: int, ty: int) -> str:
        """Name of a tile, "out-of-map" outside a bounded map."""
        bounds = self.terrain.bounds
        if bounds is None:
            self.explore(tx // CHUNK, ty // CHUNK)
        elif not (bounds[0] <= tx < bounds[2] and bounds[1] <= ty < bounds[3]):
            return "out-of-map"
        return self._tiles.get((tx, ty)) or self.terrain.ground(tx, ty)

    def set_tile(self, tx: int, ty: int, name: str) -> None:
        """Change a tile, for rigs and landfill."""
        self._forget_rows(self._tiles.get((tx, ty)), (tx, ty))
        self._tiles[tx, ty] = name
        self._laid.add((tx, ty))
        self._note(name, (tx, ty))

    def _note(self, name: str, tile: Tile) -> None:
        self._holding.setdefault(name, set()).add((tile[0] // CHUNK, tile[1] // CHUNK))
        self._rows.pop((name, (tile[0] // CHUNK, tile[1] // CHUNK)), None)

    def _forget_rows(self, name: str | None, tile: Tile) -> None:
        """`name` has left a tile."""
        if name is not None:
            self._rows.pop((name, (tile[0] // CHUNK, tile[1] // CHUNK)), None)

    def tile_layers(self, tx: int, ty: int) -> frozenset[str]:
        """Collision layers of a tile."""
        return self._blocked_layers[self.tile(tx, ty)]

    def is_water(self, tx: int, ty: int) -> bool:
        """Any kind of water, shallow included."""
        return "water" in self.tile(tx, ty)

    # -- resources ----------------------------------------------------------------------------------

    def resource_at(self, tx: int, ty: int) -> Resource | None:
        if self.terrain.bounds is None:
            self.explore(tx // CHUNK, ty // CHUNK)
        return self.resources.get((tx, ty))

    def put_resource(self, name: str, tile: Tile, amount: int) -> Resource:
        """Lay a resource on a tile, replacing what was there."""
        self.tile(*tile)
        old = self.resources.get(tile)
        if old is not None:
            self._forget_rows(old.name, tile)
        resource = Resource(name, tile, amount, old.initial if old else None)
        self.resources[tile] = resource
        self._touched.add(tile)
        self._note(name, tile)
        return resource

    def deplete(self, resource: Resource, amount: int) -> None:
        """Take `amount` off a resource; at zero it is gone."""
        resource.amount -= amount
        self._touched.add(resource.tile)
        if resource.amount <= 0:
            self.resources.pop(resource.tile, None)
            self._forget_rows(resource.name, resource.tile)
            self.exhausted.add(resource.tile)

    def resources_in(self, box: Box, name: str | None = None) -> list[Resource]:
        """Resources whose centre lies in the box, by row and column."""
        self.explore_box(box)
        left, top, right, bottom = box
        if (right - left) * (bottom - top) > len(self.resources):
            found = [
                r
                for r in self.resources.values()
                if left <= r.x <= right and top <= r.y <= bottom and (name is None or r.name == name)
            ]
        else:
            found = []
            for tx in range(ceil(left - 0.5), floor(right - 0.5) + 1):
                for ty in range(ceil(top - 0.5), floor(bottom - 0.5) + 1):
                    r = self.resources.get((tx, ty))
                    if r is not None and (name is None or r.name == name):
                        found.append(r)
        found.sort(key=lambda r: (r.y, r.x))
        return found

    # -- what stands where --------------------------------------------------------------------------

    def occupy(self, thing: Any) -> None:
        """Enter something with a `box` into the spatial index."""
        occupied = self._occupied
        for tile in tiles_of(thing.box):
            here = occupied.get(tile)
            if here is None:
                occupied[tile] = [thing]
            else:
                here.append(thing)

    def vacate(self, thing: Any) -> None:
        for tile in tiles_of(thing.box):
            here = self._occupied[tile]
            here.remove(thing)
            if not here:
                del self._occupied[tile]

    def fell(self, natural: Natural) -> None:
        """Take a tree or rock off the map."""
        self.vacate(natural)
        self.felled.add((natural.name, natural.x, natural.y))

    def things_in(self, box: Box) -> list[Any]:
        """What stands there with a box that overlaps `box`, each once: trees and rocks, then entities by number."""
        self.explore_box(box)
        found: dict[int, Any] = {}
        occupied = self._occupied
        if (box[2] - box[0]) * (box[3] - box[1]) > 4 * len(occupied):
            lists: Iterable[list[Any]] = occupied.values()
        else:
            lists = [occupied[t] for t in tiles_of(box) if t in occupied]
        for here in lists:
            for thing in here:
                if id(thing) not in found and overlaps(thing.box, box):
                    found[id(thing)] = thing
        return sorted(found.values(), key=_order) if len(found) > 1 else list(found.values())

    def naturals(self, box: Box | None = None) -> list[Natural]:
        """Trees and rocks that touch a box, by row and column; None for all on the map explored so far."""
        if box is not None:
            return [thing for thing in self.things_in(box) if isinstance(thing, Natural)]
        found = {id(n): n for here in self._occupied.values() for n in here if isinstance(n, Natural)}
        return sorted(found.values(), key=_order)

    def standing_on(self, tx: int, ty: int) -> list[Any]:
        """What touches a tile, in no certain order."""
        return self._occupied.get((tx, ty), [])

    def at(self, x: float, y: float) -> Any | None:
        """The entity whose collision box holds the point, None when nothing does; trees and rocks count."""
        tile = floor(x), floor(y)
        if self.terrain.bounds is None:
            self.explore(tile[0] // CHUNK, tile[1] // CHUNK)
        found = None
        for thing in self._occupied.get(tile, ()):
            box = thing.box
            if box[0] <= x <= box[2] and box[1] <= y <= box[3] and (found is None or _order(thing) < _order(found)):
                found = thing
        return found

    # -- the nearest ----------------------------------------------------------------------------------

    def nearest_resource(self, name: str, x: float, y: float, reach: float) -> Resource | None:
        """The ore tile or well nearest to a point, at most `reach` away in x and in y; ties to the least y, then x."""

        def name_of(tile: Tile) -> str | None:
            resource = self.resources.get(tile)
            return None if resource is None else resource.name

        tile = self._nearest(name, x, y, reach, lambda chunk: self._in_rows(name, chunk, name_of, x - 0.5, 0.5))
        return None if tile is None else self.resources[tile]

    def nearest_natural(self, kind: str, x: float, y: float, reach: float) -> Natural | None:
        """The nearest tree or rock by prototype type ("tree", "simple-entity"), as `nearest_resource`."""

        def of(chunk: Tile) -> Iterator[tuple[float, float, Natural]]:
            for tile in _tiles_of_chunk(chunk):
                for thing in self._occupied.get(tile, ()):
                    if isinstance(thing, Natural) and thing.prototype.type == kind:
                        yield thing.x, thing.y, thing

        return self._nearest(kind, x, y, reach, of)

    def nearest_tile(self, name: str, x: float, y: float, reach: float) -> Tile | None:
        """The tile of that name whose top left corner is nearest, as `nearest_resource`; not for plain ground."""

        return self._nearest(name, x, y, reach, lambda chunk: self._in_rows(name, chunk, self._tiles.get, x, 0.0))

    def _in_rows(
        self, name: str, chunk: Tile, name_of: Callable[[Tile], str | None], x: float, offset: float
    ) -> Iterator[tuple[float, float, Tile]]:
        """Of each row of a chunk the tiles of a name left and right of `x`: no other of the row is nearer.

        A tile counts as standing at its corner plus `offset`; `x` is less that already.
        """
        rows = self._rows.get((name, chunk))
        if rows is None:
            found: dict[int, list[int]] = {}
            for tile in _tiles_of_chunk(chunk):  # row by row, from left to right
                if name_of(tile) == name:
                    found.setdefault(tile[1], []).append(tile[0])
            rows = self._rows[name, chunk] = list(found.items())
        for ty, columns in rows:
            place = bisect_left(columns, x)
            for tx in columns[max(place - 1, 0) : place + 1]:
                yield tx + offset, ty + offset, (tx, ty)

    def _nearest(
        self, held: str, x: float, y: float, reach: float, of: Callable[[Tile], Iterator[tuple[float, float, Any]]]
    ) -> Any | None:
        """Look outwards ring by ring of chunks, until nothing further out can be nearer."""
        cx, cy = floor(x / CHUNK), floor(y / CHUNK)
        edge = min(x - cx * CHUNK, (cx + 1) * CHUNK - x, y - cy * CHUNK, (cy + 1) * CHUNK - y)
        best: tuple[float, float, float] | None = None
        found = None
        for ring in range(ceil(reach / CHUNK) + 2):
            nearest = edge + (ring - 1) * CHUNK if ring else 0.0
            if nearest > reach or (best is not None and best[0] < nearest * nearest):
                break
            for dx, dy in square_ring(ring):
                chunk = cx + dx, cy + dy
                if self.terrain.bounds is None:
                    self.explore(*chunk)
                if chunk not in self._holding.get(held, ()):
                    continue
                for px, py, thing in of(chunk):
                    if abs(px - x) <= reach and abs(py - y) <= reach:
                        rank = ((px - x) ** 2 + (py - y) ** 2, py, px)
                        if best is None or rank < best:
                            best, found = rank, thing
        return found

    # -- who cares about a spot ---------------------------------------------------------------------

    def watch(self, tile: Tile, entity: Any) -> None:
        """Have `entity.retarget()` called when something is built on or taken off `tile`."""
        self._interest.setdefault(tile, []).append(entity)

    def unwatch(self, tile: Tile, entity: Any) -> None:
        here = self._interest[tile]
        here.remove(entity)
        if not here:
            del self._interest[tile]

    def watchers(self, box: Box) -> list[Any]:
        """Entities that watch a tile the box touches, each once, by creation number."""
        found = {e.number: e for tile in tiles_of(box) for e in self._interest.get(tile, ())}
        return [found[n] for n in sorted(found)]

    # -- state --------------------------------------------------------------------------------------

    def save(self) -> dict:
        """What differs from the untouched land, in plain sorted form."""
        changed_tiles = []
        for tx, ty in self._laid:
            chunk = self.terrain.chunk(tx // CHUNK, ty // CHUNK)
            name = self._tiles[tx, ty]
            if (chunk.tiles.get((tx, ty)) or self.terrain.ground(tx, ty)) != name:
                changed_tiles.append([tx, ty, name])
        changed = [self.resources[tile] for tile in self._touched if tile in self.resources]
        return {
            "tiles": sorted(changed_tiles),
            "resources": sorted(
                [r.tile[0], r.tile[1], r.name, r.amount, r.initial] for r in changed if r.amount != r.initial
            ),
            "exhausted": sorted(map(list, self.exhausted)),
            "felled": sorted(map(list, self.felled)),
        }

    def load(self, state: dict) -> None:
        """Bring a fresh map of the same terrain to a saved state; nothing may stand on it but naturals."""
        self.exhausted = {tuple(t) for t in state["exhausted"]}
        self.felled = {tuple(n) for n in state["felled"]}
        for tile in self.exhausted:
            self.resources.pop(tile, None)
        if self.felled:
            for here in list(self._occupied.values()):
                for thing in list(here):
                    if isinstance(thing, Natural) and (thing.name, thing.x, thing.y) in self.felled:
                        self.vacate(thing)
        for tx, ty, name in state["tiles"]:
            self.set_tile(tx, ty, name)
        for tx, ty, name, amount, initial in state["resources"]:
            self.put_resource(name, (tx, ty), amount).initial = initial
