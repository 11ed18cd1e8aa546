"""The system prompt of an agent: the manual of the API and the task."""

from __future__ import annotations

from fle_ray.tasks.contract import Task
from fle_ray.tools.manual import manual

__all__ = ["system_prompt"]


def system_prompt(task: Task, agent_idx: int = 0, *, form: str = "long") -> str:
    """What an agent is told once: the manual, its task, and its own instructions.

    Args:
        form: form of the manual, "short" or "long".
    """
    parts = [manual(form), f"# Your task\n\n{task.goal}"]
    if task.agents > 1:
        parts.append(
            f"You are agent {agent_idx} of {task.agents} in one world. Each has a character and an inventory of its "
            f"own; send_message tells the others something, and their messages come with your observations."
        )
    instructions = task.instructions(agent_idx)
    if instructions:
        parts.append(f"# Your instructions\n\n{instructions}")
    return "\n\n".join(parts) + "\n"
