# Belts laid tile by tile, straight, passing below what is in the way. Needs basics.


def _reachable(x, y):
    """Walk until a place is in reach."""
    global standing
    if abs(standing.x - x) > 6 or abs(standing.y - y) > 6:
        standing = move_to(at(x, y))


def _path(corners):
    """(x, y, direction) of each tile through the corners; a corner faces on."""
    tiles = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:], strict=False):
        dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
        assert dx == 0 or dy == 0, f"({x0}, {y0}) and ({x1}, {y1}) are not in line"
        facing = next(direction for direction, way in WAYS.items() if way == (dx, dy))
        steps = int(abs(x1 - x0) + abs(y1 - y0))
        if tiles:
            tiles.pop()
        tiles += [(x0 + dx * step, y0 + dy * step, facing) for step in range(steps + 1)]
    return tiles


def lane(*corners):
    """A belt from the first corner to the last; up to four blocked tiles in a straight stretch are passed below."""
    global standing
    standing = move_to(at(*corners[0]))
    tiles = _path(corners)
    free = []
    for x, y, facing in tiles:
        _reachable(x, y)
        free.append(can_place_entity(Prototype.TransportBelt, facing, at(x, y)))
    assert free[0] and free[-1], f"no belt fits at an end of {corners}"
    for number in range(1, len(tiles) - 1):  # no room for an exit and an entrance
        free[number] = free[number] and (free[number - 1] or free[number + 1])
    standing = move_to(at(*corners[0]))
    for number, (x, y, facing) in enumerate(tiles):
        if not free[number]:
            continue
        _reachable(x, y)
        entry = number + 1 < len(tiles) and not free[number + 1]
        leaving = number > 0 and not free[number - 1]
        if entry:
            beyond = next(n for n in range(number + 1, len(tiles)) if free[n])
            assert beyond - number <= 5, f"too much in the way from ({x}, {y})"
            assert all(tile[2] == facing for tile in tiles[number : beyond + 1]), f"a corner is blocked near ({x}, {y})"
        if entry or leaving:
            place_entity(Prototype.UndergroundBelt, facing, at(x, y))
        else:
            place_entity(Prototype.TransportBelt, facing, at(x, y))
