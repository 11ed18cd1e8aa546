"""What an agent can do: one module a tool, and `LocalInstance`, the simulator to call them on."""

from __future__ import annotations

from fle_ray.tools.instance import LocalInstance
from fle_ray.tools.registry import TOOL_NAMES, TOOLS

__all__ = ["TOOLS", "TOOL_NAMES", "LocalInstance"]
