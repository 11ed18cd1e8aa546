"""Positions, directions and boxes as agents see them."""

from __future__ import annotations

import pytest

from fle_ray.game.values import (
    BoundingBox,
    BuildingBox,
    Chest,
    Dimensions,
    Direction,
    DirectionInternal,
    IndexedPosition,
    Position,
    TileDimensions,
)


def test_positions_are_built_by_keyword_or_by_two_numbers_and_hold_floats():
    assert repr(Position(x=1, y=2)) == "Position(x=1.0, y=2.0)"
    assert repr(Position(1, 2)) == "Position(x=1.0, y=2.0)"
    assert str(Position(1, 2)) == "x=1.0 y=2.0"


@pytest.mark.parametrize(
    ("args", "named", "said"),
    [
        ((1,), {}, "got 1 by position"),
        ((1, 2, 3), {}, "got 3 by position"),
        ((1,), {"y": 2}, "got 1 by position and y by keyword"),
        ((1, 2), {"y": 2}, "got 2 by position and y by keyword"),
        ((), {"x": 1}, "Position needs y"),
        ((), {}, "Position needs x, y"),
        ((), {"x": 1, "y": "far"}, "Position.y: expected a number, got 'far' (str)"),
        ((None, 2), {}, "Position.x: expected a number, got None (NoneType)"),
        ((10**400, 2), {}, "Position.x: expected a number"),
        ((), {"x": 1, "y": 2, "z": 3}, "Position has no field 'z'"),
    ],
)
def test_a_position_built_wrongly_says_what_is_wrong(args, named, said):
    with pytest.raises(ValueError) as error:
        Position(*args, **named)
    assert said in str(error.value)


def test_other_values_take_a_pair_or_a_dictionary_for_a_position():
    box = BoundingBox(left_top=(0, 1), right_bottom={"x": 4, "y": 3}, left_bottom=Position(0, 3), right_top=[4, 1])
    assert repr(box.left_top) == "Position(x=0.0, y=1.0)"
    assert repr(box.right_bottom) == "Position(x=4.0, y=3.0)"
    with pytest.raises(ValueError, match=r"BoundingBox.left_top: expected Position or \(x, y\)"):
        BoundingBox(left_top=(0, 1, 2), right_bottom=(0, 0), left_bottom=(0, 0), right_top=(0, 0))


def test_adding_and_subtracting_works_by_component_with_anything_that_has_x_and_y():
    assert repr(Position(1, 2) + IndexedPosition(3, 4, "water")) == "Position(x=4.0, y=6.0)"
    assert repr(Position(1, 2) - Position(3, 5)) == "Position(x=-2.0, y=-3.0)"
    with pytest.raises(TypeError):
        Position(1, 2) + 1


def test_up_is_minus_y():
    here = Position(5, 5)
    assert repr(here.up()) == repr(here.above()) == "Position(x=5.0, y=4.0)"
    assert repr(here.down(2)) == repr(here.below(2)) == "Position(x=5.0, y=7.0)"
    assert repr(here.left(0.5)) == "Position(x=4.5, y=5.0)"
    assert repr(here.right(3)) == "Position(x=8.0, y=5.0)"


def test_is_close_is_strict_on_each_axis():
    assert Position(0, 0).is_close(Position(0.49, -0.49))
    assert not Position(0, 0).is_close(Position(0.5, 0))
    assert Position(0, 0).is_close(Position(1.5, 1.5), tolerance=2)


def test_distance_is_euclidean_under_both_names():
    assert Position(0, 0).distance(Position(3, 4)) == 5
    assert Position(0, 0).distance_to(Position(3, 4)) == 5


def test_positions_within_a_tile_are_equal_but_hash_by_exact_place():
    assert Position(0, 0) == Position(0.99, -0.99)
    assert Position(0, 0) != Position(1, 0)
    assert Position(0, 0) != (0, 0)
    assert Position(0.9, 0) in [Position(0, 0)]
    assert len({Position(0, 0), Position(0.5, 0), Position(0, 0)}) == 2


def test_an_indexed_position_carries_a_fluid_and_moves_to_a_plain_position():
    point = IndexedPosition(x=1, y=2, type="water")
    assert repr(point) == "IndexedPosition(x=1.0, y=2.0, type='water')"
    assert repr(IndexedPosition(1, 2, "water")) == repr(point)
    assert type(point.up()) is Position
    assert point == Position(1, 2)
    assert len({point, IndexedPosition(1, 2, "steam")}) == 2
    with pytest.raises(ValueError, match="IndexedPosition needs type"):
        IndexedPosition(x=1, y=2)
    with pytest.raises(ValueError, match="all by keyword or all by position"):
        IndexedPosition(1, 2, type="water")
    with pytest.raises(ValueError, match="IndexedPosition.type: expected text"):
        IndexedPosition(1, 2, 3)


