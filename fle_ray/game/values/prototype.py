"""Everything that can be named: items, fluids and what they build."""

from __future__ import annotations

from . import entities
from .entities import (
    Accumulator,
    AdvancedAssemblingMachine,
    Ammo,
    AssemblingMachine,
    Beacon,
    Boiler,
    BurnerInserter,
    BurnerMiningDrill,
    ChemicalPlant,
    Chest,
    Combinator,
    ElectricFurnace,
    ElectricityPole,
    ElectricMiningDrill,
    Entity,
    FluidTurret,
    Furnace,
    Generator,
    GunTurret,
    HeatExchanger,
    Inserter,
    Lab,
    LogisticChest,
    OffshorePump,
    OilRefinery,
    Pipe,
    Pump,
    PumpJack,
    Rail,
    RailSignal,
    Reactor,
    Roboport,
    Rocket,
    RocketSilo,
    RollingStock,
    SolarPanel,
    Splitter,
    StorageTank,
    TrainStop,
    TransportBelt,
    Turret,
    UndergroundBelt,
    Vehicle,
)
from .groups import BeltGroup, ElectricityGroup, PipeGroup
from .names import NamedEnum

__all__ = ["Prototype", "prototype_by_name", "prototype_by_title"]


class Prototype(NamedEnum):
    """An item, fluid or entity; the value is (the game's name, class of the entity or None).

    StackInserter and StackFilterInserter are the same member as BulkInserter, FilterInserter the same as
    FastInserter. Some names (`empty-barrel`, `rocket-control-unit`, `coal-liquifaction`, ...) do not exist in
    version 2.0 of the game: look a name up in the game's own table before using it.
    """

    # `entities.X` where a member of that name comes before: in here, X would be the member
    AssemblingMachine1 = ("assembling-machine-1", AssemblingMachine)
    AssemblingMachine2 = ("assembling-machine-2", AdvancedAssemblingMachine)
    AssemblingMachine3 = ("assembling-machine-3", AdvancedAssemblingMachine)
    Centrifuge = ("centrifuge", AssemblingMachine)
    BurnerInserter = ("burner-inserter", BurnerInserter)
    FastInserter = ("fast-inserter", Inserter)
    LongHandedInserter = ("long-handed-inserter", Inserter)
    BulkInserter = ("bulk-inserter", Inserter)
    StackInserter = ("bulk-inserter", Inserter)
    FilterInserter = ("fast-inserter", Inserter)
    StackFilterInserter = ("bulk-inserter", Inserter)
    Inserter = ("inserter", Inserter)
    BurnerMiningDrill = ("burner-mining-drill", BurnerMiningDrill)
    ElectricMiningDrill = ("electric-mining-drill", ElectricMiningDrill)
    StoneFurnace = ("stone-furnace", Furnace)
    SteelFurnace = ("steel-furnace", Furnace)
    ElectricFurnace = ("electric-furnace", ElectricFurnace)
    Splitter = ("splitter", Splitter)
    FastSplitter = ("fast-splitter", entities.Splitter)
    ExpressSplitter = ("express-splitter", entities.Splitter)
    Rail = ("rail", Rail)
    TransportBelt = ("transport-belt", TransportBelt)
    FastTransportBelt = ("fast-transport-belt", entities.TransportBelt)
    ExpressTransportBelt = ("express-transport-belt", entities.TransportBelt)
    ExpressUndergroundBelt = ("express-underground-belt", UndergroundBelt)
    FastUndergroundBelt = ("fast-underground-belt", UndergroundBelt)
    UndergroundBelt = ("underground-belt", UndergroundBelt)
    OffshorePump = ("offshore-pump", OffshorePump)
    PumpJack = ("pumpjack", PumpJack)
    Pump = ("pump", Pump)
    Boiler = ("boiler", Boiler)
    OilRefinery = ("oil-refinery", OilRefinery)
    ChemicalPlant = ("chemical-plant", ChemicalPlant)
    SteamEngine = ("steam-engine", Generator)
    SolarPanel = ("solar-panel", SolarPanel)
    UndergroundPipe = ("pipe-to-ground", Pipe)
    HeatPipe = ("heat-pipe", Pipe)
    Pipe = ("pipe", Pipe)
    SteelChest = ("steel-chest", Chest)
    IronChest = ("iron-chest", Chest)
    WoodenChest = ("wooden-chest", Chest)
    IronGearWheel = ("iron-gear-wheel", Entity)
    StorageTank = ("storage-tank", StorageTank)
    SmallElectricPole = ("small-electric-pole", ElectricityPole)
    MediumElectricPole = ("medium-electric-pole", ElectricityPole)
    BigElectricPole = ("big-electric-pole", ElectricityPole)
    Coal = ("coal", None)
    Wood = ("wood", None)
    Sulfur = ("sulfur", None)
    IronOre = ("iron-ore", None)
    CopperOre = ("copper-ore", None)
    Stone = ("stone", None)
    Concrete = ("concrete", None)
    UraniumOre = ("uranium-ore", None)
    IronPlate = ("iron-plate", None)
    IronStick = ("iron-stick", None)
    SteelPlate = ("steel-plate", None)
    CopperPlate = ("copper-plate", None)
    StoneBrick = ("stone-brick", None)
    CopperCable = ("copper-cable", None)
    PlasticBar = ("plastic-bar", None)
    EmptyBarrel = ("empty-barrel", None)
    Battery = ("battery", None)
    SulfuricAcid = ("sulfuric-acid", None)
    Uranium235 = ("uranium-235", None)
    Uranium238 = ("uranium-238", None)
    Lubricant = ("lubricant", None)
    PetroleumGas = ("petroleum-gas", None)
    AdvancedOilProcessing = ("advanced-oil-processing", None)
    CoalLiquifaction = ("coal-liquifaction", None)
    SolidFuel = ("solid-fuel", None)
    LightOil = ("light-oil", None)
    HeavyOil = ("heavy-oil", None)
    ElectronicCircuit = ("electronic-circuit", None)
    AdvancedCircuit = ("advanced-circuit", None)
    ProcessingUnit = ("processing-unit", None)
    EngineUnit = ("engine-unit", None)
    ElectricEngineUnit = ("electric-engine-unit", None)
    Lab = ("lab", Lab)
    Accumulator = ("accumulator", Accumulator)
    GunTurret = ("gun-turret", GunTurret)
    PiercingRoundsMagazine = ("piercing-rounds-magazine", Ammo)
    FirearmMagazine = ("firearm-magazine", Ammo)
    Grenade = ("grenade", None)
    Radar = ("radar", Entity)
    StoneWall = ("stone-wall", Entity)
    Gate = ("gate", Entity)
    SmallLamp = ("small-lamp", Entity)
    NuclearReactor = ("nuclear-reactor", Reactor)
    UraniumFuelCell = ("uranium-fuel-cell", None)
    HeatExchanger = ("heat-exchanger", HeatExchanger)
    AutomationSciencePack = ("automation-science-pack", None)
    MilitarySciencePack = ("military-science-pack", None)
    LogisticsSciencePack = ("logistic-science-pack", None)
    ProductionSciencePack = ("production-science-pack", None)
    UtilitySciencePack = ("utility-science-pack", None)
    ChemicalSciencePack = ("chemical-science-pack", None)
    ProductivityModule = ("productivity-module", None)
    ProductivityModule2 = ("productivity-module-2", None)
    ProductivityModule3 = ("productivity-module-3", None)
    FlyingRobotFrame = ("flying-robot-frame", None)
    RocketSilo = ("rocket-silo", RocketSilo)
    Rocket = ("rocket", Rocket)
    Satellite = ("satellite", None)
    RocketPart = ("rocket-part", None)
    RocketControlUnit = ("rocket-control-unit", None)
    LowDensityStructure = ("low-density-structure", None)
    RocketFuel = ("rocket-fuel", None)
    SpaceSciencePack = ("space-science-pack", None)
    BeltGroup = ("belt-group", BeltGroup)
    PipeGroup = ("pipe-group", PipeGroup)
    ElectricityGroup = ("electricity-group", ElectricityGroup)
    PassiveProviderChest = ("passive-provider-chest", LogisticChest)
    ActiveProviderChest = ("active-provider-chest", LogisticChest)
    StorageChest = ("storage-chest", LogisticChest)
    RequesterChest = ("requester-chest", LogisticChest)
    BufferChest = ("buffer-chest", LogisticChest)
    Beacon = ("beacon", Beacon)
    SpeedModule = ("speed-module", None)
    SpeedModule2 = ("speed-module-2", None)
    SpeedModule3 = ("speed-module-3", None)
    EfficiencyModule = ("efficiency-module", None)
    EfficiencyModule2 = ("efficiency-module-2", None)
    EfficiencyModule3 = ("efficiency-module-3", None)
    Substation = ("substation", ElectricityPole)
    SteamTurbine = ("steam-turbine", Generator)
    ArithmeticCombinator = ("arithmetic-combinator", Combinator)
    DeciderCombinator = ("decider-combinator", Combinator)
    ConstantCombinator = ("constant-combinator", Combinator)
    PowerSwitch = ("power-switch", Combinator)
    ProgrammableSpeaker = ("programmable-speaker", Entity)
    TrainStop = ("train-stop", TrainStop)
    RailSignal = ("rail-signal", RailSignal)
    RailChainSignal = ("rail-chain-signal", entities.RailSignal)
    Locomotive = ("locomotive", RollingStock)
    CargoWagon = ("cargo-wagon", RollingStock)
    FluidWagon = ("fluid-wagon", RollingStock)
    Roboport = ("roboport", Roboport)
    LaserTurret = ("laser-turret", Turret)
    FlamethrowerTurret = ("flamethrower-turret", FluidTurret)
    ArtilleryTurret = ("artillery-turret", Turret)
    LandMine = ("land-mine", Entity)
    Car = ("car", Vehicle)
    Tank = ("tank", Vehicle)
    Spidertron = ("spidertron", Vehicle)

    @property
    def prototype_name(self) -> str:
        """The game's name, as in "stone-furnace"."""
        return self._value_[0]

    @property
    def entity_class(self) -> type | None:
        """The class of the entities it builds, None for what builds none."""
        return self._value_[1]

    @property
    def WIDTH(self) -> int:
        """Width in tiles facing north. Raises AttributeError for what has no size."""
        return self._size("width")

    @property
    def HEIGHT(self) -> int:
        """Height in tiles facing north. Raises AttributeError for what has no size."""
        return self._size("height")

    def _size(self, side: str) -> int:
        size = getattr(self._value_[1], side, None)
        if size is None:
            raise AttributeError(f"{self!r} has no {side.upper()}: it is not an entity with a size.")
        return size


prototype_by_name: dict[str, Prototype] = {member._value_[0]: member for member in Prototype}
prototype_by_title: dict[str, Prototype] = {str(member): member for member in Prototype}
