"""Who plays what next, and what becomes of it: the part of a run that every backend shares, and the serial backend.

`Work` holds a run's queue of episodes. A backend takes jobs from it, plays them wherever it plays, and hands back what
comes of them; `Work` makes it durable, counts it, decides about faults and tells when to stop. `SerialBackend` plays
in this process, one episode after another; `driver.RayBackend` plays on Ray. Both yield the same records.
"""

from __future__ import annotations

import json
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from fle_ray.dataset.records import EpisodeRecord, EventRecord, MessageRecord, StepRecord
from fle_ray.dataset.recover import EpisodeProgress
from fle_ray.errors import EngineError, SnapshotError, StorageError
from fle_ray.experiment import build
from fle_ray.experiment.episode import Item, Opening, Reply, Resume, Step, Stopped, Tally, play_episode
from fle_ray.experiment.gateway import Gateway, Note, through
from fle_ray.experiment.spec import AgentSpec, Budget, EpisodeSpec, PartSpec
from fle_ray.tasks import get_task

if TYPE_CHECKING:
    from fle_ray.agents import Agent
    from fle_ray.dataset.writer import RunWriter
    from fle_ray.experiment.progress import Progress
    from fle_ray.game.contracts import Instance

__all__ = ["Backend", "Fault", "Job", "SerialBackend", "Stage", "Work"]

CONTROL = ".control"  # in a run's folder: what `python -m fle_ray.runs` asks of the process that writes it
_CONTROL_EVERY_S = 0.5


@dataclass(frozen=True, slots=True)
class Job:
    """An episode to play now. `resume` is None for one that begins; `attempts` counts this one."""

    spec: EpisodeSpec
    run_id: str
    resume: Resume | None = None
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """The game failed, or whoever played it is gone. Plain text, so that it crosses any border.

    Attributes:
        kind: name of the exception, or "ActorDied". step: where, None when unknown.
    """

    kind: str
    message: str
    traceback: str = ""
    step: int | None = None


class Stage:
    """Plays jobs one at a time on a game that is kept between them, and replaced when it failed or must differ.

    Args:
        new_agent: makes the agents from their specification and the run's id.
    """

    def __init__(self, new_agent: Callable[[AgentSpec, str], Agent]) -> None:
        self._new_agent = new_agent
        self._instance: Instance | None = None
        self._engine: PartSpec | None = None

    def play(self, job: Job, control: Callable[[], str | None]) -> Iterator[Item | Fault]:
        """Everything that is to be recorded of a job; a failure of the game comes last, as a Fault."""
        sessions: list[Any] = []
        try:
            agents = [self._new_agent(agent, job.run_id) for agent in job.spec.agents]
        except EngineError as error:  # an actor that should hold them is gone
            yield _fault(error)
            return
        except Exception as error:
            yield _not_made(job, error)
            return
        try:
            yield from play_episode(
                job.spec,
                self._env(job.spec, sessions),
                agents,
                run_id=job.run_id,
                system_prompts=_prompts(job.spec.task, json.dumps(job.spec.task_parameters, sort_keys=True)),
                resume=job.resume,
                control=control,
                attempts=job.attempts,
                engine_version=build.engine_version(job.spec.engine),
            )
        except EngineError as error:
            self.close()
            yield _fault(error)
        finally:
            for session in sessions:
                session.close()
            if getattr(self._instance, "on_loan", False):
                self.close()  # others may be waiting for the server

    def _env(self, spec: EpisodeSpec, sessions: list[Any]) -> Any:
        """The environment on this stage's game; its sessions are noted, for they are closed after the episode."""
        try:
            if self._instance is None or self._engine != spec.engine:
                self.close()
                self._instance, self._engine = build.new_instance(spec.engine), spec.engine
            make_session = build.new_make_session(spec.interpreter, spec.limits)

            def noted(*args: Any, **kwargs: Any) -> Any:
                session = make_session(*args, **kwargs)
                sessions.append(session)
                return session

            return build.new_env(spec, self._instance, noted)
        except EngineError:
            raise
        except Exception as error:
            raise EngineError(
                f"The game could not be started: {type(error).__name__}: {error}", episode_id=spec.episode_id
            ) from error

    def close(self) -> None:
        """Let go of the game; the next job gets a new one."""
        instance, self._instance = self._instance, None
        if instance is not None:
            try:
                instance.close()
            except EngineError:
                pass  # it failed already, which is why it is closed


