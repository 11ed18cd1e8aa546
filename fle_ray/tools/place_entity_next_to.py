"""`place_entity_next_to`: build something right beside something else."""

from __future__ import annotations

from math import ceil, hypot
from typing import Any

from fle_ray.errors import CannotPlace, ToolError
from fle_ray.game.values import Direction
from fle_ray.sim.map import Natural
from fle_ray.tools.arguments import as_count, as_direction, as_position, as_prototype
from fle_ray.tools.context import ORIGIN, Context, xy
from fle_ray.tools.lookup import built_in, nearest_of
from fle_ray.tools.placing import build, obstacle, placed_by

__all__ = ["place_entity_next_to"]

_WAYS = {Direction.UP: (0, -1), Direction.RIGHT: (1, 0), Direction.DOWN: (0, 1), Direction.LEFT: (-1, 0)}
_MOVABLE = frozenset({"inserter", "container", "transport-belt"})


def _up_to_half(value: float) -> float:
    return ceil(round(value * 2, 6)) / 2


def place_entity_next_to(
    context: Context,
    entity: Any,
    reference_position: Any = ORIGIN,
    direction: Any = Direction.RIGHT,
    spacing: Any = 0,
) -> Any:
    """Place an entity `spacing` free tiles away from what stands at `reference_position`, on its `direction` side.

    The new entity faces `direction`. Without anything at the place, a single tile is assumed there. No reach
    limit. Returns the entity. Takes no time.
    """
    member = as_prototype("place_entity_next_to", "entity", entity)
    place = as_position(
        "place_entity_next_to", "reference_position", reference_position, tuples=False, error="AssertionError"
    )
    facing = as_direction("place_entity_next_to", "direction", direction, error="Exception")
    gap = as_count("place_entity_next_to", "spacing", spacing, least=0)
    name = member.value[0]
    failure = (
        f"Could not place {name} next to ({place.x:g}, {place.y:g}) with spacing {gap} and direction {facing.name}:"
    )
    try:
        prototype = placed_by(context, member)
    except ToolError as error:
        raise ToolError(f"{failure} {error}") from error
    if not context.count(name):
        raise ToolError(f"{failure} no {name} in your inventory, which holds: {context.inventory_text()}.")
    x, y = xy(place)
    reference = _reference(context, x, y)
    if reference is None:
        centre, size = (x, y), (1, 1)
    elif isinstance(reference, Natural):
        centre, size = (reference.x, reference.y), reference.prototype.tiles(0)
    else:
        centre, size = reference.position, reference.prototype.tiles(reference.direction // 4 * 4)
    own = prototype.tiles(facing.value)
    dx, dy = _WAYS[facing]
    along = size[0] + own[0] if dx else size[1] + own[1]
    offset = ceil(along) / 2 + gap
    spot = (_up_to_half(centre[0] + dx * offset), _up_to_half(centre[1] + dy * offset))
    reason = obstacle(context, prototype, spot, facing)
    if reason is None:
        return build(context, prototype, spot, facing, name)
    if reason.reason == "entity" and (prototype.type in _MOVABLE or _is_pole(context, reason)):
        for alternative, way in _alternatives(context, prototype, reference, centre, facing):
            if obstacle(context, prototype, alternative, way) is None:
                return build(context, prototype, alternative, way, name)
    beside = f" The reference is {reference.name} at ({centre[0]:g}, {centre[1]:g})." if reference is not None else ""
    raise ToolError(f"{failure} {reason}{beside} {_advice(reason, reference)}")


def _reference(context: Context, x: float, y: float) -> Any:
    """What stands at the place or within half a tile of it: a building, else a tree or rock; None for nothing."""
    box = (x - 0.5, y - 0.5, x + 0.5, y + 0.5)
    built = context.world.entity_at((x, y)) or nearest_of(built_in(context, box), x, y)
    if built is not None:
        return built
    naturals = [t for t in context.world.map.things_in(box) if isinstance(t, Natural)]
    return min(naturals, key=lambda t: (hypot(t.x - x, t.y - y), t.y, t.x), default=None)


def _is_pole(context: Context, reason: CannotPlace) -> bool:
    entities = context.world.data.entities
    return any(entities[n].type == "electric-pole" for n, _, _ in reason.blockers if n in entities)


def _alternatives(
    context: Context, prototype: Any, reference: Any, centre: tuple[float, float], facing: Direction
) -> list[tuple[tuple[float, float], Direction]]:
    """Other spots, best first: the middles of a large reference's sides, then one to three tiles away."""
    order = [facing, *(d for d in (Direction.UP, Direction.RIGHT, Direction.DOWN, Direction.LEFT) if d != facing)]
    spots = []
    if prototype.type == "inserter" and reference is not None and min(reference.prototype.tiles(0)) >= 3:
        spots += [((centre[0] + 2 * _WAYS[d][0], centre[1] + 2 * _WAYS[d][1]), d) for d in order]
    for distance in (1, 2, 3):
        spots += [((centre[0] + distance * _WAYS[d][0], centre[1] + distance * _WAYS[d][1]), d) for d in order]
    return spots


def _advice(reason: CannotPlace, reference: Any) -> str:
    if reason.reason == "entity":
        text = "Something exists at that position: consider more spacing, another direction or another reference."
        if reference is not None and max(reference.prototype.tiles(0)) >= 3:
            text += f" {reference.name} is large: each of its sides has room for several."
        return text
    if reason.reason == "no-resource":
        return "No resources are found in the mining area: choose a place on the patch."
    return "Consider another position, direction or spacing."
