"""Routes over a drawn grid, above and below ground."""

from __future__ import annotations

import pytest

from fle_ray.tools.connecting.route import ENTRANCE, EXIT, STAND, SURFACE, Goal, Leg, Start, find, straight
from fle_ray.tools.connecting.tunnels import cut

N, E, S, W = range(4)
ROLES = {SURFACE: "o", ENTRANCE: "(", EXIT: ")", STAND: "x"}


class Drawn:
    """A ground from a picture: `.` free, `#` blocked, a digit: that many extra tiles of cost; all else blocked."""

    def __init__(self, *rows, reach=0):
        self.cells = {(x, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row)}
        self.reach = reach

    def surface(self, tile):
        cell = self.cells.get(tile, "#")
        return None if cell == "#" else 0 if cell == "." else int(cell) * 1000

    def opening(self, tile, way, entrance):
        return self.cells.get(tile, "#") != "#"

    def tunnel(self, entrance, exit_, way):
        return True


def shown(legs):
    return None if legs is None else "".join(ROLES[leg.role] for leg in legs)


def tiles(legs):
    return [leg.tile for leg in legs]


def test_a_straight_route_takes_the_tiles_between():
    legs = find([Start((0, 0))], [Goal((3, 0))], Drawn("...."))
    assert legs == [Leg((x, 0), E, SURFACE) for x in range(4)]


def test_a_route_turns_once_where_once_suffices():
    legs = find([Start((0, 0))], [Goal((3, 3))], Drawn(*["...."] * 4))
    assert len(legs) == 7
    assert sum(a.way != b.way for a, b in zip(legs, legs[1:], strict=False)) == 1


def test_a_route_goes_round():
    legs = find([Start((0, 1))], [Goal((2, 1))], Drawn("...", ".#.", ".#."))
    assert tiles(legs) == [(0, 1), (0, 0), (1, 0), (2, 0), (2, 1)]


def test_costly_tiles_are_avoided_as_far_as_it_pays():
    around = find([Start((0, 1))], [Goal((2, 1))], Drawn("...", ".3.", "###"))
    through = find([Start((0, 1))], [Goal((2, 1))], Drawn("...", ".1.", "###"))
    assert (len(around), len(through)) == (5, 3)


def test_the_nearest_of_several_ends_is_taken():
    legs = find([Start((0, 0)), Start((4, 0))], [Goal((6, 0)), Goal((0, 3))], Drawn(*["......."] * 4))
    assert tiles(legs) == [(4, 0), (5, 0), (6, 0)]


def test_a_route_leaves_what_stands_by_an_allowed_way_only():
    ground = Drawn(".....", "..#..", ".....")
    start = Start((2, 1), laid=False, ways=frozenset({S}))
    assert tiles(find([start], [Goal((2, 0))], ground))[:2] == [(2, 1), (2, 2)]


def test_a_route_leads_into_what_stands_by_an_allowed_way_only():
    ground = Drawn(".....", "..#..", ".....")
    goal = Goal((2, 1), laid=False, ways=frozenset({E, N}))
    legs = find([Start((4, 1))], [goal], ground)
    assert legs[-1].role == STAND
    assert legs[-2].way == N  # round by the row below, since the right side is closed to it


def test_a_route_of_no_length_is_its_one_tile():
    assert shown(find([Start((0, 0))], [Goal((0, 0))], Drawn("."))) == "o"


@pytest.mark.parametrize("rows", [("..#..",), (".....#",)], ids=["wall", "goal blocked"])
def test_what_cannot_be_reached_has_no_route(rows):
    assert find([Start((0, 0))], [Goal((len(rows[0]) - 1, 0))], Drawn(*rows)) is None


def test_a_goal_in_a_pocket_of_endless_land_is_given_up_soon():
    class Endless(Drawn):
        looked = 0

        def surface(self, tile):
            self.looked += 1
            return None if max(abs(tile[0] - 200), abs(tile[1])) == 2 else 0

    ground = Endless()
    assert find([Start((0, 0))], [Goal((200, 0))], ground) is None
    assert ground.looked < 25_000


# -- below ground -----------------------------------------------------------------------------------------------


def test_a_tunnel_passes_below_what_is_in_the_way():
    assert shown(find([Start((0, 0))], [Goal((6, 0))], Drawn("..###..", reach=4), tunnels=1)) == "o()o"


def test_a_tunnel_is_no_longer_than_its_reach():
    assert find([Start((0, 0))], [Goal((6, 0))], Drawn("..###..", reach=3), tunnels=1) is None


