"""Reading: by plain tools, by ours, live, across schema versions, from elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from fle_ray.dataset.reader import open_run, open_runs
from fle_ray.dataset.states import state_address
from fle_ray.dataset.writer import RunWriter
from fle_ray.errors import ConfigError, StorageError, UnknownName

from .samples import a_call, a_message, a_step, an_episode, an_event

OWED = {"status": "provider_error", "reason": "error", "success": None, "value": None}


def make_run(root: Path, run: str = "run-1", *, manifest: dict | None = None, live: bool = True) -> Path:
    """Two complete episodes of two tasks, an owed one and (live) an open one; three steps each."""
    folder = root / "test" / run
    with RunWriter(folder) as writer:
        for episode, task in (("ep0", "iron"), ("ep1", "copper"), ("ep2", "iron"), ("ep3", "iron")):
            if episode == "ep3" and not live:
                continue
            for step in range(3):
                error = {"error_kind": "exception"} if step == 1 else {}
                writer.append(
                    a_step(step, episode=episode, run=run, task=task, **error),
                    [a_call(step, episode=episode, run=run)],
                    [a_message(step, episode=episode, run=run)],
                )
            if episode != "ep3":
                owed = OWED if episode == "ep2" else {}
                writer.finish_episode(an_episode(episode=episode, run=run, task=task, steps=3, **owed))
        writer.append_events([an_event(episode=None, run=run)])
    if manifest is not None:
        (folder / "manifest.json").write_text(json.dumps({"run_id": run, **manifest}))
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path)


# Without fle_ray


def without_fle_ray(code: str, *arguments: object) -> str:
    """Run code in a Python that cannot import fle_ray."""
    guard = "import sys; sys.modules['fle_ray'] = None\n"
    done = subprocess.run(
        [sys.executable, "-c", guard + code, *map(str, arguments)], cwd="/", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_plain_pandas_reads_finished_parts_beside_open_journals(run: Path):
    code = """
import pandas as pd, sys
steps = pd.read_parquet(sys.argv[1] + "/steps")
print(len(steps), sorted(steps.episode_id.unique()), dict(steps.produced[2]), steps.error_kind.isna().sum())
episodes = pd.read_parquet(sys.argv[1] + "/episodes")
print(sorted(zip(episodes.episode_id, episodes.status)), episodes.value.sum())
"""
    assert without_fle_ray(code, run).splitlines() == [
        "9 ['ep0', 'ep1', 'ep2'] {'iron-plate': 3.0} 6",
        "[('ep0', 'ended'), ('ep1', 'ended'), ('ep2', 'provider_error')] 32.0",
    ]


def test_plain_duckdb_reads_them(run: Path):
    pytest.importorskip("duckdb")
    code = """
import duckdb, sys
steps = f"read_parquet('{sys.argv[1]}/steps/*.parquet')"
print(duckdb.sql(f"select task, count(*), sum(produced['iron-plate']) from {steps} group by 1 order by 1").fetchall())
print(duckdb.sql(f'select max("try"), min(started_at) at time zone $$UTC$$ from {steps}').fetchall())
"""
    assert without_fle_ray(code, run).splitlines() == [
        "[('copper', 3, 6.0), ('iron', 6, 12.0)]",
        "[(0, datetime.datetime(2026, 1, 2, 3, 4, 5, 678901))]",
    ]


def test_plain_polars_reads_them(run: Path):
    pytest.importorskip("polars")
    code = """
