"""Mining drills: fill a bar, then hand over one product, to a machine, a belt or the ground.

Measured on 2.0.60 (FactorioGym probes): the product leaves in the tick after the bar wraps; a drill that
cannot hand over waits with its bar frozen; drills ignore the automatic insertion limits of inserters.
"""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.sim.bar import additions_to_fill, after_additions
from fle_ray.sim.energy import source_of
from fle_ray.sim.entity import Entity
from fle_ray.sim.ground import pile_at
from fle_ray.sim.map import Resource

__all__ = ["Drill"]

_ORE_PER_TILE = 10  # ore taken from one tile before moving to the next (FactorioGym probe)
# The probe's order of the four tiles of a burner drill: top right, bottom left, bottom right, top left. Larger
# areas are taken row by row; only totals under a drill can be compared with the game.
_BURNER_TILES = ((0, -1), (-1, 0), (0, 0), (-1, -1))


class Drill(Entity):
    """Burner and electric mining drills.

    Attributes:
        held: product waiting to be handed over, None for none; bonus: the productivity bar, 0..1.
        seconds: how far the bar is; since: first tick whose work `seconds` lacks; target: what it drops into.
    """

    __slots__ = (
        "_ahead",
        "_blocked_by",
        "_status",
        "bonus",
        "cursor",
        "delivered_to",
        "drop",
        "held",
        "mined",
        "running",
        "seconds",
        "since",
        "source",
        "speed",
        "target",
        "tiles",
    )
    STATE = ("_status", "bonus", "cursor", "delivered_to", "held", "mined", "running", "seconds")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        prototype = self.prototype
        self.held: str | None = None
        self.seconds = 0.0
        self.bonus = 0.0
        self.cursor = 0
        self.mined = 0  # ore taken from the current tile in a row
        self.delivered_to = 0  # number of the last machine it handed over to
        self.running = False  # works tick by tick; false while asleep
        self.since = 0
        self.target: Entity | None = None
        self._ahead: tuple[int, float] = (0, 0.0)
        self._status = "no_fuel"
        self.speed = prototype.mining.speed
        self.source = source_of(self)
        self._aim()

    def _aim(self) -> None:
        """Work out the drop point and the mined tiles from place and direction."""
        dx, dy = self.prototype.mining.drop_vector
        self.drop = self.offset(dx, dy)
        radius = self.prototype.mining.radius
        if self.prototype.tile_width == 2:
            left, top = floor(self.x), floor(self.y)
            self.tiles = tuple((left + i, top + j) for i, j in _BURNER_TILES)
        else:
            reach = floor(radius)
            left, top = floor(self.x), floor(self.y)
            self.tiles = tuple(
                (left + i, top + j) for j in range(-reach, reach + 1) for i in range(-reach, reach + 1)
            )

    @property
    def drop_tile(self) -> tuple[int, int]:
        return floor(self.drop[0]), floor(self.drop[1])

    # -- life -----------------------------------------------------------------------------------------

    def connect(self) -> None:
        self.world.map.watch(self.drop_tile, self)
        self._find_target()
        self.source.connect()

    def built(self) -> None:
        self.world.calendar.wake(self)

    def gone(self) -> None:
        self.world.map.unwatch(self.drop_tile, self)
        self._leave_target()
        self.source.gone()

    def rotate(self, direction: int) -> None:
        self.world.map.unwatch(self.drop_tile, self)
        super().rotate(direction)
        self._aim()
        self.world.map.watch(self.drop_tile, self)
        self.retarget()

    def _find_target(self) -> None:
        target = self.world.entity_at(self.drop, besides=self)
        self.target = target
        if target is not None and self not in target.watchers:
            target.watchers.append(self)
            target.watchers.sort(key=lambda e: e.number)

    def _leave_target(self) -> None:
        if self.target is not None and self in self.target.watchers:
            self.target.watchers.remove(self)
        self.target = None

    def retarget(self) -> None:
        self._leave_target()
        self._find_target()
        self._unblock()

    def source_changed(self, entity: Entity) -> None:
        """The target's contents changed: a blocked drill tries again."""
        self._unblock()

    def _unblock(self) -> None:
        if self.held is not None:
            self._status = "working"
            self.world.calendar.wake(self)

    # -- acting ---------------------------------------------------------------------------------------

    def resource(self) -> Resource | None:
        """The resource it takes next, None when there is none left."""
        return self._search()[0]

    def _search(self) -> tuple[Resource | None, int]:
        """(the resource it takes next, how many exhausted tiles it moves on from to get there)."""
        resource_at = self.world.map.resource_at
        tiles = self.tiles
        count = len(tiles)
        categories = self.prototype.mining.categories
        for k in range(count):
            cursor = (self.cursor + k) % count
            found = resource_at(*tiles[cursor])
            if found is not None and self.world.data.resources[found.name].resource.category in categories:
                return found, k
        return None, 0

    def update(self, tick: int) -> None:
        self.settle(tick - 1)
        self.running = False
        if self.held is not None and not self._deliver():
            self._status = "waiting_for_space_in_destination"
            self.source.rest()
            return
        source = self.source
        resource, moved_on = self._search()
        if moved_on:
            self.cursor = (self.cursor + moved_on) % len(self.tiles)
            self.mined = 0
        if resource is None:
            self._status = "no_fuel" if source.kind == "burner" and source.empty() else "no_minable_resources"
            source.rest()
            return
        source.start()
        made = False
        fraction = source.work()
        if fraction > 0:
            duration = self.world.data.resources[resource.name].minable.mining_time_s
            self.seconds += fraction * self.speed / 60.0
            progress = self.seconds / duration
            if progress >= 1.0:
                self.seconds = (progress - 1.0) * duration
                self._mine(resource)
                made = True
        source.refill()
        self.since = tick + 1
        if not source.on():
            self._status = source.starved_status()
            self.source.rest()
            return
        if made and (
            (self.target is not None and not self._feeds_belt() and self.target.number != self.delivered_to)
            or (self.target is None and pile_at(self.world, *self.drop) is not None)
        ):
            self._status = "waiting_for_space_in_destination"
        else:
            self._status = source.working_status()
        self.running = True
        if made:
            self.world.calendar.schedule(self, tick + 1)
        else:
            self._plan(tick, resource)

    def _plan(self, tick: int, resource: Resource) -> None:
        duration = self.world.data.resources[resource.name].minable.mining_time_s
        count, before = additions_to_fill(self.seconds, self.step(), duration)
        self._ahead = (count - 1, before)
        horizon = self.source.horizon() + 1
        self.world.calendar.schedule(self, tick + (count if count < horizon else horizon))

    def step(self) -> float:
        """Seconds a tick adds to the bar."""
        return self.source.rate() * self.speed / 60.0

    def settle(self, tick: int) -> None:
        count = tick + 1 - self.since
        if count <= 0:
            return
        if self.running:
            if count == self._ahead[0]:
                self.seconds = self._ahead[1]
            else:
                self.seconds = after_additions(self.seconds, self.step(), count)
            self.source.spend(count)
            self._ahead = (0, 0.0)
        self.since = tick + 1

    def _mine(self, resource: Resource) -> None:
        self.held = self.world.data.resources[resource.name].minable.products[0].name
        self.world.statistics.made(self.held, 1)
        self.world.map.deplete(resource, 1)
        self.mined += 1
        if self.mined >= _ORE_PER_TILE:
            self.mined = 0
            self.cursor = (self.cursor + 1) % len(self.tiles)

    def _feeds_belt(self) -> bool:
        return self.target is not None and hasattr(self.target, "drop_on_lane")

    def _deliver(self) -> bool:
        """Hand over what is held; False when there is no room."""
        target = self.target
        if target is None:
            if pile_at(self.world, *self.drop) is not None:
                return False
            self.world.drop_on_ground(self.held, self.drop)
        elif self._feeds_belt():
            if not target.drop_on_lane(self.held, self.drop):
                return False
        else:
            if not target.insert(self.held, 1, "drill"):
                return False
            self.delivered_to = target.number
        self.held = None
        return True

    # -- what it shows ----------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        return self._status

    @property
    def energy(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.source.energy

    @property
    def energy_used(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.source.used

    @property
    def progress(self) -> float:
        self.settle(self.world.calendar.tick)
        resource = self.resource()
        if resource is None:
            return 0.0
        return self.seconds / self.world.data.resources[resource.name].minable.mining_time_s

    def contents(self) -> dict[str, dict[str, float]]:
        return self.source.contents()

    # -- transfers --------------------------------------------------------------------------------------

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        if self.source.kind != "burner" or not self.source.is_fuel(item):
            return 0
        moved = self.source.insert(item, count)
        if moved:
            self.changed()
            if not self.running:
                self.world.calendar.wake(self)
        return moved

    put = insert

    def wants(self, item: str) -> bool:
        return self.source.kind == "burner" and self.source.wants(item)

    def full_for_inserters(self) -> bool:
        return self.source.kind == "burner" and self.source.full_for_inserters()

    def extract(self, item: str, count: int) -> int:
        if self.source.kind != "burner":
            return 0
        moved = self.source.fuel.remove(item, count)
        if moved:
            self.changed()
        return moved

    take = extract

    def clear(self) -> dict[str, int]:
        held = dict(self.source.fuel.clear()) if self.source.kind == "burner" else {}
        if self.held is not None:
            held[self.held] = held.get(self.held, 0) + 1
            self.held = None
        return held

    def save(self) -> dict[str, Any]:
        self.settle(self.world.calendar.tick)
        state = super().save()
        state["source"] = self.source.save()
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.since = self.world.calendar.tick + 1
        self.source.load(state["source"])
