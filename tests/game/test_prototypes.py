"""The data agree with the game's published figures (prototype records of 2.0.73, official wiki)."""

from __future__ import annotations

import copy
import importlib.util
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from fle_ray.errors import UnknownName
from fle_ray.game.prototypes import Constants, rotate
from fle_ray.game.prototypes import load as load_data

ROOT = Path(__file__).resolve().parents[2]

# Every member of FLE's Prototype enum that can stand in the world, by prototype name.
PLACEABLE = """
assembling-machine-1 assembling-machine-2 assembling-machine-3 centrifuge burner-inserter
fast-inserter long-handed-inserter bulk-inserter inserter burner-mining-drill electric-mining-drill
stone-furnace steel-furnace electric-furnace splitter fast-splitter express-splitter rail
transport-belt fast-transport-belt express-transport-belt express-underground-belt
fast-underground-belt underground-belt offshore-pump pumpjack pump boiler oil-refinery
chemical-plant steam-engine solar-panel pipe-to-ground heat-pipe pipe steel-chest iron-chest
wooden-chest storage-tank small-electric-pole medium-electric-pole big-electric-pole lab accumulator
gun-turret radar stone-wall gate small-lamp nuclear-reactor heat-exchanger rocket-silo
passive-provider-chest active-provider-chest storage-chest requester-chest buffer-chest beacon
substation steam-turbine arithmetic-combinator decider-combinator constant-combinator power-switch
programmable-speaker train-stop rail-signal rail-chain-signal locomotive cargo-wagon fluid-wagon
roboport laser-turret flamethrower-turret artillery-turret land-mine car tank spidertron
""".split()


@pytest.fixture(scope="module")
def data():
    return load_data()


def test_importing_the_module_reads_nothing():
    code = "from fle_ray.game import prototypes as p; print(p.load.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


def test_the_file_says_which_versions_it_was_made_from(data):
    assert (data.game_version, data.draftsman_version) == ("2.0.73", "3.3.1")


@pytest.mark.parametrize("item", PLACEABLE)
def test_every_placeable_thing_of_fle_has_an_item_a_recipe_and_a_footprint(data, item):
    entity = data.entity_for(item)
    assert data.item_for(entity.name).name == item
    assert data.recipes_for(item)[0].name == item
    assert entity.tile_width >= 1 and entity.tile_height >= 1
    assert entity.minable.mining_time_s > 0


def test_the_rail_item_places_a_straight_rail(data):
    assert data.entity_for("rail").name == "straight-rail"
    assert data.entity_for("iron-plate") is None
    assert data.item_for("tree-01") is None


def test_nothing_hidden_from_players_can_be_had(data):
    for name in ("loader", "infinity-chest", "electric-energy-interface", "burner-generator", "item-unknown"):
        assert name not in data.items and name not in data.entities


def test_it_is_the_base_game_without_space_age(data):
    part = data.recipe("rocket-part")
    assert {i.name: i.amount for i in part.ingredients} == {
        "low-density-structure": 10,
        "processing-unit": 10,
        "rocket-fuel": 10,
    }
    assert "satellite" in data.items and "foundry" not in data.entities
    assert {r.category for r in data.recipes.values()} == {
        "advanced-crafting",
        "centrifuging",
        "chemistry",
        "crafting",
        "crafting-with-fluid",
        "oil-processing",
        "rocket-building",
        "smelting",
    }


@pytest.mark.parametrize(
    ("name", "speed", "radius", "size", "watts", "slots", "vector"),
    [
        ("burner-mining-drill", 0.25, 0.99, 2, 150_000, 0, (-0.5, -1.3)),
        ("electric-mining-drill", 0.5, 2.49, 3, 90_000, 3, (0.0, -1.85)),
        ("pumpjack", 1, 0.49, 3, 90_000, 2, None),
    ],
)
def test_drills(data, name, speed, radius, size, watts, slots, vector):
    drill = data.entity(name)
    assert (drill.mining.speed, drill.mining.radius, drill.mining.drop_vector) == (speed, radius, vector)
    assert (drill.tile_width, drill.tile_height) == (size, size)
    assert (drill.energy_usage_w, drill.module_slots) == (watts, slots)
    assert drill.energy_source.type == ("burner" if slots == 0 else "electric")
    assert drill.energy_source.drain_w == 0
    assert ("productivity" in drill.allowed_effects) == (slots > 0)


