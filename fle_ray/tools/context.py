"""What a tool works with: the world, the agent's character, and the clock it may advance."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from fle_ray.errors import StepLimit, ToolError
from fle_ray.game.values import Position

if TYPE_CHECKING:
    from fle_ray.sim.character import Character
    from fle_ray.sim.world import World
    from fle_ray.tools.instance import LocalInstance

__all__ = ["ORIGIN", "Context", "xy"]

ORIGIN = Position(x=0, y=0)  # default place of tools that have one

WALK_TILES_PER_TICK = 0.15  # what a move is charged by, whatever the floor


def xy(position: Any) -> tuple[float, float]:
    """(x, y) of a Position."""
    return float(position.x), float(position.y)


@dataclass(frozen=True, slots=True)
class Context:
    """One tool call's surroundings.

    Attributes:
        instance: the game; world: its world; agent_idx: 0-based number of the agent who calls.
    """

    instance: LocalInstance
    world: World
    agent_idx: int

    @property
    def character(self) -> Character:
        return self.world.character(self.agent_idx)

    @property
    def place(self) -> Position:
        """Where the agent's character stands."""
        x, y = self.character.position
        return Position(x=x, y=y)

    def count(self, item: str) -> int:
        """How many of an item the agent carries."""
        return self.character.slots.count(item)

    def advance(self, ticks: float) -> None:
        """Let the world run, rounding up. Raises StepLimit at the step's allowance, which it never passes."""
        whole = ceil(round(ticks, 6))
        left = self.ticks_left
        if left is not None and whole > left:
            self.world.advance(left)
            raise StepLimit(
                "tick_limit",
                f"This step has used all its game ticks: {whole} more were asked for and {left} were left. "
                f"The program ends here; what it did is kept.",
            )
        self.world.advance(whole)

    @property
    def ticks_left(self) -> int | None:
        """What is left of the step's allowance, >= 0; None for no limit."""
        limit = self.instance.tick_limit
        return None if limit is None else max(0, limit - self.world.tick)

    def afford(self, ticks: float) -> None:
        """Before an action done as a whole: raise StepLimit, the time used up, when the step is too short for it."""
        left = self.ticks_left
        if left is not None and ceil(round(ticks, 6)) > left:
            self.advance(ticks)

    def walking_ticks(self, tiles: float) -> int:
        """Ticks charged for walking a straight stretch."""
        bonus = self.world.force.bonuses.get("character-running-speed", 0)
        return ceil(round(tiles / (WALK_TILES_PER_TICK * (1 + bonus)), 6))

    def inventory_text(self) -> str:
        """The agent's inventory in words: the first ten kinds, and how many more."""
        held = sorted(self.character.slots.totals.items())
        if not held:
            return "empty"
        text = ", ".join(f"{name}={count}" for name, count in held[:10])
        return text + (f" and {len(held) - 10} more" if len(held) > 10 else "")

    def need(self, item: str, count: int = 1) -> None:
        """Raise ToolError unless the agent carries that many of an item."""
        have = self.count(item)
        if have < count:
            raise ToolError(
                f"You have {have} {item} in your inventory and need {count}. "
                f"Your inventory holds: {self.inventory_text()}."
            )
