"""What model calls cost: a table that the user may edit or replace."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fle_ray.agents.clients.protocol import ModelReply
from fle_ray.errors import ConfigError

__all__ = ["PRICE_FILE", "Price", "Prices"]

PRICE_FILE = Path(__file__).parent / "prices.yaml"
_FIELDS = ("input", "output", "cached_input", "cache_write")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens; cached input and cache writes cost as input where nothing is said."""

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None

    def of(self, reply: ModelReply) -> float | None:
        """Price of a call in US dollars; None when the service did not count its tokens.

            (fresh x input + cached x cached_input + written x cache_write + completion x output) / 1,000,000

        where fresh = prompt - cached - written.
        """
        if reply.prompt_tokens is None or reply.completion_tokens is None:
            return None
        cached = reply.cached_tokens or 0
        written = reply.cache_write_tokens or 0
        fresh = max(0, reply.prompt_tokens - cached - written)
        total = (
            fresh * self.input
            + cached * (self.input if self.cached_input is None else self.cached_input)
            + written * (self.input if self.cache_write is None else self.cache_write)
            + reply.completion_tokens * self.output
        )
        return total / 1e6


class Prices:
    """Prices by model. A name in the table may be a pattern; an exact name goes before a pattern, a longer one
    first.
    """

    def __init__(self, table: Mapping[str, Price]) -> None:
        self._table = dict(table)

    @classmethod
    def load(cls, path: str | Path | None = None) -> Prices:
        """Read a YAML file of the form of `prices.yaml`; ours when None.

        Raises:
            ConfigError: there is no such file, or it is not of that form.
        """
        import yaml

        where = PRICE_FILE if path is None else Path(path)
        try:
            content = yaml.safe_load(where.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"agent.prices: {where} cannot be read: {error.strerror}.") from error
        except yaml.YAMLError as error:
            raise ConfigError(f"agent.prices: {where} is not YAML: {str(error).splitlines()[0]}.") from error
        models = content.get("models") if isinstance(content, Mapping) else None
        if not isinstance(models, Mapping):
            raise ConfigError(f"agent.prices: {where} has no mapping `models`.")
        return cls({str(name): _price(str(name), entry, where) for name, entry in models.items()})

    def find(self, model: str) -> Price | None:
        """The price of a model, None when the table does not have it."""
        if model in self._table:
            return self._table[model]
        fitting = [name for name in self._table if fnmatch.fnmatchcase(model, name)]
        return self._table[max(fitting, key=len)] if fitting else None

    def cost_usd(self, model: str, reply: ModelReply) -> float | None:
        """Price of a call in US dollars; None when price or tokens are unknown."""
        price = self.find(model) or self.find(reply.model)
        return None if price is None else price.of(reply)


def _price(name: str, entry: Any, where: Path) -> Price:
    numbers = isinstance(entry, Mapping) and all(
        key in _FIELDS and isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        for key, value in entry.items()
    )
    if not numbers or "input" not in entry or "output" not in entry:
        raise ConfigError(
            f"agent.prices: {where}: {name!r} is {entry!r}; expected input and output, and perhaps cached_input and"
            " cache_write, in US dollars per million tokens."
        )
    return Price(**{key: float(value) for key, value in entry.items()})
