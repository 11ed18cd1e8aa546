from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, EntityStatus, Position, Prototype, RocketSilo
from tests.tools.cases import case

PARTS = 100
PREPARING = 255 + 420  # doors and the rocket's rise, in ticks


@pytest.fixture
def pad(make):
    """A silo at (8.5, 0.5) with power, and another one without any parts far away."""
    game = make({"rocket-silo": 2}, scenario="empty")
    game.world.build("rocket-silo", (200.5, 0.5))
    game.place_entity(Prototype.RocketSilo, Direction.UP, Position(x=8.5, y=0.5))
    game.world.power((8.5, 6.5))
    return game


def silo(game):
    return game.get_entity(Prototype.RocketSilo, Position(x=8.5, y=0.5))


def ready(game):
    """Let the rocket's parts be there, and the rocket stand."""
    engine = game.at(8.5, 0.5)
    engine.outputs["rocket-part"] = PARTS
    game.world.calendar.wake(engine)
    game.sleep((PREPARING + 2) / 60)


@case("launch_rocket", "the silo that is meant launches and comes back", mends="Q-T17")
@pytest.mark.parametrize("by", ["entity", "place"])
def test_the_right_silo_launches(pad, by):
    ready(pad)
    meant = silo(pad)
    assert meant.status == EntityStatus.WAITING_TO_LAUNCH_ROCKET
    launched = pad.launch_rocket(meant if by == "entity" else meant.position)
    assert isinstance(launched, RocketSilo)
    assert launched.position.x == 8.5
    assert launched.status == EntityStatus.LAUNCHING_ROCKET
    assert pad.at(8.5, 0.5).stage == "starting"
    assert launched.warnings == []


@case("launch_rocket", "not ready: nothing happens, the warning says what is missing", mends="Q-T17")
def test_a_silo_that_is_not_ready(pad):
    pad.at(8.5, 0.5).outputs["rocket-part"] = 30
    value = pad.launch_rocket(silo(pad))
    assert value.rocket_parts == 30
    assert value.warnings[-1] == "not launched: 30 of 100 rocket parts are there"


@case("launch_rocket", "a satellite comes back as space science after a flight")
def test_a_satellite_is_sent_up(pad):
    ready(pad)
    pad.give(satellite=1)
    value = pad.insert_item(Prototype.Satellite, silo(pad), 1)
    assert value.rocket_inventory == {"satellite": 1}
    pad.launch_rocket(value)
    pad.sleep((330 + 1270 + 1) / 60)  # engine start and flight
    assert pad.instance.flows().consumed["satellite"] == 1
    assert silo(pad).rocket_parts == 0


@case("launch_rocket", "no silo anywhere near")
def test_no_silo(game):
    assert "no rocket-silo within 1000 tiles" in game.refusal("launch_rocket", Position(x=0, y=0))


@case("launch_rocket", "other types are refused")
def test_wrong_arguments(game):
    game.bad("ValueError", "launch_rocket", Prototype.RocketSilo)
