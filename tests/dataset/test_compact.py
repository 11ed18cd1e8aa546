"""Compaction and verification, from Python and from the command line."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from fle_ray.dataset.__main__ import main
from fle_ray.dataset.compact import compact_run
from fle_ray.dataset.reader import open_run
from fle_ray.dataset.schema import data_dictionary
from fle_ray.dataset.states import state_address
from fle_ray.dataset.verify import verify_run
from fle_ray.dataset.writer import RunWriter
from fle_ray.errors import ConfigError, StorageError

from .samples import RUN, a_call, a_step, an_episode

OWED = {"status": "engine_error", "reason": "error", "success": None, "value": None}


def add_episodes(run: Path, episodes: list[str], steps: int = 3, **end) -> None:
    with RunWriter(run) as writer:
        for episode in episodes:
            for step in range(steps):
                writer.append(a_step(step, episode=episode), [a_call(step, episode=episode)])
            writer.finish_episode(an_episode(episode=episode, steps=steps, **end))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / RUN
    add_episodes(folder, [f"ep{n}" for n in range(8)])
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def frame(run: Path, table: str, key: list[str]) -> pd.DataFrame:
    return pd.read_parquet(run / table).sort_values(key, ignore_index=True)


KEYS = {
    "steps": ["episode_id", "step"],
    "episodes": ["episode_id"],
    "calls": ["episode_id", "step", "call_idx"],
    "flows": ["episode_id", "step", "item"],
}


def test_compaction_changes_the_files_and_no_row(run: Path):
    before = {table: frame(run, table, key) for table, key in KEYS.items()}
    done = {report.table: report for report in compact_run(run)}
    assert (done["steps"].files_before, done["steps"].files_after, done["steps"].rows) == (8, 1, 24)
    assert done["steps"].bytes_after < done["steps"].bytes_before
    for table, key in KEYS.items():
        assert names(run / table) == ["compact-g001-000.parquet"]
        pd.testing.assert_frame_equal(frame(run, table, key), before[table])


def test_an_episode_lies_in_one_row_group_so_that_reading_it_skips_the_others(run: Path):
    compact_run(run, rows_per_group=6)
    metadata = pq.read_metadata(run / "steps" / "compact-g001-000.parquet")
    column = metadata.schema.to_arrow_schema().get_field_index("episode_id")
    bounds = [metadata.row_group(n).column(column).statistics for n in range(metadata.num_row_groups)]
    assert [(b.min, b.max) for b in bounds] == [("ep0", "ep1"), ("ep2", "ep3"), ("ep4", "ep5"), ("ep6", "ep7")]


def test_compacting_again_adds_what_came_since(run: Path):
    compact_run(run)
    compact_run(run)
    assert names(run / "steps") == ["compact-g001-000.parquet"]
    add_episodes(run, ["ep8", "ep9"])
    compact_run(run)
    assert names(run / "steps") == ["compact-g002-000.parquet"]
    assert len(frame(run, "steps", KEYS["steps"])) == 30


def test_a_well_sized_file_is_left_as_it_is(run: Path):
    compact_run(run, rows_per_file=24)
    inode = (run / "steps" / "compact-g001-000.parquet").stat().st_ino
    add_episodes(run, ["ep8", "ep9"])
    compact_run(run, rows_per_file=24)
    assert names(run / "steps") == ["compact-g001-000.parquet", "compact-g002-000.parquet"]
    assert (run / "steps" / "compact-g001-000.parquet").stat().st_ino == inode


def test_an_owed_episode_keeps_files_of_its_own_and_can_go_on_after_compaction(run: Path):
    add_episodes(run, ["owed"], **OWED)
    compact_run(run)
    assert names(run / "steps") == ["compact-g001-000.parquet", "owed-p000.parquet"]
    with RunWriter(run) as writer:
        progress = writer.progress("owed")
        assert (progress.state, progress.next_step) == ("owed", 3)
        writer.append(a_step(3, episode="owed"))
        writer.finish_episode(an_episode(episode="owed", steps=4))
    compact_run(run)
    assert names(run / "steps") == ["compact-g002-000.parquet"]
    assert len(frame(run, "steps", KEYS["steps"])) == 28
    assert set(frame(run, "episodes", KEYS["episodes"])["status"]) == {"ended"}


def test_progress_of_a_complete_episode_is_known_after_compaction(run: Path):
    compact_run(run)
    with RunWriter(run) as writer:
        assert writer.progress("ep3").record == an_episode(episode="ep3", steps=3)
        assert writer.progress("ep3").next_step == 3


def test_states_of_compacted_steps_are_still_counted_as_needed(tmp_path: Path):
    run = tmp_path / RUN
    address = state_address(b"same")
    with RunWriter(run) as writer:
        for episode in ("ep0", "ep1"):
            writer.append(a_step(0, episode=episode, world_state=address), states={address: b"same"})
            writer.finish_episode(an_episode(episode=episode))
    compact_run(run)
    with RunWriter(run) as writer:
        writer.append(a_step(0, episode="ep2", world_state=address), states={address: b"same"})
        writer.append(a_step(1, episode="ep2", world_state=state_address(b"x")), states={state_address(b"x"): b"x"})
        assert writer.states.get(address) == b"same"


def test_the_writer_compacts_what_is_complete_while_other_episodes_go_on(tmp_path: Path):
    run = tmp_path / RUN
    with RunWriter(run) as writer:
        for episode in ("ep0", "ep1"):
            writer.append(a_step(0, episode=episode))
            writer.finish_episode(an_episode(episode=episode))
        writer.append(a_step(0, episode="open"))
        writer.compact()
        assert names(run / "steps") == ["compact-g001-000.parquet"]
        writer.append(a_step(1, episode="open"))
        writer.finish_episode(an_episode(episode="open", steps=2))
        with pytest.raises(ValueError, match="is complete"):
            writer.append(a_step(1, episode="ep0"))
    assert sorted(frame(run, "steps", KEYS["steps"])["program_id"]) == ["ep0-0", "ep1-0", "open-0", "open-1"]


def test_a_run_that_is_being_written_is_not_compacted(run: Path):
    with RunWriter(run), pytest.raises(StorageError, match="is being written"):
        compact_run(run)


def test_an_open_episode_is_not_compacted(run: Path):
    with RunWriter(run) as writer:
        writer.append(a_step(0, episode="open"))
    compact_run(run)
    assert names(run / "journal") == ["open-p000.jsonl"]
    assert len(open_run(run).steps()) == 25


def test_a_source_that_is_damaged_stops_compaction_and_the_run_stays_as_it_was(run: Path):
    path = run / "steps" / "ep3-p000.parquet"
    data = bytearray(path.read_bytes())
    data[200:400] = bytes(200)
    path.write_bytes(data)
    before = names(run / "steps")
    with pytest.raises(StorageError, match="steps"):
        compact_run(run)
    assert names(run / "steps") == before
    assert [p.name for p in run.iterdir() if ".tmp-" in p.name] == []


def test_a_row_group_of_long_texts_ends_before_it_is_full(run: Path, monkeypatch):
    monkeypatch.setattr("fle_ray.dataset.compact.BYTES_PER_GROUP", 1)
    compact_run(run, rows_per_group=1000)
    assert pq.read_metadata(run / "steps" / "compact-g001-000.parquet").num_row_groups == 8
    assert len(frame(run, "steps", KEYS["steps"])) == 24


def test_columns_of_another_schema_version_are_not_dropped_by_compaction(run: Path):
    path = run / "steps" / "ep3-p000.parquet"
    table = pq.read_table(path)
    pq.write_table(table.append_column("of_the_future", [["x"] * len(table)]), path)
    with pytest.raises(StorageError, match="another schema version"):
        compact_run(run)
    assert "of_the_future" in pq.read_schema(path).names


def test_a_remote_run_or_none_at_all_is_refused(tmp_path: Path):
    with pytest.raises(ConfigError, match="There is no run"):
        compact_run(tmp_path / "nowhere")
    pytest.importorskip("fsspec")
    with pytest.raises(ConfigError, match="is not local"):
        compact_run("memory://bucket/run")


# Verification and commands


def test_a_whole_run_verifies(run: Path):
    found = verify_run(run)
    # 8 episodes: 3 steps, 3 calls, 6 flows and their own row each, in a file a table
    assert (found.files, found.rows, found.problems) == (32, 8 * (3 + 3 + 6 + 1), ())


def test_every_kind_of_damage_is_found(tmp_path: Path, capsys):
    run = tmp_path / RUN
    with RunWriter(run) as writer:
        for episode, state in (("ep0", b"first " * 50), ("ep1", b"second " * 50)):
            address = state_address(state)
            writer.append(a_step(0, episode=episode, world_state=address), states={address: state})
            writer.finish_episode(an_episode(episode=episode))
        writer.append(a_step(0, episode="ep2"))
    assert main(["verify", str(run)]) == 0
    state = next((run / "states").glob("*/*.zst"))
    whole = state.read_bytes()
    state.unlink()
    assert "missing, but a step refers to it" in verify_run(run).problems[0]
    state.write_bytes(whole[:-3])
    part = run / "steps" / "ep0-p000.parquet"
    part.write_bytes(part.read_bytes()[:-10])
    with (run / "journal" / "ep2-p000.jsonl").open("ab") as file:
        file.write(b"torn")
    capsys.readouterr()
    assert main(["verify", str(run)]) == 1
    out, err = capsys.readouterr()
    assert "3 problems" in out
    assert len(err.splitlines()) == 3
    for name in (part.name, state.name, "ep2-p000.jsonl: 4 bytes after the last whole line"):
        assert name in err


def test_the_command_compacts_and_says_what_it_did(run: Path, capsys):
    assert main(["compact", str(run)]) == 0
    assert "steps: 8 -> 1 files" in capsys.readouterr().out


def test_a_mistake_of_the_user_is_one_line_and_status_2(tmp_path: Path, capsys):
    for command in ("compact", "verify"):
        assert main([command, str(tmp_path / "nowhere")]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_command_prints_or_writes_the_data_dictionary(tmp_path: Path, capsys):
    assert main(["dictionary"]) == 0
    assert capsys.readouterr().out == data_dictionary()
    assert main(["dictionary", "--output", str(tmp_path / "page.md")]) == 0
    assert (tmp_path / "page.md").read_text() == data_dictionary()