def _fault(error: EngineError) -> Fault:
    cause = error.__cause__ or error
    return Fault(type(cause).__name__, str(error), "".join(traceback.format_exception(error)), error.step)


def _not_made(job: Job, error: Exception) -> EpisodeRecord:
    """The record of an episode whose agent's constructor raised."""
    tally = Tally()
    for step in job.resume.progress.steps if job.resume is not None else ():
        tally.add(step)
    return tally.record(
        job.spec, run_id=job.run_id, status="agent_error", reason="error", attempts=job.attempts, error=error
    )


@lru_cache(maxsize=64)
def _prompts(task_key: str, parameters: str) -> tuple[str, ...]:
    task = get_task(task_key, **json.loads(parameters))
    return tuple(build.system_prompt(task, i) for i in range(task.agents))


# ---- the run's queue


@dataclass
class _Running:
    """An episode that has begun in this process or before: all that is needed to take it up again."""

    spec: EpisodeSpec
    steps: list[StepRecord] = field(default_factory=list)
    messages: list[MessageRecord] = field(default_factory=list)
    replies: dict[tuple[int, int, int], Any] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    attempts: int = 0
    retries: int = 0  # after faults of the game, in this process

    def progress(self) -> EpisodeProgress:
        return EpisodeProgress(
            self.spec.episode_id,
            "in_progress" if self.steps or self.messages else "unstarted",
            None,
            tuple(self.steps),
            tuple(self.messages),
            dict(self.replies),
        )


