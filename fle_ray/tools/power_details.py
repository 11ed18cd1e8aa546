"""What poles, solar panels and accumulators show agents."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from typing import Any

from fle_ray.game.values import EnergySource
from fle_ray.tools.points import Fields

__all__ = ["POWER"]


def _watts(value: float | None) -> str:
    """A power as the game writes it."""
    return "0W" if not value else f"{value / 1000:g}kW"


def _pole(entity: Any) -> Fields:
    network = entity.grid
    return {
        "electrical_id": network.number,
        "flow_rate": fsum(consumer.used for consumer in network.consumers),
        "status": "normal",
    }


def _solar(entity: Any) -> Fields:
    return {
        "production": {"electricity": entity.output_w},
        "electric_output_flow_limit": entity.prototype.solar.production_w / 60,
    }


def _accumulator(entity: Any) -> Fields:
    record = entity.prototype.energy_source
    return {
        "energy_source": EnergySource(
            buffer_capacity=f"{record.buffer_capacity_j / 1e6:g}MJ",
            input_flow_limit=_watts(record.input_flow_limit_w),
            output_flow_limit=_watts(record.output_flow_limit_w),
            drain=_watts(record.drain_w),
        )
    }


POWER: dict[str, Callable[[Any], Fields]] = {
    "accumulator": _accumulator,
    "electric-pole": _pole,
    "solar-panel": _solar,
}
