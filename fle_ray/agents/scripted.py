"""An agent that plays programs from files, one a step: reference solutions, and the baseline of an experiment.

Ours lie beside this module, in `programs/<task>/NN_name.py`, written as an agent would write them, with the agent's
tools only. A task for several agents may have a folder for each, `programs/<task>/agent_<i>/`. A line
`# include: NAME` stands for the text of `programs/library/NAME.py`, so that tasks can share helpers; what is run and
recorded is the whole program.
"""

from __future__ import annotations

import re
from pathlib import Path

from fle_ray.agents.base import BaseAgent
from fle_ray.agents.contract import AgentStart, Observation, Policy
from fle_ray.errors import ConfigError, UnknownName

__all__ = ["PROGRAMS", "ScriptedAgent", "program_files", "scripted_tasks"]

PROGRAMS = Path(__file__).parent / "programs"
LIBRARY = "library"
_INCLUDE = re.compile(r"^# include: (\w+)$", re.MULTILINE)
AFTERWARDS = ("idle", "stop")


def scripted_tasks(folder: str | Path | None = None) -> list[str]:
    """Keys of the tasks that have programs in `folder` (ours when None), sorted."""
    root = PROGRAMS if folder is None else Path(folder)
    folders = (path for path in root.iterdir() if path.is_dir() and path.name != LIBRARY)
    return sorted(path.name for path in folders if any(path.rglob("*.py")))


def program_files(task: str, agent_idx: int = 0, folder: str | Path | None = None) -> list[Path]:
    """The programs of a task for one agent, in the order of their names; empty when there are none."""
    home = (PROGRAMS if folder is None else Path(folder)) / task
    own = home / f"agent_{agent_idx}"
    return sorted((own if own.is_dir() else home).glob("*.py"))


def program_text(path: Path) -> str:
    """A program with its includes put in. Raises ConfigError for a helper that is not in the library."""
    library = next((p / LIBRARY for p in path.parents if (p / LIBRARY).is_dir()), path.parent / LIBRARY)

    def included(match: re.Match[str]) -> str:
        helper = library / f"{match[1]}.py"
        if not helper.is_file():
            known = [p.stem for p in library.glob("*.py")]
            raise UnknownName("helper in the programs' library", match[1], known, f"{path} includes it.")
        return helper.read_text(encoding="utf-8")

    return _INCLUDE.sub(included, path.read_text(encoding="utf-8"))


class ScriptedAgent(BaseAgent):
    """Plays the programs of its task, then idles or stops.

    Args:
        folder: where the tasks' folders lie; our reference programs when None.
        afterwards: when the programs are used up: `"idle"` runs programs that do nothing; `"stop"` answers with no
            program, which the record shows as `no_program`.

    Raises:
        ConfigError: `afterwards` is neither, or (at `reset`) the task has no programs.
    """

    def __init__(self, folder: str | None = None, afterwards: str = "idle") -> None:
        if afterwards not in AFTERWARDS:
            raise ConfigError(f"agent.afterwards is {afterwards!r}; expected 'idle' or 'stop'.")
        if folder is not None and not Path(folder).is_dir():
            raise ConfigError(f"agent.folder is {folder!r}, which is no folder.")
        self.folder = folder
        self.afterwards = afterwards
        self._programs: list[tuple[str, str]] = []

    @staticmethod
    def supports(task: str, folder: str | None = None, **_: object) -> str | None:
        """Why this agent cannot play a task, as the end of a sentence; None when it can. Asked before a run."""
        return None if task in scripted_tasks(folder) else "no reference program"

    def reset(self, start: AgentStart) -> None:
        super().reset(start)
        files = program_files(start.task, start.agent_idx, self.folder)
        if not files:
            known = ", ".join(scripted_tasks(self.folder)) or "none"
            raise ConfigError(
                f"There are no programs for task {start.task!r} (agent {start.agent_idx}). Tasks with programs:"
                f" {known}."
            )
        self._programs = [(path.stem, program_text(path)) for path in files]

    def act(self, observation: Observation) -> Policy:
        if observation.step < len(self._programs):
            name, code = self._programs[observation.step]
            return Policy(code, meta={"program": name})
        if self.afterwards == "idle":
            return Policy("pass", meta={"program": "idle"})
        return Policy(None, meta={"reason": f"all {len(self._programs)} programs have been played"})
