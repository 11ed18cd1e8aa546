"""An observation as compact text for a language model: chosen sections, entities in a chosen form.

Works on the observation dictionary alone, so that a recorded observation can be formatted again, in another
form. What each form costs is printed by `scripts/observation_tokens.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fle_ray.env.entity_text import delta_text, grid_text, list_text, number
from fle_ray.errors import ConfigError, UnknownName
from fle_ray.interpreter.result import ProgramError

__all__ = ["FORMS", "SECTIONS", "ObservationFormat", "format_observation"]

FORMS = ("list", "grid", "delta")
SECTIONS = (
    "task",
    "output",
    "errors",
    "messages",
    "game",
    "inventory",
    "entities",
    "flows",
    "research",
    "positions",
    "functions",
)


@dataclass(frozen=True, slots=True)
class ObservationFormat:
    """How an observation is written.

    Attributes:
        form: of the entities: `"list"` (lines of equal condition), `"grid"` (maps and conditions) or
            `"delta"` (what changed since the observation shown before; a list the first time).
        sections: which are written, in this order; empty ones are left out, except inventory and entities.
        max_entity_lines: lines of entities before the rest is only counted; None for all.
        max_output_characters: characters of program output, of which the last are kept; None for all.

    Raises:
        UnknownName: a form or section that does not exist.
        ConfigError: a limit below 1.
    """

    form: str = "list"
    sections: tuple[str, ...] = SECTIONS
    max_entity_lines: int | None = 300
    max_output_characters: int | None = None

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise UnknownName("observation form", self.form, FORMS, f"There are: {', '.join(FORMS)}.")
        for name in self.sections:
            if name not in SECTIONS:
                raise UnknownName("observation section", name, SECTIONS, f"There are: {', '.join(SECTIONS)}.")
        for name in ("max_entity_lines", "max_output_characters"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigError(f"observation.{name} is {value}; expected 1 or more, or null for no limit.")


def format_observation(
    observation: Mapping[str, Any],
    form: ObservationFormat | None = None,
    *,
    previous: Mapping[str, Any] | None = None,
    error: ProgramError | None = None,
    steps_left: int | None = None,
) -> str:
    """The observation as Markdown sections.

    Args:
        observation: the environment's dictionary.
        form: sections and form; the defaults when None.
        previous: the observation shown before, which the delta form compares with; None for the first.
        error: why the program ended early, for the section `errors`.
        steps_left: shown beside the game time when given.
    """
    chosen = form or ObservationFormat()
    writers = {
        "task": lambda: _task(observation),
        "output": lambda: _output(observation["raw_text"], chosen.max_output_characters),
        "errors": lambda: _error(error),
        "messages": lambda: "\n".join(
            f"agent {m['sender']} (tick {m['timestamp']}): {m['content']}" for m in observation["messages"]
        ),
        "game": lambda: _game(observation, steps_left),
        "inventory": lambda: _inventory(observation["inventory"]),
        "entities": lambda: _entities(observation, previous, chosen),
        "flows": lambda: _flows(observation["flows"]),
        "research": lambda: _research(observation["research"]),
        "positions": lambda: _positions(observation["character_positions"]),
        "functions": lambda: ", ".join(f["name"] for f in observation["serialized_functions"]),
    }
    parts = []
    for name in chosen.sections:
        body = writers[name]()
        if body:
            parts.append(f"## {name.capitalize()}\n{body}")
    return "\n\n".join(parts)


def _task(observation: Mapping[str, Any]) -> str:
    """Told with the first observation; later ones carry the program's output instead."""
    info = observation["task_info"]
    if observation["raw_text"] or not info["goal_description"]:
        return ""
    lines = [info["goal_description"]]
    if info["agent_instructions"]:
        lines.append(info["agent_instructions"])
    lines.append(f"You may run {info['trajectory_length']} programs.")
    return "\n".join(lines)


def _output(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    return f"... {len(text) - most} characters left out ...\n{text[-most:]}"


def _error(error: ProgramError | None) -> str:
    if error is None:
        return ""
    where = f" in line {error.line}" if error.line is not None else ""
    name = f"{error.type}: " if error.type else ""
    undone = " What the program did was undone." if error.rolled_back else ""
    return f"{error.kind}{where}: {name}{error.message}{undone}"


def _game(observation: Mapping[str, Any], steps_left: int | None) -> str:
    seconds = int(observation["game_info"]["time"])
    clock = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    words = [
        f"time {clock} (tick {observation['game_info']['tick']})",
        f"production score {number(observation['production_score'])}",
        f"automated {number(observation['automated_score'])}",
    ]
    if steps_left is not None:
        words.append(f"steps left {steps_left}")
    return ", ".join(words)


def _inventory(rows: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(f"{row['type']} {row['quantity']}" for row in rows) or "empty"


def _parsed(entities: Sequence[str]) -> list[dict[str, Any]]:
    return [json.loads(text) for text in entities]


def _entities(observation: Mapping[str, Any], previous: Mapping[str, Any] | None, chosen: ObservationFormat) -> str:
    entities = _parsed(observation["entities"])
    if chosen.form == "grid":
        return grid_text(entities, chosen.max_entity_lines)
    if chosen.form == "delta" and previous is not None:
        return delta_text(entities, _parsed(previous["entities"]), chosen.max_entity_lines)
    return list_text(entities, chosen.max_entity_lines)


def _flows(flows: Mapping[str, Any]) -> str:
    lines = []
    for word, rows, amount in (
        ("made", flows["output"], "rate"),
        ("used", flows["input"], "rate"),
        ("crafted by hand", flows["crafted"], "amount"),
        ("mined by hand", flows["harvested"], "amount"),
    ):
        if rows:
            lines.append(f"{word}: " + ", ".join(f"{row['type']} {number(row[amount])}" for row in rows))
    return "\n".join(lines)


def _research(research: Mapping[str, Any]) -> str:
    technologies = research["technologies"]
    if not technologies:
        return ""
    done = [t for t in technologies if t["researched"]]
    if len(done) == len(technologies):
        return "everything is researched"
    lines = []
    if research["current_research"] != "None":
        needs = ", ".join(f"{row['name']} {number(row['value'])}" for row in research["progress"])
        lines.append(
            f"in progress: {research['current_research']}, {100 * research['research_progress']:.0f} %"
            + (f", still needs {needs}" if needs else "")
        )
    if research["research_queue"]:
        lines.append("queue: " + ", ".join(research["research_queue"]))
    known = {t["name"] for t in done}
    ready = [
        t["name"] for t in technologies if not t["researched"] and t["enabled"] and known.issuperset(t["prerequisites"])
    ]
    lines.append(f"researched {len(done)} of {len(technologies)}" + (f": {', '.join(sorted(known))}" if done else ""))
    if ready:
        lines.append("can be started: " + ", ".join(ready))
    return "\n".join(lines)


def _positions(rows: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"agent {row['agent_idx']} ({number(row['x'])},{number(row['y'])})" for row in rows)