@pytest.mark.parametrize(
    ("name", "seconds"), [("iron-ore", 1), ("copper-ore", 1), ("coal", 1), ("stone", 1), ("uranium-ore", 2)]
)
def test_ores_yield_one_of_their_item(data, name, seconds):
    ore = data.resources[name]
    assert ore.minable.mining_time_s == seconds
    assert [(p.name, p.amount) for p in ore.minable.products] == [(name, 1)]
    assert ore.resource.category == "basic-solid" and not ore.resource.infinite
    assert ore.collision_layers == {"resource"}


def test_uranium_ore_takes_acid(data):
    ore = data.resources["uranium-ore"].minable
    assert (ore.required_fluid, ore.fluid_amount) == ("sulfuric-acid", 10)


def test_a_well_yields_ten_crude_and_never_falls_below_a_fifth(data):
    well = data.resources["crude-oil"]
    assert [(p.type, p.name, p.amount) for p in well.minable.products] == [("fluid", "crude-oil", 10)]
    assert well.resource.infinite
    assert (well.resource.normal, well.resource.minimum) == (300_000, 60_000)
    assert well.resource.infinite_depletion_amount == 10
    assert list(data.resources) == ["coal", "copper-ore", "crude-oil", "iron-ore", "stone", "uranium-ore"]


@pytest.mark.parametrize(
    ("name", "joules", "category"),
    [
        ("wood", 2e6, "chemical"),
        ("coal", 4e6, "chemical"),
        ("solid-fuel", 12e6, "chemical"),
        ("rocket-fuel", 100e6, "chemical"),
        ("nuclear-fuel", 1.21e9, "chemical"),
        ("uranium-fuel-cell", 8e9, "nuclear"),
    ],
)
def test_fuels(data, name, joules, category):
    assert (data.item(name).fuel_value_j, data.item(name).fuel_category) == (joules, category)


def test_nothing_else_burns(data):
    burns = {i.name for i in data.items.values() if i.fuel_value_j or i.fuel_category}
    assert burns == {"wood", "coal", "solid-fuel", "rocket-fuel", "nuclear-fuel", "uranium-fuel-cell"}


def test_a_spent_fuel_cell_is_left_over(data):
    assert data.item("uranium-fuel-cell").burnt_result == "depleted-uranium-fuel-cell"
    assert data.entity("nuclear-reactor").energy_source.burnt_inventory_size == 1


def test_a_burner_inserter_is_born_with_a_quarter_of_a_wood_in_the_fire(data):
    source = data.entity("burner-inserter").energy_source
    assert (source.initial_fuel, source.initial_fuel_percent) == ("wood", 0.25)
    assert source.fuel_inventory_size == 1 and source.fuel_categories == {"chemical"}


@pytest.mark.parametrize(
    ("name", "reach", "side", "size"),
    [
        ("small-electric-pole", 7.5, 5, 1),
        ("medium-electric-pole", 9, 7, 1),
        ("big-electric-pole", 32, 4, 2),
        ("substation", 18, 18, 2),
    ],
)
def test_poles(data, name, reach, side, size):
    pole = data.entity(name)
    assert pole.pole.wire_reach == reach
    assert pole.pole.supply_area_distance * 2 == side
    assert pole.tiles() == (size, size)


