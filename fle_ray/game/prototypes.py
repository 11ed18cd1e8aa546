"""The facts of the base game: items, fluids, recipes, entities, resources, technologies, tiles.

`load()` reads `data.json` (written by scripts/make_game_data.py from the prototypes of game version 2.0.73,
base mod alone) into frozen records, once. Units: tiles, ticks (60 a second) where a name says per tick, else
seconds; watts; joules; degrees C; speeds of belts and arms per tick as in the game. Directions are 16-way
(north 0, east 4, south 8, west 12), positions (x, y) with y to the south, relative to an entity's centre as
it faces north.

What players cannot get (loaders, infinity chests, ...), enemies, cliffs and curved rails are not in the data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeVar

from fle_ray.errors import ConfigError, UnknownName

__all__ = [
    "Beacon",
    "Belt",
    "Boiler",
    "Character",
    "Constants",
    "Crafting",
    "Effect",
    "EnergySource",
    "Entity",
    "Fluid",
    "FluidBox",
    "GameData",
    "Generator",
    "HeatBuffer",
    "Ingredient",
    "Inserter",
    "Item",
    "Lab",
    "Minable",
    "Mining",
    "PipeConnection",
    "Pole",
    "Product",
    "Pump",
    "Reactor",
    "Recipe",
    "Resource",
    "Silo",
    "Solar",
    "Technology",
    "Tile",
    "TileRule",
    "Trigger",
    "UnitFormula",
    "load",
    "rotate",
]

FORMAT_VERSION = 1
"""Version of data.json that this module reads."""

DRAIN_SHARE = 1 / 30
"""Share of its power use that an electric crafting machine draws all the time when its record names no drain
(wiki: Electric system; an assembling machine 1 of 75 kW shows a drain of 2.5 kW)."""

Point = tuple[float, float]
Box = tuple[float, float, float, float]

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def rotate(point: Point, direction: int) -> Point:
    """A point of an entity facing north, as the entity faces `direction` (0, 4, 8 or 12)."""
    x, y = point
    match direction:
        case 0:
            return (x, y)
        # 0.0 - x rather than -x, so that no zero gets a minus sign.
        case 4:
            return (0.0 - y, x)
        case 8:
            return (0.0 - x, 0.0 - y)
        case 12:
            return (y, 0.0 - x)
    raise ValueError(f"direction {direction!r} is not a quarter turn: expected 0, 4, 8 or 12")


class _Named:
    """A record that exists once: equal only to itself, copied and pickled by its name."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return (_recall, (type(self).__name__.lower(), self.name))  # type: ignore[attr-defined]


def _recall(kind: str, name: str) -> Any:
    return getattr(load(), kind)(name)


@dataclass(frozen=True, slots=True)
class Ingredient:
    """What one craft takes. `type` is "item" or "fluid"; `amount` is an int for items, a float for fluids.

    `fluidbox_index` is the machine's box, counted from 1 over boxes of the same direction; 0: the next free
    one. `ignored_by_stats` of the amount is a catalyst that consumption statistics leave out.
    """

    type: str
    name: str
    amount: float
    fluidbox_index: int = 0
    ignored_by_stats: float = 0


@dataclass(frozen=True, slots=True)
class Product:
    """What one craft or one mining yields: `amount_min` to `amount_max`, evenly, with `probability`.

    `ignored_by_productivity` and `ignored_by_stats` of the amount are catalysts: no productivity bonus on
    them, and not counted as produced. `temperature` is a fluid's, None for its default.
    """

    type: str
    name: str
    amount_min: float
    amount_max: float
    probability: float = 1.0
    fluidbox_index: int = 0
    ignored_by_productivity: float = 0
    ignored_by_stats: float = 0
    temperature: float | None = None

    @property
    def amount(self) -> float:
        """Mean amount when it appears; an int if the amount of an item is fixed."""
        if self.amount_min == self.amount_max:
            return self.amount_min
        return (self.amount_min + self.amount_max) / 2

    @property
    def expected(self) -> float:
        """Mean amount times probability."""
        return self.amount * self.probability


