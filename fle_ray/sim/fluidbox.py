"""Fluid boxes: the places of an entity that hold a fluid, and what a machine does with them.

Boxes are of two kinds. A *member* is part of a segment (see fluids.py): pipes, pipes-to-ground, tanks, and the
boxes that fluid passes through or that only ever give or take at a rate (boilers, generators, offshore pumps, the
acid of drills). Its amount is its share of the segment. A *port* has a store of its own beside the segment: the
boxes of crafting machines and the outlet of a pumpjack. An input port fills itself from the segment up to its
`limit` whenever there is fluid; an output port empties itself into the segment whenever there is room. Both tell
their owner by `owner.stirred()`, so that a machine asleep for want of fluid or of room tries again.

For a crafting machine `FluidBoxes` does the whole: give it the recipe, ask `has_ingredients()` and `has_room()`
before a craft, call `take_ingredients()` as it begins and `put_products()` as it ends.

That input ports hold two crafts' worth is our choice (readers report it for early 2.0, it is not measured).
"""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.errors import CannotPlace
from fle_ray.game.prototypes import FluidBox as Record
from fle_ray.game.prototypes import PipeConnection, Recipe

__all__ = ["CRAFTS_HELD", "FluidBox", "FluidBoxes"]

CRAFTS_HELD = 2  # crafts' worth of an ingredient that an input port fills up to
_NEARLY = 1e-9  # a sum of shares may miss the whole by this much

Point = tuple[int, int, int]  # tile x, tile y, side (0, 4, 8 or 12)


