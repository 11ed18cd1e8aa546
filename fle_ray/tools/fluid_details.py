"""What entities with fluid boxes show agents: contents, systems, and the points where pipes join them.

A connection point is the centre of the tile that a pipe must stand on; of generators and chemical plants it is the
middle of the machine's edge beside that tile. `connect_entities` takes either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fle_ray.game.values import IndexedPosition, Ingredient, Position
from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.fluids import STEPS
from fle_ray.tools.points import Fields

__all__ = ["FLUIDS", "connection_points", "machine_fluids", "outer_tile", "pumpjack", "segment_number"]

_BOXES_PER_OWNER = 64  # more than any entity has
_AT_EDGE = frozenset({"generator", "chemical-plant"})  # types and names whose points are shown at the edge
_FULL = 1 - 1e-9


def outer_tile(point: tuple[int, int, int]) -> tuple[int, int]:
    """The tile beyond a connection ((tile x, tile y, side), as `FluidBox.points` gives them)."""
    x, y, side = point
    dx, dy = STEPS[side]
    return x + dx, y + dy


def segment_number(segment: Any) -> int | None:
    """A number for a fluid segment, None for no segment."""
    return None if segment is None else segment.key[0] * _BOXES_PER_OWNER + segment.key[1]


def _shown(entity: Any, point: tuple[int, int, int]) -> tuple[float, float]:
    """Where agents see a connection."""
    x, y = outer_tile(point)
    px, py = x + 0.5, y + 0.5
    if entity.prototype.type in _AT_EDGE or entity.name in _AT_EDGE:
        dx, dy = STEPS[point[2]]
        px, py = px - dx / 2, py - dy / 2
    return px, py


def connection_points(entity: Any, box: FluidBox) -> list[tuple[tuple[float, float], tuple[int, int]]]:
    """(point as agents see it, tile that a pipe stands on) for each connection above ground of one box."""
    return [
        (_shown(entity, point), outer_tile(point))
        for point, connection in box.points()
        if connection.connection_type == "normal"
    ]


def _dry_points(entity: Any, boxes: Iterable[FluidBox], blocked: list[Any]) -> list[Position]:
    """Points of some boxes that do not lie on water; those that do are added to `blocked`."""
    found = []
    for box in boxes:
        for (x, y), tile in connection_points(entity, box):
            if entity.world.map.is_water(*tile):
                blocked.append((x, y))
            else:
                found.append(Position(x=x, y=y))
    return found


def _contents(entity: Any) -> Fields:
    held = [
        {"name": box.content, "amount": box.amount, "temperature": box.temperature}
        for box in entity.fluid_boxes
        if box.content
    ]
    systems: list[int | None] = []
    for box in entity.fluid_boxes:
        for segment in (box.segment,) if box.kind == "member" else box.links:
            number = segment_number(segment)
            if number is not None and number not in systems:
                systems.append(number)
    return {"fluid_box": held, "fluid_systems": systems}


def _wet(entity: Any) -> bool:
    """Whether fluid is in any of its boxes, or flows in with the next tick."""
    for box in entity.fluid_boxes:
        segment = box.segment
        if box.content or (segment is not None and segment.rate):
            return True
    return any(segment.level() > 0 for box in _inlets(entity) for segment in box.links)


def _inlets(entity: Any) -> list[FluidBox]:
    inlet = getattr(entity, "inlet", None)
    return [] if inlet is None else [inlet]


def _handler(entity: Any) -> Fields:
    """Points of all boxes."""
    blocked: list[Any] = []
    boxes = [*entity.fluid_boxes, *_inlets(entity)]
    fields = {"connection_points": _dry_points(entity, boxes, blocked), **_contents(entity)}
    _warn(fields, blocked)
    return fields


def _warn(fields: Fields, blocked: list[Any]) -> None:
    if blocked:
        where = ", ".join(f"({x:g}, {y:g})" for x, y in blocked)
        fields["more_warnings"] = [*fields.get("more_warnings", []), f"connection point at {where} is blocked by water"]


def _needs_fluid(entity: Any, fields: Fields) -> Fields:
    """Kinds that say so when no fluid is in them."""
    if not _wet(entity):
        fields["status"] = "not_connected"
        fields["more_warnings"] = [*fields.get("more_warnings", []), "no fluid present in connections"]
    return fields


def _boiler(entity: Any) -> Fields:
    blocked: list[Any] = []
    water = _dry_points(entity, [entity.water], blocked)
    steam = _dry_points(entity, [entity.steam], blocked)
    fields = {"connection_points": water, "steam_output_point": steam[0] if steam else None, **_contents(entity)}
    _warn(fields, blocked)
    return _needs_fluid(entity, fields)


def _generator(entity: Any) -> Fields:
    fields = _handler(entity)
    fields["energy_generated_last_tick"] = entity.energy
    return _needs_fluid(entity, fields)


def _pump(entity: Any) -> Fields:
    return _needs_fluid(entity, _handler(entity))


def pumpjack(entity: Any) -> Fields:
    """A drill too: it drops nothing, so its one connection point stands for the drop."""
    fields = _handler(entity)
    (_, tile), *_ = connection_points(entity, entity.outlet)
    well = entity.well
    fields["drop_position"] = Position(x=tile[0] + 0.5, y=tile[1] + 0.5)
    fields["resources"] = [] if well is None else [Ingredient(name=well.name, count=well.amount)]
    if well is None:
        fields["status"] = "no_minable_resources"
    return fields


def _tank(entity: Any) -> Fields:
    box = entity.fluid_box
    return {
        **_handler(entity),
        "fluid": box.content,
        "fluid_amount": box.amount,
        "fluid_temperature": box.temperature if box.content else None,
        "fluid_system_id": segment_number(box.segment),
    }


def _pipe(entity: Any) -> Fields:
    segment = entity.fluid_box.segment
    amount = segment.level()
    return {
        "fluidbox_id": segment_number(segment),
        "flow_rate": 0.0,
        "contents": amount,
        "fluid": segment.fluid if amount > 0 else None,
        "status": _flow_status(segment, amount),
    }


def _flow_status(segment: Any, amount: float) -> str:
    """Empty, full and still, or neither."""
    if amount <= 0:
        return "working" if segment.rate else "empty"
    if amount < segment.capacity * _FULL:
        return "working"
    clock = segment.system.clock()
    return "working" if segment.drawn(clock + 1) > segment.drawn(clock) else "full_output"


def machine_fluids(entity: Any) -> Fields:
    """The fluid side of an assembling machine, refinery or chemical plant; nothing for a machine without boxes."""
    if entity.fluids is None:
        return {}
    if entity.prototype.fluid_boxes_off_when_no_fluid_recipe:
        inputs = [box for box in entity.fluid_boxes if box.kind == "input"]
        blocked: list[Any] = []
        fields = {"connection_points": _dry_points(entity, inputs, blocked), **_contents(entity)}
        _warn(fields, blocked)
        return fields
    fields = {
        "input_fluids": [box.fluid for box, _ in entity.fluids.inputs],
        "output_fluids": [box.fluid for box, _ in entity.fluids.outputs],
        **_contents(entity),
    }
    blocked = []
    for name, parts in (
        ("input_connection_points", entity.fluids.inputs),
        ("output_connection_points", entity.fluids.outputs),
    ):
        fields[name] = [
            IndexedPosition(x=point.x, y=point.y, type=box.fluid)
            for box, _ in parts
            for point in _dry_points(entity, [box], blocked)
        ]
    _warn(fields, blocked)
    return fields


FLUIDS: dict[str, Callable[[Any], Fields]] = {
    "boiler": _boiler,
    "generator": _generator,
    "offshore-pump": _pump,
    "pipe": _pipe,
    "pipe-to-ground": _pipe,
    "pump": _pump,
    "storage-tank": _tank,
}
