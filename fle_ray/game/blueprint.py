"""The game's blueprint strings: text to records and back, whatever version of the game wrote them.

A string is the version byte "0" and base64 of zlib-compressed JSON. It comes from anywhere, so nothing in it is
trusted: sizes are bounded before anything is unpacked, every value is checked, and what is wrong is said with its
place. Records use the names, 16-way directions and module lists of game version 2.0; strings of 0.15 to 1.1 are
brought to it (8-way directions, names changed since, filter inserters, modules by name and count).

What a record cannot hold (circuit conditions, tiles, schedules, icons ...) is counted in `ignored`, by name.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fle_ray.errors import BlueprintError

__all__ = ["Blueprint", "BlueprintEntity", "decode", "encode", "titles"]

MOST_TEXT = 4_000_000
"""Characters of a string."""
MOST_JSON = 64_000_000
"""Bytes of the JSON in it."""
MOST_ENTITIES = 50_000
MOST_COORDINATE = 100_000.0

_VERSION_BYTE = "0"
_CURRENT = (2, 0, 73, 0)
_NAME_LENGTH = 200
_LABEL_LENGTH = 1_000
_POLE_COPPER = 5  # the game's number for a pole's copper wire connector

_OLD_INSERTERS = {
    "filter-inserter": "fast-inserter",
    "stack-inserter": "bulk-inserter",
    "stack-filter-inserter": "bulk-inserter",
}
"""Before 2.0 filters were for inserters of their own, and the bulk inserter was called stack inserter."""

_OLD_NAMES = {
    **_OLD_INSERTERS,
    "effectivity-module": "efficiency-module",
    "effectivity-module-2": "efficiency-module-2",
    "effectivity-module-3": "efficiency-module-3",
    "empty-barrel": "barrel",
    "high-tech-science-pack": "utility-science-pack",
    "logistic-chest-active-provider": "active-provider-chest",
    "logistic-chest-buffer": "buffer-chest",
    "logistic-chest-passive-provider": "passive-provider-chest",
    "logistic-chest-requester": "requester-chest",
    "logistic-chest-storage": "storage-chest",
    "science-pack-1": "automation-science-pack",
    "science-pack-2": "logistic-science-pack",
    "science-pack-3": "chemical-science-pack",
    "used-up-uranium-fuel-cell": "depleted-uranium-fuel-cell",
}
"""Items, recipes and entities renamed up to 2.0 (the game's migrations)."""

_CIRCUIT = ("control_behavior", "connections")
_PLAIN = {
    "direction",
    "entity_number",
    "filters",
    "filter",
    "filter_mode",
    "input_priority",
    "items",
    "name",
    "neighbours",
    "output_priority",
    "position",
    "quality",
    "recipe",
    "recipe_quality",
    "type",
    "use_filters",
    "auto_launch",
    "launch_to_orbit_automatically",
}
_TOP = {"item", "label", "version", "entities", "tiles", "wires"}
_SILENT = {"icons", "description", "label_color", "snap-to-grid", "absolute-snapping", "position-relative-to-grid"}


@dataclass(frozen=True, slots=True)
class BlueprintEntity:
    """One entity of a blueprint.

    Attributes:
        number: its number in the blueprint, unique there.
        x, y: centre in tiles; direction: 0..15, the engine's own (an inserter's faces its pickup side).
        recipe: None for none; modules: names, one each.
        filters: items an inserter takes, empty for all; filter_mode: "whitelist" or "blacklist".
        input_priority, output_priority: "left", "right" or None; filter: the item a splitter sorts out.
        kind: "input" or "output" of an underground belt, None for others.
        requests: other items that should be put in -> count (fuel, for one).
        auto_launch: a silo launches by itself.
    """

    number: int
    name: str
    x: float
    y: float
    direction: int = 0
    recipe: str | None = None
    modules: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    filter_mode: str = "whitelist"
    input_priority: str | None = None
    output_priority: str | None = None
    filter: str | None = None
    kind: str | None = None
    requests: Mapping[str, int] = field(default_factory=dict)
    auto_launch: bool = False


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A blueprint.

    Attributes:
        version: (main, major, minor, developer) of the game that wrote it.
        wires: pairs of entity numbers joined by copper wire; None when the string does not say.
        tiles: tile name -> how many of them.
        ignored: what else was in the string and has no place here -> how often.
    """

    entities: tuple[BlueprintEntity, ...]
    label: str = ""
    version: tuple[int, int, int, int] = _CURRENT
    wires: tuple[tuple[int, int], ...] | None = None
    tiles: Mapping[str, int] = field(default_factory=dict)
    ignored: Mapping[str, int] = field(default_factory=dict)


# -- reading ------------------------------------------------------------------------------------------------------


def decode(text: str, index: int | None = None) -> Blueprint:
    """The blueprint in a string.

    Args:
        index: which blueprint of a book, counted from 0 in the order of `titles`; a book needs one.

    Raises:
        BlueprintError: the string is damaged, too large, no blueprint, or a book without (or beyond) an index.
    """
    root = _unpack(text)
    found = _blueprints(root, "the string")
    if found is None:
        if index not in (None, 0):
            raise BlueprintError(f"This string holds one blueprint, so index must be 0 or None, not {index}.")
        return _blueprint(root["blueprint"])
    if index is None:
        raise BlueprintError(f"This string is a book of {len(found)} blueprints: say which by index, from 0.")
    if not 0 <= index < len(found):
        raise BlueprintError(f"This book has {len(found)} blueprints, so index {index} is none of them.")
    return _blueprint(found[index])


def titles(text: str) -> tuple[str, ...]:
    """Labels of the blueprints in a string, those of books in books after one another. Raises BlueprintError."""
    root = _unpack(text)
    found = _blueprints(root, "the string")
    return tuple(_label(each) for each in ([root["blueprint"]] if found is None else found))


def _unpack(text: str) -> dict[str, Any]:
    if not isinstance(text, str):
        raise BlueprintError(f"A blueprint string is text, not {type(text).__name__}.")
    text = "".join(text.split())
    if not text:
        raise BlueprintError("The blueprint string is empty.")
    if len(text) > MOST_TEXT:
        raise BlueprintError(f"The blueprint string has {len(text)} characters; the most read is {MOST_TEXT}.")
    if text[0] != _VERSION_BYTE:
        raise BlueprintError(
            f"This is no blueprint string the game writes: it begins with {text[0]!r}, not {_VERSION_BYTE!r}."
        )
    try:
        packed = base64.b64decode(text[1:], validate=True)
        inflate = zlib.decompressobj()
        plain = inflate.decompress(packed, MOST_JSON)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise BlueprintError(f"The blueprint string is damaged: {error}.") from error
    if inflate.unconsumed_tail:
        raise BlueprintError(f"The blueprint unpacks to more than {MOST_JSON} bytes, more than is read.")
    if not inflate.eof:
        raise BlueprintError("The blueprint string is cut short.")
    try:
        root = json.loads(plain, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise BlueprintError(f"The blueprint string holds no valid JSON: {error}.") from error
    if not isinstance(root, dict):
        raise BlueprintError("The blueprint string holds no blueprint.")
    return root


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _blueprints(root: dict[str, Any], where: str) -> list[dict[str, Any]] | None:
    """The blueprints of a book, in its order, books in it opened up; None for a single blueprint."""
    if "blueprint" in root:
        _expect(root["blueprint"], dict, f"the blueprint of {where}")
        return None
    book = root.get("blueprint_book")
    if book is None:
        what = ", ".join(sorted(str(k)[:40] for k in root if k != "index")[:3]) or "nothing"
        raise BlueprintError(f"{where.capitalize()} holds {what}, no blueprint.")
    found: list[dict[str, Any]] = []
    for page in _expect(_expect(book, dict, "a book").get("blueprints", []), list, "a book's blueprints"):
        _expect(page, dict, "a page of a book")
        if "blueprint" in page:
            found.append(_expect(page["blueprint"], dict, "a blueprint of a book"))
        elif "blueprint_book" in page:
            found += _blueprints(page, "a book in a book") or []
    return found


def _expect(value: Any, kind: type | tuple[type, ...], what: str) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BlueprintError(f"{what} should be {_words(kind)}, not {_shown(value)}.")
    return value


def _words(kind: type | tuple[type, ...]) -> str:
    names = {dict: "an object", list: "a list", str: "text", int: "a whole number", float: "a number"}
    return " or ".join(names[k] for k in (kind if isinstance(kind, tuple) else (kind,)))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _label(record: dict[str, Any]) -> str:
    return _expect(record.get("label") or "", str, "a label")[:_LABEL_LENGTH]


def _name(value: Any, what: str) -> str:
    name = _expect(value, str, what)
    if not name or len(name) > _NAME_LENGTH:
        raise BlueprintError(f"{what} should have 1 to {_NAME_LENGTH} characters, not {len(name)}.")
    return name


def _number(value: Any, what: str) -> float:
    number = _expect(value, (int, float), what)
    if not math.isfinite(number) or abs(number) > MOST_COORDINATE:
        raise BlueprintError(f"{what} should lie within {MOST_COORDINATE:g} of 0, not at {_shown(value)}.")
    return float(number)


def _whole(value: Any, least: int, most: int, what: str) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not least <= _expect(value, int, what) <= most:
        raise BlueprintError(f"{what} should be from {least} to {most}, not {_shown(value)}.")
    return value


def _blueprint(record: dict[str, Any]) -> Blueprint:
    packed = _whole(record.get("version", 0), 0, 2**64 - 1, "the version")
    version = (packed >> 48, packed >> 32 & 0xFFFF, packed >> 16 & 0xFFFF, packed & 0xFFFF)
    if packed == 0:
        version = _CURRENT
    old = version < (2,)
    ignored: Counter[str] = Counter()
    entities = []
    records = _expect(record.get("entities") or [], (list, dict), "the entities")
    if isinstance(records, dict):  # strings that went through a Lua table
        records = list(records.values())
    if len(records) > MOST_ENTITIES:
        raise BlueprintError(f"The blueprint has {len(records)} entities; the most read is {MOST_ENTITIES}.")
    neighbours: list[tuple[int, int]] = []
    numbers: set[int] = set()
    for position, each in enumerate(records, start=1):
        _expect(each, dict, f"entity {position}")
        entity = _entity(each, position, old, ignored)
        if entity.number in numbers:
            raise BlueprintError(f"Two entities of the blueprint have the number {entity.number}.")
        numbers.add(entity.number)
        entities.append(entity)
        for other in _expect(each.get("neighbours") or [], list, "neighbours"):
            neighbours.append((entity.number, _whole(other, 0, 2**53, "a neighbour's number")))
    tiles: Counter[str] = Counter()
    for tile in _expect(record.get("tiles") or [], list, "the tiles"):
        tiles[_name(_expect(tile, dict, "a tile").get("name"), "a tile's name")] += 1
    for key in record:
        if key not in _TOP and key not in _SILENT and record[key]:
            ignored[key[:_NAME_LENGTH]] += 1
    wires = _wires(record, neighbours, numbers, ignored)
    return Blueprint(tuple(entities), _label(record), version, wires, dict(tiles), dict(ignored))


def _wires(
    record: dict[str, Any], neighbours: list[tuple[int, int]], numbers: set[int], ignored: Counter[str]
) -> tuple[tuple[int, int], ...] | None:
    """Copper wires between poles; those of circuits are counted as ignored."""
    if "wires" not in record:
        pairs = {(min(a, b), max(a, b)) for a, b in neighbours if a in numbers and b in numbers and a != b}
        return tuple(sorted(pairs)) if neighbours else None
    pairs = set()
    for wire in _expect(record["wires"], list, "the wires"):
        if not isinstance(wire, list) or len(wire) != 4:
            raise BlueprintError(f"A wire should be a list of four numbers, not {_shown(wire)}.")
        first, its_end, second, other_end = (_whole(part, 0, 2**53, "a part of a wire") for part in wire)
        if its_end == other_end == _POLE_COPPER and {first, second} <= numbers and first != second:
            pairs.add((min(first, second), max(first, second)))
        else:
            ignored["circuit wires"] += 1
    return tuple(sorted(pairs))


def _entity(record: dict[str, Any], position: int, old: bool, ignored: Counter[str]) -> BlueprintEntity:
    what = f"entity {position}"
    name = _name(record.get("name"), f"the name of {what}")
    what = f"{name} ({what})"
    place = _expect(record.get("position"), dict, f"the position of {what}")
    direction = _whole(record.get("direction", 0), 0, 7 if old else 15, f"the direction of {what}")

    def now(text: str) -> str:
        if not old:
            return text
        if text.startswith("fill-") and text.endswith("-barrel"):
            text = text.removeprefix("fill-")
        return _OLD_NAMES.get(text, text)

    def named(key: str) -> str | None:
        value = record.get(key)
        if isinstance(value, dict):
            value = value.get("name")
        return None if value is None else now(_name(value, f"{key} of {what}"))

    def side(key: str) -> str | None:
        value = record.get(key)
        if value in (None, "none"):
            return None
        if value not in ("left", "right"):
            raise BlueprintError(f"{key} of {what} should be 'left' or 'right', not {_shown(value)}.")
        return value

    modules, requests = _items(record.get("items"), what)
    filters: tuple[str, ...] = ()
    if record.get("use_filters") or (old and name in _OLD_INSERTERS):
        filters = tuple(now(each) for each in _filters(record.get("filters"), what))
    elif record.get("filters"):
        ignored["filters switched off"] += 1
    if record.get("use_filters") and not filters:
        ignored["filters with nothing in them"] += 1
    for key in ("quality", "recipe_quality"):
        if record.get(key) not in (None, "normal"):
            ignored[key] += 1
    for key, value in record.items():
        if key in _CIRCUIT:
            if value:
                ignored["circuit settings"] += 1
        elif key not in _PLAIN and value not in (None, False, [], {}):
            ignored[key[:_NAME_LENGTH]] += 1
    kind = record.get("type")
    if kind not in (None, "input", "output"):
        raise BlueprintError(f"The type of {what} should be 'input' or 'output', not {_shown(kind)}.")
    mode = record.get("filter_mode") or "whitelist"
    if mode not in ("whitelist", "blacklist"):
        raise BlueprintError(f"filter_mode of {what} should be 'whitelist' or 'blacklist', not {_shown(mode)}.")
    return BlueprintEntity(
        number=_whole(record.get("entity_number", position), 0, 2**53, f"the number of {what}"),
        name=now(name),
        x=_number(place.get("x"), f"x of {what}"),
        y=_number(place.get("y"), f"y of {what}"),
        direction=direction * 2 if old else direction,
        recipe=named("recipe"),
        modules=tuple(now(each) for each in modules),
        filters=filters,
        filter_mode=mode,
        input_priority=side("input_priority"),
        output_priority=side("output_priority"),
        filter=named("filter"),
        kind=kind,
        requests={now(each): count for each, count in sorted(requests.items())},
        auto_launch=record.get("auto_launch" if old else "launch_to_orbit_automatically") is True,
    )


def _filters(value: Any, what: str) -> list[str]:
    """Names of an inserter's filters by their index: a list of names, or of objects with index and name."""
    found = []
    for place, each in enumerate(_expect(value or [], list, f"the filters of {what}"), start=1):
        if isinstance(each, dict):
            if each.get("name") is None:
                continue
            index = _whole(each.get("index", place), 0, 1_000, f"a filter's index of {what}")
            found.append((index, _name(each["name"], f"a filter of {what}")))
        else:
            found.append((place, _name(each, f"a filter of {what}")))
    return [name for _, name in sorted(found)]


def _items(value: Any, what: str) -> tuple[list[str], dict[str, int]]:
    """(modules in slot order, other items -> count) of what should be put into an entity.

    Three forms: name -> count (0.15 to 1.1), a list of {item, count} (before that), a list of {id, items} with the
    slots of each inventory (2.0).
    """
    plain: list[tuple[str, int]] = []
    slots: list[tuple[int, str]] = []
    where = f"the items of {what}"
    if isinstance(value, dict):
        plain = [(_name(n, where), _whole(c, 0, 10_000, where)) for n, c in value.items()]
    else:
        for each in _expect(value or [], list, where):
            _expect(each, dict, where)
            if "item" in each:
                plain.append((_name(each["item"], where), _whole(each.get("count", 1), 0, 10_000, where)))
                continue
            name = each.get("id")
            name = _name(name.get("name") if isinstance(name, dict) else name, where)
            places = _expect(each.get("items") or {}, dict, where)
            for place in _expect(places.get("in_inventory") or [], list, where):
                _expect(place, dict, where)
                count = _whole(place.get("count", 1), 0, 10_000, where)
                slots += [(_whole(place.get("stack", 0), 0, 1_000, where), name)] * count
    modules = [name for name, count in plain for _ in range(min(count, 100)) if _is_module(name)]
    modules += [name for _, name in sorted(slots, key=lambda s: s[0]) if _is_module(name)]
    requests: Counter[str] = Counter({name: count for name, count in plain if not _is_module(name)})
    requests.update(name for _, name in slots if not _is_module(name))
    if len(modules) > 100:
        raise BlueprintError(f"{what} has {len(modules)} modules; no entity takes more than 100.")
    return modules, dict(requests)


def _is_module(name: str) -> bool:
    stem = name.rstrip("0123456789").rstrip("-")
    return stem.endswith("-module")


# -- writing ------------------------------------------------------------------------------------------------------

_MODULE_INVENTORY = 4
_MODULE_INVENTORIES = {"beacon": 1, "lab": 3, "mining-drill": 2}
"""Number of the inventory that holds modules, by prototype type (the game's defines.inventory)."""


def encode(blueprint: Blueprint, types: Mapping[str, str]) -> str:
    """The string of a blueprint, as game version 2.0.73 writes it.

    Args:
        types: prototype type of every entity with modules, by name.
    """
    record: dict[str, Any] = {"item": "blueprint", "entities": [_record(e, types) for e in blueprint.entities]}
    if blueprint.label:
        record["label"] = blueprint.label
    common = Counter(e.name for e in blueprint.entities).most_common(2)
    record["icons"] = [{"signal": {"name": n}, "index": k} for k, (n, _) in enumerate(common, start=1)]
    if blueprint.wires:
        record["wires"] = [[a, _POLE_COPPER, b, _POLE_COPPER] for a, b in blueprint.wires]
    main, major, minor, developer = _CURRENT
    record["version"] = main << 48 | major << 32 | minor << 16 | developer
    plain = json.dumps({"blueprint": record}, separators=(",", ":"), ensure_ascii=False).encode()
    return _VERSION_BYTE + base64.b64encode(zlib.compress(plain, 9)).decode()


def _record(entity: BlueprintEntity, types: Mapping[str, str]) -> dict[str, Any]:
    record: dict[str, Any] = {
        "entity_number": entity.number,
        "name": entity.name,
        "position": {"x": entity.x, "y": entity.y},
    }
    if entity.direction:
        record["direction"] = entity.direction
    if entity.recipe is not None:
        record["recipe"] = entity.recipe
    if entity.modules:
        inventory = _MODULE_INVENTORIES.get(types[entity.name], _MODULE_INVENTORY)
        places: dict[str, list[dict[str, int]]] = {}
        for stack, name in enumerate(entity.modules):
            places.setdefault(name, []).append({"inventory": inventory, "stack": stack})
        record["items"] = [{"id": {"name": n}, "items": {"in_inventory": p}} for n, p in places.items()]
    if entity.filters:
        record["use_filters"] = True
        record["filters"] = [
            {"index": k, "name": n, "quality": "normal", "comparator": "="}
            for k, n in enumerate(entity.filters, start=1)
        ]
        if entity.filter_mode != "whitelist":
            record["filter_mode"] = entity.filter_mode
    for key in ("input_priority", "output_priority"):
        if getattr(entity, key) is not None:
            record[key] = getattr(entity, key)
    if entity.filter is not None:
        record["filter"] = {"name": entity.filter, "quality": "normal", "comparator": "="}
    if entity.kind is not None:
        record["type"] = entity.kind
    if entity.auto_launch:
        record["launch_to_orbit_automatically"] = True
    return record
