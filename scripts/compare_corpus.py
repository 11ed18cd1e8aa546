"""Play the tool corpus (tests/corpus) on the simulator and on a server, call by call, and show what differs.

    python scripts/compare_corpus.py --server HOST:PORT [--only WORD] [--speed 10] [--out FILE]

As `python -m fle_ray.factorio compare` does for the reference programs; it needs a checkout, in which the corpus lies.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fle_ray.factorio.compare import Case, compare  # noqa: E402
from fle_ray.factorio.remote import RemoteInstance  # noqa: E402
from fle_ray.tools.instance import LocalInstance  # noqa: E402

MODULES = (
    "automation", "building", "crafting", "errors", "fluids", "language", "logistics", "looking", "mining", "planning",
)  # fmt: skip


def corpus(only: str = "") -> list[Case]:
    """The corpus as cases, those with a word in their name; programs of one agent, as all of them are."""
    found = []
    for module in MODULES:
        for case in importlib.import_module(f"tests.corpus.{module}").CASES:
            if only in case.name and case.start.agents == 1:
                found.append(Case(case.name, case.start, case.programs))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, metavar="HOST:PORT")
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--speed", type=float, default=10.0, help="of the server's game (default 10)")
    parser.add_argument("--out", type=Path, help="file for the report; .json for data")
    settings = parser.parse_args()
    remote = RemoteInstance({"servers": [settings.server]}, speed=settings.speed)
    try:
        found = compare(corpus(settings.only), LocalInstance(), remote, names=("sim", settings.server))
    finally:
        remote.close()
    print(found.report())
    if settings.out:
        settings.out.write_text(found.as_json() if settings.out.suffix == ".json" else found.report(), encoding="utf-8")
    return 0 if found.agree else 1


if __name__ == "__main__":
    raise SystemExit(main())
