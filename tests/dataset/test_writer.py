"""The writer of a run: acknowledging, closing, resuming, keeping states, failing well."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from fle_ray.dataset.parts import PartStore
from fle_ray.dataset.reader import open_run
from fle_ray.dataset.states import KeepStates, state_address
from fle_ray.dataset.writer import RunWriter
from fle_ray.errors import ConfigError, StorageError

from .samples import RUN, a_call, a_message, a_step, an_episode, an_event

OWED = {"status": "provider_error", "reason": "error", "success": None, "value": None}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "test" / RUN


def states_of(*names: str) -> dict[str, bytes]:
    return {state_address(name.encode()): name.encode() for name in names}


def address(name: str) -> str:
    return state_address(name.encode())


# Acknowledging and closing


def test_a_step_is_on_disk_when_append_returns(run: Path):
    with RunWriter(run) as writer:
        writer.append(a_step(0), [a_call(0, 0), a_call(0, 1)], [a_message(0)], [an_event()])
        seen = open_run(run)
        assert list(seen.steps()["program_id"]) == ["ep0-0"]
        assert list(seen.calls()["call_idx"]) == [0, 1]
        assert list(seen.messages()["content"]) == ["message 0"]
        assert list(seen.events()["kind"]) == ["rate_limited"]


def test_a_closed_episode_is_parquet_and_its_journal_is_gone(run: Path):
    with RunWriter(run) as writer:
        writer.append(a_step(0), [a_call(0)], [a_message(0)], [an_event()])
        writer.append(a_step(1))
        writer.finish_episode(an_episode(steps=2))
        assert list((run / "journal").iterdir()) == []
    rows = {
        table: len(pd.read_parquet(run / table))
        for table in ("steps", "episodes", "calls", "messages", "flows", "events")
    }
    assert rows == {"steps": 2, "episodes": 1, "calls": 1, "messages": 1, "flows": 4, "events": 1}


def test_flows_add_up_to_what_the_steps_made(run: Path):
    with RunWriter(run) as writer:
        for step in range(4):
            writer.append(a_step(step))
        writer.finish_episode(an_episode(steps=4))
    flows = pd.read_parquet(run / "flows").groupby("item")[["produced", "consumed"]].sum()
    assert flows.loc["iron-plate", "produced"] == 1 + 2 + 3 + 4
    assert flows.loc["iron-ore", "consumed"] == 2 * (1 + 2 + 3 + 4)


def test_an_episode_without_a_step_has_its_row(run: Path):
    with RunWriter(run) as writer:
        writer.finish_episode(an_episode(steps=0, **OWED))
    assert list(pd.read_parquet(run / "episodes")["status"]) == ["provider_error"]
    assert not (run / "steps").exists()


def test_events_of_the_run_become_a_part_of_their_own(run: Path):
    for _ in range(2):
        with RunWriter(run) as writer:
            writer.append_events([an_event(episode=None, value=0.5)])
    assert sorted(path.name for path in (run / "events").iterdir()) == ["run-p000.parquet", "run-p001.parquet"]
    assert list(pd.read_parquet(run / "events")["value"]) == [0.5, 0.5]


def test_every_file_says_which_table_and_schema_version_it_is(run: Path):
    with RunWriter(run) as writer:
        writer.append(a_step(0))
        writer.finish_episode(an_episode())
    metadata = pq.read_metadata(run / "steps" / "ep0-p000.parquet").metadata
    assert metadata[b"fle_ray.table"] == b"steps"
    assert metadata[b"fle_ray.schema_version"] == b"1"


def test_a_long_episode_is_written_in_parts(run: Path):
    with RunWriter(run, steps_per_part=3) as writer:
        for step in range(7):
            writer.append(a_step(step))
        assert sorted(path.name for path in (run / "steps").iterdir()) == ["ep0-p000.parquet", "ep0-p001.parquet"]
        assert len(open_run(run).steps()) == 7
        assert writer.progress("ep0").next_step == 7
        writer.finish_episode(an_episode(steps=7))
    assert list(pd.read_parquet(run / "steps")["step"]) == list(range(7))


def test_episodes_too_big_to_remember_are_read_back_from_their_journals(run: Path, monkeypatch):
    monkeypatch.setattr("fle_ray.dataset.writer._REMEMBERED_BYTES", 3_000)
    with RunWriter(run) as writer:
        for step in range(5):
            for episode in ("ep0", "ep1", "ep2"):
                writer.append(a_step(step, episode=episode), [a_call(step, episode=episode)])
        for episode in ("ep0", "ep1", "ep2"):
            assert writer.progress(episode).next_step == 5
            writer.finish_episode(an_episode(episode=episode, steps=5))
    assert len(pd.read_parquet(run / "steps").drop_duplicates(["episode_id", "step"])) == 15
    assert len(pd.read_parquet(run / "calls")) == 15


# Resuming


def test_progress_tells_unstarted_in_progress_owed_and_complete_apart(run: Path):
    with RunWriter(run) as writer:
        for episode in ("ep0", "ep1", "ep2"):
            writer.append(a_step(0, episode=episode))
        writer.finish_episode(an_episode(episode="ep1"))
        writer.finish_episode(an_episode(episode="ep2", **OWED))
        names = ("ep0", "ep1", "ep2", "ep3")
        now = [writer.progress(name).state for name in names]
    with RunWriter(run) as writer:
        later = [writer.progress(name).state for name in names]
        assert writer.recovery.complete == ("ep1",)
        assert writer.recovery.owed == ("ep2",)
        assert writer.recovery.in_progress == ("ep0",)
        assert writer.progress("ep1").record == an_episode(episode="ep1")
    assert now == later == ["in_progress", "complete", "owed", "unstarted"]


def test_a_resumed_episode_goes_on_with_its_steps_messages_and_states(run: Path):
    with RunWriter(run) as writer:
        writer.append_rows("ep0", messages=[a_message(0, role="system")])
        for step in range(3):
            writer.append(
                a_step(step, world_state=address(f"w{step}"), session_state=address(f"s{step}")),
                messages=[a_message(step + 1)],
                states=states_of(f"w{step}", f"s{step}"),
            )
    with RunWriter(run) as writer:
        progress = writer.progress("ep0")
        assert [step.step for step in progress.steps] == [0, 1, 2]
        assert progress.steps[1].produced == {"iron-plate": 2.0}
        assert [message.idx for message in progress.messages] == [0, 1, 2, 3]
        assert progress.next_step == 3
        assert writer.states.get(progress.world_state) == b"w2"
        assert writer.states.get(progress.session_states[0]) == b"s2"
        writer.append(a_step(3))
        writer.finish_episode(an_episode(steps=4))
    assert list(pd.read_parquet(run / "steps")["step"]) == [0, 1, 2, 3]


def test_a_reply_whose_program_never_ran_is_given_back_and_one_that_ran_is_not(run: Path):
    with RunWriter(run) as writer:
        writer.append_reply("ep0", agent_idx=0, agent_step=0, reply={"code": "first"})
        writer.append(a_step(0))
        writer.append_reply("ep0", agent_idx=0, agent_step=1, reply={"code": "second"})
    with RunWriter(run) as writer:
        assert writer.progress("ep0").replies == {(0, 1, 0): {"code": "second"}}


def test_rejected_tries_do_not_move_the_state_to_resume_from(run: Path):
    with RunWriter(run, keep=KeepStates("last")) as writer:
        writer.append(a_step(0, world_state=address("good")), states=states_of("good"))
        writer.append(
            a_step(1, world_state=address("bad"), accepted=False, try_=0, parent_id="ep0-0"),
            states=states_of("bad"),
        )
        assert writer.states.get(address("good")) == b"good"
        assert address("bad") not in writer.states
    with RunWriter(run) as writer:
        progress = writer.progress("ep0")
        assert progress.last_accepted.step == 0
        assert progress.world_state == address("good")
        assert progress.next_step == 2


def test_each_agent_resumes_from_its_own_variables(run: Path):
    with RunWriter(run, keep=KeepStates("last")) as writer:
        for step, agent in enumerate((0, 1, 0)):
            name = f"agent{agent} step{step}"
            writer.append(
                a_step(step, agent_idx=agent, world_state=address(f"w{step}"), session_state=address(name)),
                states=states_of(name, f"w{step}"),
            )
    with RunWriter(run, keep=KeepStates("last")) as writer:
        sessions = {a: writer.states.get(s) for a, s in writer.progress("ep0").session_states.items()}
        assert sessions == {0: b"agent0 step2", 1: b"agent1 step1"}
        assert len(list(writer.states.addresses())) == 3


def test_an_owed_episode_is_taken_up_again_and_its_row_replaced(run: Path):
    with RunWriter(run) as writer:
        writer.append(a_step(0))
        writer.finish_episode(an_episode(**OWED))
    with RunWriter(run) as writer:
        assert writer.progress("ep0").next_step == 1
        writer.append(a_step(1))
        assert writer.progress("ep0").state == "in_progress"
        writer.finish_episode(an_episode(steps=2))
    assert list(pd.read_parquet(run / "steps")["step"]) == [0, 1]
    assert list(pd.read_parquet(run / "episodes")["status"]) == ["ended"]


def test_a_torn_tail_is_set_aside_and_reported_when_the_run_is_resumed(run: Path):
    with RunWriter(run) as writer:
        writer.append(a_step(0))
    with (run / "journal" / "ep0-p000.jsonl").open("ab") as file:
        file.write(b'{"crc32":"12345678","entry":{"steps"')
    assert len(open_run(run).steps()) == 1
    with RunWriter(run) as writer:
        (torn,) = writer.recovery.torn
        assert torn.kept_in.read_bytes() == b'{"crc32":"12345678","entry":{"steps"'
        writer.append(a_step(1))
        writer.finish_episode(an_episode(steps=2))
    assert len(pd.read_parquet(run / "steps")) == 2
    assert torn.kept_in.exists()


def test_a_journal_that_was_killed_before_its_header_is_begun_anew(run: Path):
    RunWriter(run).close()
    (run / "journal" / "ep0-p000.jsonl").write_bytes(b'{"crc')
    with RunWriter(run) as writer:
        assert writer.progress("ep0").state == "unstarted"
        writer.append(a_step(0))
    assert (run / "journal" / "ep0-p000.jsonl.torn-0").read_bytes() == b'{"crc'


def test_opening_a_run_twice_in_a_row_changes_nothing(run: Path):
    with RunWriter(run) as writer:
        writer.append(a_step(0, world_state=address("w")), states=states_of("w"))
    before = {p: p.read_bytes() for p in run.rglob("*") if p.is_file() and p.name != ".lock"}
    RunWriter(run).close()
    RunWriter(run).close()
    assert {p: p.read_bytes() for p in run.rglob("*") if p.is_file() and p.name != ".lock"} == before


# States


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        (KeepStates("all"), [0, 1, 2, 3, 4, 5, 6]),
        (KeepStates("every_n", 3), [2, 5, 6]),
        (KeepStates("last"), [6]),
    ],
)
def test_only_the_states_of_the_rule_and_the_last_stay_and_no_row_refers_to_others(
    run: Path, keep: KeepStates, kept: list[int]
):
    with RunWriter(run, keep=keep) as writer:
        for step in range(7):
            writer.append(
                a_step(step, world_state=address(f"w{step}"), session_state=address(f"s{step}")),
                states=states_of(f"w{step}", f"s{step}"),
            )
        writer.finish_episode(an_episode(steps=7))
        expected = {address(f"{letter}{step}") for step in kept for letter in "ws"}
        assert set(writer.states.addresses()) == expected
    steps = pd.read_parquet(run / "steps").set_index("step")
    assert list(steps.index[steps["world_state"].notna()]) == kept
    assert list(steps.index[steps["session_state"].notna()]) == kept


def test_a_state_that_another_episode_needs_stays(run: Path):
    with RunWriter(run, keep=KeepStates("last")) as writer:
        for episode in ("ep0", "ep1"):
            writer.append(a_step(0, episode=episode, world_state=address("same")), states=states_of("same"))
        writer.append(a_step(1, world_state=address("other")), states=states_of("other"))
        assert writer.states.get(address("same")) == b"same"
        writer.append(a_step(1, episode="ep1", world_state=address("other")), states=states_of("other"))
        assert address("same") not in writer.states


def test_a_step_that_leaves_the_world_as_it_was_keeps_its_state(run: Path):
    with RunWriter(run, keep=KeepStates("last")) as writer:
        for step in range(3):
            writer.append(a_step(step, world_state=address("same")), states=states_of("same"))
        assert writer.states.get(address("same")) == b"same"


def test_states_stay_needed_after_a_resume(run: Path):
    with RunWriter(run, keep=KeepStates("last")) as writer:
        writer.append(a_step(0, episode="done", world_state=address("same")), states=states_of("same"))
        writer.finish_episode(an_episode(episode="done"))
        writer.append(a_step(0, world_state=address("same")), states=states_of("same"))
    with RunWriter(run, keep=KeepStates("last")) as writer:
        writer.append(a_step(1, world_state=address("next")), states=states_of("next"))
        assert writer.states.get(address("same")) == b"same"
        writer.append(a_step(2, world_state=address("third")), states=states_of("third"))
        assert set(writer.states.addresses()) == {address("same"), address("third")}


def test_a_state_that_is_neither_given_nor_stored_is_refused_before_anything_is_written(run: Path):
    with RunWriter(run) as writer:
        with pytest.raises(ValueError, match="neither given nor stored"):
            writer.append(a_step(0, world_state=address("nowhere")))
        assert writer.progress("ep0").state == "unstarted"


# Refusing


def test_a_program_is_not_recorded_twice_not_even_after_a_resume(run: Path):
    with RunWriter(run, steps_per_part=2) as writer:
        for step in range(3):
            writer.append(a_step(step))
        for step in range(3):
            with pytest.raises(ValueError, match="recorded already"):
                writer.append(a_step(step))
    with RunWriter(run) as writer:
        for step in range(3):
            with pytest.raises(ValueError, match="recorded already"):
                writer.append(a_step(step))
        assert len(open_run(run).steps()) == 3


def test_a_complete_episode_takes_no_more_steps(run: Path):
    with RunWriter(run) as writer:
        writer.append(a_step(0))
        writer.finish_episode(an_episode())
        with pytest.raises(ValueError, match="is complete"):
            writer.append(a_step(1))


def test_a_row_of_another_run_or_episode_is_refused(run: Path):
    with RunWriter(run) as writer:
        with pytest.raises(ValueError, match="'other'.*'run-1'"):
            writer.append(a_step(0, run="other"))
        with pytest.raises(ValueError, match="calls is of episode 'ep1', expected 'ep0'"):
            writer.append(a_step(0), [a_call(0, episode="ep1")])
        assert writer.progress("ep0").state == "unstarted"


@pytest.mark.parametrize("episode", ["", "run", "../x", "a/b", ".hidden", "a" * 201, "ep_0"])
def test_an_episode_id_that_cannot_name_a_file_is_refused(run: Path, episode: str):
    with RunWriter(run) as writer, pytest.raises(ValueError, match="cannot name a file"):
        writer.append(a_step(0, episode=episode))


def test_a_value_that_does_not_fit_leaves_the_episode_as_it_was(run: Path):
    with RunWriter(run) as writer:
        writer.append(a_step(0))
        with pytest.raises(TypeError, match="steps.reward"):
            writer.append(a_step(1, reward="high"))
        with pytest.raises(TypeError, match="calls.ticks"):
            writer.append(a_step(1), [a_call(1, ticks=None)])
        writer.append(a_step(1))
        assert [step.step for step in writer.progress("ep0").steps] == [0, 1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"status": "done"}, "status 'done' is none of"),
        ({"reason": "won"}, "reason 'won' is none of"),
        ({"status": "engine_error", "reason": "error"}, "value and success must be None"),
    ],
)
def test_an_end_that_would_mislead_is_refused(run: Path, change: dict, words: str):
    with RunWriter(run) as writer:
        writer.append(a_step(0))
        with pytest.raises(ValueError, match=words):
            writer.finish_episode(an_episode(**change))
        assert writer.progress("ep0").state == "in_progress"


def test_one_process_at_a_time_writes_a_run(run: Path):
    with RunWriter(run):
        other = subprocess.run(
            [sys.executable, "-c", f"from fle_ray.dataset import RunWriter; RunWriter({str(run)!r})"],
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
        )
        assert other.returncode == 1
        assert f"is being written by process {os.getpid()}" in other.stderr
    RunWriter(run).close()


def test_a_closed_writer_says_so(run: Path):
    writer = RunWriter(run)
    writer.close()
    writer.close()
    with pytest.raises(StorageError, match="is closed"):
        writer.append(a_step(0))


# A full disk


def test_a_disk_that_fills_up_while_an_episode_is_closed_harms_nothing_and_closing_can_be_repeated(
    run: Path, monkeypatch
):
    with RunWriter(run) as writer:
        writer.append(a_step(0, episode="before"))
        writer.finish_episode(an_episode(episode="before"))
        writer.append(a_step(0), [a_call(0)])
        real = PartStore.write

        def full(self, table, stem, rows):
            if table == "flows":
                raise_full()
            real(self, table, stem, rows)

        def raise_full():
            raise StorageError("Cannot write: the disk is full.") from OSError(errno.ENOSPC, "full")

        with monkeypatch.context() as patch:
            patch.setattr(PartStore, "write", full)
            with pytest.raises(StorageError, match="the disk is full"):
                writer.finish_episode(an_episode())
        seen = open_run(run)
        assert sorted(seen.steps()["program_id"]) == ["before-0", "ep0-0"]
        assert len(seen.flows()) == 4
        assert sorted(seen.episodes()["episode_id"]) == ["before", "ep0"]
        assert list(pd.read_parquet(run / "episodes")["episode_id"]) == ["before"]
        with pytest.raises(ValueError, match="is closed"):
            writer.append(a_step(1))
        writer.finish_episode(an_episode())
    assert sorted(pd.read_parquet(run / "episodes")["episode_id"]) == ["before", "ep0"]
    assert len(pd.read_parquet(run / "flows")) == 4


@pytest.fixture
def small_disk(tmp_path: Path):
    """A real file system of 1 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("mounting a tmpfs needs more rights than this process has")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_on_a_really_full_disk_everything_acknowledged_stays_readable_and_resuming_completes(small_disk: Path):
    run = small_disk / RUN
    acknowledged = 0
    writer = RunWriter(run)
    writer.append(a_step(0, episode="before"))
    writer.finish_episode(an_episode(episode="before"))
    with pytest.raises(StorageError, match="the disk is full") as raised:
        while True:
            writer.append(a_step(acknowledged, code=os.urandom(20_000).hex()))
            acknowledged += 1
    assert "\n" not in str(raised.value)
    assert acknowledged > 5
    assert len(open_run(run).steps()) == 1 + acknowledged
    with pytest.raises(StorageError, match="the disk is full"):
        writer.finish_episode(an_episode(steps=acknowledged))
    writer.close()
    for path in run.glob("*/*.parquet"):
        pq.read_table(path)
    assert len(open_run(run).steps()) == 1 + acknowledged
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    with RunWriter(run) as writer:  # the end of the episode was journalled, its parts are written now
        assert writer.recovery.finished == ["ep0-p000.jsonl"]
        assert writer.progress("ep0").state == "complete"
    assert len(pd.read_parquet(run / "steps")) == 1 + acknowledged
    assert sorted(pd.read_parquet(run / "episodes")["episode_id"]) == ["before", "ep0"]


