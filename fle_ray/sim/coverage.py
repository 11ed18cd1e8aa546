"""What the simulator has of the base game, read off its own code.

`rows()` lists every prototype, recipe category, technology effect and mechanic as done, passive (it is placed, holds
items and draws power, but its own mechanic is missing) or unsupported. A prototype's state follows from the class
that plays it (kinds.py, passive.py), a recipe category's from the machines that have it; mechanics are checked
against the class or attribute that carries them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fle_ray.game.prototypes import Entity as Prototype
from fle_ray.game.prototypes import GameData, load
from fle_ray.sim.character import Character
from fle_ray.sim.entity import Entity
from fle_ray.sim.kinds import kind_of
from fle_ray.sim.map import Map
from fle_ray.sim.passive import MECHANICS, Lamp, Passive
from fle_ray.sim.statistics import Statistics
from fle_ray.sim.world import World

__all__ = ["UNCERTAIN", "Row", "render", "rows"]

_NATURAL = frozenset({"tree", "simple-entity", "resource", "character"})  # played by the map and by Character

_EFFECTS: dict[str, str | None] = {
    "ammo-damage": "combat",
    "artillery-range": "combat",
    "bulk-inserter-capacity-bonus": None,
    "character-inventory-slots-bonus": None,
    "character-logistic-requests": "robots",
    "character-logistic-trash-slots": "robots",
    "character-mining-speed": None,
    "cliff-deconstruction-enabled": "cliffs",
    "create-ghost-on-entity-death": "combat",
    "gun-speed": "combat",
    "inserter-stack-size-bonus": None,
    "laboratory-speed": None,
    "maximum-following-robots-count": "combat",
    "mining-drill-productivity-bonus": None,
    "mining-with-fluid": None,
    "train-braking-force-bonus": "trains",
    "turret-attack": "combat",
    "unlock-circuit-network": "circuit network",
    "unlock-recipe": None,
    "vehicle-logistics": "vehicles",
    "worker-robot-speed": "robots",
    "worker-robot-storage": "robots",
}
"""Technology effect -> the mechanic that would use it and is missing; None for those that work."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `state` is "done", "passive" or "unsupported"."""

    kind: str
    name: str
    state: str
    note: str = ""


def _has(cls: type, *names: str) -> bool:
    """Whether a class has all these methods."""
    return all(callable(getattr(cls, name, None)) for name in names)


def _plays(name: str) -> bool:
    """Whether a prototype has a class of its own."""
    cls = kind_of(load().entity(name))
    return cls is not Entity and not issubclass(cls, Passive)


_MECHANICS: tuple[tuple[str, Callable[[], bool], str], ...] = (
    ("map: ore, trees, rocks, water, chunks", lambda: _has(Map, "resources_in", "naturals", "is_water"), ""),
    ("hand mining, hand crafting, walking", lambda: _has(Character, "mine", "craft", "walk"), ""),
    ("chests, items on the ground", lambda: _plays("iron-chest") and _plays("item-on-ground"), ""),
    ("belts", lambda: _plays("transport-belt"), ""),
    ("underground belts", lambda: _plays("underground-belt"), ""),
    ("splitters", lambda: _plays("splitter"), ""),
    ("inserters", lambda: _plays("inserter") and _plays("burner-inserter"), ""),
    ("burner energy", lambda: _plays("stone-furnace"), ""),
    ("electric networks", lambda: _plays("small-electric-pole"), ""),
    ("steam power", lambda: _plays("boiler") and _plays("steam-engine"), ""),
    ("solar power and accumulators", lambda: _plays("solar-panel") and _plays("accumulator"), ""),
    ("nuclear power", lambda: _plays("nuclear-reactor") and _plays("heat-exchanger") and _plays("heat-pipe"), ""),
    ("fluid segments", lambda: _plays("pipe") and _plays("storage-tank"), ""),
    ("pumps", lambda: _plays("pump") and _plays("offshore-pump"), ""),
    ("mining drills", lambda: _plays("electric-mining-drill"), "uranium takes its acid"),
    ("pumpjacks", lambda: kind_of(load().entity("pumpjack")) is not kind_of(load().entity("burner-mining-drill")), ""),
    ("furnaces", lambda: _plays("electric-furnace"), ""),
    ("assembling machines", lambda: _plays("assembling-machine-3"), "input and output limits, productivity"),
    ("modules and beacons", lambda: _plays("beacon"), "speed, productivity, efficiency"),
    ("research", lambda: _plays("lab"), "queue, triggers, endless technologies"),
    ("rocket silo and launch", lambda: _plays("rocket-silo"), "no second rocket ahead of the launch"),
    ("lamps by night", lambda: kind_of(load().entity("small-lamp")) is Lamp, "without circuit conditions"),
    ("production statistics", lambda: _has(Statistics, "flows"), "machines, hand mining and hand crafting apart"),
    ("snapshot, restore, digest, fork", lambda: _has(World, "snapshot", "restore", "digest", "fork"), ""),
)

_MISSING: dict[str, str] = {
    "combat": "no enemies, damage, turrets or weapons",
    "circuit network": "combinators, speakers, displays and switches are placed; conditions raise Unsupported",
    "robots": "roboports charge; nothing flies, logistic chests are chests",
    "trains": "rails, signals, stops and rolling stock are placed; nothing moves",
    "vehicles": "cars, tanks and spidertrons are placed as inventories",
    "gates": "a gate is an obstacle",
    "radar scanning": "a radar draws its power and reveals nothing",
    "cliffs": "maps have none",
    "pollution": "nothing pollutes",
    "equipment": "armour and its grid do nothing",
    "quality": "not in the base game",
    "Space Age": "not in the base game",
}

