"""The land: tiles, resources, trees and rocks by chunk, and what stands where.

A `Terrain` is the untouched land of one scenario and seed; it is immutable and says what a 32 x 32 chunk
holds. A `Map` is one world's land: the chunks looked at so far, what has changed in them, and a spatial index
of everything that stands on it. Positions are in tiles, y to the south; a tile (i, j) covers
[i, i + 1) x [j, j + 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any, Protocol

__all__ = ["CHUNK", "Box", "Chunk", "Map", "Natural", "Resource", "Terrain", "overlaps", "tiles_of"]

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

    def __init__(self, prototype: Any, x: float, y: float) -> None:
        self.prototype = prototype
        self.name = prototype.name
        self.x = x
        self.y = y
        left, top, right, bottom = prototype.collision_box
        self.box = (x + left, y + top, x + right, y + bottom)


class Map:
    """One world's land. `prototype_of(name)` gives the record of a tree or rock."""

    def __init__(self, terrain: Terrain, data: Any) -> None:
        self.terrain = terrain
        self._data = data
        self._tiles: dict[Tile, str] = {}
        self._blocked_layers: dict[str, frozenset[str]] = {
            name: tile.collision_layers for name, tile in data.tiles.items()
        }
        self.resources: dict[Tile, Resource] = {}
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
        self._tiles.update(chunk.tiles)
        for tile, (name, amount) in chunk.resources.items():
            if tile not in self.exhausted and tile not in self.resources:
                self.resources[tile] = Resource(name, tile, amount, amount)
        entity = self._data.entity
        for name, x, y in chunk.naturals:
            if (name, x, y) not in self.felled:
                self.occupy(Natural(entity(name), x, y))

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
        self.tile(tx, ty)
        self._tiles[tx, ty] = name

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
        resource = Resource(name, tile, amount, old.initial if old else None)
        self.resources[tile] = resource
        return resource

    def deplete(self, resource: Resource, amount: int) -> None:
        """Take `amount` off a resource; at zero it is gone."""
        resource.amount -= amount
        if resource.amount <= 0:
            self.resources.pop(resource.tile, None)
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
        """Entities, trees and rocks whose box overlaps `box`, each once, in the order they were entered."""
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
        return list(found.values())

    def naturals(self) -> list[Natural]:
        """Every tree and rock on the explored map, by row and column."""
        found = {
            (n.y, n.x, n.name): n for here in self._occupied.values() for n in here if isinstance(n, Natural)
        }
        return [found[key] for key in sorted(found)]

    def standing_on(self, tx: int, ty: int) -> list[Any]:
        """What touches a tile, in the order it was entered."""
        return self._occupied.get((tx, ty), [])

    def at(self, x: float, y: float) -> Any | None:
        """The entity whose collision box holds the point, None when nothing does; trees and rocks count."""
        here = self._occupied.get((floor(x), floor(y)))
        if here:
            for thing in here:
                box = thing.box
                if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
                    return thing
        return None

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
        for (tx, ty), name in self._tiles.items():
            chunk = self.terrain.chunk(tx // CHUNK, ty // CHUNK)
            if (chunk.tiles.get((tx, ty)) or self.terrain.ground(tx, ty)) != name:
                changed_tiles.append([tx, ty, name])
        return {
            "explored": [] if self.terrain.bounds else sorted(map(list, self.explored)),
            "tiles": sorted(changed_tiles),
            "resources": sorted(
                [r.tile[0], r.tile[1], r.name, r.amount, r.initial]
                for r in self.resources.values()
                if r.amount != r.initial
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
        for cx, cy in state["explored"]:
            self.explore(cx, cy)
        for tx, ty, name in state["tiles"]:
            self.set_tile(tx, ty, name)
        for tx, ty, name, amount, initial in state["resources"]:
            self.resources[tx, ty] = Resource(name, (tx, ty), amount, initial)
