"""Cutting straight stretches of a route above ground into tunnels."""

from __future__ import annotations

from collections.abc import Sequence

from fle_ray.tools.connecting.route import ENTRANCE, EXIT, SURFACE, Ground, Leg

__all__ = ["cut"]

_SHORTEST = 5  # laid tiles of a straight stretch (four steps) from which on it is cut


def cut(legs: Sequence[Leg], ground: Ground, tunnels: int) -> list[Leg]:
    """Replace straight stretches by tunnels, at most `tunnels`: one piece stays above ground at each end of a stretch.

    Args:
        legs: a route; only its SURFACE legs are touched.
    """
    found: list[Leg] = []
    index = 0
    while index < len(legs):
        end = index
        if legs[index].role == SURFACE:
            # a stretch goes on while the line arrives and leaves the same way; its last tile may turn
            while end + 1 < len(legs) and legs[end + 1].role == SURFACE and legs[end].way == legs[index].way:
                end += 1
        if end - index + 1 < _SHORTEST:
            if end > index:  # the tile at the corner may begin the next stretch
                found += legs[index:end]
                index = end
            else:
                found.append(legs[index])
                index += 1
            continue
        way = legs[index].way
        found.append(legs[index])
        at, last = index + 1, end - 1
        while at <= last:
            far = min(at + ground.reach, last)
            if tunnels > 0:
                while far - at >= 2 and not _fits(legs[at], legs[far], way, ground):
                    far -= 1
                if far - at >= 2:
                    found += [Leg(legs[at].tile, way, ENTRANCE), Leg(legs[far].tile, way, EXIT)]
                    tunnels -= 1
                    at = far + 1
                    continue
            found.append(legs[at])
            at += 1
        index = end
    return found


def _fits(a: Leg, b: Leg, way: int, ground: Ground) -> bool:
    return (
        ground.opening(a.tile, way, True) and ground.opening(b.tile, way, False) and ground.tunnel(a.tile, b.tile, way)
    )
