"""Every Prototype that builds something: placed, described, sent across, found, printed, picked up."""

from __future__ import annotations

import pytest

from fle_ray.game import codec
from fle_ray.game.values import Direction, Position, Prototype
from tests.tools.cases import case

PLACED = [p for p in Prototype if p.entity_class is not None]


@pytest.fixture
def ground(make):
    """Flat land with ore, a well and a lake, and nothing in the inventory."""
    game = make({}, scenario="empty")
    game.world.ore("iron-ore", (20, -10, 40, 10))
    game.world.well((60.5, 0.5))
    game.world.water((80, -10, 100, 10))
    return game


def spot(game, prototype):
    """A place where it may stand, and a direction that suits it."""
    if prototype.type == "offshore-pump":
        return (79.5, 0.5), Direction.LEFT
    if prototype.mining is not None:
        return ((60.5, 0.5) if prototype.mining.drop_vector is None else (30.5, 0.5)), Direction.UP
    return (-19.5, 0.5), Direction.UP


def placeable(game):
    data = game.world.data
    for member in PLACED:
        item = data.items.get(member.prototype_name)
        if item is not None and item.place_result is not None:
            yield member


NOT_PLACED = {"BeltGroup", "PipeGroup", "ElectricityGroup", "Rocket", "IronGearWheel"} | {
    "PiercingRoundsMagazine",
    "FirearmMagazine",
}


def test_all_but_groups_items_and_the_rocket_can_be_placed(game):
    assert {p.name for p in PLACED} - {p.name for p in placeable(game)} == NOT_PLACED


@case("place_entity", "every Prototype that builds something gives its class")
@pytest.mark.parametrize("member", [p for p in PLACED if p.name not in NOT_PLACED], ids=lambda p: p.name)
def test_every_prototype(ground, member):
    name = member.prototype_name
    (x, y), direction = spot(ground, ground.world.data.entity(ground.world.data.items[name].place_result))
    ground.give(**{name: 1})
    ground.stand(x, y + 8)
    value = ground.place_entity(member, direction, Position(x=x, y=y))
    assert type(value) is member.entity_class
    assert value.prototype is member
    assert codec.decode(codec.encode(value)) == value
    assert repr(value)
    ground.sleep(1)
    again = ground.get_entity(member, value.position)
    assert type(again) is member.entity_class
    (found,) = ground.get_entities()
    assert found.position.is_close(value.position)
    assert ground.have(name) == 0
    ground.pickup_entity(again)
    assert ground.have(name) == 1
    assert ground.get_entities() == []
