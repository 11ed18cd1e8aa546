"""Speed and size of the dataset: writing against plain pyarrow, reading a big run.

    python scripts/bench_dataset.py                        # 100,000 steps to read, about a minute
    python scripts/bench_dataset.py --read-steps 1000000   # some 5 GB of text; 1.5 GB of disk

Writing. The same rows (steps, calls, messages, flows) are written by RunWriter, which journals and syncs each step and
turns each closed episode into Parquet, and by plain pyarrow (`Table.from_pylist`, `write_table`, zstd).

Figures are medians over the episodes:

* append: RunWriter.append against one plain Parquet file a step, both durable before the next step;
* final write: RunWriter.finish_episode against plain files an episode, both synced.

Reading. A run of compacted files is generated; its text is random words, so it compresses like text. Measured are
opening it, success per task over all episodes, and all columns of one episode (median of several).

Parts. The same of a run of many short episodes whose files are not merged yet, the time that merging takes (the driver
does it when a run ends), and the same again.

The machine is stated on the first line; ratios hold better than figures.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fle_ray.dataset import CallRecord, EpisodeRecord, MessageRecord, RunWriter, StepRecord, compact_run, open_run
from fle_ray.dataset.compact import ROWS_PER_FILE, ROWS_PER_GROUP
from fle_ray.dataset.parts import parquet_writer
from fle_ray.dataset.records import Record, flows_of
from fle_ray.dataset.rows import row_of, table_of
from fle_ray.dataset.schema import schema

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
ITEMS = ["iron-ore", "iron-plate", "copper-ore", "copper-plate", "coal", "stone", "iron-gear-wheel", "copper-cable"]
TASKS = [f"{item}_throughput" for item in ITEMS]
EPISODE_STEPS = 64
PART_STEPS = 4  # of the many short episodes
CALLS = 8


def words(draw: random.Random, bytes_: int, vocabulary: list[str]) -> str:
    text: list[str] = []
    size = 0
    while size < bytes_:
        word = draw.choice(vocabulary)
        text.append(word)
        size += len(word) + 1
    return " ".join(text)


class Example:
    """Records of episodes with about 1.5 KB of program, 2.5 KB of output and 8 tool calls a step."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        letters = "abcdefghijklmnopqrstuvwxyz_"
        self.vocabulary = [
            "".join(self.draw.choice(letters) for _ in range(self.draw.randint(2, 11)))
            + self.draw.choice(["", "\n", "(", ")"])
            for _ in range(3000)
        ]  # fmt: skip

    def step(self, run: str, episode: str, number: int) -> tuple[StepRecord, list[CallRecord], list[MessageRecord]]:
        draw = self.draw
        ids = {"run_id": run, "episode_id": episode, "program_id": f"{episode}-{number:04d}"}
        made = {item: float(draw.randint(1, 500)) for item in draw.sample(ITEMS, 4)}
        used = {item: float(draw.randint(1, 500)) for item in draw.sample(ITEMS, 3)}
        step = StepRecord(
            **ids, name="bench", parent_id=f"{episode}-{number - 1:04d}" if number else None, task=TASKS[0],
            agent="openai", model="some-model", seed=draw.randint(0, 9), trial=0, step=number, agent_step=number,
            depth=number, code=words(draw, 1500, self.vocabulary), output=words(draw, 2500, self.vocabulary),
            error_kind=draw.choice([None, None, None, "exception"]), reward=draw.random(), value=draw.random() * 60,
            score=draw.random() * 1e4, automated_score=draw.random() * 1e4, success=False, produced=made,
            consumed=used, inventory={item: draw.randint(1, 200) for item in ITEMS},
            achievements_dynamic=made, tick_before=number * 3600, tick_after=(number + 1) * 3600,
            digest=f"{draw.getrandbits(128):032x}", prompt_tokens=draw.randint(1000, 30000),
            completion_tokens=draw.randint(50, 900), cost_usd=draw.random() / 100, wall_s=draw.random(),
            started_at=BEGAN + timedelta(seconds=number), host="bench",
        )  # fmt: skip
        calls = [
            CallRecord(
                **ids, step=number, call_idx=n, tool=draw.choice(["place_entity", "insert_item", "nearest"]),
                arguments=words(draw, 60, self.vocabulary), ticks=draw.randint(0, 60),
                microseconds=draw.randint(20, 900),
            )
            for n in range(CALLS)
        ]  # fmt: skip
        messages = [
            MessageRecord(**ids, idx=2 * number + n, role=role, step=number, content=words(draw, 2000, self.vocabulary))
            for n, role in enumerate(("assistant", "user"))
        ]
        return step, calls, messages

    def episode(self, run: str, episode: str, steps: int, **changes: Any) -> EpisodeRecord:
        values: dict[str, Any] = {
            "name": "bench", "run_id": run, "episode_id": episode, "task": TASKS[0], "agent": "openai", "seed": 0,
            "trial": 0, "spec": "{}", "status": "ended", "reason": "steps", "success": False, "value": 1.0,
            "quota": 16.0, "steps": steps, "ticks": 3600 * steps, "started_at": BEGAN, "ended_at": BEGAN,
            "engine": "sim",
        }  # fmt: skip
        return EpisodeRecord(**{**values, **changes})


