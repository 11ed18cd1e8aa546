"""Where a machine's energy comes from: one interface, so that machines need not know.

A machine calls `start()` when it begins to work and `rest()` when it stops; in each tick of work it calls
`work()` (the share of a full tick's work that was had, 0..1) and then `refill()`. Between visible events a
source works at a constant `rate()`: `horizon()` is how many full ticks go by before something about the source
changes by itself, and `spend(n)` accounts for n of them at once. A source whose rate changes for reasons of its
own (an electric network) first has the machine `settle`, then changes, then wakes it. A machine whose use changes
(modules, beacons) settles, calls `set_use`, and plans anew.
"""

from __future__ import annotations

from typing import Any, Protocol

from fle_ray.sim.burner import Burner

__all__ = ["EnergySource", "FreeSource", "source_of"]

_FOREVER = 1 << 60


class EnergySource(Protocol):
    """What machines need of a source. `energy`: joules in the buffer; `used`: joules since built."""

    kind: str
    energy: float
    used: float

    def connect(self) -> None: ...
    def gone(self) -> None: ...
    def start(self) -> None: ...
    def rest(self) -> None: ...
    def on(self) -> bool: ...
    def empty(self) -> bool: ...
    def rate(self) -> float: ...
    def work(self) -> float: ...
    def refill(self) -> None: ...
    def horizon(self) -> int: ...
    def spend(self, ticks: int) -> None: ...
    def set_use(self, joules_per_tick: float) -> None: ...
    def working_status(self) -> str: ...
    def starved_status(self) -> str: ...
    def save(self) -> Any: ...
    def load(self, state: Any) -> None: ...


class FreeSource:
    """The source of entities that need no energy."""

    __slots__ = ("energy", "used")
    kind = "void"

    def __init__(self) -> None:
        self.energy = 0.0
        self.used = 0.0

    def connect(self) -> None:
        """Nothing to connect to."""

    gone = start = rest = refill = connect

    def on(self) -> bool:
        return True

    def empty(self) -> bool:
        return False

    def rate(self) -> float:
        return 1.0

    work = rate

    def horizon(self) -> int:
        return _FOREVER

    def spend(self, ticks: int) -> None:
        """Costs nothing."""

    def set_use(self, joules_per_tick: float) -> None:
        """Needs nothing, whatever is done."""

    def working_status(self) -> str:
        return "working"

    starved_status = working_status

    def save(self) -> None:
        return None

    def load(self, state: None) -> None:
        """Has no state."""


def source_of(entity: Any) -> EnergySource:
    """The energy source an entity's prototype names."""
    record = entity.prototype.energy_source
    if record is None or record.type == "void":
        return FreeSource()
    if record.type == "burner":
        return Burner(entity, entity.prototype.energy_usage_w / 60)
    if record.type == "electric":
        from fle_ray.sim.plug import ElectricSource

        return ElectricSource(entity)
    from fle_ray.errors import Unsupported

    raise Unsupported(f"energy from {record.type}", f"{entity.name} runs on {record.type}.")
