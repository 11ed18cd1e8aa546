from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import Any

import pytest

from fle_ray.errors import ToolError
from fle_ray.game.contracts import Start
from fle_ray.sim.map import Natural
from fle_ray.tools import TOOLS, LocalInstance

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


class Game:
    """One game whose tools are its methods: `game.sleep(1)`, `game.place_entity(...)`."""

    def __init__(self, inventory: dict[str, int] | None = None, **start: Any) -> None:
        self.instance = LocalInstance()
        self.instance.reset(Start(inventory=SUITE if inventory is None else inventory, **start))
        self.agent = 0

    def __getattr__(self, tool: str) -> Callable[..., Any]:
        if tool not in TOOLS:
            raise AttributeError(tool)
        return lambda *args, **kwargs: self.instance.call(self.agent, tool, args, kwargs)

    @property
    def world(self) -> Any:
        return self.instance.world

    @property
    def tick(self) -> int:
        return self.instance.tick

    def have(self, item: str) -> int:
        return self.instance.inventory(self.agent).get(item, 0)

    def stand(self, x: float, y: float) -> None:
        """Be somewhere at once."""
        self.world.character(self.agent).teleport((x, y))

    def give(self, **items: int) -> None:
        """Put items into the agent's inventory; underscores stand for dashes."""
        for name, count in items.items():
            item = name.replace("_", "-")
            assert self.world.character(self.agent).slots.insert(item, count) == count

    def grow(self, name: str, x: float, y: float) -> None:
        """Put a tree or rock somewhere (snapshots know only those of the untouched land)."""
        thing = Natural(self.world.data.entity(name), x, y)
        self.world.map.occupy(thing)
        self.world.map._note(thing.prototype.type, (floor(x), floor(y)))

    def at(self, x: float, y: float) -> Any:
        """The simulator's entity at a point."""
        return self.world.entity_at((x, y))

    def refusal(self, tool: str, *args: Any, **kwargs: Any) -> str:
        """The message of a call that must be refused with a plain exception, changing nothing."""
        return self._refused("Exception", tool, args, kwargs)

    def bad(self, kind: str, tool: str, *args: Any, **kwargs: Any) -> str:
        """The message of a call with wrong arguments, which must raise `kind` and change nothing."""
        return self._refused(kind, tool, args, kwargs)

    def _refused(self, kind: str, tool: str, args: tuple, kwargs: dict[str, Any]) -> str:
        before = self.instance.digest()
        with pytest.raises(ToolError) as caught:
            self.instance.call(self.agent, tool, args, kwargs)
        assert caught.value.type == kind
        assert self.instance.digest() == before
        return str(caught.value)


@pytest.fixture
def game() -> Game:
    """The lab map with the suite's inventory and all technologies; the agent stands at the origin."""
    return Game()


@pytest.fixture
def empty() -> Game:
    """Endless flat land without anything, and an empty inventory."""
    return Game({}, scenario="empty")


@pytest.fixture
def make() -> Callable[..., Game]:
    """Games to order: `make({"coal": 5}, scenario="empty")`."""
    return Game
