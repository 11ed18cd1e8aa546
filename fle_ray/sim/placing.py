"""Where things may stand: the grid they snap to, and what keeps them from being built.

Two entities collide when their boxes overlap and their collision layers meet; tiles collide by their layers.
Nothing may be placed over a character except belts and pipes-to-ground (FactorioGym probe; changelog 2.0.7).
"""

from __future__ import annotations

from functools import lru_cache
from math import floor, trunc
from typing import Any

from fle_ray.errors import CannotPlace
from fle_ray.game.prototypes import Entity as Prototype
from fle_ray.game.prototypes import rotate
from fle_ray.sim.map import Box, overlaps, tiles_of

__all__ = ["box_at", "check", "footprint", "snap"]

_OVER_CHARACTERS = frozenset({"transport-belt", "pipe-to-ground"})
_WATER_LAYER = "water_tile"


def snap(prototype: Prototype, position: tuple[float, float], direction: int) -> tuple[float, float]:
    """Centre of an entity put at `position`: odd sizes on tile centres, even ones on tile corners."""
    width, height = prototype.tiles(direction // 4 * 4)

    def to_grid(value: float, size: int) -> float:
        return floor(value) + 0.5 if size % 2 else floor(value + 0.5) * 1.0

    return to_grid(position[0], width), to_grid(position[1], height)


def footprint(prototype: Prototype, direction: int) -> Box:
    """Collision box round the centre, cut to the game's grid of 1/256 tile."""
    return _on_grid(prototype.box(direction // 4 * 4))


@lru_cache(maxsize=4096)
def _on_grid(box: Box) -> Box:
    left, top, right, bottom = box
    return trunc(left * 256) / 256, trunc(top * 256) / 256, trunc(right * 256) / 256, trunc(bottom * 256) / 256


def box_at(prototype: Prototype, position: tuple[float, float], direction: int) -> Box:
    """Collision box on the map."""
    left, top, right, bottom = footprint(prototype, direction)
    return position[0] + left, position[1] + top, position[0] + right, position[1] + bottom


def check(
    world: Any,
    prototype: Prototype,
    position: tuple[float, float],
    direction: int,
    *,
    ignore_characters: bool = False,
    ignore: Any | None = None,
) -> None:
    """Raise CannotPlace unless `prototype` may stand at the (snapped) position facing `direction`.

    Args:
        ignore_characters: as when the one who builds steps aside.
        ignore: an entity that does not count (the one being rotated).
    """
    box = box_at(prototype, position, direction)
    where = f"({position[0]:g}, {position[1]:g})"
    layers = prototype.collision_layers
    for tile in tiles_of(box):
        tile_layers = world.map.tile_layers(*tile)
        if not layers.isdisjoint(tile_layers):
            name = world.map.tile(*tile)
            if name == "out-of-map":
                raise CannotPlace(f"{where} is outside the map.", reason="out-of-map")
            raise CannotPlace(
                f"{prototype.name} cannot stand on {name}, which is at {tile}.",
                reason="water" if _WATER_LAYER in tile_layers else "tile",
            )
    for rule in prototype.pump.tile_rules if prototype.pump is not None else ():
        _check_tiles(world, prototype, position, direction, rule)
    blockers = []
    if not prototype.colliding_with_tiles_only:
        for thing in world.map.things_in(box):
            other = thing.prototype
            if thing is ignore or other.colliding_with_tiles_only or other.type == "item-entity":
                continue
            if layers.isdisjoint(other.collision_layers):
                continue
            if other.name == prototype.name and prototype.not_colliding_with_itself:
                continue
            blockers.append((thing.name, thing.x, thing.y))
    if blockers:
        listed = ", ".join(f"{n} at ({x:g}, {y:g})" for n, x, y in blockers[:5])
        raise CannotPlace(
            f"{prototype.name} does not fit at {where}: {listed} in the way.",
            reason="entity",
            blockers=tuple(blockers),
        )
    if not ignore_characters and prototype.type not in _OVER_CHARACTERS:
        for character in world.characters:
            if overlaps(character.box, box):
                raise CannotPlace(
                    f"{prototype.name} does not fit at {where}: a character stands there.",
                    reason="character",
                    blockers=(("character", character.x, character.y),),
                )
    _check_resources(world, prototype, position)
    if ignore is not None:
        world.fluids.check_turn(ignore, direction)
    elif prototype.fluid_box is not None or prototype.output_fluid_box is not None:
        world.fluids.check_place(prototype, position, direction)


def _check_tiles(
    world: Any, prototype: Prototype, position: tuple[float, float], direction: int, rule: Any
) -> None:
    """A rule about the tiles round an entity: each must have a required layer and no colliding one."""
    left, top, right, bottom = rule.area
    corners = [rotate(c, direction // 4 * 4) for c in ((left, top), (right, bottom))]
    area = (
        position[0] + min(c[0] for c in corners),
        position[1] + min(c[1] for c in corners),
        position[0] + max(c[0] for c in corners),
        position[1] + max(c[1] for c in corners),
    )
    for tile in tiles_of(area):
        layers = world.map.tile_layers(*tile)
        missing = rule.required_layers and rule.required_layers.isdisjoint(layers)
        if missing or not rule.colliding_layers.isdisjoint(layers):
            wanted = "water" if _WATER_LAYER in rule.required_layers else "ground"
            raise CannotPlace(
                f"{prototype.name} at ({position[0]:g}, {position[1]:g}) needs {wanted} at {tile}, "
                f"where there is {world.map.tile(*tile)}.",
                reason="needs-water" if wanted == "water" else "water",
            )


def _check_resources(world: Any, prototype: Prototype, position: tuple[float, float]) -> None:
    mining = prototype.mining
    if mining is None:
        return
    x, y = position
    radius = mining.radius
    for resource in world.map.resources_in((x - radius, y - radius, x + radius, y + radius)):
        if world.data.resources[resource.name].resource.category in mining.categories:
            return
    raise CannotPlace(
        f"{prototype.name} at ({x:g}, {y:g}) has nothing to mine within {radius:g} tiles.", reason="no-resource"
    )
