"""Technologies, as names to ask for."""

from __future__ import annotations

from .names import NamedEnum

__all__ = ["Technology", "technology_by_name"]


class Technology(NamedEnum):
    """Technologies that programs can name.

    Some values (`advanced-electronics`, `stack-inserter`, `rocket-control-unit`, ...) are names of older games
    that version 2.0 does not have: look every name up in the game's own table.
    """

    SteamPower = "steam-power"
    AutomationSciencePack = "automation-science-pack"
    Automation = "automation"
    Automation2 = "automation-2"
    Automation3 = "automation-3"
    Logistics = "logistics"
    Logistics2 = "logistics-2"
    Logistics3 = "logistics-3"
    AdvancedElectronics = "advanced-electronics"
    AdvancedElectronics2 = "advanced-electronics-2"
    Electronics = "electronics"
    ElectricEnergy = "electric-energy-distribution-1"
    ElectricEnergy2 = "electric-energy-distribution-2"
    SolarEnergy = "solar-energy"
    ElectricEngineering = "electric-engine"
    BatteryTechnology = "battery"
    NuclearPower = "nuclear-power"
    SteelProcessing = "steel-processing"
    AdvancedMaterialProcessing = "advanced-material-processing"
    AdvancedMaterialProcessing2 = "advanced-material-processing-2"
    MilitaryScience = "military"
    ModularArmor = "modular-armor"
    PowerArmor = "power-armor"
    PowerArmor2 = "power-armor-mk2"
    NightVision = "night-vision-equipment"
    EnergyShield = "energy-shields"
    EnergyShield2 = "energy-shields-mk2-equipment"
    RailwayTransportation = "railway"
    OilProcessing = "oil-processing"
    AdvancedOilProcessing = "advanced-oil-processing"
    SulfurProcessing = "sulfur-processing"
    Plastics = "plastics"
    Lubricant = "lubricant"
    ProductivityModule = "productivity-module"
    ProductivityModule2 = "productivity-module-2"
    ProductivityModule3 = "productivity-module-3"
    Robotics = "robotics"
    LogisticsSciencePack = "logistic-science-pack"
    MilitarySciencePack = "military-science-pack"
    ChemicalSciencePack = "chemical-science-pack"
    ProductionSciencePack = "production-science-pack"
    FastInserter = "fast-inserter"
    StackInserter = "stack-inserter"
    StackInserterCapacity1 = "stack-inserter-capacity-bonus-1"
    StackInserterCapacity2 = "stack-inserter-capacity-bonus-2"
    StorageTanks = "fluid-handling"
    BarrelFilling = "barrel-filling"
    Grenades = "grenades"
    Landfill = "landfill"
    CharacterInventorySlots = "character-inventory-slots"
    ResearchSpeed = "research-speed"
    SpaceScience = "space-science-pack"
    RocketFuel = "rocket-fuel"
    RocketControl = "rocket-control-unit"
    LowDensityStructure = "low-density-structure"
    RocketSiloTechnology = "rocket-silo"


technology_by_name: dict[str, Technology] = {member._value_: member for member in Technology}
