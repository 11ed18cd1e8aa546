"""One symbol per kind of entity: its footprint, which way it works, what it makes or holds, how it is doing.

Every function takes a layer and an entity of the simulator and only looks. The symbols are our own: plain shapes,
short codes and colours of `palette.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from typing import Any

from fle_ray.game.prototypes import rotate
from fle_ray.render.drawing import Layer, Point
from fle_ray.render.palette import code_of, fluid_colour, ink_on, item_colour, machine_colour, mixed, ore_colour

__all__ = [
    "LAMPS",
    "OUTLINE",
    "chip",
    "describe",
    "draw_absent",
    "draw_character",
    "draw_machine",
    "made_by",
    "ore_fill",
]

OUTLINE = "#3a3632"
_SHADE = "#000000"

_GOOD = frozenset({"working", "normal", "charging", "discharging", "fully_charged"})
_STOPPED = frozenset(
    {
        "no_power",
        "not_plugged_in_electric_network",
        "no_fuel",
        "no_recipe",
        "no_minable_resources",
        "recipe_not_researched",
        "pipeline_overextended",
        "not_connected",
    }
)
LAMPS = {"good": ("#46b450", "working"), "waiting": ("#f2c230", "waiting"), "stopped": ("#dc3c32", "cannot work")}
"""State -> colour of its lamp, and what the legend calls it."""

_QUIET = frozenset({"container", "logistic-container", "electric-pole", "wall", "storage-tank", "gate", "heat-pipe"})
"""Types that have no work to do, so no lamp."""

_FACING = frozenset(
    {"inserter", "mining-drill", "boiler", "generator", "pump", "offshore-pump", "assembling-machine", "storage-tank"}
)
"""Types for which it matters which way they face."""

_COMPASS = {0: "north", 4: "east", 8: "south", 12: "west"}


# -- what it says -------------------------------------------------------------------------------------------------


def is_pumpjack(entity: Any) -> bool:
    """Whether it draws a fluid from a well, as the game's mining drills with an outlet do."""
    return entity.prototype.type == "mining-drill" and entity.prototype.output_fluid_box is not None


def made_by(entity: Any) -> str | None:
    """The item or fluid an entity makes now, None for none."""
    kind = entity.prototype.type
    if kind == "mining-drill":
        if is_pumpjack(entity):
            return entity.resource.name
        if entity.held is not None:
            return entity.held
        target = entity.resource()
        return target.name if target is not None else None
    recipe = getattr(entity, "recipe", None)
    if recipe is not None:
        return recipe.main_product or recipe.products[0].name
    if kind == "furnace":
        if entity.product is not None:
            return entity.product[0]
        if entity.craft is not None:
            return entity.world.data.recipe(entity.craft).products[0].name
    return None


def describe(entity: Any) -> str:
    """Name, place, status and contents, one fact a line."""
    facing = _COMPASS.get(entity.direction) if entity.prototype.type in _FACING else None
    lines = [f"{entity.name} at ({entity.x:g}, {entity.y:g})" + (f", facing {facing}" if facing else "")]
    if entity.prototype.type not in _QUIET:
        lines.append(f"status: {entity.status}")
    made = made_by(entity)
    if made is not None:
        lines.append(f"makes: {made}")
    for inventory, amounts in entity.contents().items():
        lines.append(f"{inventory}: " + ", ".join(f"{name} {amount:g}" for name, amount in amounts.items()))
    return "\n".join(lines)


def _lamp(entity: Any) -> str:
    status = entity.status
    return LAMPS["good" if status in _GOOD else "stopped" if status in _STOPPED else "waiting"][0]


# -- small shapes -------------------------------------------------------------------------------------------------


def _turned(points: tuple[Point, ...], x: float, y: float, direction: int) -> list[Point]:
    """Points given for facing north, on the map."""
    quarter = direction % 16 // 4 * 4
    return [(x + dx, y + dy) for dx, dy in (rotate(point, quarter) for point in points)]


def _gear(radius: float, teeth: int = 8) -> tuple[Point, ...]:
    points = []
    for k in range(teeth * 4):
        reach = radius if k % 4 < 2 else radius * 0.76
        angle = 2 * pi * (k + 0.5) / (teeth * 4)
        points.append((reach * cos(angle), reach * sin(angle)))
    return tuple(points)


