"""Generated rigs of belts and inserters stopped, restored and gone on with are the rigs that never stopped."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("fsim", reason="factory-sim (the test extra) is not installed on this platform")

from belt_rigs import Ours, generate, playing  # noqa: E402

from fle_ray.sim import World  # noqa: E402

RIGS = 24
TICKS = 400
CUTS = 20


def digests(rig, cuts):
    """Digests every ten ticks, restoring the world from its snapshot at the cuts."""
    player = Ours(rig)
    found = []
    for tick in playing(rig, [player], TICKS):
        if tick in cuts:
            player.world = World.restore(player.world.snapshot())
            player.things = [player.world.entities[thing.number] for thing in player.things]
        if tick % 10 == 0:
            found.append(player.world.digest())
    return found


@pytest.mark.parametrize("seed", range(RIGS))
def test_a_rig_restored_at_any_tick_goes_on_as_if_never_stopped(seed):
    rig = generate(seed, TICKS)
    cuts = set(random.Random(seed).sample(range(TICKS), CUTS))
    assert digests(rig, cuts) == digests(rig, frozenset())
