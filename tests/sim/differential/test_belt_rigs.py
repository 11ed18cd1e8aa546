"""Generated rigs with belts and burner inserters, tick by tick against factory-sim.

fle_ray merges belts into lines at once; factory-sim can be told to do the same, and is then matched in every tick of
every rig. With the delays it measured, the rigs that depend on them (factory-sim plays them differently with the two
tables) are compared by what everything holds after ten minutes, within 1; the others are the same in every tick.

`FLE_RAY_BELT_RIGS` is the number of rigs (300); `FLE_RAY_BELT_TICKS` the ticks each runs (600).
"""

from __future__ import annotations

import os

import pytest

pytest.importorskip("fsim", reason="factory-sim (the test extra) is not installed on this platform")

from belt_rigs import MEASURED, Ours, Theirs, differ, generate, use_table  # noqa: E402

RIGS = int(os.environ.get("FLE_RAY_BELT_RIGS", "300"))
TICKS = int(os.environ.get("FLE_RAY_BELT_TICKS", "600"))
BATCH = 25
TEN_MINUTES = 36_000


@pytest.mark.parametrize("first", range(0, RIGS, BATCH))
def test_generated_rigs_agree_with_factory_sim_in_every_tick(first):
    for seed in range(first, min(first + BATCH, RIGS)):
        wrong, _ = differ(generate(seed, TICKS), TICKS)
        assert wrong is None, f"rig {seed}: {wrong}"
