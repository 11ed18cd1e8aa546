"""The same calls on two engines, and where their answers differ.

A case is a list of programs that one agent sends after another. Each program runs once, in our interpreter; every
tool call it makes is made on both instances with the same arguments, and it goes on with what the first one said.
So answers are compared call by call, and after each program the state of the world. Once two worlds have parted, later
answers differ because of that: such differences follow from an earlier one, and are counted apart.
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

__all__ = ["EXPLAINED", "STATE", "Case", "Comparison", "Difference", "Explanation", "compare", "explained_table"]

STATE = "(state after a program)"  # what is compared between programs, in the place of a tool's name
TICKS_PER_PROGRAM = 72_000
_TOLERANCE = 1e-3  # of numbers: answers of a server are rounded
_MOST_SHOWN = 160  # characters of a value in a table
_MOST_KEPT = 20_000  # differences of one comparison; more are counted only


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why two engines may differ somewhere.

    Attributes:
        tools: names of tools, empty for all; fields: of what they answer: a whole path, the last part of one, or the
            beginning of one if it ends in a dot; empty for all.
        why: in words; parts: whether the worlds differ from then on, not only how they are told.
        says: what the second engine's answer must contain.
    """

    tools: frozenset[str]
    fields: frozenset[str]
    why: str
    parts: bool = False
    says: str = ""

    @property
    def beginnings(self) -> tuple[str, ...]:
        return tuple(field for field in self.fields if field.endswith("."))


EXPLAINED: tuple[Explanation, ...] = (
    Explanation(frozenset(), frozenset({"id"}), "each engine numbers what is built in its own way"),
    Explanation(
        frozenset({"connect_entities", "get_entities", "get_entity"}),
        frozenset({"status"}),
        "FLE's client makes the groups of belts, pipes and poles itself and has rules of its own for their status",
    ),
    Explanation(
        frozenset({"get_prototype_recipe"}),
        frozenset({"category", "enabled", "energy"}),
        "FLE's client keeps ingredients and products alone",
    ),
    Explanation(
        frozenset({"get_entity"}),
        frozenset({"value.pipes.", "value.belts.", "value.poles.", "value.inputs.", "value.outputs."}),
        "asked for a group, FLE's client gives the first there is, wherever it lies",
    ),
    Explanation(
        frozenset({"insert_item"}),
        frozenset({"value.belts.", "value.inputs.", "value.outputs.", "value.inventory."}),
        "FLE's client lays items one by one on the first belt of a group",
        parts=True,
    ),
    Explanation(
        frozenset({"set_entity_recipe"}), frozenset({"recipe"}), "FLE's client puts the recipe's name there and no more"
    ),
    Explanation(
        frozenset({"launch_rocket"}), frozenset({"error"}), "FLE's client does not pass the refusal on", says="None"
    ),
    Explanation(
        frozenset({"pickup_entity"}),
        frozenset({"error"}),
        "FLE's client does not pick up groups of walls",
        parts=True,
        says="must be a Position object",
    ),
    Explanation(
        frozenset({"connect_entities"}),
        frozenset(),
        "FLE's client chooses where the ends lie before the server looks for a way: another route",
        parts=True,
    ),
)
"""Differences elsewhere are to be looked into."""


