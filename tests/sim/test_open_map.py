"""The open map: the same for a seed however explored, with the densities and distances of the game's generator."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from math import hypot, pi

import pytest

from fle_ray.sim import World
from fle_ray.sim.map import CHUNK, Map, overlaps
from fle_ray.sim.scenarios.open import OpenTerrain

ORES = ("iron-ore", "copper-ore", "coal", "stone")
REGION = 1024  # tiles a side; 1.048576 square kilometres
FAR = [(rx, ry) for rx in range(-4, 4) for ry in range(-4, 4) if not (-2 <= rx < 2 and -2 <= ry < 2)]


def chunk_text(terrain: OpenTerrain, cx: int, cy: int) -> str:
    chunk = terrain.chunk(cx, cy)
    ground = [terrain.ground(cx * CHUNK + k % CHUNK, cy * CHUNK + k // CHUNK) for k in range(0, 1024, 37)]
    return json.dumps(
        [sorted(map(str, chunk.tiles.items())), sorted(map(str, chunk.resources.items())), chunk.naturals, ground]
    )


def land_hash(seed: int, chunks: list[tuple[int, int]]) -> str:
    terrain = OpenTerrain(seed)
    texts = {chunk: chunk_text(terrain, *chunk) for chunk in chunks}
    return hashlib.sha256("".join(texts[c] for c in sorted(texts)).encode()).hexdigest()


SQUARE = [(cx, cy) for cx in range(-6, 6) for cy in range(-6, 6)] + [(30, -17), (31, -17), (100, 100), (-2000, 4000)]


def tiles_of(terrain: OpenTerrain, spot, margin: int = 51) -> dict[tuple[int, int], int]:
    """Tiles of the ore of a patch round its centre."""
    chunks = {
        (cx, cy)
        for cx in range((spot.x - margin) // CHUNK, (spot.x + margin) // CHUNK + 1)
        for cy in range((spot.y - margin) // CHUNK, (spot.y + margin) // CHUNK + 1)
    }
    return {
        tile: amount
        for chunk in chunks
        for tile, (name, amount) in terrain.chunk(*chunk).resources.items()
        if name == spot.name and hypot(tile[0] - spot.x, tile[1] - spot.y) < margin
    }


# -- the same land ------------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_land_in_whatever_order_it_is_explored():
    shuffled = SQUARE[:]
    random.Random(3).shuffle(shuffled)
    assert land_hash(7, SQUARE) == land_hash(7, shuffled) == land_hash(7, SQUARE[::-1])


def test_a_chunk_alone_is_as_it_is_among_others():
    alone = chunk_text(OpenTerrain(7), 30, -17)
    terrain = OpenTerrain(7)
    for chunk in SQUARE:
        chunk_text(terrain, *chunk)
    assert chunk_text(terrain, 30, -17) == alone


def test_other_seeds_give_other_land():
    assert len({land_hash(seed, SQUARE[:40]) for seed in (0, 1, 2, -1, 10**30)}) == 5


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_another_process_with_another_hash_seed_makes_the_same_land(hash_seed):
    program = "from tests.sim.test_open_map import *; print(land_hash(7, SQUARE))"
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(["."])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == land_hash(7, SQUARE)


def test_the_land_of_a_seed_stays_what_it_was():
    # Snapshots keep only what differs from the land of their seed, so a change here makes every older snapshot of an
    # open world another world: raise FORMAT in fle_ray/sim/state.py with it.
    assert land_hash(7, SQUARE) == "64656876f10dea62774c24f17fac8089ff2e4ef22ae666218d29f3fb0033d860"


def test_what_was_looked_at_is_no_part_of_the_state():
    here, there = World("open", 3), World("open", 3)
    here.map.explore_box((-500, -500, 500, 500))
    assert here.digest() == there.digest()
    assert here.map.things_in((-90, -90, 90, 90)) and len(here.snapshot()) < 1000


def test_only_what_changed_is_kept_in_a_snapshot():
    world = World("open", 3)
    ore = world.map.nearest_resource("coal", 0, 0, 500)
    gone = world.map.nearest_resource("stone", 0, 0, 500)
    tree = world.map.nearest_natural("tree", 0, 0, 500)
    world.map.deplete(ore, 1)
    world.map.deplete(gone, gone.amount)
    world.harvest(tree)
    world.map.set_tile(500, 500, "landfill")
    before = ore.amount
    back = World.restore(world.snapshot())
    assert back.digest() == world.digest()
    assert back.map.resource_at(*ore.tile).amount == before
    assert back.map.resource_at(*gone.tile) is None
    assert back.map.tile(500, 500) == "landfill"
    box = (tree.x - 1, tree.y - 1, tree.x + 1, tree.y + 1)
    assert all((n.x, n.y) != (tree.x, tree.y) for n in back.map.naturals(box))
    assert back.digest() == world.digest()
    assert len(world.snapshot()) < 1000


def test_a_tile_changed_back_is_no_change():
    world, other = World("open", 3), World("open", 3)
    ground = world.map.tile(2, 2)
    world.map.set_tile(2, 2, "water")
    assert world.digest() != other.digest()
    world.map.set_tile(2, 2, ground)
    assert world.digest() == other.digest()


def test_things_stand_in_one_order_whenever_the_land_is_seen():
    seen, unseen = World("open", 3), World("open", 3)
    seen.map.explore_box((-100, -100, 100, 100))
    for world in (seen, unseen):
        world.build("wooden-chest", (0.5, 0.5))
    box = (-60, -60, 60, 60)

    def names(world):
        return [(t.name, t.x, t.y) for t in world.map.things_in(box)]

    assert names(seen) == names(unseen) == names(World.restore(unseen.snapshot()))


# -- the start ----------------------------------------------------------------------------------------------------

SEEDS = [*range(12), 44340, 2**63]


def free_tiles_round_the_start(world: World, half: int) -> set[tuple[int, int]]:
    """Tiles one can walk to from (0, 0) without leaving a square, no tree or rock felled."""
    land = world.map

    def free(tile: tuple[int, int]) -> bool:
        return "player" not in land.tile_layers(*tile) and not land.standing_on(*tile)

    assert free((0, 0))
    seen, edge = {(0, 0)}, [(0, 0)]
    while edge:
        x, y = edge.pop()
        for tile in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if tile not in seen and max(abs(tile[0]), abs(tile[1])) <= half and free(tile):
                seen.add(tile)
                edge.append(tile)
    return seen


@pytest.mark.parametrize("seed", SEEDS)
def test_one_can_walk_from_the_start_to_all_one_needs_first(seed):
    world = World("open", seed)
    land = world.map
    reached = free_tiles_round_the_start(world, 140)
    for agent in range(5):
        assert (0, 2 * agent) in reached
    for name in ORES:
        tiles = [r.tile for r in land.resources_in((-120, -120, 120, 120), name) if hypot(r.x, r.y) <= 120]
        assert sum(land.resources[t].amount for t in tiles) > 60_000, name
        assert sum(t in reached for t in tiles) > 0.9 * len(tiles), name
    water = land.nearest_tile("water", 0, 0, 120)
    assert any((water[0] + dx, water[1] + dy) in reached for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))
    trees = [n for n in land.naturals((-100, -100, 100, 100)) if n.prototype.type == "tree"]
    beside = [
        n
        for n in trees
        if any((int(n.x // 1) + d, int(n.y // 1) + e) in reached for d in range(-2, 3) for e in range(-2, 3))
    ]
    assert len(beside) >= 25  # a hundred wood
    assert min(hypot(n.x, n.y) for n in beside) < 60


@pytest.mark.parametrize("seed", SEEDS)
def test_a_starting_patch_lies_wholly_within_120_tiles_and_no_other_patch_near_it(seed):
    terrain = OpenTerrain(seed)
    assert {s.name for s in terrain.starting_spots} == set(ORES)
    for spot in terrain.starting_spots:
        tiles = tiles_of(terrain, spot, margin=30)
        assert len(tiles) > 60
        assert max(hypot(x + 0.5, y + 0.5) for x, y in tiles) <= 120
    for rx in (-1, 0):
        for ry in (-1, 0):
            assert all(hypot(s.x, s.y) > 120 for s in terrain.spots(rx, ry))


def test_starting_patches_hold_what_the_generator_gives_them():
    # 20,000 times the density (10, 8, 8, 4) times two; blobs of noise make single ones richer or poorer
    wanted = {"iron-ore": 400_000, "copper-ore": 320_000, "coal": 320_000, "stone": 160_000}
    held: Counter[str] = Counter()
    for seed in range(40):
        terrain = OpenTerrain(seed)
        for spot in terrain.starting_spots:
            held[spot.name] += sum(tiles_of(terrain, spot, margin=30).values())
    for name, amount in wanted.items():
        assert held[name] / 40 == pytest.approx(amount, rel=0.25), name


# -- further patches ----------------------------------------------------------------------------------------------


def far_spots(seeds) -> list:
    return [s for terrain in map(OpenTerrain, seeds) for region in FAR for s in terrain.spots(*region)]


def test_there_are_as_many_patches_a_square_kilometre_as_the_generator_says():
    seeds = range(3)
    square_km = len(seeds) * len(FAR) * REGION * REGION / 1e6
    counts = Counter(s.name for s in far_spots(seeds))
    wanted = {**dict.fromkeys(ORES, 2.5), "crude-oil": 1.8, "uranium-ore": 1.25}
    for name, density in wanted.items():
        # a region has the rounded-down number or one more: deviation at most 0.5 a region
        deviation = 0.5 * (len(seeds) * len(FAR)) ** 0.5
        assert abs(counts[name] - density * square_km) < 4 * deviation, name


def test_amounts_stand_in_the_proportion_of_the_densities():
    held: Counter[str] = Counter()
    for spot in far_spots(range(8)):
        held[spot.name] += spot.amount
    unit = held["copper-ore"] / 8
    for name, density in {"iron-ore": 10, "coal": 8, "stone": 4, "uranium-ore": 0.9, "crude-oil": 8.2}.items():
        assert held[name] / unit == pytest.approx(density, rel=0.06), name


def test_a_patch_holds_what_it_was_made_for_on_average():
    terrain = OpenTerrain(5)
    ratios = []
    for region in ((1, 0), (0, -2), (-2, -1), (1, 1), (-1, 1), (-2, 0)):
        for spot in terrain.spots(*region):
            if spot.name != "crude-oil":
                ratios.append(sum(tiles_of(terrain, spot).values()) / (spot.amount * spot.richness / 1000))
    assert len(ratios) > 50
    assert sum(ratios) / len(ratios) == pytest.approx(1, abs=0.15)


def test_patches_grow_with_distance_and_hold_twice_as_much_1300_tiles_further_out():
    density = {"iron-ore": 10, "copper-ore": 8, "coal": 8, "stone": 4}
    found = [
        (hypot(s.x, s.y), s.amount * s.richness / 1000 / density[s.name])
        for terrain in map(OpenTerrain, range(40))
        for region in ((rx, ry) for rx in range(-2, 2) for ry in range(-2, 2))
        for s in terrain.spots(*region)
        if s.name in density
    ]

    def mean_amount(least, most):
        amounts = [amount for away, amount in found if least <= away < most]
        assert len(amounts) > 50
        return sum(amounts) / len(amounts)

    # a square kilometre with 1 a tile in 2.5 patches; at 470 tiles 1 + 170 / 1300 of it
    assert mean_amount(420, 520) == pytest.approx(400_000 * (1 + 170 / 1300), rel=0.15)
    assert mean_amount(1590, 1640) == pytest.approx(800_000, rel=0.15)
    assert mean_amount(120, 220) < 0.3 * 400_000


def test_very_far_out_richness_goes_on_growing():
    terrain = OpenTerrain(2)
    far = [s for rx in (20, 21) for s in terrain.spots(rx, 0)]
    for spot in far:
        assert spot.richness == pytest.approx((1000 + hypot(spot.x, spot.y)) / 2600 * 1000, abs=2)


def test_a_patch_is_as_wide_as_its_amount_says_and_never_wider_than_32():
    slim = {"iron-ore": 0.11, "copper-ore": 0.11}
    for spot in far_spots(range(2)):
        radius = min(32, slim.get(spot.name, 0.1) * spot.amount ** (1 / 3))
        assert spot.radius16 / 16 == pytest.approx(radius, abs=0.1)
    terrain = OpenTerrain(5)
    for spot in terrain.spots(1, 1):
        if spot.name != "crude-oil":
            area = len(tiles_of(terrain, spot))
            assert area < 2 * pi * (spot.radius16 / 16) ** 2
            held = [(hypot(x - spot.x, y - spot.y), a) for (x, y), a in tiles_of(terrain, spot).items()]
            middle = [a for away, a in held if away < 4]
            rim = [a for away, a in held if away > spot.radius16 / 16]
            assert not rim or not middle or sum(rim) / len(rim) < sum(middle) / len(middle)


# -- oil ----------------------------------------------------------------------------------------------------------


def test_wells_stand_three_tiles_apart_with_at_least_73_percent_each_on_dry_land():
    fields = wells_seen = area = 0
    for seed in range(4):
        terrain = OpenTerrain(seed)
        for region in ((1, 0), (-2, 1), (0, -2)):
            for spot in terrain.spots(*region):
                if spot.name != "crude-oil":
                    continue
                wells = tiles_of(terrain, spot)
                fields += 1
                wells_seen += len(wells)
                area += pi * (spot.radius16 / 16) ** 2
                for (x, y), amount in wells.items():
                    assert amount >= 220_000
                    assert all(max(abs(x - a), abs(y - b)) >= 3 for a, b in wells if (a, b) != (x, y))
                    around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
                    for tx, ty in around:
                        chunk = terrain.chunk(tx // CHUNK, ty // CHUNK)
                        assert (tx, ty) not in chunk.tiles
                        assert chunk.resources.get((tx, ty), ("crude-oil",))[0] == "crude-oil"
    assert fields > 15
    assert wells_seen == pytest.approx(area / 48, rel=0.3)


def test_a_pumpjack_can_be_built_on_a_found_well():
    world = World("open", 1)
    well = world.map.nearest_resource("crude-oil", 0, 0, 500)
    jack = world.build("pumpjack", (well.x, well.y))
    assert jack.position == (well.x, well.y)


# -- what lies on what --------------------------------------------------------------------------------------------


def test_nothing_lies_under_water_and_nothing_grows_through_anything():
    for seed in (1, 8):
        world = World("open", seed)
        world.map.explore_box((-400, -400, 400, 400))
        land = world.map
        naturals = land.naturals()
        assert len(naturals) > 2000
        assert {n.name for n in naturals} >= {"big-rock", "huge-rock"}
        for resource in land.resources.values():
            assert not land.is_water(*resource.tile)
        for thing in naturals:
            left, top, right, bottom = thing.box
            for tx in range(int(left // 1), int(-(-right // 1))):
                for ty in range(int(top // 1), int(-(-bottom // 1))):
                    assert not land.is_water(tx, ty)
                    assert land.resource_at(tx, ty) is None
                    assert all(o is thing or not overlaps(o.box, thing.box) for o in land.standing_on(tx, ty))


def test_water_covers_a_tenth_to_a_third_and_forests_do_not_cover_all():
    water = trees = tiles = 0
    for seed in range(6):
        terrain = OpenTerrain(seed)
        for cx in range(10, 34):
            for cy in range(-30, -14):
                chunk = terrain.chunk(cx, cy)
                water += len(chunk.tiles)
                trees += sum("rock" not in n[0] for n in chunk.naturals)
                tiles += CHUNK * CHUNK
    assert 0.08 < water / tiles < 0.33
    assert 0.005 < trees / tiles < 0.06


def test_a_lake_has_a_shore_where_an_offshore_pump_fits():
    world = World("open", 4)
    tx, ty = world.map.nearest_tile("water", 0, 0, 200)
    built = None
    for x in range(tx - 8, tx + 9):
        for y in range(ty - 8, ty + 9):
            for direction in (0, 4, 8, 12):
                try:
                    built = built or world.build("offshore-pump", (x + 0.5, y + 0.5), direction)
                except Exception as error:  # noqa: BLE001 - any refusal is fine as long as one place is found
                    assert type(error).__name__ == "CannotPlace"
    assert built is not None


# -- the nearest --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [(0.0, 0.0), (31.99, -32.0), (-211.25, 143.5), (400.5, 12.25)])
def test_the_nearest_is_what_looking_everywhere_finds(start):
    world = World("open", 5)
    land: Map = world.map
    x, y = start
    reach = 260
    box = (x - reach, y - reach, x + reach, y + reach)
    fresh = World("open", 5).map
    for name in (*ORES, "crude-oil", "uranium-ore"):
        everywhere = [(hypot(r.x - x, r.y - y), r.y, r.x) for r in land.resources_in(box, name)]
        found = fresh.nearest_resource(name, x, y, reach)
        assert (None if found is None else (found.y, found.x)) == (min(everywhere)[1:] if everywhere else None)
    trees = [(hypot(n.x - x, n.y - y), n.y, n.x) for n in land.naturals(box) if n.prototype.type == "tree"]
    tree = fresh.nearest_natural("tree", x, y, reach)
    assert (tree.y, tree.x) == min(trees)[1:]
    waters = [
        (hypot(tx - x, ty - y), ty, tx)
        for tx in range(int(x) - reach, int(x) + reach)
        for ty in range(int(y) - reach, int(y) + reach)
        if land.tile(tx, ty) == "water"
    ]
    assert fresh.nearest_tile("water", x, y, reach)[::-1] == min(waters)[1:]


def test_the_nearest_is_right_whatever_was_mined_laid_and_flooded_meanwhile():
    land = World("lab").map
    draw = random.Random(1)
    for _ in range(400):
        x, y = draw.randint(-220, 220) / 2, draw.randint(-60, 240) / 2
        name = draw.choice(["iron-ore", "coal", "stone", "copper-ore", "crude-oil"])
        ores = [((r.x - x) ** 2 + (r.y - y) ** 2, r.y, r.x) for r in land.resources_in((-999, -999, 999, 999), name)]
        found = land.nearest_resource(name, x, y, 500)
        assert (found.y, found.x) == min(ores)[1:]
        waters = [
            ((tx - x) ** 2 + (ty - y) ** 2, ty, tx)
            for tx in range(-60, 60)
            for ty in range(-30, 100)
            if land.tile(tx, ty) == "water"
        ]
        assert land.nearest_tile("water", x, y, 500)[::-1] == min(waters)[1:]
        tile = draw.randint(-60, 59), draw.randint(-30, 99)
        land.deplete(found, draw.choice([1, found.amount]))
        land.put_resource(draw.choice([name, "stone"]), tile, 5)
        land.set_tile(*tile, draw.choice(["water", "landfill"]))


def test_looking_for_the_nearest_stops_when_nothing_further_out_can_be_nearer():
    world = World("open", 5)
    world.map.nearest_natural("tree", 0, 0, 500)
    assert len(world.map.explored) <= 49


def test_the_lab_has_no_uranium_within_reach_and_ties_go_north_west():
    lab = World("lab").map
    assert lab.nearest_resource("uranium-ore", 0, 0, 500) is None
    field = World("empty").map
    for tile in ((5, 0), (-6, 0), (-1, -6), (0, 5), (0, -6)):
        field.put_resource("coal", tile, 10)
    assert field.nearest_resource("coal", 0.0, 0.0, 100).tile == (-1, -6)
    assert field.nearest_resource("coal", 0.0, 0.0, 5) is None
