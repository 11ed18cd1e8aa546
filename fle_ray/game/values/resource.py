"""What lies in the ground."""

from __future__ import annotations

from .boxes import BoundingBox
from .model import Model
from .names import NamedEnum, SuggestingType

__all__ = ["Resource", "ResourceName", "ResourcePatch"]


class ResourcePatch(Model):
    """A connected deposit: `size` is the total amount in it."""

    name: str
    size: int
    bounding_box: BoundingBox


class Resource(metaclass=SuggestingType):
    """Resources as (name, class) pairs: `Resource.Coal[0] == "coal"`. Not an enum: there is no `.value`."""

    Coal = ("coal", ResourcePatch)
    IronOre = ("iron-ore", ResourcePatch)
    CopperOre = ("copper-ore", ResourcePatch)
    Stone = ("stone", ResourcePatch)
    Water = ("water", ResourcePatch)
    CrudeOil = ("crude-oil", ResourcePatch)
    UraniumOre = ("uranium-ore", ResourcePatch)
    Wood = ("wood", ResourcePatch)


class ResourceName(NamedEnum):
    """Names of the resources that form patches."""

    Coal = "coal"
    IronOre = "iron-ore"
    CopperOre = "copper-ore"
    Stone = "stone"
    Water = "water"
    CrudeOil = "crude-oil"
    UraniumOre = "uranium-ore"
