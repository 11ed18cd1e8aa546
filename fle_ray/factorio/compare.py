"""The same calls on two engines, and where their answers differ.

A case is a list of programs that one agent sends after another. Each program runs once, in our interpreter; every
tool call it makes is made on both instances with the same arguments, and it goes on with what the first one said.
So answers are compared call by call, and after each program the state of the world. Once two worlds differ, later
answers differ because of that: the first difference of a case is the one to look at.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from fle_ray.errors import StepLimit, ToolError
from fle_ray.game.contracts import Instance, Start
from fle_ray.game.values import EntityGroup, Inventory, Model
from fle_ray.interpreter import Interpreter
from fle_ray.tools import TOOL_NAMES

__all__ = ["EXPLAINED", "STATE", "Case", "Comparison", "Difference", "compare", "explanation"]

STATE = "(state after a program)"  # what is compared between programs, in the place of a tool's name
TICKS_PER_PROGRAM = 72_000
_TOLERANCE = 1e-3  # of numbers: answers of a server are rounded
_MOST_SHOWN = 160  # characters of a value in a table
_MOST_KEPT = 20_000  # differences of one comparison; more are counted only

EXPLAINED: Mapping[tuple[str, str], str] = {
    ("*", "id"): "each engine numbers what is built in its own way",
}
"""(tool or "*", field or "*") -> why the two may differ there; differences elsewhere are to be looked into."""


@dataclass(frozen=True, slots=True)
class Case:
    """Programs of one agent in one episode. `name` says where they come from."""

    name: str
    start: Start
    programs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two engines answered differently.

    Attributes:
        case: its name; step: number of the program, from 1; call: number of the call in the case, from 1.
        tool: the tool called, or STATE. field: what differs: "error", "ticks", or the path of a value's field.
        first, second: what each engine says, cut to a readable length.
        is_first: nothing unexplained differed before in this case.
    """

    case: str
    step: int
    call: int
    tool: str
    field: str
    first: str
    second: str
    is_first: bool = False

    @property
    def explained(self) -> str | None:
        """Why this is expected; None when it is not."""
        return explanation(self.tool, self.field)


def explanation(tool: str, path: str) -> str | None:
    """Why two engines may differ there; None when they should not."""
    last = path.rsplit(".", 1)[-1]
    for key in ((tool, path), (tool, last), ("*", path), ("*", last), (tool, "*")):
        if key in EXPLAINED:
            return EXPLAINED[key]
    return None


@dataclass
class Comparison:
    """What came out.

    Attributes:
        names: of the two engines; cases: how many were played, with those that could not be and why.
        calls: tool -> calls compared; differing: tool -> calls with an unexplained difference.
        differences: in the order met, at most 20,000 (`dropped` counts the rest).
    """

    names: tuple[str, str]
    cases: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    differing: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    dropped: int = 0

    @property
    def unexplained(self) -> list[Difference]:
        return [d for d in self.differences if d.explained is None]

    @property
    def agree(self) -> bool:
        """Whether every case was played and nothing differed that is not explained."""
        return not self.failed and not self.unexplained and not self.dropped

    def table(self) -> str:
        """Tool by tool, as a Markdown table: calls, how many differ, in what, and what that means."""
        lines = ["| tool | calls | differ | in what | explanation |", "|---|---|---|---|---|"]
        for tool in sorted(self.calls, key=lambda name: (name == STATE, name)):
            found: dict[str | None, Counter[str]] = {}
            for difference in self.differences:
                if difference.tool == tool:
                    fields = found.setdefault(difference.explained, Counter())
                    fields[_without_numbers(difference.field)] += 1
            if not found:
                lines.append(f"| `{tool}` | {self.calls[tool]} | 0 | | |")
            for why, fields in sorted(found.items(), key=lambda item: (item[0] is not None, item[0] or "")):
                what = ", ".join(f"{name} ({count})" for name, count in fields.most_common(6))
                differing = self.differing[tool] if why is None else 0
                lines.append(f"| `{tool}` | {self.calls[tool]} | {differing} | {what} | {why or '**none yet**'} |")
        return "\n".join(lines) + "\n"

    def report(self) -> str:
        """The table, and of each case that differs the first difference, as Markdown."""
        first, second = self.names
        total, differing = sum(self.calls.values()), sum(self.differing.values())
        lines = [
            f"# {first} and {second}",
            "",
            f"{self.cases} cases, {total} comparisons, {differing} with an unexplained difference.",
            "",
            self.table(),
        ]
        firsts = [d for d in self.differences if d.is_first]
        if firsts:
            lines += ["## The first difference of each case", ""]
            lines += [f"| case | step | call | tool | field | {first} | {second} |", "|---|---|---|---|---|---|---|"]
            lines += [
                f"| {d.case} | {d.step} | {d.call} | `{d.tool}` | {d.field} | {_cell(d.first)} | {_cell(d.second)} |"
                for d in firsts
            ]
            lines.append("")
        if self.failed:
            lines += ["## Cases that could not be played", ""]
            lines += [f"- {name}: {reason}" for name, reason in self.failed.items()]
            lines.append("")
        return "\n".join(lines)

    def as_json(self) -> str:
        """Everything, as JSON text."""
        return json.dumps(
            {
                "names": self.names,
                "cases": self.cases,
                "failed": self.failed,
                "calls": self.calls,
                "differing": self.differing,
                "dropped": self.dropped,
                "differences": [{**asdict(d), "explained": d.explained} for d in self.differences],
            },
            indent=1,
        )


