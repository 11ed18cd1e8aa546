"""Underground belts: an entrance and an exit of one kind, in one line, no farther apart than the record says."""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.errors import CannotSet
from fle_ray.sim.belt import Carrier
from fle_ray.sim.belts import ENTRANCE, EXIT, Part

__all__ = ["Underground"]

_KINDS = {"input": ENTRANCE, "output": EXIT}


class Underground(Carrier):
    """One end of an underground belt. It faces the way items travel.

    Attributes:
        kind: ENTRANCE or EXIT. An end that is built faces an entrance without an exit becomes its exit.
    """

    __slots__ = ("kind",)
    STATE = ("kind",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.kind = ""

    def make_parts(self) -> tuple[Part, ...]:
        part = Part(
            self,
            0,
            self.kind or ENTRANCE,
            (floor(self.x), floor(self.y)),
            self.direction,
            self.prototype.belt.max_distance,
        )
        if not self.kind:
            self.kind = part.kind = EXIT if self._awaited(part) else ENTRANCE
        return (part,)

    def _awaited(self, part: Part) -> bool:
        """Whether an entrance without an exit lies behind."""
        part.kind = EXIT
        other = self.world.belts.pair_of(part)
        return other is not None and other.partner is None

    def configure(self, **options: Any) -> None:
        """Set `type`: "input" (entrance) or "output" (exit). Raises CannotSet for another."""
        if "type" in options:
            kind = options.pop("type")
            if kind not in _KINDS:
                raise CannotSet(f"type {kind!r} of {self.name}: expected 'input' or 'output'.")
            self._become(_KINDS[kind])
        super().configure(**options)

    set = configure

    def _become(self, kind: str) -> None:
        if not self.parts:
            self.kind = kind
            return

        def change() -> None:
            self.kind = kind
            for part in self.parts:
                part.kind = kind

        self.world.belts.turned(self.parts, change)

    @property
    def is_input(self) -> bool:
        """Whether it is an entrance."""
        return self.kind == ENTRANCE

    @property
    def neighbor(self) -> Underground | None:
        """The other end, None while there is none."""
        partner = self.parts[0].partner
        return partner.owner if partner is not None else None

    neighbour = neighbor
