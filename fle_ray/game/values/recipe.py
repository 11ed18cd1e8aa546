"""Recipes: what goes in, what comes out, and names of those that no item is called after."""

from __future__ import annotations

from .model import Model, field
from .names import NamedEnum

__all__ = ["Ingredient", "Product", "Recipe", "RecipeName"]


class Ingredient(Model):
    """An amount of an item or fluid; `type` is "item", "fluid" or None."""

    name: str
    count: int | float = 1
    type: str | None = None


class Product(Ingredient):
    """What a recipe gives with `probability` 0 to 1."""

    probability: int | float = 1


class Recipe(Model):
    """A recipe; `energy` is its crafting time in seconds at speed 1. It equals its name as text."""

    name: str | None = None
    ingredients: list[Ingredient] = field(make=list)
    products: list[Product] = field(make=list)
    energy: int | float = 0
    category: str | None = None
    enabled: bool = False

    def __eq__(self, other: object) -> bool:
        return self.name == other if isinstance(other, str) else super().__eq__(other)


class RecipeName(NamedEnum):
    """Recipes whose name is not that of a Prototype member: several products, cracking, barrels."""

    NuclearFuelReprocessing = "nuclear-fuel-reprocessing"
    UraniumProcessing = "uranium-processing"
    SulfuricAcid = "sulfuric-acid"
    BasicOilProcessing = "basic-oil-processing"
    AdvancedOilProcessing = "advanced-oil-processing"
    CoalLiquefaction = "coal-liquefaction"
    HeavyOilCracking = "heavy-oil-cracking"
    LightOilCracking = "light-oil-cracking"
    SolidFuelFromHeavyOil = "solid-fuel-from-heavy-oil"
    SolidFuelFromLightOil = "solid-fuel-from-light-oil"
    SolidFuelFromPetroleumGas = "solid-fuel-from-petroleum-gas"
    FillCrudeOilBarrel = "crude-oil-barrel"
    FillHeavyOilBarrel = "heavy-oil-barrel"
    FillLightOilBarrel = "light-oil-barrel"
    FillLubricantBarrel = "lubricant-barrel"
    FillPetroleumGasBarrel = "petroleum-gas-barrel"
    FillSulfuricAcidBarrel = "sulfuric-acid-barrel"
    FillWaterBarrel = "water-barrel"
    EmptyCrudeOilBarrel = "empty-crude-oil-barrel"
    EmptyHeavyOilBarrel = "empty-heavy-oil-barrel"
    EmptyLightOilBarrel = "empty-light-oil-barrel"
    EmptyLubricantBarrel = "empty-lubricant-barrel"
    EmptyPetroleumGasBarrel = "empty-petroleum-gas-barrel"
    EmptySulfuricAcidBarrel = "empty-sulfuric-acid-barrel"
    EmptyWaterBarrel = "empty-water-barrel"