@pytest.mark.parametrize(
    ("name", "speed", "watts", "size", "slots", "kind"),
    [
        ("stone-furnace", 1, 90_000, 2, 0, "burner"),
        ("steel-furnace", 2, 90_000, 2, 0, "burner"),
        ("electric-furnace", 2, 180_000, 3, 2, "electric"),
    ],
)
def test_furnaces(data, name, speed, watts, size, slots, kind):
    furnace = data.entity(name)
    assert (furnace.crafting.speed, furnace.energy_usage_w) == (speed, watts)
    assert (furnace.tiles(), furnace.module_slots) == ((size, size), slots)
    assert furnace.crafting.categories == {"smelting"}
    assert (furnace.crafting.source_inventory_size, furnace.crafting.result_inventory_size) == (1, 1)
    assert furnace.energy_source.type == kind


def test_what_a_furnace_smelts_follows_from_its_ingredient(data):
    iron = data.furnace_recipe("smelting", "iron-ore")
    assert (iron.name, iron.energy_required_s) == ("iron-plate", 3.2)
    steel = data.furnace_recipe("smelting", "iron-plate")
    assert (steel.name, steel.energy_required_s, steel.ingredients[0].amount) == ("steel-plate", 16, 5)
    brick = data.furnace_recipe("smelting", "stone")
    assert (brick.name, brick.energy_required_s, brick.ingredients[0].amount) == ("stone-brick", 3.2, 2)
    assert data.furnace_recipe("smelting", "coal") is None


@pytest.mark.parametrize(
    ("name", "speed", "watts", "size", "slots"),
    [
        ("assembling-machine-1", 0.5, 75_000, 3, 0),
        ("assembling-machine-2", 0.75, 150_000, 3, 2),
        ("assembling-machine-3", 1.25, 375_000, 3, 4),
        ("chemical-plant", 1, 210_000, 3, 3),
        ("oil-refinery", 1, 420_000, 5, 3),
        ("centrifuge", 1, 350_000, 3, 2),
    ],
)
def test_crafting_machines_draw_a_thirtieth_of_their_use_when_idle(data, name, speed, watts, size, slots):
    machine = data.entity(name)
    assert (machine.crafting.speed, machine.energy_usage_w) == (speed, watts)
    assert (machine.tiles(), machine.module_slots) == ((size, size), slots)
    assert machine.energy_source.drain_w == pytest.approx(watts / 30)


def test_which_machines_make_what(data):
    def names(recipe):
        return [m.name for m in data.machines_for(recipe)]

    assemblers = ["assembling-machine-1", "assembling-machine-2", "assembling-machine-3"]
    assert names("iron-gear-wheel") == assemblers
    assert names("engine-unit") == assemblers
    assert names("electric-engine-unit") == assemblers[1:]
    assert names("water-barrel") == assemblers[1:]
    assert names("plastic-bar") == ["chemical-plant"]
    assert names("basic-oil-processing") == ["oil-refinery"]
    assert names("uranium-processing") == ["centrifuge"]
    assert names("rocket-part") == ["rocket-silo"]
    assert names("iron-plate") == ["electric-furnace", "steel-furnace", "stone-furnace"]
    assert all(data.machines_for(recipe) for recipe in data.recipes)


def test_engines_and_fluids_are_beyond_hands(data):
    assert data.by_hand("iron-gear-wheel")
    for recipe in ("engine-unit", "iron-plate", "plastic-bar", "electric-engine-unit", "rocket-part"):
        assert not data.by_hand(recipe)


