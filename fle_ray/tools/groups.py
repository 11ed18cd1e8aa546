"""Groups: belts that flow into each other, pipes of one fluid, poles of one network, the walls.

Grouping works on the values agents see, so that a group is exactly what its members say of themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fle_ray.game.values import (
    BeltGroup,
    ElectricityGroup,
    ElectricityPole,
    EntityStatus,
    Inventory,
    Pipe,
    PipeGroup,
    Position,
    TransportBelt,
    UndergroundBelt,
    WallGroup,
)

__all__ = ["BELT_NAMES", "PIPE_NAMES", "POLE_NAMES", "WALL_NAMES", "group_all"]

BELT_NAMES = frozenset(
    {
        "transport-belt",
        "fast-transport-belt",
        "express-transport-belt",
        "underground-belt",
        "fast-underground-belt",
        "express-underground-belt",
    }
)
PIPE_NAMES = frozenset({"pipe", "pipe-to-ground"})
POLE_NAMES = frozenset({"small-electric-pole", "medium-electric-pole", "big-electric-pole"})
WALL_NAMES = frozenset({"stone-wall"})
_FULL = "full"


def group_all(values: Iterable[Any]) -> list[Any]:
    """Members replaced by their groups, which come after everything else: belts, pipes, poles, walls."""
    belts: list[TransportBelt] = []
    pipes: list[Pipe] = []
    poles: list[ElectricityPole] = []
    walls: list[Any] = []
    others: list[Any] = []
    for value in values:
        if value.name in BELT_NAMES:
            belts.append(value)
        elif value.name in PIPE_NAMES:
            pipes.append(value)
        elif value.name in POLE_NAMES:
            poles.append(value)
        elif value.name in WALL_NAMES:
            walls.append(value)
        else:
            others.append(value)
    groups: list[Any] = [*belt_groups(belts), *pipe_groups(pipes), *pole_groups(poles)]
    if walls:
        groups.append(
            WallGroup(
                id=int(sum(int(w.position.x * 2) * 31 + int(w.position.y * 2) for w in walls)) % 1024,
                position=walls[0].position,
                entities=walls,
            )
        )
    return [*others, *groups]


# -- belts ------------------------------------------------------------------------------------------------------


def _key(position: Position) -> tuple[float, float]:
    return round(float(position.x), 2), round(float(position.y), 2)


def belt_groups(belts: list[TransportBelt]) -> list[BeltGroup]:
    """Belts joined where one's output is another's place; an underground pair becomes one member."""
    at = {_key(b.position): b for b in belts}
    by_id = {b.id: b for b in belts}
    parent = {b.id: b.id for b in belts}

    def find(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    def join(a: int, b: int) -> None:
        a, b = find(a), find(b)
        if a != b:
            parent[max(a, b)] = min(a, b)

    for belt in belts:
        following = _following(belt, at, by_id)
        if following is not None:
            join(belt.id, following.id)
    members: dict[int, list[TransportBelt]] = {}
    for belt in belts:
        members.setdefault(find(belt.id), []).append(belt)
    return [_belt_group(group, at, by_id) for _, group in sorted(members.items())]


def _following(belt: TransportBelt, at: dict, by_id: dict) -> TransportBelt | None:
    """The belt that this one's items go to next."""
    if isinstance(belt, UndergroundBelt) and belt.is_input:
        return by_id.get(belt.connected_to)
    following = at.get(_key(belt.output_position))
    if following is None or following is belt:
        return None
    if isinstance(following, UndergroundBelt) and not following.is_input and following.direction == belt.direction:
        return None  # the back of an exit is closed
    if following.direction.value == (belt.direction.value + 8) % 16:
        return None  # head on
    return following


