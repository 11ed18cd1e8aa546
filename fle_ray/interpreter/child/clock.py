"""Modules that would read the world outside, over game time and the step's seed instead.

Game time is seconds since the episode began: ticks / 60. It moves only while tools run.
"""

from __future__ import annotations

import datetime as _datetime
import hashlib
import random as _random
import time as _time
import types
from collections.abc import Callable
from typing import Any

__all__ = ["GameClock", "patch_datetime", "patch_random", "time_module"]

TICKS_PER_SECOND = 60


class GameClock:
    """The tick that the parent told last."""

    def __init__(self) -> None:
        self.tick = 0

    def seconds(self) -> float:
        return self.tick / TICKS_PER_SECOND

    def nanoseconds(self) -> int:
        return self.tick * 1_000_000_000 // TICKS_PER_SECOND


def time_module(clock: GameClock, sleep: Any) -> types.ModuleType:
    """A module `time` whose clocks are the game's and whose `sleep` is the tool."""
    module = types.ModuleType("time", "Game time: seconds since the episode began.")

    def of_now(function: Callable[..., Any]) -> Callable[..., Any]:
        def at(seconds: float | None = None) -> Any:
            return function(clock.seconds() if seconds is None else seconds)

        return at

    def strftime(format: str, when: Any = None) -> str:
        return _time.strftime(format, _time.gmtime(clock.seconds()) if when is None else when)

    def asctime(when: Any = None) -> str:
        return _time.asctime(_time.gmtime(clock.seconds()) if when is None else when)

    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(module, name, clock.seconds)
        setattr(module, f"{name}_ns", clock.nanoseconds)
    module.sleep = sleep
    module.gmtime = module.localtime = of_now(_time.gmtime)
    module.ctime = of_now(lambda seconds: _time.asctime(_time.gmtime(seconds)))
    module.strftime = strftime
    module.asctime = asctime
    module.strptime = _time.strptime
    module.mktime = _time.mktime
    module.struct_time = _time.struct_time
    module.timezone = module.altzone = module.daylight = 0
    module.tzname = ("UTC", "UTC")
    return module


def patch_datetime(clock: GameClock) -> None:
    """Make `datetime.now()`, `utcnow()` and `today()` say the game's time, from 1970-01-01 on."""

    class date(_datetime.date):
        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(clock.seconds())

        def __repr__(self) -> str:
            return f"datetime.{super().__repr__()}"

    class datetime(_datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls.fromtimestamp(clock.seconds(), tz)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.fromtimestamp(clock.seconds())

        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(clock.seconds())

        def __repr__(self) -> str:
            return f"datetime.{super().__repr__()}"

    for new in (date, datetime):
        new.__module__ = "datetime"
        new.__qualname__ = new.__name__
        setattr(_datetime, new.__name__, new)


def patch_random() -> Callable[[int], None]:
    """Take the operating system's entropy out of `random`.

    Returns:
        What seeds the module for a step. A generator made or seeded without a seed draws one from the step's.
    """
    original = _random.Random.seed
    state = {"seed": 0, "drawn": 0}

    def seed(self: Any, a: Any = None, version: int = 2) -> None:
        """Seed from `a`; without it from the step's seed and the number of such calls before."""
        if a is None:
            state["drawn"] += 1
            text = f"{state['seed']}:{state['drawn']}".encode()
            a = int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big")
        original(self, a, version)

    _random.Random.seed = seed
    _random.seed = _random._inst.seed
    del _random.SystemRandom

    def seed_step(value: int) -> None:
        state.update(seed=value, drawn=0)
        _random.seed(value)

    return seed_step
