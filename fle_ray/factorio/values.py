"""Values of ours as FLE's client has them, and back. By value: nothing of either side is shared.

Both sides have the same names: enums by member or value, models by class and field. What differs is where things
stand (FLE keeps a connection in some entities, which is left out here) and what is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from fle_ray.errors import ToolError
from fle_ray.game import values as ours
from fle_ray.game.values import (
    Direction,
    EntityCore,
    EntityStatus,
    Inventory,
    Model,
    Prototype,
    RecipeName,
    Technology,
    prototype_by_name,
)

if TYPE_CHECKING:
    from fle_ray.factorio.fle_client import Fle

__all__ = ["from_fle", "to_fle"]

_NOT_DATA = frozenset({"prototype", "game"})  # of an entity: what it is made by, and FLE's connection
_UNCHECKED = frozenset({"recipe"})  # FLE's tools put a name there where its class wants more, and take such entities
_BY_VALUE: Mapping[str, type[Enum]] = {
    kind.__name__: kind for kind in (Direction, EntityStatus, RecipeName, Technology)
} | {"DirectionInternal": Direction}


def to_fle(value: Any, fle: Fle) -> Any:
    """A value of ours as FLE's client takes it. Raises ToolError for one that it does not have."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Prototype):
        return _member(fle, fle.types.Prototype, value)
    if isinstance(value, Enum):
        kind = fle.kind(type(value).__name__)
        return kind(value.value) if kind is not None else _unknown(value)
    if isinstance(value, Inventory):
        return fle.entities.Inventory(**dict(value.items()))
    if isinstance(value, Model):
        return _model(value, fle)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], type):  # a resource
        return next((r for r in vars(fle.types.Resource).values() if isinstance(r, tuple) and r[0] == value[0]), value)
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(to_fle(entry, fle) for entry in value)
    if isinstance(value, Mapping):
        return {to_fle(key, fle): to_fle(entry, fle) for key, entry in value.items()}
    return _unknown(value)


def _unknown(value: Any) -> Any:
    raise ToolError(f"FLE's client has nothing like {value!r:.100} ({type(value).__name__}).", type="TypeError")


def _member(fle: Fle, kind: Any, value: Prototype) -> Any:
    found = kind.__members__.get(value.name)
    if found is None:
        found = next((m for m in kind if m.value[0] == value.value[0]), None)
    return _unknown(value) if found is None else found


def _model(value: Model, fle: Fle) -> Any:
    kind = fle.kind(type(value).__name__)
    if kind is None:
        return _unknown(value)
    fields = {name: to_fle(entry, fle) for name, entry in value.__dict__.items() if name not in _NOT_DATA}
    if isinstance(value, EntityCore):
        prototype = prototype_by_name.get(value.name)
        if prototype is not None:
            fields["prototype"] = _member(fle, fle.types.Prototype, prototype)
    late = {name: fields.pop(name) for name in _UNCHECKED & fields.keys() if isinstance(fields[name], str)}
    try:
        made = kind(**fields)
        for name, entry in late.items():
            setattr(made, name, entry)
        return made
    except ValueError as error:
        raise ToolError(f"FLE's client refuses this {type(value).__name__}: {error}", type="ValueError") from error


def from_fle(value: Any) -> Any:
    """A value of FLE's client as ours. Raises ToolError for one that we do not have."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    name = type(value).__name__
    if isinstance(value, Enum):
        if name == "Prototype":
            return prototype_by_name.get(value.value[0])
        return _BY_VALUE[name](value.value) if name in _BY_VALUE else value.value
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(from_fle(entry) for entry in value)
    if isinstance(value, Mapping):
        return {from_fle(key): from_fle(entry) for key, entry in value.items()}
    kind = getattr(ours, name, None)
    if kind is Inventory:
        return Inventory({item: from_fle(count) for item, count in value.items()})
    if not isinstance(kind, type) or not issubclass(kind, Model):
        raise ToolError(f"FLE's client returned a {name}, which has no counterpart here.")
    held = {**value.__dict__, **(getattr(value, "__pydantic_extra__", None) or {})}
    fields = {key: from_fle(entry) for key, entry in held.items() if key not in _NOT_DATA}
    if issubclass(kind, EntityCore):
        fields["prototype"] = prototype_by_name.get(fields["name"])
    try:
        return kind(**fields)
    except ValueError as error:
        raise ToolError(f"FLE's client returned a {name} that cannot be read: {error}") from error