@dataclass(frozen=True, slots=True, eq=False)
class Item(_Named):
    """An item.

    Attributes:
        type: the game's item type ("item", "tool" for science packs, "module", "ammo", ...).
        fuel_value_j: 0 if it does not burn; then `fuel_category` is None.
        burnt_result: the item left after burning.
        place_result, place_as_tile: entity or tile it places.
        module_category, module_tier: "speed", "productivity" or "efficiency", and 1 to 3; None and 0 if no
            module.
        module_effects: kind ("speed", "consumption", "productivity", "pollution", "quality") -> bonus, 0.2
            for +20 %.
        rocket_launch_products: what a launched one brings.
        durability: units of a science pack (1), or None.
        magazine_size: shots of one round of ammunition, 0 if none.
        subgroup, order: the game's sort keys.
    """

    name: str
    type: str
    stack_size: int
    hidden: bool = False
    fuel_value_j: float = 0.0
    fuel_category: str | None = None
    burnt_result: str | None = None
    place_result: str | None = None
    place_as_tile: str | None = None
    module_category: str | None = None
    module_tier: int = 0
    module_effects: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    rocket_launch_products: tuple[Product, ...] = ()
    durability: float | None = None
    magazine_size: int = 0
    ammo_category: str | None = None
    inventory_size_bonus: int = 0
    subgroup: str = ""
    order: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Fluid(_Named):
    """A fluid. `heat_capacity_j` is per unit and degree; `gas_temperature` None if it never is a gas."""

    name: str
    default_temperature: float
    max_temperature: float
    heat_capacity_j: float
    gas_temperature: float | None = None
    order: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Recipe(_Named):
    """A recipe.

    Attributes:
        energy_required_s: seconds at crafting speed 1.
        enabled: known from the start.
        allow_productivity: productivity modules may be used on it.
        allow_decomposition: it counts when costs are broken down into raw materials.
        hide_from_player_crafting: not offered for crafting by hand.
        unlock_results: unlocking it makes its products known.
        main_product: name of the product it is named after; None if there are several.
    """

    name: str
    category: str
    energy_required_s: float
    ingredients: tuple[Ingredient, ...]
    products: tuple[Product, ...]
    enabled: bool = True
    allow_productivity: bool = False
    allow_decomposition: bool = True
    hidden: bool = False
    hide_from_player_crafting: bool = False
    unlock_results: bool = True
    main_product: str | None = None


