"""Mining drills: fill a bar, then hand over one product, to a machine, a belt or the ground.

Measured on 2.0.60 (FactorioGym probes): the product leaves in the tick after the bar wraps; a drill that
cannot hand over waits with its bar frozen; drills ignore the automatic insertion limits of inserters.

Productivity (modules, mining research) fills a second bar by the bonus share of each completion; when it is full
one free product appears that takes nothing off the tile (wiki: Mining). A resource that needs a fluid (uranium
ore) costs a tenth of the record's amount per ore, taken as mining of that ore begins (our choice).
"""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.sim.bar import additions_to_fill, after_additions, on_grid
from fle_ray.sim.energy import source_of
from fle_ray.sim.entity import Entity
from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.ground import pile_at
from fle_ray.sim.map import Resource
from fle_ray.sim.modules import Modules

__all__ = ["Drill"]

_FLUID_SHARE = 0.1  # of the record's fluid amount, for one mining
_DIGITS = 9  # productivity bars are rounded here, so that ten times 0.1 fills one
_MINING_BONUS = "mining-drill-productivity-bonus"
_MINING_WITH_FLUID = "mining-with-fluid"
_ORE_PER_TILE = 10  # ore taken from one tile before moving to the next (FactorioGym probe)
# The probe's order of the four tiles of a burner drill: top right, bottom left, bottom right, top left. Larger
# areas are taken row by row; only totals under a drill can be compared with the game.
_BURNER_TILES = ((0, -1), (-1, 0), (0, 0), (-1, -1))


