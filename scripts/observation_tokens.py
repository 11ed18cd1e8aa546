"""What each form of the observation costs: approximate tokens on a small factory.

    python scripts/observation_tokens.py [--task iron_plate_throughput] [--show FORM]

The factory is the one that the task's reference programs build. Tokens are counted by a rule that needs no model's
tokenizer: a word takes a token for every four letters begun, a number one for every three digits, any other sign one.
"""

from __future__ import annotations

import argparse
import math
import re
from contextlib import closing

import fle_ray
from fle_ray.agents.scripted import program_files, program_text
from fle_ray.env import ObservationFormat, format_observation


def approximate_tokens(text: str) -> int:
    """Tokens of a text by the rule above."""
    words = re.findall(r"[^\W\d_]+", text)
    numbers = re.findall(r"\d+", text)
    signs = re.findall(r"[^\w\s]|_", text)
    return sum(math.ceil(len(w) / 4) for w in words) + sum(math.ceil(len(n) / 3) for n in numbers) + len(signs)


def texts(task: str) -> dict[str, tuple[str, str]]:
    """Form -> (the whole observation, its entities alone), after the task's programs and a minute more."""
    with closing(fle_ray.make_env(task, seed=0)) as env:
        env.reset()
        for path in program_files(task):
            before, *_, info = env.step({"agent_idx": 0, "code": program_text(path)})
            if info["program"].error is not None:
                raise SystemExit(f"{path.name} failed: {info['program'].error.message}")
        after, *_, info = env.step({"agent_idx": 0, "code": "sleep(60)"})
        entities = ("entities",)
        out = {}
        for form in ("list", "grid", "delta"):
            previous = before if form == "delta" else None
            whole = format_observation(after, ObservationFormat(form=form), previous=previous)
            part = format_observation(after, ObservationFormat(form=form, sections=entities), previous=previous)
            out[form] = (whole, part)
        printed = env.step({"agent_idx": 0, "code": "print(get_entities())"})[4]["result"]
        out["print(get_entities())"] = ("", printed)
        out["JSON of the dictionary"] = ("", "\n".join(after["entities"]))
        return out


def table(task: str) -> str:
    """The costs as a Markdown table."""
    lines = ["| form | whole observation | entities alone |", "|---|---|---|"]
    for form, (whole, part) in texts(task).items():
        lines.append(f"| {form} | {approximate_tokens(whole) if whole else '-'} | {approximate_tokens(part)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="iron_plate_throughput", help="whose reference programs build the factory")
    parser.add_argument("--show", metavar="FORM", help="print the text in this form instead of the table")
    chosen = parser.parse_args()
    if chosen.show:
        forms = texts(chosen.task)
        if chosen.show not in forms:
            raise SystemExit(f"No form {chosen.show!r}; there are: {', '.join(forms)}.")
        whole, part = forms[chosen.show]
        print(whole or part)
    else:
        print(table(chosen.task))


if __name__ == "__main__":
    main()
