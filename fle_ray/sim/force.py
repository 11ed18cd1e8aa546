"""What the players know: technologies, the recipes they unlock, and the bonuses they give."""

from __future__ import annotations

from typing import Any

from fle_ray.game.prototypes import GameData

__all__ = ["Force"]

_START = ("automation-science-pack",)  # what FLE grants a force that starts without technologies


class Force:
    """Research state of the one force.

    Attributes:
        researched: names of known technologies. recipes: names of known recipes.
        bonuses: effect type -> sum of its modifiers, e.g. "mining-drill-productivity-bonus" -> 0.3.
    """

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.researched: set[str] = set()
        self.recipes: set[str] = {name for name, recipe in data.recipes.items() if recipe.enabled}
        self.bonuses: dict[str, float] = {}

    def learn(self, name: str) -> None:
        """Make a technology known (with nothing paid). Raises UnknownName."""
        technology = self.data.technology(name)
        if name in self.researched:
            return
        self.researched.add(name)
        for effect in technology.effects:
            if effect.recipe is not None:
                self.recipes.add(effect.recipe)
            elif not isinstance(effect.modifier, bool):
                self.bonuses[effect.type] = self.bonuses.get(effect.type, 0) + effect.modifier

    def learn_all(self) -> None:
        for name in self.data.technologies:
            self.learn(name)

    def start(self) -> None:
        """What a force without technologies starts with in FLE."""
        for name in _START:
            self.learn(name)

    def save(self) -> Any:
        return sorted(self.researched)

    def load(self, state: Any) -> None:
        for name in state:
            self.learn(name)
