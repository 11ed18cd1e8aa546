"""Plans: what is to be laid, and the sketch of the map they are drawn on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import floor
from typing import Any

from fle_ray.sim.map import Natural, overlaps
from fle_ray.sim.placing import box_at
from fle_ray.sim.world import World
from fle_ray.tools.connecting.route import Tile

__all__ = ["Piece", "Plan", "Sketch"]

_SNAP = 4  # tiles by which a place that lies on water, a tree or a rock is moved


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to be built.

    Attributes:
        name: entity and item name; tile: the one it stands on (of a 2x2: the left top one).
        position: its centre; direction: the engine's own; exit: it is the far end of an underground belt.
    """

    name: str
    tile: Tile
    position: tuple[float, float]
    direction: int = 0
    exit: bool = False


@dataclass(slots=True)
class Plan:
    """What one pair of waypoints needs.

    Attributes:
        pieces: in the order they are laid. turns: belts that are to be turned: (entity, engine direction).
        walk: points along the line, what the walking time is charged by.
        member: a tile of something that belongs to the line, from which its group can be found; None for none.
        ends: the first and the last tile of a line of belts or pipes, between which it must lead; None for others.
    """

    pieces: list[Piece] = field(default_factory=list)
    turns: list[tuple[Any, int]] = field(default_factory=list)
    walk: list[tuple[float, float]] = field(default_factory=list)
    member: Tile | None = None
    ends: tuple[Tile, Tile] | None = None

    def required(self) -> Counter[str]:
        """Item -> how many."""
        return Counter(piece.name for piece in self.pieces)


class Sketch:
    """The map with everything planned so far on it.

    Attributes:
        planned: tile -> piece. facing: tile of a belt -> direction it is to be turned to.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.planned: dict[Tile, Piece] = {}
        self.facing: dict[Tile, int] = {}

    def add(self, plan: Plan) -> None:
        for piece in plan.pieces:
            width, height = self.world.data.entities[piece.name].tiles(0)
            for dx in range(int(width)):
                for dy in range(int(height)):
                    self.planned[piece.tile[0] + dx, piece.tile[1] + dy] = piece
        for entity, direction in plan.turns:
            self.facing[floor(entity.x), floor(entity.y)] = direction

    def blocker(self, prototype: Any, tile: Tile) -> str | None:
        """What keeps a 1x1 (or, from `tile` on, larger) thing from standing there, in words; None for nothing."""
        width, height = prototype.tiles(0)
        tiles = [(tile[0] + dx, tile[1] + dy) for dx in range(int(width)) for dy in range(int(height))]
        layers = prototype.collision_layers
        box = None
        for each in tiles:
            if each in self.planned:
                return f"{self.planned[each].name}, which is to be laid"
            if not layers.isdisjoint(self.world.map.tile_layers(*each)):
                return self.world.map.tile(*each)
            for thing in self.world.map.standing_on(*each):
                other = thing.prototype
                if other.type == "item-entity" or other.colliding_with_tiles_only:
                    continue
                if layers.isdisjoint(other.collision_layers):
                    continue
                if box is None:
                    box = box_at(prototype, (tile[0] + width / 2, tile[1] + height / 2), 0)
                if overlaps(box, thing.box):
                    return f"{thing.name} at ({thing.x:g}, {thing.y:g})"
        return None

    def clear(self, prototype: Any, tile: Tile) -> bool:
        """Whether it may stand there."""
        return self.blocker(prototype, tile) is None

    def only_land_blocks(self, prototype: Any, tile: Tile) -> bool:
        """Whether what keeps it away is water, a cliff, a tree or a rock: nothing that was built."""
        if self.clear(prototype, tile) or tile in self.planned:
            return False
        return all(isinstance(thing, Natural) for thing in self.world.map.standing_on(*tile))

    def watched(self, tile: Tile) -> list[Any]:
        """Drills and inserters that take from, or drop on, the tile."""
        x, y = tile
        return self.world.map.watchers((x, y, x + 1, y + 1))

    def landed(self, prototype: Any, tile: Tile) -> Tile | None:
        """Where a place given in rough coordinates is meant to be: the tile itself when it is clear.

        When only water, a tree or the like keeps the thing off, the nearest tile within a few that is clear or on
        which one of its kind stands already; by row among equals. None when something built is in the way.
        """
        if self.clear(prototype, tile):
            return tile
        if not self.only_land_blocks(prototype, tile):
            return None
        around = [(tile[0] + dx, tile[1] + dy) for dx in range(-_SNAP, _SNAP + 1) for dy in range(-_SNAP, _SNAP + 1)]
        return min(
            (t for t in around if self.clear(prototype, t) or self.stands(prototype, t)),
            key=lambda t: ((t[0] - tile[0]) ** 2 + (t[1] - tile[1]) ** 2, t[1], t[0]),
            default=None,
        )

    def stands(self, prototype: Any, tile: Tile) -> bool:
        """Whether one of its kind stands, or is planned, on a tile."""
        planned = self.planned.get(tile)
        if planned is not None:
            return planned.name == prototype.name
        return any(thing.prototype is prototype for thing in self.world.map.standing_on(*tile))