UNCERTAIN: tuple[tuple[str, str], ...] = (
    ("hand mining by the tick", "every ore of an order takes 121 ticks; one source says 120 after the first"),
    ("hand crafting by the tick", "a craft takes its recipe's ticks; one probe of 2.0.77 saw one more"),
    ("order in which a drill's tiles are mined", "ten ore from a tile, then the next; only totals are comparable"),
    ("uranium's acid", "a tenth of the record's amount per ore, taken as its mining begins"),
    ("input boxes of fluids", "two crafts' worth; readers report it for early 2.0"),
    ("beacons without power or modules", "do not count in the profile"),
    ("bars of productivity", "filled at the end of each craft, in steps rounded to 1e-9"),
    ("a lab's packs for inserters", "two units' worth, from the wiki"),
    ("packs that inserters take out of a lab", "go anywhere; the game hands them to other labs alone"),
    ("ingredients put in by hand", "up to a stack, or the limit of inserters if that is more"),
    ("a new recipe", "everything inside comes out, the bar of productivity is lost"),
    ("stages of a launch", "2,530 ticks from the records' speeds; the wiki counted 2,475 in 1.x"),
    ("launching without a landing pad", "allowed; what a satellite brings waits in orbit for a pad with room"),
    ("merging of young belts", "at once; the game's delay follows no rule that is known"),
    ("inserters whose belt brings only what the target refuses", "what it would take wakes it if the target rests"),
    ("hands larger than one at a belt", "they go on while another item of the kind is on the tile, then swing"),
    ("cycle of a long-handed inserter", "50 ticks by the measured rule; readers' 4.9/s with a hand of four says 49"),
    ("use of electric inserters", "the mean of a swing's energy in every tick of it"),
    ("inside of a splitter", "what enters lies at once on the upstream edge of an output's tile"),
    ("belts of two speeds in a row", "an item waits at the front of its belt for room, and does not creep on"),
    ("characters on turns of belts", "are not carried; only straight belts were measured"),
    ("set-up of a roboport", "its buffer fills at the record's input limit first"),
)
"""(rule, what we chose) where sources disagree or say nothing."""


def _of_prototype(prototype: Prototype) -> Row:
    kind = f"prototype ({prototype.type})"
    if prototype.type in _NATURAL:
        return Row(kind, prototype.name, "done")
    cls = kind_of(prototype)
    if issubclass(cls, Passive):
        lacks = MECHANICS[prototype.type]
        return Row(kind, prototype.name, "passive" if lacks else "done", f"no {lacks}" if lacks else "")
    return Row(kind, prototype.name, "unsupported" if cls is Entity else "done")


def _of_category(category: str, data: GameData) -> Row:
    machines = [m for m in data.machines_by_category.get(category, ()) if kind_of(m) is not Entity]
    hands = data.entity("character").character
    by_hand = hands is not None and category in hands.crafting_categories
    able = ", ".join([*(m.name for m in machines), *(["by hand"] if by_hand else [])])
    return Row("recipe category", category, "done" if able else "unsupported", able)


def rows() -> Iterator[Row]:
    """Every line: prototypes by type and name, recipe categories, technology effects, mechanics."""
    data = load()
    for prototype in sorted(data.entities.values(), key=lambda p: (p.type, p.name)):
        yield _of_prototype(prototype)
    for category in sorted({r.category for r in data.recipes.values()}):
        yield _of_category(category, data)
    for effect in sorted({e.type for t in data.technologies.values() for e in t.effects}):
        lacks = _EFFECTS.get(effect, "anything that uses it")
        state = "unsupported" if lacks else "done"
        yield Row("technology effect", effect, state, f"no {lacks}" if lacks else "")
    for name, works, note in _MECHANICS:
        yield Row("mechanic", name, "done" if works() else "unsupported", note)
    for name, note in _MISSING.items():
        yield Row("mechanic", name, "unsupported", note)


def render() -> str:
    """The whole table as Markdown: totals, lines, uncertain rules."""
    data = load()
    listed = list(rows())
    states = ("done", "passive", "unsupported")
    out = [
        "# Coverage of the simulator",
        "",
        "Output of `python -m fle_ray.sim coverage`; a test holds this page to it.",
        f"Prototype data of game version {data.game_version}, base game alone.",
        "",
        "| | " + " | ".join(states) + " |",
        "|---|" + "---|" * len(states),
    ]
    families = {"prototypes": "prototype", "recipe categories": "recipe category"}
    families |= {"technology effects": "technology effect", "mechanics": "mechanic"}
    for title, prefix in families.items():
        found = [row.state for row in listed if row.kind.startswith(prefix)]
        out.append(f"| {title} | " + " | ".join(str(found.count(state)) for state in states) + " |")
    for title, prefix in families.items():
        out += ["", f"## {title.capitalize()}", "", "| name | kind | state | note |", "|---|---|---|---|"]
        for row in listed:
            if row.kind.startswith(prefix):
                out.append(f"| {row.name} | {row.kind} | {row.state} | {row.note} |")
    out += ["", "## Uncertain", "", "Where sources disagree or say nothing, this is what the simulator does.", ""]
    out += ["| rule | choice |", "|---|---|"]
    out += [f"| {rule} | {choice} |" for rule, choice in UNCERTAIN]
    return "\n".join(out) + "\n"