_GEAR = _gear(1.0)
_FLAME = ((0, -1), (0.35, -0.35), (0.7, 0.2), (0.5, 0.8), (0, 1), (-0.5, 0.8), (-0.7, 0.2), (-0.2, 0.05), (-0.25, -0.5))
_BOLT = ((0.15, -1), (-0.55, 0.15), (-0.05, 0.15), (-0.2, 1), (0.55, -0.25), (0.05, -0.25), (0.4, -1))
_FLASK = ((-0.25, -1), (0.25, -1), (0.25, -0.3), (0.8, 0.8), (0.6, 1), (-0.6, 1), (-0.8, 0.8), (-0.25, -0.3))
_DROP = ((0, -1), (0.55, -0.1), (0.62, 0.4), (0.35, 0.85), (0, 1), (-0.35, 0.85), (-0.62, 0.4), (-0.55, -0.1))
_ARROW = ((0, -0.5), (0.42, 0.1), (0.15, 0.1), (0.15, 0.5), (-0.15, 0.5), (-0.15, 0.1), (-0.42, 0.1))


def _icon(
    layer: Layer, points: tuple[Point, ...], x: float, y: float, size: float, fill: str, opacity: float = 1.0
) -> None:
    layer.polygon([(x + dx * size, y + dy * size) for dx, dy in points], fill, opacity=opacity)


def chip(layer: Layer, name: str, x: float, y: float, size: float) -> None:
    """An item or fluid: a square (a disc for a fluid) in its colour with its code."""
    colour = item_colour(name)
    half = size / 2
    layer.rectangle((x - half, y - half, x + half, y + half), colour, OUTLINE, size * 0.07)
    code = code_of(name)
    layer.text(x, y, code, size * (0.5 if len(code) < 3 else 0.38), ink_on(colour), bold=True)


def _body(layer: Layer, entity: Any, fill: str | None = None, inset: float = 0.08) -> tuple[float, float, float, float]:
    left, top, right, bottom = entity.area
    left, top, right, bottom = box = (left + inset, top + inset, right - inset, bottom - inset)
    cut = 0.18 if min(right - left, bottom - top) > 1 else 0.1
    corners = (
        (left + cut, top),
        (right - cut, top),
        (right, top + cut),
        (right, bottom - cut),
        (right - cut, bottom),
        (left + cut, bottom),
        (left, bottom - cut),
        (left, top + cut),
    )
    layer.polygon(corners, fill or machine_colour(entity.name), OUTLINE, 0.09)
    return box


def _status_lamp(layer: Layer, entity: Any) -> None:
    if entity.prototype.type in _QUIET:
        return
    left, top, right, bottom = entity.area
    radius = 0.2 if min(right - left, bottom - top) > 1 else 0.11
    layer.disc(right - radius - 0.16, top + radius + 0.16, radius, _lamp(entity), OUTLINE, 0.05)


def _ports(layer: Layer, entity: Any) -> None:
    """Where fluids go in and out: a tab on the edge in the fluid's colour."""
    for box in getattr(entity, "fluid_boxes", ()):
        content = box.content or box.fluid
        if content is None and box.kind in ("input", "output"):
            continue  # the recipe has no use for it
        colour = fluid_colour(content) if content else "#8a8f94"
        for (tx, ty, side), _ in box.points():
            x, y = tx + 0.5, ty + 0.5
            tab = ((-0.22, -0.5), (0.22, -0.5), (0.22, -0.26), (-0.22, -0.26))
            layer.polygon(_turned(tab, x, y, side), colour, OUTLINE, 0.05)


# -- machines -----------------------------------------------------------------------------------------------------


def _crafter(layer: Layer, entity: Any) -> None:
    left, top, right, bottom = _body(layer, entity)
    side = min(right - left, bottom - top)
    _icon(layer, _GEAR, entity.x, entity.y, side * 0.42, mixed(machine_colour(entity.name), _SHADE, 0.28))
    _ports(layer, entity)
    if made := made_by(entity):
        chip(layer, made, entity.x, entity.y, min(1.5, side * 0.52))


