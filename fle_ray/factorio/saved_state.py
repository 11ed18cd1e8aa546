"""The bytes of a snapshot of a server: what FLE's client saves of a world, and what we keep beside it.

Not exact: FLE saves entities, inventories and research, but not all that a world is (see docs/factorio.md). The bytes
are a magic word, a hash of what follows, and compressed JSON, so that damage is seen before anything is touched.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import zlib
from dataclasses import dataclass, field
from typing import Any

from fle_ray.errors import SnapshotError
from fle_ray.game.contracts import Flows, Message, Start

__all__ = ["SavedState"]

_MAGIC = b"fle_ray server 1\n"
_HASH_BYTES = 16


@dataclass(frozen=True, slots=True)
class SavedState:
    """What is saved.

    Attributes:
        start: how the episode began. tick, flows: totals then. messages: between agents so far.
        positions, inventories: one for each agent. research, entities: as FLE's client saves them.
    """

    start: Start
    tick: int
    flows: Flows
    messages: tuple[Message, ...]
    positions: tuple[tuple[float, float], ...]
    inventories: tuple[dict[str, int], ...]
    research: dict[str, Any] = field(default_factory=dict)
    entities: str = ""

    def packed(self) -> bytes:
        plain = dataclasses.asdict(self)
        data = zlib.compress(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode())
        return _MAGIC + hashlib.sha256(data).digest()[:_HASH_BYTES] + data

    @classmethod
    def unpacked(cls, state: bytes) -> SavedState:
        """Raises SnapshotError when the bytes are damaged, or no snapshot of a server."""
        head = len(_MAGIC) + _HASH_BYTES
        data = state[head:]
        if not state.startswith(_MAGIC) or hashlib.sha256(data).digest()[:_HASH_BYTES] != state[len(_MAGIC) : head]:
            raise SnapshotError("This snapshot is damaged, or not one of a Factorio server.")
        try:
            plain = json.loads(zlib.decompress(data))
            return cls(
                start=Start(**plain["start"]),
                tick=plain["tick"],
                flows=Flows(**plain["flows"]),
                messages=tuple(Message(**message) for message in plain["messages"]),
                positions=tuple((x, y) for x, y in plain["positions"]),
                inventories=tuple(plain["inventories"]),
                research=plain["research"],
                entities=plain["entities"],
            )
        except (KeyError, TypeError, ValueError, zlib.error) as error:
            raise SnapshotError(f"This snapshot does not describe a Factorio server: {error!r}.") from error