def synced_write(rows: list[dict], table: str, path: Path) -> None:
    """What one writes with plain pyarrow when the file is to be durable."""
    pq.write_table(pa.Table.from_pylist(rows, schema=schema(table)), path, compression="zstd")
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def plain_rows(records: list[Record]) -> list[dict]:
    """The rows a user of plain pyarrow would have at hand: values of Python, maps as lists of pairs."""
    table = table_of(records[0].TABLE, [row_of(record) for record in records])
    return table.to_pylist()


def bench_write(root: Path, episodes: int) -> dict[str, Any]:
    example = Example(0)
    plays = {
        f"ep{n:03d}": [example.step("run", f"ep{n:03d}", s) for s in range(EPISODE_STEPS)] for n in range(episodes)
    }
    total = episodes * EPISODE_STEPS
    kinds = ("append", "finish", "plain_step_files", "plain_episode_files")
    seconds: dict[str, list[float]] = {kind: [] for kind in kinds}  # an episode each

    def timed(name: str, act: Callable[[], Any]) -> None:
        began = time.perf_counter()
        act()
        seconds[name].append(time.perf_counter() - began)

    writer = RunWriter(root / "run")
    journal_bytes = 0
    for number, (episode, play) in enumerate(plays.items()):

        def append(play: list = play) -> None:
            for step, calls, messages in play:
                writer.append(step, calls, messages)

        tables = {
            "steps": plain_rows([step for step, _, _ in play]),
            "calls": plain_rows([call for _, calls, _ in play for call in calls]),
            "messages": plain_rows([message for _, _, messages in play for message in messages]),
            "flows": plain_rows([flow for step, _, _ in play for flow in flows_of(step)]),
            "episodes": plain_rows([example.episode("run", episode, EPISODE_STEPS)]),
        }
        folder = root / f"plain-{number}"
        folder.mkdir()

        def plain_steps(tables: dict = tables, folder: Path = folder) -> None:
            for n, row in enumerate(tables["steps"]):
                synced_write([row], "steps", folder / f"{n}.parquet")

        def plain_episode(tables: dict = tables, folder: Path = folder) -> None:
            for table, rows in tables.items():
                synced_write(rows, table, folder / f"{table}.parquet")

        timed("append", append)
        journal_bytes += next((root / "run" / "journal").glob("*.jsonl")).stat().st_size
        timed("plain_step_files", plain_steps)
        # In turns, so that neither is favoured by what the disk does meanwhile.
        final: list[tuple[str, Callable[[], Any]]] = [
            ("finish", lambda e=episode: writer.finish_episode(example.episode("run", e, EPISODE_STEPS))),
            ("plain_episode_files", plain_episode),
        ]
        for name, act in final if number % 2 else reversed(final):
            timed(name, act)
    writer.close()
    ours = sum(path.stat().st_size for path in (root / "run").glob("*/*.parquet"))
    steps_only = sum(path.stat().st_size for path in (root / "run").glob("steps/*.parquet"))
    rates = {name: EPISODE_STEPS / statistics.median(took) for name, took in seconds.items()}
    return {
        "rows_per_s": {name: round(rate) for name, rate in rates.items()},
        "append_to_plain": round(rates["append"] / rates["plain_step_files"], 2),
        "final_write_to_plain": round(rates["finish"] / rates["plain_episode_files"], 2),
        "bytes_per_step": {
            "journal": round(journal_bytes / total),
            "parquet_all_tables": round(ours / total),
            "parquet_steps": round(steps_only / total),
        },
    }


