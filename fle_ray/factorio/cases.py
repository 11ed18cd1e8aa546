"""What `compare` plays: the manual's examples of every tool, and the reference programs of tasks."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import chain

from fle_ray.agents.scripted import program_files, program_text, scripted_tasks
from fle_ray.errors import UnknownName
from fle_ray.factorio.compare import Case
from fle_ray.game.contracts import Start
from fle_ray.tasks.catalogue import LAB_INVENTORY, get_task
from fle_ray.tools.examples import EXAMPLES, WALKTHROUGH

__all__ = ["example_cases", "task_cases"]


def example_cases() -> list[Case]:
    """A case for each example of the manual, played as its test plays them: in lab play, each from the start."""
    start = Start(inventory=dict(LAB_INVENTORY))
    texts = chain(EXAMPLES.items(), [("walkthrough", WALKTHROUGH)])
    return [Case(f"example of {name}", start, (textwrap.dedent(text).strip() + "\n",)) for name, text in texts]


def task_cases(names: Sequence[str] | None = None, scenario: str = "lab") -> list[Case]:
    """A case for each task of one agent with reference programs.

    Args:
        names: of tasks; all that are played in the scenario when None.

    Raises:
        UnknownName: a task that has no reference programs.
    """
    known = scripted_tasks()
    for name in names or ():
        if name not in known:
            raise UnknownName("task with reference programs", name, known)
    cases = []
    for name in known if names is None else names:
        task = get_task(name)
        start = task.start(0)
        if names is None and (task.agents != 1 or start.scenario != scenario):
            continue
        cases.append(Case(name, start, tuple(program_text(path) for path in program_files(name))))
    return cases
