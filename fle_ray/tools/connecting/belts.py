"""Belts: from where items come to where they are wanted, each belt facing the next.

A belt starts where items lie or will be laid: at the end of a line that stands, at the spot an inserter or a drill
drops on, or at a bare place. It ends by leading into a belt, at the spot an inserter takes from, or at a place.
Lines that stand are only ever added to: the last belt of one may be turned, nothing else of it changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import floor
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.sim.belt import Carrier
from fle_ray.sim.belts import BELT, ENTRANCE, EXIT, SPLITTER, Part
from fle_ray.tools.belt_details import feeders, following
from fle_ray.tools.connecting import route as routes
from fle_ray.tools.connecting.ends import End
from fle_ray.tools.connecting.materials import Tier
from fle_ray.tools.connecting.plan import Piece, Plan, Sketch
from fle_ray.tools.connecting.route import ANY_WAY, WAYS, Goal, Leg, Start, Tile, find, opposite, step, straight, way_to
from fle_ray.tools.connecting.tunnels import cut

__all__ = ["BeltPlanner", "Tail"]

_UNWANTED = 3_000  # thousandths of a tile: how far a belt goes round a spot it should leave free


@dataclass(slots=True)
class Tail:
    """Where one pair's line ended: a planned piece of `plan`, or parts that stand."""

    tile: Tile
    plan: Plan | None = None
    parts: tuple[Part, ...] = ()


@dataclass(slots=True)
class _Ends:
    """Starts or goals, and the parts that stand there."""

    spots: list[Any]
    parts: list[Part]