def _furnace(layer: Layer, entity: Any) -> None:
    left, top, right, bottom = _body(layer, entity)
    side = min(right - left, bottom - top)
    hot = entity.status == "working"
    _icon(layer, _FLAME, entity.x, entity.y + side * 0.06, side * 0.36, "#f0862e" if hot else "#6b5f57")
    if made := made_by(entity):
        chip(layer, made, left + side * 0.29, bottom - side * 0.27, side * 0.42)


def _drill(layer: Layer, entity: Any) -> None:
    left, top, right, bottom = _body(layer, entity)
    side = right - left
    _icon(layer, _gear(1.0, 3), entity.x, entity.y, side * 0.33, mixed(machine_colour(entity.name), _SHADE, 0.4))
    _ports(layer, entity)
    if made := made_by(entity):
        chip(layer, made, entity.x, entity.y, min(1.1, side * 0.4))
    drop = getattr(entity, "drop", None)
    if drop is not None:
        half = entity.area[2] - entity.x
        tip = _turned(((0, -half - 0.32), (0.34, -half + 0.12), (-0.34, -half + 0.12)), 0.0, 0.0, entity.direction)
        along = entity.direction // 4 * 4
        # On the side it faces, level with the point where it drops.
        dx, dy = (drop[0] - entity.x, 0.0) if along in (0, 8) else (0.0, drop[1] - entity.y)
        layer.polygon([(entity.x + dx + px, entity.y + dy + py) for px, py in tip], "#f2e6c9", OUTLINE, 0.06)


def _pumpjack(layer: Layer, entity: Any) -> None:
    _body(layer, entity)
    _icon(layer, _DROP, entity.x, entity.y, 0.8, fluid_colour("crude-oil"))
    _ports(layer, entity)


def _chest(layer: Layer, entity: Any) -> None:
    left, top, right, bottom = _body(layer, entity, inset=0.1)
    held: dict[str, float] = {}
    for amounts in entity.contents().values():
        for name, amount in amounts.items():
            held[name] = held.get(name, 0) + amount
    if held:
        most = max(sorted(held), key=lambda name: held[name])
        chip(layer, most, entity.x, entity.y - 0.08, 0.5)
        layer.text(entity.x, bottom - 0.13, _short(sum(held.values())), 0.26, ink_on(machine_colour(entity.name)))
    else:
        layer.line(((left + 0.12, entity.y), (right - 0.12, entity.y)), OUTLINE, 0.06)


def _short(number: float) -> str:
    return f"{number:g}" if number < 1000 else f"{number / 1000:.1f}k" if number < 10_000 else f"{number / 1000:.0f}k"


def _inserter(layer: Layer, entity: Any) -> None:
    """Base, a line from where it picks up to where it drops, and the arm with what it holds."""
    colour = machine_colour(entity.name)
    record = entity.prototype.inserter
    pick, drop = (_turned((point,), entity.x, entity.y, entity.direction)[0] for point in
                  (record.pickup_position, record.insert_position))  # fmt: skip
    layer.disc(entity.x, entity.y, 0.3, mixed(colour, "#ffffff", 0.35), OUTLINE, 0.06)
    layer.line((pick, (entity.x, entity.y)), mixed(colour, _SHADE, 0.25), 0.16)
    layer.disc(pick[0], pick[1], 0.13, mixed(colour, _SHADE, 0.25))
    ux, uy = (drop[0] - entity.x), (drop[1] - entity.y)
    length = (ux * ux + uy * uy) ** 0.5
    ux, uy = ux / length, uy / length
    head = length - 0.25
    layer.line(((entity.x, entity.y), (entity.x + ux * (head - 0.2), entity.y + uy * (head - 0.2))), colour, 0.16)
    tip = ((0, -head - 0.12), (0.27, -head + 0.28), (-0.27, -head + 0.28))
    layer.polygon(_turned(tip, entity.x, entity.y, entity.direction + 8), colour, OUTLINE, 0.05)
    if entity.held is not None:
        entity.settle(entity.world.tick)
        angle = 2 * pi * entity.pose.turn
        reach = entity.pose.length
        chip(layer, entity.held, entity.x + reach * sin(angle), entity.y - reach * cos(angle), 0.36)


