"""Inserters at belts that carry what their target does not want, beside what it does.

factory-sim lets an inserter that finds nothing wanted on its line sleep until its target changes, even if the wanted
item then stands right before it and the target starves: with such a rule a furnace whose coal comes late on a mixed
belt would never start. Players build such belts, and they work; so here what comes onto the tile wakes it when its
target rests. Generated rigs in which that shows are a third kind of exception in the comparison with factory-sim.
"""

from __future__ import annotations

import pytest

from fle_ray.sim import World


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("unwanted_lane", [1, 2])
def test_an_inserter_facing_a_still_lane_of_unwanted_items_takes_the_wanted_one_that_comes(side, unwanted_lane):
    world = World()
    belts = world.belt([(0.5, 20.5), (0.5, 0.5)])
    world.power((0.5 + side, -1.5))
    machine = world.build("assembling-machine-2", (0.5 + 3 * side, 0.5), recipe="copper-cable")
    world.build("inserter", (0.5 + side, 0.5), direction=12 if side > 0 else 4)
    while belts[0].place("iron-plate", unwanted_lane, 128):
        world.advance(32)
    world.advance(600)
    for _ in range(4):
        belts[0].place("copper-plate", 3 - unwanted_lane, 128)
        world.advance(60)
    world.advance(3000)
    assert machine.contents()["assembling_machine_output"] == {"copper-cable": 8}