@pytest.mark.parametrize(
    ("name", "rotation", "extension", "pickup", "drop", "joules", "drain", "bulk"),
    [
        ("burner-inserter", 0.013, 0.035, -1, 1.2, 50_000, 0, False),
        ("inserter", 0.014, 0.035, -1, 1.2, 5_000, 400, False),
        ("long-handed-inserter", 0.02, 0.05, -2, 2.2, 5_000, 400, False),
        ("fast-inserter", 0.04, 0.1, -1, 1.2, 7_000, 500, False),
        ("bulk-inserter", 0.04, 0.1, -1, 1.2, 20_000, 1_000, True),
    ],
)
def test_inserters(data, name, rotation, extension, pickup, drop, joules, drain, bulk):
    entity = data.entity(name)
    arm = entity.inserter
    assert (arm.rotation_speed, arm.extension_speed) == (rotation, extension)
    assert (arm.pickup_position, arm.insert_position) == ((0, pickup), (0, drop))
    assert (arm.energy_per_rotation_j, arm.energy_per_movement_j) == (joules, joules)
    assert (entity.energy_source.drain_w, arm.bulk, arm.filter_count) == (drain, bulk, 5)


def test_an_arm_starts_seven_tenths_of_a_tile_out(data):
    assert data.entity("burner-inserter").inserter.starting_distance == 0.7


@pytest.mark.parametrize(
    ("prefix", "speed", "distance"),
    [("", 0.03125, 5), ("fast-", 0.0625, 7), ("express-", 0.09375, 9)],
)
def test_belts(data, prefix, speed, distance):
    belt = data.entity(f"{prefix}transport-belt")
    underground = data.entity(f"{prefix}underground-belt")
    splitter = data.entity(f"{prefix}splitter")
    assert belt.belt.speed == underground.belt.speed == splitter.belt.speed == speed
    assert belt.belt.related == underground.name
    assert underground.belt.max_distance == distance
    assert splitter.tiles() == (2, 1) and splitter.tiles(4) == (1, 2)


@pytest.mark.parametrize(
    ("name", "slots"),
    [
        ("wooden-chest", 16),
        ("iron-chest", 32),
        ("steel-chest", 48),
        ("storage-chest", 48),
        ("requester-chest", 48),
        ("character", 80),
        ("cargo-wagon", 40),
    ],
)
def test_inventories(data, name, slots):
    assert data.entity(name).inventory_size == slots


@pytest.mark.parametrize(
    ("name", "seconds", "takes", "gives"),
    [
        ("basic-oil-processing", 5, {"crude-oil": 100}, {"petroleum-gas": 45}),
        (
            "advanced-oil-processing",
            5,
            {"water": 50, "crude-oil": 100},
            {"heavy-oil": 25, "light-oil": 45, "petroleum-gas": 55},
        ),
        (
            "coal-liquefaction",
            5,
            {"coal": 10, "heavy-oil": 25, "steam": 50},
            {"heavy-oil": 90, "light-oil": 20, "petroleum-gas": 10},
        ),
        ("heavy-oil-cracking", 2, {"water": 30, "heavy-oil": 40}, {"light-oil": 30}),
    ],
)
def test_oil_recipes(data, name, seconds, takes, gives):
    recipe = data.recipe(name)
    assert recipe.energy_required_s == seconds
    assert {i.name: i.amount for i in recipe.ingredients} == takes
    assert {p.name: p.amount for p in recipe.products} == gives


def test_basic_oil_processing_pins_its_boxes(data):
    recipe = data.recipe("basic-oil-processing")
    assert (recipe.ingredients[0].fluidbox_index, recipe.products[0].fluidbox_index) == (2, 3)


def test_a_uranium_craft_gives_one_kind_or_the_other(data):
    chances = {p.name: p.probability for p in data.recipe("uranium-processing").products}
    assert chances == {"uranium-235": 0.007, "uranium-238": 0.993}


def test_enrichment_counts_only_what_it_adds(data):
    product = data.recipe("kovarex-enrichment-process").products[0]
    assert (product.name, product.amount, product.ignored_by_productivity) == ("uranium-235", 41, 40)


def test_the_same_name_comes_first_among_recipes_of_a_product(data):
    assert data.recipes_for("copper-cable")[0].name == "copper-cable"
    assert [r.name for r in data.recipes_for("petroleum-gas")] == [
        "advanced-oil-processing",
        "basic-oil-processing",
        "coal-liquefaction",
        "empty-petroleum-gas-barrel",
        "light-oil-cracking",
    ]
    assert data.recipes_for("iron-ore") == ()


