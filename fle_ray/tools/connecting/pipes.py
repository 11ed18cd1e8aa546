"""Pipes: from what gives a fluid to what takes it, touching nothing else.

A pipe joins whatever opens onto its tile, so where it may stand follows from the fluid system itself: on a tile onto
which nothing opens, or only boxes of the line's own segments. The ends of a tunnel open to one side only, so they
also fit where a pipe would touch a neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.fluids import STEPS
from fle_ray.tools.connecting.ends import End
from fle_ray.tools.connecting.materials import Tier
from fle_ray.tools.connecting.plan import Piece, Plan, Sketch
from fle_ray.tools.connecting.route import (
    ANY_WAY,
    ENTRANCE,
    EXIT,
    STAND,
    SURFACE,
    Goal,
    Leg,
    Start,
    Tile,
    find,
    opposite,
    step,
    straight,
    way_to,
)
from fle_ray.tools.connecting.tunnels import cut
from fle_ray.tools.fluid_details import connection_points

__all__ = ["Line", "PipePlanner", "Spot"]

_EXACT = 0.01  # tiles within which a place is taken for a connection point
_PIPES = frozenset({"pipe", "pipe-to-ground"})
_MIXERS = frozenset({"oil-refinery", "chemical-plant"})


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a pipe line may begin or end.

    Attributes:
        tile: of the pipe; laid: it has to be laid, False when one stands there.
        fluid: what flows there, None for anything.
        box: the fluid box it joins, None for a bare place.
        side: way from the tile to that box, None for a bare place or a pipe that stands.
    """

    tile: Tile
    laid: bool
    fluid: str | None = None
    box: FluidBox | None = None
    side: int | None = None


@dataclass(slots=True)
class Line:
    """What one pair left for the next: pipes to begin at, and what they may touch."""

    spots: list[Spot]
    keys: frozenset[tuple[int, int]] = field(default_factory=frozenset)


