"""Entities as agents see them: snapshots of what stands on the map.

Tools return the class that the Prototype names. Extra fields are kept. `width` and `height` of a class are its
size in tiles facing north as the agents' API states it, which is not the real footprint for generators, pumps
and combinators. Positions are in tiles, `energy` in joules, fluid amounts in the game's units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .boxes import Dimensions, TileDimensions
from .direction import Direction
from .inventory import Inventory
from .model import Model, expected, field, optional
from .position import IndexedPosition, Position
from .recipe import Ingredient, Recipe
from .status import EntityStatus

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "Accumulator",
    "AdvancedAssemblingMachine",
    "Ammo",
    "AssemblingMachine",
    "Beacon",
    "Boiler",
    "BurnerInserter",
    "BurnerMiningDrill",
    "BurnerType",
    "ChemicalPlant",
    "Chest",
    "Combinator",
    "Electric",
    "ElectricFurnace",
    "ElectricMiningDrill",
    "ElectricalProducer",
    "ElectricityPole",
    "EnergySource",
    "Entity",
    "EntityCore",
    "FilterInserter",
    "Filtered",
    "FluidHandler",
    "FluidTurret",
    "Furnace",
    "Generator",
    "GunTurret",
    "HeatExchanger",
    "Inserter",
    "Lab",
    "LogisticChest",
    "MiningDrill",
    "MultiFluidHandler",
    "OffshorePump",
    "OilRefinery",
    "Pipe",
    "Pump",
    "PumpJack",
    "Rail",
    "RailSignal",
    "Reactor",
    "Roboport",
    "Rocket",
    "RocketSilo",
    "RollingStock",
    "SolarPanel",
    "Splitter",
    "StaticEntity",
    "StorageTank",
    "TrainStop",
    "TransportBelt",
    "Turret",
    "UndergroundBelt",
    "Vehicle",
]

# Fields that programs can read but that would drown the rest in print.
_UNPRINTED = frozenset({"dimensions", "tile_dimensions", "prototype", "type", "health", "id", "game"})


def _dict_or_list(value: Any) -> Any:
    if isinstance(value, dict | list):
        return value
    raise expected("a dictionary or a list", value)


def _neighbours(value: Any) -> Any:
    if isinstance(value, dict):
        return value
    if isinstance(value, list | tuple):
        return [EntityCore.model_validate(entry) for entry in value]
    raise expected("a list of entities", value)


def _recipe(value: Any) -> Recipe | str:
    return value if isinstance(value, str) else Recipe.model_validate(value)


def _lanes() -> dict[str, Inventory]:
    return {"left": Inventory(), "right": Inventory()}


def _check_lanes(value: Any) -> dict[str, Inventory]:
    if isinstance(value, dict) and value.keys() <= {"left", "right"}:
        return {lane: Inventory.model_validate(items) for lane, items in value.items()}
    raise expected("a dictionary with the lanes 'left' and 'right'", value)


class EntityModel(Model):
    """Base of what entities are put together from; keeps extra fields."""

    OPEN = True


class BurnerType(EntityModel):
    """Something that burns fuel."""

    fuel: Inventory = field(make=Inventory)


class EntityCore(EntityModel):
    """What is known of an entity at least."""

    name: str
    direction: Direction = Direction.UP
    position: Position


class Entity(EntityCore):
    """An entity on the map. `id` is its unit number, `warnings` are short sentences about what is amiss."""

    id: int | None = None
    energy: float
    type: str | None = None
    dimensions: Dimensions
    tile_dimensions: TileDimensions
    prototype: object = None
    health: float
    warnings: list[str] = field(make=list)
    status: EntityStatus = EntityStatus.NORMAL

    def __repr__(self) -> str:
        shown = [
            f"{name}={value!r}"
            for name, value in self.__dict__.items()
            if name not in _UNPRINTED and (value or name != "warnings")
        ]
        size = self.tile_dimensions
        if isinstance(size, TileDimensions):
            shown += [f"height={size.tile_height!r}", f"width={size.tile_width!r}"]
        return f"\n\t{type(self).__name__}({', '.join(shown)})"

    def __str__(self) -> str:
        return repr(self)


class StaticEntity(Entity):
    """An entity that stays where it is. `neighbours` are the entities right beside it."""

    neighbours: object = field(make=list, check=optional(_neighbours))


class Rail(Entity):
    width = 1
    height = 1


class Splitter(Entity):
    """`inventory` holds the contents of its two lines."""

    width = 2
    height = 1
    input_positions: list[Position]
    output_positions: list[Position]
    inventory: list[Inventory] = field(make=list)


class TransportBelt(Entity):
    """A belt: `is_source` without a belt before it, `is_terminus` without one after it.

    Belts are equal when they stand on exactly the same place.
    """

    width = 1
    height = 1
    input_position: Position
    output_position: Position
    inventory: dict[str, Inventory] = field(make=_lanes, check=_check_lanes)
    is_terminus: bool = False
    is_source: bool = False

    def __repr__(self) -> str:
        return f"Belt(({self.position})->, direction={self.direction!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TransportBelt):
            return NotImplemented
        a, b = self.position, other.position
        return a.x == b.x and a.y == b.y

    def __hash__(self) -> int:
        return hash((self.position.x, self.position.y))


class Electric(EntityModel):
    """`electrical_id` is the electric network it belongs to, None without one."""

    electrical_id: int | None = None


class ElectricalProducer(Electric, Entity):
    production: object = field(make=dict)
    energy_source: object = field(make=dict)
    electric_output_flow_limit: int | float | None = 0


class EnergySource(EntityModel):
    """Limits of a source of energy, as texts with their unit."""

    buffer_capacity: str
    input_flow_limit: str
    output_flow_limit: str
    drain: str


class Accumulator(StaticEntity, Electric):
    width = 2
    height = 2
    energy_source: EnergySource | None = None


class Inserter(StaticEntity, Electric):
    """Faces the side on which it drops."""

    width = 1
    height = 1
    pickup_position: Position | None = None
    drop_position: Position


class Filtered(EntityModel):
    filter: object = None


class UndergroundBelt(TransportBelt):
    """`is_input` at the entrance; `connected_to` is the unit number of the other end."""

    width = 1
    height = 1
    is_input: bool
    connected_to: int | None = None


class MiningDrill(StaticEntity):
    """`resources` has one entry per ore, with all that is left under the drill."""

    drop_position: Position
    resources: list[Ingredient]


class ElectricMiningDrill(MiningDrill, Electric):
    width = 3
    height = 3


class BurnerInserter(Inserter, BurnerType):
    width = 1
    height = 1


class BurnerMiningDrill(MiningDrill, BurnerType):
    width = 2
    height = 2


class Ammo(EntityModel):
    name: str
    magazine_size: int | None = 0
    reload_time: int | float | None = 0


class GunTurret(StaticEntity):
    width = 2
    height = 2
    turret_ammo: Inventory = field(make=Inventory)
    kills: int | None = 0


class AssemblingMachine(StaticEntity, Electric):
    """`recipe` is a Recipe, or just its name right after it was set."""

    width = 3
    height = 3
    recipe: object = field(None, check=optional(_recipe))
    assembling_machine_input: Inventory = field(make=Inventory)
    assembling_machine_output: Inventory = field(make=Inventory)
    assembling_machine_modules: Inventory = field(make=Inventory)


class FluidHandler(StaticEntity):
    """`fluid_box` lists `{name, amount, temperature}` of the boxes that are not empty."""

    connection_points: list[Position] = field(make=list)
    fluid_box: object = field(make=list, check=optional(_dict_or_list))
    fluid_systems: object = field(make=list, check=optional(_dict_or_list))


class AdvancedAssemblingMachine(FluidHandler, AssemblingMachine):
    width = 3
    height = 3


class MultiFluidHandler(StaticEntity):
    """Several fluids in and out; the connection points are known once a recipe is set."""

    input_fluids: list[str] = field(make=list)
    output_fluids: list[str] = field(make=list)
    input_connection_points: list[IndexedPosition] = field(make=list)
    output_connection_points: list[IndexedPosition] = field(make=list)
    fluid_box: object = field(make=list, check=optional(_dict_or_list))
    fluid_systems: object = field(make=list, check=optional(_dict_or_list))


class FilterInserter(Inserter, Filtered):
    width = 1
    height = 1


class ChemicalPlant(MultiFluidHandler, AssemblingMachine):
    width = 3
    height = 3


class OilRefinery(MultiFluidHandler, AssemblingMachine):
    width = 5
    height = 5


class PumpJack(MiningDrill, FluidHandler, Electric):
    width = 3
    height = 3


class SolarPanel(ElectricalProducer):
    width = 3
    height = 3


class Boiler(FluidHandler, BurnerType):
    """Faces the side of its steam output."""

    width = 3
    height = 2
    steam_output_point: Position | None = None


class HeatExchanger(Boiler):
    width = 3
    height = 2


class Generator(FluidHandler, StaticEntity):
    width = 5
    height = 3


class Pump(FluidHandler, Electric):
    width = 2
    height = 1


class OffshorePump(FluidHandler):
    """Faces the land side, where its connection point is."""

    width = 2
    height = 1


class ElectricityPole(Entity, Electric):
    """`flow_rate` is the energy consumed in its network so far; 0 means that nothing drew power yet."""

    width = 1
    height = 1
    flow_rate: float

    def __hash__(self) -> int:
        return hash(self.electrical_id)

    __eq__ = Model.__eq__  # a class that sets only one of the two loses the other


class Furnace(Entity, BurnerType):
    width = 2
    height = 2
    furnace_source: Inventory = field(make=Inventory)
    furnace_result: Inventory = field(make=Inventory)


class ElectricFurnace(Entity, Electric):
    width = 3
    height = 3
    furnace_source: Inventory = field(make=Inventory)
    furnace_result: Inventory = field(make=Inventory)


class Chest(Entity):
    width = 1
    height = 1
    inventory: Inventory = field(make=Inventory)


class StorageTank(FluidHandler):
    width = 3
    height = 3


class RocketSilo(StaticEntity, Electric):
    """`rocket_progress` in percent."""

    width = 9
    height = 9
    rocket_parts: int = 0
    rocket_inventory: Inventory = field(make=Inventory)
    rocket_progress: float = 0.0

    def __repr__(self) -> str:
        return (
            f"\n\tRocketSilo(position={self.position!r}, status={self.status!r}, "
            f"rocket_parts={self.rocket_parts!r}, rocket_progress={_percent(self.rocket_progress)})"
        )


class Rocket(Entity):
    """`launch_progress` in percent."""

    payload: Inventory | None = None
    launch_progress: float = 0.0

    def __repr__(self) -> str:
        return (
            f"\n\tRocket(position={self.position!r}, status={self.status!r}, "
            f"launch_progress={_percent(self.launch_progress)})"
        )


def _percent(value: Any) -> str:
    return f"{value:.1f}%" if isinstance(value, int | float) else repr(value)


class Lab(Entity, Electric):
    """`research` is the name of what is being researched, None if nothing is."""

    width = 3
    height = 3
    lab_input: Inventory = field(make=Inventory)
    lab_modules: Inventory = field(make=Inventory)
    research: object = None

    def __repr__(self) -> str:
        return (
            f"\n\tLab(lab_input={self.lab_input!r}, status={self.status!r}, "
            f"research={self.research!r}, electrical_id={self.electrical_id!r})"
        )


class Pipe(Entity):
    """`fluidbox_id` is its fluid segment, `contents` the amount of `fluid` in that whole segment."""

    width = 1
    height = 1
    fluidbox_id: int | None = None
    flow_rate: float | None = None
    contents: float | None = None
    fluid: str | None = None


class Reactor(StaticEntity):
    width = 5
    height = 5


class LogisticChest(Chest):
    width = 1
    height = 1
    request_filters: list[object] = field(make=list)


class Beacon(StaticEntity, Electric):
    width = 3
    height = 3


class Roboport(StaticEntity, Electric):
    width = 4
    height = 4


class Combinator(StaticEntity):
    width = 2
    height = 1


class TrainStop(StaticEntity, Electric):
    width = 2
    height = 2


class RailSignal(StaticEntity):
    width = 1
    height = 1


class RollingStock(Entity, BurnerType):
    width = 6
    height = 2
    inventory: Inventory = field(make=Inventory)


class Turret(GunTurret, Electric):
    width = 2
    height = 2


class FluidTurret(GunTurret, FluidHandler):
    width = 3
    height = 2


class Vehicle(Entity, BurnerType):
    width = 2
    height = 2
    trunk_inventory: Inventory = field(make=Inventory)
