"""What a run's folder holds after it was left, however it was left, and the repair of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from fle_ray.dataset.journal import JournalContent, TornTail, read_journal, set_torn_aside
from fle_ray.dataset.layout import JOURNAL, RUN_STEM, STATES, is_temporary, split_stem, storage_errors
from fle_ray.dataset.location import Location, locate
from fle_ray.dataset.parts import PartStore, episode_stems, finalize, kept_states
from fle_ray.dataset.records import TABLES, EpisodeRecord, MessageRecord, StepRecord
from fle_ray.dataset.rows import Row, record_of
from fle_ray.dataset.states import KeepStates, StateStore
from fle_ray.dataset.swap import repair_tables

__all__ = ["EpisodeProgress", "Recovery", "recover_run"]


@dataclass(frozen=True)
class EpisodeProgress:
    """How far an episode has come.

    Attributes:
        episode_id: its id.
        state: "unstarted", "in_progress" (acknowledged steps, no closed record), "owed" (closed with a status
            other than `ended`) or "complete".
        record: its row of `episodes`; None unless closed.
        steps: acknowledged steps in order, rejected tries included.
        messages: its agents' conversations, in the order they were written.
        replies: (agent_idx, agent_step, try) -> a model's reply that was journalled, but whose step was not.
    """

    episode_id: str
    state: str
    record: EpisodeRecord | None = None
    steps: tuple[StepRecord, ...] = ()
    messages: tuple[MessageRecord, ...] = ()
    replies: Mapping[tuple[int, int, int], Any] = field(default_factory=dict)

    @property
    def next_step(self) -> int:
        """Number of the step to play next, rejected tries counted."""
        if self.state == "complete" and self.record is not None:
            return self.record.steps
        return self.steps[-1].step + 1 if self.steps else 0

    @cached_property
    def last_accepted(self) -> StepRecord | None:
        """The step whose end is the current state of the world; None for the task's own starting state."""
        return next((step for step in reversed(self.steps) if step.accepted), None)

    @property
    def world_state(self) -> str | None:
        """Address of the snapshot to restore; None when nothing was accepted, or it was not stored."""
        return self.last_accepted.world_state if self.last_accepted else None

    @cached_property
    def session_states(self) -> dict[int, str]:
        """agent_idx -> address of its variables after its own last accepted step."""
        return {step.agent_idx: step.session_state for step in self.steps if step.accepted and step.session_state}


@dataclass
class Recovery:
    """What `recover_run` found and did.

    Attributes:
        status: episode_id -> status of every closed episode; `ended` is complete, any other is owed.
        finished: journals whose interrupted finalisation was completed now.
        torn: torn tails that were set aside now.
        swept: temporary files of killed writers that were deleted now.
        dropped_states: states that journals mention and that are not to be kept.
    """

    parts: PartStore
    journal_folder: Path
    status: dict[str, str] = field(default_factory=dict)
    finished: list[str] = field(default_factory=list)
    torn: list[TornTail] = field(default_factory=list)
    swept: list[str] = field(default_factory=list)
    dropped_states: set[str] = field(default_factory=set)
    stems: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    journals: dict[str, JournalContent] = field(default_factory=dict)

    @property
    def complete(self) -> tuple[str, ...]:
        """Episodes with a verdict, sorted."""
        return tuple(sorted(e for e, status in self.status.items() if status == "ended"))

    @property
    def in_progress(self) -> tuple[str, ...]:
        """Episodes with acknowledged rows that are not closed, sorted."""
        started = {episode for episode in self.stems if episode != RUN_STEM}
        return tuple(sorted((started - self.status.keys()) | self.journals.keys()))

    @property
    def owed(self) -> tuple[str, ...]:
        """Episodes that were closed with an error status and not taken up again, sorted."""
        return tuple(sorted(e for e, s in self.status.items() if s != "ended" and e not in self.journals))

    def next_part(self, episode_id: str) -> int:
        """Number of the next part of an episode."""
        used = [
            split_stem(stem)[1]  # type: ignore[index]
            for stems in self.stems.get(episode_id, {}).values()
            for stem in stems
        ]
        return max(used, default=-1) + 1

    def progress(self, episode_id: str) -> EpisodeProgress:
        """How far an episode has come, with all that is needed to go on.

        Steps and messages of a complete episode are left out: nothing goes on from there, and compaction may
        have moved them; `open_run` reads them.
        """
        status = self.status.get(episode_id)
        if status == "ended":
            return EpisodeProgress(episode_id, "complete", self._record(episode_id))
        own = self.stems.get(episode_id, {})
        if not own and status is None and episode_id not in self.journals:
            return EpisodeProgress(episode_id, "unstarted")
        steps = [record_of("steps", row) for row in self._rows(episode_id, "steps")]
        messages = [record_of("messages", row) for row in self._rows(episode_id, "messages")]
        played = {(step.agent_idx, step.agent_step, step.try_) for step in steps}
        replies = {}
        if content := self.journals.get(episode_id):
            for reply in content.replies:
                key = (reply["agent_idx"], reply["agent_step"], reply["try"])
                if key not in played:
                    replies[key] = reply["reply"]
        state = "in_progress" if status is None or episode_id in self.journals else "owed"
        record = self._record(episode_id) if status is not None else None
        return EpisodeProgress(episode_id, state, record, tuple(steps), tuple(messages), replies)

    def _rows(self, episode_id: str, table: str) -> list[Row]:
        rows: list[Row] = []
        for stem in self.stems.get(episode_id, {}).get(table, ()):
            rows.extend(self.parts.read(table, stem).to_pylist())
        if content := self.journals.get(episode_id):
            rows.extend(content.rows[table])
        return rows

    def _record(self, episode_id: str) -> EpisodeRecord:
        import pyarrow.dataset as ds

        own = self.parts.root / "episodes" / f"{episode_id}.parquet"
        if own.name in (self.parts.root / "episodes").names():
            return record_of("episodes", self.parts.read("episodes", episode_id).to_pylist()[0])
        found = ds.dataset(
            (self.parts.root / "episodes").path, filesystem=self.parts.root.filesystem, format="parquet"
        ).to_table(filter=ds.field("episode_id") == episode_id)
        return record_of("episodes", found.to_pylist()[0])


