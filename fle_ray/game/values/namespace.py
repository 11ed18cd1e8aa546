"""The names an agent program finds without importing anything, tools and builtins apart."""

from __future__ import annotations

import math

from . import boxes, entities, groups, inventory, position, prototype, recipe, resource, status, technology
from .direction import Direction
from .prototype import Prototype, prototype_by_name

__all__ = ["agent_names"]


def agent_names() -> dict[str, object]:
    """A new dictionary of name -> object: types, entity classes, directions, mathematics, typing.

    Every Prototype member with a class is there under its own name as that class (`IronChest` is `Chest`).
    """
    import typing  # twice as slow to import as any other module here, and only programs need it

    names: dict[str, object] = {}
    for module in (boxes, entities, groups, inventory, position, prototype, recipe, resource, status, technology):
        for name in module.__all__:
            names[name] = getattr(module, name)
    for hidden in ("ResourceName", "prototype_by_title", "technology_by_name"):
        del names[hidden]
    names["Direction"] = Direction
    for member in Prototype:
        if member.entity_class is not None:
            names[member.name] = member.entity_class
    for direction, words in {
        Direction.UP: ("UP", "ABOVE", "TOP", "NORTH"),
        Direction.RIGHT: ("RIGHT", "EAST"),
        Direction.DOWN: ("DOWN", "BELOW", "BOTTOM", "SOUTH"),
        Direction.LEFT: ("LEFT", "WEST"),
    }.items():
        names.update(dict.fromkeys(words, direction))
    for name in ("sqrt", "sin", "cos", "tan", "pi", "floor", "ceil"):
        names[name] = getattr(math, name)
    names.update(abs=abs, pow=pow, prototype_by_name=prototype_by_name)
    for name in ("Optional", "Union", "List", "Dict", "Tuple", "Set"):
        names[name] = getattr(typing, name)
    return names
