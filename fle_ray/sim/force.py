"""What the players know: technologies, the recipes they unlock, and the bonuses they give."""

from __future__ import annotations

from typing import Any

from fle_ray.game.prototypes import GameData, Technology

__all__ = ["Force"]

_START = ("automation-science-pack",)  # what FLE grants a force that starts without technologies


class Force:
    """Knowledge of the one force.

    Attributes:
        researched: names of known technologies. recipes: names of known recipes.
        levels: endless technology -> level known last.
        bonuses: effect type -> sum of its modifiers, e.g. "mining-drill-productivity-bonus" -> 0.3.
        abilities: effect types that are had or not, e.g. "mining-with-fluid".
        strict: machines craft known recipes alone. Off in bench worlds, where research stands in no rig's way,
            until the force starts as a player's does.
    """

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.researched: set[str] = set()
        self.recipes: set[str] = {name for name, recipe in data.recipes.items() if recipe.enabled}
        self.levels: dict[str, int] = {}
        self.bonuses: dict[str, float] = {}
        self.abilities: set[str] = set()
        self.strict = False

    def may_craft(self, recipe: str) -> bool:
        """Whether machines may make a recipe."""
        return not self.strict or recipe in self.recipes

    def available(self, technology: Technology) -> bool:
        """Whether every prerequisite is known."""
        return self.researched.issuperset(technology.prerequisites)

    def level(self, technology: Technology) -> int:
        """The level that research of it would bring next; its own level while that is not known."""
        return self.levels.get(technology.name, technology.level - 1) + 1

    def learn(self, name: str) -> None:
        """Make a technology known (with nothing paid); an endless one goes up by a level. Raises UnknownName."""
        technology = self.data.technology(name)
        if technology.infinite:
            self.levels[name] = self.level(technology)
        elif name in self.researched:
            return
        self.researched.add(name)
        for effect in technology.effects:
            if effect.recipe is not None:
                self.recipes.add(effect.recipe)
            elif isinstance(effect.modifier, bool):
                self.abilities.add(effect.type)
            else:
                bonus = self.bonuses.get(effect.type, 0) + effect.modifier
                self.bonuses[effect.type] = round(bonus, 9)

    def learn_all(self) -> None:
        """Make every technology known, endless ones at their first level."""
        for name in self.data.technologies:
            if name not in self.researched:
                self.learn(name)

    def start(self) -> None:
        """What a force without technologies starts with in FLE; from now on recipes must be known."""
        self.strict = True
        for name in _START:
            self.learn(name)

    def save(self) -> Any:
        return [self.strict, sorted(self.researched), sorted(self.levels.items())]

    def load(self, state: Any) -> None:
        self.strict, researched, levels = state
        endless = dict(levels)
        for name in researched:
            times = endless[name] - self.data.technology(name).level + 1 if name in endless else 1
            for _ in range(times):
                self.learn(name)
