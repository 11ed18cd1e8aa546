"""Assembling machines, centrifuge, chemical plant, oil refinery: a recipe that is set, bins for its parts.

Inserters fill an ingredient up to the automatic limit (limits.py); hands, scripts and drills as far as a stack
goes. A craft starts unless a product's bin holds a full stack (both measured on 2.1.20 by the public overload
probe). Productivity fills a second bar by its share of each craft; full, it yields the products once more at no
cost, catalysts left out.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from fle_ray.errors import CannotSet
from fle_ray.game.prototypes import Product, Recipe
from fle_ray.sim.chance import draw
from fle_ray.sim.fluidbox import FluidBox, FluidBoxes
from fle_ray.sim.limits import input_limit
from fle_ray.sim.machine import Machine

__all__ = ["Assembler", "add_to"]


def add_to(held: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    """Add the counts of `more` to `held`, which is returned."""
    for item, count in more.items():
        if count:
            held[item] = held.get(item, 0) + count
    return held


class Assembler(Machine):
    """Every crafting machine whose recipe is set.

    Attributes:
        recipe: what it makes, None when nothing is set.
        inputs, outputs: item -> count, with an entry for every solid ingredient and product of the recipe.
        fluids: the fluid boxes; None for a machine without.
        draws: random draws made so far (see chance.py).
        known: the force may craft the recipe.
    """

    __slots__ = (
        "_makes",
        "_needs",
        "_stacks_out",
        "_used",
        "_wells",
        "draws",
        "fluids",
        "inputs",
        "known",
        "limits",
        "outputs",
        "recipe",
    )
    STATE = (*Machine.STATE, "draws")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.draws = 0
        self.fluids = FluidBoxes(self) if self.prototype.fluid_boxes else None
        self._install(None)

    # -- the recipe -----------------------------------------------------------------------------------

    def configure(self, **options: Any) -> dict[str, int]:
        """Set `recipe` (a name or None) and `modules` (names); returns the items that come out for it.

        Raises CannotSet for a recipe this machine cannot make and modules it does not take, UnknownName for no
        recipe, CannotPlace (reason "fluid-mixing") when a pipe at one of its connections carries another fluid,
        Unsupported for another option.
        """
        out: dict[str, int] = {}
        if "recipe" in options:
            add_to(out, self.set_recipe(options.pop("recipe")))
        return add_to(out, super().configure(**options))

    set = configure

    def set_recipe(self, name: str | None) -> dict[str, int]:
        """Make another recipe, None for nothing; returns what was inside and of no use for it.

        That is everything but the modules it still takes: ingredients, those of the craft under way included,
        and products. Fluids are lost, and so is the productivity bar. Raises as `configure`.
        """
        recipe = None if name is None else self.world.data.recipe(name)
        if recipe is self.recipe:
            return {}
        if recipe is not None:
            self._check(recipe)
        if self.fluids is not None:
            self.fluids.assign(recipe)
        self.settle(self.world.calendar.done(self))
        returned = self._take_all()
        self.busy = False
        self.seconds = 0.0
        self.bonus = 0.0
        self._install(recipe)
        add_to(returned, self.modules.eject_refused())
        self.source.rest()
        if self.number in self.world.entities:
            self.world.calendar.wake(self)
        self.changed()
        return returned

    def _check(self, recipe: Recipe) -> None:
        if self.prototype not in self.world.data.machines_for(recipe.name):
            able = ", ".join(m.name for m in self.world.data.machines_for(recipe.name)) or "no machine"
            raise CannotSet(f"{self.name} cannot make {recipe.name}: {able} can.")

    def _install(self, recipe: Recipe | None) -> None:
        """Have bins for the parts of a recipe."""
        self.recipe = recipe
        self.inputs: dict[str, int] = {}
        self.outputs: dict[str, int] = {}
        self.limits: dict[str, float] = {}
        self._needs: list[tuple[str, int]] = []
        self._stacks_out: list[tuple[str, int]] = []
        self._used: list[tuple[str, float]] = []  # what statistics count, fluids included
        self._makes: list[tuple[str, int, int]] | None = []  # (item, amount, counted); None: see `_yield`
        self._wells: dict[str, FluidBox] = {}  # fluid product -> its box
        self.known = False
        if recipe is None:
            return
        stacks = self.world.stacks
        for part in recipe.ingredients:
            if part.type == "item":
                self.inputs[part.name] = 0
                self._needs.append((part.name, int(part.amount)))
            if part.amount > part.ignored_by_stats:
                self._used.append((part.name, part.amount - part.ignored_by_stats))
        for product in recipe.products:
            plain = product.type == "item" and product.probability == 1.0
            if plain and product.amount_min == product.amount_max and self._makes is not None:
                amount = int(product.amount_min)
                self._makes.append((product.name, amount, amount - product.ignored_by_stats))
            else:
                self._makes = None
            if product.type == "item":
                self.outputs[product.name] = 0
                self._stacks_out.append((product.name, stacks[product.name]))
        if self.fluids is not None:
            self._wells = {product.name: box for box, product in self.fluids.outputs}
        self.duration = recipe.energy_required_s
        self.known = self.world.force.may_craft(recipe.name)
        self._set_limits()

    def _set_limits(self) -> None:
        if self.recipe is not None:
            seconds = self.recipe.energy_required_s
            self.limits = {name: input_limit(amount, self.speed, seconds) for name, amount in self._needs}

    def apply_effects(self) -> None:
        super().apply_effects()
        self._set_limits()

    def allows_productivity(self) -> bool:
        return self.recipe is None or self.recipe.allow_productivity

    def informed(self) -> None:
        if self.recipe is not None:
            self.known = self.world.force.may_craft(self.recipe.name)
        super().informed()

    # -- crafting -------------------------------------------------------------------------------------

    def ready(self) -> bool:
        if not self.known:
            return False
        inputs = self.inputs
        for name, amount in self._needs:
            if inputs[name] < amount:
                return False
        outputs = self.outputs
        for name, stack in self._stacks_out:
            if outputs[name] >= stack:
                return False
        fluids = self.fluids
        return not fluids or (fluids.has_ingredients() and fluids.has_room())

    def begin(self) -> None:
        inputs = self.inputs
        for name, amount in self._needs:
            inputs[name] -= amount
        if self.fluids:
            for box, amount in self.fluids.inputs:
                box.take(amount)
        used = self.world.statistics.used
        for name, counted in self._used:
            used(name, counted)

    def complete(self) -> None:
        if self._makes is not None:
            outputs = self.outputs
            made = self.world.statistics.made
            for name, amount, counted in self._makes:
                outputs[name] += amount
                if counted:
                    made(name, counted)
        else:
            for product in self.recipe.products:
                self._yield(product, 0)
        productivity = self.productivity()
        if productivity:
            for _ in range(self.free_crafts(productivity)):
                for product in self.recipe.products:
                    self._yield(product, product.ignored_by_productivity)

    def productivity(self) -> float:
        """Bonus share of each craft."""
        return self.modules.productivity if self.recipe.allow_productivity else 0.0

    def _yield(self, product: Product, catalyst: float) -> None:
        """Put out one product of one craft, `catalyst` of it left out."""
        amount = product.amount_min
        if product.probability < 1.0 and self._draw() >= product.probability:
            return
        if product.amount_max > amount:
            amount += int(self._draw() * (product.amount_max - amount + 1))
        amount -= catalyst
        if amount <= 0:
            return
        counted = amount if catalyst else amount - product.ignored_by_stats
        if counted > 0:
            self.world.statistics.made(product.name, counted)
        self.put_out(product, amount)

    def _draw(self) -> float:
        self.draws += 1
        return draw(self.world.seed, self.number, self.draws)

    def put_out(self, product: Product, amount: float) -> None:
        """Have `amount` of a product in its bin or box."""
        if product.type == "fluid":
            self._wells[product.name].put(amount, product.temperature)
        else:
            self.outputs[product.name] += int(amount)

    def idle_status(self) -> str:
        if self.recipe is None:
            return "no_recipe"
        if not self.source.on():
            return self.source.starved_status()
        if not self.known:
            return "recipe_not_researched"
        fluids = self.fluids
        if any(self.outputs[name] >= stack for name, stack in self._stacks_out) or (fluids and not fluids.has_room()):
            return "full_output"
        if any(self.inputs[name] < amount for name, amount in self._needs):
            return "item_ingredient_shortage"
        if fluids and not fluids.has_ingredients():
            return "fluid_ingredient_shortage"
        return self.source.working_status()  # about to begin

    @property
    def status(self) -> str:
        if self.busy:
            return self.source.working_status() if self.source.on() else self.source.starved_status()
        return self.idle_status()

    def stirred(self) -> None:
        if not self.busy and self.ready():
            self.world.calendar.wake(self)

    # -- transfers --------------------------------------------------------------------------------------

    def _room(self, item: str) -> int:
        """Room for an ingredient, for hands and drills: a stack, or what two crafts need if that is more."""
        return max(self.world.stacks[item], ceil(self.limits[item])) - self.inputs[item]

    def insert(self, item: str, count: int, by: str = "hand") -> int:
        if item in self.inputs:
            moved = count if by == "inserter" else max(0, min(count, self._room(item)))
            self.inputs[item] += moved
        elif by != "hand":
            return 0
        elif item in self.outputs:
            moved = max(0, min(count, self.world.stacks[item] - self.outputs[item]))
            self.outputs[item] += moved
        else:
            moved = self.modules.insert(item, count)
        if moved:
            self.changed()
            self.stirred()
        return moved

    put = insert

    def wants(self, item: str) -> bool:
        limit = self.limits.get(item)
        return limit is not None and self.inputs[item] < limit

    def offer(self, wanted: Callable[[str], bool]) -> str | None:
        for name, count in self.outputs.items():
            if count and wanted(name):
                return name
        return None

    def pick(self, item: str, count: int) -> int:
        have = self.outputs.get(item, 0)
        moved = min(count, have)
        if moved <= 0:
            return 0
        self.outputs[item] = have - moved
        self.changed()
        self.stirred()
        return moved

    def holds_anything(self) -> bool:
        for count in self.outputs.values():
            if count:
                return True
        return False

    def full_for_inserters(self) -> bool:
        inputs = self.inputs
        for name, limit in self.limits.items():
            if inputs[name] < limit:
                return False
        return True

    def extract(self, item: str, count: int) -> int:
        moved = self.pick(item, count)
        have = self.inputs.get(item, 0)
        if moved < count and have:
            part = min(count - moved, have)
            self.inputs[item] = have - part
            moved += part
            self.changed()
        if moved < count:
            part = self.modules.remove(item, count - moved)
            if part:
                self.changed()
            moved += part
        return moved

    take = extract

    # -- what it shows --------------------------------------------------------------------------------

    def contents(self) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {
            "assembling_machine_input": {name: n for name, n in self.inputs.items() if n},
            "assembling_machine_output": {name: n for name, n in self.outputs.items() if n},
            "assembling_machine_modules": self.modules.contents(),
            "fluids": self.fluids.contents() if self.fluids is not None else {},
        }
        return {name: held for name, held in found.items() if held}

    # -- life -------------------------------------------------------------------------------------------

    @property
    def fluid_boxes(self) -> tuple[FluidBox, ...]:
        """Its fluid boxes, in the order of the record."""
        return self.fluids.boxes if self.fluids is not None else ()

    def connect(self) -> None:
        super().connect()
        if self.fluids is not None:
            self.fluids.connect()

    def built(self) -> None:
        if self.fluids is not None:
            self.world.fluids.settle_in(self.fluids.boxes)
        super().built()

    def gone(self) -> None:
        super().gone()
        if self.fluids is not None:
            self.fluids.gone()

    def rotate(self, direction: int) -> None:
        if self.fluids is not None:
            self.fluids.gone()
        super().rotate(direction)
        if self.fluids is not None:
            self.fluids.connect()
            self.world.fluids.settle_in(self.fluids.boxes)

    # -- taking apart ---------------------------------------------------------------------------------

    def _take_all(self) -> dict[str, int]:
        """Empty the bins; the ingredients of a craft under way come back, unused after all. The recipe stays."""
        held: dict[str, int] = {}
        if self.busy:
            add_to(held, dict(self._needs))
            for name, counted in self._used:
                if name in self.inputs:
                    self.world.statistics.used(name, -counted)
        add_to(held, self.inputs)
        add_to(held, self.outputs)
        self.inputs = dict.fromkeys(self.inputs, 0)
        self.outputs = dict.fromkeys(self.outputs, 0)
        return held

    def clear(self) -> dict[str, int]:
        held = self._take_all()
        self.busy = False
        return add_to(held, self.modules.clear())

    # -- state ----------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        state = super().save()
        state["recipe"] = self.recipe.name if self.recipe is not None else None
        state["inputs"] = list(self.inputs.values())
        state["outputs"] = list(self.outputs.values())
        if self.fluids:
            state["fluids"] = self.fluids.save()
        return state

    def load(self, state: dict[str, Any]) -> None:
        recipe = self.world.data.recipe(state["recipe"]) if state["recipe"] is not None else None
        if "fluids" in state:
            self.fluids.load(state["fluids"])
            self.fluids.restore_recipe(recipe)
        self._install(recipe)
        super().load(state)
        for bins, counts in ((self.inputs, state["inputs"]), (self.outputs, state["outputs"])):
            for name, count in zip(list(bins), counts, strict=True):
                bins[name] = count
