"""An agent that plays the programs of a recorded run again."""

from __future__ import annotations

from fle_ray.agents.base import BaseAgent
from fle_ray.agents.contract import AgentStart, Observation, Policy
from fle_ray.errors import ConfigError

__all__ = ["ReplayAgent"]


class ReplayAgent(BaseAgent):
    """Plays what was recorded for the same task, seed, trial and agent, step by step, and idles afterwards.

    A step that was recorded without a program is repeated as one. Tries that were not accepted are left out.

    Args:
        run: folder or URL of the run.
        episode_id: the episode to play, whatever the task, seed and trial; the one that fits them when None.
        agent: only episodes of the agent of this name, when several agents played the same task in the run.

    Raises:
        ConfigError: (at `reset`) there is no such run, no fitting episode, or more than one.
    """

    def __init__(self, run: str, episode_id: str | None = None, agent: str | None = None) -> None:
        if not run:
            raise ConfigError("agent.run is not set; expected the folder of a recorded run.")
        self.run = run
        self.episode_id = episode_id
        self.agent = agent
        self._programs: list[dict] = []

    def reset(self, start: AgentStart) -> None:
        super().reset(start)
        from fle_ray.dataset import open_run

        if self.episode_id is not None:
            where = [("episode_id", "==", self.episode_id)]
        else:
            where = [("task", "==", start.task), ("seed", "==", start.seed), ("trial", "==", start.trial)]
        if self.agent is not None:
            where.append(("agent", "==", self.agent))
        asked = ", ".join(f"{name} {value!r}" for name, _, value in where)
        columns = ["episode_id", "program_id", "agent_idx", "agent_step", "accepted", "code", "agent"]
        rows = open_run(self.run).arrow("steps", columns, where).to_pylist()
        episodes = sorted({row["episode_id"] for row in rows})
        if not episodes:
            raise ConfigError(f"Run {self.run} has no steps with {asked}. Give agent.episode_id, or another run.")
        if len(episodes) > 1:
            raise ConfigError(
                f"Run {self.run} has {len(episodes)} episodes with {asked}: {', '.join(episodes[:3])} ..."
                " Choose one by agent.episode_id or agent.agent."
            )
        mine = [row for row in rows if row["agent_idx"] == start.agent_idx and row["accepted"]]
        self._programs = sorted(mine, key=lambda row: row["agent_step"])

    def act(self, observation: Observation) -> Policy:
        if observation.step >= len(self._programs):
            return Policy("pass", meta={"replayed": None})
        row = self._programs[observation.step]
        if row["code"] is None:
            return Policy(None, meta={"replayed": row["program_id"], "reason": "the recorded step had no program"})
        return Policy(row["code"], meta={"replayed": row["program_id"]})
