"""Blueprints into a world and out of it: the game's own strings, so that factories go both ways.

`import_blueprint` builds all of a string or nothing, and says what it left out; `export_blueprint` writes what
stands in a box. Copper wires are taken over as the string has them. Circuit settings, tiles, train schedules,
limits on chests and requested items are not built; they are counted in the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, hypot
from typing import TYPE_CHECKING, Any

from fle_ray.errors import BlueprintError, CannotPlace, CannotSet, UnknownName, Unsupported
from fle_ray.game.blueprint import Blueprint, BlueprintEntity, decode, encode
from fle_ray.sim.assembler import Assembler
from fle_ray.sim.entity import Entity
from fle_ray.sim.ground import GroundItem
from fle_ray.sim.inserter import Inserter
from fle_ray.sim.map import Box
from fle_ray.sim.passive import MECHANICS
from fle_ray.sim.placing import snap
from fle_ray.sim.pole import Pole
from fle_ray.sim.silo import Silo
from fle_ray.sim.splitter import Splitter
from fle_ray.sim.underground import Underground

if TYPE_CHECKING:
    from fle_ray.sim.world import World

__all__ = ["BlueprintReport", "Skipped", "export_blueprint", "import_blueprint"]

_MOST_EXTENT = 2_000  # tiles a side: further apart it is no factory but a way to fill the memory
_SHOWN = 5  # refused entities named in an error
_REFUSALS = (CannotPlace, CannotSet, UnknownName, Unsupported)


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was not built or not set: `setting` is None when the whole entity is missing."""

    name: str
    position: tuple[float, float]
    reason: str
    setting: str | None = None


@dataclass(frozen=True, slots=True)
class BlueprintReport:
    """What an import did.

    Attributes:
        placed: the entities built, in the order of the blueprint.
        skipped: entities and settings left out because they cannot be had (empty unless `on_unsupported="skip"`).
        passive: name -> count of those placed whose own mechanic the simulator lacks.
        ignored: what the string holds besides -> how often (tiles by name, circuit settings, requests ...).
        label: the blueprint's; version: of the game that wrote it.
        offset: what was added to the string's coordinates, in tiles.
    """

    placed: tuple[Entity, ...]
    skipped: tuple[Skipped, ...]
    passive: Mapping[str, int]
    ignored: Mapping[str, int]
    label: str
    version: tuple[int, int, int, int]
    offset: tuple[float, float]


def import_blueprint(
    world: World,
    text: str,
    position: tuple[float, float] = (0.0, 0.0),
    *,
    index: int | None = None,
    on_unsupported: str = "error",
) -> BlueprintReport:
    """Build the blueprint of a string; no items are needed and no time passes.

    Args:
        position: where the left top corner of the tiles it covers comes to lie; cut to whole tiles.
        index: which blueprint of a book, from 0.
        on_unsupported: "error" builds nothing unless everything can be built and acts as in the game; "skip" leaves
            out what cannot, and places what only stands there (see `BlueprintReport`).

    Raises:
        BlueprintError: the string cannot be read, or (with "error") some of it cannot be built; nothing was built.
        ValueError: another value for `on_unsupported`.
    """
    if on_unsupported not in ("error", "skip"):
        raise ValueError(f"on_unsupported is 'error' or 'skip', not {on_unsupported!r}")
    blueprint = decode(text, index)
    if not blueprint.entities:
        raise BlueprintError("This blueprint has no entities.")
    data = world.data
    known: list[BlueprintEntity] = []
    skipped: list[Skipped] = []
    for entity in blueprint.entities:
        if entity.name in data.entities and data.entities[entity.name].item is not None:
            known.append(entity)
        else:
            reason = str(UnknownName("entity", entity.name, data.entities))
            skipped.append(Skipped(entity.name, (entity.x, entity.y), reason))
    if on_unsupported == "error":
        for entity in known:
            mechanic = MECHANICS.get(data.entities[entity.name].type)
            if mechanic is not None:
                reason = f"the simulator places {entity.name} but has no {mechanic}"
                skipped.append(Skipped(entity.name, (entity.x, entity.y), reason))
        _refuse(skipped)
    shift = _grid_shift(world, known)
    left, top = _left_top(world, known, shift)
    offset = (floor(position[0]) - left + shift[0], floor(position[1]) - top + shift[1])
    built: dict[int, Entity] = {}
    for entity in known:
        made = _build(world, entity, offset, skipped)
        if made is not None:
            built[entity.number] = made
        if skipped and on_unsupported == "error":
            _undo(world, built)
            _refuse(skipped)
    if blueprint.wires is not None:
        _wire(world, built, blueprint.wires)
    ignored = Counter(blueprint.ignored)
    ignored.update({f"tile {name}": count for name, count in blueprint.tiles.items()})
    for entity in known:
        ignored.update({f"request of {name}": count for name, count in entity.requests.items()})
    lacking = Counter(e.name for e in built.values() if MECHANICS.get(e.prototype.type) is not None)
    return BlueprintReport(
        placed=tuple(built.values()),
        skipped=tuple(skipped),
        passive=dict(lacking),
        ignored=dict(ignored),
        label=blueprint.label,
        version=blueprint.version,
        offset=offset,
    )


