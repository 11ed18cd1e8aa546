"""An agent that draws its programs from a list: a baseline, and a source of varied data."""

from __future__ import annotations

from collections.abc import Sequence

from fle_ray.agents.base import BaseAgent
from fle_ray.agents.contract import Observation, Policy
from fle_ray.errors import ConfigError

__all__ = ["DEFAULT_PROGRAMS", "RandomAgent"]

# Each runs from any state of any task; what the game refuses is printed.
DEFAULT_PROGRAMS: tuple[str, ...] = (
    "print(inspect_inventory())",
    "print(get_entities())",
    "sleep(10)",
    "move_to(nearest(Resource.IronOre))",
    "move_to(nearest(Resource.Coal))",
    "spot = nearest(Resource.IronOre)\nmove_to(spot)\nprint(harvest_resource(spot, 5))",
    "spot = nearest(Resource.Coal)\nmove_to(spot)\nprint(harvest_resource(spot, 5))",
    "spot = nearest(Resource.Stone)\nmove_to(spot)\nprint(harvest_resource(spot, 5))",
    """try:
    spot = nearest(Resource.IronOre)
    move_to(spot)
    drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, spot)
    print(insert_item(Prototype.Coal, drill, 5))
    print(place_entity(Prototype.WoodenChest, Direction.UP, drill.drop_position))
except Exception as problem:
    print("refused:", problem)""",
    """try:
    print(craft_item(Prototype.StoneFurnace, 1))
except Exception as problem:
    print("refused:", problem)""",
)


class RandomAgent(BaseAgent):
    """Draws each program from a list, evenly, by seed, trial, agent and step.

    Args:
        programs: what to draw from; some small programs of ours when None.

    Raises:
        ConfigError: the list is empty.
    """

    def __init__(self, programs: Sequence[str] | None = None) -> None:
        self.programs = DEFAULT_PROGRAMS if programs is None else tuple(programs)
        if not self.programs:
            raise ConfigError("agent.programs is empty; expected at least one program.")

    def act(self, observation: Observation) -> Policy:
        index = self.rng(observation).randrange(len(self.programs))
        return Policy(self.programs[index], meta={"program": index})