def _pole(layer: Layer, entity: Any) -> None:
    left, top, right, bottom = entity.area
    reach = (right - left) * 0.3
    colour = machine_colour(entity.name)
    if entity.name == "substation":
        _body(layer, entity)
        _icon(layer, _BOLT, entity.x, entity.y, 0.6, "#f2d648")
        return
    layer.line(((entity.x - reach, entity.y - reach), (entity.x + reach, entity.y + reach)), colour, 0.14)
    layer.line(((entity.x - reach, entity.y + reach), (entity.x + reach, entity.y - reach)), colour, 0.14)
    layer.disc(entity.x, entity.y, reach * 0.62, colour, OUTLINE, 0.06)


def _tank(layer: Layer, entity: Any) -> None:
    left, _, right, _ = _body(layer, entity)
    radius = (right - left) * 0.36
    layer.disc(entity.x, entity.y, radius, "#8f979c", OUTLINE, 0.06)
    for box in entity.fluid_boxes:
        if box.content and box.amount > 0:
            share = min(1.0, box.amount / box.volume)
            layer.disc(entity.x, entity.y, radius * max(0.15, share**0.5), fluid_colour(box.content))
    _ports(layer, entity)


def _boiler(layer: Layer, entity: Any) -> None:
    _body(layer, entity)
    hot = entity.status == "working"
    _icon(layer, _FLAME, entity.x, entity.y, 0.6, "#f2a12e" if hot else "#6b4a3c")
    _ports(layer, entity)


def _generator(layer: Layer, entity: Any) -> None:
    left, top, right, bottom = _body(layer, entity)
    tall = bottom - top > right - left
    ends = (
        ((entity.x, top + 0.5), (entity.x, bottom - 0.5)) if tall else ((left + 0.5, entity.y), (right - 0.5, entity.y))
    )
    layer.line(ends, "#76828c", 0.9)
    _icon(layer, _BOLT, entity.x, entity.y, 0.75, "#f2d648")
    _ports(layer, entity)


def _lab(layer: Layer, entity: Any) -> None:
    _body(layer, entity)
    _icon(layer, _FLASK, entity.x, entity.y, 0.95, "#5f86b5")
    held = [name for amounts in entity.contents().values() for name in amounts if name.endswith("science-pack")]
    for k, name in enumerate(held[:7]):
        layer.disc(entity.x - 0.9 + 0.3 * k, entity.y + 1.15, 0.13, item_colour(name), OUTLINE, 0.04)


def _pump(layer: Layer, entity: Any) -> None:
    _body(layer, entity)
    layer.polygon(_turned(_ARROW, entity.x, entity.y, entity.direction), "#ffffff")
    _ports(layer, entity)


def _offshore_pump(layer: Layer, entity: Any) -> None:
    _body(layer, entity)
    _icon(layer, _DROP, entity.x, entity.y, 0.33, "#e8f3fb")
    _ports(layer, entity)


def _solar(layer: Layer, entity: Any) -> None:
    left, top, right, bottom = _body(layer, entity, "#c9ced4")
    step = (right - left - 0.4) / 3
    for i in range(3):
        for j in range(3):
            x, y = left + 0.2 + i * step, top + 0.2 + j * step
            layer.rectangle((x + 0.04, y + 0.04, x + step - 0.04, y + step - 0.04), machine_colour(entity.name))


def _accumulator(layer: Layer, entity: Any) -> None:
    left, top, right, bottom = _body(layer, entity)
    capacity = entity.prototype.energy_source.buffer_capacity_j
    share = min(1.0, entity.energy / capacity) if capacity else 0.0
    layer.rectangle((left + 0.3, top + 0.3, right - 0.3, bottom - 0.3), "#4f5a50")
    layer.rectangle((left + 0.3, bottom - 0.3 - (bottom - top - 0.6) * share, right - 0.3, bottom - 0.3), "#e6d04a")


def _beacon(layer: Layer, entity: Any) -> None:
    _body(layer, entity)
    for radius in (1.05, 0.7, 0.35):
        layer.disc(entity.x, entity.y, radius, None, "#3f6f9f", 0.12)


def _silo(layer: Layer, entity: Any) -> None:
    _body(layer, entity)
    layer.disc(entity.x, entity.y, 3.2, "#5f5f66", OUTLINE, 0.1)
    rocket = ((0, -2.6), (0.8, -1.2), (0.8, 1.4), (1.4, 2.3), (0, 1.9), (-1.4, 2.3), (-0.8, 1.4), (-0.8, -1.2))
    _icon(layer, rocket, entity.x, entity.y, 1.0, "#f0f0f2")


