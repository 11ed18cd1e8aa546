"""What belts, underground belts, splitters and inserters show agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fle_ray.game.values import Inventory, Position
from fle_ray.sim.belts import ENTRANCE, EXIT, Belts, Part
from fle_ray.sim.lanes import CLEARANCE
from fle_ray.tools.points import Fields, half

__all__ = ["BELTS", "feeders", "following"]

_LANES = {"lane_1": "left", "lane_2": "right"}


def following(belts: Belts, part: Part) -> Part | None:
    """The part that items go to from this one; None where a belt ends."""
    if part.kind == ENTRANCE:
        return part.partner
    ahead = belts.parts.get(part.ahead)
    if ahead is None or ahead.direction == (part.direction + 8) % 16:
        return None
    if ahead.kind == EXIT and ahead.direction == part.direction:
        return None  # the back of an exit is closed
    if ahead.kind == "splitter" and ahead.direction != part.direction:
        return None
    return ahead


def feeders(belts: Belts, part: Part) -> Iterator[Part]:
    """The parts whose items come to this one: from behind first, then from its left and right."""
    if part.kind == EXIT:
        if part.partner is not None:
            yield part.partner
    (x, y), (bx, by) = part.tile, part.behind
    dx, dy = x - bx, y - by
    for tile in ((bx, by), (x + dy, y - dx), (x - dy, y + dx)):
        other = belts.parts.get(tile)
        if other is not None and other.kind != ENTRANCE and following(belts, other) is part:
            yield other


def _centre(tile: tuple[int, int]) -> Position:
    return Position(x=tile[0] + 0.5, y=tile[1] + 0.5)


def _refuses(part: Part, lane: int, tick: int) -> bool:
    """Whether nothing can be put on a lane at the upstream edge of the tile."""
    low, high = part.span(lane)
    return bool(part.lines[lane].items_in(max(low, high - CLEARANCE), high, tick))


def _warnings(belts: Belts, part: Part, goes_on: bool) -> list[str]:
    if not all(_refuses(part, lane, belts.clock()) for lane in (0, 1)):
        return []
    found = ["full"]
    if not goes_on and part.kind != ENTRANCE:
        x, y = part.ahead
        found.append(
            f"transport belt blocked. Its items have nowhere to go: continue the belt, or let an inserter take them "
            f"at ({x + 0.5:g}, {y + 0.5:g})"
        )
    return found


def _belt(entity: Any) -> Fields:
    belts = entity.world.belts
    part = entity.parts[0]
    before = next(feeders(belts, part), None)
    after = following(belts, part)
    contents = entity.contents()
    return {
        "input_position": _centre(part.behind if before is None or part.kind == EXIT else before.tile),
        "output_position": _centre(part.ahead),
        "inventory": {side: Inventory(contents.get(lane, {})) for lane, side in _LANES.items()},
        "is_source": before is None,
        "is_terminus": after is None,
        "status": "normal",
        "more_warnings": _warnings(belts, part, after is not None),
    }


def _underground(entity: Any) -> Fields:
    partner = entity.neighbour
    return {
        **_belt(entity),
        "is_input": entity.is_input,
        "connected_to": None if partner is None else partner.number,
    }


def _splitter(entity: Any) -> Fields:
    contents = entity.contents()
    return {
        "input_positions": [_centre(part.behind) for part in entity.parts],
        "output_positions": [_centre(part.ahead) for part in entity.parts],
        "inventory": [Inventory(contents.get(lane, {})) for lane in _LANES],
    }


def _inserter(entity: Any) -> Fields:
    fields: Fields = {
        "pickup_position": half(entity.pickup_position),
        "drop_position": half(entity.drop_position),
    }
    if entity.filters:
        fields["filter"] = entity.filters[0]
    return fields


BELTS: dict[str, Callable[[Any], Fields]] = {
    "inserter": _inserter,
    "splitter": _splitter,
    "transport-belt": _belt,
    "underground-belt": _underground,
}