def compare(
    cases: Iterable[Case],
    first: Instance,
    second: Instance,
    *,
    names: tuple[str, str] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Comparison:
    """Play cases on both instances at once, each from its start.

    Args:
        first: programs go on with what this one answers. second: the other.
        names: of the two in tables; their engines when None.
        progress: told the name of each case before it is played.
    """
    found = Comparison(names or (first.engine, second.engine))
    for case in cases:
        if progress:
            progress(case.name)
        found.cases += 1
        pair = _Pair(case, first, second, found)
        try:
            pair.play()
        except Exception as error:  # noqa: BLE001 - a server that fails in one case may do in the next
            found.failed[case.name] = f"{type(error).__name__}: {error}"
    return found


class _Pair:
    """Two instances under one agent's programs."""

    def __init__(self, case: Case, first: Instance, second: Instance, found: Comparison) -> None:
        self._case = case
        self._both = first, second
        self._found = found
        self._step = 0
        self._call = 0
        self._differs = False

    def play(self) -> None:
        for instance in self._both:
            instance.reset(self._case.start)
        interpreter = Interpreter(self._handle, tools=TOOL_NAMES, clock=lambda: self._both[0].tick)
        with closing(interpreter):
            for code in self._case.programs:
                self._step += 1
                for instance in self._both:
                    instance.tick_limit = instance.tick + TICKS_PER_PROGRAM
                interpreter.run(code, seed=0)
                for instance in self._both:
                    instance.tick_limit = None
                self._note(STATE, *(dict(_state(instance)) for instance in self._both))

    def _handle(self, tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self._call += 1
        answers: list[dict[str, Any]] = []
        refused: list[str | None] = []
        raised: BaseException | None = None
        value: Any = None
        for number, instance in enumerate(self._both):
            before = instance.tick
            answer: dict[str, Any] = {}
            try:
                result = instance.call(0, tool, args, kwargs)
            except (ToolError, StepLimit) as error:
                refused.append(f"{type(error).__name__}: {error}")
                raised = raised if number else error
            else:
                refused.append(None)
                answer["value"] = _plain(result)
                value = value if number else result
            answer["ticks"] = instance.tick - before
            answers.append(answer)
        if (refused[0] is None) != (refused[1] is None):  # one refuses what the other does
            answers = [{"error": text} for text in refused]
        self._note(tool, *answers)
        if raised is not None:
            raise raised
        return value

    def _note(self, tool: str, first: Any, second: Any) -> None:
        found = self._found
        found.calls[tool] += 1
        unexplained = False
        for path, one, other in _differences("", first, second):
            difference = Difference(self._case.name, self._step, self._call, tool, path, _shown(one), _shown(other))
            if difference.explained is None:
                unexplained = True
                if not self._differs:
                    self._differs = True
                    difference = Difference(*(getattr(difference, f) for f in _FIELDS), is_first=True)
            if len(found.differences) < _MOST_KEPT:
                found.differences.append(difference)
            else:
                found.dropped += 1
        found.differing[tool] += unexplained


_FIELDS = ("case", "step", "call", "tool", "field", "first", "second")


def _state(instance: Instance) -> Iterator[tuple[str, Any]]:
    """What is compared between programs."""
    yield "tick", instance.tick
    yield "inventory", dict(instance.inventory(0))
    flows = instance.flows()
    yield "produced", dict(flows.produced)
    yield "consumed", dict(flows.consumed)
    yield "score", list(instance.score())
    yield "standing", dict(Counter(_names(instance.entities(0))))


def _names(entities: Sequence[Any]) -> Iterator[str]:
    for entity in entities:
        yield entity.name


def _plain(value: Any) -> Any:
    """A game value as plain values; members of a group in the order of their places, since groups have none."""
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, Inventory):
        return {name: count for name, count in value.items() if count}
    if isinstance(value, Model):
        plain = {name: _plain(entry) for name, entry in value.__dict__.items() if name != "prototype"}
        if isinstance(value, EntityGroup):
            plain = {name: _by_place(entry) if isinstance(entry, list) else entry for name, entry in plain.items()}
        return plain
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(entry) for entry in value), key=repr)
    if isinstance(value, list | tuple):
        plain = [_plain(entry) for entry in value]
        return _by_place(plain) if any(isinstance(e, Model) for e in value) else plain
    return value


def _by_place(entries: list[Any]) -> list[Any]:
    def place(entry: Any) -> tuple[Any, ...]:
        if not isinstance(entry, dict) or not isinstance(entry.get("position"), dict):
            return (1, repr(entry))
        return (0, entry["position"]["y"], entry["position"]["x"], str(entry.get("name")))

    return sorted(entries, key=place)


def _differences(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """(path, one, other) wherever two plain values differ; what is absent, None or empty counts as equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from _differences(f"{path}.{key}" if path else key, one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            yield f"{path}.length", len(one), len(other)
        else:
            for number, (a, b) in enumerate(zip(one, other, strict=True)):
                yield from _differences(f"{path}.{number}", a, b)
    elif not _equal(one, other):
        yield path, one, other


def _equal(one: Any, other: Any) -> bool:
    if _is_number(one) and _is_number(other):
        return abs(one - other) <= _TOLERANCE * max(1, abs(one))
    if one in _NOTHING and other in _NOTHING:
        return True
    return type(one) is type(other) and one == other


_NOTHING: tuple[Any, ...] = (None, [], {}, "")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _without_numbers(path: str) -> str:
    """A field's path with "*" for places in lists."""
    return ".".join("*" if part.isdigit() else part for part in path.split("."))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."


def _cell(text: str) -> str:
    return "`" + text.replace("|", "/").replace("`", "'").replace("\n", " ") + "`"
