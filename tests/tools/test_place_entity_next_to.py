from __future__ import annotations

import pytest

from fle_ray.game.values import Direction, Position, Prototype
from tests.tools.cases import case

UP, RIGHT, DOWN, LEFT = Direction.UP, Direction.RIGHT, Direction.DOWN, Direction.LEFT


def place(entity):
    return entity.position.x, entity.position.y


def tiles(game, entity):
    left, top, right, bottom = game.at(*place(entity)).area
    return left, top, right, bottom


@pytest.fixture
def yard(make):
    """Flat land and a store of things; the agent stands at the origin."""
    return make(
        {
            "stone-furnace": 20,
            "wooden-chest": 20,
            "iron-chest": 20,
            "assembling-machine-1": 20,
            "boiler": 20,
            "steam-engine": 20,
            "burner-inserter": 20,
            "inserter": 20,
            "burner-mining-drill": 20,
            "electric-mining-drill": 20,
            "oil-refinery": 20,
            "small-electric-pole": 20,
            "transport-belt": 20,
            "rocket-silo": 1,
        },
        scenario="empty",
    )


@case("place_entity_next_to", "spacing 0 is adjacent, n leaves n tiles, on every side and for every size")
@pytest.mark.parametrize("direction", [UP, RIGHT, DOWN, LEFT])
@pytest.mark.parametrize("spacing", [0, 1, 3])
@pytest.mark.parametrize(
    "reference", ["wooden-chest", "stone-furnace", "assembling-machine-1", "oil-refinery", "boiler"]
)
@pytest.mark.parametrize("thing", [Prototype.IronChest, Prototype.StoneFurnace, Prototype.AssemblingMachine1])
def test_gaps(yard, reference, thing, spacing, direction):
    centre = (0.5, 0) if reference == "boiler" else (0, 0) if reference == "stone-furnace" else (0.5, 0.5)
    base = yard.world.build(reference, centre, ignore_characters=True)
    made = yard.place_entity_next_to(thing, Position(*centre), direction, spacing)
    left, top, right, bottom = base.area
    own_left, own_top, own_right, own_bottom = tiles(yard, made)
    gap = {UP: top - own_bottom, DOWN: own_top - bottom, LEFT: left - own_right, RIGHT: own_left - right}[direction]
    assert gap == spacing


@case("place_entity_next_to", "the reference's turned size counts")
def test_a_lying_reference(yard):
    yard.world.build("steam-engine", (0.5, 0.5), 4, ignore_characters=True)  # 5 wide, 3 high
    assert place(yard.place_entity_next_to(Prototype.IronChest, Position(x=0.5, y=0.5), RIGHT)) == (3.5, 0.5)
    assert place(yard.place_entity_next_to(Prototype.IronChest, Position(x=0.5, y=0.5), DOWN)) == (0.5, 2.5)


@case("place_entity_next_to", "the new entity faces the asked way, and its turned size counts")
def test_a_boiler_faces_the_asked_way(yard):
    yard.world.build("wooden-chest", (0.5, 0.5), ignore_characters=True)
    boiler = yard.place_entity_next_to(Prototype.Boiler, Position(x=0.5, y=0.5), RIGHT)
    assert boiler.direction == RIGHT  # 2 wide and 3 high
    assert tiles(yard, boiler)[0] == 1


@case("place_entity_next_to", "an inserter placed on a side drops towards that side")
def test_an_inserter_drops_away_from_its_reference(yard):
    yard.world.build("wooden-chest", (0.5, 0.5), ignore_characters=True)
    inserter = yard.place_entity_next_to(Prototype.BurnerInserter, Position(x=0.5, y=0.5), LEFT)
    assert inserter.direction == LEFT
    assert (inserter.pickup_position.x, inserter.pickup_position.y) == (0.5, 0.5)
    assert (inserter.drop_position.x, inserter.drop_position.y) == (-1.5, 0.5)


@case("place_entity_next_to", "no entity there: a single tile is assumed", mends="Q-T7")
def test_without_a_reference_a_single_tile_is_assumed(yard):
    assert place(yard.place_entity_next_to(Prototype.IronChest, Position(x=5.5, y=5.5), RIGHT)) == (6.5, 5.5)


@case("place_entity_next_to", "a tree is a reference too")
def test_a_tree_is_a_reference(yard):
    yard.grow("tree-01", 5.5, 5.5)
    assert place(yard.place_entity_next_to(Prototype.IronChest, Position(x=5.5, y=5.5), RIGHT)) == (6.5, 5.5)


@case("place_entity_next_to", "no limit of reach, no time, one item is used")
def test_there_is_no_reach(yard):
    chest = yard.place_entity_next_to(Prototype.IronChest, Position(x=300.5, y=0.5), DOWN)
    assert place(chest) == (300.5, 1.5)
    assert yard.have("iron-chest") == 19
    assert yard.tick == 0


