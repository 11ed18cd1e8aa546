"""Play recorded programs again and compare: `python -m fle_ray.replay RUN [--episode ID] [--json]`.

No agent and no model takes part: each recorded program is run on a new game, in the recorded order, and the first
step whose digest, output, error, reward or value differs is named. Steps that were ended by the wall clock (kinds
`timeout` and `memory`) depend on the machine; they are compared like all others.

Exit status: 0 all the same, 1 a step differs, 2 a mistake (no such run or episode).
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fle_ray.agents.base import BaseAgent
from fle_ray.agents.contract import Completion, Observation, Outcome, Policy
from fle_ray.dataset import open_run
from fle_ray.dataset.records import StepRecord
from fle_ray.errors import ConfigError, EngineError, FleRayError, UnknownName
from fle_ray.experiment import build
from fle_ray.experiment.episode import Step, play_episode
from fle_ray.experiment.spec import Budget, EpisodeSpec

__all__ = ["Difference", "main", "replay_episode", "replay_run"]

COMPARED = ("digest", "output", "error_kind", "reward", "value", "tick_after")
_COLUMNS = (
    "episode_id", "program_id", "step", "agent_idx", "agent_step", "try", "accepted", "code", "meta", "extra", *COMPARED
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """The first step of an episode that did not come out as recorded. `column` is one of COMPARED, or "error"."""

    episode_id: str
    step: int
    column: str
    recorded: Any
    replayed: Any

    def __str__(self) -> str:
        return (
            f"{self.episode_id} differs at step {self.step}: {self.column} was {_short(self.recorded)}, now "
            f"{_short(self.replayed)}"
        )


class _Recorded(BaseAgent):
    """One agent's recorded programs and verdicts, tries included."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = iter(rows)
        self._row: dict[str, Any] = {}

    def act(self, observation: Observation) -> Policy:
        self._row = next(self._rows)
        reason = json.loads(self._row["meta"] or "{}").get("reason", "")
        return Policy(self._row["code"], meta={"reason": reason} if reason else {})

    def check_step_completion(self, outcome: Outcome) -> Completion:
        turn_done = json.loads(self._row["extra"] or "{}").get("turn_done", True)
        return Completion(turn_done=turn_done, accept=self._row["accepted"])


def replay_episode(spec: EpisodeSpec, rows: Sequence[dict[str, Any]]) -> Difference | None:
    """Play one episode's recorded programs again; None when every step comes out as recorded.

    Args:
        spec: the episode's definition.
        rows: its rows of `steps`, in order.

    Raises:
        ConfigError: its engine or interpreter cannot be had, or worlds of its engine cannot be compared.
    """
    if not build.is_exact(spec.engine):
        raise ConfigError(
            f"Episode {spec.episode_id} was played on engine {spec.engine.name!r}, which does not play the same "
            "programs exactly alike; only episodes of an exact engine can be replayed."
        )
    agents = [_Recorded([r for r in rows if r["agent_idx"] == i]) for i in range(len(spec.agents))]
    env = build.new_env(spec, build.new_instance(spec.engine), build.new_make_session(spec.interpreter, spec.limits))
    played: list[StepRecord] = []
    episode = play_episode(
        spec,
        env,
        agents,
        run_id="replay",
        control=lambda: "drain" if len(played) == len(rows) else None,
        budget=Budget(),
    )
    try:
        for item in episode:
            if not isinstance(item, Step):
                continue
            row = rows[len(played)]
            played.append(item.record)
            for column in COMPARED:
                if (now := getattr(item.record, column)) != row[column]:
                    return Difference(spec.episode_id, row["step"], column, row[column], now)
            if len(played) == len(rows):
                break
    except EngineError as error:
        return Difference(spec.episode_id, error.step or 0, "error", None, str(error))
    finally:
        episode.close()
        env.close()
    if len(played) < len(rows):
        return Difference(spec.episode_id, len(played), "end", "went on", "ended")
    return None


def replay_run(run: str, episode_id: str | None = None) -> Iterator[tuple[str, int, Difference | None]]:
    """(episode_id, steps, first difference or None) of each closed episode of a run.

    Raises:
        ConfigError: there is no such run.
        UnknownName: the run has no such closed episode.
    """
    data = open_run(run)
    specs = {row["episode_id"]: row["spec"] for row in data.arrow("episodes", ["episode_id", "spec"]).to_pylist()}
    if episode_id is not None and episode_id not in specs:
        raise UnknownName("closed episode", episode_id, specs, f"`python -m fle_ray.runs show {run}` lists them.")
    for chosen in sorted(specs) if episode_id is None else [episode_id]:
        rows = data.arrow("steps", list(_COLUMNS), [("episode_id", "==", chosen)]).to_pylist()
        rows.sort(key=lambda row: row["step"])
        yield chosen, len(rows), replay_episode(EpisodeSpec.from_definition(json.loads(specs[chosen])), rows)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fle_ray.replay", description="Play recorded programs again.")
    parser.add_argument("run", help="folder of the run")
    parser.add_argument("--episode", help="only this one")
    parser.add_argument("--json", action="store_true", help="machine-readable")
    chosen = parser.parse_args(arguments)
    found: list[dict[str, Any]] = []
    try:
        for episode_id, steps, difference in replay_run(chosen.run, chosen.episode):
            found.append(
                {
                    "episode_id": episode_id,
                    "steps": steps,
                    "same": difference is None,
                    "difference": dataclasses.asdict(difference) if difference else None,
                }
            )
            if not chosen.json:
                print(difference or f"{episode_id}  {steps} steps, all the same", flush=True)
    except (ConfigError, FleRayError) as error:
        print(error, file=sys.stderr)
        return 2
    if chosen.json:
        print(json.dumps(found, indent=2))
    return 0 if all(one["same"] for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