def _belt_group(group: list[TransportBelt], at: dict, by_id: dict) -> BeltGroup:
    inside = {b.id for b in group}
    fed = {f.id for b in group if (f := _following(b, at, by_id)) is not None}
    ordered = _in_flow_order(group, fed, at, by_id)
    items: dict[str, int] = {}
    status = EntityStatus.WORKING
    for belt in group:
        for lane in belt.inventory.values():
            for item, count in lane.items():
                items[item] = items.get(item, 0) + count
        if _FULL in belt.warnings[:1]:
            status = EntityStatus.FULL_OUTPUT
    if not items:
        status = EntityStatus.EMPTY
    merged: list[TransportBelt] = []
    taken: set[int] = set()
    paired: set[int] = set()  # entrances that stand for their pair
    for belt in ordered:
        if belt.id in taken:
            continue
        partner = by_id.get(belt.connected_to) if isinstance(belt, UndergroundBelt) else None
        if partner is not None and partner.id in inside and belt.is_input:
            taken.add(partner.id)
            paired.add(belt.id)
            merged.append(_merged(belt, partner))
        elif partner is not None and partner.id in inside and not belt.is_input:
            continue  # comes with its entrance
        else:
            merged.append(belt)
    last_of = {b.id: by_id[b.connected_to] for b in merged if b.id in paired}

    def has_next(belt: TransportBelt) -> bool:
        following = _following(last_of.get(belt.id, belt), at, by_id)
        return following is not None and following.id in inside

    return BeltGroup(
        belts=merged,
        inputs=[b for b in merged if b.id not in fed],
        outputs=[b for b in merged if not has_next(b)],
        inventory=Inventory(items),
        position=merged[0].position,
        status=status,
    )


def _merged(entrance: UndergroundBelt, exit_: UndergroundBelt) -> UndergroundBelt:
    """One member for a pair: the entrance's place, the exit's output."""
    lanes = {
        side: entrance.inventory.get(side, Inventory()) + exit_.inventory.get(side, Inventory())
        for side in ("left", "right")
    }
    return entrance.model_copy(
        update={
            "output_position": exit_.output_position,
            "connected_to": exit_.id,
            "energy": entrance.energy + exit_.energy,
            "health": min(entrance.health, exit_.health),
            "inventory": lanes,
            "is_terminus": exit_.is_terminus,
        }
    )


def _in_flow_order(group: list[TransportBelt], fed: set[int], at: dict, by_id: dict) -> list[TransportBelt]:
    """From every source forward; what is left (loops) from its first built belt."""
    ordered: list[TransportBelt] = []
    seen: set[int] = set()
    starts = [b for b in group if b.id not in fed] + group
    for start in starts:
        belt: TransportBelt | None = start
        while belt is not None and belt.id not in seen:
            seen.add(belt.id)
            ordered.append(belt)
            belt = _following(belt, at, by_id)
    return ordered


# -- pipes and poles --------------------------------------------------------------------------------------------


def pipe_groups(pipes: list[Pipe]) -> list[PipeGroup]:
    """Pipes by fluid segment: FULL_OUTPUT when full and still, WORKING with some fluid, EMPTY without."""
    members: dict[Any, list[Pipe]] = {}
    for pipe in pipes:
        members.setdefault(pipe.fluidbox_id, []).append(pipe)
    groups = []
    for number, group in members.items():
        statuses = {pipe.status for pipe in group}
        if not any(pipe.contents for pipe in group):
            status = EntityStatus.EMPTY
        elif EntityStatus.FULL_OUTPUT in statuses:
            status = EntityStatus.FULL_OUTPUT
        else:
            status = EntityStatus.WORKING
        groups.append(PipeGroup(id=number, pipes=group, position=group[0].position, status=status))
    return groups


def pole_groups(poles: list[ElectricityPole]) -> list[ElectricityGroup]:
    """Poles by electric network: WORKING once a consumer has drawn power in it."""
    members: dict[Any, list[ElectricityPole]] = {}
    for pole in poles:
        members.setdefault(pole.electrical_id, []).append(pole)
    return [
        ElectricityGroup(
            id=number,
            poles=group,
            position=Position(
                x=sum(p.position.x for p in group) / len(group), y=sum(p.position.y for p in group) / len(group)
            ),
            status=EntityStatus.WORKING
            if any(p.flow_rate > 0 for p in group)
            else EntityStatus.NOT_PLUGGED_IN_ELECTRIC_NETWORK,
        )
        for number, group in members.items()
    ]