def explained_table() -> str:
    """The differences that are expected, as a Markdown table."""
    lines = ["| tools | fields | why | the worlds part |", "|---|---|---|---|"]
    for one in EXPLAINED:
        tools = ", ".join(f"`{tool}`" for tool in sorted(one.tools)) or "all"
        fields = ", ".join(f"`{name}`" for name in sorted(one.fields)) or "all"
        lines.append(f"| {tools} | {fields} | {one.why} | {'yes' if one.parts else 'no'} |")
    return "\n".join(lines) + "\n"


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
        follows: the worlds had parted before, in an earlier call of the case.
    """

    case: str
    step: int
    call: int
    tool: str
    field: str
    first: str
    second: str
    follows: bool = False

    @property
    def explanation(self) -> Explanation | None:
        """Why this is expected; None when it is not."""
        last = self.field.rsplit(".", 1)[-1]
        for one in EXPLAINED:
            if one.tools and self.tool not in one.tools or one.says not in self.second:
                continue
            if not one.fields or {self.field, last} & one.fields or self.field.startswith(one.beginnings):
                return one
        return None


@dataclass
class Comparison:
    """What came out.

    Attributes:
        names: of the two engines; cases: how many were played, with those that could not be and why.
        calls: tool -> calls compared; differing: tool -> calls with an unexplained difference before the worlds parted;
            following: tool -> calls that differ after that.
        differences: in the order met, those that follow at most 20,000 (`dropped` counts the rest).
        parted: of each case whose worlds parted, the difference with which they did.
    """

    names: tuple[str, str]
    cases: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    differing: Counter[str] = field(default_factory=Counter)
    following: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    parted: list[Difference] = field(default_factory=list)
    dropped: int = 0

    @property
    def unexplained(self) -> list[Difference]:
        """Differences that neither have an explanation nor follow from an earlier one."""
        return [d for d in self.differences if not d.follows and d.explanation is None]

    @property
    def agree(self) -> bool:
        """Whether every case was played and nothing differed that is not explained."""
        return not self.failed and not self.unexplained

    def table(self) -> str:
        """Tool by tool, as a Markdown table: calls compared, how many differ, in what and why, how many follow."""
        lines = ["| tool | calls | differ | in what | why | follow |", "|---|---|---|---|---|---|"]
        for tool in sorted(self.calls, key=lambda name: (name == STATE, name)):
            found: dict[str, Counter[str]] = {}
            for difference in self.differences:
                if difference.tool == tool and not difference.follows:
                    why = difference.explanation.why if difference.explanation else "**not explained**"
                    found.setdefault(why, Counter())[_without_numbers(difference.field)] += 1
            head = f"| `{tool}` | {self.calls[tool]} | {self.differing[tool]} |"
            rows = [
                f" {', '.join(f'{name} ({count})' for name, count in fields.most_common(6))} | {why} |"
                for why, fields in sorted(found.items())
            ] or [" | |"]
            lines.append(f"{head}{rows[0]} {self.following[tool]} |")
            lines += [f"| | | |{row} |" for row in rows[1:]]
        return "\n".join(lines) + "\n"

    def report(self) -> str:
        """The table, and of each case that differs the first difference, as Markdown."""
        first, second = self.names
        total, differing, following = (sum(c.values()) for c in (self.calls, self.differing, self.following))
        lines = [
            f"# {first} and {second}",
            "",
            f"{self.cases} cases, {total} comparisons: {differing} differ without an explanation, "
            f"{following} differ after the worlds had parted.",
            "",
            self.table(),
        ]
        if self.parted:
            lines += ["## Where the worlds parted", ""]
            lines += [f"| case | program | call | tool | field | {first} | {second} |", "|---|---|---|---|---|---|---|"]
            lines += [
                f"| {d.case} | {d.step} | {d.call} | `{d.tool}` | {d.field} | {_cell(d.first)} | {_cell(d.second)} |"
                for d in self.parted
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
                "following": self.following,
                "dropped": self.dropped,
                "parted": [asdict(d) for d in self.parted],
                "differences": [
                    {**asdict(d), "why": d.explanation.why if d.explanation else None} for d in self.differences
                ],
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
        self._parted = False

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
        differs = False
        parting: Difference | None = None
        for path, one, other in _differences("", first, second):
            difference = Difference(
                self._case.name, self._step, self._call, tool, path, _shown(one), _shown(other), self._parted
            )
            why = difference.explanation
            differs = differs or why is None
            if parting is None and (why is None or why.parts):
                parting = difference
            if not self._parted or len(found.differences) < _MOST_KEPT:
                found.differences.append(difference)
            else:
                found.dropped += 1
        (found.following if self._parted else found.differing)[tool] += differs
        if parting is not None and not self._parted:
            self._parted = True
            found.parted.append(parting)


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
    """A game value as plain values; members of a group in the order of their places, since they have no other."""
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, Inventory):
        return {name: count for name, count in value.items() if count}
    if isinstance(value, Model):
        plain = {name: _plain(entry) for name, entry in value.__dict__.items() if name != "prototype"}
        if isinstance(value, EntityGroup):
            plain = {name: _by_place(entry) if isinstance(entry, list) else entry for name, entry in plain.items()}
            plain.pop("position", None)  # that of some member
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