def test_a_box_spanned_by_two_points_has_all_corners_a_centre_and_a_size():
    box = Position(4, 1).to_bounding_box(Position(0, 3))
    assert repr(box) == (
        "BoundingBox(left_top=Position(x=0.0, y=1.0), right_bottom=Position(x=4.0, y=3.0), "
        "left_bottom=Position(x=0.0, y=3.0), right_top=Position(x=4.0, y=1.0))"
    )
    assert repr(box.center) == "Position(x=2.0, y=2.0)"
    assert (box.width(), box.height()) == (4, 2)
    with pytest.raises(ValueError, match="BoundingBox needs left_bottom, right_top"):
        BoundingBox(left_top=(0, 0), right_bottom=(1, 1))


def test_sizes_print_as_they_are_kept():
    assert repr(BuildingBox(height=3, width=2)) == "BuildingBox(height=3, width=2)"
    assert repr(Dimensions(width=1.4, height=2)) == "Dimensions(width=1.4, height=2.0)"
    assert repr(TileDimensions(tile_width=2, tile_height=3)) == "TileDimensions(tile_width=2.0, tile_height=3.0)"
    with pytest.raises(ValueError, match=r"BuildingBox.width: expected a whole number, got 2.5 \(float\)"):
        BuildingBox(height=3, width=2.5)
    with pytest.raises(TypeError, match="BuildingBox takes its fields by keyword only: height, width"):
        BuildingBox(3, 2)
    with pytest.raises(ValueError, match="no field 'hight'. Did you mean height"):
        BuildingBox(hight=3, height=3, width=2)


def test_directions_have_the_sixteen_way_numbers_and_two_names_each():
    numbers = {"UP": 0, "UPRIGHT": 2, "RIGHT": 4, "DOWNRIGHT": 6, "DOWN": 8, "DOWNLEFT": 10, "LEFT": 12, "UPLEFT": 14}
    assert {member.name: member.value for member in Direction} == numbers
    others = ("NORTH", "NORTHEAST", "EAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "WEST", "NORTHWEST")
    for first, second in zip(numbers, others, strict=True):
        assert Direction[first] is Direction[second]
    assert repr(Direction.NORTH) == str(Direction.NORTH) == "Direction.UP"


def test_both_direction_enums_are_one_type():
    assert DirectionInternal.UP == Direction.UP
    assert DirectionInternal.opposite(Direction.UP) is Direction.DOWN
    assert Direction.LEFT.opposite() is Direction.RIGHT
    assert DirectionInternal.next_clockwise(Direction.LEFT) is Direction.UP
    assert DirectionInternal.next_counterclockwise(Direction.UP) is Direction.LEFT
    assert DirectionInternal.to_factorio_direction(Direction.LEFT) == 12
    assert DirectionInternal.from_factorio_direction(Direction.DOWN) == 8


def test_a_direction_is_found_by_name_and_by_number():
    assert Direction.from_string("up") is Direction.UP
    assert Direction.from_string("North-East") is Direction.UPRIGHT
    assert Direction.from_string(12) is Direction.LEFT
    assert Direction.from_string("sideways") is None
    assert Direction.from_string(3) is None


def test_an_unknown_direction_offers_near_ones():
    with pytest.raises(AttributeError, match="Direction has no member 'UPLEFTT'. Did you mean UPLEFT"):
        _ = Direction.UPLEFTT


def test_values_can_be_edited_copied_compared_and_dumped():
    box = BuildingBox(height=3, width=2)
    copy = box.model_copy(update={"width": 5})
    assert (box.width, copy.width, copy.height) == (2, 5, 3)
    copy.width = 2
    assert copy == box
    assert box != Dimensions(width=2, height=3)
    corners = Position(0, 0).to_bounding_box(Position(1, 1))
    deep = corners.copy(deep=True)
    deep.left_top.x = 9.0
    assert corners.left_top.x == 0
    assert corners.model_dump()["right_bottom"] == {"x": 1.0, "y": 1.0}
    assert dict(Position(1, 2)) == Position(1, 2).dict() == {"x": 1.0, "y": 2.0}
    with pytest.raises(AttributeError):
        _ = Chest.inventory