class FluidBox:
    """One fluid box of an entity.

    Attributes:
        owner: the entity; index: its place among the owner's boxes.
        record: the prototype record (None for boxes that have none of their own).
        kind: "member", "input" or "output" (ports), or "tap" (the inlet of a pump, which holds nothing).
        volume: units it holds at most; limit: units an input port fills up to.
        fluid: what a port or a filtered member carries, None while it carries nothing in particular (a pipe) or
            is closed (a port without a recipe).
        stored, heat: a port's own units and their temperature.
        segment: the segment of a connected member; `links` of a port: the segments it touches.
    """

    __slots__ = (
        "connections",
        "fluid",
        "heat",
        "index",
        "kind",
        "limit",
        "links",
        "owner",
        "record",
        "segment",
        "stored",
        "volume",
    )

    def __init__(
        self,
        owner: Any,
        record: Record,
        index: int,
        kind: str,
        connections: tuple[PipeConnection, ...] | None = None,
    ) -> None:
        self.owner = owner
        self.record = record
        self.index = index
        self.kind = kind
        self.volume = float(record.volume)
        self.limit = self.volume
        self.connections = record.connections if connections is None else connections
        self.fluid: str | None = record.filter
        self.stored = 0.0
        self.heat = 0.0
        self.segment: Any = None
        self.links: list[Any] = []

    def __repr__(self) -> str:
        return f"<{self.kind} box {self.index} of {self.owner!r}>"

    @property
    def key(self) -> tuple[int, int]:
        """What boxes are ordered by: the owner's creation number, then the index."""
        return self.owner.number, self.index

    def points(self) -> list[tuple[Point, PipeConnection]]:
        """Its connections on the map: ((tile x, tile y, side), record)."""
        facing = self.owner.direction // 4 * 4
        found = []
        for connection in self.connections:
            x, y, side = connection.at(facing)
            found.append(((floor(self.owner.x + x), floor(self.owner.y + y), side), connection))
        return found

    # -- what is in it ----------------------------------------------------------------------------------

    @property
    def amount(self) -> float:
        """Units in it now; a member's share of its segment."""
        if self.kind != "member":
            return self.stored
        segment = self.segment
        if segment is None or not segment.capacity:
            return 0.0
        return segment.level() * self.volume / segment.capacity

    @property
    def temperature(self) -> float:
        """Degrees C of what is in it."""
        if self.kind != "member":
            return self.heat
        return self.segment.temperature if self.segment is not None else 0.0

    @property
    def content(self) -> str | None:
        """Name of the fluid in it, None when it is empty."""
        if self.kind != "member":
            return self.fluid if self.stored > 0 else None
        return self.segment.fluid if self.segment is not None and self.amount > 0 else None

    @property
    def room(self) -> float:
        """Units that still fit into a port."""
        return self.volume - self.stored

    # -- what a machine does with it ----------------------------------------------------------------------

    def assign(self, fluid: str | None, limit: float | None = None) -> None:
        """Carry `fluid` from now on, an input port filling up to `limit` units; None closes the box.

        Another fluid still inside is lost, as in the game. Raises CannotPlace (reason "fluid-mixing") when a
        segment it touches carries something else; then nothing changes.
        """
        system = self.owner.world.fluids
        if fluid is not None and fluid != self.fluid:
            system.check_box(self, fluid)
        if fluid != self.fluid:
            self.stored = 0.0
        self.limit = self.volume if limit is None else min(float(limit), self.volume)
        changed = fluid != self.fluid
        self.fluid = fluid
        if changed and system.knows(self):
            system.refit(self)
        elif self.links:
            system.serve(self)

    def take(self, amount: float) -> bool:
        """Take `amount` out for use; False, and nothing is taken, when there is less.

        After a False the owner is told by `stirred()` when more has come.
        """
        if self.kind == "member":
            segment = self.segment
            if segment is None:
                return False
            return segment.take_for(self, amount)
        if self.stored + _NEARLY < amount:
            return False
        self.stored = max(0.0, self.stored - amount)
        if self.links:
            self.owner.world.fluids.serve(self)
        return True

    def put(self, amount: float, temperature: float | None = None) -> None:
        """Put a product in: as much as the segment has room for goes on into it at once, the rest waits here.

        The caller has seen to it that `room` is enough. `temperature`: the fluid's default when None.
        """
        if amount <= 0:
            return
        if temperature is None:
            temperature = self.owner.world.data.fluids[self.fluid].default_temperature
        total = self.stored + amount
        self.heat = (self.stored * self.heat + amount * temperature) / total
        self.stored = total
        if self.links:
            self.owner.world.fluids.serve(self)

    # -- life ---------------------------------------------------------------------------------------------

    def connect(self) -> None:
        """Enter the fluid system; called from the owner's `connect`."""
        self.owner.world.fluids.enter(self)

    def gone(self) -> None:
        """Leave it; what was inside is lost. Called from the owner's `gone`."""
        self.owner.world.fluids.leave(self)

    def save(self) -> list:
        """Plain form of a port (a member's fluid is saved with its segment)."""
        return [self.fluid, self.stored, self.heat, self.limit]

    def load(self, state: list) -> None:
        self.fluid, self.stored, self.heat, self.limit = state


