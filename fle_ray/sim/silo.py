"""Rocket silos: make the parts of a rocket, ready it, launch it.

Stages of a silo, with their lengths from the speeds in the records of silo and rocket:

    crafting    until 100 parts are there
    preparing   doors opening, rocket rising: 255 + 420 ticks
    ready       until `launch()`, or at once with cargo when `auto_launch` is set
    starting    engine starting: 330 ticks
    flying      256 tiles up, each tick 1 % faster than the last: 1,270 ticks; then it is in orbit
    closing     doors closing: 255 ticks

That is 2,530 ticks from the last part to the first of the next rocket; the wiki counted 2,475 in 1.x, which also
animates lights and arms. Doors, rising and starting draw the active use of 3,990 kW (API: active_energy_usage); that
they take as long with less power is our choice. The wiki reports that 2.0 makes the parts of a second rocket while the
first one waits; a silo here makes none while a rocket stands in it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import ceil
from typing import Any

from fle_ray.errors import CannotSet
from fle_ray.game.prototypes import Silo as Record
from fle_ray.sim.assembler import Assembler, add_to

__all__ = ["Silo", "stage_ticks"]

_NEXT = {"preparing": "ready", "starting": "flying", "flying": "closing", "closing": "crafting"}
_ACTIVE = frozenset({"preparing", "starting", "closing"})
_GONE = frozenset({"starting", "flying"})  # nobody reaches the rocket's cargo
_STATUS = {
    "preparing": "preparing_rocket_for_launch",
    "ready": "waiting_to_launch_rocket",
    "starting": "launching_rocket",
    "flying": "launching_rocket",
    "closing": "launching_rocket",
}


@lru_cache(maxsize=16)
def stage_ticks(silo: Record) -> dict[str, int]:
    """Length of every timed stage, in ticks."""
    doors = ceil(round(1 / silo.door_opening_speed, 6))
    height = abs(silo.rocket_launch_offset[1])
    flown, speed, ticks = 0.0, silo.flying_speed, 0
    while flown < height:
        flown += speed
        speed *= 1 + silo.flying_acceleration
        ticks += 1
    return {
        "preparing": doors + ceil(round(1 / silo.rising_speed, 6)),
        "starting": ceil(round(1 / silo.engine_starting_speed, 6)),
        "flying": ticks,
        "closing": doors,
    }


class Silo(Assembler):
    """Rocket silos.

    Attributes:
        stage: see above; until: the tick in which a timed stage ends.
        cargo: [item, count] in the rocket's slot, or None; auto_launch: launch as soon as there is cargo.
    """

    __slots__ = ("auto_launch", "cargo", "stage", "until")
    STATE = (*Assembler.STATE, "auto_launch", "cargo", "stage", "until")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.stage = "crafting"
        self.until = 0
        self.cargo: list | None = None
        self.auto_launch = False
        self._install(self.world.data.recipe(self.prototype.crafting.fixed_recipe))

    def _install(self, recipe: Any) -> None:
        super()._install(recipe)
        self._stacks_out = [(name, self.required) for name, _ in self._stacks_out]

    @property
    def required(self) -> int:
        """Parts a rocket needs."""
        return self.prototype.silo.rocket_parts_required

    @property
    def parts(self) -> int:
        """Parts that are there, those of a rocket that stands here included."""
        return sum(self.outputs.values())

    def configure(self, **options: Any) -> dict[str, int]:
        """Set `modules` and `auto_launch`; raises as an assembling machine does."""
        if "auto_launch" in options:
            self.auto_launch = bool(options.pop("auto_launch"))
            self._launch_if_due()
        return super().configure(**options)

    set = configure

    def set_recipe(self, name: str | None) -> dict[str, int]:
        if name != self.prototype.crafting.fixed_recipe:
            raise CannotSet(f"{self.name} makes {self.prototype.crafting.fixed_recipe} and nothing else, not {name}.")
        return {}

    # -- stages -----------------------------------------------------------------------------------------

    def launch(self) -> bool:
        """Launch the rocket, with or without cargo; False when none is ready."""
        if self.stage != "ready":
            return False
        calendar = self.world.calendar
        self._enter("starting", calendar.done(self))
        return True

    def _launch_if_due(self) -> None:
        if self.auto_launch and self.cargo is not None:
            self.launch()

    def _enter(self, stage: str, tick: int) -> None:
        """Be in a stage from the end of `tick` on."""
        self.stage = stage
        length = stage_ticks(self.prototype.silo).get(stage)
        calendar = self.world.calendar
        self.apply_effects()
        if stage in _ACTIVE:
            self.source.start()
        else:
            self.source.rest()
        if length is not None:
            self.until = tick + length
            calendar.schedule(self, self.until)
        else:
            self.until = 0
            calendar.cancel(self)
        if stage == "ready":
            self._launch_if_due()
        elif stage == "crafting":
            calendar.wake(self)
        self.changed()

    def apply_effects(self) -> None:
        super().apply_effects()
        if self.stage in _ACTIVE:
            self.source.set_use(self.prototype.silo.active_energy_usage_w / 60)

    def update(self, tick: int) -> None:
        if self.stage == "crafting":
            super().update(tick)
            if not self.busy and self.parts >= self.required:
                self._enter("preparing", tick)
        elif self.until and tick >= self.until:
            if self.stage == "flying":
                self._arrive()
            self._enter(_NEXT[self.stage], tick)
        elif self.until:
            self.world.calendar.schedule(self, self.until)

    def paced(self, tick: int) -> None:
        if self.stage == "crafting":
            super().paced(tick)
        else:
            self.world.calendar.wake(self)

    def _arrive(self) -> None:
        for name in self.outputs:
            self.outputs[name] -= self.required
        cargo = {self.cargo[0]: self.cargo[1]} if self.cargo is not None else {}
        self.cargo = None
        for item, count in cargo.items():
            self.world.statistics.used(item, count)
        self.world.orbit.arrive(cargo)

    def ready(self) -> bool:
        return self.stage == "crafting" and super().ready()

    @property
    def status(self) -> str:
        if self.stage == "crafting":
            return super().status
        return _STATUS[self.stage] if self.source.on() else self.source.starved_status()

    # -- transfers --------------------------------------------------------------------------------------

    def _cargo_room(self, item: str) -> int:
        if self.stage in _GONE:
            return 0
        if self.cargo is None:
            return self.world.stacks[item]
        return self.world.stacks[item] - self.cargo[1] if self.cargo[0] == item else 0

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        if item in self.inputs or (self.world.data.items[item].module_effects and by == "hand"):
            return super().insert(item, count, by)
        if by == "drill" or item in self.outputs:
            return 0
        moved = max(0, min(count, self._cargo_room(item)))
        if moved:
            if self.cargo is None:
                self.cargo = [item, moved]
            else:
                self.cargo[1] += moved
            self.changed()
            self._launch_if_due()
        return moved

    put = insert

    def wants(self, item: str) -> bool:
        if item in self.inputs:
            return super().wants(item)
        return bool(self.world.data.items[item].rocket_launch_products) and self._cargo_room(item) > 0

    def offer(self, wanted: Callable[[str], bool]) -> str | None:
        return None

    def pick(self, item: str, count: int) -> int:
        return 0

    def holds_anything(self) -> bool:
        return False

    def extract(self, item: str, count: int) -> int:
        moved = super().extract(item, count)
        if moved < count and self.cargo is not None and self.cargo[0] == item and self.stage not in _GONE:
            part = min(count - moved, self.cargo[1])
            self.cargo[1] -= part
            if not self.cargo[1]:
                self.cargo = None
            moved += part
            self.changed()
        return moved

    take = extract

    def contents(self) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {
            "rocket_silo_input": {name: n for name, n in self.inputs.items() if n},
            "rocket_silo_output": {name: n for name, n in self.outputs.items() if n},
            "rocket_silo_rocket": {self.cargo[0]: self.cargo[1]} if self.cargo is not None else {},
            "rocket_silo_modules": dict(self.modules.contents()),
        }
        return {name: held for name, held in found.items() if held}

    def clear(self) -> dict[str, int]:
        self.outputs = dict.fromkeys(self.outputs, 0)  # parts are lost, as in the game
        held = super().clear()
        if self.cargo is not None:
            add_to(held, {self.cargo[0]: self.cargo[1]})
            self.cargo = None
        return held
