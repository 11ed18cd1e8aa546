from __future__ import annotations

import pytest

from fle_ray.errors import StepLimit
from tests.tools.cases import case


@case("sleep", "60 ticks a second")
def test_a_second_is_sixty_ticks(game):
    assert game.sleep(1) is True
    assert game.tick == 60
    game.sleep(20)  # no limit of 15 seconds
    assert game.tick == 60 + 1200


@case("sleep", "fractions are rounded up to whole ticks", mends="Q-T29")
def test_fractions_of_a_tick_are_rounded_up(game):
    game.sleep(0.5)
    assert game.tick == 30
    game.sleep(0.01)  # 0.6 ticks
    assert game.tick == 31


@case("sleep", "zero and less do nothing")
@pytest.mark.parametrize("seconds", [0, -1, -0.5])
def test_zero_and_less_do_nothing(game, seconds):
    assert game.sleep(seconds) is True
    assert game.tick == 0


@case("sleep", "what is no number is refused")
def test_what_is_no_number_is_refused(game):
    assert "'ten'" in game.bad("TypeError", "sleep", "ten")
    assert "finite" in game.bad("ValueError", "sleep", float("inf"))
    game.bad("TypeError", "sleep", float("nan"))
    game.bad("TypeError", "sleep", True)


@case("sleep", "never passes the step's ticks")
def test_a_sleep_ends_at_the_steps_last_tick(game):
    game.instance.tick_limit = 100
    with pytest.raises(StepLimit, match="120 more were asked for and 100 were left"):
        game.sleep(2)
    assert game.tick == 100
