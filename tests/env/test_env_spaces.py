"""Spaces: text as programs have it, numbers, and observations that lie within them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from fle_ray.env import FactorioEnv
from fle_ray.env.spaces import RealNumber, UnicodeText, observation_space
from fle_ray.tasks import get_task
from tests.env.fakes import FakeInstance, FakeInterpreter


def make(task="iron_ore_throughput", **options):
    return FactorioEnv(FakeInstance(), get_task(task), make_session=FakeInterpreter, **options)


@pytest.mark.parametrize("text", ["", "a b\n\tc", "größer 😀", "x" * 100_000, "\0"])
def test_programs_and_logs_are_text(text):
    assert text in UnicodeText()


@pytest.mark.parametrize("thing", [None, 1, b"bytes", "\ud800", ["a"]])
def test_what_cannot_be_stored_as_utf8_is_not_text(thing):
    assert thing not in UnicodeText()


def test_a_length_limit_holds_for_members_and_samples():
    space = UnicodeText(3, seed=0)
    assert "abc" in space
    assert "abcd" not in space
    assert all(sample in space for sample in (space.sample() for _ in range(50)))
    with pytest.raises(ValueError, match="max_length is -1"):
        UnicodeText(-1)


def test_samples_repeat_with_the_seed():
    assert [UnicodeText(seed=5).sample() for _ in range(3)] == [UnicodeText(seed=5).sample()] * 3
    assert UnicodeText(seed=5).sample() != UnicodeText(seed=6).sample()


def test_real_numbers_are_finite_and_within_bounds():
    space = RealNumber(0, 1, seed=0)
    assert all(x in space for x in (0, 1, 0.5, np.float64(0.5), np.int64(1)))
    assert all(x not in space for x in (-0.1, 1.1, True, "0.5", None, math.nan))
    assert math.inf not in RealNumber()
    assert 0 <= space.sample() <= 1
    with pytest.raises(ValueError, match="above high"):
        RealNumber(2, 1)


def test_spaces_compare_by_what_they_allow():
    assert observation_space(2) == observation_space(2)
    assert observation_space(2) != observation_space(3)


@pytest.mark.parametrize("task", ["iron_ore_throughput", "open_play", "iron_plate_throughput_multiagent_free"])
def test_observations_lie_within_their_space(task):
    env = make(task)
    first, _ = env.reset(seed=0)
    assert first in env.observation_space
    after = env.step({"agent_idx": 0, "code": "build('iron-ore', 20)\nharvest_resource('coal', 2)\nhang()"})[0]
    assert after in env.observation_space
    assert env.step({"agent_idx": 0, "code": "build('iron-ore', 20)"})[0] in env.observation_space


def test_every_action_that_is_sampled_can_be_played():
    env = make("iron_plate_throughput_multiagent_free")
    env.reset(seed=0)
    env.action_space.seed(0)
    for _ in range(5):
        env.step(env.action_space.sample())


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
def test_gymnasiums_own_check_passes():
    check_env(make(render_mode="ansi"))
