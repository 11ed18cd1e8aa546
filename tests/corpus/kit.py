"""Programs in the style that language models write, and what must come of them.

A case is one or more programs that one agent sends after another in one episode. Outcomes are worked out by hand
from the tools' contract and the game's figures; comments beside them show the arithmetic.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

from fle_ray.game.contracts import Start
from fle_ray.tasks.catalogue import LAB_INVENTORY

__all__ = ["STARTS", "Case", "Outcome"]

# what the published test-suite of the agents' API starts with
SUITE = {
    "coal": 50,
    "copper-plate": 50,
    "iron-plate": 50,
    "iron-chest": 2,
    "burner-mining-drill": 3,
    "electric-mining-drill": 1,
    "assembling-machine-1": 1,
    "stone-furnace": 9,
    "transport-belt": 50,
    "boiler": 1,
    "burner-inserter": 32,
    "pipe": 15,
    "steam-engine": 1,
    "small-electric-pole": 10,
    "fast-transport-belt": 10,
    "express-transport-belt": 10,
}

# All on the lab map, the agent at the origin. Without technologies drills have no productivity bonus.
STARTS: dict[str, Start] = {
    "suite": Start(inventory=SUITE),
    "bare": Start(inventory=SUITE, all_technologies=False),
    "lab": Start(inventory=dict(LAB_INVENTORY)),
    "nothing": Start(all_technologies=False),
    "everything known": Start(),
    "two agents": Start(inventory=SUITE, agents=2),
}


@dataclass(frozen=True)
class Outcome:
    """What is so after the last program.

    Attributes:
        have: item -> count in the agent's inventory; items that are not named may be anything.
        built: entity name -> how many stand on the map, likewise.
        holds: (x, y) -> item -> count in what stands there, all its inventories together; exactly these items.
        tick: game ticks that have passed; None for anything.
        place: where the agent stands; None for anywhere.
        says: pieces of text that the last program's output must contain, in this order.
        error: kind of the last program's error, "" for none; the programs before it have none.
        type: its exception class; message: part of what it says.
    """

    have: dict[str, int] = field(default_factory=dict)
    built: dict[str, int] = field(default_factory=dict)
    holds: dict[tuple[float, float], dict[str, int]] = field(default_factory=dict)
    tick: int | None = None
    place: tuple[float, float] | None = None
    says: tuple[str, ...] = ()
    error: str = ""
    type: str = ""
    message: str = ""


class Case:
    """One agent's programs, what they start from (a key of STARTS), and their outcome."""

    def __init__(self, name: str, start: str, *programs: str, outcome: Outcome) -> None:
        self.name = name
        self.start = STARTS[start]
        self.programs = tuple(textwrap.dedent(program).strip("\n") + "\n" for program in programs)
        self.outcome = outcome
