"""What every entity of the simulator has: a place, a creation number, inventories, a state to save.

An entity that acts is an actor of the calendar (`phase`, `order`, `due`, `update`). Entities that wait for
another entity's contents are its `watchers`; `changed()` tells them. Transfers come in three manners, since
the game treats them differently: by "hand" (fills a slot as far as a stack goes), by "inserter" (stops at the
automatic insertion limits) and by "drill" (ignores those limits).
"""

from __future__ import annotations

from collections.abc import Callable
from math import trunc
from typing import TYPE_CHECKING, Any

from fle_ray.errors import Unsupported
from fle_ray.game.prototypes import Entity as Prototype
from fle_ray.game.prototypes import rotate
from fle_ray.sim.core import MACHINES
from fle_ray.sim.placing import box_at

if TYPE_CHECKING:
    from fle_ray.sim.world import World

__all__ = ["Entity"]


class Entity:
    """One thing that was built. Subclasses add behaviour and list their saved attributes in `STATE`.

    Attributes:
        number: creation number, unique in a world, never reused.
        x, y: centre in tiles; direction: the engine's 0..15.
        box: collision box on the map (left, top, right, bottom).
        watchers: entities to wake when the contents change (inserters, mostly), by creation number.
    """

    __slots__ = (
        "box",
        "direction",
        "due",
        "health",
        "number",
        "order",
        "prototype",
        "removed",
        "watchers",
        "world",
        "x",
        "y",
    )
    phase = MACHINES
    STATE: tuple[str, ...] = ()  # attributes with plain values that snapshots keep

    def __init__(
        self, world: World, prototype: Prototype, number: int, x: float, y: float, direction: int
    ) -> None:
        self.world = world
        self.prototype = prototype
        self.number = number
        self.order = number
        self.due = 0
        self.x = x
        self.y = y
        self.direction = direction
        self.health = prototype.max_health
        self.removed = False
        self.watchers: list[Any] = []
        self.place_box()

    def __repr__(self) -> str:
        return f"<{self.name} #{self.number} at ({self.x}, {self.y})>"

    @property
    def name(self) -> str:
        return self.prototype.name

    @property
    def position(self) -> tuple[float, float]:
        return self.x, self.y

    def place_box(self) -> None:
        """Work out `box` from position and direction."""
        self.box = box_at(self.prototype, (self.x, self.y), self.direction)

    def offset(self, dx: float, dy: float) -> tuple[float, float]:
        """A point given relative to the entity facing north, on the map, cut to its grid of 1/256 tile."""
        dx, dy = rotate((trunc(dx * 256) / 256, trunc(dy * 256) / 256), self.direction // 4 * 4)
        return self.x + dx, self.y + dy

    @property
    def area(self) -> tuple[float, float, float, float]:
        """The tiles it stands on: left, top, right, bottom. A point in there is its own, edges left and top."""
        width, height = self.prototype.tiles(self.direction // 4 * 4)
        return self.x - width / 2, self.y - height / 2, self.x + width / 2, self.y + height / 2

    # -- life ---------------------------------------------------------------------------------------

    def connect(self) -> None:
        """Link up with what stands around; called after building and after restoring, state in place."""

    def built(self) -> None:
        """Called once, after the first `connect`: start acting."""

    def gone(self) -> None:
        """Called before the entity leaves the map."""

    def attach(self, box: Any, segment: Any) -> None:
        """One of its boxes became part of a segment of fluid or heat: enter it as source or sink (see fluids.py)."""

    def retarget(self) -> None:
        """Something was built on or taken off a tile this entity watches."""

    def informed(self) -> None:
        """The force learned something: recipes or bonuses may have changed."""

    def configure(self, **options: Any) -> None:
        """Set what a player sets in the entity's window: recipe, filter, priority, modules ...

        Raises Unsupported for an option this kind of entity does not have.
        """
        for option in options:
            raise Unsupported(f"{option} of {self.prototype.type}", f"{self.name} has no setting {option!r}.")

    set = configure

    def rotate(self, direction: int) -> None:
        """Face another way; raises CannotPlace through the world when the new box is blocked."""
        self.direction = direction
        self.place_box()

    # -- acting -------------------------------------------------------------------------------------

    def update(self, tick: int) -> None:
        """Act at `tick`; only entities that schedule themselves are called."""

    def settle(self, tick: int) -> None:
        """Bring lazily kept figures (progress, energy) to the state after `tick` has run."""

    def pacing(self, tick: int) -> None:
        """The share of its power will change after `tick`: settle what went at the old one."""
        self.settle(tick)

    def paced(self, tick: int) -> None:
        """The share of its power has changed after `tick`, from and to more than nothing: go on at the new one."""
        self.world.calendar.wake(self)

    def changed(self) -> None:
        """The contents changed: wake whoever sleeps on them."""
        for watcher in self.watchers:
            watcher.source_changed(self)

    # -- what it shows ------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        """Status as the game names it."""
        return "normal"

    @property
    def network(self) -> Any:
        """Number of the electric network it is plugged in, None for none; of pipes: what names their segment."""
        network = getattr(getattr(self, "source", None), "network", None)
        return None if network is None else network.number

    @property
    def energy(self) -> float:
        """Joules in the energy buffer."""
        return 0.0

    @property
    def energy_used(self) -> float:
        """Joules used since it was built."""
        return 0.0

    @property
    def progress(self) -> float:
        """Share of the present craft or mining step that is done, 0..1."""
        return 0.0

    def contents(self) -> dict[str, dict[str, float]]:
        """Inventory name -> item or fluid -> amount; empty inventories left out."""
        return {}

    # -- transfers ----------------------------------------------------------------------------------

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        """Put in up to `count` of an item by the rules of "hand", "inserter" or "drill"; returns how many went in."""
        return 0

    def extract(self, item: str, count: int) -> int:
        """Take out up to `count` by hand, from any inventory; returns how many came out."""
        return 0

    put = insert
    take = extract

    def wants(self, item: str) -> bool:
        """Whether an inserter may drop one of `item` here now."""
        return False

    def offer(self, wanted: Callable[[str], bool]) -> str | None:
        """The item an inserter would take from here now, among those `wanted`; None for none."""
        return None

    def pick(self, item: str, count: int) -> int:
        """An inserter takes up to `count` of `item`, which `offer` named; returns how many."""
        return 0

    def holds_anything(self) -> bool:
        """Whether an inserter could find anything here at all, wanted or not."""
        return False

    def full_for_inserters(self) -> bool:
        """Whether nothing at all could be dropped here by an inserter (shown as its status)."""
        return False

    def clear(self) -> dict[str, int]:
        """Empty every inventory; returns the items in the order mining gives them back."""
        return {}

    # -- state --------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Plain JSON values that `load` brings back; links to others are found again by `connect`."""
        return {name: getattr(self, name) for name in self.STATE}

    def load(self, state: dict[str, Any]) -> None:
        for name in self.STATE:
            setattr(self, name, state[name])
