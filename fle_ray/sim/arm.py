"""How an inserter's arm moves: an orientation and a length, turned and stretched towards a target at once.

The rule, measured by the FactorioGym probes tick by tick on 2.0.60 (burner inserters; the other kinds follow from
it with their own speeds):

- length: within one step of the target it is set to it, and within 0.001 tile free of charge; otherwise it moves
  one step, and if less than one step is then left it is set to the target at the price of one step;
- orientation, in turns clockwise from north, single precision: within one step it is set to the target; otherwise
  it turns one step the short way (an exact half turn: +0.5 anticlockwise, -0.5 clockwise), and if the length has
  arrived and less than one step is then left, it is set to the target;
- the arm has arrived when both have.

A step costs energy by the tile and by the turn, as charged; with less than that in the buffer the length is paid
first and moves in proportion, the turn gets the rest.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from itertools import accumulate
from math import atan2, cos, frexp, ldexp, pi, sin, sqrt
from operator import sub
from struct import Struct
from typing import Any, NamedTuple

from fle_ray.sim.lanes import item_offset

__all__ = ["Arm", "Path", "Pose", "Quiet", "Target", "arm_of", "over_tile", "quiet_steps", "step", "target_at"]

_SINGLE = Struct("f")
_FREE = 0.001  # tiles of stretching that cost nothing
_LEAST_J = 1e-9  # with less than this in its buffer an arm does not move
_MOST_STEPS = 4096
TILE = 256


def single(value: float) -> float:
    """`value` rounded to single precision."""
    return _SINGLE.unpack(_SINGLE.pack(value))[0]


class Arm(NamedTuple):
    """Speeds and prices of one kind of arm at a share of full power.

    Attributes:
        turn: turns a tick, single precision; stretch: tiles a tick.
        turn_j, stretch_j: joules per turn and per tile.
    """

    turn: float
    stretch: float
    turn_j: float
    stretch_j: float


class Pose(NamedTuple):
    """Where an arm is: orientation in turns clockwise from north (single precision), length in tiles."""

    turn: float
    length: float


class Target(NamedTuple):
    """Where an arm goes: the pose it has there."""

    turn: float
    length: float


Step = tuple[Target, Pose, float, float]


class Path(NamedTuple):
    """How a target moves: an item on one lane of a belt tile.

    Attributes:
        shape: shape of the belt tile; direction: its direction; lane: 0 or 1.
        dx, dy: its centre from the inserter, in 1/256 tile.
        position: the item's, from the downstream edge, in the first tick; speed: what it loses a tick.
    """

    shape: str
    direction: int
    lane: int
    dx: int
    dy: int
    position: int
    speed: int

    def target(self, tick: int) -> Target:
        """The target in tick number `tick` of the path."""
        x, y = item_offset(self.shape, self.direction, self.lane, self.position - tick * self.speed)
        return target_at(self.dx + x, self.dy + y)


@lru_cache(maxsize=65536)
def target_at(x: float, y: float) -> Target:
    """The pose with the hand at (x, y) from the inserter, in 1/256 tile."""
    turn = single(atan2(x, -y) / (2.0 * pi))
    if turn < 0.0:
        turn = single(turn + 1.0)
    return Target(turn, sqrt(x * x + y * y) / TILE)


def over_tile(pose: Pose, direction: tuple[int, int], distance: int = 1) -> bool:
    """Whether the hand is over the tile at a distance (tiles) in a direction (unit vector)."""
    angle = 2.0 * pi * pose.turn
    reach = pose.length * TILE
    x, y = reach * sin(angle), -reach * cos(angle)
    ahead = x * direction[0] + y * direction[1]
    aside = x * direction[1] - y * direction[0]
    return abs(aside) <= TILE / 2 and abs(ahead - distance * TILE) <= TILE / 2


def step(arm: Arm, pose: Pose, target: Target, budget: float) -> tuple[Pose, float, float, bool]:
    """One tick towards `target` with `budget` joules in the buffer.

    Returns:
        (pose after it, joules for stretching, joules for turning, arrived).
    """
    if budget < _LEAST_J:
        return pose, 0.0, 0.0, False
    turn, length = pose
    difference = single(target.turn - turn)
    if difference >= 0.5:
        difference = single(difference - 1.0)
    elif difference <= -0.5:
        difference = single(difference + 1.0)
    missing = target.length - length
    if abs(missing) < _FREE:
        stretched, new_length, there = 0.0, target.length, True
    elif abs(missing) <= arm.stretch:
        stretched, new_length, there = abs(missing), target.length, True
    else:
        stretched, there = arm.stretch, False
        new_length = length + (arm.stretch if missing > 0 else -arm.stretch)
        if abs(target.length - new_length) < arm.stretch:
            new_length, there = target.length, True
    away = abs(difference)
    if away <= arm.turn:
        turned, new_turn, facing = away, target.turn, True
    else:
        turned, facing = arm.turn, False
        new_turn = _wrapped(single(turn + (arm.turn if difference > 0 else -arm.turn)))
        if there and away - arm.turn < arm.turn:
            new_turn, facing = target.turn, True
    stretch_j = arm.stretch_j * stretched
    turn_j = arm.turn_j * turned
    if stretch_j + turn_j <= budget:
        return Pose(new_turn, new_length), stretch_j, turn_j, there and facing
    if stretch_j >= budget:
        new_length = length + (1.0 if missing > 0 else -1.0) * stretched * (budget / stretch_j)
        if abs(target.length - new_length) < arm.stretch:
            new_length = target.length
        return Pose(turn, new_length), budget, 0.0, False
    part = single((budget - stretch_j) / arm.turn_j)
    new_turn = _wrapped(single(turn + (part if difference > 0 else -part)))
    return Pose(new_turn, new_length), stretch_j, arm.turn_j * part, False


def _wrapped(turn: float) -> float:
    if turn >= 1.0:
        return single(turn - 1.0)
    if turn < 0.0:
        return single(turn + 1.0)
    return turn


class Quiet:
    """Steps on the way to a target in which nothing else happens: the arm has not arrived yet.

    Attributes:
        count: how many; poses: pose before the first and after each; spent: joules up to and including each (0 first).
        costs: joules for stretching and for turning of each.
        last: the step that arrives after them, (target, pose, joules for stretching, for turning); None if that
            was beyond what was asked for.
    """

    __slots__ = ("_burnt", "_from", "_refills", "_sums", "_to", "costs", "count", "last", "poses", "spent")

    def __init__(self, poses: list[Pose], costs: list[tuple[float, float]], last: Step | None) -> None:
        self.count = len(costs)
        self.poses = poses
        self.costs = costs
        self.spent = [0.0, *accumulate(stretch_j + turn_j for stretch_j, turn_j in costs)]
        self.last = last
        self._refills: list[float] | None = None
        self._burnt: dict[int, list[float] | None] = {}
        self._from = self._to = 0.0  # `_sums` holds for what lies between
        self._sums: list[float] | None = None

    def refills(self, capacity: float) -> list[float]:
        """Joules that fill a buffer of a capacity again after each step, as doubles subtract."""
        if self._refills is None:
            self._refills = [capacity - ((capacity - stretch_j) - turn_j) for stretch_j, turn_j in self.costs]
        return self._refills

    def after(self, remaining: float, count: int, capacity: float) -> float:
        """What is left of `remaining` joules of fuel once it has filled the buffer again after `count` steps.

        Doubles are subtracted step by step, as the game does. While what is left keeps its exponent, each step takes
        a whole number of its last places, so the steps can be added up beforehand.
        """
        if not self._from <= remaining < self._to:
            _, exponent = frexp(remaining)
            self._from, self._to = ldexp(0.5, exponent), ldexp(1.0, exponent)
            if exponent not in self._burnt:
                self._burnt[exponent] = self._whole_places(capacity, exponent)
            self._sums = self._burnt[exponent]
        sums = self._sums
        if sums is not None:
            left = remaining - sums[count]
            if left >= self._from:
                return left
        return reduce(sub, self.refills(capacity)[:count], remaining)

    def _whole_places(self, capacity: float, exponent: int) -> list[float] | None:
        """Sums of the refills, each rounded to the last place of doubles of an exponent; None where one is a tie."""
        place = ldexp(1.0, exponent - 53)
        total = 0.0
        sums = [total]
        for refill in self.refills(capacity):
            whole, part = divmod(refill, place)
            if part * 2 == place:
                return None
            total += (whole + (part * 2 > place)) * place
            sums.append(total)
        return sums


@lru_cache(maxsize=65536)
def quiet_steps(arm: Arm, pose: Pose, path: Target | Path, most: int) -> Quiet:
    """The steps with a full buffer before the one that arrives, at most `most`."""
    poses = [pose]
    costs = []
    last = None
    fixed = path if isinstance(path, Target) else None
    for tick in range(min(most, _MOST_STEPS)):
        target = fixed if fixed is not None else path.target(tick)  # type: ignore[union-attr]
        pose, stretch_j, turn_j, arrived = step(arm, pose, target, 1e18)
        if arrived:
            last = target, pose, stretch_j, turn_j
            break
        poses.append(pose)
        costs.append((stretch_j, turn_j))
    return Quiet(poses, costs, last)


@lru_cache(maxsize=4096)
def arm_of(record: Any, share: float) -> Arm:
    """The arm of an inserter's record, at a share (0..1) of full power."""
    return Arm(
        single(record.rotation_speed * share),
        record.extension_speed * share,
        record.energy_per_rotation_j,
        record.energy_per_movement_j,
    )
