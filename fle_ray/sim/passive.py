"""Things that are placed and do little: they stand in the way, hold items, draw power.

`Consumer` is the base of what draws its power all the time (beacons, radars, combinators ...). `Passive` is every
placeable prototype whose own mechanic is out of scope: it has its true footprint, its inventories and its power
draw, and says by `MECHANICS` what it lacks.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from fle_ray.errors import Unsupported
from fle_ray.sim.chance import draw
from fle_ray.sim.energy import source_of
from fle_ray.sim.entity import Entity
from fle_ray.sim.fluidbox import FluidBox
from fle_ray.sim.inventory import Slots

__all__ = ["MECHANICS", "Consumer", "Lamp", "Passive", "Roboport"]

MECHANICS: dict[str, str | None] = {
    "ammo-turret": "combat",
    "arithmetic-combinator": "circuit network",
    "artillery-turret": "combat",
    "artillery-wagon": "trains",
    "car": "vehicles",
    "cargo-wagon": "trains",
    "constant-combinator": "circuit network",
    "construction-robot": "robots",
    "decider-combinator": "circuit network",
    "display-panel": "circuit network",
    "electric-turret": "combat",
    "fluid-turret": "combat",
    "fluid-wagon": "trains",
    "gate": "gates",
    "lamp": None,
    "land-mine": "combat",
    "locomotive": "trains",
    "logistic-robot": "robots",
    "power-switch": "circuit network",
    "programmable-speaker": "circuit network",
    "radar": "radar scanning",
    "rail-chain-signal": "trains",
    "rail-signal": "trains",
    "roboport": "robots",
    "selector-combinator": "circuit network",
    "spider-vehicle": "vehicles",
    "straight-rail": "trains",
    "train-stop": "trains",
    "wall": None,
}
"""Prototype type of passive things -> the mechanic they lack; None for those that have all theirs."""

_AMMO = {"ammo-turret": "bullet", "artillery-turret": "artillery-shell", "artillery-wagon": "artillery-shell"}


class Consumer(Entity):
    """An entity that draws its full power all the time, if it runs on electricity.

    Attributes:
        source: see energy.py; powered: it had energy when it last looked; since: first tick not yet paid for.
    """

    __slots__ = ("powered", "since", "source")
    STATE: tuple[str, ...] = ("powered",)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.source = source_of(self)
        self.powered = False
        self.since = 0

    def connect(self) -> None:
        self.source.connect()

    def built(self) -> None:
        self.since = self.world.calendar.tick + 1
        if self.source.kind == "electric":
            self.source.start()
            self.world.calendar.wake(self)

    def gone(self) -> None:
        self.source.gone()

    def update(self, tick: int) -> None:
        self.settle(tick - 1)
        self.source.work()
        self.source.refill()
        self.since = tick + 1
        powered = self.source.on()
        if powered != self.powered:
            self.powered = powered
            self.power_changed()

    def power_changed(self) -> None:
        """Power came or went."""

    def settle(self, tick: int) -> None:
        count = tick + 1 - self.since
        if count > 0:
            if self.source.kind == "electric" and self.source.on():
                self.source.spend(count)
            self.since = tick + 1

    @property
    def status(self) -> str:
        return self.source.working_status() if self.source.on() else self.source.starved_status()

    @property
    def energy(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.source.energy

    @property
    def energy_used(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.source.used

    def save(self) -> dict[str, Any]:
        self.settle(self.world.calendar.tick)
        state = super().save()
        state["source"] = self.source.save()
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        self.since = self.world.calendar.tick + 1
        self.source.load(state["source"])


class Passive(Consumer):
    """What is placed and does nothing of its own.

    Attributes:
        inventories: name -> slots, fuel left out (that is the source's).
        fluid: its fluid box, None for those without.
    """

    __slots__ = ("fluid", "inventories")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        prototype = self.prototype
        stacks = self.world.stacks
        self.inventories: dict[str, Slots] = {}
        if prototype.inventory_size:
            name = "turret_ammo" if prototype.type in _AMMO else "inventory"
            self.inventories[name] = Slots(prototype.inventory_size, stacks)
        if prototype.type == "roboport":
            self.inventories["roboport_robot"] = Slots(int(prototype.extra["robot_slots_count"]), stacks)
            self.inventories["roboport_material"] = Slots(int(prototype.extra["material_slots_count"]), stacks)
        record = prototype.fluid_box
        self.fluid = FluidBox(self, record, 0, "member") if record is not None else None

    @property
    def mechanic(self) -> str | None:
        """The mechanic it lacks, None when it has all it needs."""
        return MECHANICS.get(self.prototype.type)

    @property
    def fluid_boxes(self) -> tuple[FluidBox, ...]:
        return (self.fluid,) if self.fluid is not None else ()

    def configure(self, **options: Any) -> None:
        """Has no settings here. Raises Unsupported with the name of the mechanic it lacks."""
        if options and self.mechanic is not None:
            raise Unsupported(
                self.mechanic,
                f"The simulator places {self.name} but has no {self.mechanic}: cannot set {', '.join(options)}.",
            )
        super().configure(**options)

    set = configure

    def connect(self) -> None:
        super().connect()
        if self.fluid is not None:
            self.fluid.connect()

    def built(self) -> None:
        if self.fluid is not None:
            self.world.fluids.settle_in(self.fluid_boxes)
        super().built()

    def gone(self) -> None:
        super().gone()
        if self.fluid is not None:
            self.fluid.gone()

    @property
    def status(self) -> str:
        if self.source.kind == "electric":
            return super().status
        if "turret_ammo" in self.inventories and not self.inventories["turret_ammo"]:
            return "no_ammo"
        return "normal"

    # -- transfers --------------------------------------------------------------------------------------

    def _slots_for(self, item: str) -> Slots | None:
        """The inventory that takes an item; None for none."""
        record = self.world.data.items[item]
        for name, slots in self.inventories.items():
            if name == "turret_ammo":
                fits = record.ammo_category == _AMMO[self.prototype.type]
            elif name == "roboport_robot":
                fits = record.place_result in ("logistic-robot", "construction-robot")
            elif name == "roboport_material":
                fits = record.type == "repair-tool"
            else:
                fits = True
            if fits:
                return slots
        return None

    def _burns(self, item: str) -> bool:
        return self.source.kind == "burner" and self.source.is_fuel(item)

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        if self._burns(item):
            moved = self.source.insert(item, count)
        else:
            slots = self._slots_for(item)
            moved = slots.insert(item, count) if slots is not None else 0
        if moved:
            self.changed()
        return moved

    put = insert

    def wants(self, item: str) -> bool:
        if self._burns(item):
            return self.source.wants(item)
        slots = self._slots_for(item)
        if slots is None or not slots.has_room(item):
            return False
        limit = self.prototype.extra.get("automated_ammo_count")
        return limit is None or sum(slots.totals.values()) < limit

    def offer(self, wanted: Callable[[str], bool]) -> str | None:
        held = self.inventories.get("inventory")
        return held.last(wanted) if held is not None else None

    def pick(self, item: str, count: int) -> int:
        held = self.inventories.get("inventory")
        moved = held.remove(item, count) if held is not None else 0
        if moved:
            self.changed()
        return moved

    def holds_anything(self) -> bool:
        return bool(self.inventories.get("inventory"))

    def full_for_inserters(self) -> bool:
        return all(slots.is_full() for slots in self.inventories.values())

    def extract(self, item: str, count: int) -> int:
        moved = 0
        for slots in self.inventories.values():
            moved += slots.remove(item, count - moved)
        if self.source.kind == "burner":
            moved += self.source.fuel.remove(item, count - moved)
        if moved:
            self.changed()
        return moved

    take = extract

    def contents(self) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        if self.source.kind == "burner":
            found.update(self.source.contents())
        found.update({name: dict(slots.totals) for name, slots in self.inventories.items() if slots})
        if self.fluid is not None and self.fluid.content is not None:
            found["fluids"] = {self.fluid.content: self.fluid.amount}
        return found

    def clear(self) -> dict[str, int]:
        held: dict[str, int] = {}
        stores = list(self.inventories.values())
        if self.source.kind == "burner":
            stores.append(self.source.fuel)
        for slots in stores:
            for item, count in slots.clear().items():
                held[item] = held.get(item, 0) + count
        return held

    def save(self) -> dict[str, Any]:
        state = super().save()
        held = {name: slots.save() for name, slots in self.inventories.items() if slots}
        if held:
            state["inventories"] = held
        return state

    def load(self, state: dict[str, Any]) -> None:
        super().load(state)
        for name, saved in state.get("inventories", {}).items():
            self.inventories[name].load(saved)


class Lamp(Passive):
    """Small lamps: lit, and drawing power, while it is dark.

    Each lamp has a darkness of its own at which it turns on, between the two in the record, as lamps of the game
    do not turn on all at once; which lamp has which is ours to choose. It looks at the sky twice a day.
    """

    __slots__ = ("lit",)
    STATE = (*Passive.STATE, "lit")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.lit = False

    def built(self) -> None:
        self.since = self.world.calendar.tick + 1
        self.world.calendar.wake(self)

    @property
    def night(self) -> tuple[int, int]:
        """First tick of a day in which it is dark enough for it, and the first in which it is not any more."""
        extra = self.prototype.extra
        least, most = extra["darkness_for_all_lamps_off"], extra["darkness_for_all_lamps_on"]
        darkness = least + (most - least) * draw(self.world.seed, self.number, 0)
        sky = self.world.data.constants
        falls = sky.dusk + darkness * (sky.evening - sky.dusk)
        rises = sky.morning + (1 - darkness) * (sky.dawn - sky.morning)
        return ceil(falls * sky.day_ticks), ceil(rises * sky.day_ticks)

    def update(self, tick: int) -> None:
        first, last = self.night
        day = self.world.data.constants.day_ticks
        part = tick % day
        lit = not self.world.always_day and first <= part < last
        if lit != self.lit:
            self.settle(tick - 1)
            self.lit = lit
            if lit:
                self.source.start()
            else:
                self.source.rest()
        super().update(tick)
        wait = first - part if part < first else last - part if part < last else day - part + first
        self.world.calendar.schedule(self, tick + wait)

    @property
    def status(self) -> str:
        return super().status if self.lit else "turned_off_during_daytime"


class Roboport(Passive):
    """Roboports: fill their buffer at the input limit of the record, then draw what they use.

    Attributes:
        stored: microjoules in the buffer at the end of tick `since - 1`, a whole number, so that it does not
            depend on when someone looked.
    """

    __slots__ = ("stored",)
    STATE = (*Passive.STATE, "stored")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.stored = 0

    @property
    def _capacity(self) -> int:
        return round(self.prototype.energy_source.buffer_capacity_j * 1e6)

    @property
    def charging(self) -> bool:
        """Whether the buffer still fills."""
        return self.stored < self._capacity

    def built(self) -> None:
        self._set_draw()
        super().built()

    def _set_draw(self) -> None:
        record = self.prototype.energy_source
        self.source.set_use((record.input_flow_limit_w if self.charging else self.prototype.energy_usage_w) / 60)

    def _gain(self) -> int:
        """Microjoules that the buffer gains a tick."""
        if not self.charging:
            return 0
        record = self.prototype.energy_source
        watts = record.input_flow_limit_w * self.source.rate() - self.prototype.energy_usage_w
        return round(watts * 1e6 / 60)

    def update(self, tick: int) -> None:
        charging = self.charging
        self.settle(tick)
        super().update(tick)
        if charging and not self.charging:
            self._set_draw()
        gain = self._gain()
        if gain > 0:
            self.world.calendar.schedule(self, tick + max(1, -(-(self._capacity - self.stored) // gain)))

    def settle(self, tick: int) -> None:
        count = tick + 1 - self.since
        if count > 0 and self.source.on():
            self.stored = min(self._capacity, max(0, self.stored + count * self._gain()))
        super().settle(tick)

    @property
    def energy(self) -> float:
        self.settle(self.world.calendar.tick)
        return self.stored / 1e6
