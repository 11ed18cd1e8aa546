"""Belts built at a stroke are the belts built one by one."""

from __future__ import annotations

import pytest

from fle_ray.errors import CannotPlace
from fle_ray.sim.world import World

LINE = [("transport-belt", (x + 0.5, 0.5), 4, {}) for x in range(4)]
LINE += [
    ("underground-belt", (4.5, 0.5), 4, {"type": "input"}),
    ("underground-belt", (8.5, 0.5), 4, {"type": "output"}),
    ("transport-belt", (9.5, 0.5), 8, {}),
    ("transport-belt", (9.5, 1.5), 8, {}),
]


def lanes(world):
    return [entity.lanes() for entity in world.entities.values()]


def test_items_move_alike_on_a_line_built_at_a_stroke_and_one_by_one():
    at_a_stroke, one_by_one = World(), World()
    at_a_stroke.place_belts(LINE)
    for name, position, direction, options in LINE:
        one_by_one.place(name, position, direction, **options)
    for world in (at_a_stroke, one_by_one):
        for k in range(10):
            world.entity_at((0.5, 0.5)).place(("iron-plate", "coal")[k % 2], 1 + k % 2, 200)
            world.advance(9)
    for _ in range(60):
        assert lanes(at_a_stroke) == lanes(one_by_one)
        at_a_stroke.advance(7)
        one_by_one.advance(7)
    assert any(at_a_stroke.entity_at((9.5, 1.5)).lanes())


def test_a_line_that_joins_another_takes_its_items_on():
    world = World()
    for x in range(3):
        world.place("transport-belt", (x + 0.5, 0.5), 4)
    world.entity_at((0.5, 0.5)).place("coal", 1, 128)
    world.advance(500)
    assert world.entity_at((2.5, 0.5)).lanes()[0] == [("coal", 0)]
    world.place_belts([("transport-belt", (3.5, 0.5), 4, {}), ("transport-belt", (4.5, 0.5), 4, {})])
    world.advance(100)  # two tiles of 32 ticks
    assert world.entity_at((4.5, 0.5)).lanes()[0] == [("coal", 0)]


def test_nothing_is_built_when_one_belt_does_not_fit():
    world = World()
    world.place("wooden-chest", (2.5, 0.5))
    with pytest.raises(CannotPlace, match="wooden-chest"):
        world.place_belts(LINE)
    assert [entity.name for entity in world.entities.values()] == ["wooden-chest"]
    assert not world.belts.parts


def test_a_line_built_at_a_stroke_survives_a_snapshot():
    world = World()
    world.place_belts(LINE)
    world.entity_at((0.5, 0.5)).place("coal", 2, 128)
    world.advance(100)
    copy = World.restore(world.snapshot())
    world.advance(300)
    copy.advance(300)
    assert copy.digest() == world.digest()
