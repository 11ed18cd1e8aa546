"""Which class plays which prototype type. What is not listed stands there and does nothing (see passive.py)."""

from __future__ import annotations

from fle_ray.game.prototypes import Entity as Prototype
from fle_ray.sim.assembler import Assembler
from fle_ray.sim.beacon import Beacon
from fle_ray.sim.chest import Chest
from fle_ray.sim.drill import Drill
from fle_ray.sim.entity import Entity
from fle_ray.sim.furnace import Furnace
from fle_ray.sim.ground import GroundItem
from fle_ray.sim.lab import Lab
from fle_ray.sim.orbit import LandingPad
from fle_ray.sim.passive import MECHANICS, Lamp, Passive, Roboport
from fle_ray.sim.silo import Silo

__all__ = ["kind_of"]

_KINDS: dict[str, type[Entity]] = {
    **dict.fromkeys(MECHANICS, Passive),
    "assembling-machine": Assembler,
    "beacon": Beacon,
    "cargo-landing-pad": LandingPad,
    "container": Chest,
    "logistic-container": Chest,
    "furnace": Furnace,
    "mining-drill": Drill,
    "roboport": Roboport,
    "rocket-silo": Silo,
    "item-entity": GroundItem,
    "lab": Lab,
    "lamp": Lamp,
}


def kind_of(prototype: Prototype) -> type[Entity]:
    """The class that plays a prototype."""
    return _KINDS.get(prototype.type, Entity)
