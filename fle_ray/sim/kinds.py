"""Which class plays which prototype type. What is not listed stands there and does nothing (see passive.py)."""

from __future__ import annotations

from fle_ray.game.prototypes import Entity as Prototype
from fle_ray.sim.accumulator import Accumulator
from fle_ray.sim.assembler import Assembler
from fle_ray.sim.beacon import Beacon
from fle_ray.sim.belt import Belt
from fle_ray.sim.boiler import Boiler
from fle_ray.sim.chest import Chest
from fle_ray.sim.drill import Drill
from fle_ray.sim.entity import Entity
from fle_ray.sim.furnace import Furnace
from fle_ray.sim.generator import Generator
from fle_ray.sim.ground import GroundItem
from fle_ray.sim.heat import HeatPipe, Reactor
from fle_ray.sim.inserter import Inserter
from fle_ray.sim.lab import Lab
from fle_ray.sim.orbit import LandingPad
from fle_ray.sim.passive import MECHANICS, Lamp, Passive, Roboport
from fle_ray.sim.pipe import Pipe
from fle_ray.sim.pole import Pole
from fle_ray.sim.pump import OffshorePump, Pump
from fle_ray.sim.pumpjack import Pumpjack
from fle_ray.sim.silo import Silo
from fle_ray.sim.solar import SolarPanel
from fle_ray.sim.splitter import Splitter
from fle_ray.sim.underground import Underground

__all__ = ["kind_of"]

_KINDS: dict[str, type[Entity]] = {
    **dict.fromkeys(MECHANICS, Passive),
    "accumulator": Accumulator,
    "assembling-machine": Assembler,
    "beacon": Beacon,
    "boiler": Boiler,
    "cargo-landing-pad": LandingPad,
    "container": Chest,
    "logistic-container": Chest,
    "electric-pole": Pole,
    "furnace": Furnace,
    "generator": Generator,
    "heat-pipe": HeatPipe,
    "inserter": Inserter,
    "mining-drill": Drill,
    "offshore-pump": OffshorePump,
    "pipe": Pipe,
    "pipe-to-ground": Pipe,
    "pump": Pump,
    "reactor": Reactor,
    "roboport": Roboport,
    "rocket-silo": Silo,
    "item-entity": GroundItem,
    "solar-panel": SolarPanel,
    "splitter": Splitter,
    "storage-tank": Pipe,
    "transport-belt": Belt,
    "underground-belt": Underground,
    "lab": Lab,
    "lamp": Lamp,
}


def kind_of(prototype: Prototype) -> type[Entity]:
    """The class that plays a prototype."""
    if prototype.type == "mining-drill" and prototype.output_fluid_box is not None:
        return Pumpjack
    return _KINDS.get(prototype.type, Entity)
