"""What all tools share: names, arguments, agents, resets."""

from __future__ import annotations

import pytest

from fle_ray.errors import ToolError
from fle_ray.game.contracts import Start
from fle_ray.game.values import Direction, Position, Prototype, Resource
from tests.tools.cases import case
from tests.tools.conftest import SUITE


def test_an_unknown_tool_offers_the_nearest(game):
    with pytest.raises(ToolError, match="'place_entity'") as caught:
        game.instance.call(0, "place_entitty", ())
    assert caught.value.type == "NameError"


def test_missing_and_surplus_arguments_are_type_errors(game):
    assert "entity" in game.bad("TypeError", "place_entity")
    assert "colour" in game.bad("TypeError", "sleep", 1, colour="red")


def test_every_agent_has_a_character_of_its_own(make):
    game = make({"coal": 5}, agents=2)
    assert game.instance.positions() == [(0, 0), (0, 2)]
    game.agent = 1
    game.move_to(Position(x=5, y=2))
    assert game.instance.positions() == [(0, 0), (5, 2)]
    assert game.have("coal") == 5


@case("place_entity", "only placing and harvesting know a reach", mends="Q-T22")
def test_most_tools_know_no_reach(game):
    chest = game.place_entity(Prototype.IronChest, Direction.UP, Position(x=3, y=3))
    game.stand(400, 400)
    game.insert_item(Prototype.Coal, chest, 5)
    assert game.extract_item(Prototype.Coal, chest, 5) == 5
    assert game.inspect_inventory(chest) == {}
    assert game.pickup_entity(chest)


@case("harvest_resource", "a reset gives back the untouched map", mends="Q-T31")
def test_a_reset_is_the_untouched_map(game):
    fresh = game.instance.digest()
    game.stand(1.7, -17)
    game.harvest_resource(game.nearest(Resource.Wood), 5)
    game.stand(15, 0)
    game.harvest_resource(Position(x=15.5, y=0.5), 5)
    game.place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=12, y=0))
    game.instance.reset(Start(inventory=SUITE))
    assert game.instance.digest() == fresh


def test_a_snapshot_goes_on_exactly(game):
    game.stand(16, 0)
    drill = game.place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, Position(x=18, y=2))
    game.insert_item(Prototype.Coal, drill, 5)
    game.sleep(3)
    copy = game.instance.fork()
    for instance in (game.instance, copy):
        instance.call(0, "harvest_resource", (Position(x=16.5, y=0.5), 3))
        instance.call(0, "sleep", (7.5,))
    assert copy.digest() == game.instance.digest()
