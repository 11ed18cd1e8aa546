"""`connect_entities`: lay belts, pipes, poles or walls between things."""

from __future__ import annotations

from dataclasses import replace
from math import hypot, inf
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.tools.connecting.belts import BeltPlanner
from fle_ray.tools.connecting.ends import End, as_waypoint, end_of
from fle_ray.tools.connecting.laying import lay
from fle_ray.tools.connecting.materials import Materials, Tier, materials_of, prototypes_in
from fle_ray.tools.connecting.pipes import PipePlanner
from fle_ray.tools.connecting.plan import Plan, Sketch
from fle_ray.tools.connecting.poles import PolePlanner
from fle_ray.tools.connecting.result import group_at
from fle_ray.tools.connecting.walls import WallPlanner
from fle_ray.tools.context import Context
from fle_ray.tools.describe import describe

__all__ = ["connect_entities", "connection_plans"]


def connect_entities(
    context: Context,
    *waypoints: Any,
    connection_type: Any = None,
    source: Any = None,
    target: Any = None,
    dry_run: bool = False,
) -> Any:
    """Lay belts, pipes, poles or walls from one waypoint to the next; returns the group they belong to.

    Everything is planned before anything is laid: a refusal changes nothing. What is connected already is left as it
    is, and its group returned. Takes the time to walk along what is laid; a dry run takes none.

    Args:
        waypoints: at least two Positions, entities or groups; instead `source` and `target` may be given by keyword.
            A Prototype (or a set of them) among them is the connection type.
        connection_type: what to lay: pieces of one kind, e.g. Prototype.TransportBelt or
            {Prototype.Pipe, Prototype.UndergroundPipe}. With underground pieces the line also passes below things.
        dry_run: lay nothing and return {"number_of_entities_required", "number_of_entities_available"}.
    """
    places, members = _arguments(waypoints, connection_type, source, target)
    materials = materials_of(context.world.data, members)
    ends: list[End] = []
    try:
        ends = [end_of(context, place) for place in places]
        plans, held = connection_plans(context, materials, ends)
        if dry_run:
            return {
                "number_of_entities_required": sum(len(plan.pieces) for plan in plans),
                "number_of_entities_available": held,
            }
        _afford(context, materials, plans)
        lay(context, plans)
    except ToolError as error:
        if error.type != "Exception":
            raise
        first = ends[0].shown if ends else _shown(places[0])
        last = ends[-1].shown if ends else _shown(places[-1])
        raise ToolError(f"Failed to connect {', '.join(materials.names)} from {first} to {last}. {error}") from error
    context.advance(sum(_walking_ticks(context, plan) for plan in plans))
    return _result(context, materials, plans, ends)


def _arguments(waypoints: tuple[Any, ...], connection_type: Any, source: Any, target: Any) -> tuple[list[Any], Any]:
    """(waypoints, Prototypes) out of every way to call the tool."""
    places: list[Any] = []
    members = None
    for waypoint in waypoints:
        found = prototypes_in(waypoint)
        if found is not None:
            members = found
        else:
            places.append(waypoint)
    if connection_type is not None:
        members = prototypes_in(connection_type)
        if members is None:
            members = []
    if source is not None or target is not None:
        if source is None or target is None:
            given, missing = ("target", "source") if source is None else ("source", "target")
            raise ToolError(f"connect_entities: {given} needs a {missing} as well.", type="AssertionError")
        places = [source, target]
    if len(places) < 2:
        raise ToolError(
            "Need more than one waypoint: connect_entities(source, target, Prototype.TransportBelt).",
            type="AssertionError",
        )
    return [as_waypoint(place) for place in places], members or []


def connection_plans(context: Context, materials: Materials, ends: list[End]) -> tuple[list[Plan], int]:
    """(a plan for each pair of waypoints, how many pieces of the asked types the agent carries).

    Of several types the first that suffices alone is taken; when none does, belts and poles are mixed.
    """
    held = sum(context.count(name) for name in materials.names)
    first_plans: list[Plan] | None = None
    first_error: ToolError | None = None
    for planner, sketch in _planners(context, materials):
        try:
            plans = _plan_all(planner, sketch, ends)
        except ToolError as error:
            first_error = first_error or error
            continue
        if _enough(context, plans):
            return plans, held
        first_plans = first_plans or plans
    if first_plans is None:
        raise first_error or ToolError("nothing can be laid.")
    if len(materials.tiers) > 1:
        mixed = _mixed(context, materials, ends)
        if mixed is not None:
            return mixed, held
    return first_plans, held


