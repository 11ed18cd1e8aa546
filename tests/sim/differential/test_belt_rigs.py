"""Generated rigs with belts and burner inserters, tick by tick against factory-sim.

fle_ray merges belts into lines at once; factory-sim can be told to do the same, and is then matched in every tick of
every rig. With the delays it measured, the rigs that depend on them (factory-sim itself plays them differently with
the two tables) are compared by what chests and furnaces hold after ten minutes, within 1; all others are the same in
every tick with those delays as well. How many rigs there are of each kind is printed.

`FLE_RAY_BELT_RIGS` is the number of rigs (300), `FLE_RAY_BELT_TICKS` the ticks each runs (600).
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

pytest.importorskip("fsim", reason="factory-sim (the test extra) is not installed on this platform")

from belt_rigs import after_ten_minutes, differ, generate  # noqa: E402

RIGS = int(os.environ.get("FLE_RAY_BELT_RIGS", "300"))
TICKS = int(os.environ.get("FLE_RAY_BELT_TICKS", "600"))
BATCH = 25

kinds: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def report():
    """Says at the end how many rigs there were of each kind."""
    yield
    if kinds:
        listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        with open(os.devnull if not kinds else 1, "w", closefd=False) as out:
            out.write(f"\nrigs played: {listed}\n")


@pytest.mark.parametrize("first", range(0, RIGS, BATCH))
def test_generated_rigs_agree_with_factory_sim(first):
    for seed in range(first, min(first + BATCH, RIGS)):
        rig = generate(seed, TICKS)
        verdict = differ(rig, TICKS)
        kinds[verdict.kind] += 1
        assert verdict.wrong is None, f"rig {seed}: {verdict.wrong}"
        if verdict.delayed is not None and verdict.recalled is None:
            ours, theirs = after_ten_minutes(rig)
            for key in ours.keys() | theirs.keys():
                assert abs(ours.get(key, 0) - theirs.get(key, 0)) <= 1, f"rig {seed} ({verdict.kind}): {key}"