def _wall(layer: Layer, entity: Any) -> None:
    _body(layer, entity, inset=0.03)


def _lamp_post(layer: Layer, entity: Any) -> None:
    layer.disc(entity.x, entity.y, 0.3, "#f7eeb0" if entity.status == "working" else "#9a9684", OUTLINE, 0.06)


def _other(layer: Layer, entity: Any) -> None:
    """Anything else: its footprint and its initials."""
    left, top, right, bottom = _body(layer, entity)
    words = entity.name.split("-")
    code = "".join(word[0] for word in words[:3]).upper() if len(words) > 1 else words[0][:2].capitalize()
    layer.text(entity.x, entity.y, code, min(0.9, min(right - left, bottom - top) * 0.5), OUTLINE, bold=True)


_SYMBOLS: dict[str, Callable[[Layer, Any], None]] = {
    "accumulator": _accumulator,
    "assembling-machine": _crafter,
    "beacon": _beacon,
    "boiler": _boiler,
    "container": _chest,
    "electric-pole": _pole,
    "furnace": _furnace,
    "generator": _generator,
    "inserter": _inserter,
    "lab": _lab,
    "lamp": _lamp_post,
    "logistic-container": _chest,
    "mining-drill": _drill,
    "offshore-pump": _offshore_pump,
    "pump": _pump,
    "rocket-silo": _silo,
    "solar-panel": _solar,
    "storage-tank": _tank,
    "wall": _wall,
}


def draw_machine(layer: Layer, entity: Any) -> None:
    """The symbol of an entity that stands alone (belts, pipes and wires are drawn together, see scene.py)."""
    kind = entity.prototype.type
    if is_pumpjack(entity):
        _pumpjack(layer, entity)
    else:
        _SYMBOLS.get(kind, _other)(layer, entity)
    _status_lamp(layer, entity)


_AGENTS = ("#e0562f", "#2f7fe0", "#3fa05a", "#a04fc0", "#c0a02f", "#2fb0b0")


def draw_character(layer: Layer, character: Any) -> None:
    """A figure in the colour of its agent, with the agent's number."""
    x, y = character.x, character.y
    colour = _AGENTS[character.index % len(_AGENTS)]
    body = ((-0.42, 0.62), (-0.42, 0.2), (-0.2, 0.0), (0.2, 0.0), (0.42, 0.2), (0.42, 0.62))
    layer.polygon([(x + dx, y + dy) for dx, dy in body], colour, OUTLINE, 0.07)
    layer.disc(x, y - 0.24, 0.28, "#f3d3b0", OUTLINE, 0.07)
    layer.text(x, y + 0.34, str(character.index), 0.42, "#ffffff", bold=True)


def draw_absent(layer: Layer, character: Any, box: tuple[float, float, float, float]) -> None:
    """A mark on the edge of a picture, pointing to an agent outside of it."""
    left, top, right, bottom = box
    edge = 0.03 * min(right - left, bottom - top)
    x = min(max(character.x, left + edge), right - edge)
    y = min(max(character.y, top + edge), bottom - edge)
    dx, dy = character.x - x, character.y - y
    away = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / away, dy / away
    colour = _AGENTS[character.index % len(_AGENTS)]
    size = edge * 0.9
    tip = (
        (x + ux * size, y + uy * size),
        (x - uy * size * 0.7, y + ux * size * 0.7),
        (x + uy * size * 0.7, y - ux * size * 0.7),
    )
    layer.polygon(tip, colour, OUTLINE, size * 0.1)
    layer.disc(x - ux * size * 0.3, y - uy * size * 0.3, size * 0.62, colour, OUTLINE, size * 0.1)
    layer.text(x - ux * size * 0.3, y - uy * size * 0.3, str(character.index), size * 0.8, "#ffffff", bold=True)


def ore_fill(name: str, share: float) -> str:
    """Colour of an ore tile: paler the less is left. `share` is 0..1."""
    return mixed("#e9e6df", ore_colour(name), 0.25 + 0.5 * share)
