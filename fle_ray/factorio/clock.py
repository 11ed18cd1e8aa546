"""When a served world moves on: by what actions cost alone, or also with the time on the wall."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, isfinite

__all__ = ["CLOCKS", "CallClock", "Clock", "WallClock"]

_TICKS_PER_S = 60
MOST_SPEED = 10_000.0


class Clock:
    """Speed and pause as the client sets them.

    Attributes:
        speed: game seconds a wall second, > 0; paused: whether the game stands still.
    """

    def __init__(self) -> None:
        self.speed = 1.0
        self.paused = False

    def set_speed(self, speed: float) -> None:
        """Raises ValueError unless 0 < speed <= 10,000."""
        if not (isfinite(speed) and 0 < speed <= MOST_SPEED):
            raise ValueError(f"The speed is {speed:g}; expected more than 0 and at most {MOST_SPEED:g}.")
        self.speed = speed

    def pause(self, paused: bool) -> None:
        """Stop the game, or let it go on."""
        self.paused = paused

    def due(self, tick: int) -> int:
        """Ticks that the world, now at `tick`, should move on before anybody looks at it."""
        raise NotImplementedError

    def restart(self, tick: int) -> None:
        """The world was made anew and is at `tick`."""


class CallClock(Clock):
    """The world moves only by what actions cost; equal calls give equal worlds."""

    def due(self, tick: int) -> int:
        return 0


class WallClock(Clock):
    """The world moves with wall time x speed while unpaused, as a server's does.

    An action's own cost is done at once and puts the world ahead; it then stands until wall time catches up, which
    is the time the client sleeps. The world is moved on when a command arrives, not between commands.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        super().__init__()
        self._now_s = now_s
        self._since_s = now_s()
        self._target = 0.0

    def _settle(self) -> None:
        """Bring the target up to now at the speed that held until now."""
        now = self._now_s()
        if not self.paused:
            self._target += (now - self._since_s) * self.speed * _TICKS_PER_S
        self._since_s = now

    def set_speed(self, speed: float) -> None:
        self._settle()
        super().set_speed(speed)

    def pause(self, paused: bool) -> None:
        self._settle()
        self.paused = paused

    def due(self, tick: int) -> int:
        self._settle()
        return max(0, floor(self._target) - tick)

    def restart(self, tick: int) -> None:
        self._since_s = self._now_s()
        self._target = float(tick)


CLOCKS = ("call", "wall")