import polars as pl, sys
flows = pl.scan_parquet(sys.argv[1] + "/flows/*.parquet")
print(flows.group_by("item").agg(pl.col("produced").sum()).sort("item").collect().rows())
steps = pl.read_parquet(sys.argv[1] + "/steps/*.parquet")
carried = steps["inventory"][0]  # a dict, or structs of key and value in versions without a map type
print(steps.height, carried if isinstance(carried, dict) else {e["key"]: e["value"] for e in carried})
"""
    assert without_fle_ray(code, run).splitlines() == [
        "[('iron-ore', 0.0), ('iron-plate', 18.0)]",
        "9 {'iron-plate': 1}",
    ]


# By open_run


def test_finished_parts_and_live_journals_are_one_table(run: Path):
    data = open_run(run)
    assert sorted(data.steps()["program_id"]) == [f"ep{e}-{s}" for e in range(4) for s in range(3)]
    assert {t: len(data.table(t)) for t in ("calls", "messages", "flows", "events", "episodes")} == {
        "calls": 12,
        "messages": 12,
        "flows": 24,
        "events": 1,
        "episodes": 3,
    }
    assert data.steps()["produced"][0] == {"iron-plate": 1.0}


def test_a_live_run_grows_from_call_to_call(tmp_path: Path):
    folder = tmp_path / "test" / "run-1"
    with RunWriter(folder) as writer:
        writer.append(a_step(0))
        data = open_run(folder)
        assert len(data.steps()) == 1
        writer.append(a_step(1))
        assert len(data.steps()) == 2
        writer.finish_episode(an_episode(steps=2))
        assert len(data.steps()) == 2
        assert len(data.episodes()) == 1


def test_columns_and_filters_choose_what_is_read(run: Path):
    data = open_run(run)
    failed = data.steps(["episode_id", "step"], [("task", "==", "iron"), ("error_kind", "!=", None)])
    assert sorted(failed.itertuples(index=False, name=None)) == [("ep0", 1), ("ep2", 1), ("ep3", 1)]
    same = data.arrow("steps", ["episode_id"], (ds.field("task") == "iron") & ds.field("error_kind").is_valid())
    assert same.schema.names == ["episode_id"]
    assert sorted(same.column(0).to_pylist()) == ["ep0", "ep2", "ep3"]
    assert len(data.steps(where=[("episode_id", "in", ["ep0", "ep3"])])) == 6


def test_a_filter_skips_files_that_cannot_hold_any_row(run: Path):
    """A file whose pages are destroyed does not matter while its statistics exclude it."""
    path = run / "steps" / "ep1-p000.parquet"
    data = bytearray(path.read_bytes())
    footer = int.from_bytes(data[-8:-4], "little") + 8
    data[4:-footer] = bytes(len(data) - footer - 4)
    path.write_bytes(data)
    assert len(open_run(run).steps(where=[("task", "==", "iron")])) == 9
    with pytest.raises(StorageError, match="fle_ray.dataset verify"):
        open_run(run).steps()


def test_sql_sees_all_tables_with_journals(run: Path):
    pytest.importorskip("duckdb")
    data = open_run(run)
    assert data.sql("select count(*) from steps").fetchall() == [(12,)]
    assert data.sql(
        """
        select e.task, count(distinct e.episode_id), sum(f.produced)
        from episodes e join flows f using (run_id, episode_id)
        where f.item = 'iron-plate' and e.status = 'ended' group by 1 order by 1
        """
    ).fetchall() == [("copper", 1, 6.0), ("iron", 1, 6.0)]
    assert data.sql("select sum(inventory['iron-plate']) from steps where step = 2").fetchall() == [(12,)]


def test_without_duckdb_sql_says_how_to_get_it(run: Path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ConfigError, match="pip install duckdb"):
        open_run(run).sql("select 1")


def test_an_unknown_table_or_column_offers_the_nearest(run: Path):
    with pytest.raises(UnknownName, match="'steps'"):
        open_run(run).table("step")
    with pytest.raises(UnknownName, match="'error_kind'"):
        open_run(run).steps(["eror_kind"])
    with pytest.raises(ConfigError, match="no_such"):
        open_run(run).steps(where=[("no_such", "==", 1)])


def test_progress_shows_every_planned_episode_and_what_is_owed(tmp_path: Path):
    planned = [{"episode_id": f"ep{n}", "task": "iron", "agent": "scripted", "seed": n} for n in range(5)]
    folder = make_run(tmp_path, manifest={"plan": planned})
    progress = open_run(folder).progress().set_index("episode_id")
    assert dict(progress["state"]) == {
        "ep0": "complete",
        "ep1": "complete",
        "ep2": "owed",
        "ep3": "in_progress",
        "ep4": "unstarted",
    }
    assert dict(progress["steps"]) == {"ep0": 3, "ep1": 3, "ep2": 3, "ep3": 3, "ep4": 0}
    assert progress.loc["ep2", "status"] == "provider_error"


def test_progress_shows_an_owed_episode_that_was_taken_up_again_as_in_progress(tmp_path: Path):
    folder = make_run(tmp_path)
    with RunWriter(folder) as writer:
        writer.append(a_step(3, episode="ep2", task="iron"))
        progress = open_run(folder).progress().set_index("episode_id")
        assert (progress.loc["ep2", "state"], progress.loc["ep2", "steps"]) == ("in_progress", 4)


def test_progress_shows_an_episode_that_has_only_a_prompt_so_far(tmp_path: Path):
    with RunWriter(tmp_path / "run-1") as writer:
        writer.append_rows("ep0", messages=[a_message(0, role="system")])
        progress = open_run(tmp_path / "run-1").progress()
    assert list(progress["state"]) == ["in_progress"]


def test_a_state_is_read_by_its_address(tmp_path: Path):
    with RunWriter(tmp_path / "run-1") as writer:
        writer.append(a_step(0, world_state=state_address(b"w")), states={state_address(b"w"): b"w"})
    data = open_run(tmp_path / "run-1")
    assert data.state(data.steps()["world_state"][0]) == b"w"
    with pytest.raises(StorageError, match="not kept"):
        data.state("ab" * 16)


def test_a_path_that_is_no_run_says_what_was_missing(tmp_path: Path):
    with pytest.raises(ConfigError, match="There is no run at"):
        open_run(tmp_path)
    with pytest.raises(ConfigError, match="There is no run at"):
        open_run(tmp_path / "nowhere")


def test_an_empty_run_has_empty_tables_with_all_columns(tmp_path: Path):
    (tmp_path / "run-1").mkdir()
    (tmp_path / "run-1" / "manifest.json").write_text('{"run_id": "run-1"}')
    data = open_run(tmp_path / "run-1")
    assert len(data.steps()) == 0 and "try" in data.steps().columns
    assert len(data.progress()) == 0


# Several runs


def test_runs_under_a_root_are_read_as_one_and_chosen_by_their_manifest(tmp_path: Path):
    for n, agent in enumerate(("scripted", "idle", "openai")):
        make_run(tmp_path, f"run-{n}", manifest={"name": "lab", "config": {"agent": agent}}, live=False)
    (tmp_path / "_hydra" / "x").mkdir(parents=True)
    assert open_runs(tmp_path).run_ids == ["run-0", "run-1", "run-2"]
    assert len(open_runs(tmp_path).steps()) == 27
    assert open_runs(tmp_path / "test").run_ids == ["run-0", "run-1", "run-2"]
    assert open_runs(tmp_path, {"config.agent": "scripted"}).run_ids == ["run-0"]
    assert open_runs(tmp_path, {"config.agent": ["idle", "open*"]}).run_ids == ["run-1", "run-2"]
    assert open_runs(tmp_path, lambda manifest: manifest["run_id"] > "run-1").run_ids == ["run-2"]
    assert open_runs([tmp_path / "test" / "run-0", tmp_path / "test" / "run-2"]).run_ids == ["run-0", "run-2"]
    with pytest.raises(ConfigError, match="None of the 3 runs"):
        open_runs(tmp_path, {"name": "other"})
    with pytest.raises(ConfigError, match="There are no runs"):
        open_runs(tmp_path / "_hydra")


def rewrite(run: Path, table: str, change) -> None:
    for path in (run / table).glob("*.parquet"):
        pq.write_table(change(pq.read_table(path)), path)


def test_runs_of_different_schema_versions_are_read_together(tmp_path: Path):
    """An older one lacks a column and has an integer where ours has a float; a newer one has one more."""
    older = make_run(tmp_path, "older", live=False)
    newer = make_run(tmp_path, "newer", live=True)

    def as_older(table: pa.Table) -> pa.Table:
        table = table.drop_columns(["meta"])
        place = table.schema.get_field_index("reward")
        return table.set_column(place, "reward", table.column("reward").cast(pa.int64()))

    rewrite(older, "steps", as_older)
    rewrite(newer, "steps", lambda t: t.append_column("of_the_future", pa.array(["new"] * len(t))))
    data = open_runs(tmp_path)
    steps = data.steps()
    assert len(steps) == 9 + 12
    assert steps.groupby("run_id")["reward"].sum().to_dict() == {"newer": 4 * 3.0, "older": 3 * 3.0}
    assert ((steps["of_the_future"] == "new").sum(), steps["of_the_future"].isna().sum()) == (9, 12)
    assert steps["meta"].isna().all()
    pytest.importorskip("duckdb")
    assert data.sql("select count(of_the_future), sum(reward) from steps").fetchall() == [(9, 21.0)]


def test_types_that_cannot_be_reconciled_are_named(tmp_path: Path):
    older = make_run(tmp_path, "older", live=False)
    place = pq.read_schema(next((older / "steps").iterdir())).get_field_index("step")
    rewrite(older, "steps", lambda t: t.set_column(place, "step", pa.array(["x"] * len(t))))
    with pytest.raises(StorageError, match="cannot be read together.*step"):
        open_run(older).steps()


# Elsewhere


def test_a_run_is_read_from_a_url(run: Path):
    assert len(open_run(run.as_uri()).steps()) == 12


def test_finished_parts_are_read_from_a_file_system_of_fsspec(run: Path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    try:
        for path in run.rglob("*.parquet"):
            memory.pipe(f"/bucket/test/run-1/{path.relative_to(run)}", path.read_bytes())
        data = open_runs("memory://bucket")
        assert data.run_ids == ["run-1"]
        assert len(data.steps(where=[("task", "==", "iron")])) == 6
        assert list(data.progress()["state"]) == ["complete", "complete", "owed"]
    finally:
        memory.store.clear()


def test_importing_the_dataset_room_loads_neither_pandas_nor_pyarrow():
    code = "import sys, fle_ray.dataset; print(sorted({'pandas', 'pyarrow', 'ray', 'duckdb'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_writing_needs_no_pandas():
    code = "import sys; from fle_ray.dataset import RunWriter; print('pandas' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_compacting_while_reading_gives_each_row_once(tmp_path: Path, monkeypatch):
    """The folder is compacted between listing and reading; the reader lists it again."""
    from fle_ray.dataset.compact import compact_run

    folder = make_run(tmp_path, live=False)
    data = open_run(folder)
    real, calls = type(data).dataset, []

    def compacted_after(self, table):
        listed = real(self, table)
        if not calls:
            compact_run(folder)
        calls.append(table)
        return listed

    monkeypatch.setattr(type(data), "dataset", compacted_after)
    assert sorted(data.steps()["program_id"]) == [f"ep{e}-{s}" for e in range(3) for s in range(3)]
    assert len(calls) == 2


def test_a_journal_that_becomes_a_part_while_it_is_read_counts_once(tmp_path: Path, monkeypatch):
    from fle_ray.dataset import reader
    from fle_ray.dataset.compact import compact_run

    folder = make_run(tmp_path, live=True)
    real, finished = reader.read_journal, []

    def finished_after(path):
        content = real(path)
        if not finished and path.name.startswith("ep3"):
            finished.append(path)
            with RunWriter(folder) as writer:
                writer.finish_episode(an_episode(episode="ep3", task="iron", steps=3))
            compact_run(folder)
        return content

    monkeypatch.setattr(reader, "read_journal", finished_after)
    assert sorted(open_run(folder).steps()["program_id"]) == [f"ep{e}-{s}" for e in range(4) for s in range(3)]
    assert finished
    assert len(pd.read_parquet(folder / "steps")) == 12
