"""A program that ran out of time, on a machine whose cores all have other work."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

import fle_ray

LAB = {"scenario": "lab"}

# Acts on the world as fast as it can, and takes every refusal and interruption for a reason to go on.
RESTLESS = """
kept.append('late')
def act():
    n = 0
    while True:
        n += 1
        try:
            move_to(Position(x=n % 2, y=0))
            harvest_resource(nearest(Resource.Coal), 1)
        except BaseException:
            pass
act()
"""


@pytest.fixture
def busy_machine() -> Iterator[None]:
    """Two processes that only compute for each core."""
    spin = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(spin) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


@pytest.mark.slow
def test_a_program_that_timed_out_never_acts_again_on_a_busy_machine(busy_machine):
    env = fle_ray.make_env("open_play", seed=0, task_parameters=LAB, time_limit_s=0.3, max_calls_per_step=10**9)
    env.reset()
    env.step({"agent_idx": 0, "code": "kept = []"})
    calls = 0
    try:
        for _ in range(5):
            before = env.instance.digest()
            *_, info = env.step({"agent_idx": 0, "code": RESTLESS})
            assert (info["error_kind"], info["program_ticks"]) == ("timeout", 0)
            assert info["program"].error.rolled_back
            calls += len(info["program"].calls)
            assert env.instance.digest() == info["digest"] == before
            time.sleep(0.3)  # whatever was left of it would act now
            assert env.instance.digest() == before
            observation, *_, info = env.step({"agent_idx": 0, "code": "print(kept)"})
            assert (info["error_kind"], info["digest"]) == (None, before)
            assert observation["raw_text"].startswith("1: ([],)")
            assert info["program"].calls == ()
    finally:
        env.close()
    assert calls > 0  # it did act until it was stopped
