"""Runs agent programs in an isolated child process. See docs/interpreter.md."""

from __future__ import annotations

from fle_ray.interpreter.interpreter import Handler, Interpreter
from fle_ray.interpreter.limits import LAYERS, LayerPolicy, Limits
from fle_ray.interpreter.result import ERROR_KINDS, ROLLED_BACK, ProgramError, ProgramResult, ToolCall

__all__ = [
    "ERROR_KINDS",
    "LAYERS",
    "ROLLED_BACK",
    "Handler",
    "Interpreter",
    "LayerPolicy",
    "Limits",
    "ProgramError",
    "ProgramResult",
    "ToolCall",
]
