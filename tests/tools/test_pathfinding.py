"""Paths over the tile grid."""

from __future__ import annotations

from fle_ray.tools.pathfinding import grid_path, line_is_free, straighten


def picture(*rows: str) -> tuple[dict[str, tuple[int, int]], set[tuple[int, int]]]:
    """Letters and their tiles, and the tiles marked #."""
    marks, walls = {}, set()
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark == "#":
                walls.add((x, y))
            elif mark != ".":
                marks[mark] = (x, y)
    return marks, walls


def inside(walls, width, height):
    return lambda tile: tile not in walls and 0 <= tile[0] < width and 0 <= tile[1] < height


def test_a_straight_path_has_one_tile_more_than_its_length():
    assert grid_path((0, 0), [(5, 0)], lambda tile: True) == [(x, 0) for x in range(6)]


def test_a_path_turns_only_once_where_one_turn_is_enough():
    path = grid_path((0, 0), [(3, 2)], lambda tile: True)
    headings = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(path, path[1:], strict=False)]
    assert len(path) == 6
    assert sum(a != b for a, b in zip(headings, headings[1:], strict=False)) == 1


def test_a_path_goes_round_a_wall_by_the_shorter_side():
    marks, walls = picture(
        ".......",
        "...#...",
        ".a.#.b.",
        "...#...",
        "...#...",
        ".......",
    )
    path = grid_path(marks["a"], [marks["b"]], inside(walls, 7, 6))
    # two up, four across, two down
    assert len(path) == 1 + 2 + 4 + 2
    assert (3, 0) in path


def test_no_path_through_a_closed_wall():
    marks, walls = picture("a#b", ".#.", ".#.")
    assert grid_path(marks["a"], [marks["b"]], inside(walls, 3, 3)) is None


def test_diagonal_steps_never_squeeze_between_two_blocked_tiles():
    marks, walls = picture("a#", "#b")
    assert grid_path(marks["a"], [marks["b"]], inside(walls, 2, 2), diagonal=True) is None


def test_the_nearest_of_several_goals_is_taken():
    assert grid_path((0, 0), [(9, 0), (0, 3)], lambda tile: True)[-1] == (0, 3)


def test_the_search_gives_up_after_the_stated_number_of_tiles():
    assert grid_path((0, 0), [(1000, 1000)], lambda tile: tile != (999, 1000), most_tiles=10) is None


def test_sight_is_blocked_by_a_tile_the_line_only_clips():
    assert line_is_free((0.5, 0.5), (4.5, 0.5), lambda tile: True)
    assert not line_is_free((0.5, 0.5), (4.5, 2.5), lambda tile: tile != (2, 1))


def test_a_staircase_in_the_open_becomes_one_line():
    stairs = [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (2.5, 1.5), (2.5, 2.5)]
    assert straighten(stairs, lambda tile: True) == [(0.5, 0.5), (2.5, 2.5)]


def test_a_corner_round_a_wall_is_kept():
    _, walls = picture("...", ".#.", "...")
    corner = [(0.5, 2.5), (0.5, 0.5), (2.5, 0.5)]
    assert straighten(corner, inside(walls, 3, 3)) == corner