def generate(run_dir: Path, steps: int) -> int:
    """A run as compaction leaves it; returns its number of episodes."""
    example = Example(1)
    templates = [
        table_of("steps", [row_of(example.step("big", "e", s)[0]) for s in range(EPISODE_STEPS)]) for _ in range(60)
    ]
    ids = sorted(f"{random.Random(n).getrandbits(64):016x}" for n in range(-(-steps // EPISODE_STEPS)))
    for table in ("steps", "episodes"):
        (run_dir / table).mkdir(parents=True)
    (run_dir / "manifest.json").write_text(json.dumps({"run_id": "big", "name": "bench"}))
    draw = random.Random(2)
    rows = [
        row_of(
            example.episode(
                "big", episode, EPISODE_STEPS, task=TASKS[n % len(TASKS)], success=draw.random() < 0.3,
                agent=draw.choice(["openai", "scripted"]),
            )
        )
        for n, episode in enumerate(ids)
    ]  # fmt: skip
    with parquet_writer(run_dir / "episodes" / "compact-g001-000.parquet", "episodes") as writer:
        writer.write_table(table_of("episodes", rows), row_group_size=ROWS_PER_GROUP)

    def episode_table(n: int, episode: str) -> pa.Table:
        table = templates[n % len(templates)]
        for name, values in (
            ("episode_id", [episode] * EPISODE_STEPS),
            ("program_id", [f"{episode}-{s:04d}" for s in range(EPISODE_STEPS)]),
            ("task", [TASKS[n % len(TASKS)]] * EPISODE_STEPS),
        ):
            table = table.set_column(table.schema.get_field_index(name), schema("steps").field(name), pa.array(values))
        return table

    per_file = ROWS_PER_FILE // EPISODE_STEPS
    per_group = ROWS_PER_GROUP // EPISODE_STEPS
    for file in range(0, len(ids), per_file):
        name = f"compact-g001-{file // per_file:03d}.parquet"
        with parquet_writer(run_dir / "steps" / name, "steps") as writer:
            for first in range(file, min(file + per_file, len(ids)), per_group):
                last = min(first + per_group, file + per_file, len(ids))
                writer.write_table(pa.concat_tables([episode_table(n, ids[n]) for n in range(first, last)]))
    return len(ids)


def bench_parts(root: Path, episodes: int) -> dict[str, Any]:
    """A run of many small files, as a long run has them before it ends, read; merged; and read again."""
    run_dir = root / "parts"
    example = Example(4)
    ids = [f"{n:016x}" for n in range(episodes)]
    with RunWriter(run_dir, fsync=False) as writer:
        for episode in ids:
            for number in range(PART_STEPS):
                writer.append(*example.step("parts", episode, number))
            writer.finish_episode(example.episode("parts", episode, PART_STEPS))

    def read() -> dict[str, float]:
        draw = random.Random(5)
        return {
            "open_s": median(lambda: open_run(run_dir).dataset("steps"), 3),
            "success_table_s": median(lambda: success_table(run_dir), 3),
            "whole_columns_s": median(lambda: open_run(run_dir).arrow("steps", ["episode_id", "value"]), 3),
            "one_episode_s": median(
                lambda: open_run(run_dir).steps(where=[("episode_id", "==", draw.choice(ids))]), 3
            ),
        }  # fmt: skip

    files = len(list(run_dir.glob("*/*.parquet")))
    many = read()
    began = time.perf_counter()
    compact_run(run_dir)
    merged_s = time.perf_counter() - began
    few = read()
    return {
        "episodes": episodes,
        "steps": episodes * PART_STEPS,
        "files": files,
        **many,
        "merged_in_s": round(merged_s, 2),
        "files_after": len(list(run_dir.glob("*/*.parquet"))),
        **{f"{name.removesuffix('_s')}_after_s": value for name, value in few.items()},
    }


def median(act: Callable[[], Any], times: int = 5) -> float:
    """Seconds that `act` takes: the median of several times."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        took.append(time.perf_counter() - began)
    return round(statistics.median(took), 4)


def success_table(run_dir: Path) -> Any:
    """Success by task and agent, over all episodes."""
    rows = open_run(run_dir).episodes(["task", "agent", "success"])
    return rows.groupby(["task", "agent"])["success"].agg(["count", "mean"])


def bench_read(root: Path, steps: int) -> dict[str, Any]:
    run_dir = root / "big"
    began = time.perf_counter()
    episodes = generate(run_dir, steps)
    generated_s = time.perf_counter() - began

    import pandas  # noqa: F401, its import is not what is measured

    data = open_run(run_dir)
    ids = data.episodes(["episode_id"])["episode_id"]
    draw = random.Random(3)
    measured = {
        "open_s": median(lambda: open_run(run_dir).dataset("steps")),
        "success_table_s": median(lambda: success_table(run_dir)),
        "success_table_from_steps_sql_s": median(
            lambda: open_run(run_dir).sql(
                "select task, count(distinct episode_id), max(value), avg((error_kind is not null)::int) "
                "from steps group by task"
            ).fetchall(),
            3,
        ),
        "one_episode_s": median(
            lambda: open_run(run_dir).steps(where=[("episode_id", "==", draw.choice(ids))]), 15
        ),
    }  # fmt: skip
    assert len(data.steps(where=[("episode_id", "==", ids[0])])) == EPISODE_STEPS
    size = sum(path.stat().st_size for path in run_dir.rglob("*.parquet"))
    return {
        "steps": episodes * EPISODE_STEPS,
        "episodes": episodes,
        "gigabytes": round(size / 1e9, 3),
        "bytes_per_step": round(size / (episodes * EPISODE_STEPS)),
        "generated_s": round(generated_s, 1),
        **measured,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=20, help=f"episodes of {EPISODE_STEPS} steps to write")
    parser.add_argument("--read-steps", type=int, default=100_000, help="steps of the run to read")
    parser.add_argument("--parts", type=int, default=1_000, help="episodes of the run whose files are not merged")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder when left out")
    given = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="bench_dataset-", dir=given.folder))
    machine = f"{platform.machine()} {platform.system()} {platform.release()}, {os.cpu_count()} cores"
    print(f"machine: {machine}, Python {platform.python_version()}, pyarrow {pa.__version__}")
    try:
        print("write:", json.dumps(bench_write(root, given.episodes)), flush=True)
        print("parts:", json.dumps(bench_parts(root, given.parts)), flush=True)
        print("read:", json.dumps(bench_read(root, given.read_steps)))
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
