"""`python -m fle_ray.export RUN... --chat FILE.jsonl | --leaderboard FILE.json`: a run in the form others read.

See docs/analysis.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from fle_ray.errors import ConfigError, FleRayError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what is asked for; exit status 0, or 2 for a user's mistake."""
    parser = argparse.ArgumentParser(prog="python -m fle_ray.export", description="A run in the form others read.")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folder of a run, or a folder of runs")
    parser.add_argument("--chat", type=Path, metavar="FILE", help="write conversations as JSON lines for fine-tuning")
    parser.add_argument("--successful", action="store_true", help="chat: only episodes that reached their quota")
    parser.add_argument("--until-success", action="store_true", help="chat: end with the step that reached it")
    parser.add_argument("--without-errors", action="store_true", help="chat: only episodes without a failed step")
    parser.add_argument("--task", action="append", default=[], help="chat: only this task; may be given several times")
    parser.add_argument("--least-value", type=float, metavar="X", help="chat: only episodes of at least this value")
    parser.add_argument("--most-steps", type=int, metavar="N", help="chat: only episodes of at most so many steps")
    parser.add_argument("--leaderboard", type=Path, metavar="FILE", help="write one row for a leaderboard as JSON")
    parser.add_argument("--agent", help="only this agent (or agent/model)")
    chosen = parser.parse_args(arguments)
    try:
        for said in _write(chosen):
            print(said)
    except FleRayError as error:
        print(f"export: {error}", file=sys.stderr)
        return 2
    return 0


def _write(chosen: argparse.Namespace) -> list[str]:
    from fle_ray.analysis.export import ChatFilter, chat_lines, leaderboard_row
    from fle_ray.dataset import open_runs

    if chosen.chat is None and chosen.leaderboard is None:
        raise ConfigError("Say what to write: --chat FILE, --leaderboard FILE, or both.")
    run = open_runs(chosen.runs)
    said = []
    if chosen.chat is not None:
        wanted = ChatFilter(
            successful=chosen.successful,
            until_success=chosen.until_success,
            without_errors=chosen.without_errors,
            tasks=tuple(chosen.task),
            agents=(chosen.agent,) if chosen.agent else (),
            least_value=chosen.least_value,
            most_steps=chosen.most_steps,
        )
        lines = [json.dumps(line, ensure_ascii=False) for line in chat_lines(run, wanted)]
        chosen.chat.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line}\n" for line in lines)
        chosen.chat.write_text(text, encoding="utf-8", errors="replace")
        said.append(f"{chosen.chat}: {len(lines)} conversations")
    if chosen.leaderboard is not None:
        row = leaderboard_row(run, agent=chosen.agent)
        chosen.leaderboard.parent.mkdir(parents=True, exist_ok=True)
        chosen.leaderboard.write_text(json.dumps(row, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        said.append(f"{chosen.leaderboard}: {row['agent']}, {row['succeeded']} of {row['distinct']} distinct episodes")
    return said


if __name__ == "__main__":
    sys.exit(main())