# Elsewhere


def test_finished_parts_can_go_to_another_folder(run: Path, tmp_path: Path):
    parts = tmp_path / "elsewhere"
    with RunWriter(run, parts_root=parts) as writer:
        writer.append(a_step(0))
        writer.finish_episode(an_episode())
    assert len(pd.read_parquet(parts / "steps")) == 1
    assert not (run / "steps").exists()


def test_finished_parts_can_go_to_any_file_system_of_fsspec_and_be_resumed_from_there(run: Path):
    fsspec = pytest.importorskip("fsspec")
    url = "memory://bucket/test/run-1"
    try:
        with RunWriter(run, parts_root=url) as writer:
            writer.append(a_step(0), [a_call(0)])
            writer.finish_episode(an_episode(**OWED))
        with RunWriter(run, parts_root=url) as writer:
            assert writer.progress("ep0").next_step == 1
            writer.append(a_step(1))
            writer.finish_episode(an_episode(steps=2))
        seen = open_run(url)
        assert list(seen.steps()["step"]) == [0, 1]
        assert list(seen.episodes()["status"]) == ["ended"]
        assert [path.name for path in (run / "journal").iterdir()] == []
        names = fsspec.filesystem("memory").find("/bucket")
        assert not [name for name in names if ".tmp-" in name]
    finally:
        fsspec.filesystem("memory").store.clear()


def test_a_url_that_nothing_can_open_is_one_clear_line(run: Path):
    with pytest.raises(ConfigError, match="nosuch://") as raised:
        RunWriter(run, parts_root="nosuch://bucket/x")
    assert "\n" not in str(raised.value)
