"""A whole factory for an hour: from ore and oil to the seven science packs and a rocket (see chain.py)."""

from __future__ import annotations

import pytest

from fle_ray.sim import World

from .chain import PACKS, Factory, rate_of

pytestmark = pytest.mark.slow


def held_everywhere(world: World) -> dict[str, int]:
    """Item -> how many there are in all entities: in chests, machines, drills and hands."""
    held: dict[str, int] = {}
    for entity in world.entities.values():
        for name, contents in entity.contents().items():
            if name != "fluids":
                for item, count in contents.items():
                    held[item] = held.get(item, 0) + count
        if entity.prototype.type == "inserter" and entity.held is not None and "hand" not in entity.contents():
            held[entity.held] = held.get(entity.held, 0) + entity.count
        if entity.prototype.type == "mining-drill" and getattr(entity, "held", None) is not None:
            held[entity.held] = held.get(entity.held, 0) + entity.held_count
    return held


def test_an_hour_from_ore_and_oil_to_seven_science_packs_and_a_rocket():
    factory = Factory()
    world = factory.world
    factory.run(2400)  # stocks fill, and the rocket takes its share
    before = dict(world.produced)
    factory.run(1200)
    assert world.tick == 3600 * 60
    for pack, machines in PACKS.items():
        made = world.produced[pack] - before[pack]
        promised = machines * rate_of(pack) * 1200  # recipe seconds over the speed of assembling machine 2
        assert promised * 0.95 <= made <= promised * 1.01 + 3, pack
    # One rocket of 72 crafts with its satellite: ten of each part a craft, a thousand packs from orbit.
    assert world.orbit.launches == 1
    assert world.produced["space-science-pack"] == 1000
    assert factory.pad.contents() == {"inventory": {"space-science-pack": 1000}}
    assert world.consumed["satellite"] == 1
    assert world.produced["rocket-part"] >= 100

    # Nothing appeared and nothing was lost: what was made and not used up is there. (Modules are gifts of the rig;
    # the parts of a launched rocket are neither used nor there.)
    held = held_everywhere(world)
    for item in sorted(world.data.items):
        made = world.produced.get(item, 0) - world.consumed.get(item, 0)
        if item == "rocket-part":
            made -= 100
        if item == "productivity-module-3":
            made += 4
        assert held.get(item, 0) == made, item


def test_a_whole_factory_restored_goes_on_as_if_never_stopped():
    factory = Factory()
    factory.run(300)
    world = factory.world
    start = world.snapshot()
    world.advance(1800)
    straight = world.digest()
    for cut in (1, 599, 1234):
        other = World.restore(start)
        other.advance(cut)
        other = World.restore(other.snapshot())
        other.advance(1800 - cut)
        assert other.digest() == straight, cut
