"""What holds whatever is connected with whatever: seeded random sites and calls."""

from __future__ import annotations

import random

import pytest

from fle_ray.errors import CannotPlace, ToolError
from fle_ray.game.values import EntityGroup, Position, Prototype
from fle_ray.tools.describe import describe

KIT = {
    "transport-belt": 2000,
    "fast-transport-belt": 200,
    "underground-belt": 200,
    "pipe": 1000,
    "pipe-to-ground": 100,
    "small-electric-pole": 500,
    "medium-electric-pole": 100,
    "big-electric-pole": 50,
    "stone-wall": 500,
}
TYPES = [
    [Prototype.TransportBelt],
    [Prototype.TransportBelt, Prototype.UndergroundBelt],
    [Prototype.UndergroundBelt],
    [Prototype.TransportBelt, Prototype.FastTransportBelt],
    [Prototype.Pipe],
    [Prototype.Pipe, Prototype.UndergroundPipe],
    [Prototype.UndergroundPipe],
    [Prototype.SmallElectricPole, Prototype.MediumElectricPole],
    [Prototype.BigElectricPole],
    [Prototype.StoneWall],
]
THINGS = [
    ("burner-inserter", {}),
    ("boiler", {}),
    ("steam-engine", {}),
    ("storage-tank", {}),
    ("oil-refinery", {"recipe": "advanced-oil-processing"}),
    ("chemical-plant", {"recipe": "sulfur"}),
    ("assembling-machine-2", {}),
    ("stone-furnace", {}),
    ("pump", {}),
    ("splitter", {}),
    ("solar-panel", {}),
    ("pipe-to-ground", {}),
    ("underground-belt", {}),
    ("small-electric-pole", {}),
]


def site(make, rng):
    """A game with some lakes and machines strewn about."""
    game = make(KIT, scenario="empty")
    game.stand(-100, -100)
    for _ in range(rng.randint(0, 3)):
        x, y = rng.randint(-25, 25), rng.randint(-25, 25)
        game.world.water((x, y, x + rng.randint(1, 8), y + rng.randint(1, 8)))
    for _ in range(rng.randint(5, 30)):
        name, options = rng.choice(THINGS)
        try:
            game.world.place(name, (rng.uniform(-25, 25), rng.uniform(-25, 25)), rng.choice([0, 4, 8, 12]), **options)
        except CannotPlace:
            continue  # the next one may fit
    return game


def waypoint(game, rng, groups):
    kind = rng.random()
    things = list(game.world.entities.values())
    if kind < 0.35 and things:
        return describe(rng.choice(things))
    if kind < 0.6 and groups:
        return rng.choice(groups)
    return Position(x=rng.randint(-30, 30), y=rng.randint(-30, 30))


@pytest.mark.parametrize("seed", range(8))
def test_a_dry_run_counts_what_is_laid_and_a_refusal_lays_nothing(make, seed):
    rng = random.Random(seed)
    game = site(make, rng)
    groups = []
    laid = refused = 0
    for _ in range(12):
        waypoints = [waypoint(game, rng, groups) for _ in range(rng.choice([2, 2, 3]))]
        types = rng.choice(TYPES)
        before = game.instance.inventory(0)
        standing = len(game.world.entities)
        try:
            counts = game.connect_entities(*waypoints, types, dry_run=True)
        except ToolError as error:
            counts = str(error)
        assert (game.instance.inventory(0), len(game.world.entities)) == (before, standing)
        try:
            group = game.connect_entities(*waypoints, types)
        except ToolError:
            refused += 1
            assert (game.instance.inventory(0), len(game.world.entities)) == (before, standing)
            continue
        laid += 1
        spent = sum(before.values()) - sum(game.instance.inventory(0).values())
        assert spent == len(game.world.entities) - standing == counts["number_of_entities_required"]
        if isinstance(group, EntityGroup):
            groups.append(group)
        game.world.advance(rng.randint(0, 60))
    assert laid and refused
    assert type(game.world).restore(game.world.snapshot()).digest() == game.world.digest()


@pytest.mark.parametrize("seed", range(8, 14))
def test_connecting_twice_lays_nothing_more(make, seed):
    rng = random.Random(seed)
    game = site(make, rng)
    done = 0
    for _ in range(12):
        waypoints = [waypoint(game, rng, []) for _ in range(2)]
        types = rng.choice(TYPES)
        try:
            game.connect_entities(*waypoints, types)
        except ToolError:
            continue  # refused for a reason of its own, see the other tests
        done += 1
        standing = len(game.world.entities)
        game.connect_entities(*waypoints, types)
        assert len(game.world.entities) == standing
    assert done
