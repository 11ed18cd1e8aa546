"""Write docs/tools.md: each tool's cases with the tests that cover them, and how each fault of FLE was mended.

    python scripts/make_tools_page.py            writes the page
    python scripts/make_tools_page.py --check    says whether it is current (exit status 1 if not)

The cases are read out of the `@case(...)` marks in tests/tools, without importing the tests.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fle_ray.tools import TOOL_NAMES
from fle_ray.tools.manual import FORMS, manual

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tools.md"
TESTS = ROOT / "tests" / "tools"
OTHER_SUBJECTS = ("values", "entities", "groups", "score")

# number of the fault in the Factorio Learning Environment 0.4.3 -> (what it does there, what happens here)
FAULTS: dict[str, tuple[str, str]] = {
    "Q-V1": ("positions are equal within a tile, their hashes are exact", "the same; programs rely on it"),
    "Q-V2": ("`in` on an inventory is always false", "true for what is there"),
    "Q-V3": ("prompts name `distance_to` and NORTH, which do not exist", "they exist, as other names"),
    "Q-V4": ("an inventory does not understand ResourceName", "it does"),
    "Q-V5": ("two direction enums that are never equal", "one enum under both names"),
    "Q-V6": ("WIDTH and HEIGHT of generators, pumps and combinators are not their footprint", "the same numbers"),
    "Q-V7": ("stale names in Prototype and Technology", "kept, and refused in a sentence that says they do not exist"),
    "Q-V8": ("`prototype` of an entity differs between tools", "always the Prototype member"),
    "Q-V9": ("a group of pipes never works", "WORKING while fluid is in it, FULL_OUTPUT when full, EMPTY without"),
    "Q-V10": ("a belt group is full by the accident of a warning's text", "FULL_OUTPUT when a belt refuses both lanes"),
    "Q-V11": ("joining an underground pair doubles the exit's right lane", "each lane is the sum of both ends"),
    "Q-V12": ("a silo's statuses cannot be reached, its rocket's cargo is never shown", "both are shown"),
    "Q-V13": ("values are snapshots, tools go by place and name", "the same"),
    "Q-V14": ("groups of poles cannot be hashed", "they can"),
    "Q-T1": ("the world runs on during every call", "only counted ticks pass, and `settle_ticks` if an episode asks"),
    "Q-T2": ("connecting counts its walk twice, also for a dry run", "once, and a dry run is free"),
    "Q-T3": ("harvesting ignores the mining speed; a craft that fails still takes its time",
             "60 ticks an ore as there; a craft that fails takes none"),
    "Q-T4": ("an intermediate needed twice is a crafting loop; half a craft stays done", "the tree is planned as a "
             "whole, then made or not at all"),
    "Q-T5": ("crafts of several products are over-counted", "what was made and used is counted"),
    "Q-T6": ("can_place_entity tests another direction", "the asked one"),
    "Q-T7": ("place_entity_next_to builds without the item, destroys ground items, fails without a reference",
             "needs the item, leaves them alone, assumes a single tile; ties in the order asked side, N, E, S, W"),
    "Q-T8": ("picking up loses contents, refuses walls, trips over half an underground belt", "contents come along, "
             "walls are a group like others, one end is picked up alone"),
    "Q-T9": ("turning plants and pipes-to-ground reports failure though it was done", "what is reported is what was "
             "asked for"),
    "Q-T10": ("an assembler without a recipe: raises or turns", "raises, and says to set the recipe first"),
    "Q-T11": ("get_entity of a group gives the first one", "the one with the member nearest to the place"),
    "Q-T12": ("get_entities takes a set or a single Prototype", "any iterable of Prototypes"),
    "Q-T13": ("a belt takes one item; a full group raises after a partial insert", "what fits goes in, and it raises "
              "only when nothing did"),
    "Q-T14": ("extract_item may take from another machine near by; a group crashes it", "the entity that is meant "
              "first; groups of belts give their items"),
    "Q-T15": ("inspect_inventory of a Position crashes", "looks at what stands there"),
    "Q-T16": ("set_entity_recipe loses items, gives a name, ignores unknown recipes, hides filters",
              "items come back; `recipe` is a Recipe equal to its name; unfit recipes raise; a filter is in `filter`"),
    "Q-T17": ("launch_rocket launches some silo", "the one that is meant; a warning says why nothing was launched"),
    "Q-T18": ("set_research cancels the running research before it knows better", "a refusal changes nothing"),
    "Q-T19": ("connecting: bare positions, loops, belts as targets, counts and ranges of undergrounds fail",
              "each works"),
    "Q-T20": ("a failed connection returns some group near by", "raises, unless really connected"),
    "Q-T21": ("messages are cut at the last colon", "whole sentences that say what to do next"),
    "Q-T22": ("most tools know no reach", "the same"),
    "Q-T23": ("poles are spaced by numbers of its own", "the same spacing, joined by the game's reach"),
    "Q-T24": ("a patch's box runs along centres and takes in the place asked about", "tile edges, the patch alone"),
    "Q-T25": ("move_to starts where it believes the character to be", "where it stands"),
    "Q-T26": ("nearest ignores deep water", "the same"),
    "Q-T27": ("move_to's laying and leading are half broken", "left out, with what to use instead"),
    "Q-T28": ("get_prototype_recipe leaves energy, category and enabled empty", "they are filled in"),
    "Q-T29": ("a fractional sleep makes the clock fractional", "rounded up to a tick"),
    "Q-T30": ("a half broken slow mode", "left out"),
    "Q-T31": ("a reset leaves felled trees and mined-out tiles", "a reset is the untouched map"),
    "Q-T32": ("saved states lose filters, fluids, modules ...", "a snapshot is the whole world"),
    "Q-T33": ("equal crafts of two steps cancel one another", "totals are compared, so both count"),
}

# Faults that another page of tests covers: where.
ELSEWHERE: dict[str, str] = {
    "Q-V1": "tests/game/test_values_position.py",
    "Q-V3": "tests/game/test_values_position.py",
    "Q-V4": "tests/game/test_values_inventory.py",
    "Q-V6": "tests/game/test_values_names.py",
    "Q-V11": "tests/game/test_values_groups.py",
    "Q-V14": "tests/game/test_values_groups.py",
    "Q-T30": "nothing to test",
    "Q-T32": "tests/sim",
}

# What was decided where the contract leaves room or the game says otherwise.
DECISIONS = """\
* Where FLE's figures and the game's differ, the game's count: a tree takes 33 ticks, a drill needs ore to stand on.
* `harvest_resource` goes on with things further off only if they give the same item; FLE takes whatever there is.
* `insert_item` puts modules into furnaces and drills as the game does; labs take science packs alone, as in FLE.
* `inspect_inventory` of a turret shows its ammunition.
* `place_entity_next_to` wants a drill to have ore in its mining area, as the game does, not under the machine itself.
* By hand an assembling machine takes a stack of each ingredient (100 plates for gears, as the public overload probe
  measured), where a test of FLE speaks of 148.
