"""Building what was planned, all of it or nothing."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import CannotPlace, ToolError
from fle_ray.tools.belt_details import following
from fle_ray.tools.connecting.plan import Piece, Plan
from fle_ray.tools.connecting.route import Tile
from fle_ray.tools.context import Context

__all__ = ["lay"]

_FLUIDS = frozenset({"pipe", "pipe-to-ground"})


def lay(context: Context, plans: list[Plan]) -> None:
    """Build every piece, turn what is to be turned, and take the pieces from the inventory.

    Raises ToolError when something cannot be built, or the line does not lead where it should; nothing has changed
    then but the numbers that later entities get.
    """
    world = context.world
    built: list[Any] = []
    turned: list[tuple[Any, int]] = []
    try:
        for plan in plans:
            if plan.pieces and world.data.entities[plan.pieces[0].name].belt is not None:
                built += world.place_belts([_belt(piece) for piece in plan.pieces])
            else:
                for piece in plan.pieces:
                    built.append(world.place(piece.name, piece.position, piece.direction, ignore_characters=True))
            for entity, direction in plan.turns:
                turned.append((entity, entity.direction))
                world.rotate(entity, direction)
        for plan in plans:
            if plan.ends is not None and not _leads(world, *plan.ends):
                raise ToolError("what was laid does not connect the two ends; it was taken up again.")
    except (CannotPlace, ToolError) as error:
        for entity, direction in reversed(turned):
            world.rotate(entity, direction)
        for entity in reversed(built):
            for item, count in world.remove(entity).items():  # what it took up from the ground
                for _ in range(count):
                    world.spill(item, entity.position)
        raise ToolError(str(error)) from error
    for plan in plans:
        for item, count in plan.required().items():
            context.character.slots.remove(item, count)


def _belt(piece: Piece) -> tuple[str, tuple[float, float], int, dict[str, Any]]:
    """How the world is told to build a belt or an end of an underground one."""
    options = {"type": "output" if piece.exit else "input"} if piece.name.endswith("underground-belt") else {}
    return piece.name, piece.position, piece.direction, options


def _leads(world: Any, first: Tile, last: Tile) -> bool:
    """Whether items (or fluid) get from one tile of a line to another."""
    part = world.belts.parts.get(first)
    if part is None:
        return _one_segment(world, first, last)
    seen = set()
    todo = [part]
    while todo:
        part = todo.pop()
        if part.tile == last:
            return True
        if part not in seen:
            seen.add(part)
            after = following(world.belts, part)
            todo += [*part.owner.parts, *([after] if after is not None else [])]
    return False


def _one_segment(world: Any, first: Tile, last: Tile) -> bool:
    pipes = [
        thing
        for tile in (first, last)
        for thing in world.map.standing_on(*tile)
        if getattr(thing, "name", None) in _FLUIDS
    ]
    return len(pipes) < 2 or pipes[0].fluid_box.segment is pipes[-1].fluid_box.segment
