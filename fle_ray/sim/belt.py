"""Transport belts, and what everything that carries items has in common."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import floor
from typing import TYPE_CHECKING, Any

from fle_ray.sim.belts import BELT, Part
from fle_ray.sim.entity import Entity
from fle_ray.sim.lanes import STRAIGHT, TILE, drop_point, vector

if TYPE_CHECKING:
    from fle_ray.sim.character import Character
    from fle_ray.sim.line import Line

__all__ = ["Belt", "Carrier"]

# What mining takes first, and how the two lanes of a tile are named as inventories.
LANES = ("lane_1", "lane_2")


@lru_cache(maxsize=4096)
def _aimed(shape: str, direction: int, tile: tuple[int, int], point: tuple[float, float]) -> tuple[int, int]:
    """(lane, position) of a point on the map over a belt tile."""
    dx = round(point[0] * TILE) - (tile[0] * TILE + TILE // 2)
    dy = round(point[1] * TILE) - (tile[1] * TILE + TILE // 2)
    return drop_point(shape, direction, dx, dy)


class Carrier(Entity):
    """Belts, ends of underground belts and splitters.

    Attributes:
        parts: its tiles; two for a splitter.
    """

    __slots__ = ("parts",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.parts: tuple[Part, ...] = ()

    def make_parts(self) -> tuple[Part, ...]:
        """Its tiles, as it stands now."""
        return (Part(self, 0, BELT, (floor(self.x), floor(self.y)), self.direction),)

    def connect(self) -> None:
        self.parts = self.make_parts()
        self.world.belts.enter(self.parts)

    def clear(self) -> dict[str, int]:
        held: dict[str, int] = {}
        tick = self.world.belts.clock()
        for part in self.parts:
            for lane in (0, 1):
                for item, position in part.items(lane, tick):
                    part.lines[lane].take(part.span(lane)[0] + position, tick)
                    held[item] = held.get(item, 0) + 1
        return held

    def gone(self) -> None:
        self.world.belts.leave(self.parts)

    def rotate(self, direction: int) -> None:
        def change() -> None:
            super(Carrier, self).rotate(direction)
            for part, new in zip(self.parts, self.make_parts(), strict=True):
                part.tile, part.direction, part.kind = new.tile, new.direction, new.kind

        self.world.belts.turned(self.parts, change)

    # -- items ------------------------------------------------------------------------------------------

    def part_at(self, point: tuple[float, float]) -> Part:
        """The tile of it under a point."""
        parts = self.parts
        if len(parts) > 1:
            tile = floor(point[0]), floor(point[1])
            for part in parts:
                if part.tile == tile:
                    return part
        return parts[0]

    def aim(self, point: tuple[float, float]) -> tuple[Line, int, int]:
        """(line, position on it, upstream edge) of where something dropped at a point on the map is aimed."""
        part = self.part_at(point)
        lane, position = _aimed(part.shape, part.direction, part.tile, point)
        low, high = part.span(lane)
        return part.lines[lane], low + position, high

    def drop_on_lane(self, item: str, point: tuple[float, float]) -> bool:
        """Put an item on the lane under a point, as drills and inserters do; False when there is no room."""
        line, position, limit = self.aim(point)
        return line.put(position, position, item, self.world.belts.clock(), limit=limit)

    def lanes(self) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """Per lane (1 left of travel, 2 right) its [(item, position)], front first.

        Positions are 1/256 tile from the downstream edge of the tile. The halves of a splitter follow one another.
        """
        tick = self.world.belts.clock()
        found: tuple[list, list] = ([], [])
        for part in self.parts:
            for lane in (0, 1):
                found[lane].extend(part.items(lane, tick))
        return found

    def place(self, item: str, lane: int, position: int) -> bool:
        """Put an item on lane 1 or 2 at a position, as a script does; it moves once at once. False for no room.

        At the upstream edge (256 on a straight belt) it goes on only if that very place is free.
        """
        part = self.parts[0]
        line = part.lines[lane - 1]
        low, high = part.span(lane - 1)
        point = low + position
        return line.put(point, point, item, self.world.belts.clock(), limit=high, exact=point >= high)

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        """Lay items on by hand, as many as find room, first on lane 1 from its front, then on lane 2."""
        moved = 0
        for part in self.parts:
            for lane in (0, 1):
                low, high = part.span(lane)
                for position in range(low, high, TILE // 4):
                    if moved == count:
                        return moved
                    taken = part.lines[lane].items_in(position - 63, position + 64, self.world.belts.clock())
                    if not taken and part.lines[lane].put(position, position, item, self.world.belts.clock()):
                        moved += 1
        return moved

    put = insert

    def extract(self, item: str, count: int) -> int:
        moved = 0
        tick = self.world.belts.clock()
        for part in self.parts:
            for lane in (0, 1):
                for found, position in part.items(lane, tick):
                    if found == item and moved < count:
                        part.lines[lane].take(part.span(lane)[0] + position, tick)
                        moved += 1
        return moved

    take = extract

    def wants(self, item: str) -> bool:
        return True

    def offer(self, wanted: Callable[[str], bool]) -> str | None:
        for lane in self.lanes():
            for item, _ in lane:
                if wanted(item):
                    return item
        return None

    def pick(self, item: str, count: int) -> int:
        return self.extract(item, count)

    def holds_anything(self) -> bool:
        return any(self.lanes())

    def contents(self) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        for name, lane in zip(LANES, self.lanes(), strict=True):
            for item, _ in lane:
                counts = found.setdefault(name, {})
                counts[item] = counts.get(item, 0) + 1
        return found

    @property
    def status(self) -> str:
        return "working"

    def carry(self, character: Character) -> None:
        """Move a character that stands on it by its own speed (straight tiles alone; turns were not measured)."""
        part = self.part_at(character.position)
        if part.shape == STRAIGHT:
            dx, dy = vector(part.direction)
            character.pushed(dx * part.speed, dy * part.speed)


class Belt(Carrier):
    """Transport belts of all speeds."""

    __slots__ = ()

    def built(self) -> None:
        self._take_piles()
        for character in self.world.characters:
            if self.world.carries(character):
                self.world.calendar.wake(character)

    def _take_piles(self) -> None:
        """Take up what lies on its tile, the newest first; what finds no place is laid round it."""
        tile = floor(self.x), floor(self.y)
        for pile in reversed(self.world.piles_on(tile)):
            item, point = pile.item, pile.position
            self.world.remove(pile)
            if not self.drop_on_lane(item, point):
                self.world.spill(item, self.position)
