"""`get_connection_amount`: how many pieces a connection would take."""

from __future__ import annotations

from typing import Any

from fle_ray.game.values import Prototype
from fle_ray.tools.connect_entities import connect_entities
from fle_ray.tools.context import Context

__all__ = ["get_connection_amount"]


def get_connection_amount(context: Context, source: Any, target: Any, connection_type: Any = Prototype.Pipe) -> int:
    """How many new pieces `connect_entities` would lay between two things; lays none. Takes no time."""
    result = connect_entities(context, source, target, connection_type=connection_type, dry_run=True)
    return result["number_of_entities_required"]