def _planners(context: Context, materials: Materials) -> Any:
    """A planner with a fresh sketch for each type that may be used alone."""
    for tier in materials.tiers:
        sketch = Sketch(context.world)
        if materials.kind == "power":
            yield PolePlanner(sketch, {tier.surface: inf}), sketch
        elif materials.kind == "wall":
            yield WallPlanner(sketch, tier), sketch
        else:
            kind = PipePlanner if materials.kind == "fluid" else BeltPlanner
            yield kind(sketch, tier, _tunnels(context, tier)), sketch


def _tunnels(context: Context, tier: Tier) -> int:
    """Pairs of underground pieces that may be used: those in the inventory, any number when nothing else may be."""
    if tier.underground is None:
        return 0
    return 1_000_000 if tier.buried else context.count(tier.underground) // 2


def _plan_all(planner: Any, sketch: Sketch, ends: list[End]) -> list[Plan]:
    """Plan every pair; each begins where the one before ended."""
    plans = []
    source: Any = ends[0]
    for target in ends[1:]:
        plan, source = planner.plan(source, target)
        sketch.add(plan)
        plans.append(plan)
    return plans


def _required(plans: list[Plan]) -> dict[str, int]:
    required: dict[str, int] = {}
    for plan in plans:
        for name, count in plan.required().items():
            required[name] = required.get(name, 0) + count
    return required


def _enough(context: Context, plans: list[Plan]) -> bool:
    return all(context.count(name) >= count for name, count in _required(plans).items())


def _mixed(context: Context, materials: Materials, ends: list[End]) -> list[Plan] | None:
    """Plans that use up one type after the other; None when that does not suffice either."""
    sketch = Sketch(context.world)
    if materials.kind == "power":
        stock = {tier.surface: context.count(tier.surface) for tier in reversed(materials.tiers)}
        try:
            return _plan_all(PolePlanner(sketch, stock), sketch, ends)
        except ToolError:
            return None  # the plan of one type alone says what is missing
    surfaces = [tier.surface for tier in materials.tiers if tier.given]
    if materials.kind != "transport" or len(surfaces) < 2:
        return None
    plans = _plan_all(BeltPlanner(sketch, Tier(surfaces[0]), 0), sketch, ends)
    names = iter([name for name in surfaces for _ in range(context.count(name))])
    for plan in plans:
        plan.pieces = [_renamed(piece, next(names, None)) for piece in plan.pieces]
        if None in plan.pieces:
            return None
    return plans


def _renamed(piece: Any, name: str | None) -> Any:
    return None if name is None else replace(piece, name=name)


def _afford(context: Context, materials: Materials, plans: list[Plan]) -> None:
    """Raise ToolError unless the agent carries everything."""
    required = _required(plans)
    short = {name: count for name, count in required.items() if context.count(name) < count}
    if not short:
        return
    names = sorted({*materials.names, *required})
    missing = ", ".join(f"{count - context.count(name)} more {name}" for name, count in sorted(short.items()))
    raise ToolError(
        f"not enough {', '.join(names)}: required {sum(required.values())} "
        f"({', '.join(f'{count} {name}' for name, count in sorted(required.items()))}), "
        f"available {sum(context.count(name) for name in names)}. Get {missing}."
    )


def _walking_ticks(context: Context, plan: Plan) -> int:
    """Ticks for walking along a line, point by point."""
    if not plan.pieces:
        return 0
    return sum(
        context.walking_ticks(hypot(b[0] - a[0], b[1] - a[1])) for a, b in zip(plan.walk, plan.walk[1:], strict=False)
    )


def _result(context: Context, materials: Materials, plans: list[Plan], ends: list[End]) -> Any:
    """The group of the last pair; what stands at the target when nothing of the kind does."""
    member = plans[-1].member
    group = group_at(context.world, materials.kind, member) if member is not None else None
    if group is not None:
        return group
    things = ends[-1].things()
    return describe(things[0]) if things else None


def _shown(value: Any) -> str:
    text = repr(value).strip()
    return text if len(text) <= 60 else text[:57] + "..."
