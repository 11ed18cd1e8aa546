"""A world as a drawing: `draw(world)` looks at a world of the simulator and changes nothing in it.

Ground, ore, belts, pipes, wires and loose items are painted together, one path a colour, so that files stay small;
every other entity is a layer of its own whose title says what it is and holds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import ceil, cos, floor, pi, sin
from typing import Any

from fle_ray.errors import ConfigError
from fle_ray.render.drawing import Box, Drawing, Layer, Point
from fle_ray.render.legend import add_legend
from fle_ray.render.palette import fluid_colour, ground_colour, item_colour, machine_colour, mixed
from fle_ray.render.symbols import OUTLINE, describe, draw_absent, draw_character, draw_machine, ore_fill
from fle_ray.sim.lanes import RIGHT, STRAIGHT, TILE, item_offset, vector
from fle_ray.sim.map import CHUNK
from fle_ray.sim.state import unpack
from fle_ray.sim.world import World

__all__ = ["draw", "interesting_box", "world_of"]

MARGIN = 5  # tiles around what there is to see
LEAST_WIDTH, LEAST_HEIGHT = 32, 22
MOST_TILES = 1_000_000
_EMPTY_PIPE = "#c4c8cb"
_BELTS = ("transport-belt", "underground-belt", "splitter")
_PIPES = ("pipe", "pipe-to-ground")
_WATERS = frozenset(map(ground_colour, ("water", "deepwater", "water-shallow")))
_SHADES = 5
# Stones on an ore tile, in three variants: a dark one of four corners and a light one of three.
_GRAINS = (
    (((0.15, 0.3), (0.4, 0.15), (0.5, 0.42), (0.25, 0.5)), ((0.6, 0.85), (0.75, 0.6), (0.9, 0.8))),
    (((0.55, 0.2), (0.85, 0.3), (0.75, 0.55), (0.5, 0.45)), ((0.15, 0.8), (0.3, 0.55), (0.42, 0.78))),
    (((0.3, 0.55), (0.6, 0.5), (0.65, 0.75), (0.35, 0.85)), ((0.65, 0.3), (0.75, 0.1), (0.9, 0.28))),
)
_SAG = 0.045  # of a wire's length


def world_of(state: bytes) -> World:
    """The world of a snapshot, of a world or of an instance. Raises SnapshotError when it is damaged."""
    plain = unpack(state)
    return World.from_state(plain["world"] if "instance" in plain else plain)


def interesting_box(world: World, *, margin: int = MARGIN) -> Box:
    """The part of a world worth looking at: what was built, else where the characters stand, with a margin."""
    boxes = [entity.area for entity in world.entities.values()]
    if not boxes:
        boxes = [(c.x, c.y, c.x, c.y) for c in world.characters] or [(0.0, 0.0, 0.0, 0.0)]
    left, top = min(b[0] for b in boxes) - margin, min(b[1] for b in boxes) - margin
    right, bottom = max(b[2] for b in boxes) + margin, max(b[3] for b in boxes) + margin
    more_x, more_y = max(0.0, LEAST_WIDTH - (right - left)) / 2, max(0.0, LEAST_HEIGHT - (bottom - top)) / 2
    return (floor(left - more_x), floor(top - more_y), ceil(right + more_x), ceil(bottom + more_y))


def draw(world: World, *, box: Box | None = None, legend: bool = False, coordinates: bool = True) -> Drawing:
    """Draw a world from above.

    Args:
        box: left, top, right, bottom in tiles; what was built when None.
        legend: names of the items, fluids, ores and lamps in the picture, in a column on the right.
        coordinates: a mark and a number every ten tiles along the top and left edges.

    Raises:
        ConfigError: the box is empty or holds more than a million tiles.
    """
    box = interesting_box(world) if box is None else box
    left, top, right, bottom = box
    if not (left < right and top < bottom):
        raise ConfigError(f"The box {box} holds nothing: expected left < right and top < bottom, in tiles.")
    if (right - left) * (bottom - top) > MOST_TILES:
        raise ConfigError(f"The box {box} holds more than {MOST_TILES:,} tiles; choose a smaller one.")
    inside = [e for e in world.entities.values() if _meets(e.area, box)]
    seconds = world.tick / 60
    drawing = Drawing(box, ground_colour("concrete"))
    drawing.title = f"{world.scenario} at {seconds:,.1f} s: {len(world.entities)} entities"
    used: set[str] = set()
    _ground(drawing, world)
    used |= _ores(drawing, world)
    _belts(drawing, [e for e in inside if e.prototype.type in _BELTS], used)
    _pipes(drawing, world, [e for e in inside if e.prototype.type in _PIPES], used)
    _naturals(drawing, world)
    flat = (*_BELTS, *_PIPES, "item-entity")
    standing = [e for e in inside if e.prototype.type not in flat]
    standing.sort(key=lambda e: (e.prototype.type == "inserter", e.prototype.type == "electric-pole"))
    for entity in standing:
        draw_machine(drawing.layer(describe(entity)), entity)
        used.update(_shown_by(entity))
    _loose_items(drawing, [e for e in inside if e.prototype.type == "item-entity"], used)
    _wires(drawing, world, box)
    for character in world.characters:
        if _meets((character.x, character.y, character.x, character.y), box, slack=1.0):
            held = ", ".join(f"{name} {count}" for name, count in sorted(character.inventory.items()))
            title = f"agent {character.index} at ({character.x:.1f}, {character.y:.1f})\ncarries: {held or 'nothing'}"
            draw_character(drawing.layer(title), character)
        else:
            title = f"agent {character.index} is at ({character.x:.1f}, {character.y:.1f})"
            draw_absent(drawing.layer(title), character, box)
    if coordinates:
        _coordinates(drawing)
    if legend:
        add_legend(drawing, used)
    return drawing


def _meets(area: Box, box: Box, slack: float = 0.0) -> bool:
    return (
        area[0] < box[2] + slack and area[2] > box[0] - slack and area[1] < box[3] + slack and area[3] > box[1] - slack
    )


def _shown_by(entity: Any) -> Iterable[str]:
    for amounts in entity.contents().values():
        yield from amounts
    recipe = getattr(entity, "recipe", None)
    if recipe is not None:
        yield recipe.main_product or recipe.products[0].name


# -- land ---------------------------------------------------------------------------------------------------------


def _known_tile(world: World, tx: int, ty: int) -> str:
    """Name of a tile; a chunk nobody has looked at is not looked at for a picture's sake either."""
    land = world.map
    if land.terrain.bounds is None and (tx // CHUNK, ty // CHUNK) not in land.explored:
        return "unexplored"
    return land.tile(tx, ty)


def _ground(drawing: Drawing, world: World) -> None:
    """Tiles by colour, equal neighbours in rectangles; the commonest colour is the background."""
    left, top, right, bottom = (
        floor(drawing.box[0]),
        floor(drawing.box[1]),
        ceil(drawing.box[2]),
        ceil(drawing.box[3]),
    )
    rows = [[ground_colour(_known_tile(world, x, y)) for x in range(left, right)] for y in range(top, bottom)]
    counts = Counter(colour for row in rows for colour in row)
    drawing.background = max(sorted(counts), key=lambda colour: counts[colour])
    layer = drawing.layer(merged=True)
    for colour, rectangle in _rectangles(rows, drawing.background):
        x0, y0, x1, y1 = rectangle
        layer.rectangle((left + x0, top + y0, left + x1, top + y1), colour)
    waves = drawing.layer(merged=True)
    for y in range(top, bottom):
        for x in range(left + (3 * y - left) % 5, right, 5):
            colour = rows[y - top][x - left]
            if colour in _WATERS:
                waves.line(((x + 0.1, y + 0.6), (x + 0.3, y + 0.4), (x + 0.5, y + 0.6), (x + 0.7, y + 0.4)),
                           mixed(colour, "#ffffff", 0.4), 0.09)  # fmt: skip


def _rectangles(rows: list[list[str]], leave_out: str) -> list[tuple[str, tuple[int, int, int, int]]]:
    """Runs of equal cells along rows, joined with equal runs below."""
    done = []
    open_runs: dict[tuple[int, int, str], int] = {}  # (from, to, colour) -> first row
    for y, row in enumerate([*rows, []]):
        runs = set()
        start = 0
        for x in range(1, len(row) + 1):
            if x == len(row) or row[x] != row[start]:
                if row[start] != leave_out:
                    runs.add((start, x, row[start]))
                start = x
        for run in [run for run in open_runs if run not in runs]:
            done.append((run[2], (run[0], open_runs.pop(run), run[1], y)))
        for run in sorted(runs):
            open_runs.setdefault(run, y)
    return done


def _ores(drawing: Drawing, world: World) -> set[str]:
    """Ore tiles, paler the less is left (in fifths of the richest tile of its kind in the world)."""
    left, top, right, bottom = drawing.box
    richest: dict[str, int] = {}
    for resource in world.map.resources.values():
        richest[resource.name] = max(richest.get(resource.name, 1), resource.amount)
    rows: dict[int, dict[int, str]] = defaultdict(dict)
    wells = []
    found = set()
    for resource in world.map.resources.values():
        if left - 2 <= resource.x <= right + 2 and top - 2 <= resource.y <= bottom + 2:
            found.add(resource.name)
            if resource.name == "crude-oil":
                wells.append(resource)
                continue
            share = ceil(_SHADES * resource.amount / richest[resource.name]) / _SHADES
            rows[resource.tile[1]][resource.tile[0]] = ore_fill(resource.name, share)
    layer = drawing.layer(merged=True)
    for y in sorted(rows):
        row = rows[y]
        start = previous = None
        for x in [*sorted(row), None]:
            if start is not None and (x is None or x != previous + 1 or row[x] != row[start]):
                layer.rectangle((start, y, previous + 1, y + 1), row[start])
                start = None
            if start is None:
                start = x
            previous = x
    grains = drawing.layer(merged=True)  # so that ore is not taken for floor
    for y in sorted(rows):
        for x in sorted(rows[y]):
            for grain in _GRAINS[(x * 7 + y * 13) % len(_GRAINS)]:
                colour = mixed(rows[y][x], "#000000", 0.14) if len(grain) == 4 else mixed(rows[y][x], "#ffffff", 0.25)
                grains.polygon([(x + dx, y + dy) for dx, dy in grain], colour)
    for well in sorted(wells, key=lambda r: (r.y, r.x)):
        share = well.amount / richest["crude-oil"]
        layer = drawing.layer(f"crude-oil well at ({well.x:g}, {well.y:g}), yield {well.amount / 3000:.0f} %")
        layer.disc(well.x, well.y, 1.25, ore_fill("crude-oil", 0.4 * share), None)
        layer.disc(well.x, well.y, 0.6, ore_fill("crude-oil", share), None)
    return found


def _naturals(drawing: Drawing, world: World) -> None:
    left, top, right, bottom = drawing.box
    layer = drawing.layer(merged=True)
    for natural in world.map.naturals():
        x, y = natural.x, natural.y
        if not (left - 2 < x < right + 2 and top - 2 < y < bottom + 2):
            continue
        if natural.prototype.type == "tree":
            layer.polygon(_blob(x, y - 0.25, 0.72, 8), "#7fa35f", "#55753f", 0.06, 0.9)
        else:
            size = (natural.box[2] - natural.box[0]) * 0.6
            layer.polygon(_blob(x, y, size, 6), "#a39c92", "#6f6a62", 0.08)


def _blob(x: float, y: float, radius: float, corners: int) -> list[Point]:
    """A small polygon about a point, the same for the same corners."""
    points = []
    for k in range(corners):
        dx, dy = _unit(k, corners)
        reach = radius * (1.0 if k % 2 else 0.82)
        points.append((x + dx * reach, y + dy * reach))
    return points


def _unit(k: int, corners: int) -> Point:
    return cos(2 * pi * k / corners), sin(2 * pi * k / corners)


# -- belts --------------------------------------------------------------------------------------------------------


def _belts(drawing: Drawing, belts: list[Any], used: set[str]) -> None:
    bodies, marks, tunnels = drawing.layer(merged=True), drawing.layer(merged=True), drawing.layer(merged=True)
    items = drawing.layer(merged=True)
    for belt in belts:
        colour = machine_colour(belt.name)
        dark = mixed(colour, "#4a3c10", 0.55)
        tick = belt.world.belts.clock()
        for part in belt.parts:
            x, y = part.tile[0] + 0.5, part.tile[1] + 0.5
            _belt_tile(bodies, marks, part, x, y, colour, dark)
            if part.partner is not None and part.kind == "entrance":
                other = part.partner.tile
                tunnels.line(((x, y), (other[0] + 0.5, other[1] + 0.5)), dark, 0.14, 0.75, 0.35)
            for lane in (0, 1):
                for item, position in part.items(lane, tick):
                    if 0 <= position <= part.lengths[lane] and not (part.kind != "belt" and position > TILE):
                        dx, dy = item_offset(part.shape, part.direction, lane, position)
                        at = (x + dx / TILE, y + dy / TILE)
                        used.add(item)
                        items.rectangle(
                            (at[0] - 0.12, at[1] - 0.12, at[0] + 0.12, at[1] + 0.12), item_colour(item), OUTLINE, 0.03
                        )


def _belt_tile(bodies: Layer, marks: Layer, part: Any, x: float, y: float, colour: str, dark: str) -> None:
    ux, uy = vector(part.direction)
    bodies.rectangle((x - 0.5, y - 0.5, x + 0.5, y + 0.5), colour)
    sx, sy = -uy, ux
    if part.shape == STRAIGHT:
        for side in (-0.47, 0.47):
            marks.line(
                ((x - ux / 2 + sx * side, y - uy / 2 + sy * side), (x + ux / 2 + sx * side, y + uy / 2 + sy * side)),
                dark, 0.06,
            )  # fmt: skip
        _chevron(marks, x, y, ux, uy, dark)
    else:
        turn = 4 if part.shape == RIGHT else -4
        vx, vy = vector((part.direction - turn) % 16)  # the way items come in
        inner = (x - vx / 2 + ux / 2, y - vy / 2 + uy / 2)
        for reach in (0.06, 0.94):
            marks.line(_quarter(inner, (-ux, -uy), (vx, vy), reach), dark, 0.06)
        _chevron(marks, x + (ux - vx) * 0.06, y + (uy - vy) * 0.06, (ux + vx) * 0.7071, (uy + vy) * 0.7071, dark)
    if part.kind in ("entrance", "exit"):
        back = 1 if part.kind == "entrance" else -1
        mouth = (
            (x + sx * 0.5, y + sy * 0.5),
            (x - sx * 0.5, y - sy * 0.5),
            (x - sx * 0.36 + ux * 0.5 * back, y - sy * 0.36 + uy * 0.5 * back),
            (x + sx * 0.36 + ux * 0.5 * back, y + sy * 0.36 + uy * 0.5 * back),
        )
        marks.polygon(mouth, "#4f4a42", OUTLINE, 0.06)
    elif part.kind == "splitter":
        marks.polygon(
            (
                (x + sx * 0.46 - ux * 0.16, y + sy * 0.46 - uy * 0.16),
                (x - sx * 0.46 - ux * 0.16, y - sy * 0.46 - uy * 0.16),
                (x - sx * 0.46 + ux * 0.16, y - sy * 0.46 + uy * 0.16),
                (x + sx * 0.46 + ux * 0.16, y + sy * 0.46 + uy * 0.16),
            ),
            mixed(colour, "#6b5c30", 0.5),
            OUTLINE,
            0.06,
        )


def _chevron(layer: Layer, x: float, y: float, ux: float, uy: float, colour: str) -> None:
    sx, sy = -uy, ux
    layer.line(
        (
            (x - ux * 0.14 + sx * 0.24, y - uy * 0.14 + sy * 0.24),
            (x + ux * 0.14, y + uy * 0.14),
            (x - ux * 0.14 - sx * 0.24, y - uy * 0.14 - sy * 0.24),
        ),
        colour,
        0.1,
    )


def _quarter(centre: Point, start: Point, end: Point, radius: float) -> list[Point]:
    """A quarter circle from one unit direction to the other."""
    points = []
    for k in range(5):
        c, s = cos(pi / 2 * k / 4), sin(pi / 2 * k / 4)
        points.append(
            (centre[0] + radius * (start[0] * c + end[0] * s), centre[1] + radius * (start[1] * c + end[1] * s))
        )
    return points


# -- pipes, items, wires ------------------------------------------------------------------------------------------


def _pipes(drawing: Drawing, world: World, pipes: list[Any], used: set[str]) -> None:
    """Casings with the fluid inside, joined where the pipes are."""
    ends = {
        point
        for entity in world.entities.values()
        for box in getattr(entity, "fluid_boxes", ())
        for point, record in box.points()
        if record.connection_type == "normal"
    }
    casing, inside, tunnels = drawing.layer(merged=True), drawing.layer(merged=True), drawing.layer(merged=True)
    joints = drawing.layer(merged=True)
    for pipe in pipes:
        (box,) = pipe.fluid_boxes
        carried = box.content or (box.segment.carried if box.segment is not None else None)
        colour = fluid_colour(carried) if carried else _EMPTY_PIPE
        if carried:
            used.add(carried)
            if not box.content:  # it runs dry, but this is what may flow in it
                colour = mixed(colour, _EMPTY_PIPE, 0.5)
        x, y = floor(pipe.x) + 0.5, floor(pipe.y) + 0.5
        joints.rectangle((x - 0.24, y - 0.24, x + 0.24, y + 0.24), colour, "#5a6065", 0.07)
        for (tx, ty, side), record in box.points():
            dx, dy = vector(side)
            if record.connection_type == "underground":
                other = pipe.neighbour
                if other is not None and other.number > pipe.number:
                    tunnels.line(((x, y), (other.x, other.y)), "#5a6065", 0.16, 0.8, 0.35)
                marks = joints
                marks.line(((x, y), (x + dx * 0.42, y + dy * 0.42)), "#5a6065", 0.5)
            elif (tx + dx, ty + dy, (side + 8) % 16) in ends:
                casing.line(((x, y), (x + dx / 2, y + dy / 2)), "#5a6065", 0.42)
                inside.line(((x, y), (x + dx / 2, y + dy / 2)), colour, 0.26)


def _loose_items(drawing: Drawing, piles: list[Any], used: set[str]) -> None:
    layer = drawing.layer(merged=True)
    for pile in piles:
        x, y = pile.x, pile.y
        used.add(pile.item)
        layer.polygon(
            ((x, y - 0.17), (x + 0.17, y), (x, y + 0.17), (x - 0.17, y)), item_colour(pile.item), OUTLINE, 0.04
        )


def _wires(drawing: Drawing, world: World, box: Box) -> None:
    """Wires between poles, hanging a little."""
    layer = drawing.layer(merged=True)
    poles = {e.number: e for e in world.entities.values() if e.prototype.type == "electric-pole"}
    for pole in poles.values():
        for number in pole.wires:
            other = poles[number]
            if number > pole.number and _meets(_hull(pole.position, other.position), box):
                (x0, y0), (x1, y1) = pole.position, other.position
                sag = _SAG * ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
                curve = [
                    (x0 + (x1 - x0) * t, y0 + (y1 - y0) * t + 4 * sag * t * (1 - t)) for t in (0, 0.25, 0.5, 0.75, 1)
                ]
                layer.line(curve, "#b5622d", 0.09, 0.9)


def _hull(a: Point, b: Point) -> Box:
    return min(a[0], b[0]), min(a[1], b[1]) - 1, max(a[0], b[0]) + 0.01, max(a[1], b[1]) + 1


def _coordinates(drawing: Drawing) -> None:
    """Ticks and numbers every ten tiles (fewer in large pictures), as programs write positions."""
    left, top, right, bottom = drawing.box
    unit = max(drawing.width, drawing.height) / 75
    step = next(s for s in (5, 10, 20, 50, 100, 200, 500) if s >= 8 * unit)
    ticks, numbers = drawing.layer(merged=True), drawing.layer()
    for x in range(ceil(left / step) * step, ceil(right), step):
        ticks.polygon(((x - unit * 0.2, top), (x + unit * 0.2, top), (x, top + unit * 0.4)), OUTLINE)
        if left + unit * 1.4 < x < right - unit * 1.2:
            numbers.text(x, top + unit * 0.95, str(x), unit, OUTLINE)
    for y in range(ceil(top / step) * step, ceil(bottom), step):
        ticks.polygon(((left, y - unit * 0.2), (left, y + unit * 0.2), (left + unit * 0.4, y)), OUTLINE)
        if top + unit * 2 < y < bottom - unit:
            numbers.text(left + unit * 0.65, y, str(y), unit, OUTLINE, anchor="start")
