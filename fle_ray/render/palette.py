"""Colours and short codes of what is drawn: our own, chosen to be told apart, not the game's art."""

from __future__ import annotations

import colorsys
import zlib
from functools import cache

__all__ = ["code_of", "fluid_colour", "ground_colour", "ink_on", "item_colour", "machine_colour", "mixed", "ore_colour"]

_ITEMS = {
    "advanced-circuit": ("#c8342c", "AC"),
    "automation-science-pack": ("#d8413c", "S1"),
    "battery": ("#a9b53a", "Ba"),
    "chemical-science-pack": ("#35a7dc", "S4"),
    "coal": ("#303036", "Co"),
    "copper-cable": ("#d9662b", "Cc"),
    "copper-ore": ("#c8743a", "Cu"),
    "copper-plate": ("#e58b4b", "CP"),
    "electric-engine-unit": ("#7f8f5f", "EE"),
    "electronic-circuit": ("#3fa34d", "EC"),
    "engine-unit": ("#a8773f", "En"),
    "flying-robot-frame": ("#8fa3b5", "RF"),
    "grenade": ("#5f6f4a", "Gr"),
    "inserter": ("#d9a93a", "In"),
    "iron-gear-wheel": ("#8b949c", "Gw"),
    "iron-ore": ("#7d9bb3", "Fe"),
    "iron-plate": ("#c5ced6", "IP"),
    "iron-stick": ("#b3bcc4", "Is"),
    "logistic-science-pack": ("#3f9f44", "S2"),
    "low-density-structure": ("#d4b06a", "LD"),
    "military-science-pack": ("#44444f", "S3"),
    "piercing-rounds-magazine": ("#b0564a", "PR"),
    "firearm-magazine": ("#b89a4a", "FM"),
    "plastic-bar": ("#f2f2f0", "Pl"),
    "processing-unit": ("#3d5fc4", "PU"),
    "production-science-pack": ("#9c4fc4", "S5"),
    "rocket-fuel": ("#d97f2b", "RF"),
    "solid-fuel": ("#4a4038", "SF"),
    "space-science-pack": ("#e8e8f0", "S7"),
    "steel-plate": ("#9db3c4", "SP"),
    "stone": ("#b5a47d", "St"),
    "stone-brick": ("#a58f78", "SB"),
    "stone-wall": ("#8f8578", "SW"),
    "sulfur": ("#e6db42", "Su"),
    "transport-belt": ("#e3bf3f", "TB"),
    "uranium-ore": ("#6fbf3a", "U"),
    "utility-science-pack": ("#e0b32e", "S6"),
    "wood": ("#8b5a2b", "Wo"),
    "wooden-chest": ("#a9743f", "WC"),
}
_FLUIDS = {
    "crude-oil": ("#2b2430", "Oi"),
    "heavy-oil": ("#a3501f", "HO"),
    "light-oil": ("#d9a23a", "LO"),
    "lubricant": ("#4f8f3a", "Lu"),
    "petroleum-gas": ("#8f5fb8", "PG"),
    "steam": ("#eef3f6", "Sm"),
    "sulfuric-acid": ("#c9c93a", "SA"),
    "water": ("#3f8fd0", "Wa"),
}
_ORES = {
    "coal": "#2e2e33",
    "copper-ore": "#cf7434",
    "crude-oil": "#3a2a45",
    "iron-ore": "#7c8fa1",
    "stone": "#a8915f",
    "uranium-ore": "#62b02f",
}
# By the first part of a tile's name, longest first.
_GROUND = (
    ("deepwater", "#4f9bd6"),
    ("water-shallow", "#a9d8f2"),
    ("water-mud", "#a9d8f2"),
    ("water", "#74bbea"),
    ("out-of-map", "#33312e"),
    ("unexplored", "#4b4843"),
    ("grass", "#cdd6ae"),
    ("dirt", "#dccbaa"),
    ("dry-dirt", "#dccbaa"),
    ("sand", "#e8dcba"),
    ("red-desert", "#e0bf9f"),
    ("landfill", "#cbbf9d"),
    ("lab-white", "#f4f3ef"),
    ("lab-dark", "#d6d3cb"),
    ("stone-path", "#d3cfc4"),
    ("nuclear-ground", "#8d8a80"),
)
_PLAIN_GROUND = "#e9e6df"  # concrete of all kinds
_MACHINES = {
    "assembling-machine-1": "#a7b0b8",
    "assembling-machine-2": "#86a5c9",
    "assembling-machine-3": "#b3bf78",
    "centrifuge": "#8fbf87",
    "chemical-plant": "#8fb8ac",
    "oil-refinery": "#b39d92",
    "stone-furnace": "#b39a86",
    "steel-furnace": "#9a9ea8",
    "electric-furnace": "#aaa3b5",
    "burner-mining-drill": "#b08b62",
    "electric-mining-drill": "#c9a45a",
    "pumpjack": "#84a184",
    "boiler": "#bf7a58",
    "heat-exchanger": "#bf8a78",
    "steam-engine": "#a3b0ba",
    "steam-turbine": "#93a5b8",
    "nuclear-reactor": "#8fbf87",
    "offshore-pump": "#6f9fc4",
    "pump": "#6f9fc4",
    "storage-tank": "#b8bfc4",
    "lab": "#cfd6de",
    "beacon": "#8fb3d4",
    "wooden-chest": "#b98450",
    "iron-chest": "#a8b0b6",
    "steel-chest": "#8fa3b3",
    "active-provider-chest": "#a878b8",
    "passive-provider-chest": "#c46a5f",
    "requester-chest": "#6f9fd0",
    "buffer-chest": "#7fb08a",
    "storage-chest": "#d0b45f",
    "burner-inserter": "#8a7560",
    "inserter": "#e0a92f",
    "long-handed-inserter": "#d04a3f",
    "fast-inserter": "#4a7fcb",
    "bulk-inserter": "#5fae4f",
    "transport-belt": "#e6c960",
    "underground-belt": "#e6c960",
    "splitter": "#e6c960",
    "fast-transport-belt": "#e08a7b",
    "fast-underground-belt": "#e08a7b",
    "fast-splitter": "#e08a7b",
    "express-transport-belt": "#86b5dd",
    "express-underground-belt": "#86b5dd",
    "express-splitter": "#86b5dd",
    "solar-panel": "#3f5f8f",
    "accumulator": "#9fb39a",
    "radar": "#9fb3a8",
    "roboport": "#c9b88f",
    "rocket-silo": "#9a9a9f",
    "small-electric-pole": "#8a5f38",
    "medium-electric-pole": "#7a6a58",
    "big-electric-pole": "#6a6a70",
    "substation": "#7a7f8a",
    "stone-wall": "#8f8a80",
    "heat-pipe": "#c0694a",
}
_OTHER_MACHINE = "#b5b5ba"