@case("place_entity_next_to", "the item must be in the inventory", mends="Q-T7")
def test_nothing_is_built_for_free(yard):
    message = yard.refusal("place_entity_next_to", Prototype.Lab, Position(x=0.5, y=0.5), RIGHT)
    assert "no lab in your inventory" in message


@case("place_entity_next_to", "items on the ground stay where they are", mends="Q-T7")
def test_items_on_the_ground_are_kept(yard):
    yard.world.drop_on_ground("coal", (6.5, 5.5))
    yard.place_entity_next_to(Prototype.IronChest, Position(x=5.5, y=5.5), RIGHT)
    assert len(yard.world.find((5, 5, 8, 7), "item-on-ground")) == 1


@case("place_entity_next_to", "an inserter beside a large reference whose spot is taken goes to another side's middle")
def test_an_inserter_finds_another_side(yard):
    yard.world.build("assembling-machine-1", (0.5, 0.5), ignore_characters=True)
    spots = []
    for _ in range(4):
        inserter = yard.place_entity_next_to(Prototype.BurnerInserter, Position(x=0.5, y=0.5), RIGHT)
        spots.append((*place(inserter), inserter.direction))
    assert spots == [(2.5, 0.5, RIGHT), (0.5, -1.5, UP), (0.5, 2.5, DOWN), (-1.5, 0.5, LEFT)]


@case("place_entity_next_to", "chests, belts and what a pole blocks move on by a tile", mends="Q-T7")
def test_a_chest_moves_on_from_a_taken_spot(yard):
    yard.world.build("wooden-chest", (0.5, 0.5), ignore_characters=True)
    first = yard.place_entity_next_to(Prototype.IronChest, Position(x=0.5, y=0.5), RIGHT)
    second = yard.place_entity_next_to(Prototype.IronChest, Position(x=0.5, y=0.5), RIGHT)
    assert (place(first), place(second)) == ((1.5, 0.5), (0.5, -0.5))


@case("place_entity_next_to", "anything else on a taken spot is refused with advice")
def test_a_taken_spot_is_refused(yard):
    yard.world.build("wooden-chest", (0.5, 0.5), ignore_characters=True)
    yard.place_entity_next_to(Prototype.StoneFurnace, Position(x=0.5, y=0.5), RIGHT)
    message = yard.refusal("place_entity_next_to", Prototype.StoneFurnace, Position(x=0.5, y=0.5), RIGHT)
    assert message.startswith("Could not place stone-furnace next to (0.5, 0.5) with spacing 0 and direction RIGHT")
    for word in ("spacing", "direction", "position", "exists", "consider"):
        assert word in message


def test_a_large_reference_gets_a_hint(yard):
    yard.world.build("assembling-machine-1", (0.5, 0.5), ignore_characters=True)
    yard.place_entity_next_to(Prototype.StoneFurnace, Position(x=0.5, y=0.5), RIGHT)
    message = yard.refusal("place_entity_next_to", Prototype.StoneFurnace, Position(x=0.5, y=0.5), RIGHT)
    assert "assembling-machine-1 is large" in message


@case("place_entity_next_to", "water and trees on the spot are named")
def test_water_on_the_spot(yard):
    yard.world.water((6, 5, 8, 7))
    assert "water" in yard.refusal("place_entity_next_to", Prototype.IronChest, Position(x=5.5, y=5.5), RIGHT)
    yard.grow("tree-01", 4.5, 5.5)
    message = yard.refusal("place_entity_next_to", Prototype.StoneFurnace, Position(x=5.5, y=5.5), LEFT)
    assert "tree-01" in message


@case("place_entity_next_to", "a drill with nothing to mine is refused")
def test_a_drill_needs_ore(yard):
    message = yard.refusal("place_entity_next_to", Prototype.BurnerMiningDrill, Position(x=5.5, y=5.5), RIGHT)
    assert "No resources are found in the mining area" in message
    yard.world.ore("coal", (0, 0, 20, 20))
    yard.place_entity_next_to(Prototype.BurnerMiningDrill, Position(x=5.5, y=5.5), RIGHT)


@case("place_entity_next_to", "wrong arguments: a tuple, a diagonal, no Prototype")
def test_wrong_arguments(yard):
    yard.bad("AssertionError", "place_entity_next_to", "chest", Position(x=0, y=0))
    yard.bad("AssertionError", "place_entity_next_to", Prototype.IronChest, (0, 0))
    message = yard.refusal("place_entity_next_to", Prototype.IronChest, Position(x=0, y=0), Direction.UPRIGHT)
    assert "Direction.UP, RIGHT, DOWN or LEFT" in message
    message = yard.refusal("place_entity_next_to", Prototype.IronPlate, Position(x=0, y=0))
    assert "cannot be placed" in message


@case("place_entity_next_to", "`prototype` is the member, as everywhere", mends="Q-V8")
def test_the_prototype_is_the_member(yard):
    assert yard.place_entity_next_to(Prototype.IronChest, Position(x=5, y=5), UP).prototype is Prototype.IronChest