def test_no_more_tunnels_are_used_than_there_are():
    ground = Drawn("..#..#..", reach=2)
    assert shown(find([Start((0, 0))], [Goal((7, 0))], ground, tunnels=2)) == "o()()o"
    assert find([Start((0, 0))], [Goal((7, 0))], ground, tunnels=1) is None


def test_above_ground_is_preferred_when_it_is_no_farther():
    ground = Drawn(".....", reach=4)
    assert shown(find([Start((0, 0))], [Goal((4, 0))], ground, tunnels=5)) == "ooooo"


def test_after_an_exit_the_route_goes_straight_on():
    legs = find([Start((0, 0))], [Goal((4, 2))], Drawn("..#..", "..#..", "..#..", reach=3), tunnels=1)
    out = next(i for i, leg in enumerate(legs) if leg.role == EXIT)
    assert legs[out - 1].way == legs[out].way
    assert legs[out + 1].tile == (legs[out].tile[0] + 1, legs[out].tile[1])


def test_a_tunnel_may_begin_and_end_right_at_the_ends():
    start = Start((0, 0), dives=frozenset({E}))
    goal = Goal((3, 0), rises=frozenset({E}))
    assert shown(find([start], [goal], Drawn(".##.", reach=3), tunnels=1)) == "()"
    assert find([Start((0, 0))], [goal], Drawn(".##.", reach=3), tunnels=1) is None


# -- straight runs and cutting --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "reach", "pairs"),
    [(2, 5, 1), (6, 5, 1), (7, 5, 2), (12, 5, 2), (13, 5, 3), (11, 10, 1), (26, 10, 3)],
)
def test_as_few_tunnels_as_possible_cover_a_straight_run(count, reach, pairs):
    run = [(x, 0) for x in range(count)]
    legs = straight(run, E, Drawn("." * count, reach=reach))
    assert shown(legs) == "()" * pairs
    assert (legs[0].tile, legs[-1].tile) == (run[0], run[-1])


def test_a_straight_run_is_covered_round_blocked_tiles():
    legs = straight([(x, 0) for x in range(8)], E, Drawn("..#..##.", reach=4))
    assert shown(legs) == "()()"
    assert all(tile not in {(2, 0), (5, 0), (6, 0)} for tile in tiles(legs))
    assert straight([(x, 0) for x in range(7)], E, Drawn(".#####.", reach=4)) is None


def run(*parts):
    """Legs through corners: (x, y) to (x, y)."""
    legs = []
    for (x0, y0), (x1, y1) in zip(parts, parts[1:], strict=False):
        way = (E if x1 > x0 else W) if x1 != x0 else (S if y1 > y0 else N)
        steps = abs(x1 - x0) + abs(y1 - y0)
        dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
        legs += [Leg((x0 + dx * k, y0 + dy * k), way, SURFACE) for k in range(steps)]
    return [*legs, Leg(parts[-1], legs[-1].way, SURFACE)]


@pytest.mark.parametrize(
    ("corners", "reach", "expected"),
    [
        ([(0, 0), (3, 0)], 4, "oooo"),  # three steps: too short
        ([(0, 0), (4, 0)], 4, "o()o"),  # 1..3
        ([(0, 0), (10, 0)], 10, "o()o"),  # 1..9
        ([(0, 0), (10, 0)], 4, "o()()o"),  # 1..5, 6..9
        ([(0, 0), (7, 0)], 4, "o()oo"),  # 1..5; what is left over is too short for another
        ([(0, 0), (5, 0), (5, 5)], 10, "o()o()o"),  # the corner stays above ground
    ],
)
def test_straight_stretches_are_cut_leaving_a_piece_at_each_end(corners, reach, expected):
    ground = Drawn(*["." * 20] * 20, reach=reach)
    legs = cut(run(*corners), ground, 99)
    assert shown(legs) == expected
    assert (legs[0].tile, legs[-1].tile) == (corners[0], corners[-1])


def test_no_more_stretches_are_cut_than_there_are_tunnels():
    ground = Drawn(*["." * 20] * 20, reach=10)
    assert shown(cut(run((0, 0), (5, 0), (5, 5)), ground, 1)) == "o()oooooo"
    assert shown(cut(run((0, 0), (5, 0)), ground, 0)) == "oooooo"


def test_a_stretch_is_not_cut_where_an_end_cannot_stand():
    ground = Drawn("..#...", reach=4)
    ground.opening = lambda tile, way, entrance: tile != (1, 0)
    assert shown(cut(run((0, 0), (5, 0)), ground, 9)) == "oo()o"