class BeltPlanner:
    """Plans belts on a sketch, pair by pair.

    Args:
        tunnels: pairs of underground belts that may be used, over all pairs of waypoints.
    """

    def __init__(self, sketch: Sketch, tier: Tier, tunnels: int) -> None:
        self.sketch = sketch
        self.world = sketch.world
        self.belts = sketch.world.belts
        self.tier = tier
        self.reach = tier.reach
        self.tunnels = tunnels
        self.belt = sketch.world.data.entities[tier.surface]
        self.under = sketch.world.data.entities[tier.underground] if tier.underground else None
        self._own: set[Tile] = set()  # ends of lines the new one continues
        self._continued: set[Tile] = set()  # ends of lines that an earlier pair continued

    # -- a ground for routes ----------------------------------------------------------------------------------

    def surface(self, tile: Tile) -> int | None:
        if not self.sketch.clear(self.belt, tile):
            return None
        cost = 0
        if self.world.fluids.facing(*tile):
            cost += _UNWANTED  # a connection point
        parts = self.belts.parts
        for way in range(4):
            beside = step(tile, way)
            part = parts.get(beside)
            if part is not None and part.kind != ENTRANCE and part.ahead == tile and beside not in self._own:
                cost += _UNWANTED  # another line would run into this one
        return cost

    def opening(self, tile: Tile, way: int, entrance: bool) -> bool:
        return self.under is not None and self.sketch.clear(self.under, tile)

    def tunnel(self, entrance: Tile, exit_: Tile, way: int) -> bool:
        length = abs(exit_[0] - entrance[0]) + abs(exit_[1] - entrance[1])
        for distance in range(1, length):
            if self._same_kind(step(entrance, way, distance), way):
                return False
        for tile, away, kind in ((entrance, opposite(way), ENTRANCE), (exit_, way, EXIT)):
            for distance in range(1, self.reach):
                part = self._same_kind(step(tile, away, distance), way)
                if isinstance(part, Part):
                    if part.kind == kind and part.partner is not None:
                        return False  # a pair that spans this one's end would be torn apart
                    break
        return True

    def _same_kind(self, tile: Tile, way: int) -> Part | bool:
        """An end of an underground belt of this kind on a tile, facing along the line (planned ones: True)."""
        piece = self.sketch.planned.get(tile)
        if piece is not None and self.under is not None and piece.name == self.under.name:
            return piece.direction % 8 == way * 4 % 8
        part = self.belts.parts.get(tile)
        if part is not None and part.owner.prototype is self.under and part.direction == way * 4:
            return part
        return False

    # -- planning ------------------------------------------------------------------------------------------------

    def plan(self, source: End | Tail, target: End) -> tuple[Plan, Tail]:
        """The belts from `source` (a waypoint, or where the last pair ended) to `target`."""
        begin = self._tail(source) if isinstance(source, Tail) else self._begin(source)
        end = self._end(target)
        loop = not isinstance(source, Tail) and bool(source.members and target.members) and _share(begin, end)
        reached = self._reached(begin.parts)
        met = [part for part in end.parts if part in reached]
        if met and not (loop and self._ends(begin.parts)):
            return Plan(member=begin.parts[0].tile), Tail(met[0].tile, None, (met[0],))
        if begin.parts and not begin.spots:
            raise ToolError(
                "the belt that items come from runs in a circle and has no end to go on from: pick up one of its "
                "belts, or put in a splitter and use that as the source."
            )
        self._own = {start.tile for start in begin.spots}
        legs = self._route(begin.spots, end.spots)
        if legs is None and target.members:
            legs = self._route(begin.spots, [g for part in self._line(end.parts) for g in _goals(part)])
        if legs is None:
            raise ToolError(self._no_way())
        self.tunnels -= sum(leg.role == routes.ENTRANCE for leg in legs)
        return self._planned(legs, source, target)

    def _route(self, starts: list[Start], goals: list[Goal]) -> list[Leg] | None:
        if self.tier.buried:
            legs = self._buried(starts, goals)
            if legs is not None:
                return legs
        legs = find(starts, goals, self, tunnels=self.tunnels)
        if legs is None or not self.reach:
            return legs
        used = sum(leg.role == routes.ENTRANCE for leg in legs)
        return cut(legs, self, self.tunnels - used)

    def _buried(self, starts: list[Start], goals: list[Goal]) -> list[Leg] | None:
        """Nothing but tunnels in a straight line, where that is possible."""
        best: list[Leg] | None = None
        for start in starts:
            for goal in goals:
                way = way_to(start.tile, goal.tile)
                if way is None or way not in start.ways or way not in goal.ways:
                    continue
                length = abs(goal.tile[0] - start.tile[0]) + abs(goal.tile[1] - start.tile[1])
                first, last = (0 if start.laid else 1), (length if goal.laid else length - 1)
                tiles = [step(start.tile, way, k) for k in range(first, last + 1)]
                legs = straight(tiles, way, self)
                if legs is None:
                    continue
                if not start.laid:
                    legs.insert(0, Leg(start.tile, way, routes.STAND))
                if not goal.laid:
                    legs.append(Leg(goal.tile, way, routes.STAND))
                if best is None or len(legs) < len(best):
                    best = legs
        return best

    def _no_way(self) -> str:
        text = "no way is free for belts: something stands, or water lies, on every route"
        if not self.reach:
            return text + ". Add an underground belt to the connection type to pass below things, or give waypoints."
        if not self.tunnels:
            return text + ". With underground belts in the inventory they can pass below things."
        return text + ". Make room, or give waypoints."

    def _planned(self, legs: list[Leg], source: End | Tail, target: End) -> tuple[Plan, Tail]:
        plan = Plan(member=legs[0].tile, ends=(legs[0].tile, legs[-1].tile))
        if len(legs) == 1 and not isinstance(source, Tail):
            legs = [legs[0]._replace(way=_away(source, legs[0].tile))]
        for leg in legs:
            centre = (leg.tile[0] + 0.5, leg.tile[1] + 0.5)
            plan.walk.append(centre)
            if leg.role == routes.SURFACE:
                plan.pieces.append(Piece(self.belt.name, leg.tile, centre, leg.way * 4))
            elif leg.role != routes.STAND and self.under is not None:
                plan.pieces.append(Piece(self.under.name, leg.tile, centre, leg.way * 4, leg.role == routes.EXIT))
        if legs[0].role == routes.STAND:
            self._continued.add(legs[0].tile)
            self._turn(plan, source, legs[0])
        if legs[-1].role == routes.STAND:
            part = self.belts.parts.get(legs[-1].tile)
            return plan, Tail(legs[-1].tile, None, (part,) if part is not None else ())
        return plan, Tail(legs[-1].tile, plan)

    def _turn(self, plan: Plan, source: End | Tail, leg: Leg) -> None:
        """The belt that the line goes on from faces its first step."""
        direction = leg.way * 4
        if isinstance(source, Tail) and source.plan is not None:
            pieces = source.plan.pieces
            for index, piece in enumerate(pieces):
                if piece.tile == leg.tile and piece.direction != direction:
                    pieces[index] = self.sketch.planned[leg.tile] = replace(piece, direction=direction)
            return
        part = self.belts.parts[leg.tile]
        if part.direction != direction:
            plan.turns.append((part.owner, direction))

    # -- where lines begin ----------------------------------------------------------------------------------------

    def _tail(self, tail: Tail) -> _Ends:
        if tail.plan is None:
            parts = list(tail.parts)
            return _Ends(self._starts(parts), parts)
        piece = self.sketch.planned[tail.tile]
        way = piece.direction // 4
        ways = frozenset({way}) if piece.exit else ANY_WAY - {opposite(way)}
        if len(tail.plan.pieces) == 1 and not piece.exit:
            ways = ANY_WAY
        return _Ends([Start(tail.tile, False, ways, heading=way)], [])

    def _begin(self, end: End) -> _Ends:
        if end.bare:
            return self._place_to_begin(end, end.tile)
        parts: list[Part] = []
        for thing in end.things():
            if isinstance(thing, Carrier):
                parts += thing.parts
                continue
            spot = self._dropped_at(thing)
            if spot is None:
                raise ToolError(_needs_inserter(thing, source=True))
            return self._place_to_begin(end, spot)
        return _Ends(self._starts(parts), parts)

    def _place_to_begin(self, end: End, tile: Tile) -> _Ends:
        tile = self._landed(end, tile)
        part = self.belts.parts.get(tile)
        if part is not None:
            return _Ends(self._starts([part]), [part])
        return _Ends([Start(tile, dives=ANY_WAY)], [])

    def _starts(self, parts: Iterable[Part]) -> list[Start]:
        """From the ends that items on some parts get to."""
        found = []
        for part in self._ends(parts):
            way = part.direction // 4
            if part.kind == ENTRANCE:
                continue
            ways = frozenset({way})
            if part.kind == BELT:
                taken = {_way_from(part.tile, other.tile) for other in feeders(self.belts, part)}
                ways = ANY_WAY - taken
            found.append(Start(part.tile, False, ways, heading=way))
        return found

    def _ends(self, parts: Iterable[Part]) -> list[Part]:
        reached = self._reached(parts)
        ends = (p for p in reached if following(self.belts, p) is None and p.tile not in self._continued)
        return sorted(ends, key=lambda p: p.key)

    def _reached(self, parts: Iterable[Part]) -> dict[Part, None]:
        """Every part that items on some parts can get to, themselves included."""
        found: dict[Part, None] = {}
        todo = list(parts)
        while todo:
            part = todo.pop()
            if part in found:
                continue
            found[part] = None
            if part.kind == SPLITTER:
                todo += part.owner.parts
            after = following(self.belts, part)
            if after is not None:
                todo.append(after)
        return found

    # -- where lines end ---------------------------------------------------------------------------------------------

    def _end(self, end: End) -> _Ends:
        if end.bare:
            return self._place_to_end(end, end.tile)
        parts: list[Part] = []
        for thing in end.things():
            if isinstance(thing, Carrier):
                parts += thing.parts
                continue
            if thing.prototype.type == "inserter":
                x, y = thing.pickup_position
                return self._place_to_end(end, (floor(x), floor(y)))
            spot = self._dropped_at(thing)
            if spot is None:
                raise ToolError(_needs_inserter(thing, source=False))
            return self._place_to_end(end, spot)
        if end.members:
            inputs = [part for part in parts if next(feeders(self.belts, part), None) is None]
            return _Ends([goal for part in inputs or parts for goal in _goals(part)], parts)
        return _Ends([goal for part in parts for goal in _goals(part)], parts)

    def _place_to_end(self, end: End, tile: Tile) -> _Ends:
        tile = self._landed(end, tile)
        part = self.belts.parts.get(tile)
        if part is not None:
            return _Ends(_goals(part), [part])
        piece = self.sketch.planned.get(tile)
        if piece is not None and piece.name == self.belt.name:
            return _Ends([Goal(tile, False, ANY_WAY - {opposite(piece.direction // 4)})], [])
        return _Ends([Goal(tile, rises=ANY_WAY)], [])

    def _line(self, parts: Iterable[Part]) -> list[Part]:
        """The surface belts among some parts, which take items from the side."""
        return [part for part in parts if part.kind == BELT]

    def _dropped_at(self, thing: Any) -> Tile | None:
        """The tile an inserter or a drill drops on."""
        kind = thing.prototype.type
        if kind == "inserter":
            x, y = thing.drop_position
        elif kind == "mining-drill" and thing.prototype.output_fluid_box is None:
            x, y = thing.drop
        else:
            return None
        return floor(x), floor(y)

    def _landed(self, end: End, tile: Tile) -> Tile:
        """The tile, if it is free or holds a belt; a bare place on water or a tree is moved to the nearest such."""
        if self.belts.parts.get(tile) is not None or self.sketch.stands(self.belt, tile):
            return tile
        if end.bare:
            found = self.sketch.landed(self.belt, tile)
            if found is not None:
                return found
        elif self.sketch.clear(self.belt, tile):
            return tile
        blocker = self.sketch.blocker(self.belt, tile)
        if end.bare:
            raise ToolError(f"{end.shown} is not free: {blocker} is there. Choose a free place.")
        raise ToolError(
            f"the spot of {end.shown} at ({tile[0] + 0.5:g}, {tile[1] + 0.5:g}) is already occupied by incompatible "
            f"entities: {blocker}. A belt has to fit there: remove what is in the way, or turn the "
            f"{end.things()[0].name}."
        )


def _goals(part: Part) -> list[Goal]:
    """How a line can lead into a part."""
    way = part.direction // 4
    if part.kind == BELT:
        return [Goal(part.tile, False, ANY_WAY - {opposite(way)})]
    if part.kind == EXIT:
        if part.partner is not None:
            return _goals(part.partner)
        return [Goal(part.tile, False, ANY_WAY - {way, opposite(way)})]
    return [Goal(part.tile, False, frozenset({way}))]


def _share(a: _Ends, b: _Ends) -> bool:
    parts = set(a.parts)
    return any(part in parts for part in b.parts)


def _way_from(tile: Tile, other: Tile) -> int:
    """The way to a tile beside, or far off on a tunnel's line."""
    way = way_to(tile, other)
    return -1 if way is None else way


def _away(source: End, tile: Tile) -> int:
    """The way that leads off from a source onto the tile beside it."""
    x, y = source.position
    dx, dy = tile[0] + 0.5 - x, tile[1] + 0.5 - y
    if max(abs(dx), abs(dy)) < 0.5:
        return 0
    if abs(dx) >= abs(dy):
        return WAYS.index((1 if dx > 0 else -1, 0))
    return WAYS.index((0, 1 if dy > 0 else -1))


def _needs_inserter(thing: Any, *, source: bool) -> str:
    """Why no belt can start or end at a machine, and what does it."""
    verb, role = ("start", "source") if source else ("end", "target")
    text = f"no belt can {verb} straight at {thing.name} at ({thing.x:g}, {thing.y:g}): "
    left, top, right, bottom = thing.box
    for other in thing.world.find((left - 2, top - 2, right + 2, bottom + 2)):
        if other.prototype.type == "inserter" and (other.pickup if source else other.drop) is thing:
            does = "takes things out of it" if source else "puts things into it"
            return text + f"use the {other.name} at ({other.x:g}, {other.y:g}), which {does}, as the {role}."
    does = "take things out of" if source else "put things into"
    return text + (
        f"an inserter has to {does} it. Place one beside it, e.g. place_entity_next_to(Prototype.BurnerInserter, "
        f"Position(x={thing.x:g}, y={thing.y:g}), Direction.RIGHT)"
        + ("" if source else ", turn it with rotate_entity to face the machine")
        + f", and use that inserter as the {role}."
    )