* `can_place_entity` of an offshore pump is also true on water from where `place_entity` would find a shore.
* A group of belts is filled over as many tiles as the items take; no time passes meanwhile.
* `connect_entities` plans all pairs of waypoints before it lays anything, so a dry run over several counts a shared
  corner once. A belt in the middle of a line stands for where that line ends; only the last belt of a line is ever
  turned. Poles stand at bare places and beside machines so that they supply them; a target in reach of one wire is
  joined by it, whatever the spacing. The agent stays where it is. Walls go round what stands in the way.
* Connection points of generators and plants lie on the machine's edge, as in FLE; `connect_entities` takes those and the
  tile beyond. Of a plant's two inputs the game's order counts, which is the mirror image of FLE's.
* A call that a step's remaining ticks do not suffice for ends the program: walking ends on the way after the last
  whole stretch, harvesting keeps what the time allowed, crafting makes nothing.
* `set_entity_recipe` takes Prototype and RecipeName alone; a recipe that is not researched is set, and the status says
  so.
"""


@dataclass(frozen=True)
class Case:
    """One `@case` mark."""

    tool: str
    what: str
    mends: tuple[str, ...]
    test: str  # file::function


def cases() -> Iterator[Case]:
    """Every mark, by file and line."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "case":
                        tool, what = (ast.literal_eval(argument) for argument in mark.args)
                        given = {k.arg: ast.literal_eval(k.value) for k in mark.keywords}
                        mends = tuple(given.get("mends", "").replace(",", " ").split())
                        yield Case(tool, what, mends, f"{path.stem}::{node.name}")


def page() -> str:
    """The page's text."""
    found = list(cases())
    known = (*TOOL_NAMES, *OTHER_SUBJECTS)
    wrong = [c for c in found if c.tool not in known or any(m not in FAULTS for m in c.mends)]
    if wrong:
        raise SystemExit(f"marks with an unknown tool or fault: {wrong}")
    lines = [
        "# Tools and their cases",
        "",
        "Written by `python scripts/make_tools_page.py` from the marks of the tests in tests/tools: do not edit.",
        "The tools are the agents' API of the Factorio Learning Environment (FLE) 0.4.3; a number such as Q-T13",
        "names a fault of it that behaves better here, all of which are listed at the end.",
        "",
        "The manual that agents are given (`fle_ray.tools.manual.manual(form)`) has two forms: "
        + ", ".join(f"{form} about {round(len(manual(form)), -3):,} characters" for form in FORMS)
        + ".",
    ]
    for subject in known:
        rows = [c for c in found if c.tool == subject]
        if not rows:
            continue
        lines += ["", f"## {subject}", "", "| case | mended | test |", "|---|---|---|"]
        lines += [f"| {c.what} | {' '.join(c.mends)} | `{c.test}` |" for c in rows]
    lines += ["", "## Faults of FLE", "", "| fault | there | here | tests |", "|---|---|---|---|"]
    for number, (there, here) in FAULTS.items():
        tests = [c.tool for c in found if number in c.mends]
        where = ", ".join(dict.fromkeys(tests)) or ELSEWHERE.get(number, "not covered yet")
        lines.append(f"| {number} | {there} | {here} | {where} |")
    lines += ["", "## Decisions", "", DECISIONS.rstrip()]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit status 1 if the page is not current")
    text = page()
    if parser.parse_args().check:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        print("docs/tools.md is current" if current else "docs/tools.md is not current: run scripts/make_tools_page.py")
        return 0 if current else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
