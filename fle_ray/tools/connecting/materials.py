"""What a connection is made of: the Prototypes an agent gave, sorted into one kind with its tiers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.prototypes import GameData
from fle_ray.game.values import Prototype

__all__ = ["KINDS", "Materials", "Tier", "materials_of", "prototypes_in"]

KINDS: dict[str, frozenset[str]] = {
    "fluid": frozenset({"pipe", "pipe-to-ground"}),
    "transport": frozenset(
        {
            "transport-belt",
            "fast-transport-belt",
            "express-transport-belt",
            "underground-belt",
            "fast-underground-belt",
            "express-underground-belt",
        }
    ),
    "power": frozenset({"small-electric-pole", "medium-electric-pole", "big-electric-pole"}),
    "wall": frozenset({"stone-wall"}),
}
# what goes together: above ground, below ground; slowest first
_PAIRS = (
    ("pipe", "pipe-to-ground"),
    ("transport-belt", "underground-belt"),
    ("fast-transport-belt", "fast-underground-belt"),
    ("express-transport-belt", "express-underground-belt"),
)


@dataclass(frozen=True, slots=True)
class Tier:
    """Pieces that go together.

    Attributes:
        surface: name of the piece above ground; underground: of the ends of a tunnel, None for no tunnels.
        reach: largest distance between the ends of a tunnel, tiles; 0 without.
        buried: only tunnels were asked for: above ground goes only what cannot go below.
        given: whether the piece above ground was asked for.
    """

    surface: str
    underground: str | None = None
    reach: int = 0
    buried: bool = False
    given: bool = True


@dataclass(frozen=True, slots=True)
class Materials:
    """The pieces of one connection.

    Attributes:
        kind: "fluid", "transport", "power" or "wall".
        names: what was asked for, in a fixed order.
        tiers: of pipes and belts, slowest first; of poles and walls one for each name.
    """

    kind: str
    names: tuple[str, ...]
    tiers: tuple[Tier, ...]


def materials_of(data: GameData, members: Sequence[Prototype]) -> Materials:
    """Sort Prototypes. Raises ToolError when they are of no kind, or of more than one."""
    names = sorted({member.value[0] for member in members})
    for name in names:
        if not any(name in kind for kind in KINDS.values()):
            raise ToolError(
                f"Unsupported connection type: {name}. Things can be connected with pipes (Pipe, UndergroundPipe), "
                f"belts (TransportBelt, UndergroundBelt and their Fast and Express forms), poles (SmallElectricPole, "
                f"MediumElectricPole, BigElectricPole) and StoneWall.",
                type="ValueError",
            )
    kinds = [kind for kind, known in KINDS.items() if known & set(names)]
    if len(kinds) != 1:
        raise ToolError(
            f"Cannot connect with incompatible connection types: {names}. Give pieces of one kind: pipes, belts, poles "
            f"or walls, e.g. connection_type=Prototype.Pipe or {{Prototype.Pipe, Prototype.UndergroundPipe}}."
        )
    kind = kinds[0]
    if kind in ("power", "wall"):
        reach = {name: data.entities[name].pole.wire_reach if kind == "power" else 0 for name in names}
        names.sort(key=lambda name: reach[name])
        return Materials(kind, tuple(names), tuple(Tier(name) for name in names))
    tiers = []
    for surface, underground in _PAIRS:
        if underground in names:
            tiers.append(Tier(surface, underground, _reach(data, underground), surface not in names, surface in names))
        elif surface in names:
            tiers.append(Tier(surface))
    return Materials(kind, tuple(names), tuple(tiers))


def _reach(data: GameData, underground: str) -> int:
    """Largest distance between the ends of a tunnel."""
    record = data.entities[underground]
    if record.belt is not None:
        return record.belt.max_distance
    return max(c.max_underground_distance for c in record.fluid_box.connections)


def prototypes_in(value: Any) -> list[Prototype] | None:
    """The Prototypes of a connection type (one, or several in any collection); None when it is something else."""
    if isinstance(value, Prototype):
        return [value]
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, dict)):
        found = list(value)
        if found and all(isinstance(member, Prototype) for member in found):
            return found
    return None
