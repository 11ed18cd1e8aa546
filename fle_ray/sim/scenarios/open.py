"""The open map: an endless land made from a seed, chunk by chunk, the same in whatever order it is explored.

The densities, amounts and distances are those of the game's own map generator at its default settings
(prototype data of 2.0.73); the noise and so the shapes are ours, as the game's seeds cannot be reproduced. What is
drawn comes from a keyed hash of (seed, purpose, place); what is computed uses integers and square roots only, so
that every machine makes the same land.

Round the start lie one patch each of iron, copper, coal and stone, a lake, and open ground. Further patches have
2.5 centres of each ore per square kilometre (oil 1.8, uranium 1.25), none within 120 tiles, growing to their full
amount over the next 300 and on with distance. Ore fields are kept clear of trees and rocks (our choice).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from fle_ray.sim.map import CHUNK, Chunk, Tile
from fle_ray.sim.scenarios.noise import ONE, Draws, Field, Noise, random_tiles

__all__ = ["OpenTerrain", "Spot"]

_REGION = 1024  # patches are drawn by regions of this many tiles a side, as the game does
_REACH = 50  # no part of a patch lies further than this from its centre
_START_RADIUS = 120
_FADE = 300
_DOUBLE = 1300
_SPACING = 46  # between the centres of patches of one region
_TRIES = 64
_ON_LAND = ((0, 0), (-9, 0), (9, 0), (0, -9), (0, 9))  # round the centre of a patch


@dataclass(frozen=True, slots=True)
class _Ore:
    """How a resource is spread.

    Attributes:
        density: amount per ten tiles on average, near the start; spots: centres per 100 square kilometres.
        slimness: radius of a patch in 1/1000 of the cube root of its amount; start_slimness: that of its starting
            patch, 0 when it has none.
        least, most: size of a patch relative to the mean one, in 1/1000, evenly spread.
    """

    name: str
    density: int
    spots: int
    slimness: int
    start_slimness: int
    least: int
    most: int


_ORES = (
    _Ore("iron-ore", 100, 250, 110, 214, 222, 1778),
    _Ore("copper-ore", 80, 250, 110, 171, 222, 1778),
    _Ore("coal", 80, 250, 100, 157, 222, 1778),
    _Ore("stone", 40, 250, 100, 157, 222, 1778),
    _Ore("uranium-ore", 9, 125, 100, 0, 667, 1333),
    _Ore("crude-oil", 82, 180, 100, 0, 1000, 1000),
)
_OIL = "crude-oil"
_OIL_SHARE = 48  # one tile in so many of a field has a well, which holds as much as they all
_OIL_EXTRA = 220_000  # that much more in every well: never under 73 % of 300,000
_WELL_SPACING = 3
_START_AMOUNT = 40_000  # times density per tile: what a starting patch holds
_MOST_RADIUS = 32
_LEAST_RADIUS = 3

_LAKE_DISTANCE = (56, 72)
_LAKE_RADIUS = 24
_ELEVATION = ((256, 5), (128, 5), (64, 3), (32, 2), (16, 1), (8, 1))  # scale in tiles, weight
_SEA_LEVEL = -3 * ONE  # on the sum of the weighted octaves
_DEEP = ONE  # below sea level
_START_LAND = 230  # tiles over which the land is raised towards the start

_MOISTURE = ((256, 4), (128, 2), (32, 1), (8, 1))
_HEAT = ((256, 3), (64, 1), (16, 1), (8, 1))
_FOREST = ((128, 2), (64, 2), (32, 2), (16, 1))
_ROCKS = ((64, 1), (16, 1))
_GRASS = ("grass-4", "grass-3", "grass-2", "grass-1")
_DIRT = ("dry-dirt", "dirt-1", "dirt-2", "dirt-3", "dirt-4", "dirt-5", "dirt-6", "dirt-7")
_SAND = ("sand-1", "sand-2", "sand-3", "dirt-1")
_DESERT = ("red-desert-3", "red-desert-2", "red-desert-1", "red-desert-0")
_COOL_GROUND = (*_SAND, *_DIRT, *_GRASS)
_HOT_GROUND = (*_DESERT, *_DIRT, *_GRASS)
_GROUND = tuple(dict.fromkeys((*_COOL_GROUND, *_HOT_GROUND)))
_BANDS = len(_COOL_GROUND)
# Trees by climate: from dry to wet, cool and hot.
_COOL_TREES = (
    ("dry-tree", "dead-grey-trunk", "dry-hairy-tree", "dead-dry-hairy-tree"),
    ("tree-06-brown", "tree-06", "tree-08-brown", "tree-09-brown"),
    ("tree-02", "tree-09", "tree-02-red", "tree-07"),
    ("tree-01", "tree-04", "tree-03", "tree-05"),
)
_HOT_TREES = (
    ("dead-tree-desert", "dry-tree", "dead-tree-desert", "dead-dry-hairy-tree"),
    ("tree-08-red", "tree-08-brown", "tree-09-red", "tree-06-brown"),
    ("tree-08", "tree-09", "tree-07", "tree-02-red"),
    ("tree-03", "tree-05", "tree-04", "tree-07"),
)
_WIDE_TREES = frozenset({"dry-tree", "dead-grey-trunk", "dry-hairy-tree", "dead-dry-hairy-tree", "dead-tree-desert"})
_MOST_TREES = 11_000  # of 65,536: the densest forest has a tree on every sixth tile
_LONE_TREES = 130
_CLEARING = (20, 60)  # nothing grows nearer to the start than the first; forests full from the second on
_ROCK_SHARE = 90
_ROCK_KINDS = ("huge-rock", "big-rock", "big-rock", "big-sand-rock")  # the last only where it is dry


@dataclass(frozen=True, slots=True)
class Spot:
    """One patch: its centre, the amount it is made for, its radius in 1/16 tile, the amount on its middle tile.

    `richness` multiplies the amounts, in 1/1000; `start` marks a starting patch.
    """

    name: str
    x: int
    y: int
    amount: int
    radius16: int
    peak: int
    richness: int
    start: bool


def _cube_root(value: int) -> int:
    """Largest whole number whose cube is at most `value`."""
    root = 1 << (value.bit_length() + 2) // 3
    while root**3 > value:
        root = (2 * root + value // root**2) // 3
    return root


def _spot(ore: _Ore, x: int, y: int, amount: int, slimness: int, richness: int, *, start: bool = False) -> Spot:
    radius16 = _cube_root(amount * 4096) * slimness // 1000
    if not start:
        radius16 = min(radius16, 16 * _MOST_RADIUS)
    # a cone of that radius and volume; 355/113 for pi
    peak = 3 * amount * 256 * 113 // (355 * max(radius16, 1) ** 2)
    return Spot(ore.name, x, y, amount, radius16, peak, richness, start)


def _distance(dx: Field, dy: Field, unit: int) -> Field:
    """Rounded-down distance in 1/unit tile (exact: the radicand is far below 2**52)."""
    return np.sqrt((dx * dx + dy * dy) * (unit * unit)).astype(np.int64)


class OpenTerrain:
    """The open map of a seed (any whole number). See the module's text."""

    name = "open"
    bounds = None
    start_chunks: tuple[Tile, ...] = ()

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._key = key = blake2b(f"fle_ray open map {seed}".encode(), digest_size=32).digest()
        self._elevation = Noise(key, "elevation", _ELEVATION)
        self._shore = Noise(key, "shore", ((32, 9), (16, 4), (8, 2)))
        self._moisture = Noise(key, "moisture", _MOISTURE)
        self._heat = Noise(key, "heat", _HEAT)
        self._forest = Noise(key, "forest", _FOREST)
        self._rocks = Noise(key, "rocks", _ROCKS)
        self._blobs = Noise(key, "blobs", ((8, 3), (16, 2), (32, 2), (64, 1)))
        self._start_blobs = Noise(key, "start-blobs", ((8, 3), (16, 2), (32, 1)))
        self._depths = lru_cache(maxsize=2048)(self._make_depths)
        self._climate = lru_cache(maxsize=512)(self._make_climate)
        self._ground = lru_cache(maxsize=2048)(self._make_ground)
        self._ores = lru_cache(maxsize=512)(self._make_ores)
        self._wells = lru_cache(maxsize=256)(self._make_wells)
        self._region = lru_cache(maxsize=256)(self._make_region)
        self.chunk = lru_cache(maxsize=4096)(self._make_chunk)
        self._lake = self._place_lake()
        self.starting_spots = self._place_starting_spots()

    # -- what the map asks ------------------------------------------------------------------------------------

    def ground(self, tx: int, ty: int) -> str:
        return _GROUND[self._ground(tx // CHUNK, ty // CHUNK)[ty % CHUNK * CHUNK + tx % CHUNK]]

    def spots(self, rx: int, ry: int) -> tuple[Spot, ...]:
        """Patches whose centre lies in a region of 1024 x 1024 tiles, starting patches apart."""
        return self._region(rx, ry)

    def _make_chunk(self, cx: int, cy: int) -> Chunk:
        depths = self._depths(cx, cy)
        left, top = cx * CHUNK, cy * CHUNK
        tiles = {}
        rows, columns = np.nonzero(depths)
        for row, column, depth in zip(rows.tolist(), columns.tolist(), depths[rows, columns].tolist(), strict=True):
            tiles[left + column, top + row] = "water" if depth == 1 else "deepwater"
        resources = dict(self._ores(cx, cy))
        for spot in self._near(cx, cy):
            if spot.name == _OIL:
                for tile, amount in self._wells(spot):
                    if tile[0] // CHUNK == cx and tile[1] // CHUNK == cy:
                        resources[tile] = (_OIL, amount)
        if depths.all():
            return Chunk(tiles, resources)
        return Chunk(tiles, resources, tuple(self._plant(cx, cy, depths, resources)))

    # -- water ------------------------------------------------------------------------------------------------

    def _place_lake(self) -> Tile:
        draws = Draws(self._key, "lake")
        least, most = _LAKE_DISTANCE
        while True:
            x, y = draws.between(-most, most), draws.between(-most, most)
            if least * least <= x * x + y * y <= most * most:
                return x, y

    def _make_depths(self, cx: int, cy: int) -> NDArray[np.int8]:
        """0 for land, 1 for water, 2 for deep water, [row y, column x]."""
        height = self._elevation.field(cx, cy) - _SEA_LEVEL
        columns = np.arange(cx * CHUNK, cx * CHUNK + CHUNK)[None, :]
        rows = np.arange(cy * CHUNK, cy * CHUNK + CHUNK)[:, None]
        if max(abs(cx), abs(cy)) * CHUNK < _START_LAND + CHUNK:
            away = _distance(columns, rows, 1)
            height += np.maximum(_START_LAND - away, 0) * (ONE // 10)
            x, y = self._lake
            lake = _distance(columns - x, rows - y, 16) * (ONE // 16) + self._shore.field(cx, cy)
            height = np.minimum(height, (lake - _LAKE_RADIUS * ONE) // 8)
        depths = (height < 0).astype(np.int8)
        depths += height < -_DEEP
        return depths

    def _is_land(self, tx: int, ty: int) -> bool:
        return not self._depths(tx // CHUNK, ty // CHUNK)[ty % CHUNK, tx % CHUNK]

    # -- ground -----------------------------------------------------------------------------------------------

    def _make_climate(self, cx: int, cy: int) -> tuple[Field, Field]:
        """Moisture in bands from dry to wet, and whether it is hot."""
        moisture = self._moisture.field(cx, cy)
        spread = 5 * ONE // 2
        bands = np.clip((moisture + spread) * _BANDS // (2 * spread), 0, _BANDS - 1)
        return bands, (self._heat.field(cx, cy) > ONE // 4).astype(np.int64)

    def _make_ground(self, cx: int, cy: int) -> bytes:
        bands, hot = self._climate(cx, cy)
        cool_index = np.array([_GROUND.index(name) for name in _COOL_GROUND])
        hot_index = np.array([_GROUND.index(name) for name in _HOT_GROUND])
        return np.where(hot, hot_index[bands], cool_index[bands]).astype(np.uint8).tobytes()

    # -- resources --------------------------------------------------------------------------------------------

    def _place_starting_spots(self) -> tuple[Spot, ...]:
        """One patch of each ore that has one, apart from each other, the lake and the start."""
        draws = Draws(self._key, "start")
        taken = [(*self._lake, _LAKE_RADIUS + 10), (0, 0, 14)]
        spots = []
        for ore in _ORES:
            if not ore.start_slimness:
                continue
            amount = _START_AMOUNT * ore.density // 10
            shape = _spot(ore, 0, 0, amount, ore.start_slimness, 1000, start=True)
            radius = shape.radius16 * 4 // 3 // 16 + 1
            most = _START_RADIUS - radius
            while True:
                x, y = draws.between(-most, most), draws.between(-most, most)
                if x * x + y * y <= most * most and all(
                    (x - ox) ** 2 + (y - oy) ** 2 >= (radius + far) ** 2 for ox, oy, far in taken
                ):
                    break
            taken.append((x, y, radius + 2))
            spots.append(_spot(ore, x, y, amount, ore.start_slimness, 1000, start=True))
        return tuple(spots)

    def _make_region(self, rx: int, ry: int) -> tuple[Spot, ...]:
        draws = Draws(self._key, "patches", rx, ry)
        spots: list[Spot] = []
        centres: list[Tile] = []
        for ore in _ORES:
            area = ore.spots * _REGION * _REGION  # in centres, times 10**8
            count = area // 10**8 + (draws.below(10**8) < area % 10**8)
            for _ in range(count):
                size = draws.between(ore.least, ore.most)
                for _ in range(_TRIES):
                    x, y = rx * _REGION + draws.below(_REGION), ry * _REGION + draws.below(_REGION)
                    apart = all((x - ox) ** 2 + (y - oy) ** 2 >= _SPACING**2 for ox, oy in centres)
                    if apart and all(self._is_land(x + dx, y + dy) for dx, dy in _ON_LAND):
                        break
                else:
                    continue
                centres.append((x, y))
                away = isqrt(x * x + y * y)
                faded = min(max(away - _START_RADIUS, 0), _FADE)
                grown = min(max(away - _FADE, 0), _DOUBLE) + _DOUBLE
                amount = 10**7 * ore.density * size * faded * grown // (ore.spots * _FADE * _DOUBLE * 1000)
                richness = max(1000 * (_DOUBLE - _FADE + away) // (2 * _DOUBLE), 1000)
                spot = _spot(ore, x, y, amount, ore.slimness, richness)
                if spot.radius16 >= 16 * _LEAST_RADIUS:
                    spots.append(spot)
        return tuple(spots)

    def _near(self, cx: int, cy: int) -> Iterator[Spot]:
        """Patches that may reach into a chunk, starting patches first."""
        left, top = cx * CHUNK - _REACH, cy * CHUNK - _REACH
        right, bottom = (cx + 1) * CHUNK + _REACH, (cy + 1) * CHUNK + _REACH
        regions = [
            self._region(rx, ry)
            for rx in range(left // _REGION, right // _REGION + 1)
            for ry in range(top // _REGION, bottom // _REGION + 1)
        ]
        for spots in (self.starting_spots, *regions):
            for spot in spots:
                if left < spot.x < right and top < spot.y < bottom:
                    yield spot

    def _amounts(self, spot: Spot, cx: int, cy: int) -> Field:
        """What a patch holds on the tiles of a chunk, 0 or less where it is not; water not looked at."""
        columns = np.arange(cx * CHUNK, cx * CHUNK + CHUNK)[None, :]
        rows = np.arange(cy * CHUNK, cy * CHUNK + CHUNK)[:, None]
        away = _distance(columns - spot.x, rows - spot.y, 16)
        cone = (spot.radius16 - away) * ONE // spot.radius16
        # noise of 3/16 of the patch's height a unit (the octaves have weights in halves)
        if spot.start:
            blobs = self._start_blobs.field(cx, cy) * 3 // 32
        else:
            blobs = self._blobs.field(cx, cy) * 3 // 32 - ONE // 40
        shape = np.where(away < 16 * _REACH, cone + blobs, 0)
        return shape * spot.peak // ONE * spot.richness // 1000

    def _make_ores(self, cx: int, cy: int) -> dict[Tile, tuple[str, int]]:
        spots = [spot for spot in self._near(cx, cy) if spot.name != _OIL]
        if not spots:
            return {}
        best = np.zeros((CHUNK, CHUNK), dtype=np.int64)
        which = np.zeros((CHUNK, CHUNK), dtype=np.int64)
        for index, spot in enumerate(spots):
            amounts = self._amounts(spot, cx, cy)
            better = amounts > best
            best[better] = amounts[better]
            which[better] = index
        best[self._depths(cx, cy) > 0] = 0
        left, top = cx * CHUNK, cy * CHUNK
        rows, columns = np.nonzero(best)
        return {
            (left + column, top + row): (spots[index].name, amount)
            for row, column, index, amount in zip(
                rows.tolist(),
                columns.tolist(),
                which[rows, columns].tolist(),
                best[rows, columns].tolist(),
                strict=True,
            )
        }

    def _make_wells(self, spot: Spot) -> tuple[tuple[Tile, int], ...]:
        """Wells of an oil field: (tile, amount)."""
        draws = Draws(self._key, "wells", spot.x, spot.y)
        half = min(spot.radius16 * 3 // 32 + 1, _REACH - 1)
        amounts: dict[Tile, Field] = {}
        wells: dict[Tile, int] = {}
        for _ in range((2 * half + 1) ** 2 // _OIL_SHARE):
            for _ in range(8):
                tx, ty = spot.x + draws.between(-half, half), spot.y + draws.between(-half, half)
                if all(max(abs(tx - ox), abs(ty - oy)) >= _WELL_SPACING for ox, oy in wells):
                    break
            else:
                continue
            chunk = tx // CHUNK, ty // CHUNK
            if chunk not in amounts:
                amounts[chunk] = self._amounts(spot, *chunk)
            amount = int(amounts[chunk][ty % CHUNK, tx % CHUNK])
            if amount > 0 and self._is_clear(tx, ty):
                wells[tx, ty] = amount * _OIL_SHARE + _OIL_EXTRA * spot.richness // 1000
        return tuple(wells.items())

    def _is_clear(self, tx: int, ty: int) -> bool:
        """Whether a pumpjack could stand on a tile: land without ore, one tile round it as well."""
        for x in range(tx - 1, tx + 2):
            for y in range(ty - 1, ty + 2):
                if not self._is_land(x, y) or (x, y) in self._ores(x // CHUNK, y // CHUNK):
                    return False
        return True

    # -- trees and rocks --------------------------------------------------------------------------------------

    def _plant(
        self, cx: int, cy: int, depths: NDArray[np.int8], resources: dict[Tile, tuple[str, int]]
    ) -> Iterator[tuple[str, float, float]]:
        left, top = cx * CHUNK, cy * CHUNK
        bands, hot = self._climate(cx, cy)
        forest = self._forest.field(cx, cy) - ONE // 2 + (bands - _BANDS // 2) * (ONE // 12)
        columns = np.arange(left, left + CHUNK)[None, :]
        rows = np.arange(top, top + CHUNK)[:, None]
        away = _distance(columns, rows, 1)
        chance = np.clip(forest * _MOST_TREES // (2 * ONE), 0, _MOST_TREES)
        near, far = _CLEARING
        if int(away.min()) < far:
            chance = chance * np.clip(away - near, 0, far - near) // (far - near)
        chance += _LONE_TREES * (bands + 6) // _BANDS
        random = random_tiles(self._key, "trees", cx, cy)
        free = (depths == 0) & (away >= near)
        for tx, ty in resources:
            reach = 1 if resources[tx, ty][0] == _OIL else 0
            free[max(ty - top - reach, 0) : ty - top + reach + 1, max(tx - left - reach, 0) : tx - left + reach + 1] = 0
        yield from self._boulders(cx, cy, free, away, bands)
        found_rows, found_columns = np.nonzero(free & (random[0] < chance))
        species = random[1]
        for row, column in zip(found_rows.tolist(), found_columns.tolist(), strict=True):
            band = int(bands[row, column])
            kinds = (_HOT_TREES if hot[row, column] else _COOL_TREES)[min(band * 4 // _BANDS, 3)]
            bits = int(species[row, column])
            name = kinds[min((bits & 7) // 2 if bits & 8 else (cx + cy + band) % 4, 3)]
            x, y = left + column + 0.5, top + row + 0.5
            if name in _WIDE_TREES:
                # wider than a tile: only where all round it is land and nothing else grows
                if not (0 < row < CHUNK - 1 and 0 < column < CHUNK - 1):
                    continue
                if not free[row - 1 : row + 2, column - 1 : column + 2].all():
                    continue
                free[row - 1 : row + 2, column - 1 : column + 2] = False
            elif not free[row, column]:
                continue
            else:
                # anywhere as long as its box of 0.8 tile stays inside its own tile
                free[row, column] = False
                x += ((bits >> 4 & 31) - 16) / 256
                y += ((bits >> 9 & 31) - 16) / 256
            yield name, x, y

    def _boulders(
        self, cx: int, cy: int, free: NDArray[np.bool_], away: Field, bands: Field
    ) -> Iterator[tuple[str, float, float]]:
        """At most one rock a chunk, well inside it; takes its place out of `free`."""
        draws = Draws(self._key, "rock", cx, cy)
        row, column = draws.between(3, CHUNK - 4), draws.between(3, CHUNK - 4)
        share = int(self._rocks.field(cx, cy)[row, column]) * 2 * _ROCK_SHARE // ONE
        if draws.below(256) >= share or away[row, column] < _CLEARING[0]:
            return
        place = free[row - 2 : row + 3, column - 2 : column + 3]
        if not place.all():
            return
        place[:] = False
        dry = bands[row, column] < _BANDS // 3
        kind = _ROCK_KINDS[draws.below(4) if dry else draws.below(3)]
        yield kind, cx * CHUNK + column + 0.5, cy * CHUNK + row + 0.5