def _hashed(name: str) -> str:
    """A colour of its own for a name that has none here, the same on every machine."""
    number = zlib.crc32(name.encode())
    red, green, blue = colorsys.hls_to_rgb(number % 360 / 360, 0.55 + number // 360 % 3 * 0.08, 0.45)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


@cache
def item_colour(name: str) -> str:
    """Colour of an item or fluid."""
    known = _ITEMS.get(name) or _FLUIDS.get(name)
    return known[0] if known else _hashed(name)


@cache
def code_of(name: str) -> str:
    """One to three letters for an item or fluid; the legend says which is which."""
    known = _ITEMS.get(name) or _FLUIDS.get(name)
    if known:
        return known[1]
    words = name.split("-")
    return (words[0][:2] if len(words) == 1 else "".join(word[:1] for word in words[:3])).capitalize()


def fluid_colour(name: str) -> str:
    return item_colour(name)


def ore_colour(name: str) -> str:
    return _ORES.get(name) or item_colour(name)


@cache
def ground_colour(tile: str) -> str:
    for start, colour in _GROUND:
        if tile.startswith(start):
            return colour
    return _PLAIN_GROUND


def machine_colour(name: str) -> str:
    return _MACHINES.get(name, _OTHER_MACHINE)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@cache
def ink_on(colour: str) -> str:
    """Black or white, whichever reads better on a colour (relative luminance with the weights of Rec. 601)."""
    red, green, blue = _channels(colour)
    return "#111111" if 0.299 * red + 0.587 * green + 0.114 * blue > 128 else "#ffffff"


@cache
def mixed(colour: str, other: str, share: float) -> str:
    """`share` (0..1) of another colour mixed into one."""
    parts = (round(a + (b - a) * share) for a, b in zip(_channels(colour), _channels(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)
