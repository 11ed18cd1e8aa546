"""Maps of stored states: each state is drawn once, all of an episode with one view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fle_ray.errors import FleRayError
from fle_ray.render import draw, hull, interesting_box, to_svg, world_of

__all__ = ["Atlas", "chosen_states"]

Box = tuple[float, float, float, float]


def chosen_states(addresses: Sequence[str | None], most: int | None) -> list[str]:
    """Which states of an episode are drawn: all, or at most `most` of them, evenly spread, with the last."""
    kept = list(dict.fromkeys(address for address in addresses if address is not None))
    if most is None or len(kept) <= most:
        return kept
    if most <= 0:
        return []
    if most == 1:
        return kept[-1:]
    return [kept[round(k * (len(kept) - 1) / (most - 1))] for k in range(most)]


@dataclass
class Atlas:
    """Maps that were drawn.

    Attributes:
        svgs: the pictures; problems: address -> why it could not be drawn.
    """

    svgs: list[str] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)
    _drawn: dict[tuple[str, Box], int] = field(default_factory=dict)

    def add(self, addresses: Sequence[str], read: Callable[[str], bytes]) -> dict[str, int]:
        """Draw an episode's states; returns address -> number of its picture, without those that cannot be drawn.

        Args:
            read: the bytes of a state; may raise StorageError.
        """
        built, bare = [], []
        for address in addresses:
            try:
                world = world_of(read(address))
            except FleRayError as error:
                self.problems[address] = str(error)
                continue
            (built if world.entities else bare).append(interesting_box(world))
        if not (built or bare):
            return {}
        box = hull(built or bare)
        found = {}
        for address in addresses:
            if address in self.problems:
                continue
            key = (address, box)
            if key not in self._drawn:
                try:
                    svg = to_svg(draw(world_of(read(address)), box=box))
                except FleRayError as error:
                    self.problems[address] = str(error)
                    continue
                self._drawn[key] = len(self.svgs)
                self.svgs.append(svg)
            found[address] = self._drawn[key]
        return found
