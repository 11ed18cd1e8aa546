"""Modules and what they do to the machine they are in.

Effects add up per kind, those of the modules inside and those that beacons transmit; speed and energy use never
fall below 20 % of base (wiki: Modules). n beacons that reach a machine give the sum of their modules' effects
times the beacon's distribution effectivity times `profile[n]` (Friday Facts 409; the table is prototype data). A
module goes in only where machine and recipe allow every good effect it has (changelog 2.0.7); side effects in
the other direction do not count, so a speed module's loss of quality keeps it out of nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fle_ray.errors import CannotSet
from fle_ray.game.prototypes import Item

__all__ = ["Modules", "good_effects"]

_LEAST = 0.2  # speed and energy use stay at or above this share of base
_DIGITS = 9  # sums of hundredths are rounded here, so that ten times 0.1 makes one


def good_effects(item: Item) -> set[str]:
    """The kinds of effects a module is there for: more speed, productivity or quality, less energy or pollution."""
    lower_is_better = ("consumption", "pollution")
    return {kind for kind, bonus in item.module_effects.items() if (bonus < 0) == (kind in lower_is_better) and bonus}


class Modules:
    """The modules in one entity, and the effects on it, beacons included.

    Attributes:
        installed: names of the modules inside, in slot order.
        beacons: the beacons that reach the owner, by creation number.
        speed, consumption: factors on base speed and base energy use, >= 0.2.
        productivity: bonus share, >= 0, without what the force has researched.
    """

    __slots__ = ("allowed", "beacons", "consumption", "installed", "items", "owner", "productivity", "size", "speed")

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.items = owner.world.data.items
        self.size: int = owner.prototype.module_slots
        self.allowed = owner.prototype.allowed_effects
        self.installed: list[str] = []
        self.beacons: list[Any] = []
        self.speed = 1.0
        self.consumption = 1.0
        self.productivity = owner.prototype.base_productivity

    # -- what goes in -----------------------------------------------------------------------------------

    def refusal(self, item: str) -> str | None:
        """Why `item` cannot be in here, whatever room there is; None when it can."""
        record = self.items.get(item)
        if record is None or not record.module_effects:
            return f"{item} is no module"
        good = good_effects(record)
        barred = good - self.allowed
        if not self.size or barred:
            return f"{self.owner.name} takes no {item}"
        if "productivity" in good and not self.owner.allows_productivity():
            return f"its recipe takes no {item}"
        return None

    def room(self) -> int:
        """Empty slots."""
        return self.size - len(self.installed)

    def insert(self, item: str, count: int) -> int:
        """Put in up to `count` of a module; returns how many went in."""
        if count <= 0 or self.refusal(item) is not None:
            return 0
        moved = min(count, self.room())
        if moved:
            self.installed += [item] * moved
            self.owner.modules_changed()
        return moved

    def remove(self, item: str, count: int) -> int:
        """Take out up to `count` of a module, from the last slots; returns how many came out."""
        moved = 0
        for index in range(len(self.installed) - 1, -1, -1):
            if moved >= count:
                break
            if self.installed[index] == item:
                del self.installed[index]
                moved += 1
        if moved:
            self.owner.modules_changed()
        return moved

    def replace(self, names: Iterable[str]) -> dict[str, int]:
        """Have exactly these modules inside; returns those that were.

        Raises CannotSet when they are too many or one of them is not allowed; then nothing changes.
        """
        wanted = list(names)
        if len(wanted) > self.size:
            raise CannotSet(f"{self.owner.name} has {self.size} module slots, not {len(wanted)}.")
        for name in wanted:
            reason = self.refusal(name)
            if reason is not None:
                raise CannotSet(f"{name} cannot go into {self.owner.name}: {reason}.")
        before = self.contents()
        self.installed = wanted
        self.owner.modules_changed()
        return before

    def eject_refused(self) -> dict[str, int]:
        """Take out what a change of recipe has made impossible; returns it."""
        out: dict[str, int] = {}
        for name in [n for n in self.installed if self.refusal(n) is not None]:
            self.installed.remove(name)
            out[name] = out.get(name, 0) + 1
        if out:
            self.owner.modules_changed()
        return out

    def contents(self) -> dict[str, int]:
        """Module -> count."""
        held: dict[str, int] = {}
        for name in self.installed:
            held[name] = held.get(name, 0) + 1
        return held

    def clear(self) -> dict[str, int]:
        """Empty the slots without telling the owner; returns what was inside."""
        held = self.contents()
        self.installed = []
        return held

    # -- what it does -------------------------------------------------------------------------------------

    def link(self, beacon: Any) -> None:
        """A beacon reaches the owner. Changes no figure: `refresh` does."""
        if beacon not in self.beacons:
            self.beacons.append(beacon)
            self.beacons.sort(key=lambda b: b.number)

    def unlink(self, beacon: Any) -> None:
        if beacon in self.beacons:
            self.beacons.remove(beacon)

    def total(self, kind: str) -> float:
        """Sum of one kind of effect: inside and from beacons."""
        items = self.items
        inside = sum(items[name].module_effects.get(kind, 0.0) for name in self.installed)
        sending = [b for b in self.beacons if b.sending]
        if sending and kind in self.allowed:
            record = sending[0].prototype.beacon
            factor = record.profile[min(len(sending), len(record.profile)) - 1] * record.distribution_effectivity
            inside += factor * sum(b.transmitted(kind) for b in sending)
        return round(inside, _DIGITS)

    def refresh(self) -> None:
        """Work the factors out again from modules and beacons."""
        if not self.installed and not self.beacons:
            self.speed = self.consumption = 1.0
            self.productivity = self.owner.prototype.base_productivity
            return
        self.speed = max(_LEAST, 1 + self.total("speed"))
        self.consumption = max(_LEAST, 1 + self.total("consumption"))
        self.productivity = max(0.0, self.owner.prototype.base_productivity + self.total("productivity"))

    # -- state --------------------------------------------------------------------------------------------

    def save(self) -> list | None:
        """Modules and factors; None for a machine without any effect."""
        if not self.installed and self.speed == self.consumption == 1.0:
            return None
        return [list(self.installed), self.speed, self.consumption, self.productivity]

    def load(self, state: list) -> None:
        self.installed, self.speed, self.consumption, self.productivity = state