class FluidBoxes:
    """The fluid ports of a crafting machine (prototype data `fluid_boxes`), set up by its recipe.

    Boxes are used in the order of the record, inputs and outputs each in the order of the recipe, unless an
    ingredient or product names its own (`fluidbox_index`, counted from 1).
    """

    __slots__ = ("boxes", "inputs", "outputs", "owner")

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.boxes: tuple[FluidBox, ...] = tuple(
            FluidBox(owner, record, index, "input" if record.production_type == "input" else "output")
            for index, record in enumerate(owner.prototype.fluid_boxes)
        )
        for box in self.boxes:
            box.fluid = None
        self.inputs: list[tuple[FluidBox, float]] = []  # (box, units per craft)
        self.outputs: list[tuple[FluidBox, Any]] = []  # (box, product)

    def __bool__(self) -> bool:
        """Whether the recipe uses any fluid."""
        return bool(self.inputs or self.outputs)

    def assign(self, recipe: Recipe | None) -> None:
        """Set the boxes up for a recipe, None for none. What other fluids they held is lost.

        Raises CannotPlace (reason "fluid-mixing") when a pipe at one of them carries something else; then
        nothing changes.
        """
        inputs, outputs = self._plan(recipe)
        wanted: dict[int, tuple[str, float | None]] = {}
        for box, part in inputs:
            wanted[box.index] = (part.name, CRAFTS_HELD * part.amount)
        for box, part in outputs:
            wanted[box.index] = (part.name, None)
        system = self.owner.world.fluids
        for box in self.boxes:
            name = wanted.get(box.index, (None, None))[0]
            if name is not None and name != box.fluid:
                system.check_box(box, name)
        self.inputs = [(box, float(part.amount)) for box, part in inputs]
        self.outputs = outputs
        for box in self.boxes:  # close first: a box may get what another carried
            if wanted.get(box.index, (None, None))[0] != box.fluid:
                box.assign(None)
        for box in self.boxes:
            name, limit = wanted.get(box.index, (None, None))
            if name is not None:
                box.assign(name, limit)

    def _plan(self, recipe: Recipe | None) -> tuple[list, list]:
        if recipe is None:
            return [], []
        plans = []
        for kind, parts in (("input", recipe.ingredients), ("output", recipe.products)):
            fluids = [p for p in parts if p.type == "fluid"]
            free = [b for b in self.boxes if b.kind == kind]
            named = {p.fluidbox_index for p in fluids if p.fluidbox_index}
            rest = [b for i, b in enumerate(free, 1) if i not in named]
            if len(fluids) > len(free):
                raise CannotPlace(
                    f"{self.owner.name} has {len(free)} fluid {kind}s, {recipe.name} needs {len(fluids)}.",
                    reason="unknown",
                )
            plan = []
            for part in fluids:
                box = free[part.fluidbox_index - 1] if part.fluidbox_index else rest.pop(0)
                plan.append((box, part))
            plans.append(plan)
        return plans[0], plans[1]

    # -- a craft ------------------------------------------------------------------------------------------

    def has_ingredients(self) -> bool:
        """Whether every fluid ingredient of one craft is there."""
        for box, amount in self.inputs:
            if box.stored + _NEARLY < amount:
                return False
        return True

    def has_room(self) -> bool:
        """Whether every fluid product of one craft fits."""
        for box, product in self.outputs:
            if box.volume - box.stored + _NEARLY < product.amount:
                return False
        return True

    def take_ingredients(self) -> None:
        """Take one craft's fluids; only after `has_ingredients()`. Counts them as used."""
        statistics = self.owner.world.statistics
        for box, amount in self.inputs:
            box.take(amount)
            statistics.used(box.fluid, amount)

    def put_products(self, crafts: float = 1.0) -> None:
        """Put out the fluids of one craft (of a share of one, for productivity). Counts them as made."""
        statistics = self.owner.world.statistics
        for box, product in self.outputs:
            amount = product.amount * crafts
            statistics.made(product.name, amount)
            box.put(amount, product.temperature)

    # -- life ---------------------------------------------------------------------------------------------

    def connect(self) -> None:
        for box in self.boxes:
            box.connect()

    def gone(self) -> None:
        for box in self.boxes:
            box.gone()

    def contents(self) -> dict[str, float]:
        """Fluid -> units, over all boxes; empty ones left out."""
        held: dict[str, float] = {}
        for box in self.boxes:
            if box.stored > 0 and box.fluid is not None:
                held[box.fluid] = held.get(box.fluid, 0.0) + box.stored
        return held

    def save(self) -> list:
        return [box.save() for box in self.boxes]

    def load(self, state: list) -> None:
        """Bring back what `save` gave; the owner has called `restore_recipe` or does so next."""
        for box, saved in zip(self.boxes, state, strict=True):
            box.load(saved)

    def restore_recipe(self, recipe: Recipe | None) -> None:
        """After `load`: which box serves which part of the recipe, changing nothing that was loaded."""
        inputs, self.outputs = self._plan(recipe)
        self.inputs = [(box, float(part.amount)) for box, part in inputs]
