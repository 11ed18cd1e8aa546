"""`send_message`: tell other agents something."""

from __future__ import annotations

from typing import Any

from fle_ray.errors import ToolError
from fle_ray.game.contracts import Message
from fle_ray.tools.context import Context

__all__ = ["send_message"]

_LONGEST = 10_000


def send_message(context: Context, message: Any, recipient: Any = None, metadata: Any = None) -> bool:
    """Send a text to another agent, or to all others without a recipient.

    Args:
        recipient: an agent's number, as a number or text; None for everybody else.

    Returns False for a recipient that does not exist. Alone, it does nothing and returns True. Takes no time.
    """
    if not isinstance(message, str):
        raise ToolError(f"send_message: the message must be text, not {type(message).__name__}.", type="ValueError")
    if len(message) > _LONGEST:
        raise ToolError(f"send_message: the message has {len(message)} characters; at most {_LONGEST} are sent.")
    agents = context.instance.agents
    if agents == 1:
        return True
    to: int | None = None
    if recipient is not None:
        try:
            to = int(str(recipient).removeprefix("agent_").removeprefix("Agent "))
        except ValueError:
            return False
        if not 0 <= to < agents:
            return False
    context.instance.post(Message(context.agent_idx, to, message, context.world.tick))
    return True