def test_boxes_of_a_refinery_stand_on_its_edge_and_turn_with_it(data):
    boxes = data.entity("oil-refinery").fluid_boxes
    assert [b.production_type for b in boxes] == ["input", "input", "output", "output", "output"]
    first = boxes[0].connections[0]
    assert first.at(0) == (-1, 2, 8)
    # A quarter turn clockwise takes the south side to the west side, and x = -1 there to y = -1.
    assert first.at(4) == (-2, -1, 12)
    assert first.at(8) == (1, -2, 0)
    assert first.at(12) == (2, 1, 4)


def test_a_pumpjack_has_a_position_of_its_own_for_each_facing(data):
    connection = data.entity("pumpjack").output_fluid_box.connections[0]
    assert [connection.at(d) for d in (0, 4, 8, 12)] == [(1, -1, 0), (1, -1, 4), (-1, 1, 8), (-1, 1, 12)]


def test_pipes_tanks_and_pumps(data):
    pipe = data.entity("pipe").fluid_box
    assert pipe.volume == 100 and [c.direction for c in pipe.connections] == [0, 4, 8, 12]
    below = [
        c for c in data.entity("pipe-to-ground").fluid_box.connections if c.connection_type == "underground"
    ]
    assert [(c.max_underground_distance, c.direction) for c in below] == [(10, 8)]
    assert data.entity("storage-tank").fluid_box.volume == 25_000
    pump = data.entity("pump")
    assert (pump.pump.pumping_speed, pump.energy_usage_w, pump.energy_source.drain_w) == (20, 29_000, 1_000)
    offshore = data.entity("offshore-pump")
    assert (offshore.pump.pumping_speed, offshore.energy_source.type) == (20, "void")
    assert offshore.pump.tile_rules[1].area == (-1, -2, 1, -1)
    assert offshore.pump.tile_rules[1].required_layers == {"water_tile"}


def test_steam_power(data):
    boiler = data.entity("boiler")
    assert (boiler.boiler.energy_consumption_w, boiler.boiler.target_temperature) == (1.8e6, 165)
    assert (boiler.fluid_box.filter, boiler.output_fluid_box.filter) == ("water", "steam")
    water, steam = data.fluid("water"), data.fluid("steam")
    assert (water.heat_capacity_j, steam.heat_capacity_j) == (2_000, 200)
    # 0.5 units a tick * 60 * 200 J * 150 degrees, and 60 * 200 J * 485 degrees.
    assert data.generator_max_power_w("steam-engine") == 900_000
    assert data.generator_max_power_w("steam-turbine") == 5_820_000
    with pytest.raises(ValueError, match="boiler"):
        data.generator_max_power_w("boiler")


def test_nuclear_power(data):
    reactor = data.entity("nuclear-reactor")
    assert (reactor.reactor.consumption_w, reactor.reactor.neighbour_bonus) == (40e6, 1)
    assert (reactor.heat_buffer.specific_heat_j, reactor.heat_buffer.max_temperature) == (10e6, 1_000)
    assert len(reactor.heat_buffer.connections) == 12
    exchanger = data.entity("heat-exchanger")
    assert exchanger.boiler.energy_consumption_w == 10e6
    assert exchanger.energy_source.heat.min_working_temperature == 500
    assert data.entity("heat-pipe").heat_buffer.specific_heat_j == 1e6


def test_sun_and_accumulators(data):
    assert data.entity("solar-panel").solar.production_w == 60_000
    source = data.entity("accumulator").energy_source
    assert (source.buffer_capacity_j, source.input_flow_limit_w, source.output_flow_limit_w) == (
        5e6,
        300_000,
        300_000,
    )
    assert source.usage_priority == "tertiary"


