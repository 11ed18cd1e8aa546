"""A factory from ore and oil to every science pack and a rocket, laid out from the recipes.

Cells stand in a grid: a machine with a chest and an inserter on each side, or a drill that drops into a furnace or a
chest. Fluids run through pipes. Solids go from output chests to input chests by `Factory.haul`, which stands in for
robots: it moves items that exist and makes none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from fle_ray.game.prototypes import load
from fle_ray.sim import World

DATA = load()
SPEED = 1.25  # assembling machine 3
SCIENCE_SPEED = 0.75  # assembling machine 2: what the packs are made in
SMELTING = 2.0
PACKS = {
    "automation-science-pack": 1,
    "logistic-science-pack": 1,
    "military-science-pack": 1,
    "chemical-science-pack": 1,
    "production-science-pack": 1,
    "utility-science-pack": 1,
}
"""Pack -> machines that make it."""

FLUID_SOLIDS = ("plastic-bar", "sulfur", "battery", "processing-unit", "electric-engine-unit", "rocket-fuel")
PLANTS = {"solid-fuel": "solid-fuel-from-light-oil"}
ORES = ("iron-ore", "copper-ore", "coal", "stone")
SMELTED = {"iron-plate": "iron-ore", "copper-plate": "copper-ore", "stone-brick": "stone"}
ROCKET = {"low-density-structure": 720, "processing-unit": 720, "rocket-fuel": 720, "satellite": 1}
"""What one rocket takes with four productivity-3 modules, and its cargo."""

EXTRA = {"battery": 2}
"""Machines beyond what the demand takes: accumulators for the next satellite would leave none for robot frames."""


def recipe_of(item: str):
    """The recipe a factory of this kind makes an item by."""
    return DATA.recipe(PLANTS.get(item, item))


def speed_of(item: str) -> float:
    """Crafting speed of the machine that makes an item here."""
    category = recipe_of(item).category
    if category == "chemistry":
        return 1.0
    if category == "smelting":
        return SMELTING
    return SCIENCE_SPEED if item in PACKS else SPEED


def rate_of(item: str) -> float:
    """Items a second of one machine at full work."""
    recipe = recipe_of(item)
    made = next(p.amount for p in recipe.products if p.name == item)
    return made * speed_of(item) / recipe.energy_required_s


def demands(rocket_s: float) -> dict[str, float]:
    """Item or fluid -> units a second that the packs and a rocket in `rocket_s` seconds take, ore included."""
    wanted: dict[str, float] = {}

    def add(name: str, rate: float) -> None:
        wanted[name] = wanted.get(name, 0.0) + rate
        if name in ORES or name in DATA.fluids:
            return
        recipe = recipe_of(name)
        made = next(p.amount for p in recipe.products if p.name == name)
        for part in recipe.ingredients:
            add(part.name, rate * part.amount / made)

    for pack, machines in PACKS.items():
        add(pack, machines * rate_of(pack))
    for item, count in ROCKET.items():
        add(item, count / rocket_s)
    return wanted


@dataclass
class Cell:
    """One machine and its chests. `target`: item -> how many the input chest should hold."""

    item: str
    machine: object
    inputs: object | None
    outputs: object | None
    target: dict[str, int] = field(default_factory=dict)


class Factory:
    """The factory in its world."""

    def __init__(self, rocket_s: float = 2400.0, spare: float = 1.25) -> None:
        self.world = World("empty", 0)
        self.world.research("all")
        self.cells: list[Cell] = []
        self.wanted = demands(rocket_s)
        self.spare = spare
        self._column = 0
        self._hauls = 0
        self._build_ores()
        self._build_solids()
        self._build_fluids()
        self._build_silo()

    # -- cells -----------------------------------------------------------------------------------------

    def machines_for(self, item: str) -> int:
        """How many machines an item needs."""
        if item not in self.wanted:
            return 1
        if item in PACKS:
            return PACKS[item]
        return ceil(self.wanted[item] * self.spare / rate_of(item)) + EXTRA.get(item, 0)

    def _next(self, height: int, width: int, top: int) -> tuple[int, int]:
        """Left tile column of the next cell of a field, and its row, in rows of 24 cells."""
        n = self._column
        self._column += 1
        return (n % 24) * width, top + (n // 24) * height

    def _targets(self, item: str) -> dict[str, int]:
        """What one machine of an item takes in a minute (packs: in two) at the pace it is wanted."""
        recipe = recipe_of(item)
        made = next(p.amount for p in recipe.products if p.name == item)
        wanted = self.wanted.get(item, rate_of(item)) * self.spare / self.machines_for(item)
        crafts = ceil((120 if item in PACKS else 60) * min(wanted, rate_of(item)) / made)
        return {p.name: int(p.amount) * crafts for p in recipe.ingredients if p.type == "item"}

    def _build_ores(self) -> None:
        """Drills on their own field of 5 x 5 ore: into a furnace for plates and bricks, into a chest otherwise."""
        self._column = 0
        world = self.world
        mining = 0.5 * (1 + world.force.bonuses["mining-drill-productivity-bonus"])
        plan: list[tuple[str, str]] = []
        for item in (*SMELTED, *ORES):
            ore = SMELTED.get(item, item)
            direct = self.wanted.get(item, 0.0)
            if item in ORES:
                direct -= sum(self.wanted.get(s, 0.0) * _ore_for(s) for s, o in SMELTED.items() if o == item)
                per_cell = mining
            else:
                per_cell = min(mining / _ore_for(item), rate_of(item))
            if direct > 1e-9:
                # Machines are more than the demand takes, and stocks fill at first: raw material for all of them.
                plan += [(item, ore)] * ceil(direct * 1.2 * self.spare / per_cell)
        for item, ore in plan:
            x, y = self._next(12, 6, 60)
            world.ore(ore, (x, y, x + 5, y + 5), amount=1_000_000)
            world.build("electric-mining-drill", (x + 2.5, y + 2.5), direction=8)
            world.power((x + 5.5, y + 4.5))
            if item == ore:
                chest = world.build("steel-chest", (x + 2.5, y + 4.5))
                self.cells.append(Cell(item, None, None, chest))
                continue
            furnace = world.build("electric-furnace", (x + 2.5, y + 5.5))
            world.build("fast-inserter", (x + 2.5, y + 7.5), direction=0)
            chest = world.build("steel-chest", (x + 2.5, y + 8.5))
            world.power((x + 4.5, y + 7.5))
            self.cells.append(Cell(item, furnace, None, chest))

    def _build_solids(self) -> None:
        """Machines of recipes without fluids, and steel."""
        self._column = 0
        solids = [i for i in sorted(self.wanted) if i not in ORES and i not in SMELTED and i not in DATA.fluids]
        for item in solids:
            if item in FLUID_SOLIDS or item in PLANTS or any(p.type == "fluid" for p in recipe_of(item).ingredients):
                continue
            for _ in range(self.machines_for(item)):
                x, y = self._next(5, 9, 300)
                self._cell(item, x, y)

    def _cell(self, item: str, x: int, y: int, direction: int = 0, recipe_name: str = "") -> Cell:
        """A machine whose tiles begin 2 columns right of x, between two chests."""
        recipe = DATA.recipe(recipe_name) if recipe_name else recipe_of(item)
        name = {"smelting": "electric-furnace", "chemistry": "chemical-plant"}.get(
            recipe.category, "assembling-machine-2" if item in PACKS else "assembling-machine-3"
        )
        options = {} if recipe.category == "smelting" else {"recipe": recipe.name}
        world = self.world
        machine = world.build(name, (x + 3.5, y + 1.5), direction=direction, **options)
        inputs = world.build("steel-chest", (x + 0.5, y + 1.5))
        world.build("bulk-inserter", (x + 1.5, y + 1.5), direction=12)
        world.build("bulk-inserter", (x + 5.5, y + 1.5), direction=12)
        outputs = world.build("steel-chest", (x + 6.5, y + 1.5))
        world.power((x + 5.5, y + 2.5))
        world.power((x + 1.5, y + 2.5))
        cell = Cell(item, machine, inputs, outputs, self._targets(item))
        self.cells.append(cell)
        return cell

    # -- fluids -----------------------------------------------------------------------------------------

    def _build_fluids(self) -> None:
        """Pumpjacks, refineries, and what takes oil, in a strip whose refineries stand at y = 0."""
        heavy_y, light_y, petroleum_y, row_y, top_y = -5, -7, -9, -14, -15
        refineries, jacks = 12, 12
        world = self.world
        width = 8  # even, so that the columns below never meet those of the refineries, which are odd
        plan: list[tuple[str, str]] = [("crack", "heavy-oil-cracking")] * 2 + [("crack", "light-oil-cracking")] * 6
        for item in ("plastic-bar", "sulfur", "solid-fuel", "rocket-fuel"):
            plan += [("item", item)] * self.machines_for(item)
        # Without something that takes surplus petroleum the crackers would use up the light oil.
        plan += [("fuel", "solid-fuel-from-petroleum-gas")] * 3
        acid = ["processing-unit", "battery"]
        lubricant = ["electric-engine-unit"]
        plan += [("gap", ""), ("make", "sulfuric-acid")]
        plan += [("item", item) for item in acid for _ in range(self.machines_for(item))]
        plan += [("gap", ""), ("make", "lubricant")]
        plan += [("item", item) for item in lubricant for _ in range(self.machines_for(item))]
        last = max(width * len(plan), 6 * refineries) + 6

        def pipes(columns, rows) -> None:
            for x in columns:
                for y in rows:
                    if not world.find((x + 0.4, y + 0.4, x + 0.6, y + 0.6), "pipe"):
                        world.build("pipe", (x + 0.5, y + 0.5))

        def under(x: int, start: int, end: int) -> None:
            up = end < start
            world.build("pipe-to-ground", (x + 0.5, start + 0.5), direction=8 if up else 0)
            world.build("pipe-to-ground", (x + 0.5, end + 0.5), direction=0 if up else 8)

        lines = {"heavy-oil": heavy_y, "light-oil": light_y, "petroleum-gas": petroleum_y}
        long = min(last, 312)  # within the 320 tiles a segment may span
        for y in lines.values():
            pipes(range(-3 if y == light_y else 0, long), [y])
        # Crude: pumpjacks under the refineries, their oil along one line.
        pipes(range(0, 6 * max(refineries, jacks) + 2), [5])
        for i in range(refineries):
            x = 6 * i + 3
            world.power((x - 2.5, 0.5))
            world.build("oil-refinery", (x + 0.5, 0.5), direction=0, recipe="advanced-oil-processing")
            world.fluid_source("water", (x - 0.5, 3.5))
            pipes([x + 1], [3, 4])
            under(x - 2, -3, heavy_y + 1)
            under(x, -3, light_y + 1)
            under(x + 2, -3, petroleum_y + 1)
        for i in range(jacks):
            x = 6 * i + 3
            world.well((x + 0.5, 8.5), 3_000_000)
            world.build("pumpjack", (x + 0.5, 8.5), direction=0)
            pipes([x + 1], [6])
            world.power((x - 1.5, 8.5))
        # What takes oil stands with its inlets to the south; acid and lubricant go along the top.
        tops: dict[str, list[int]] = {}
        net = ""
        for n, (kind, name) in enumerate(plan):
            left = width * n + (name == "rocket-fuel")
            x = left + 3  # middle column of the machine
            if kind == "gap":
                continue
            if kind == "item" and (name in acid or name in lubricant):
                self._cell(name, left, row_y)
                tops[net].append(x)
                continue
            recipe = name if kind != "item" else recipe_of(name).name
            if kind == "item":
                self._cell(name, left, row_y, direction=8)
            elif kind == "fuel":
                self._cell("solid-fuel", left, row_y, direction=8, recipe_name=name)
            elif kind == "make" and name == "sulfuric-acid":
                self._cell(name, left, row_y, direction=8)
            else:
                world.build("chemical-plant", (x + 0.5, row_y + 1.5), direction=8, recipe=recipe)
                world.power((left + 1.5, row_y + 2.5))
            fluids = [p.name for p in DATA.recipe(recipe).ingredients if p.type == "fluid"]
            columns = [x] if name == "rocket-fuel" else [x + 1, x - 1]
            for column, fluid in zip(columns, fluids, strict=False):
                if fluid == "water":
                    world.fluid_source("water", (column + 0.5, row_y + 3.5))
                else:
                    under(column, row_y + 3, lines[fluid] - 1)
            if kind == "make":
                net = name
                tops[net] = [x]
        for columns in tops.values():
            pipes(range(columns[0] + 1, max(columns) + 1), [top_y])
        # Cracked oil: light oil goes back by the west, petroleum down in a gap of the row.
        pipes(range(-3, width + 5), [top_y])
        pipes([-3], range(top_y + 1, light_y))
        right = width * 7 + 8
        pipes(range(width * 2 + 2, right + 1), [top_y])
        under(right, top_y + 1, petroleum_y - 1)

    def _build_silo(self) -> None:
        world = self.world
        x, y = -60, 300
        self.silo = world.build("rocket-silo", (x + 4.5, y + 4.5), modules=["productivity-module-3"] * 4)
        self.silo.set(auto_launch=True)
        world.power((x + 9.5, y + 6.5))
        world.build("bulk-inserter", (x + 9.5, y + 4.5), direction=4)
        chest = world.build("steel-chest", (x + 10.5, y + 4.5))
        self.pad = world.build("cargo-landing-pad", (x, y + 30))
        target = {"low-density-structure": 60, "processing-unit": 60, "rocket-fuel": 60, "satellite": 1}
        self.cells.append(Cell("rocket-part", self.silo, chest, None, target))

    # -- moving things ------------------------------------------------------------------------------------

    def haul(self) -> None:
        """Fill every input chest up to its target from the output chests of what it needs.

        A cell whose item is in stock for minutes gets nothing, so that it does not eat what others need. Who is
        served first changes from time to time.
        """
        self._hauls += 1
        first = self._hauls * 7 % len(self.cells)
        stores: dict[str, list] = {}
        for cell in self.cells:
            if cell.outputs is not None:
                stores.setdefault(cell.item, []).append(cell.outputs)
        stock = {
            item: sum(chest.contents().get("inventory", {}).get(item, 0) for chest in chests)
            for item, chests in stores.items()
        }
        for cell in self.cells[first:] + self.cells[:first]:
            if cell.inputs is None or (
                cell.item not in PACKS and stock.get(cell.item, 0) >= max(1, 180 * self.wanted.get(cell.item, 0))
            ):
                continue
            held = cell.inputs.contents().get("inventory", {})
            for item, target in cell.target.items():
                missing = target - held.get(item, 0)
                for chest in stores.get(item, ()):
                    if missing <= 0:
                        break
                    missing -= cell.inputs.put(item, chest.take(item, missing))

    def run(self, seconds: int, every: int = 10, look: Callable[[], None] | None = None) -> None:
        """Advance, hauling every so many seconds."""
        for _ in range(seconds // every):
            self.haul()
            self.world.advance(every * 60)
            if look is not None:
                look()


def _ore_for(item: str) -> float:
    """Ore that one of a smelted item takes."""
    return recipe_of(item).ingredients[0].amount
