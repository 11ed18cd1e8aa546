"""Splitters: two tiles side by side; each lane hands items to the two outputs in turn.

Lanes never mix. Inputs take turns as well. An output priority sends all that finds room to one side; an input
priority lets one side go first; with a filter the filtered item goes to the priority side alone (left if none is
set) and everything else to the other. How items lie inside a splitter was not measured: an item that enters lies at
once on the upstream edge of the output's tile.
"""

from __future__ import annotations

from math import floor
from typing import Any

from fle_ray.errors import CannotSet
from fle_ray.sim.belt import Carrier
from fle_ray.sim.belts import SPLITTER, Part
from fle_ray.sim.core import BELTS
from fle_ray.sim.lanes import vector
from fle_ray.sim.line import Line, enter_back, room_at_back

__all__ = ["Inlet", "Splitter"]

LEFT, RIGHT = 0, 1
_SIDES = {"left": LEFT, "right": RIGHT, "none": None, None: None}
_NAMES = {LEFT: "left", RIGHT: "right", None: "none"}


class Inlet:
    """Where a line enters one lane of one half of a splitter (an outlet of that line)."""

    __slots__ = ("actor", "half", "lane", "line")

    def __init__(self, splitter: Splitter, half: int, lane: int) -> None:
        self.actor = splitter
        self.half = half
        self.lane = lane
        self.line: Line | None = None

    def hand_over(self, line: Line, item: str, old: int, tick: int) -> bool:
        return self.actor.pass_on(self, line, item, old, tick)

    def room(self, line: Line, tick: int) -> int:
        found = [room_at_back(out, tick) for out in self._ways(line)]
        return min((when for when in found if when), default=0)

    def _ways(self, line: Line) -> list[Line]:
        item = line.blocks[0].items[0]
        return [self.actor.parts[half].lines[self.lane] for half in self.actor.ways(item, self.lane)]

    def watch(self, line: Line, watch: bool) -> None:
        for part in self.actor.parts:
            if not part.lines:
                continue
            out = part.lines[self.lane]
            if watch:
                out.waiting[line] = out.length
            else:
                out.waiting.pop(line, None)

    def enter(self, line: Line) -> None:
        self.line = line

    def leave(self, line: Line) -> None:
        self.line = None


class Splitter(Carrier):
    """Splitters of all speeds.

    Attributes:
        input_priority, output_priority: LEFT, RIGHT or None; filter: item name or None.
        next_out: per lane the half that the next item goes to; next_in: per lane the half that goes first when two
            items arrive at once.
    """

    __slots__ = ("filter", "inlets", "input_priority", "next_in", "next_out", "output_priority")
    STATE = ("filter", "input_priority", "next_in", "next_out", "output_priority")
    phase = BELTS

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.input_priority: int | None = None
        self.output_priority: int | None = None
        self.filter: str | None = None
        self.next_out = [LEFT, LEFT]
        self.next_in = [LEFT, LEFT]
        self.inlets = tuple(tuple(Inlet(self, half, lane) for lane in (0, 1)) for half in (LEFT, RIGHT))

    def make_parts(self) -> tuple[Part, ...]:
        dx, dy = vector(self.direction)
        parts = []
        for half, side in ((LEFT, -0.5), (RIGHT, 0.5)):
            tile = floor(self.x - dy * side), floor(self.y + dx * side)
            parts.append(Part(self, half, SPLITTER, tile, self.direction))
        return tuple(parts)

    # -- settings ---------------------------------------------------------------------------------------

    def configure(self, **options: Any) -> None:
        """Set `input_priority` and `output_priority` ("left", "right", "none"), `priority` for the latter, `filter`.

        Raises CannotSet for another side, UnknownName for no item, Unsupported for another option.
        """
        if "priority" in options:
            self.output_priority = self._side(options.pop("priority"))
        if "output_priority" in options:
            self.output_priority = self._side(options.pop("output_priority"))
        if "input_priority" in options:
            self.input_priority = self._side(options.pop("input_priority"))
        if "filter" in options:
            item = options.pop("filter")
            self.filter = None if item is None else self.world.data.item(item).name
        super().configure(**options)
        for part in self.parts:
            for line in part.lines:
                for waiting in tuple(line.waiting):
                    waiting.room_changed(line)

    set = configure

    def _side(self, name: str | None) -> int | None:
        if name not in _SIDES:
            raise CannotSet(f"priority {name!r} of {self.name}: expected 'left', 'right' or 'none'.")
        return _SIDES[name]

    @property
    def priorities(self) -> tuple[str, str]:
        """(input priority, output priority) by name."""
        return _NAMES[self.input_priority], _NAMES[self.output_priority]

    # -- passing on -------------------------------------------------------------------------------------

    def ways(self, item: str, lane: int) -> tuple[int, ...]:
        """The halves an item may leave by, the first choice first."""
        if self.filter is not None:
            side = self.output_priority if self.output_priority is not None else LEFT
            return (side if item == self.filter else 1 - side,)
        first = self.output_priority if self.output_priority is not None else self.next_out[lane]
        return first, 1 - first

    def pass_on(self, inlet: Inlet, line: Line, item: str, old: int, tick: int) -> bool:
        """Take an item that comes in."""
        for half in self.ways(item, inlet.lane):
            out = self.parts[half].lines[inlet.lane]
            if enter_back(out, line.speed, item, old, tick):
                self.next_out[inlet.lane] = 1 - half
                self.next_in[inlet.lane] = 1 - inlet.half
                return True
        return False

    def update(self, tick: int) -> None:
        for lane in (0, 1):
            first = self.input_priority if self.input_priority is not None else self.next_in[lane]
            for half in (first, 1 - first):
                line = self.inlets[half][lane].line
                if line is not None and line.try_at == tick:
                    line.deliver(tick)
        soonest = 0
        for side in self.inlets:
            for inlet in side:
                if inlet.line is not None and inlet.line.try_at:
                    soonest = min(soonest or inlet.line.try_at, inlet.line.try_at)
        if soonest:
            self.world.calendar.stir(self, soonest)
