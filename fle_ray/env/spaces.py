"""The spaces of the environment: text as programs and logs have it, real numbers, and the two big
dictionaries.

Gymnasium's own `Text` refuses spaces and newlines unless every character is listed, and its `Box` holds
arrays; an observation here is made of plain Python values that can be written as JSON, so it has spaces of
its own for the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces

__all__ = ["MAX_TICK", "RealNumber", "UnicodeText", "action_space", "observation_space"]

MAX_TICK = 2**53  # exact in every JSON reader; four million years of game time

# Ranges to sample characters from: printable ASCII and newline, Latin letters, an emoji block.
_SAMPLED = "".join(map(chr, range(0x20, 0x7F))) + "\n" + "äöüßéñ" + "😀😁"


class UnicodeText(spaces.Space[str]):
    """Every string that can be written as UTF-8, of at most `max_length` characters (None for any length).

    Lone surrogates are not in the space: they cannot be stored.
    """

    def __init__(self, max_length: int | None = None, seed: int | np.random.Generator | None = None) -> None:
        if max_length is not None and max_length < 0:
            raise ValueError(f"max_length is {max_length}; expected 0 or more, or None for any length.")
        self.max_length = max_length
        super().__init__(dtype=None, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> str:
        """A random string of at most 100 characters; masks have no meaning here and must be None."""
        if mask is not None or probability is not None:
            raise ValueError("UnicodeText samples without masks; mask and probability must be None.")
        longest = 100 if self.max_length is None else min(self.max_length, 100)
        length = int(self.np_random.integers(longest + 1))
        return "".join(_SAMPLED[i] for i in self.np_random.integers(len(_SAMPLED), size=length))

    def contains(self, x: Any) -> bool:
        if not isinstance(x, str) or (self.max_length is not None and len(x) > self.max_length):
            return False
        try:
            x.encode("utf-8")
        except UnicodeEncodeError:
            return False
        return True

    def __repr__(self) -> str:
        return f"UnicodeText({'' if self.max_length is None else self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnicodeText) and self.max_length == other.max_length


class RealNumber(spaces.Space[float]):
    """Finite real numbers from `low` to `high`, both inclusive, as Python or numpy numbers (not bool)."""

    def __init__(
        self,
        low: float = -math.inf,
        high: float = math.inf,
        seed: int | np.random.Generator | None = None,
    ) -> None:
        if not low <= high:
            raise ValueError(f"low {low} is above high {high}.")
        self.low = float(low)
        self.high = float(high)
        super().__init__(dtype=np.float64, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> float:
        """A number within the bounds, of at most a million in size where there is none; no masks."""
        if mask is not None or probability is not None:
            raise ValueError("RealNumber samples without masks; mask and probability must be None.")
        low = max(self.low, min(-1e6, self.high))
        high = min(self.high, max(1e6, self.low))
        return float(self.np_random.uniform(low, high))

    def contains(self, x: Any) -> bool:
        if isinstance(x, bool | np.bool_) or not isinstance(x, int | float | np.integer | np.floating):
            return False
        return math.isfinite(x) and self.low <= x <= self.high

    def to_jsonable(self, sample_n: Iterable[float]) -> list[float]:
        return [float(x) for x in sample_n]

    def __repr__(self) -> str:
        return f"RealNumber({self.low:g}, {self.high:g})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RealNumber) and (self.low, self.high) == (other.low, other.high)


def action_space(agents: int) -> spaces.Dict:
    """`{"agent_idx": 0..agents-1, "code": program text}`."""
    return spaces.Dict({"agent_idx": spaces.Discrete(agents), "code": UnicodeText()})


def observation_space(agents: int) -> spaces.Dict:
    """The observation dictionary; docs/environment.md says what each entry means.

    Lists are tuples of dictionaries (`Sequence`), counts whole numbers, amounts of fluids real ones.
    """
    text = UnicodeText()
    amount = RealNumber()
    whole = spaces.Discrete(MAX_TICK)

    def rows(**fields: spaces.Space) -> spaces.Sequence:
        return spaces.Sequence(spaces.Dict(fields))

    return spaces.Dict(
        {
            "raw_text": text,
            "map_image": text,
            "entities": spaces.Sequence(text),
            "inventory": rows(type=text, quantity=spaces.Discrete(2**31)),
            "research": spaces.Dict(
                {
                    "technologies": rows(
                        name=text,
                        researched=spaces.Discrete(2),
                        enabled=spaces.Discrete(2),
                        level=spaces.Discrete(2**31),
                        research_unit_count=spaces.Discrete(2**31),
                        research_unit_energy=RealNumber(0),
                        prerequisites=spaces.Sequence(text),
                        ingredients=rows(item=text, amount=amount),
                    ),
                    "current_research": text,
                    "research_progress": RealNumber(0, 1),
                    "research_queue": spaces.Sequence(text),
                    "progress": rows(name=text, value=amount),
                }
            ),
            "game_info": spaces.Dict({"tick": whole, "time": RealNumber(0), "speed": RealNumber(0)}),
            "score": amount,
            "production_score": amount,
            "automated_score": amount,
            "flows": spaces.Dict(
                {
                    "input": rows(type=text, rate=amount),
                    "output": rows(type=text, rate=amount),
                    "crafted": rows(type=text, amount=amount),
                    "harvested": rows(type=text, amount=amount),
                    "price_list": rows(type=text, price=amount),
                    "static_items": rows(type=text, amount=amount),
                }
            ),
            "task_verification": spaces.Dict({"success": spaces.Discrete(2), "meta": rows(key=text, value=text)}),
            "messages": rows(sender=text, content=text, timestamp=whole),
            "serialized_functions": rows(name=text, pickled_function=text),
            "task_info": spaces.Dict(
                {
                    "goal_description": text,
                    "agent_instructions": text,
                    "task_key": text,
                    "trajectory_length": whole,
                }
            ),
            "character_positions": rows(agent_idx=spaces.Discrete(agents), x=amount, y=amount),
        }
    )
