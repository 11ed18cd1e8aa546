"""Enums whose members print as `Kind.MEMBER` and that suggest near names for a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, EnumMeta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

__all__ = ["NamedEnum", "SuggestingType", "did_you_mean"]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """` Did you mean A, B?` with up to three known names like `name`, or nothing."""
    if name.startswith("_"):  # Python itself probes classes for such names
        return ""
    import difflib  # only needed once something went wrong; it costs more to import than all the values

    near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.6)
    return f" Did you mean {', '.join(near)}?" if near else ""


class SuggestingType(type):
    """Metaclass of plain classes used as lists of names."""

    def __getattr__(cls, name: str) -> Any:
        known = [known for known in vars(cls) if not known.startswith("_")]
        raise AttributeError(f"{cls.__name__} has no member {name!r}.{did_you_mean(name, known)}")


class SuggestingEnumType(EnumMeta):
    """Metaclass of enums: an unknown member raises AttributeError with up to three near names."""

    def __getattr__(cls, name: str) -> Any:
        members = cls.__dict__.get("_member_map_", {})
        if name in members:  # Python 3.11 looks members up here
            return members[name]
        raise AttributeError(f"{cls.__name__} has no member {name!r}.{did_you_mean(name, members)}")


class NamedEnum(Enum, metaclass=SuggestingEnumType):
    """Base of the enums that agents see."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self._name_}"
