"""Whatever a program hands to a tool, it gets an answer or a refusal; nothing else comes out."""

from __future__ import annotations

import random
from typing import Any

import pytest

from fle_ray.errors import StepLimit, ToolError
from fle_ray.game.values import (
    BuildingBox,
    Direction,
    Inventory,
    Position,
    Prototype,
    RecipeName,
    Resource,
    Technology,
)
from fle_ray.tools import TOOL_NAMES

NAN, INF = float("nan"), float("inf")


def pool(game) -> list[Any]:
    """Values good and bad, among them entities whose fields a program has overwritten."""
    chest = game.place_entity(Prototype.IronChest, Direction.UP, Position(x=2, y=2))
    furnace = game.place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=5, y=5))
    belt = game.place_entity(Prototype.TransportBelt, Direction.UP, Position(x=-3, y=3))
    game.place_entity(Prototype.Pipe, Direction.UP, Position(x=-5, y=3))
    groups = game.get_entities({Prototype.BeltGroup, Prototype.PipeGroup})
    broken = []
    for field, value in (
        ("position", "here"),
        ("position", None),
        ("position", Position(x=NAN, y=0)),
        ("name", 5),
        ("name", "lab"),
        ("name", None),
        ("output_position", None),
        ("connected_to", "x"),
    ):
        copy = (belt if field in ("output_position", "connected_to") else chest).model_copy()
        setattr(copy, field, value)
        broken.append(copy)
    emptied = groups[0].model_copy()
    emptied.belts = []
    filled = groups[0].model_copy()
    filled.belts = [5, chest]
    filled.inputs = ["x"]
    renamed = groups[1].model_copy()
    renamed.name = "no-group"
    return [
        *(None, True, 0, -1, 1, 3, 2.5, 1e9, -1e300, 1e308, 10**30, 10**400, NAN, INF),
        *("", "coal", "\ud83d\ude00", b"x"),
        *([], {}, set(), (), (1, 2), (NAN, 0), (1, "a"), [[]], {"x": 1}, object),
        *(Position(x=0, y=0), Position(x=3, y=3), Position(x=NAN, y=0), Position(x=1e300, y=-1e300)),
        *(Position(x=INF, y=0), Position(x=999_999, y=-999_999)),
        *(Prototype.IronChest, Prototype.Coal, Prototype.StoneFurnace, Prototype.BurnerMiningDrill, Prototype.Lab),
        *(Prototype.BeltGroup, Prototype.RocketControlUnit, Prototype.OffshorePump, Prototype.TransportBelt),
        *({Prototype.Pipe, Prototype.UndergroundPipe}, {Prototype.IronChest}, [Prototype.Pipe, 5]),
        *(Direction.UP, Direction.RIGHT, Direction.UPLEFT, Resource.Coal, Resource.Water, Resource.Wood, Resource),
        *(Technology.Automation, Technology.RocketControl, RecipeName.BasicOilProcessing, RecipeName.FillWaterBarrel),
        *(BuildingBox(width=2, height=2), BuildingBox(width=0, height=-5), BuildingBox(width=10**9, height=1)),
        *(Inventory(coal=1), get_recipe(game), chest, furnace, belt, *groups, *broken, emptied, filled, renamed),
    ]


def get_recipe(game):
    return game.get_prototype_recipe(Prototype.IronGearWheel)


@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_odd_arguments_are_answered_or_refused(make, tool):
    game = make()
    values = pool(game)
    draw = random.Random(tool)
    calls = [(value,) for value in values]
    calls += [tuple(draw.choice(values) for _ in range(draw.randint(2, 4))) for _ in range(600)]
    for arguments in calls:
        game.instance.tick_limit = game.tick + 2_000
        try:
            game.instance.call(0, tool, arguments)
        except (ToolError, StepLimit) as answer:
            assert str(answer)
    assert game.have("coal") >= 0


@pytest.mark.parametrize("number", [1e308, 10**400], ids=["float", "int"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("sleep", ()),
        ("craft_item", (Prototype.IronGearWheel,)),
        ("place_entity_next_to", (Prototype.IronChest, Position(x=0, y=0), Direction.UP)),
    ],
)
def test_a_number_too_large_to_count_with_is_refused(game, tool, arguments, number):
    game.instance.tick_limit = 1_000
    with pytest.raises((ToolError, StepLimit)):
        game.instance.call(0, tool, (*arguments, number))
