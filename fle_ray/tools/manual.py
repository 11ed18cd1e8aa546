"""The manual of the agents' API, generated from the tools and types themselves, so that it cannot go stale.

The short form names every tool with its signature and first sentence; the long form adds the whole description,
an example of each tool, and the fields of what tools return. The examples are in `examples.py`; a test runs them.
"""

from __future__ import annotations

import inspect
import textwrap
from functools import cache

from fle_ray.game import values
from fle_ray.game.prototypes import load
from fle_ray.game.values import Direction, EntityStatus, Prototype, RecipeName, Resource, Technology
from fle_ray.tools.examples import EXAMPLES, WALKTHROUGH
from fle_ray.tools.registry import TOOLS

__all__ = ["FORMS", "manual"]

FORMS = ("short", "long")

_RULES = """\
You play Factorio by writing Python programs. Each program you send is executed against the game; what it prints \
comes back to you, then you send the next. Variables, functions and classes you define stay for later programs.

Rules of the world:
- Positions are in tiles; x grows to the east (right), y to the SOUTH (down). An entity's position is its centre.
- 60 ticks are one second of game time. Only walking, crafting, harvesting, connecting and sleeping take time; \
everything else is instant. The factory runs while time passes.
- You reach 10 tiles for placing and 2.7 for harvesting. move_to goes there; your own buildings never block you.
- Burner machines need fuel: insert coal or wood. Electric ones need a pole near them in a powered network.
- An inserter faces the side on which it DROPS; it picks up from the other side.
- A tool that cannot do what you ask raises an exception that says why. Catch it, or read it and do better.
- Values are snapshots: get an entity again to see how it is now.
- print() what you want to know. Each printed line comes back as `line number: (values)`."""

_LANGUAGE = """\
Programs are ordinary Python 3: functions, classes, loops, comprehensions, exceptions, f-strings. There is no file, \
network or process. A program that runs too long is stopped; what its last tool calls did may then be undone."""


@cache
def manual(form: str = "long") -> str:
    """The manual's text.

    Args:
        form: "short" or "long".

    Raises:
        ValueError: for another form.
    """
    if form not in FORMS:
        raise ValueError(f"no manual form {form!r}; there are {', '.join(FORMS)}")
    parts = [_RULES, _LANGUAGE, _tools(form == "long"), _types(form == "long")]
    if form == "long":
        parts.append(f"# A worked example\n\n```python\n{WALKTHROUGH.strip()}\n```")
    return "\n\n".join(parts) + "\n"


def _signature(name: str) -> str:
    """The tool's signature without its context argument and annotations."""
    parts = []
    for parameter in list(inspect.signature(TOOLS[name]).parameters.values())[1:]:
        text = str(parameter.replace(annotation=inspect.Parameter.empty))
        if isinstance(parameter.default, Direction):
            text = f"{parameter.name}=Direction.{parameter.default.name}"
        elif isinstance(parameter.default, values.Position):
            text = f"{parameter.name}=Position(x=0, y=0)"
        parts.append(text)
    return f"{name}({', '.join(parts)})"


def _tools(long: bool) -> str:
    lines = ["# Tools"]
    for name in TOOLS:
        if name == "print":
            continue
        text = inspect.getdoc(TOOLS[name]) or ""
        if not long:
            lines.append(f"- `{_signature(name)}`: {_first_sentence(text)}")
            continue
        lines.append(f"\n## {_signature(name)}\n\n{text}")
        if name in EXAMPLES:
            lines.append(f"\n```python\n{textwrap.dedent(EXAMPLES[name]).strip()}\n```")
    return "\n".join(lines)


def _first_sentence(text: str) -> str:
    paragraph = " ".join(text.split("\n\n")[0].split())
    return paragraph


def _types(long: bool) -> str:
    prototypes = [
        f"{member.name}" + (f" ({member.entity_class.__name__})" if member.entity_class is not None and long else "")
        for member in Prototype
        if member.prototype_name not in _STALE
    ]
    technologies = load().technologies
    lines = [
        "# Names",
        "Prototype: " + ", ".join(prototypes),
        "Resource: " + ", ".join(n for n in vars(Resource) if not n.startswith("_")),
        "RecipeName: " + ", ".join(m.name for m in RecipeName),
        "Technology: " + ", ".join(m.name for m in Technology if m.value in technologies),
        "Direction: UP, RIGHT, DOWN, LEFT (and the diagonals)",
    ]
    if not long:
        lines.append("Types: Position, BoundingBox, BuildingBox, Inventory, Recipe, and one class a kind of entity.")
        return "\n".join(lines)
    lines.append("EntityStatus: " + ", ".join(m.value for m in EntityStatus))
    lines.append("\n# What entities tell\n")
    shown = set()
    for member in Prototype:
        cls = member.entity_class
        if cls is None or cls in shown or not hasattr(cls, "model_fields"):
            continue
        shown.add(cls)
        fields = ", ".join(n for n in cls.model_fields if n not in _DULL)
        lines.append(f"- {cls.__name__}: {fields}")
    lines.append(
        "\nPosition has x, y, +, -, distance(other), is_close(other), up(n), down(n), left(n), right(n). "
        "BoundingBox has left_top, right_bottom, left_bottom, right_top, center, width(), height(). "
        "Inventory is read as inventory[Prototype.X] or inventory.get(Prototype.X, 0)."
    )
    return "\n".join(lines)


# names kept for old programs: no item, fluid, entity or recipe of the game has them
_STALE = frozenset({"coal-liquifaction", "empty-barrel", "rocket-control-unit"})
_DULL = frozenset({"dimensions", "tile_dimensions", "prototype", "type", "health", "id"})
