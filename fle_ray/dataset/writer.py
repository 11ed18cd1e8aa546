"""The one writer of a run: makes steps durable, and turns closed episodes into Parquet."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from fle_ray.dataset.compact import Compacted, compact_tables
from fle_ray.dataset.journal import Journal, JournalContent, read_journal
from fle_ray.dataset.layout import JOURNAL, RUN_STEM, STATES, check_episode_id, fsync_folder, stem_of, storage_errors
from fle_ray.dataset.location import Location, locate
from fle_ray.dataset.lock import RunLock
from fle_ray.dataset.parts import PartStore, finalize, kept_states, state_references
from fle_ray.dataset.records import (
    REASONS,
    SCHEMA_VERSION,
    STATUSES,
    CallRecord,
    EpisodeRecord,
    EventRecord,
    MessageRecord,
    Record,
    StepRecord,
)
from fle_ray.dataset.recover import EpisodeProgress, Recovery, recover_run
from fle_ray.dataset.rows import Row, row_of
from fle_ray.dataset.states import KeepStates, StateStore
from fle_ray.errors import StorageError

__all__ = ["RunWriter"]


_REMEMBERED_BYTES = 64_000_000  # of journals, over all open episodes; beyond it they are read back at the end


@dataclass
class _OpenEpisode:
    """What the writer remembers of an episode while its journal is open."""

    journal: Journal
    content: JournalContent | None  # what the journal holds; None when that would take too much memory
    programs: set[str] = field(default_factory=set)
    steps_in_part: int = 0
    world: str | None = None  # held because resuming needs it; None when kept for good anyway
    sessions: dict[int, str | None] = field(default_factory=dict)
    closed: bool = False  # its end is journalled
    sealed: bool = False  # its part is full
    bytes: int = 0  # length of what `content` mirrors


class RunWriter:
    """Writes one run. Every method may be called from several threads; one process at a time holds a run.

    Opening repairs whatever an earlier writer left (see `recover_run`); `recovery` says what was found and
    `progress(episode_id)` how far each episode has come.

        with RunWriter("data/lab_play/my_run") as writer:
            writer.append(step, calls, messages, states={step.world_state: snapshot})  # returns: acknowledged
            writer.finish_episode(episode)  # now it is Parquet

    Args:
        run_dir: the run's folder, local; made when missing. Its name is the run's id.
        run_id: the run's id, when the folder is called otherwise.
        keep: which states stay beside those that resuming needs.
        parts_root: folder or URL for the finished Parquet files; `run_dir` when left out.
        steps_per_part: an episode longer than this is written in several parts.
        fsync: wait for the disk. Without it a killed process still loses nothing, a power cut may.

    Raises:
        StorageError: another process writes the run, or its folder cannot be used.
    """

    def __init__(
        self,
        run_dir: Path | str,
        *,
        run_id: str | None = None,
        keep: KeepStates | None = None,
        parts_root: str | Path | Location | None = None,
        steps_per_part: int = 2000,
        fsync: bool = True,
    ) -> None:
        self.run_dir = Path(run_dir).absolute()
        self.run_id = run_id or self.run_dir.name
        self.keep = keep or KeepStates()
        self._steps_per_part = steps_per_part
        self._fsync = fsync
        self._mutex = threading.RLock()
        self._lock = RunLock(self.run_dir)
        try:
            self._journal_folder = self.run_dir / JOURNAL
            with storage_errors(f"use {self.run_dir}"):
                self._journal_folder.mkdir(exist_ok=True)
                if fsync:
                    for made in (self.run_dir, *list(self.run_dir.parents)[:2]):  # run, experiment, root
                        fsync_folder(made)
            self._parts = PartStore(locate(parts_root or self.run_dir), fsync=fsync)
            self.states = StateStore(self.run_dir / STATES, fsync=fsync)
            self.recovery: Recovery = recover_run(self.run_dir, parts=self._parts, keep=self.keep)
            self._references: Counter[str] = state_references(self._parts)
            self._open: dict[str, _OpenEpisode] = {}
            self._remembered = 0
            for content in self.recovery.journals.values():
                self._take_up(content)
            for address in self.recovery.dropped_states:
                if not self._references[address]:
                    self.states.delete(address)
        except BaseException:
            self._lock.release()
            raise

    # Reading back

    def progress(self, episode_id: str) -> EpisodeProgress:
        """How far an episode has come, by what is on disk now."""
        with self._mutex:
            episode = self._open.get(check_episode_id(episode_id))
            if episode is not None:
                self.recovery.journals[episode_id] = self._content(episode)
            return self.recovery.progress(episode_id)

    # Writing

    def append(
        self,
        step: StepRecord,
        calls: Iterable[CallRecord] = (),
        messages: Iterable[MessageRecord] = (),
        events: Iterable[EventRecord] = (),
        *,
        states: Mapping[str, bytes] | None = None,
    ) -> None:
        """Record one step with all that belongs to it. When this returns, the step is acknowledged.

        Rows of `flows` follow from the step's `produced` and `consumed` and need not be given.

        Args:
            step: the step.
            calls, messages, events: of the same episode.
            states: address -> bytes of the snapshots the step refers to, stored before the step is. Those
                that are neither kept nor needed for resuming any more are deleted.

        Raises:
            StorageError: it could not be made durable and is not acknowledged; nothing recorded is harmed.
            TypeError: a value does not fit its column.
            ValueError: wrong run, episode or program, or a state that is neither given nor stored.
        """
        with self._mutex:
            entry = self._entry(step.episode_id, steps=[step], calls=calls, messages=messages, events=events)
            row = entry["steps"][0]
            for address in {row.get("world_state"), row.get("session_state")} - {None}:
                if address not in (states or {}) and address not in self.states:
                    raise ValueError(
                        f"Step {step.step} of {step.episode_id} refers to state {address}, which is neither "
                        "given nor stored. Pass its bytes in `states`."
                    )
            episode = self._episode(step.episode_id)
            if step.program_id in episode.programs:
                raise ValueError(
                    f"Program {step.program_id} of {step.episode_id} is recorded already (step {step.step}). "
                    "Ask progress() where to go on."
                )
            for address, data in (states or {}).items():
                self.states.put(data, address)
            self._journal(episode, entry)
            episode.programs.add(step.program_id)
            episode.steps_in_part += 1
            self._hold(episode, row)

    def append_rows(
        self,
        episode_id: str,
        *,
        messages: Iterable[MessageRecord] = (),
        events: Iterable[EventRecord] = (),
    ) -> None:
        """Record rows of an episode that belong to no step, e.g. the system prompt. Raises as `append`."""
        with self._mutex:
            entry = self._entry(episode_id, messages=messages, events=events)
            if entry:
                self._journal(self._episode(episode_id), entry)

    def append_reply(self, episode_id: str, *, agent_idx: int, agent_step: int, try_: int = 0, reply: Any) -> None:
        """Record a model's reply before its program runs, so that a resumed run need not ask again.

        Args:
            reply: plain JSON values; given back by `progress(episode_id).replies`.

        Raises:
            StorageError: it could not be made durable.
            TypeError: JSON cannot hold it.
        """
        with self._mutex:
            key = {"agent_idx": agent_idx, "agent_step": agent_step, "try": try_}
            reply = json.loads(json.dumps(reply))  # the caller may go on changing its own
            self._journal(self._episode(check_episode_id(episode_id)), {"reply": {**key, "reply": reply}})

    def append_events(self, events: Iterable[EventRecord]) -> None:
        """Record events of the run as a whole; they become a part when the writer is closed."""
        with self._mutex:
            rows = [self._row(event, event.episode_id) for event in events]
            if rows:
                self._journal(self._episode(RUN_STEM), {"events": rows})

    def finish_episode(self, record: EpisodeRecord) -> None:
        """Close an episode: its journal becomes Parquet, its row of `episodes` becomes visible last.

        An episode closed with a status other than `ended` is owed: appending to it takes it up again, and
        finishing it again replaces its row. After a StorageError call it again, or resume: nothing is lost.

        Raises:
            StorageError: it could not be written; the journal stays and is read.
            TypeError, ValueError: the record is not valid.
        """
        with self._mutex:
            _check_end(record)
            row = self._row(record, check_episode_id(record.episode_id))
            episode = self._episode(record.episode_id, closing=True)
            if not episode.closed:
                self._journal(episode, {"end": row})
                episode.closed = True
            self._finalize(record.episode_id, episode)
            self.recovery.status[record.episode_id] = record.status

    def compact(self) -> list[Compacted]:
        """Merge the parts of complete episodes into few well-sized files; for the end of a run.

        Returns:
            What was done, a table each; nothing where the parts are not local.

        Raises:
            StorageError: a file could not be read or written; the dataset is as before.
        """
        with self._mutex:
            root = self._parts.root.local
            return [] if root is None else compact_tables(root, self.recovery)

    def close(self) -> None:
        """Write the run's own events out, and let others write. Open episodes keep their journals."""
        with self._mutex:
            if self._lock is None:
                return
            try:
                if (own := self._open.get(RUN_STEM)) is not None:
                    self._finalize(RUN_STEM, own)
            finally:
                for episode in self._open.values():
                    episode.journal.close()
                self._open.clear()
                self._lock.release()
                self._lock = None

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Within

    def _row(self, record: Record, episode_id: str | None) -> Row:
        row = row_of(record)
        if row["run_id"] != self.run_id:
            raise ValueError(f"A record of run {row['run_id']!r} was given to the writer of {self.run_id!r}.")
        if row.get("episode_id") != episode_id:
            raise ValueError(
                f"A row of {record.TABLE} is of episode {row.get('episode_id')!r}, expected {episode_id!r}."
            )
        return row

    def _entry(self, episode_id: str, **tables: Iterable[Record]) -> dict[str, list[Row]]:
        check_episode_id(episode_id)
        entry = {}
        for table, records in tables.items():
            if rows := [self._row(record, episode_id) for record in records]:
                entry[table] = rows
        return entry

    def _episode(self, episode_id: str, *, closing: bool = False) -> _OpenEpisode:
        """The open episode, begun or taken up again when there is none; a full part is written out first."""
        if self._lock is None:
            raise StorageError(f"The writer of {self.run_dir} is closed. Open a new RunWriter to go on.")
        episode = self._open.get(episode_id)
        if episode is not None:
            if episode.closed and not closing:
                raise ValueError(f"Episode {episode_id} is closed; finish_episode() must succeed first.")
            if episode.steps_in_part < self._steps_per_part or closing:
                return episode
            self._seal(episode_id, episode)
        if self.recovery.status.get(episode_id) == "ended":
            raise ValueError(f"Episode {episode_id} is complete; nothing can be added to it.")
        part = self.recovery.next_part(episode_id)
        stem = stem_of(episode_id, part)
        header = {
            "schema_version": SCHEMA_VERSION,
            "run_id": self.run_id,
            "episode_id": episode_id,
            "part": part,
            "keep": asdict(self.keep),
        }
        journal = Journal.create(self._journal_folder / f"{stem}.jsonl", header, fsync=self._fsync)
        self.recovery.stems.setdefault(episode_id, {}).setdefault("journal", []).append(stem)
        content = JournalContent(journal.path, header=header)
        episode = _OpenEpisode(journal, content, self._programs_in_parts(episode_id))
        self._open[episode_id] = episode
        return episode

    def _programs_in_parts(self, episode_id: str) -> set[str]:
        stems = self.recovery.stems.get(episode_id, {}).get("steps", ())
        return {
            program
            for stem in stems
            for program in self._parts.read("steps", stem, ["program_id"]).column(0).to_pylist()
        }

    def _take_up(self, content: JournalContent) -> None:
        """Go on with a journal that an earlier writer left."""
        episode_id = content.header["episode_id"]
        steps = content.rows["steps"]
        episode = _OpenEpisode(
            Journal.reopen(content, fsync=self._fsync),
            None,
            self._programs_in_parts(episode_id) | {row["program_id"] for row in steps},
            len(steps),
        )
        worlds, sessions = kept_states(steps, self.keep)
        for row, world, session in zip(steps, worlds, sessions, strict=True):
            self._references.update(address for address in (world, session) if address)
            if row["accepted"] and not self.keep.keeps(row["step"]):
                episode.world = world or episode.world
                if session:
                    episode.sessions[row["agent_idx"]] = session
            elif row["accepted"]:
                if world:
                    episode.world = None
                if session:
                    episode.sessions[row["agent_idx"]] = None
        self._open[episode_id] = episode

    def _journal(self, episode: _OpenEpisode, entry: dict[str, Any]) -> None:
        """Make an entry durable, and remember it for the episode's end if there is room for that."""
        written = episode.journal.append(entry)
        if episode.content is None:
            return
        if self._remembered + written <= _REMEMBERED_BYTES:
            episode.content.add(entry)
            episode.bytes += written
            self._remembered += written
        else:
            self._remembered -= episode.bytes
            episode.content, episode.bytes = None, 0

    def _content(self, episode: _OpenEpisode) -> JournalContent:
        if episode.content is not None:
            return episode.content
        with storage_errors(f"read the journal {episode.journal.path}"):
            return read_journal(episode.journal.path)

    def _hold(self, episode: _OpenEpisode, row: Row) -> None:
        """Count the states of an acknowledged step, and let go of those it replaces."""
        world, session, agent = row.get("world_state"), row.get("session_state"), row["agent_idx"]
        self._references.update(address for address in (world, session) if address)
        for_good = self.keep.keeps(row["step"])
        if not row["accepted"]:
            if not for_good:
                self._let_go(world)
                self._let_go(session)
            return
        if world:
            self._let_go(episode.world)
            episode.world = None if for_good else world
        if session:
            self._let_go(episode.sessions.get(agent))
            episode.sessions[agent] = None if for_good else session

    def _let_go(self, address: str | None) -> None:
        if address is None:
            return
        self._references[address] -= 1
        if self._references[address] <= 0:
            del self._references[address]
            try:
                self.states.delete(address)
            except StorageError:
                pass  # the step is durable all the same; opening the run the next time deletes the state

    def _seal(self, episode_id: str, episode: _OpenEpisode) -> None:
        """Write out a full part of a long episode; a further journal goes on."""
        if not episode.sealed:
            self._journal(episode, {"sealed": True})
            episode.sealed = True
        self._finalize(episode_id, episode)

    def _finalize(self, episode_id: str, episode: _OpenEpisode) -> None:
        content = self._content(episode)
        finalize(content, self._parts, self.keep)
        episode.journal.close()
        stem = episode.journal.path.name.removesuffix(".jsonl")
        stems = self.recovery.stems[episode_id]
        stems["journal"].remove(stem)
        for table, rows in content.rows.items():
            if rows:
                stems.setdefault(table, []).append(stem)
        self.recovery.journals.pop(episode_id, None)
        self._remembered -= episode.bytes
        del self._open[episode_id]


def _check_end(record: EpisodeRecord) -> None:
    if record.status not in STATUSES:
        raise ValueError(f"status {record.status!r} is none of {', '.join(STATUSES)}.")
    if record.reason not in REASONS:
        raise ValueError(f"reason {record.reason!r} is none of {', '.join(REASONS)}.")
    if record.status != "ended" and (record.value is not None or record.success is not None):
        raise ValueError(
            f"Episode {record.episode_id} has status {record.status!r}, so its value and success must be "
            "None: a fault of ours is not a result."
        )