def test_a_day_gives_seven_tenths_of_full_light(data):
    day = data.constants.day_ticks
    assert day == 25_200
    assert sum(data.constants.daylight(t) for t in range(day)) / day == pytest.approx(0.7, abs=1e-4)
    assert data.constants.daylight(0) == 1
    assert data.constants.daylight(day // 2) == 0
    assert data.constants.daylight(day * 35 // 100) == pytest.approx(0.5)
    assert data.constants.daylight(day * 65 // 100) == pytest.approx(0.5)


def test_labs_and_silo(data):
    lab = data.entity("lab")
    assert (lab.lab.researching_speed, lab.energy_usage_w, lab.module_slots) == (1, 60_000, 2)
    assert len(lab.lab.inputs) == 7 and lab.lab.inputs[0] == "automation-science-pack"
    assert lab.energy_source.drain_w == 0
    silo = data.entity("rocket-silo")
    assert (silo.silo.rocket_parts_required, silo.silo.active_energy_usage_w) == (100, 3_990_000)
    assert (silo.energy_usage_w, silo.module_slots, silo.tiles()) == (250_000, 4, (9, 9))
    assert [(p.name, p.amount) for p in data.item("satellite").rocket_launch_products] == [
        ("space-science-pack", 1_000)
    ]


@pytest.mark.parametrize(
    ("kind", "effects"),
    [
        ("speed", [{"speed": s, "consumption": c} for s, c in ((0.2, 0.5), (0.3, 0.6), (0.5, 0.7))]),
        (
            "productivity",
            [
                {"productivity": p, "consumption": c, "speed": s}
                for p, c, s in ((0.04, 0.4, -0.05), (0.06, 0.6, -0.1), (0.1, 0.8, -0.15))
            ],
        ),
        ("efficiency", [{"consumption": c} for c in (-0.3, -0.4, -0.5)]),
    ],
)
def test_modules(data, kind, effects):
    for tier, expected in enumerate(effects, start=1):
        module = data.item(f"{kind}-module" if tier == 1 else f"{kind}-module-{tier}")
        assert (module.module_category, module.module_tier) == (kind, tier)
        felt = {k: v for k, v in module.module_effects.items() if k not in ("pollution", "quality")}
        assert felt == expected


def test_the_beacon(data):
    entity = data.entity("beacon")
    assert entity.beacon.distribution_effectivity == 1.5
    assert entity.beacon.profile[:4] == (1, 0.7071, 0.5773, 0.5)
    assert entity.beacon.supply_area_distance * 2 + entity.tile_width == 9
    assert entity.energy_usage_w == 480_000 and entity.module_slots == 2
    assert "productivity" not in entity.allowed_effects


@pytest.mark.parametrize(
    ("name", "seconds", "low", "high"),
    [
        ("tree-01", 0.55, 4, 4),
        ("dead-grey-trunk", 0.5, 2, 2),
        ("dry-tree", 0.5, 4, 4),
        ("big-rock", 2, 20, 20),
        ("big-sand-rock", 2, 19, 25),
        ("huge-rock", 3, 24, 50),
    ],
)
def test_trees_and_rocks(data, name, seconds, low, high):
    minable = data.entity(name).minable
    assert minable.mining_time_s == seconds
    assert {(p.amount_min, p.amount_max) for p in minable.products} == {(low, high)}
    goods = {"big-rock": {"stone"}, "big-sand-rock": {"stone"}, "huge-rock": {"stone", "coal"}}
    assert {p.name for p in minable.products} == goods.get(name, {"wood"})


def test_a_range_of_products_has_a_mean(data):
    product = data.entity("big-sand-rock").minable.products[0]
    assert (product.amount, product.expected) == (22, 22)


def test_the_character(data):
    entity = data.entity("character")
    body = entity.character
    assert (body.reach_distance, body.build_distance, body.reach_resource_distance) == (10, 10, 2.7)
    assert (body.item_pickup_distance, body.running_speed, body.mining_speed) == (1, 0.15, 0.5)
    assert body.crafting_categories == {"crafting"}
    assert entity.max_health == 250
    assert entity.collision_box == (-0.2, -0.2, 0.2, 0.2)


def test_who_blocks_whom(data):
    chest, belt = data.entity("wooden-chest"), data.entity("transport-belt")
    character, water = data.entity("character"), data.tile("water")
    assert chest.collision_layers & character.collision_layers
    assert not belt.collision_layers & character.collision_layers
    assert chest.collision_layers & belt.collision_layers
    assert not data.entity("iron-ore").collision_layers & chest.collision_layers
    assert chest.collision_layers & water.collision_layers
    assert character.collision_layers & water.collision_layers
    assert not data.entity("offshore-pump").collision_layers & water.collision_layers


def test_boxes_are_a_little_smaller_than_their_tiles(data):
    assert data.entity("assembling-machine-1").box() == (-1.2, -1.2, 1.2, 1.2)
    assert data.entity("boiler").box(4) == (-0.79, -1.29, 0.79, 1.29)
    assert data.entity("boiler").tiles(4) == (2, 3)
    assert data.entity("steam-engine").tiles() == (3, 5)
    assert data.entity("locomotive").tiles() == (2, 6)


def test_floors(data):
    assert data.tile("stone-path").walking_speed_modifier == 1.3
    assert data.tile("concrete").walking_speed_modifier == 1.4
    assert data.tile("refined-concrete").walking_speed_modifier == 1.5
    assert data.tile("grass-1").walking_speed_modifier == 1
    assert data.tile("deepwater").fluid == "water"
    assert data.item("concrete").place_as_tile == "concrete"


def test_constants_of_limits(data):
    constants = data.constants
    assert constants.dynamic_recipe_overload_factor == 1.166
    assert (
        constants.minimum_recipe_overload_multiplier,
        constants.maximum_recipe_overload_multiplier,
    ) == (2, 100)
    assert (constants.max_fluid_flow, constants.default_pipeline_extent) == (100, 320)
    assert isinstance(constants, Constants)


def test_technologies(data):
    automation = data.technology("automation")
    assert (automation.units(), automation.unit_time_s) == (10, 10)
    assert automation.ingredients == (("automation-science-pack", 1),)
    assert [t.name for t in data.technologies_unlocking("assembling-machine-1")] == ["automation"]
    assert data.technologies_unlocking("iron-gear-wheel") == ()
    for technology in data.technologies.values():
        assert all(name in data.technologies for name in technology.prerequisites)
        assert all(pack in data.items for pack, _ in technology.ingredients)
        assert all(e.recipe is None or e.recipe in data.recipes for e in technology.effects)
        assert (technology.trigger is None) == (technology.units() > 0)


@pytest.mark.parametrize(
    ("name", "kind", "target", "count"),
    [
        ("steam-power", "craft-item", "iron-plate", 50),
        ("electronics", "craft-item", "copper-plate", 10),
        ("automation-science-pack", "craft-item", "lab", 1),
        ("steel-axe", "craft-item", "steel-plate", 50),
        ("oil-processing", "mine-entity", "crude-oil", 1),
        ("uranium-processing", "mine-entity", "uranium-ore", 1),
        ("space-science-pack", "send-item-to-orbit", "satellite", 1),
    ],
)
def test_triggered_technologies(data, name, kind, target, count):
    trigger = data.technology(name).trigger
    assert (trigger.type, trigger.target, trigger.count) == (kind, target, count)


def test_endless_technologies_grow(data):
    mining = data.technology("mining-productivity-4")
    assert mining.infinite and mining.level == 4
    assert [mining.units(level) for level in (4, 5, 6)] == [2_500, 5_000, 7_500]
    damage = data.technology("physical-projectile-damage-7")
    assert [damage.units(level) for level in (7, 8, 9)] == [1_000, 2_000, 4_000]
    # 1000 + 3 ^ (level - 1) * 1000, and 2 ^ level * 1000.
    assert [data.technology("artillery-shell-speed-1").units(n) for n in (1, 2, 3)] == [2_000, 4_000, 10_000]
    assert [data.technology("artillery-shell-range-1").units(n) for n in (1, 2)] == [2_000, 4_000]


def test_research_bonuses(data):
    def sums(kind):
        out = {}
        for technology in data.technologies.values():
            for effect in technology.effects:
                if effect.type == kind:
                    out[technology.name] = effect.modifier
        return out

    assert list(sums("laboratory-speed").values()) == [0.2, 0.3, 0.4, 0.5, 0.5, 0.6]
    assert sum(sums("bulk-inserter-capacity-bonus").values()) == 11
    assert sums("inserter-stack-size-bonus") == {
        "inserter-capacity-bonus-2": 1,
        "inserter-capacity-bonus-7": 1,
    }
    assert set(sums("mining-drill-productivity-bonus").values()) == {0.1}
    assert len(sums("mining-drill-productivity-bonus")) == 4
    assert sums("character-inventory-slots-bonus") == {"toolbelt": 10}


def test_every_name_a_record_mentions_exists(data):
    goods = data.items.keys() | data.fluids.keys()
    for recipe in data.recipes.values():
        assert all(part.name in goods for part in (*recipe.ingredients, *recipe.products))
    for item in data.items.values():
        assert item.place_result is None or item.place_result in data.entities
        assert item.place_as_tile is None or item.place_as_tile in data.tiles
        assert item.burnt_result is None or item.burnt_result in data.items
    for entity in data.entities.values():
        assert entity.minable is None or all(p.name in goods for p in entity.minable.products)
        assert entity.next_upgrade is None or entity.next_upgrade in data.entities
        for box in (entity.fluid_box, entity.input_fluid_box, entity.output_fluid_box, *entity.fluid_boxes):
            assert box is None or box.filter is None or box.filter in data.fluids


@pytest.mark.parametrize(
    ("look_up", "wrong", "right"),
    [
        ("entity", "stone-furnaces", "stone-furnace"),
        ("item", "iron-plat", "iron-plate"),
        ("recipe", "coal-liquifaction", "coal-liquefaction"),
        ("fluid", "crude", "crude-oil"),
        ("technology", "advanced-circuits", "advanced-circuit"),
        ("tile", "watter", "water"),
    ],
)
def test_an_unknown_name_brings_the_nearest(data, look_up, wrong, right):
    with pytest.raises(UnknownName) as caught:
        getattr(data, look_up)(wrong)
    assert right in caught.value.nearest


def test_records_are_copied_and_pickled_as_themselves(data):
    for record in (data.entity("beacon"), data.item("speed-module"), data.technology("automation"), data):
        assert copy.deepcopy(record) is record
        assert pickle.loads(pickle.dumps(record)) is record


def test_records_cannot_be_changed(data):
    with pytest.raises(AttributeError):
        data.entity("boiler").name = "other"
    with pytest.raises(TypeError):
        data.items["iron-plate"] = None
    with pytest.raises(TypeError):
        data.item("speed-module").module_effects["speed"] = 9


def test_turning_by_something_else_than_a_quarter_is_refused():
    assert rotate((1, 2), 4) == (-2, 1)
    with pytest.raises(ValueError, match="2 is not a quarter turn"):
        rotate((1, 2), 2)


@pytest.mark.slow
def test_running_the_generator_again_gives_the_committed_bytes():
    pytest.importorskip("draftsman")
    spec = importlib.util.spec_from_file_location("make_game_data", ROOT / "scripts" / "make_game_data.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.generate().encode() == (ROOT / "fle_ray" / "game" / "data.json").read_bytes()