class Drill(Entity):
    """Burner and electric mining drills.

    Attributes:
        held: product waiting to be handed over, None for none; held_count: how many of it.
        bonus: the productivity bar, 0..1; paid: the fluid for the ore being mined has been taken.
        seconds: how far the bar is; since: first tick whose work `seconds` lacks; target: what it drops into.
        wet: it was built over a resource that needs a fluid; fluid: then the box of it, else None.
    """

    __slots__ = (
        "_ahead",
        "_known",
        "_line",
        "_onto_belt",
        "_status",
        "bonus",
        "cursor",
        "delivered_to",
        "drop",
        "fluid",
        "held",
        "held_count",
        "mined",
        "modules",
        "paid",
        "planned",
        "running",
        "seconds",
        "since",
        "source",
        "speed",
        "target",
        "tiles",
        "wet",
    )
    STATE = (
        "_status",
        "bonus",
        "cursor",
        "delivered_to",
        "held",
        "held_count",
        "mined",
        "paid",
        "planned",
        "running",
        "seconds",
        "wet",
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        prototype = self.prototype
        self.held: str | None = None
        self.held_count = 0
        self.paid = False
        self.seconds = 0.0
        self.bonus = 0.0
        self.cursor = 0
        self.mined = 0  # ore taken from the current tile in a row
        self.delivered_to = 0  # number of the last machine it handed over to
        self.planned = 0  # when the bar is full next, if what is held can be handed over at once; 0 for not known
        self.running = False  # works tick by tick; false while asleep
        self.since = 0
        self.target: Entity | None = None
        self._onto_belt = False  # the target is a belt
        self._known: Resource | None = None  # what it mined last: of a kind that it can mine
        self._line: Any = None  # the belt line it waits for room on
        self._ahead: tuple[int, float] = (0, 0.0)
        self.speed = prototype.mining.speed
        self.source = source_of(self)
        self.modules = Modules(self)
        self._status = "no_fuel" if self.source.kind == "burner" else "working"
        self.fluid: FluidBox | None = None
        self._aim()
        self.wet = prototype.input_fluid_box is not None and any(map(self._needs_fluid, self.tiles))

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
    def fluid_boxes(self) -> tuple[FluidBox, ...]:
        """The box of the fluid it needs, if it needs one."""
        return (self.fluid,) if self.fluid is not None else ()

    def _needs_fluid(self, tile: tuple[int, int]) -> bool:
        found = self.world.map.resource_at(*tile)
        return found is not None and self.world.data.resources[found.name].minable.required_fluid is not None

    @property
    def drop_tile(self) -> tuple[int, int]:
        return floor(self.drop[0]), floor(self.drop[1])

    # -- life -----------------------------------------------------------------------------------------

    def connect(self) -> None:
        self.world.map.watch(self.drop_tile, self)
        self._find_target()
        for beacon in self.world.beacons:
            beacon.reach(self)
        self.source.connect()
        if self.wet:
            self.fluid = FluidBox(self, self.prototype.input_fluid_box, 0, "member")
            self.fluid.connect()

    def built(self) -> None:
        if self.modules.beacons:
            self.modules_changed()
        if self.fluid is not None:
            self.world.fluids.settle_in([self.fluid])
        self.world.calendar.wake(self)

    def gone(self) -> None:
        self.world.map.unwatch(self.drop_tile, self)
        self._leave_target()
        self._stop_waiting()
        for beacon in tuple(self.modules.beacons):
            beacon.forget(self)
        self.source.gone()
        if self.fluid is not None:
            self.fluid.gone()

    # -- effects --------------------------------------------------------------------------------------

    def configure(self, **options: Any) -> dict[str, int]:
        """Set `modules`; returns those that come out. Raises CannotSet and Unsupported."""
        out = self.modules.replace(options.pop("modules")) if "modules" in options else {}
        super().configure(**options)
        return out

    set = configure

    def allows_productivity(self) -> bool:
        return True

    def modules_changed(self) -> None:
        """Modules inside or beacons around changed: work at the new speed from now on."""
        self.settle(self.world.calendar.done(self))
        self.planned = 0
        self.modules.refresh()
        self._apply_effects()
        if self.running:
            self.world.calendar.wake(self)

    def _apply_effects(self) -> None:
        self.speed = round(self.prototype.mining.speed * self.modules.speed, 9)
        self.source.set_use(round(self.prototype.energy_usage_w * self.modules.consumption, 6) / 60)

    def productivity(self) -> float:
        """Bonus share of each completion."""
        return self.modules.productivity + self.world.force.bonuses.get(_MINING_BONUS, 0)

    def rotate(self, direction: int) -> None:
        self.world.map.unwatch(self.drop_tile, self)
        if self.fluid is not None:
            self.fluid.gone()
        super().rotate(direction)
        if self.fluid is not None:
            self.fluid.connect()
            self.world.fluids.settle_in([self.fluid])
        self._aim()
        self.world.map.watch(self.drop_tile, self)
        self.retarget()

    def _find_target(self) -> None:
        target = self.world.entity_at(self.drop, besides=self)
        self.target = target
        self._onto_belt = hasattr(target, "drop_on_lane")
        if target is not None and self not in target.watchers:
            target.watchers.append(self)

    def _leave_target(self) -> None:
        if self.target is not None and self in self.target.watchers:
            self.target.watchers.remove(self)
        self.target = None
        self._onto_belt = False

    def retarget(self) -> None:
        self._stop_waiting()
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

    def stirred(self) -> None:
        """Fluid came."""
        if not self.running:
            self.world.calendar.wake(self)

    def informed(self) -> None:
        self.stirred()

    # -- acting ---------------------------------------------------------------------------------------

    def resource(self) -> Resource | None:
        """The resource it takes next, None when there is none left."""
        return self._search()[0]

    def _search(self) -> tuple[Resource | None, int]:
        """(the resource it takes next, how many exhausted tiles it moves on from to get there)."""
        land = self.world.map
        tiles = self.tiles
        found = land.resources.get(tiles[self.cursor])
        if found is not None and found is self._known:
            return found, 0
        resource_at = land.resource_at
        count = len(tiles)
        categories = self.prototype.mining.categories
        for k in range(count):
            cursor = (self.cursor + k) % count
            found = resource_at(*tiles[cursor])
            if found is not None and self.world.data.resources[found.name].resource.category in categories:
                self._known = found
                return found, k
        return None, 0

    def update(self, tick: int) -> None:
        planned = self.planned
        if planned:
            self.planned = 0
            if self.running and self.source.rate() == 1 and self._deliver():
                self._status = self.source.working_status()
                self.world.calendar.schedule(self, planned)
                return
        self.settle(tick - 1)
        self.running = False
        if self._line is not None:
            self._stop_waiting()
        if self.held is not None and not self._deliver():
            self._status = "waiting_for_space_in_destination"
            self.source.rest()
            if self._onto_belt:
                self._await_room()
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
        if not self.paid and not self._pay(resource):
            self._status = "missing_required_fluid"
            source.rest()
            return
        source.start()
        made = False
        fraction = source.work()
        if fraction > 0:
            duration = self.world.data.resources[resource.name].minable.mining_time_s
            self.seconds += self.step() if fraction == source.rate() else fraction * self.speed / 60.0
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
            (self.target is not None and not self._onto_belt and self.target.number != self.delivered_to)
            or (self.target is None and pile_at(self.world, *self.drop) is not None)
        ):
            self._status = "waiting_for_space_in_destination"
        else:
            self._status = source.working_status()
        self.running = True
        if not made:
            self.world.calendar.schedule(self, self._plan(tick, resource))
            return
        self.world.calendar.schedule(self, tick + 1)
        if self.mined and resource.amount > 0 and not self.wet and source.rate() == 1:
            self.planned = self._plan(tick, resource)
            if self.planned == tick + 1:
                self.planned = 0

    def _pay(self, resource: Resource) -> bool:
        """Take the fluid that mining one of a resource needs; False when there is too little."""
        minable = self.world.data.resources[resource.name].minable
        if minable.required_fluid is not None:
            box = self.fluid
            force = self.world.force
            if box is None or (force.strict and _MINING_WITH_FLUID not in force.abilities):
                return False
            if box.content not in (None, minable.required_fluid):
                return False
            if not box.take(minable.fluid_amount * _FLUID_SHARE):  # it tells us when more has come
                return False
            self.world.statistics.used(minable.required_fluid, minable.fluid_amount * _FLUID_SHARE)
        self.paid = True
        return True

    def _plan(self, tick: int, resource: Resource) -> int:
        """The next tick in which something visible happens, once it goes on mining a resource after `tick`."""
        duration = self.world.data.resources[resource.name].minable.mining_time_s
        step = self.step()
        if self.source.rate() < 1:
            self.seconds = on_grid(self.seconds)
        count, before = additions_to_fill(self.seconds, step, duration)
        self._ahead = (count - 1, before)
        horizon = self.source.horizon() + 1
        return tick + (count if count < horizon else horizon)

    def step(self) -> float:
        """Seconds a tick of work adds to the bar."""
        rate = self.source.rate()
        return self.speed / 60.0 if rate == 1 else on_grid(rate * self.speed / 60.0)

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

    def paced(self, tick: int) -> None:
        known = self._known
        here = self.world.map.resources.get(self.tiles[self.cursor])
        if not self.running or not self.paid or self.due <= tick + 1 or known is None or here is not known:
            super().paced(tick)  # it acts at once, and plans then
            return
        self._status = self.source.working_status()
        self.world.calendar.schedule(self, self._plan(tick, known))

    def _mine(self, resource: Resource) -> None:
        self.held = self.world.data.resources[resource.name].minable.products[0].name
        self.held_count = 1
        productivity = self.productivity()
        if productivity:
            bonus = round(self.bonus + productivity, _DIGITS)
            self.held_count += int(bonus)
            self.bonus = round(bonus - int(bonus), _DIGITS)
        self.paid = False
        self.world.statistics.made(self.held, self.held_count)
        self.world.map.deplete(resource, 1)
        self.mined += 1
        if self.mined >= _ORE_PER_TILE:
            self.mined = 0
            self.cursor = (self.cursor + 1) % len(self.tiles)

    def _await_room(self) -> None:
        """Try again when there may be room on the belt."""
        line, point, _ = self.target.aim(self.drop)
        line.waiting[self] = point
        self._line = line
        self.room_changed(line)

    def room_changed(self, line: Any) -> None:
        """There may be room on the belt it drops on."""
        calendar = self.world.calendar
        when = line.room_at(line.waiting[self], calendar.turn(self))
        if when:
            calendar.stir(self, when)

    def _stop_waiting(self) -> None:
        if self._line is not None:
            self._line.waiting.pop(self, None)
            self._line = None

    def belt_leaving(self, tick: int) -> None:
        """The belt it waits at is about to change."""
        self._stop_waiting()

    def belt_changed(self) -> None:
        """The belt it waited at has changed: try again."""
        self._unblock()

    def rejoin_belts(self) -> None:
        """After a restore, when the lines are there again: wait for room as before."""
        if self.held is not None and not self.running and self._onto_belt:
            line, point, _ = self.target.aim(self.drop)
            line.waiting[self] = point
            self._line = line

    def _deliver(self) -> bool:
        """Hand over what is held; False when there is no room for all of it."""
        target = self.target
        while self.held_count:
            if target is None:
                if pile_at(self.world, *self.drop) is not None:
                    return False
                self.world.drop_on_ground(self.held, self.drop)
            elif self._onto_belt:
                if not target.drop_on_lane(self.held, self.drop):
                    return False
            else:
                if not target.insert(self.held, 1, "drill"):
                    return False
                self.delivered_to = target.number
            self.held_count -= 1
        self.held = None
        return True

    # -- what it shows ----------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        source = self.source
        if source.kind == "burner":
            return self._status
        if not source.on():
            return source.starved_status()
        return source.working_status() if self.running else self._status

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
        found: dict[str, dict[str, float]] = {}
        if self.source.kind == "burner":
            found.update(self.source.contents())
        if self.modules.installed:
            found["mining_drill_modules"] = dict(self.modules.contents())
        if self.fluid is not None and self.fluid.content is not None:
            found["fluids"] = {self.fluid.content: self.fluid.amount}
        return found

    # -- transfers --------------------------------------------------------------------------------------

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        if self.source.kind == "burner" and self.source.is_fuel(item):
            moved = self.source.insert(item, count)
            if moved and by == "hand" and self._status == "no_fuel":
                self._status = "working"  # as the game shows it until the next tick (FactorioGym probe)
        else:
            moved = self.modules.insert(item, count) if by == "hand" else 0
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
        if self.source.kind == "burner":
            moved = self.source.fuel.remove(item, count)
        else:
            moved = self.modules.remove(item, count)
        if moved:
            self.changed()
        return moved

    take = extract

    def clear(self) -> dict[str, int]:
        held = dict(self.source.fuel.clear()) if self.source.kind == "burner" else {}
        if self.held is not None:
            held[self.held] = held.get(self.held, 0) + self.held_count
            self.held = None
            self.held_count = 0
        for item, count in self.modules.clear().items():
            held[item] = held.get(item, 0) + count
        return held

    def save(self) -> dict[str, Any]:
        self.settle(self.world.calendar.tick)
        state = super().save()
        state["source"] = self.source.save()
        effects = self.modules.save()
        if effects is not None:
            state["modules"] = effects
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.since = self.world.calendar.tick + 1
        if "modules" in state:
            self.modules.load(state["modules"])
            self._apply_effects()
        self.source.load(state["source"])
