"""Places that hold items: rows of slots (chests, characters, fuel) and per-item bins (machines)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

__all__ = ["Slots"]


class Slots:
    """A row of `size` slots, each empty or a stack of one item.

    Inserting fills stacks of the same item first, then empty slots, in order of the slots.

    Attributes:
        size: number of slots.
        stacks: item name -> stack size (prototype data).
        slots: per slot None or [item, count].
        totals: item -> count over all slots; no zero entries.
    """

    __slots__ = ("size", "slots", "stacks", "totals")

    def __init__(self, size: int, stacks: Mapping[str, int]) -> None:
        self.size = size
        self.stacks = stacks
        self.slots: list[list | None] = [None] * size
        self.totals: dict[str, int] = {}

    def __bool__(self) -> bool:
        return bool(self.totals)

    def count(self, item: str) -> int:
        return self.totals.get(item, 0)

    def room(self, item: str) -> int:
        """How many of `item` still fit."""
        stack = self.stacks[item]
        room = 0
        for slot in self.slots:
            if slot is None:
                room += stack
            elif slot[0] == item and slot[1] < stack:
                room += stack - slot[1]
        return room

    def has_room(self, item: str) -> bool:
        """Whether one of `item` fits."""
        stack = self.stacks[item]
        for slot in self.slots:
            if slot is None or (slot[0] == item and slot[1] < stack):
                return True
        return False

    def is_full(self) -> bool:
        """Every slot holds a full stack."""
        if not self.slots or self.slots[-1] is None:
            return not self.slots
        stacks = self.stacks
        for slot in self.slots:  # a loop, since inserters ask for every change of a chest
            if slot is None or slot[1] < stacks[slot[0]]:
                return False
        return True

    def insert(self, item: str, count: int) -> int:
        """Put in up to `count`; returns how many went in."""
        if count <= 0:
            return 0
        stack = self.stacks[item]
        left = count
        slots = self.slots
        if item in self.totals:
            for slot in slots:
                if slot is not None and slot[0] == item and slot[1] < stack:
                    part = min(left, stack - slot[1])
                    slot[1] += part
                    left -= part
                    if not left:
                        break
        if left:
            for index, slot in enumerate(slots):
                if slot is None:
                    part = min(left, stack)
                    slots[index] = [item, part]
                    left -= part
                    if not left:
                        break
        moved = count - left
        if moved:
            self.totals[item] = self.totals.get(item, 0) + moved
        return moved

    def remove(self, item: str, count: int) -> int:
        """Take out up to `count`, from the last slots first; returns how many came out."""
        have = self.totals.get(item, 0)
        moved = min(count, have)
        if moved <= 0:
            return 0
        left = moved
        slots = self.slots
        for index in range(self.size - 1, -1, -1):
            slot = slots[index]
            if slot is not None and slot[0] == item:
                part = min(left, slot[1])
                slot[1] -= part
                left -= part
                if not slot[1]:
                    slots[index] = None
                if not left:
                    break
        if have == moved:
            del self.totals[item]
        else:
            self.totals[item] = have - moved
        return moved

    def last(self, wanted: Callable[[str], bool]) -> str | None:
        """The item in the last slot that holds something `wanted`, None when there is none."""
        checked: dict[str, bool] = {}
        for slot in reversed(self.slots):
            if slot is None:
                continue
            item = slot[0]
            verdict = checked.get(item)
            if verdict is None:
                verdict = checked[item] = wanted(item)
            if verdict:
                return item
        return None

    def clear(self) -> dict[str, int]:
        """Empty it; returns what it held."""
        held = self.totals
        self.totals = {}
        self.slots = [None] * self.size
        return held

    def resize(self, size: int) -> None:
        """More or fewer slots; the last ones go first and must be empty."""
        if size < self.size and any(slot is not None for slot in self.slots[size:]):
            raise ValueError(f"cannot shrink from {self.size} to {size} slots: the last ones hold items")
        self.slots = self.slots[:size] + [None] * (size - self.size)
        self.size = size

    def in_slot_order(self) -> Iterable[tuple[str, int]]:
        """(item, count) of each used slot."""
        return [(slot[0], slot[1]) for slot in self.slots if slot is not None]

    def save(self) -> list:
        """Plain form: per used slot [index, item, count]."""
        return [[i, slot[0], slot[1]] for i, slot in enumerate(self.slots) if slot is not None]

    def load(self, state: list) -> None:
        self.slots = [None] * self.size
        self.totals = {}
        for index, item, count in state:
            self.slots[index] = [item, count]
            self.totals[item] = self.totals.get(item, 0) + count