@dataclass(frozen=True, slots=True)
class PipeConnection:
    """Where a fluid box connects: a tile of the entity and the side of that tile.

    Attributes:
        positions: the tile's centre as the entity faces north, east, south, west.
        direction: the side, as the entity faces north.
        flow_direction: "input-output", "input" or "output".
        connection_type: "normal" or "underground"; only the latter has a `max_underground_distance`.
    """

    positions: tuple[Point, Point, Point, Point]
    direction: int
    flow_direction: str = "input-output"
    connection_type: str = "normal"
    max_underground_distance: int = 0

    def at(self, facing: int) -> tuple[float, float, int]:
        """(x, y, side) relative to the entity's centre as it faces `facing` (0, 4, 8 or 12)."""
        x, y = self.positions[facing // 4]
        return (x, y, (self.direction + facing) % 16)


@dataclass(frozen=True, slots=True)
class FluidBox:
    """A store of one fluid. `production_type` is "none", "input", "output" or "input-output"; `filter` a
    fluid or None."""

    volume: float
    connections: tuple[PipeConnection, ...]
    production_type: str = "none"
    filter: str | None = None
    minimum_temperature: float | None = None
    maximum_temperature: float | None = None


@dataclass(frozen=True, slots=True)
class HeatBuffer:
    """A store of heat. `connections` are (x, y, side) as the entity faces north; `specific_heat_j` per
    degree."""

    max_temperature: float
    specific_heat_j: float
    max_transfer_w: float
    default_temperature: float = 15.0
    min_working_temperature: float = 15.0
    connections: tuple[tuple[float, float, int], ...] = ()


@dataclass(frozen=True, slots=True)
class EnergySource:
    """Where an entity's energy comes from, or goes to.

    Attributes:
        type: "electric", "burner", "heat" or "void" (needs none).
        usage_priority: of electric ones: "primary-input", "secondary-input", "lamp", "tertiary"
            (accumulators), "solar", "secondary-output" (generators).
        buffer_capacity_j, input_flow_limit_w, output_flow_limit_w: None where the record leaves them to the
            engine.
        drain_w: drawn all the time on top of the use. Where the record names none, electric crafting
            machines, furnaces and the silo have `DRAIN_SHARE` of their use (for the silo: not confirmed),
            everything else 0.
        fuel_categories, fuel_inventory_size, burnt_inventory_size, effectivity: of burners.
        initial_fuel, initial_fuel_percent: a new burner inserter's item in the fire and the share of it that
            is left.
        heat: of machines that run on heat.
        pollution_per_minute: while at work.
    """

    type: str
    usage_priority: str | None = None
    buffer_capacity_j: float | None = None
    drain_w: float = 0.0
    input_flow_limit_w: float | None = None
    output_flow_limit_w: float | None = None
    fuel_categories: frozenset[str] = frozenset()
    fuel_inventory_size: int = 0
    burnt_inventory_size: int = 0
    effectivity: float = 1.0
    initial_fuel: str | None = None
    initial_fuel_percent: float = 0.0
    heat: HeatBuffer | None = None
    pollution_per_minute: float = 0.0


@dataclass(frozen=True, slots=True)
class Minable:
    """What mining an entity or tile gives.

    `fluid_amount` of `required_fluid` is the record's number; one mining takes a tenth (not confirmed).
    """

    mining_time_s: float
    products: tuple[Product, ...] = ()
    required_fluid: str | None = None
    fluid_amount: float = 0.0


@dataclass(frozen=True, slots=True)
class Crafting:
    """A crafting machine, furnace or silo. Inventory sizes are 0 where the recipe decides (all but
    furnaces)."""

    speed: float
    categories: frozenset[str]
    source_inventory_size: int = 0
    result_inventory_size: int = 0
    fixed_recipe: str | None = None


@dataclass(frozen=True, slots=True)
class Mining:
    """A drill. `radius` is half the side of its square area; `drop_vector` None if it yields fluid."""

    speed: float
    radius: float
    categories: frozenset[str]
    drop_vector: Point | None = None


@dataclass(frozen=True, slots=True)
class Inserter:
    """An inserter's arm: turns and tiles per tick, joules per turn and per tile. Its facing points at the
    pickup side."""

    rotation_speed: float
    extension_speed: float
    pickup_position: Point
    insert_position: Point
    starting_distance: float
    energy_per_rotation_j: float
    energy_per_movement_j: float
    bulk: bool = False
    filter_count: int = 0
    stack_size_bonus: int = 0
    allow_burner_leech: bool = False


@dataclass(frozen=True, slots=True)
class Belt:
    """A belt, underground belt or splitter.

    `speed` is tiles per tick. `related` is a belt's underground belt, or a splitter's belt. `max_distance` is
    the largest distance between the two ends of an underground belt, 0 for others.
    """

    speed: float
    related: str | None = None
    max_distance: int = 0


@dataclass(frozen=True, slots=True)
class Pole:
    """A power pole. `wire_reach` is centre to centre; `supply_area_distance` is half the side of its
    square."""

    wire_reach: float
    supply_area_distance: float


@dataclass(frozen=True, slots=True)
class Beacon:
    """A beacon. `profile[n - 1]` is the factor for n beacons; the area reaches `supply_area_distance` beyond
    its edge."""

    distribution_effectivity: float
    profile: tuple[float, ...]
    supply_area_distance: float
    counter: str = "total"


@dataclass(frozen=True, slots=True)
class Lab:
    """A lab; `inputs` are the packs it takes, in slot order."""

    inputs: tuple[str, ...]
    researching_speed: float


@dataclass(frozen=True, slots=True)
class Boiler:
    """A boiler or heat exchanger."""

    energy_consumption_w: float
    target_temperature: float
    mode: str


@dataclass(frozen=True, slots=True)
class Generator:
    """A steam engine or turbine."""

    fluid_usage_per_tick: float
    maximum_temperature: float
    effectivity: float


@dataclass(frozen=True, slots=True)
class Reactor:
    """A reactor. `neighbour_bonus` 1.0 is +100 % per working neighbour."""

    consumption_w: float
    neighbour_bonus: float


@dataclass(frozen=True, slots=True)
class Solar:
    """A solar panel at full light."""

    production_w: float


@dataclass(frozen=True, slots=True)
class TileRule:
    """Tiles an entity needs. Every tile in `area` must have one of `required_layers` and none of
    `colliding_layers`."""

    area: Box
    required_layers: frozenset[str]
    colliding_layers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Pump:
    """A pump or offshore pump. `pumping_speed` is units per tick."""

    pumping_speed: float
    fluid_source_offset: Point | None = None
    tile_rules: tuple[TileRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Silo:
    """A rocket silo, and its rocket's speeds (per tick) and offsets."""

    rocket_parts_required: int
    active_energy_usage_w: float
    lamp_energy_usage_w: float
    cargo_inventory_size: int
    door_opening_speed: float
    times_to_blink: int
    engine_starting_speed: float
    flying_acceleration: float
    flying_speed: float
    rising_speed: float
    rocket_initial_offset: Point
    rocket_launch_offset: Point
    rocket_rise_offset: Point


@dataclass(frozen=True, slots=True)
class Character:
    """The character. `running_speed` is tiles per tick; its inventory size stands in the entity."""

    running_speed: float
    mining_speed: float
    mining_categories: frozenset[str]
    crafting_categories: frozenset[str]
    build_distance: float
    reach_distance: float
    reach_resource_distance: float
    item_pickup_distance: float
    loot_pickup_distance: float
    drop_item_distance: float


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource. An infinite one has a `normal` amount (yield 100 %) and loses `infinite_depletion_amount`
    per completion down to `minimum`."""

    category: str
    infinite: bool = False
    minimum: int = 0
    normal: int = 1
    infinite_depletion_amount: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Entity(_Named):
    """An entity: what all have, then what only some have (None, 0 or empty for the others).

    Attributes:
        type: the game's prototype type, e.g. "assembling-machine", "furnace", "mining-drill".
        collision_box: (left, top, right, bottom) around the centre, facing north.
        tile_width, tile_height: facing north; from the record, else the box rounded up.
        collision_layers: layers of the collision mask, the type's default resolved.
        not_colliding_with_itself, colliding_with_tiles_only: the mask's options.
        item: the item that places it.
        flags: e.g. "placeable-off-grid", "filter-directions".
        energy_usage_w: at work, per second, without drain; of combinators too. Inserters use energy per
            movement; boilers, reactors and vehicles have their own figures.
        allowed_effects: kinds of module effects it takes, the engine's default resolved.
        base_productivity: bonus without modules.
        inventory_size: chests, wagons, vehicles, turrets (ammunition), the character.
        heat_buffer: of heat pipes and reactors; a heat exchanger's is `energy_source.heat`.
        fluid_box: the only box, or a boiler's water; `input_fluid_box` a drill's acid; `output_fluid_box` a
            boiler's steam or a pumpjack's oil; `fluid_boxes` those of crafting machines, in order, inputs
            before outputs.
        extra: rarely used facts under the game's own names; energies in J, powers in W.
    """

    name: str
    type: str
    collision_box: Box
    tile_width: int
    tile_height: int
    max_health: float
    collision_layers: frozenset[str] = frozenset()
    not_colliding_with_itself: bool = False
    colliding_with_tiles_only: bool = False
    minable: Minable | None = None
    item: str | None = None
    flags: frozenset[str] = frozenset()
    next_upgrade: str | None = None
    energy_source: EnergySource | None = None
    energy_usage_w: float = 0.0
    module_slots: int = 0
    allowed_effects: frozenset[str] = frozenset()
    base_productivity: float = 0.0
    inventory_size: int = 0
    heat_buffer: HeatBuffer | None = None
    fluid_box: FluidBox | None = None
    input_fluid_box: FluidBox | None = None
    output_fluid_box: FluidBox | None = None
    fluid_boxes: tuple[FluidBox, ...] = ()
    fluid_boxes_off_when_no_fluid_recipe: bool = False
    logistic_mode: str | None = None
    beacon: Beacon | None = None
    belt: Belt | None = None
    boiler: Boiler | None = None
    character: Character | None = None
    crafting: Crafting | None = None
    generator: Generator | None = None
    inserter: Inserter | None = None
    lab: Lab | None = None
    mining: Mining | None = None
    pole: Pole | None = None
    pump: Pump | None = None
    reactor: Reactor | None = None
    resource: Resource | None = None
    silo: Silo | None = None
    solar: Solar | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    def box(self, direction: int = 0) -> Box:
        """The collision box around the centre as the entity faces `direction` (0, 4, 8 or 12)."""
        left, top, right, bottom = self.collision_box
        x1, y1 = rotate((left, top), direction)
        x2, y2 = rotate((right, bottom), direction)
        return (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))

    def tiles(self, direction: int = 0) -> tuple[int, int]:
        """(width, height) in tiles as the entity faces `direction` (0, 4, 8 or 12)."""
        if direction % 8 == 4:
            return (self.tile_height, self.tile_width)
        return (self.tile_width, self.tile_height)


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect of a technology, e.g. type "unlock-recipe" with `recipe`, or
    "mining-drill-productivity-bonus" with `modifier` 0.1."""

    type: str
    recipe: str | None = None
    modifier: float | bool = 0
    ammo_category: str | None = None
    turret_id: str | None = None


@dataclass(frozen=True, slots=True)
class Trigger:
    """What makes a triggered technology known: `count` of `target`.

    `type` is "craft-item" (item), "mine-entity" (entity), "build-entity" (entity) or "send-item-to-orbit"
    (item).
    """

    type: str
    target: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class UnitFormula:
    """Units of a level of an endless technology: constant + factor * f, f = base ** (level - offset), or
    level - offset when base is 0."""

    constant: int
    factor: int
    base: int
    offset: int

    def units(self, level: int) -> int:
        """Units that `level` needs."""
        steps = level - self.offset
        return self.constant + self.factor * (self.base**steps if self.base else steps)


@dataclass(frozen=True, slots=True, eq=False)
class Technology(_Named):
    """A technology.

    Attributes:
        unit_count: units needed; None for endless ones (see `unit_formula`) and triggered ones.
        unit_time_s: lab seconds of a unit.
        ingredients: (science pack, packs a unit) pairs.
        trigger: what makes it known instead of research.
        level: its own (first) level, the number its name ends in, else 1.
        infinite: it can be researched again and again, level after level.
        upgrade: the game shows only the next level of it.
    """

    name: str
    prerequisites: tuple[str, ...] = ()
    unit_count: int | None = None
    unit_formula: UnitFormula | None = None
    unit_time_s: float = 0.0
    ingredients: tuple[tuple[str, int], ...] = ()
    trigger: Trigger | None = None
    effects: tuple[Effect, ...] = ()
    level: int = 1
    infinite: bool = False
    enabled: bool = True
    upgrade: bool = False
    essential: bool = False

    def units(self, level: int | None = None) -> int:
        """Units that a level needs (its own level by default); 0 for a triggered technology."""
        if self.unit_formula is not None:
            return self.unit_formula.units(self.level if level is None else level)
        return self.unit_count or 0


@dataclass(frozen=True, slots=True, eq=False)
class Tile(_Named):
    """A kind of floor. `walking_speed_modifier` multiplies the character's speed; `fluid` is what a pump
    draws."""

    name: str
    collision_layers: frozenset[str]
    walking_speed_modifier: float = 1.0
    fluid: str | None = None
    minable: Minable | None = None


@dataclass(frozen=True, slots=True)
class Constants:
    """Constants of the whole game.

    Attributes:
        day_ticks: length of a day on Nauvis.
        dusk, evening, morning, dawn: shares of a day at which light starts to fall, is gone, starts to rise,
            is full (the engine's defaults for a surface; a day starts at noon).
        dynamic_recipe_overload_factor, minimum_..., maximum_recipe_overload_multiplier: the input limit of
            machines, clamp(ceil(factor * speed / recipe seconds) + 1, minimum, maximum) crafts.
        max_fluid_flow: units a tick through one connection.
        default_pipeline_extent: tiles a fluid segment may span in x or y.
    """

    day_ticks: int
    default_pipeline_extent: int
    drop_item_radius: int
    dynamic_recipe_overload_factor: float
    max_fluid_flow: int
    maximum_recipe_overload_multiplier: int
    minimum_recipe_overload_multiplier: int
    rocket_lift_weight: int
    dusk: float = 0.25
    evening: float = 0.45
    morning: float = 0.55
    dawn: float = 0.75

    def daylight(self, tick: int) -> float:
        """Share of full solar power at `tick` of a world whose tick 0 is noon, 0 to 1."""
        part = (tick % self.day_ticks) / self.day_ticks
        if part < self.dusk or part >= self.dawn:
            return 1.0
        if part < self.evening:
            return (self.evening - part) / (self.evening - self.dusk)
        if part < self.morning:
            return 0.0
        return (part - self.morning) / (self.dawn - self.morning)


Record = TypeVar("Record")


def _look_up(kind: str, table: Mapping[str, Record], name: str) -> Record:
    try:
        return table[name]
    except (KeyError, TypeError):
        raise UnknownName(kind, str(name), table) from None


@dataclass(frozen=True, eq=False)
class GameData:
    """All records, by name, in the order of names. Equal for every caller: `load()` builds it once.

    The look-ups `item`, `fluid`, `recipe`, `entity`, `technology` and `tile` raise UnknownName with the
    nearest names.
    """

    game_version: str
    draftsman_version: str
    constants: Constants
    items: Mapping[str, Item]
    fluids: Mapping[str, Fluid]
    recipes: Mapping[str, Recipe]
    entities: Mapping[str, Entity]
    technologies: Mapping[str, Technology]
    tiles: Mapping[str, Tile]

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return (load, ())

    def item(self, name: str) -> Item:
        return _look_up("item", self.items, name)

    def fluid(self, name: str) -> Fluid:
        return _look_up("fluid", self.fluids, name)

    def recipe(self, name: str) -> Recipe:
        return _look_up("recipe", self.recipes, name)

    def entity(self, name: str) -> Entity:
        return _look_up("entity", self.entities, name)

    def technology(self, name: str) -> Technology:
        return _look_up("technology", self.technologies, name)

    def tile(self, name: str) -> Tile:
        return _look_up("tile", self.tiles, name)

    def item_for(self, entity: str) -> Item | None:
        """The item that places an entity; None for natural ones."""
        placed_by = self.entity(entity).item
        return None if placed_by is None else self.items[placed_by]

    def entity_for(self, item: str) -> Entity | None:
        """The entity that an item places; None if it places none."""
        result = self.item(item).place_result
        return None if result is None else self.entities[result]

    def recipes_for(self, product: str) -> tuple[Recipe, ...]:
        """Recipes that yield an item or fluid: the one of the same name first, then by name."""
        return self._recipes_by_product.get(product, ())

    def furnace_recipe(self, category: str, ingredient: str) -> Recipe | None:
        """The recipe of a category that has just this one ingredient, as furnaces choose it."""
        return self._recipes_by_sole_ingredient.get((category, ingredient))

    def machines_for(self, recipe: str) -> tuple[Entity, ...]:
        """Machines that can make a recipe, by name: the right category, the fixed recipe if any, enough fluid
        boxes."""
        wanted = self.recipe(recipe)
        inputs = sum(i.type == "fluid" for i in wanted.ingredients)
        outputs = sum(p.type == "fluid" for p in wanted.products)
        return tuple(
            machine
            for machine in self.machines_by_category.get(wanted.category, ())
            if machine.crafting.fixed_recipe in (None, recipe)  # type: ignore[union-attr]
            and sum(b.production_type == "input" for b in machine.fluid_boxes) >= inputs
            and sum(b.production_type == "output" for b in machine.fluid_boxes) >= outputs
        )

    def by_hand(self, recipe: str) -> bool:
        """Whether the character can craft a recipe: its category, and no fluids."""
        wanted = self.recipe(recipe)
        hands = self.entities["character"].character
        assert hands is not None
        fluids = any(part.type == "fluid" for part in (*wanted.ingredients, *wanted.products))
        return wanted.category in hands.crafting_categories and not fluids

    def technologies_unlocking(self, recipe: str) -> tuple[Technology, ...]:
        """Technologies that unlock a recipe, by name; empty if it is known from the start (or never)."""
        return self._technologies_by_recipe.get(self.recipe(recipe).name, ())

    def generator_max_power_w(self, entity: str) -> float:
        """Watts of a steam engine or turbine on steam of its maximum temperature.

        units a second * heat capacity * (maximum - default temperature) * effectivity (wiki: Steam engine).
        """
        proto = self.entity(entity)
        if proto.generator is None or proto.fluid_box is None or proto.fluid_box.filter is None:
            raise ValueError(f"{entity!r} is no generator")
        steam = self.fluids[proto.fluid_box.filter]
        degrees = proto.generator.maximum_temperature - steam.default_temperature
        units = proto.generator.fluid_usage_per_tick * 60
        return units * steam.heat_capacity_j * degrees * proto.generator.effectivity

    @cached_property
    def machines_by_category(self) -> Mapping[str, tuple[Entity, ...]]:
        """Recipe category -> machines that have it, by name."""
        out: dict[str, list[Entity]] = {}
        for entity in self.entities.values():
            if entity.crafting is not None:
                for category in sorted(entity.crafting.categories):
                    out.setdefault(category, []).append(entity)
        return _frozen(out)

    @cached_property
    def resources(self) -> Mapping[str, Entity]:
        """Entities that drills mine, by name."""
        return MappingProxyType({n: e for n, e in self.entities.items() if e.resource is not None})

    @cached_property
    def _recipes_by_product(self) -> Mapping[str, tuple[Recipe, ...]]:
        out: dict[str, list[Recipe]] = {}
        for recipe in self.recipes.values():
            for name in sorted({p.name for p in recipe.products}):
                out.setdefault(name, []).append(recipe)
        for name, recipes in out.items():
            recipes.sort(key=lambda r, name=name: (r.name != name, r.name))
        return _frozen(out)

    @cached_property
    def _recipes_by_sole_ingredient(self) -> Mapping[tuple[str, str], Recipe]:
        out: dict[tuple[str, str], Recipe] = {}
        for recipe in self.recipes.values():
            if len(recipe.ingredients) == 1:
                out.setdefault((recipe.category, recipe.ingredients[0].name), recipe)
        return MappingProxyType(out)

    @cached_property
    def _technologies_by_recipe(self) -> Mapping[str, tuple[Technology, ...]]:
        out: dict[str, list[Technology]] = {}
        for technology in self.technologies.values():
            for effect in technology.effects:
                if effect.recipe is not None:
                    out.setdefault(effect.recipe, []).append(technology)
        return _frozen(out)


def _frozen(table: dict[str, list[Any]]) -> Mapping[str, tuple[Any, ...]]:
    return MappingProxyType({name: tuple(values) for name, values in table.items()})


def _product(raw: dict[str, Any]) -> Product:
    return Product(**raw)


def _ingredient(raw: dict[str, Any]) -> Ingredient:
    return Ingredient(
        type=raw["type"],
        name=raw["name"],
        amount=raw["amount_min"],
        fluidbox_index=raw.get("fluidbox_index", 0),
        ignored_by_stats=raw.get("ignored_by_stats", 0),
    )


def _minable(raw: dict[str, Any]) -> Minable:
    raw["products"] = tuple(_product(p) for p in raw.get("products", ()))
    return Minable(**raw)


def _connection(raw: dict[str, Any]) -> PipeConnection:
    if "positions" in raw:
        positions = tuple((x, y) for x, y in raw["positions"])
    else:
        x, y = raw.pop("position")
        positions = tuple(rotate((x, y), direction) for direction in (0, 4, 8, 12))
    raw["positions"] = positions
    return PipeConnection(**raw)


def _fluid_box(raw: dict[str, Any]) -> FluidBox:
    raw["connections"] = tuple(_connection(c) for c in raw["connections"])
    return FluidBox(**raw)


def _heat_buffer(raw: dict[str, Any]) -> HeatBuffer:
    raw["connections"] = tuple((*c["position"], c["direction"]) for c in raw.get("connections", ()))
    return HeatBuffer(**raw)


def _energy_source(raw: dict[str, Any]) -> EnergySource:
    raw["fuel_categories"] = frozenset(raw.get("fuel_categories", ()))
    if "heat" in raw:
        raw["heat"] = _heat_buffer(raw["heat"])
    return EnergySource(**raw)


def _tile_rule(raw: dict[str, Any]) -> TileRule:
    (x1, y1), (x2, y2) = raw["area"]
    return TileRule((x1, y1, x2, y2), frozenset(raw["required_layers"]), frozenset(raw["colliding_layers"]))


_COMPONENTS: dict[str, type] = {
    "beacon": Beacon,
    "belt": Belt,
    "boiler": Boiler,
    "character": Character,
    "crafting": Crafting,
    "generator": Generator,
    "inserter": Inserter,
    "lab": Lab,
    "mining": Mining,
    "pole": Pole,
    "pump": Pump,
    "reactor": Reactor,
    "resource": Resource,
    "silo": Silo,
    "solar": Solar,
}
_NAME_SETS = ("categories", "mining_categories", "crafting_categories")


def _component(kind: str, raw: dict[str, Any]) -> Any:
    for key, value in raw.items():
        if type(value) is list:
            if key in _NAME_SETS:
                raw[key] = frozenset(value)
            elif key == "tile_rules":
                raw[key] = tuple(_tile_rule(rule) for rule in value)
            else:
                raw[key] = tuple(value)
    return _COMPONENTS[kind](**raw)


_ENTITY_PARTS = {
    "energy_source": _energy_source,
    "fluid_box": _fluid_box,
    "fluid_boxes": lambda boxes: tuple(_fluid_box(b) for b in boxes),
    "heat_buffer": _heat_buffer,
    "input_fluid_box": _fluid_box,
    "minable": _minable,
    "output_fluid_box": _fluid_box,
    "collision_box": tuple,
    "collision_layers": frozenset,
    "flags": frozenset,
    "allowed_effects": frozenset,
    "extra": MappingProxyType,
}


def _entity(name: str, raw: dict[str, Any]) -> Entity:
    source = raw.get("energy_source")
    if source is not None and source["type"] == "electric" and "crafting" in raw:
        source.setdefault("drain_w", raw["energy_usage_w"] * DRAIN_SHARE)
    for key, value in raw.items():
        convert = _ENTITY_PARTS.get(key)
        if convert is not None:
            raw[key] = convert(value)
        elif key in _COMPONENTS:
            raw[key] = _component(key, value)
    return Entity(name=name, **raw)


def _item(name: str, raw: dict[str, Any]) -> Item:
    if "module_effects" in raw:
        raw["module_effects"] = MappingProxyType(raw["module_effects"])
    if "rocket_launch_products" in raw:
        raw["rocket_launch_products"] = tuple(_product(p) for p in raw["rocket_launch_products"])
    return Item(name=name, **raw)


def _recipe(name: str, raw: dict[str, Any]) -> Recipe:
    raw["ingredients"] = tuple(_ingredient(i) for i in raw.get("ingredients", ()))
    products = raw["products"] = tuple(_product(p) for p in raw["products"])
    if "main_product" not in raw and len(products) == 1:
        raw["main_product"] = products[0].name
    else:
        raw["main_product"] = raw.get("main_product") or None
    return Recipe(name=name, **raw)


def _technology(name: str, raw: dict[str, Any]) -> Technology:
    raw["prerequisites"] = tuple(raw.get("prerequisites", ()))
    raw["ingredients"] = tuple((pack, count) for pack, count in raw.get("ingredients", ()))
    raw["effects"] = tuple(Effect(**e) for e in raw.get("effects", ()))
    if "unit_formula" in raw:
        raw["unit_formula"] = UnitFormula(**raw["unit_formula"])
    if "trigger" in raw:
        raw["trigger"] = Trigger(**raw["trigger"])
    return Technology(name=name, **raw)


def _tile(name: str, raw: dict[str, Any]) -> Tile:
    raw["collision_layers"] = frozenset(raw.get("collision_layers", ()))
    if "minable" in raw:
        raw["minable"] = _minable(raw["minable"])
    return Tile(name=name, **raw)


def _table(section: dict[str, dict[str, Any]], make: Any) -> Mapping[str, Any]:
    return MappingProxyType({name: make(name, raw) for name, raw in section.items()})


@cache
def load() -> GameData:
    """The data of the base game, read once.

    Raises:
        ConfigError: data.json has a format that this version does not read.
    """
    raw = json.loads(files("fle_ray.game").joinpath("data.json").read_bytes())
    if raw["format"] != FORMAT_VERSION:
        raise ConfigError(
            f"fle_ray/game/data.json has format {raw['format']!r}, expected {FORMAT_VERSION}: "
            "run scripts/make_game_data.py again"
        )
    return GameData(
        game_version=raw["game_version"],
        draftsman_version=raw["draftsman_version"],
        constants=Constants(**raw["constants"]),
        items=_table(raw["items"], _item),
        fluids=_table(raw["fluids"], lambda name, r: Fluid(name=name, **r)),
        recipes=_table(raw["recipes"], _recipe),
        entities=_table(raw["entities"], _entity),
        technologies=_table(raw["technologies"], _technology),
        tiles=_table(raw["tiles"], _tile),
    )