def recover_run(
    run_dir: Path | str,
    *,
    parts: PartStore | None = None,
    keep: KeepStates | None = None,
) -> Recovery:
    """Repair a run's folder and say what it holds. Only for the process that holds the run's lock.

    Deletes temporary files, sets torn tails aside, completes interrupted finalisations and compactions. Doing
    it twice changes nothing more. Rows of the run itself (`events`) in a journal left behind become a part.

    Args:
        run_dir: the run's own folder, with `journal/` and `states/`.
        parts: where finished parts lie; `run_dir` when left out.
        keep: which states stay; as the journals say when left out.

    Raises:
        StorageError: something could not be read or written.
    """
    folder = Path(run_dir)
    where: Location = locate(folder)
    parts = parts or PartStore(where)
    recovery = Recovery(parts, folder / JOURNAL)
    with storage_errors(f"repair {folder}"):
        for root in {folder.absolute(), parts.root.local} - {None}:
            recovery.swept += repair_tables(root)
        recovery.swept += parts.sweep(TABLES)
        recovery.swept += [str(path) for path in StateStore(folder / STATES).sweep()]
        if recovery.journal_folder.is_dir():
            for path in sorted(recovery.journal_folder.iterdir()):
                if is_temporary(path.name):
                    path.unlink()
                    recovery.swept.append(str(path))
                elif path.suffix == ".jsonl":
                    _recover_journal(path, recovery, keep)
    recovery.stems = episode_stems(parts, recovery.journal_folder)
    for table in parts.read_all("episodes", ["episode_id", "status"]):
        recovery.status.update(
            zip(table.column("episode_id").to_pylist(), table.column("status").to_pylist(), strict=True)
        )
    return recovery


def _recover_journal(path: Path, recovery: Recovery, keep: KeepStates | None) -> None:
    content = read_journal(path)
    if torn := set_torn_aside(content):
        recovery.torn.append(torn)
        content.torn = b""
    if not content.header:  # killed before its first line was whole: nothing was acknowledged
        path.unlink()
        return
    rule = keep or KeepStates(**content.header["keep"])
    steps = content.rows["steps"]
    worlds, sessions = kept_states(steps, rule)
    kept = {*worlds, *sessions}
    for row in steps:
        recovery.dropped_states |= {row.get("world_state"), row.get("session_state")} - kept - {None}
    episode_id = content.header["episode_id"]
    if content.end is not None or content.sealed or episode_id == RUN_STEM:
        finalize(content, recovery.parts, rule)
        recovery.finished.append(path.name)
    else:
        recovery.journals[episode_id] = content
