"""Generated rigs of burner drills, furnaces, chests and fuel, tick by tick against factory-sim."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("fsim", reason="factory-sim (the test extra) is not installed on this platform")

from oracle import first_difference, generate, in_factory_sim, in_fle_ray, ore_left  # noqa: E402

RIGS = int(os.environ.get("FLE_RAY_BURNER_RIGS", "60"))
TICKS = 2500


@pytest.mark.parametrize("seed", range(RIGS))
def test_a_generated_rig_agrees_with_factory_sim_in_every_tick(seed):
    rig = generate(seed)
    assert rig.machines
    assert first_difference(rig, TICKS) is None


def test_the_generated_rigs_are_not_idle():
    made = 0
    for seed in range(0, RIGS, 10):
        world = in_fle_ray(generate(seed))
        world.advance(TICKS)
        made += sum(world.produced.values())
    assert made > 20


def test_ore_is_taken_in_equal_amounts():
    for seed in range(5):
        rig = generate(seed)
        world, sim = in_fle_ray(rig), in_factory_sim(rig)
        world.advance(TICKS)
        for _ in range(TICKS // 100):
            sim.step("wait", {}, 100)
        ours, theirs = ore_left(rig, world, sim)
        assert ours == theirs