class PipePlanner:
    """Plans pipes on a sketch, pair by pair.

    Args:
        tunnels: pairs of pipes-to-ground that may be used, over all pairs of waypoints.
    """

    def __init__(self, sketch: Sketch, tier: Tier, tunnels: int) -> None:
        self.sketch = sketch
        self.world = sketch.world
        self.tier = tier
        self.pipe = sketch.world.data.entities[tier.surface]
        self.under = sketch.world.data.entities[tier.underground] if tier.underground else None
        self.reach = tier.reach
        self.tunnels = tunnels
        self._own: frozenset[tuple[int, int]] = frozenset()  # boxes the line may touch
        self._spared: frozenset[Tile] = frozenset()  # tiles of the ends

    # -- a ground for routes ------------------------------------------------------------------------------------

    def surface(self, tile: Tile) -> int | None:
        if not self.sketch.clear(self.pipe, tile):
            return None
        for box in self.world.fluids.facing(*tile):
            if box.key not in self._own and not _shut(box):
                return None
        if tile not in self._spared and self.sketch.watched(tile):
            return None
        return 0

    def opening(self, tile: Tile, way: int, entrance: bool) -> bool:
        if self.under is None or not self.sketch.clear(self.under, tile):
            return False
        if tile not in self._spared and self.sketch.watched(tile):
            return False
        # its open side must meet the line, or nothing
        side = opposite(way) if entrance else way
        beyond = step(tile, side)
        for box in self.world.fluids.facing(*tile):
            if any((x, y) == beyond for (x, y, _), _ in box.points()) and box.key not in self._own and not _shut(box):
                return False
        return True

    def tunnel(self, entrance: Tile, exit_: Tile, way: int) -> bool:
        fluids = self.world.fluids
        length = abs(exit_[0] - entrance[0]) + abs(exit_[1] - entrance[1])
        sides = (way * 4, opposite(way) * 4)
        for distance in range(1, length):
            tile = step(entrance, way, distance)
            if any(fluids.ends_below(*tile, side) is not None for side in sides) or self._planned_below(tile, way):
                return False
        # no other end on the line may find one of these two, and no pair that spans one be torn apart
        return not self._caught(entrance, opposite(way), length) and not self._caught(exit_, way, length)

    def _caught(self, tile: Tile, away: int, length: int) -> bool:
        """Whether the next end on one side of a new pair looks towards it, and far enough."""
        fluids = self.world.fluids
        for distance in range(1, self.reach):
            other = step(tile, away, distance)
            if fluids.ends_below(*other, away * 4) is not None:
                return False  # it looks the other way, and no pair reaches past it
            end = fluids.ends_below(*other, opposite(away) * 4)
            if end is not None:
                return end.owner.neighbour is not None or distance + length <= self.reach
        return False

    def _planned_below(self, tile: Tile, way: int) -> bool:
        piece = self.sketch.planned.get(tile)
        return piece is not None and self.under is not None and piece.name == self.under.name

    # -- planning --------------------------------------------------------------------------------------------------

    def plan(self, source: End | Line, target: End) -> tuple[Plan, Line]:
        """The pipes from `source` (a waypoint, or what the last pair left) to `target`."""
        blocked: list[str] = []
        if isinstance(source, Line):
            sources, keys = source.spots, source.keys
            source_boxes = [spot.box for spot in sources if spot.box is not None]
        else:
            source_boxes = self._boxes_at(source, target, True)
            sources, keys = self._spots(source, source_boxes, blocked), frozenset()
        target_boxes = self._boxes_at(target, source, False)
        targets = self._spots(target, target_boxes, blocked)
        joined = self._joined(sources, targets, source_boxes, target_boxes)
        if joined is not None:
            return Plan(member=joined), Line([spot for spot in targets if not spot.laid] or targets, keys)
        pairs = self._pairs(source, target, sources, targets, blocked)
        for fluid, begins, ends in pairs:
            legs = self._route(begins, ends, keys)
            if legs is not None:
                self.tunnels -= sum(leg.role == ENTRANCE for leg in legs)
                return self._planned(legs, begins, ends, fluid)
        raise ToolError(self._no_way(pairs, blocked))

    def _joined(
        self, sources: list[Spot], targets: list[Spot], source_boxes: list[FluidBox], target_boxes: list[FluidBox]
    ) -> Tile | None:
        """A tile of the line when both ends share a segment, or a planned pipe, already."""
        stand = {spot.tile for spot in targets if not spot.laid}
        for spot in sources:
            if not spot.laid and spot.tile in stand:
                return spot.tile
        segments = {id(segment) for box in target_boxes for segment in _segments(box)}
        for box in source_boxes:
            if any(id(segment) in segments for segment in _segments(box)):
                return floor(box.owner.x), floor(box.owner.y)
        return None

    def _pairs(
        self, source: End | Line, target: End, sources: list[Spot], targets: list[Spot], blocked: list[str]
    ) -> list[tuple[str | None, list[Spot], list[Spot]]]:
        """(fluid, spots to begin at, spots to end at), the nearest first."""
        carried = [spot.fluid for spot in sources]
        wanted = [spot.fluid for spot in targets]
        found = []
        for fluid in dict.fromkeys([*carried, *wanted]):
            begins = [s for s in sources if s.fluid == fluid or s.fluid is None]
            ends = [t for t in targets if t.fluid == fluid or t.fluid is None]
            if fluid is None and (any(carried) or any(wanted)):
                continue
            if begins and ends:
                near = min(abs(b.tile[0] - e.tile[0]) + abs(b.tile[1] - e.tile[1]) for b in begins for e in ends)
                found.append((near, fluid, begins, ends))
        if not found:
            raise ToolError(self._no_match(source, target, carried, wanted, blocked))
        found.sort(key=lambda f: (f[0], f[1] or ""))
        return [(fluid, begins, ends) for _, fluid, begins, ends in found]

    def _no_match(
        self, source: End | Line, target: End, carried: list[Any], wanted: list[Any], blocked: list[str]
    ) -> str:
        shown = "the line so far" if isinstance(source, Line) else source.shown
        if not carried or not wanted:
            free = ", ".join(blocked) or "all of them"
            return f"no valid connections: the connection points are blocked ({free}). Clear them, or move the machine."
        have = ", ".join(sorted({f for f in carried if f})) or "none"
        need = ", ".join(sorted({f for f in wanted if f})) or "none"
        return (
            f"the fluids currently at {shown} ({have}) are not expected by {target.shown}, which takes {need}. "
            f"Connect a source of {need}, or set another recipe."
        )

    def _no_way(self, pairs: list[Any], blocked: list[str]) -> str:
        text = "no way is free for pipes"
        touching = [self._touches(spot) for _, begins, ends in pairs for spot in (*begins, *ends) if spot.laid]
        reasons = [*blocked, *dict.fromkeys(t for t in touching if t)]
        if reasons:
            text += f" ({'; '.join(reasons[:5])})"
        text += ". Pipes keep clear of other pipes, of other machines' connection points and of drop spots"
        if not self.reach:
            return text + ". Add Prototype.UndergroundPipe to the connection type to pass below things."
        if not self.tunnels:
            return text + ". With pipe-to-ground in the inventory they can pass below things."
        return text + ". Give waypoints, or make room."

    def _touches(self, spot: Spot) -> str | None:
        """What a pipe at an end would be joined to against the will."""
        for box in self.world.fluids.facing(*spot.tile):
            if box is not spot.box and box.key not in self._own and not _shut(box):
                x, y, owner = spot.tile[0] + 0.5, spot.tile[1] + 0.5, box.owner
                return f"a pipe at ({x:g}, {y:g}) would touch {owner.name} at ({owner.x:g}, {owner.y:g})"
        return None

    def _route(self, begins: list[Spot], ends: list[Spot], keys: frozenset[tuple[int, int]]) -> list[Leg] | None:
        own = set(keys)
        for spot in (*begins, *ends):
            if spot.box is not None:
                own.add(spot.box.key)
                for segment in _segments(spot.box):
                    own |= {box.key for box in segment.boxes}
        self._own = frozenset(own)
        self._spared = frozenset(spot.tile for spot in (*begins, *ends))
        if self.tier.buried:
            return self._buried(begins, ends)
        starts = [_start(spot) for spot in begins]
        goals = [_goal(spot) for spot in ends]
        legs = find(starts, goals, self, tunnels=self.tunnels)
        if legs is None or not self.reach:
            return legs
        used = sum(leg.role == ENTRANCE for leg in legs)
        return cut(legs, self, self.tunnels - used)

    def _buried(self, begins: list[Spot], ends: list[Spot]) -> list[Leg] | None:
        """Nothing but tunnels, one after the other in a straight line."""
        best: list[Leg] | None = None
        for begin in begins:
            for end in ends:
                way = way_to(begin.tile, end.tile)
                if way is None:
                    continue
                if begin.laid and begin.side not in (None, opposite(way)):
                    continue
                if end.laid and end.side not in (None, way):
                    continue
                length = abs(end.tile[0] - begin.tile[0]) + abs(end.tile[1] - begin.tile[1])
                first, last = (0 if begin.laid else 1), (length if end.laid else length - 1)
                tiles = [step(begin.tile, way, k) for k in range(first, last + 1)]
                legs = straight(tiles, way, self)
                if legs is not None and (best is None or len(legs) < len(best)):
                    best = legs
        if best is None:
            raise ToolError(
                "with pipe-to-ground alone only ends that face each other along one row or column can be joined. Add "
                "Prototype.Pipe to the connection type for everything else."
            )
        return best

    def _planned(self, legs: list[Leg], begins: list[Spot], ends: list[Spot], fluid: str | None) -> tuple[Plan, Line]:
        plan = Plan(member=legs[0].tile, ends=(legs[0].tile, legs[-1].tile))
        spots = []
        for leg in legs:
            centre = (leg.tile[0] + 0.5, leg.tile[1] + 0.5)
            plan.walk.append(centre)
            if leg.role == SURFACE:
                plan.pieces.append(Piece(self.pipe.name, leg.tile, centre))
            elif leg.role in (ENTRANCE, EXIT) and self.under is not None:
                open_side = opposite(leg.way) if leg.role == ENTRANCE else leg.way
                plan.pieces.append(Piece(self.under.name, leg.tile, centre, open_side * 4, leg.role == EXIT))
            if leg.role in (SURFACE, STAND):
                spots.append(Spot(leg.tile, False, fluid))
        spots += [spot for spot in (*begins, *ends) if not spot.laid and spot not in spots]
        return plan, Line(spots or [_beyond(legs[-1], fluid)], self._own)

    # -- where lines begin and end -----------------------------------------------------------------------------------

    def _boxes_at(self, end: End, other: End | Line, source: bool) -> list[FluidBox]:
        """The boxes of an end that may be joined, one for each segment of pipes."""
        exact = self._exact(end)
        if exact is not None:
            return [exact[1]]
        found: list[FluidBox] = []
        seen: set[int] = set()
        for thing in end.things():
            for box in self._boxes(thing, end, other, source):
                if thing.name in _PIPES and id(box.segment) in seen:
                    continue
                seen.update(id(segment) for segment in _segments(box))
                found.append(box)
        return found

    def _spots(self, end: End, boxes: list[FluidBox], blocked: list[str]) -> list[Spot]:
        """Where a line may begin or end; what keeps pipes from a connection point is added to `blocked`."""
        exact = self._exact(end)
        if exact is not None:
            point = self._open(exact[1], _fluid(exact[1]), blocked, exact[0])
            return point or self._at_box(exact[1], [])
        if end.bare:
            return [self._bare(end)]
        found: dict[tuple[Tile, bool], Spot] = {}
        for box in boxes:
            for spot in self._at_box(box, blocked):
                found.setdefault((spot.tile, spot.laid), spot)
        return list(found.values())

    def _bare(self, end: End) -> Spot:
        piece = self.sketch.planned.get(end.tile)
        if piece is not None and piece.name == self.pipe.name:
            return Spot(end.tile, False)
        tile = self.sketch.landed(self.pipe, end.tile)
        if tile is None:
            raise ToolError(
                f"{end.shown} is not free: {self.sketch.blocker(self.pipe, end.tile)} is there. Choose a free place."
            )
        if self.sketch.stands(self.pipe, tile):
            standing = self.world.entity_at((tile[0] + 0.5, tile[1] + 0.5))
            box = None if standing is None else standing.fluid_box
            return Spot(tile, False, None if box is None else _fluid(box), box)
        return Spot(tile, True)

    def _exact(self, end: End) -> tuple[Tile, FluidBox] | None:
        """The connection that a place is exactly the point of, with its box."""
        if end.place is None:
            return None
        x, y = end.place
        lefts, tops = {floor(x), ceil(x) - 1}, {floor(y), ceil(y) - 1}
        for tile in sorted((left, top) for left in lefts for top in tops):
            for box in self.world.fluids.facing(*tile):
                if box.owner.name in _PIPES:
                    continue
                for (px, py), outer in connection_points(box.owner, box):
                    centre = (outer[0] + 0.5, outer[1] + 0.5)
                    near = [p for p in ((px, py), centre) if abs(p[0] - x) <= _EXACT and abs(p[1] - y) <= _EXACT]
                    if near:
                        return outer, box
        return None

    def _at_box(self, box: FluidBox, blocked: list[str]) -> list[Spot]:
        """Spots at a box: the free tiles its connections open onto, and pipes that are joined to it already."""
        found: list[Spot] = []
        fluid = _fluid(box)
        for segment in _segments(box):
            for member in segment.boxes:
                owner = member.owner
                if owner.name == self.pipe.name:
                    found.append(Spot((floor(owner.x), floor(owner.y)), False, fluid, member))
                elif owner.prototype.type == "pipe-to-ground":
                    found += self._open(member, fluid, [], None)
        if box.owner.name not in _PIPES:
            found += self._open(box, fluid, blocked, None)
        return found

    def _open(self, box: FluidBox, fluid: str | None, blocked: list[str], only: Tile | None) -> list[Spot]:
        """The free tiles that the connections of a box open onto."""
        found = []
        for (x, y, side), connection in box.points():
            if connection.connection_type != "normal":
                continue
            dx, dy = STEPS[side]
            tile = (x + dx, y + dy)
            if only is not None and tile != only:
                continue
            if self._meets(box, tile):
                continue  # joined already
            if self.sketch.clear(self.pipe, tile):
                found.append(Spot(tile, True, fluid, box, opposite(side // 4)))
            else:
                piece = self.sketch.planned.get(tile)
                if piece is not None and piece.name == self.pipe.name:
                    found.append(Spot(tile, False, fluid, box))
                else:
                    blocked.append(f"({tile[0] + 0.5:g}, {tile[1] + 0.5:g}) by {self.sketch.blocker(self.pipe, tile)}")
        return found

    def _meets(self, box: FluidBox, tile: Tile) -> list[FluidBox]:
        return [
            other
            for other, own, _ in self.world.fluids.neighbours(box)
            if own.connection_type == "normal" and _covers(other.owner, tile)
        ]

    def _boxes(self, thing: Any, end: End, other: End | Line, source: bool) -> list[FluidBox]:
        """The boxes of an entity that a line may begin (or end) at."""
        kind = thing.prototype.type
        if kind == "boiler":
            water_only = source and isinstance(other, End) and other.entity is not None
            if water_only and other.entity.prototype.type in ("boiler", "offshore-pump"):
                return [thing.water]
            if not source and not self._typed(other):
                return [thing.water]
            return [thing.steam, thing.water]
        if kind == "pump":
            return [thing.outlet if source else thing.inlet]
        if kind == "assembling-machine" and getattr(thing, "fluids", None) is not None:
            return self._machine(thing, end, other, source)
        boxes = list(getattr(thing, "fluid_boxes", ()))
        if not boxes:
            raise ToolError(f"{end.shown} has no fluid connections.")
        return boxes

    def _machine(self, thing: Any, end: End, other: End | Line, source: bool) -> list[FluidBox]:
        parts = thing.fluids.outputs if source else thing.fluids.inputs
        if thing.name not in _MIXERS:
            if parts:
                return [box for box, _ in parts]
            wanted = "output" if source and thing.recipe is not None else "input"
            return [box for box in thing.fluid_boxes if box.kind == wanted][:1]
        if thing.recipe is None:
            raise ToolError(f"{end.shown} has no recipe: set a recipe first with set_entity_recipe.")
        if not parts:
            gives = "gives no fluid" if source else "needs no fluid"
            raise ToolError(f"{end.shown} {gives} with the recipe {thing.recipe.name}: set a recipe that does.")
        if not source and isinstance(other, End) and not other.bare and not self._typed(other):
            raise ToolError(
                f"{other.shown} must have fluid in it before it is connected to {thing.name}, "
                f"so that it is clear which input it belongs to ({', '.join(box.fluid for box, _ in parts)})."
            )
        return [box for box, _ in parts]

    def _typed(self, end: End | Line) -> bool:
        """Whether it is known what fluid comes from there."""
        if isinstance(end, Line):
            return any(spot.fluid for spot in end.spots)
        exact = self._exact(end)
        if exact is not None:
            return _fluid(exact[1]) is not None
        for thing in end.things():
            boxes = getattr(thing, "fluid_boxes", ())
            if thing.prototype.type == "pump":
                boxes = (thing.inlet, thing.outlet)
            if any(_fluid(box) for box in boxes):
                return True
        return False


def _start(spot: Spot) -> Start:
    dives = frozenset()
    if spot.laid:
        dives = ANY_WAY if spot.side is None else frozenset({opposite(spot.side)})
    return Start(spot.tile, spot.laid, dives=dives)


def _goal(spot: Spot) -> Goal:
    rises = frozenset()
    if spot.laid:
        rises = ANY_WAY if spot.side is None else frozenset({spot.side})
    return Goal(spot.tile, spot.laid, rises=rises)


def _beyond(leg: Leg, fluid: str | None) -> Spot:
    """The tile after a tunnel that nothing follows."""
    return Spot(step(leg.tile, leg.way), True, fluid, None, opposite(leg.way))


def _segments(box: FluidBox) -> list[Any]:
    """The segments a box is part of or touches; of a machine's box that is closed, those at its connections."""
    if box.kind == "member":
        return [box.segment] if box.segment is not None else []
    if box.links or box.fluid is not None:
        return list(box.links)
    beside = box.owner.world.fluids.neighbours(box)
    return [other.segment for other, _, _ in beside if other.kind == "member" and other.segment is not None]


def _fluid(box: FluidBox) -> str | None:
    """What a box carries or would carry."""
    if box.fluid is not None:
        return box.fluid
    for segment in _segments(box):
        if segment.carried is not None:
            return segment.carried
    return None


def _shut(box: FluidBox) -> bool:
    """Whether a machine's box is closed as long as its recipe uses no fluid."""
    owner = box.owner
    return owner.prototype.fluid_boxes_off_when_no_fluid_recipe and not owner.fluids


def _covers(entity: Any, tile: Tile) -> bool:
    left, top, right, bottom = entity.area
    return left <= tile[0] + 0.5 < right and top <= tile[1] + 0.5 < bottom
