"""On the open map an agent with nothing finds, reaches and makes what it needs first."""

from __future__ import annotations

import pytest

from fle_ray.game.contracts import Start
from fle_ray.game.values import BuildingBox, Direction, Prototype, Resource
from fle_ray.tools.instance import LocalInstance


@pytest.mark.parametrize("seed", [1, 44340])
def test_an_agent_with_nothing_makes_a_furnace_and_smelts_iron(seed):
    instance = LocalInstance()
    instance.reset(Start(scenario="open", seed=seed, inventory={}, all_technologies=False))

    def call(tool: str, *args):
        return instance.call(0, tool, args)

    for resource, wanted in (
        (Resource.Wood, 2),  # a lone dead tree gives no more
        (Resource.Coal, 5),
        (Resource.Stone, 5),
        (Resource.IronOre, 5),
        (Resource.CopperOre, 1),
    ):
        call("move_to", call("nearest", resource))
        assert call("harvest_resource", call("nearest", resource), wanted, 10) >= wanted
    assert call("craft_item", Prototype.StoneFurnace, 1) == 1
    shore = call("nearest", Resource.Water)
    call("move_to", shore)
    place = call("nearest_buildable", Prototype.StoneFurnace, BuildingBox(width=3, height=3), shore)
    call("move_to", place.center)
    furnace = call("place_entity", Prototype.StoneFurnace, Direction.UP, place.center)
    call("insert_item", Prototype.Coal, furnace, 2)
    call("insert_item", Prototype.IronOre, furnace, 5)
    call("sleep", 20)
    assert call("extract_item", Prototype.IronPlate, furnace, 5) == 5