class Work:
    """The queue of a run and the keeper of its records.

    Args:
        specs: the planned episodes, in order; those that are complete are left out.
        writer: makes records durable.
        progress: is told what happens.
        budget: of the run.
        max_episode_retries: how often an episode is taken up again after a fault of the game.
        log_dir: where programs and observations go as plain files; None for nowhere.
        clock: monotonic seconds.

    Attributes:
        records: rows of the episodes that are closed, by id, those of earlier sessions included.
    """

    def __init__(
        self,
        specs: tuple[EpisodeSpec, ...],
        writer: RunWriter,
        progress: Progress,
        *,
        budget: Budget | None = None,
        max_episode_retries: int = 2,
        log_dir: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.specs = specs
        self.writer = writer
        self.run_id = writer.run_id
        self.records: dict[str, EpisodeRecord] = {}
        self._progress = progress
        self._budget = budget or Budget()
        self._max_retries = max_episode_retries
        self._log_dir = log_dir
        self._clock = clock
        self._began = clock()
        self._queue: deque[str] = deque()
        self._episodes: dict[str, _Running] = {}
        self._active: set[str] = set()
        self._total = Tally()
        self._stop: str | None = None  # "drain" or "cancel"
        self._paused = False
        self._control_read_at = float("-inf")
        self._control_path = writer.run_dir / CONTROL
        self._control_path.unlink(missing_ok=True)
        for spec in specs:
            self._enlist(spec)
        self.resumed = sum(1 for e in self._episodes.values() if e.steps)

    def _enlist(self, spec: EpisodeSpec) -> None:
        found = self.writer.progress(spec.episode_id)
        if found.state == "complete":
            assert found.record is not None
            self.records[spec.episode_id] = found.record
            self._progress.ended(found.record, before=True)
            return
        episode = _Running(spec, list(found.steps), list(found.messages), dict(found.replies))
        for step in found.steps:
            episode.tally.add(step)
            self._total.add(step)
        if found.record is not None:
            episode.attempts = found.record.attempts
        elif found.steps or found.messages:
            episode.attempts = 1
        self._episodes[spec.episode_id] = episode
        self._queue.append(spec.episode_id)

    # -- for backends

    def next_job(self) -> Job | None:
        """The next episode to begin or go on with; None while there is none, or none may begin."""
        if not self._queue or self.order() is not None:
            return None
        episode = self._episodes[self._queue.popleft()]
        episode.attempts += 1
        progress = episode.progress()
        resume = None
        if progress.state != "unstarted":
            resume = Resume(progress, self._states(progress))
            if episode.attempts > 1:
                self._event("resumed", f"goes on at step {progress.next_step}", episode, step=progress.next_step)
        self._active.add(episode.spec.episode_id)
        self._progress.started(episode.spec, len(progress.steps))
        return Job(episode.spec, self.run_id, resume, episode.attempts)

    def _states(self, progress: EpisodeProgress) -> dict[str, bytes]:
        """The states an episode goes on from; one that was not kept is left out, and missed where it is needed."""
        wanted = {progress.world_state, *progress.session_states.values()} - {None}
        found = {}
        for address in sorted(wanted):  # type: ignore[type-var]
            try:
                found[address] = self.writer.states.get(address)
            except StorageError:
                if address in self.writer.states:
                    raise
        return found

    @property
    def finished(self) -> bool:
        """Nothing is left to begin: all is played, or the run is stopping."""
        return not self._paused and (not self._queue or self.order() is not None)

    def order(self) -> str | None:
        """What running episodes are to do: None goes on; "drain", "cancel" or "budget" stops before the next step."""
        self._read_control()
        if self._stop is not None:
            return self._stop
        if self._paused:
            return "drain"
        if self._total.exceeded(self._budget, wall_s=self._clock() - self._began):
            return "budget"
        return None

    def take_notes(self, notes: Iterable[Note]) -> None:
        """Record what the gateway to models tells: rows of `events` that concern the whole run."""
        self.writer.append_events(
            EventRecord(
                run_id=self.run_id,
                at=note.at,
                kind=note.kind,
                source=note.source,
                message=note.message,
                value=note.value,
                meta=json.dumps(note.meta, sort_keys=True) if note.meta else None,
            )
            for note in notes
        )

    def note(self, text: str) -> None:
        """Something the user should know."""
        self._progress.note(text)

    def stop(self, order: str) -> None:
        """Ask for an end: "drain" keeps everything for another time, "cancel" closes all as cancelled."""
        self._stop = order

    def take(self, job: Job, item: Item | Fault) -> None:
        """Make an item durable; when this returns, it is acknowledged.

        Raises:
            StorageError: it could not be made durable. The run must stop.
        """
        episode = self._episodes[job.spec.episode_id]
        if isinstance(item, Step):
            self.writer.append(item.record, item.calls, item.messages, states=item.states)
            episode.steps.append(item.record)
            episode.messages += item.messages
            step = item.record
            episode.replies.pop((step.agent_idx, step.agent_step, step.try_), None)
            episode.tally.add(step)
            self._total.add(step)
            self._log_step(item)
            self._progress.step(job.spec, step)
        elif isinstance(item, Reply):
            self.writer.append_reply(
                job.spec.episode_id,
                agent_idx=item.agent_idx,
                agent_step=item.agent_step,
                try_=item.try_,
                reply=item.reply,
            )
            episode.replies[item.agent_idx, item.agent_step, item.try_] = item.reply
        elif isinstance(item, Opening):
            self.writer.append_rows(job.spec.episode_id, messages=item.messages)
            episode.messages += item.messages
            self._log_prompts(job.spec, item)
        elif isinstance(item, EpisodeRecord):
            self._close(item)
        elif isinstance(item, Stopped):
            self._active.discard(job.spec.episode_id)
            self._queue.appendleft(job.spec.episode_id)
            self._progress.stopped(job.spec)
        elif isinstance(item, Fault):
            self._failed(episode, item)
        else:
            raise TypeError(f"A backend handed over a {type(item).__name__}.")

    # -- what becomes of episodes

    def _failed(self, episode: _Running, fault: Fault) -> None:
        """Queue the episode again from its last acknowledged step, or close it as what failed.

        A snapshot that cannot be read today cannot be read in a second either: that is not retried.
        """
        spec = episode.spec
        episode.retries += 1
        if fault.kind == SnapshotError.__name__:
            episode.retries = self._max_retries + 1
        self._event("engine_failed", f"{fault.kind}: {fault.message}", episode, step=fault.step)
        self._active.discard(spec.episode_id)
        if episode.retries <= self._max_retries:
            self._progress.retried(spec, fault.message, episode.retries)
            self._queue.appendleft(spec.episode_id)
            return
        self._close(
            episode.tally.record(
                spec,
                run_id=self.run_id,
                status="engine_error",
                reason="error",
                attempts=episode.attempts,
                error_kind=fault.kind,
                error_message=fault.message,
                error_traceback=fault.traceback or None,
            )
        )

    def give_up(self, why: str) -> None:
        """Close every episode that has not ended as engine_error: there is nothing left to play them on."""
        for episode_id in [*self._active, *self._queue]:
            episode = self._episodes[episode_id]
            if episode.steps or episode.attempts:
                self._failed_for_good(episode, why)
        self._stop = self._stop or "drain"

    def _failed_for_good(self, episode: _Running, why: str) -> None:
        episode.retries = self._max_retries
        self._queue = deque(e for e in self._queue if e != episode.spec.episode_id)
        self._failed(episode, Fault("NoInstances", why))

    def _close(self, record: EpisodeRecord) -> None:
        self.writer.finish_episode(record)
        self.records[record.episode_id] = record
        self._active.discard(record.episode_id)
        self._episodes.pop(record.episode_id, None)
        self._progress.ended(record)

    @property
    def open_steps(self) -> list[StepRecord]:
        """Recorded steps of the episodes that have no verdict."""
        return [step for episode in self._episodes.values() for step in episode.steps]

    @property
    def owed(self) -> list[EpisodeSpec]:
        """Planned episodes without a verdict, in order."""
        return [
            spec
            for spec in self.specs
            if spec.episode_id not in self.records or self.records[spec.episode_id].status != "ended"
        ]

    def counts(self) -> dict[str, int]:
        """Episodes planned, ended, owed; those closed by a fault, by status."""
        out = {"planned": len(self.specs), "ended": 0, "owed": len(self.owed)}
        for record in self.records.values():
            out[record.status] = out.get(record.status, 0) + 1
        return out

    @property
    def budget_reached(self) -> str | None:
        """Which limit of the run's budget is reached, in words."""
        return self._total.exceeded(self._budget, wall_s=self._clock() - self._began)

    # -- orders from outside

    def _read_control(self) -> None:
        """Look, now and then, whether another process asks for something."""
        at = self._clock()
        if at - self._control_read_at < _CONTROL_EVERY_S:
            return
        self._control_read_at = at
        try:
            order = self._control_path.read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            order = ""
        if order == "cancel":
            self._stop = "cancel"
        self._paused = order == "pause"

    def _event(self, kind: str, message: str, episode: _Running, step: int | None = None) -> None:
        event = EventRecord(
            run_id=self.run_id,
            episode_id=episode.spec.episode_id,
            step=step,
            at=datetime.now(UTC),
            kind=kind,
            source="driver",
            message=message,
            value=float(episode.attempts),
        )
        self.writer.append_rows(episode.spec.episode_id, events=[event])

    # -- plain files

    def _log_step(self, item: Step) -> None:
        if self._log_dir is None:
            return
        step = item.record
        stem = f"agent{step.agent_idx}_step{step.agent_step:04d}" + (f"_try{step.try_}" if step.try_ else "")
        folder = self._log_folder(step.episode_id)
        (folder / f"{stem}.py").write_text(step.code or "# no program\n", encoding="utf-8")
        (folder / f"{stem}.txt").write_text(item.observation, encoding="utf-8")

    def _log_prompts(self, spec: EpisodeSpec, item: Opening) -> None:
        if self._log_dir is None:
            return
        for message in item.messages:
            if message.role == "system" and message.idx == 0:
                path = self._log_folder(spec.episode_id) / f"agent{message.agent_idx}_system.txt"
                path.write_text(message.content, encoding="utf-8")

    def _log_folder(self, episode_id: str) -> Path:
        assert self._log_dir is not None
        folder = self._log_dir / self.run_id / episode_id
        folder.mkdir(parents=True, exist_ok=True)
        return folder


# ---- backends


class Backend(Protocol):
    """Plays the jobs of a `Work` until it is finished."""

    def prepare(self) -> None:
        """Start what is needed. Raises ConfigError when it is not there."""

    def run(self, work: Work) -> None: ...

    def stop_now(self) -> None:
        """Called from a signal handler on the second Ctrl-C: leave as soon as possible."""


class SerialBackend:
    """One episode after another in this process. No Ray, so a debugger can be anywhere.

    Args:
        gateway: that calls of models go through; None lets each agent call by itself.
    """

    def __init__(self, gateway: Gateway | None = None) -> None:
        self._gateway = gateway

    def prepare(self) -> None:
        """Nothing is needed."""

    def run(self, work: Work) -> None:
        gateway = self._gateway
        complete = gateway.complete if gateway is not None else None
        stage = Stage(lambda spec, run_id: through(build.new_agent(spec), complete, run_id))
        try:
            while not work.finished:
                job = work.next_job()
                if job is None:  # paused
                    time.sleep(_CONTROL_EVERY_S)
                    continue
                for item in stage.play(job, work.order):
                    work.take(job, item)
                    if gateway is not None:
                        work.take_notes(gateway.take_notes())
        finally:
            stage.close()
            if gateway is not None:
                work.take_notes(gateway.take_notes())
                gateway.close()

    def stop_now(self) -> None:
        raise KeyboardInterrupt
