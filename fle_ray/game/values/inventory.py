"""Counts of items."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from enum import Enum
from typing import TYPE_CHECKING

from .model import expected, real

if TYPE_CHECKING:
    from typing import Any

    Number = int | float

__all__ = ["Inventory"]


def _item_name(key: Any) -> Any:
    """The item that `key` stands for: a Prototype's or Resource's name, or the key itself."""
    if type(key) is str:
        return key
    if isinstance(key, tuple):
        return key[0] if key else key
    value = getattr(key, "value", key)
    if isinstance(value, tuple) and len(value) == 2:
        return value[0]
    return value if isinstance(key, Enum) else key


class Inventory:
    """Item name -> count: `Inventory(coal=3)`, `Inventory({"iron-plate": 2})`.

    A key may be a name, a Prototype, a Resource or a member of any enum of names. What is not there counts 0.
    `inventory.coal` works as well for names without a dash. Iterating gives (name, count) pairs.
    """

    __slots__ = ("_counts",)
    _counts: dict[str, Number]

    def __init__(self, counts: Mapping[Any, Number] | Inventory | None = None, /, **more: Number) -> None:
        """Raises ValueError for a key that names no item or a count that is no number."""
        object.__setattr__(self, "_counts", {})
        if counts is not None:
            for key, count in counts.items():
                self[key] = count
        for name, count in more.items():
            self._counts[name] = count if type(count) is int else _count(name, count)

    @classmethod
    def model_validate(cls, value: Any) -> Inventory:
        """An inventory as it is, or one made from a dictionary of counts."""
        if isinstance(value, cls):
            return value
        if isinstance(value, dict):
            return cls(value)
        raise expected("Inventory or a dictionary of counts", value)

    def __getitem__(self, key: Any) -> Number:
        return self.get(key)

    def get(self, key: Any, default: Any = 0) -> Any:
        """The count of `key`; `default` when it is absent or 0."""
        name = _item_name(key)
        return (self._counts.get(name) if isinstance(name, str) else None) or default

    def __setitem__(self, key: Any, count: Number) -> None:
        name = _item_name(key)
        if not isinstance(name, str):
            raise ValueError(f"Inventory: {expected('the name of an item, a Prototype or a Resource', key)}")
        self._counts[name] = _count(name, count)

    def __contains__(self, key: Any) -> bool:
        """Whether there is any of `key`."""
        return bool(self.get(key))

    def __getattr__(self, name: str) -> Number:
        if not name.startswith("_") and name in self._counts:
            return self._counts[name]
        raise AttributeError(f"Inventory has no attribute {name!r}; use inventory[...] to count an item.")

    def __setattr__(self, name: str, count: Number) -> None:
        self._counts[name] = _count(name, count)

    def items(self) -> ItemsView[str, Number]:
        return self._counts.items()

    def keys(self) -> KeysView[str]:
        return self._counts.keys()

    def values(self) -> ValuesView[Number]:
        return self._counts.values()

    def __iter__(self) -> Iterator[tuple[str, Number]]:
        return iter(self._counts.items())

    def __len__(self) -> int:
        return len(self._counts)

    def __add__(self, other: Any) -> Inventory:
        if not isinstance(other, Inventory | Mapping):
            return NotImplemented
        total = Inventory(self._counts)
        for name, count in other.items():
            total[name] = total[name] + count
        return total

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Inventory):
            return self._counts == other._counts
        if isinstance(other, dict):
            return self._counts == other
        return NotImplemented

    __hash__ = None  # counts change

    def model_dump(self) -> dict[str, Number]:
        """The counts as a plain dictionary."""
        return dict(self._counts)

    def dict(self) -> dict[str, Number]:
        """The same as `model_dump()`."""
        return self.model_dump()

    def model_copy(self, *, update: Mapping[Any, Number] | None = None, deep: bool = False) -> Inventory:
        """An inventory with the same counts, those in `update` replaced. `deep` changes nothing."""
        new = Inventory(self._counts)
        for key, count in (update or {}).items():
            new[key] = count
        return new

    def copy(self, *, update: Mapping[Any, Number] | None = None, deep: bool = False) -> Inventory:
        """The same as `model_copy(...)`."""
        return self.model_copy(update=update, deep=deep)

    def __reduce__(self) -> tuple[Any, ...]:
        return Inventory, (dict(self._counts),)

    def __str__(self) -> str:
        return " ".join(f"{name}={count!r}" for name, count in self._counts.items()) or "Inventory()"

    def __repr__(self) -> str:
        return f"Inventory({', '.join(f'{name}={count!r}' for name, count in self._counts.items())})"


def _count(name: str, count: Any) -> Number:
    try:
        return real(count)
    except ValueError as error:
        raise ValueError(f"Inventory[{name!r}]: {error}") from None