def _refuse(skipped: list[Skipped]) -> None:
    if not skipped:
        return
    lines = [f"{s.name} at ({s.position[0]:g}, {s.position[1]:g}): {s.reason}" for s in skipped[:_SHOWN]]
    more = f" And {len(skipped) - _SHOWN} more." if len(skipped) > _SHOWN else ""
    raise BlueprintError(
        "Nothing was built, since not all of this blueprint can be: " + "; ".join(lines) + f".{more} "
        'To build the rest, pass on_unsupported="skip".'
    )


def _undo(world: World, built: dict[int, Entity]) -> None:
    for entity in reversed(list(built.values())):
        world.remove(entity)


def _grid_shift(world: World, entities: list[BlueprintEntity]) -> tuple[float, float]:
    """What brings the string's coordinates onto the tile grid: old strings count from the middle of a tile."""
    shifts = []
    for axis in (0, 1):
        votes: Counter[float] = Counter()
        for entity in entities:
            size = world.data.entities[entity.name].tiles(entity.direction // 4 * 4)[axis]
            wanted = size % 2 / 2
            votes[round((wanted - (entity.x, entity.y)[axis]) % 1 * 256) / 256 % 1] += 1
        shifts.append(max(votes, key=lambda s: (votes[s], -s)) if votes else 0.0)
    return shifts[0], shifts[1]


def _left_top(world: World, entities: list[BlueprintEntity], shift: tuple[float, float]) -> tuple[int, int]:
    edges: list[list[float]] = [[], []]
    ends: list[list[float]] = [[], []]
    for entity in entities:
        size = world.data.entities[entity.name].tiles(entity.direction // 4 * 4)
        for axis in (0, 1):
            middle = (entity.x, entity.y)[axis] + shift[axis]
            edges[axis].append(middle - size[axis] / 2)
            ends[axis].append(middle + size[axis] / 2)
    for axis in (0, 1):
        if edges[axis] and max(ends[axis]) - min(edges[axis]) > _MOST_EXTENT:
            raise BlueprintError(
                f"This blueprint is {max(ends[axis]) - min(edges[axis]):g} tiles long, more than {_MOST_EXTENT}."
            )
    return floor(min(edges[0], default=0)), floor(min(edges[1], default=0))


def _settings(entity: BlueprintEntity) -> dict[str, Any]:
    """Settings as `Entity.configure` takes them."""
    found: dict[str, Any] = {}
    if entity.kind is not None:
        found["type"] = entity.kind
    if entity.recipe is not None:
        found["recipe"] = entity.recipe
    if entity.modules:
        found["modules"] = list(entity.modules)
    if entity.filters:
        found["filter"] = entity.filters
    if entity.filter is not None:
        found["filter"] = entity.filter
    if entity.input_priority is not None:
        found["input_priority"] = entity.input_priority
    if entity.output_priority is not None:
        found["output_priority"] = entity.output_priority
    if entity.auto_launch:
        found["auto_launch"] = True
    return found


def _build(world: World, entity: BlueprintEntity, offset: tuple[float, float], skipped: list[Skipped]) -> Entity | None:
    """Build one entity; what it is refused is added to `skipped`."""
    where = (entity.x + offset[0], entity.y + offset[1])
    settings = _settings(entity)
    if entity.filters and entity.filter_mode == "blacklist":
        del settings["filter"]
        skipped.append(Skipped(entity.name, where, "filters that exclude items (a blacklist)", "filter"))
    if "type" not in settings and world.data.entities[entity.name].type == "underground-belt":
        settings["type"] = "input"
    if snap(world.data.entities[entity.name], where, entity.direction) != where:
        skipped.append(Skipped(entity.name, where, "it does not stand on the grid of the rest of the blueprint"))
        return None
    try:
        return world.build(entity.name, where, entity.direction, ignore_characters=True, **settings)
    except _REFUSALS as error:
        refusal = str(error)
    # Build it bare, then try its settings one by one.
    try:
        bare = {key: settings.pop(key) for key in ("type",) if key in settings}
        made = world.build(entity.name, where, entity.direction, ignore_characters=True, **bare)
    except _REFUSALS:
        skipped.append(Skipped(entity.name, where, refusal))
        return None
    for key, value in settings.items():
        try:
            made.set(**{key: value})
        except _REFUSALS as error:
            skipped.append(Skipped(entity.name, where, str(error), key))
    return made


def _wire(world: World, built: dict[int, Entity], wires: tuple[tuple[int, int], ...]) -> None:
    """Make the copper wires among the poles just built those of the blueprint; others stay as they are."""
    poles = {number: pole for number, pole in built.items() if isinstance(pole, Pole)}
    wanted = {(a, b) for a, b in wires if a in poles and b in poles and _in_reach(poles[a], poles[b])}
    grid = world.power_grid
    numbers = {pole.number: number for number, pole in poles.items()}
    for number, pole in poles.items():
        for other in list(pole.wires):
            theirs = numbers.get(other)
            if theirs is not None and theirs > number and (number, theirs) not in wanted:
                grid.unwire(pole, poles[theirs])
    for a, b in sorted(wanted):
        grid.wire(poles[a], poles[b])


def _in_reach(a: Pole, b: Pole) -> bool:
    reach = min(a.prototype.pole.wire_reach, b.prototype.pole.wire_reach)
    return hypot(a.x - b.x, a.y - b.y) <= reach


# -- out of a world -----------------------------------------------------------------------------------------------


def export_blueprint(world: World, box: Box | None = None, *, label: str = "") -> str:
    """The blueprint string of what stands in a box (left, top, right, bottom), None for all that was built.

    Contents, research and time are no part of a blueprint; items on the ground and characters neither.
    Raises BlueprintError when nothing stands there.
    """
    found = list(world.entities.values()) if box is None else world.find(box)
    found = [e for e in found if e.prototype.item is not None and not isinstance(e, GroundItem)]
    if not found:
        where = "in this world" if box is None else f"in {box}"
        raise BlueprintError(f"Nothing stands {where} that a blueprint could hold.")
    numbers = {entity.number: k for k, entity in enumerate(found, start=1)}
    left = floor(min(e.area[0] for e in found))
    top = floor(min(e.area[1] for e in found))
    wires = sorted(
        (numbers[e.number], numbers[other])
        for e in found
        if isinstance(e, Pole)
        for other in e.wires
        if other in numbers and numbers[e.number] < numbers[other]
    )
    entities = tuple(_record(entity, numbers[entity.number], left, top) for entity in found)
    blueprint = Blueprint(entities, label=label, wires=tuple(wires))
    return encode(blueprint, {e.name: e.prototype.type for e in found})


def _record(entity: Entity, number: int, left: int, top: int) -> BlueprintEntity:
    settings: dict[str, Any] = {}
    modules = getattr(entity, "modules", None)
    if modules is not None:
        settings["modules"] = tuple(modules.installed)
    match entity:
        case Silo():
            settings["auto_launch"] = entity.auto_launch
        case Assembler() if entity.recipe is not None:
            settings["recipe"] = entity.recipe.name
        case Inserter():
            settings["filters"] = entity.filters
        case Underground():
            settings["kind"] = "input" if entity.is_input else "output"
        case Splitter():
            given, out = entity.priorities
            settings["input_priority"] = None if given == "none" else given
            settings["output_priority"] = None if out == "none" else out
            settings["filter"] = entity.filter
    return BlueprintEntity(number, entity.name, entity.x - left, entity.y - top, entity.direction, **settings)
