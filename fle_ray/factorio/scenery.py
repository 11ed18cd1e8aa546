"""What FLE's client draws its pictures from: land, trees, rocks, characters, poles, and where the factory lies.

Byte forms are those that the client's own decoder reads (`fle/env/tools/admin/render/decoder.py` of 0.4.3).
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator
from math import ceil, floor, hypot
from typing import TYPE_CHECKING, Any

from fle_ray.errors import ToolError
from fle_ray.factorio.arguments import agent_index, place_at
from fle_ray.sim.ground import GroundItem
from fle_ray.sim.map import Box, Natural, Resource
from fle_ray.sim.pole import Pole

if TYPE_CHECKING:
    from fle_ray.factorio.face import Face

__all__ = ["get_factory_centroid", "render", "render_simple", "resource_name_at"]

MOST_RADIUS = 500  # tiles: what one call looks at
_FURTHEST = 32_000  # tiles from the middle of the map: places are written in 16 bits
_COLOUR = [255, 165, 0]
_WATER = {"water": 1, "deepwater": 2, "water-green": 3, "water-mud": 4, "water-shallow": 5}
_RESOURCES = {"iron-ore": 1, "copper-ore": 2, "coal": 3, "stone": 4, "uranium-ore": 5, "crude-oil": 6}
_PATCH = 64  # tiles a side of what is written as one patch: offsets fit a byte, counts 16 bits
_ROCKS = ("rock", "stone")


def render(face: Face, player: Any, include_status: Any = False, radius: Any = 64, compression: Any = "binary") -> Any:
    """Trees, rocks, characters, water and resources in a square round an agent. Status is that of none of these."""
    character = face.context(agent_index(face, player)).character
    x, y = character.position
    box = _square(x, y, radius)
    found = {
        "entities": [*map(_natural, _naturals(face, box)), *_characters(face, box)],
        "meta": {
            "area": {"left_top": {"x": box[0], "y": box[1]}, "right_bottom": {"x": box[2], "y": box[3]}},
            "format": "v2-binary" if compression in ("binary", "maximum") else "v2",
        },
    }
    runs = list(_water_runs(face, box))
    patches = _patches(face.instance.world.map.resources_in(box))
    if compression in ("binary", "maximum"):
        return {**found, "water_binary": _text(_water_bytes(runs)), "resources_binary": _text(_resource_bytes(patches))}
    water = [{"t": name, "x": tx, "y": ty, "l": length} for name, tx, ty, length in runs]
    resources = {
        name: [{"c": list(corner), "e": [list(e) for e in entries]} for corner, entries in of_name.items()]
        for name, of_name in patches.items()
    }
    return {**found, "water": water, "resources": resources}


def render_simple(face: Face, player: Any, method: Any, a: Any, b: Any, c: Any, d: Any = None) -> Any:
    """Water tiles, resources, trees, rocks and poles of a box: given by its corners, or by a middle and a radius."""
    agent_index(face, player)
    if method == "radius":
        middle = place_at(a, b)
        box = _square(middle.x, middle.y, c)
    elif method == "bounding_box":
        first, last = place_at(a, b), place_at(c, d)
        box = (first.x, first.y, last.x, last.y)
        _square((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, max(box[2] - box[0], box[3] - box[1], 0) / 2)
    else:
        raise ToolError(f"render_simple: there is no method {method!r}; expected 'radius' or 'bounding_box'.")
    world = face.instance.world
    water = [
        {"x": tx + k, "y": ty, "name": name} for name, tx, ty, length in _water_runs(face, box) for k in range(length)
    ]
    naturals = _naturals(face, box)
    trees = [n for n in naturals if n.prototype.type == "tree"]
    rocks = [n for n in naturals if n.prototype.type == "simple-entity" and any(w in n.name for w in _ROCKS)]
    poles = [e for e in world.find(box) if isinstance(e, Pole)]
    return {
        "water_tiles": _numbered(water),
        "resources": _numbered(
            {"name": r.name, "position": {"x": r.x, "y": r.y}, "amount": r.amount}
            for r in world.map.resources_in(box)
        ),
        "trees": _numbered({"name": t.name, "position": {"x": t.x, "y": t.y}} for t in trees),
        "rocks": _numbered({"name": r.name, "position": {"x": r.x, "y": r.y}} for r in rocks),
        "electricity_networks": _numbered(
            {
                "name": pole.name,
                "position": {"x": pole.x, "y": pole.y},
                "network_id": pole.network,
                "supply_area": pole.prototype.pole.supply_area_distance,
            }
            for pole in poles
        ),
    }


def get_factory_centroid(face: Face, _player: Any) -> Any:
    """The mean place of what is built, its bounds, and a camera there; there is no camera that follows smoothly."""
    built = [e for e in face.instance.world.entities.values() if not isinstance(e, GroundItem)]
    if not built:
        middle = {"x": 0, "y": 0}
        return {
            "centroid": middle,
            "raw_centroid": middle,
            "entity_count": 0,
            "camera": {"position": middle, "zoom": 0.75},
        }
    middle = {"x": sum(e.x for e in built) / len(built), "y": sum(e.y for e in built) / len(built)}
    left, right = min(e.x for e in built), max(e.x for e in built)
    top, bottom = min(e.y for e in built), max(e.y for e in built)
    diagonal = hypot(right - left, bottom - top)
    zoom = max(0.15, min(0.75, 35 / diagonal)) if diagonal else 0.75
    return {
        "centroid": middle,
        "raw_centroid": middle,
        "entity_count": len(built),
        "bounds": {
            "left_top": {"x": left, "y": top},
            "right_bottom": {"x": right, "y": bottom},
            "width": right - left,
            "height": bottom - top,
        },
        "camera": {"position": middle, "zoom": zoom},
    }


def resource_name_at(face: Face, player: Any, x: Any, y: Any) -> str:
    """Name of the nearest resource or tree of a place, in what a character reaches from there; "" for none."""
    character = face.context(agent_index(face, player)).character
    place = place_at(x, y)
    land = face.instance.world.map
    box = _square(place.x, place.y, character.record.reach_resource_distance)
    found: list[Any] = [*land.resources_in(box), *(n for n in land.naturals(box) if n.prototype.type == "tree")]
    found.sort(key=lambda thing: (hypot(thing.x - place.x, thing.y - place.y), thing.y, thing.x))
    return found[0].name if found else ""


# -- pieces -----------------------------------------------------------------------------------------------------


def _square(x: float, y: float, radius: Any) -> Box:
    if isinstance(radius, bool) or not isinstance(radius, int | float) or not 0 <= radius <= MOST_RADIUS:
        raise ToolError(f"The radius is {radius!r}; expected 0 to {MOST_RADIUS} tiles.")
    if max(abs(x), abs(y)) > _FURTHEST:
        raise ToolError(f"({x:g}, {y:g}) is further than {_FURTHEST} tiles from the middle of the map.")
    return x - radius, y - radius, x + radius, y + radius


def _numbered(values: Any) -> dict[int, Any]:
    return dict(enumerate(values, 1))


def _naturals(face: Face, box: Box) -> list[Natural]:
    return face.instance.world.map.naturals(box)


def _natural(natural: Natural) -> dict[str, Any]:
    return {"name": natural.name, "position": {"x": natural.x, "y": natural.y}, "direction": 0, "orientation": 0}


def _characters(face: Face, box: Box) -> list[dict[str, Any]]:
    return [
        {
            "name": "character",
            "position": {"x": x, "y": y},
            "direction": 0,
            "orientation": 0,
            "state": "idle",
            "animation_frame": 0,
            "level": 1,
            "has_gun": False,
            "color": _COLOUR,
        }
        for x, y in face.instance.positions()
        if box[0] <= x <= box[2] and box[1] <= y <= box[3]
    ]


def _water_runs(face: Face, box: Box) -> Iterator[tuple[str, int, int, int]]:
    """Rows of equal water: tile name, first tile's x and y, how many."""
    land = face.instance.world.map
    for ty in range(floor(box[1]), ceil(box[3]) + 1):
        run: tuple[str, int] | None = None
        for tx in range(floor(box[0]), ceil(box[2]) + 2):  # one more, to end the last run
            name = land.tile(tx, ty) if tx <= ceil(box[2]) and land.is_water(tx, ty) else None
            if run is not None and name != run[0]:
                yield run[0], run[1], ty, tx - run[1]
                run = None
            if name is not None and run is None:
                run = (name, tx)


