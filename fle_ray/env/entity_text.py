"""Entities as text for a model, in three forms: a list, a map, or what changed.

All three work on the plain dictionaries that the observation's entity texts hold, so that recorded
observations can be formatted again without a game. Equal lines are merged: ten drills in the same condition
take one line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["delta_text", "grid_text", "list_text", "number"]

Fields = Mapping[str, Any]

_DIRECTIONS = {
    0: "up",
    2: "up-right",
    4: "right",
    6: "down-right",
    8: "down",
    10: "down-left",
    12: "left",
    14: "up-left",
}
_ARROWS = {0: "^", 4: ">", 8: "v", 12: "<"}

# Field -> the word it is shown under. Order is the order on the line.
_CONTENTS = {
    "fuel": "fuel",
    "furnace_source": "in",
    "furnace_result": "out",
    "assembling_machine_input": "in",
    "assembling_machine_output": "out",
    "assembling_machine_modules": "modules",
    "lab_input": "in",
    "lab_modules": "modules",
    "inventory": "holds",
    "rocket_inventory": "holds",
    "turret_ammo": "ammo",
}
_POINTS = {
    "pickup_position": "picks",
    "drop_position": "drops",
    "connection_points": "connects",
    "input_connection_points": "fluid in",
    "output_connection_points": "fluid out",
    "steam_output_point": "steam",
}
_MEMBERS = {"belts": "belts", "pipes": "pipes", "poles": "poles", "entities": "walls"}
# Prototype types whose direction means nothing.
_WITHOUT_FRONT = frozenset(
    "accumulator beacon container electric-pole furnace lab lamp logistic-container radar reactor roboport"
    " rocket-silo solar-panel wall".split()
)
_QUIET = ("working", "normal", "none")


def number(value: float) -> str:
    """A count or amount without needless digits: `3`, `0.5`, `10000000`."""
    rounded = round(float(value), 2)
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


def list_text(entities: Sequence[Fields], most_lines: int | None = None) -> str:
    """One line for each kind and condition, with the places where it stands."""
    return "\n".join(_cut(_merged(entities), most_lines)) or "none"


def delta_text(entities: Sequence[Fields], before: Sequence[Fields], most_lines: int | None = None) -> str:
    """What appeared (+), went (-) and changed (~) since `before`; entities are matched by name and place."""
    old = {_identity(e): e for e in before}
    new = {_identity(e): e for e in entities}
    added = [e for key, e in new.items() if key not in old]
    gone = [e for key, e in old.items() if key not in new]
    changed = [
        e for key, e in new.items() if key in old and (_head(e), _details(e)) != (_head(old[key]), _details(old[key]))
    ]
    lines = [f"+ {line}" for line in _merged(added)]
    lines += [f"- {name} {places}" for name, places in _places_by_name(gone)]
    lines += [f"~ {line}" for line in _merged(changed)]
    same = len(new) - len(added) - len(changed)
    lines = _cut(lines, most_lines)
    if same:
        lines.append(f"= {same} as before")
    return "\n".join(lines) or "none"


def grid_text(entities: Sequence[Fields], most_lines: int | None = None, *, gap: int = 6, widest: int = 120) -> str:
    """Maps of the places where something stands, then a line for each condition that a map cannot show.

    Buildings further than `gap` tiles apart go on maps of their own. A map wider or higher than `widest`
    tiles is replaced by the list of what stands there.
    """
    single = [part for e in entities for part in _members(e)]
    symbols = _symbols(single)
    lines: list[str] = []
    for island in _islands(single, gap):
        lines += _map(island, symbols, widest)
    if symbols:
        lines.append("key: " + ", ".join(f"{s} {name}" for name, s in symbols.items()) + "; belts ^ > v <")
    told = [e for e in entities if _tells_more(e)]
    lines += _merged(told, points=False)
    return "\n".join(_cut(lines, most_lines)) or "none"


# ---- one entity


def _identity(entity: Fields) -> tuple[str, str]:
    return str(entity.get("name", "?")), _place(entity.get("position"))


def _head(entity: Fields, points: bool = True) -> str:
    """What it is and how it is doing: the part of a line that many entities can share."""
    words = [str(entity.get("name", "?"))]
    direction = _direction(entity.get("direction"))
    if direction is not None and _has_a_front(entity):
        words.append(_DIRECTIONS[direction])
    status = str(entity.get("status", "") or "")
    if status not in ("", "normal"):
        words.append(status.replace("_", " "))
    recipe = entity.get("recipe")
    if recipe:
        words.append("recipe " + str(recipe.get("name") if isinstance(recipe, Mapping) else recipe))
    words += _extent(entity)
    if points:
        for field, word in _POINTS.items():
            places = _relative(entity.get(field), entity.get("position"))
            if places:
                words.append(f"{word} {places}")
    words += [f"! {warning}" for warning in entity.get("warnings") or ()]
    return ", ".join(words)


def _details(entity: Fields) -> str:
    """What it holds and stands on, which differs from one to the next."""
    words = []
    for field, word in _CONTENTS.items():
        amounts = _amounts(entity.get(field))
        if amounts:
            words.append(f"{word} {amounts}")
    fluids = [f for f in entity.get("fluid_box") or () if isinstance(f, Mapping) and f.get("name")]
    if fluids:
        words.append("fluid " + " ".join(f"{f['name']}={number(f.get('amount', 0))}" for f in fluids))
    else:
        pipe = (entity.get("pipes") or [entity])[0]  # pipes tell the contents of their whole network
        if isinstance(pipe, Mapping) and pipe.get("fluid"):
            words.append(f"fluid {pipe['fluid']}={number(pipe.get('contents') or pipe.get('fluid_amount') or 0)}")
    resources = [r for r in entity.get("resources") or () if isinstance(r, Mapping)]
    if resources:
        words.append("on " + " ".join(f"{r['name']}={_about(r.get('count', 0))}" for r in resources))
    return ", ".join(words)


def _has_a_front(entity: Fields) -> bool:
    """Whether its direction says anything."""
    kind = entity.get("type")
    if kind == "assembling-machine":
        return any(entity.get(field) for field in _POINTS)
    return kind not in _WITHOUT_FRONT


def _extent(entity: Fields) -> list[str]:
    """Size and ends of a group."""
    for field, word in _MEMBERS.items():
        members = entity.get(field)
        if not isinstance(members, list | tuple):
            continue
        words = [f"of {len(members)} {word}"]
        if field == "belts":
            for ends, preposition in (("inputs", "from"), ("outputs", "to")):
                places = [_place(belt.get("position")) for belt in entity.get(ends) or ()]
                if places:
                    words.append(f"{preposition} {_some(places)}")
        elif len(members) > 1:
            words.append(_some([_place(member.get("position")) for member in members]))
        return words
    return []


def _some(places: list[str], most: int = 6) -> str:
    """Places in words; of many the first and the last three."""
    if len(places) <= most:
        return " ".join(places)
    return " ".join([*places[: most // 2], "...", *places[-(most // 2) :]])


def _about(amount: float) -> str:
    """An amount to two digits, so that ore that is being mined does not change every line: `40k`, `620`."""
    if amount < 100:
        return number(amount)
    size = 10 ** (len(str(int(amount))) - 2)
    rounded = round(amount / size) * size
    for unit, letter in ((10**6, "M"), (10**3, "k")):
        if rounded >= unit:
            return f"{rounded / unit:g}{letter}"
    return str(rounded)


def _tells_more(entity: Fields) -> bool:
    """Whether a line says something that its symbol on a map does not."""
    if str(entity.get("status", "")) not in ("", *_QUIET) or entity.get("warnings") or entity.get("recipe"):
        return True
    return any(_amounts(entity.get(field)) for field in _CONTENTS) or bool(entity.get("fluid_box"))


def _direction(value: Any) -> int | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value % 16 if value % 16 in _DIRECTIONS else None
    word = str(value).rsplit(".", 1)[-1].lower()
    aliases = {"north": 0, "up": 0, "east": 4, "right": 4, "south": 8, "down": 8, "west": 12, "left": 12}
    return aliases.get(word)


def _amounts(value: Any) -> str:
    """Items and counts of an inventory; inventories of two lanes are added up."""
    total: dict[str, float] = {}

    def add(part: Any) -> None:
        if isinstance(part, Mapping):
            for name, entry in part.items():
                if isinstance(entry, Mapping | list | tuple):
                    add(entry)
                elif isinstance(entry, int | float) and entry:
                    total[str(name)] = total.get(str(name), 0) + entry
        elif isinstance(part, list | tuple):
            for entry in part:
                add(entry)

    add(value)
    return " ".join(f"{name}={number(total[name])}" for name in sorted(total))


def _xy(position: Any) -> tuple[float, float] | None:
    if isinstance(position, Mapping) and "x" in position and "y" in position:
        return float(position["x"]), float(position["y"])
    if isinstance(position, list | tuple) and len(position) == 2 and not any(isinstance(p, Mapping) for p in position):
        return float(position[0]), float(position[1])
    return None


def _place(position: Any) -> str:
    xy = _xy(position)
    return "(?)" if xy is None else f"({number(xy[0])},{number(xy[1])})"


def _relative(points: Any, centre: Any) -> str:
    """Points as offsets from the entity, so that equal machines read alike; with the fluid where one is
    named.
    """
    at = _xy(centre)
    if at is None or not points:
        return ""
    several = [points] if _xy(points) is not None else points
    shown = []
    for point in several:
        xy = _xy(point)
        if xy is None:
            continue
        fluid = point.get("type", "") if isinstance(point, Mapping) else ""
        shown.append(f"{fluid}{xy[0] - at[0]:+g}{xy[1] - at[1]:+g}".replace("+0-", "0-").replace("+0+", "0+"))
    return " ".join(shown)


# ---- several entities


def _merged(entities: Iterable[Fields], points: bool = True) -> list[str]:
    """A line for each kind and condition, in the order of the first of each; places with equal contents together."""
    lines: dict[str, dict[str, list[str]]] = {}
    for entity in entities:
        details = lines.setdefault(_head(entity, points), {})
        details.setdefault(_details(entity), []).append(_place(entity.get("position")))
    out = []
    for head, details in lines.items():
        count = sum(map(len, details.values()))
        where = "; ".join(" ".join(places) + (f": {what}" if what else "") for what, places in details.items())
        out.append(f"{count} x {head} at {where}" if count > 1 else f"{head} at {where}")
    return out


def _places_by_name(entities: Iterable[Fields]) -> list[tuple[str, str]]:
    places: dict[str, list[str]] = {}
    for entity in entities:
        places.setdefault(str(entity.get("name", "?")), []).append(_place(entity.get("position")))
    return [(name, " ".join(where)) for name, where in places.items()]


def _cut(lines: list[str], most: int | None) -> list[str]:
    if most is None or len(lines) <= most:
        return lines
    return [*lines[:most], f"... {len(lines) - most} more lines"]


def _members(entity: Fields) -> list[Fields]:
    """The entities of a group, or the entity itself."""
    for field in _MEMBERS:
        members = entity.get(field)
        if isinstance(members, list | tuple):
            return [m for m in members if isinstance(m, Mapping)]
    return [entity]


# ---- maps


def _symbols(entities: Iterable[Fields]) -> dict[str, str]:
    """A letter for each name, in order of appearance: its own initial if that is free; belts have arrows."""
    symbols: dict[str, str] = {}
    free = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuwxyz0123456789#%&*+=@$?"
    for entity in entities:
        name = str(entity.get("name", "?"))
        if name in symbols or _is_belt(name):
            continue
        initials = [name[:1].upper(), name[:1].lower(), *(word[:1].upper() for word in name.split("-"))]
        taken = set(symbols.values())
        choice = next((c for c in [*initials, *free] if c in free and c not in taken), "?")
        symbols[name] = choice
    return symbols


def _is_belt(name: str) -> bool:
    return name.endswith("transport-belt")


def _box(entity: Fields) -> tuple[int, int, int, int] | None:
    """Tiles that the entity covers: left, top, right, bottom; right and bottom exclusive."""
    xy = _xy(entity.get("position"))
    if xy is None:
        return None
    size = entity.get("tile_dimensions") or {}
    width = float(size.get("tile_width") or 1) if isinstance(size, Mapping) else 1.0
    height = float(size.get("tile_height") or 1) if isinstance(size, Mapping) else 1.0
    if _direction(entity.get("direction")) in (4, 12):
        width, height = height, width
    left = math.floor(xy[0] - width / 2 + 0.5)
    top = math.floor(xy[1] - height / 2 + 0.5)
    return left, top, left + max(1, round(width)), top + max(1, round(height))


def _islands(entities: Sequence[Fields], gap: int) -> list[list[Fields]]:
    """Entities in groups whose boxes are more than `gap` tiles apart from those of every other group."""
    islands: list[tuple[list[int], list[Fields]]] = []
    for entity in entities:
        box = _box(entity)
        if box is None:
            continue
        extent, members = list(box), [entity]
        merged = True
        while merged:  # growing may bring the box near to further islands
            merged, apart = False, []
            for other, others in islands:
                near = (
                    other[0] - extent[2] <= gap
                    and extent[0] - other[2] <= gap
                    and other[1] - extent[3] <= gap
                    and extent[1] - other[3] <= gap
                )
                if near:
                    extent = [*map(min, extent[:2], other[:2]), *map(max, extent[2:], other[2:])]
                    members, merged = others + members, True
                else:
                    apart.append((other, others))
            islands = apart
        islands.append((extent, members))
    return [members for _, members in islands]


def _map(entities: Sequence[Fields], symbols: Mapping[str, str], widest: int) -> list[str]:
    boxes = [(box, e) for e in entities if (box := _box(e)) is not None]
    left, top = min(b[0] for b, _ in boxes), min(b[1] for b, _ in boxes)
    right, bottom = max(b[2] for b, _ in boxes), max(b[3] for b, _ in boxes)
    if right - left > widest or bottom - top > widest:
        return _merged(entities, points=False)
    cells = [["."] * (right - left) for _ in range(bottom - top)]
    for (x0, y0, x1, y1), entity in boxes:
        name = str(entity.get("name", "?"))
        symbol = symbols.get(name, "?")
        if _is_belt(name):
            symbol = _ARROWS.get(_direction(entity.get("direction")) or 0, "^")
        for y in range(y0, y1):
            for x in range(x0, x1):
                cells[y - top][x - left] = symbol
    head = f"map from ({left},{top}), x to the right, y down, one character a tile:"
    return [head, *("".join(row) for row in cells)]