def _patches(resources: list[Resource]) -> dict[str, dict[tuple[int, int], list[tuple[int, int, int]]]]:
    """Resource -> corner of a square of tiles -> (x and y from that corner, amount)."""
    found: dict[str, dict[tuple[int, int], list[tuple[int, int, int]]]] = {}
    for r in resources:
        tx, ty = r.tile
        corner = tx // _PATCH * _PATCH, ty // _PATCH * _PATCH
        found.setdefault(r.name, {}).setdefault(corner, []).append((tx - corner[0], ty - corner[1], r.amount))
    return found


def _water_bytes(runs: list[tuple[str, int, int, int]]) -> bytes:
    """Six bytes a run of at most 255 tiles: kind, x and y in 16 bits, length; big-endian."""
    data = b""
    for name, tx, ty, length in runs:
        for start in range(0, length, 255):
            data += struct.pack("!BhhB", _WATER.get(name, 1), tx + start, ty, min(255, length - start))
    return data


def _resource_bytes(patches: dict[str, dict[tuple[int, int], list[tuple[int, int, int]]]]) -> bytes:
    """Per resource its kind and number of patches, per patch its corner and count, then dx, dy and amount of each."""
    data = b""
    for name, of_name in patches.items():
        if name not in _RESOURCES:
            continue
        data += struct.pack("!BH", _RESOURCES[name], len(of_name))
        for (cx, cy), entries in of_name.items():
            data += struct.pack("!hhH", cx, cy, len(entries))
            data += b"".join(struct.pack("!bbI", dx, dy, amount) for dx, dy, amount in entries)
    return data


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode()
