"""The jobs of a sweep, each a run of its own, played together.

Jobs that can share a pool of instances (the same Ray, number and size of instances, gateway to models) are packed on
it: they are opened one after another as instances come free, and closed one by one. What one job plays is what it
would play alone, for an episode begins with a game that was reset. Jobs of the serial backend are played in turn.
"""

from __future__ import annotations

import dataclasses
import shlex
import sys
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from fle_ray.config import Config, RunnerConfig
from fle_ray.dataset.records import EpisodeRecord
from fle_ray.errors import ConfigError, EngineError, StorageError
from fle_ray.experiment import build
from fle_ray.experiment.backend import SerialBackend, Work
from fle_ray.experiment.plan import Plan
from fle_ray.experiment.progress import JobProgress, make_progress
from fle_ray.experiment.run import (
    EXIT_MISTAKE,
    EXIT_OK,
    EXIT_OWED,
    EXIT_STOPPED_NOW,
    STOPPED_NOW,
    Invocation,
    OpenRun,
    find_run,
    gateway_maker,
    make_console,
    needs,
    signals,
    what_is_owed,
)
from fle_ray.experiment.spec import PartSpec
from fle_ray.experiment.summary import print_plan

__all__ = ["JobResult", "SweepJob", "not_begun", "play_jobs", "say_what_is_owed"]

_COMMANDS = 10  # how many jobs that owe something are told with their own command


@dataclass(frozen=True)
class SweepJob:
    """One job: a run to play. `number` counts from 0 in the sweep."""

    number: int
    config: Config
    plan: Plan
    invocation: Invocation

    @property
    def name(self) -> str:
        return f"#{self.number}"


@dataclass
class JobResult:
    """What came of a job.

    Attributes:
        code: its exit status; see `run`.
        run_dir: its run's folder; None when it was not begun.
        records: rows of the episodes that are closed.
        owed: what it owes, in words; empty when nothing.
        trouble: why it was not begun or was stopped; empty when it was not.
    """

    job: SweepJob
    code: int
    run_dir: Path | None = None
    records: list[EpisodeRecord] = field(default_factory=list)
    owed: str = ""
    trouble: str = ""


def play_jobs(
    jobs: Sequence[SweepJob], console: Console | None = None, *, on_stop: Callable[[], None] = lambda: None
) -> list[JobResult]:
    """Play the jobs of a sweep; one that fails takes no other one down.

    Args:
        on_stop: called when the user asks to stop.

    Returns:
        A result for each job, in order.
    """
    console = console or make_console()
    if any(job.config.run.dry_run for job in jobs):
        return [_shown(job, console) for job in jobs]
    sweep = _Sweep(jobs, console, on_stop)
    try:
        with signals(sweep.progress, sweep.drain, _stop_now):
            for group in _groups(sweep.ready()):
                if group[0].config.runner.backend == "serial":
                    sweep.play_in_turn(group)
                else:
                    sweep.play_packed(group)
    except KeyboardInterrupt:
        sweep.close_all(EXIT_STOPPED_NOW, STOPPED_NOW)
    finally:
        sweep.close_all(EXIT_OWED, "")
        sweep.progress.close()
    return [sweep.results.get(job.number) or not_begun(job) for job in jobs]


def not_begun(job: SweepJob) -> JobResult:
    """The result of a job that was left when the sweep was stopped."""
    return JobResult(job, EXIT_OWED, trouble="Not begun.")


def _shown(job: SweepJob, console: Console) -> JobResult:
    """The plan of a job, for `run.dry_run`."""
    run_dir, _ = find_run(job.config, job.plan, job.invocation.run_id)
    print_plan(console, job.plan, run_dir, needs(job.config, job.plan))
    return JobResult(job, EXIT_OK)


def _stop_now() -> None:
    raise KeyboardInterrupt


def _groups(jobs: Sequence[SweepJob]) -> list[list[SweepJob]]:
    """Jobs that may share a pool, in the order of their first ones."""
    groups: dict[Hashable, list[SweepJob]] = {}
    for job in jobs:
        groups.setdefault(_pool_key(job), []).append(job)
    return list(groups.values())


def _pool_key(job: SweepJob) -> Hashable:
    runner, engine = job.config.runner, job.plan.episodes[0].engine
    if runner.backend == "serial":
        return "serial"
    shape = (runner.address, runner.instances, runner.cpus_per_instance, runner.memory_per_instance_mb)
    # An idle instance keeps its game, and with it a place that another engine on the same servers would wait for.
    places = None if build.most_instances(engine) is None else repr(engine)
    # The gateway is the pool's, and so is the count of instances that died.
    return (*shape, places, runner.max_restarts, dataclasses.astuple(job.config.llm), job.config.run.root)


def _engine_trouble(engine: PartSpec, *, elsewhere: bool) -> ConfigError | None:
    """Why no game of an engine can be had; `elsewhere`: on a cluster, whose nodes alone can tell."""
    try:
        build.most_instances(engine)
        if not elsewhere:
            build.check_ready(engine)
    except ConfigError as error:
        return error
    return None


class _Sweep:
    """What is open, and what came of what is closed."""

    def __init__(self, jobs: Sequence[SweepJob], console: Console, on_stop: Callable[[], None]) -> None:
        planned = sum(len(job.plan.episodes) for job in jobs)
        self.progress = make_progress(jobs[0].config.runner.progress, planned, console)
        self.results: dict[int, JobResult] = {}
        self._jobs = jobs
        self._open: dict[str, tuple[SweepJob, OpenRun]] = {}  # by the run's id
        self._stopping = False
        self._on_stop = on_stop
        self._isolation: dict[str, list[str] | None] = {}

    def drain(self) -> None:
        """Stop after the steps that are being played, and begin no more jobs."""
        self._stopping = True
        self._on_stop()
        for _, run in self._open.values():
            run.work.stop("drain")

    def ready(self) -> list[SweepJob]:
        """The jobs whose engines can be had; the others are mistakes, found before anything is started."""
        found, troubles = [], dict[str, ConfigError | None]()
        for job in self._jobs:
            engine, runner = job.plan.episodes[0].engine, job.config.runner
            elsewhere = runner.backend == "ray" and runner.address is not None
            key = f"{elsewhere} {engine!r}"
            if key not in troubles:
                troubles[key] = _engine_trouble(engine, elsewhere=elsewhere)
            if (trouble := troubles[key]) is None:
                found.append(job)
            else:
                self._not_begun(job, EXIT_MISTAKE, trouble)
        return found

    # -- one job

    def _begin(self, job: SweepJob) -> Work | None:
        """Open a job's run; None when that cannot be, which is its result, or when the sweep is being stopped."""
        if self._stopping:
            return None
        try:
            run_dir, manifest = find_run(job.config, job.plan, job.invocation.run_id)
            isolation = self._isolation_layers(job)
            progress = JobProgress(self.progress, job.name)
            run = OpenRun(job.config, job.plan, job.invocation, run_dir, manifest, isolation, progress)
        except (ConfigError, StorageError) as error:
            self._not_begun(job, EXIT_MISTAKE if isinstance(error, ConfigError) else EXIT_OWED, error)
            return None
        self._open[run.work.run_id] = (job, run)
        return run.work

    def _isolation_layers(self, job: SweepJob) -> list[str] | None:
        interpreter = job.plan.episodes[0].interpreter
        key = repr(interpreter)
        if key not in self._isolation:
            self._isolation[key] = build.isolation_layers(interpreter)
        return self._isolation[key]

    def _not_begun(self, job: SweepJob, code: int, error: Exception) -> None:
        trouble = " ".join(str(error).split())
        self.results[job.number] = JobResult(job, code, trouble=trouble)
        self.progress.note(trouble, job=job.name)

    def _end(self, work: Work, trouble: Exception | str | None = None, code: int | None = None) -> None:
        """Close a job's run with what came of it."""
        job, run = self._open.pop(work.run_id)
        if code is None:
            code = EXIT_OWED if trouble or work.owed else EXIT_OK
        result = JobResult(job, code, run.run_dir, run.records, trouble=str(trouble or ""))
        try:
            run.close(code)
        except StorageError as error:
            result.code, result.trouble = max(code, EXIT_OWED), result.trouble or str(error)
        if result.code != EXIT_OK:
            result.owed = what_is_owed(work)
        self.results[job.number] = result
        if result.trouble:
            self.progress.note(result.trouble, job=job.name)

    def close_all(self, code: int, trouble: str) -> None:
        """Close the runs that are still open."""
        for _, run in list(self._open.values()):
            self._end(run.work, trouble, code)

    # -- groups of jobs

    def play_in_turn(self, jobs: Sequence[SweepJob]) -> None:
        """Play jobs in this process, one after another."""
        for job in jobs:
            if (work := self._begin(job)) is None:
                continue
            trouble: Exception | None = None
            try:
                if not work.finished:
                    SerialBackend(gateway_maker(job.config)()).run(work)
            except (StorageError, EngineError) as error:
                trouble = error
            self._end(work, trouble)

    def play_packed(self, jobs: Sequence[SweepJob]) -> None:
        """Play jobs on one pool of instances."""
        from fle_ray.experiment.driver import RayBackend, start_ray

        first = jobs[0].config
        start: Callable[[], Any] = partial(start_ray, self._largest_runner())
        if first.runner.address is not None:
            try:
                start()  # before anything is written: the address may be wrong
            except ConfigError as error:
                for job in jobs:
                    self._not_begun(job, EXIT_MISTAKE, error)
                return
        specs = [spec for job in jobs for spec in job.plan.episodes]
        placed = {(agent.placement, agent.name) for spec in specs for agent in spec.agents}
        most = build.most_instances(specs[0].engine)
        games = len(specs) if most is None else min(most, len(specs))
        backend = RayBackend(first.runner, games, gateway_maker(first), placed, start)
        try:
            backend.run_all([partial(self._begin, job) for job in jobs], self._end)
        except (ConfigError, EngineError) as error:  # Ray could not be started, or joined at RAY_ADDRESS
            self.close_all(EXIT_OWED, str(error))
            for job in jobs:
                if job.number not in self.results:
                    self._not_begun(job, EXIT_MISTAKE if isinstance(error, ConfigError) else EXIT_OWED, error)

    def _largest_runner(self) -> RunnerConfig:
        """The settings that want the most cores; one local Ray serves every pool of the sweep."""
        runners = [job.config.runner for job in self._jobs if job.config.runner.backend == "ray"]
        return max(runners, key=lambda runner: (runner.instances or 0) * runner.cpus_per_instance)


def say_what_is_owed(results: Sequence[JobResult], sweep_command: Sequence[str]) -> None:
    """On stderr: what went wrong in which job, and the commands that go on.

    Args:
        sweep_command: words of the command that goes on with all of it.
    """
    mistakes: dict[str, list[str]] = {}  # jobs by what is wrong, which is often the same in all
    for result in results:
        if result.code == EXIT_MISTAKE:
            mistakes.setdefault(result.trouble, []).append(result.job.name)
    for trouble, names in mistakes.items():
        more = f" and {len(names) - _COMMANDS} more" if len(names) > _COMMANDS else ""
        print(f"{', '.join(names[:_COMMANDS])}{more}: {trouble}", file=sys.stderr)
    unfinished = [result for result in results if result.code in (EXIT_OWED, EXIT_STOPPED_NOW)]
    begun = [result for result in unfinished if result.run_dir is not None]
    for result in begun[:_COMMANDS]:
        why = f"{result.trouble} " if result.trouble else ""
        print(f"{result.job.name}: {why}{result.owed} To play them:", file=sys.stderr)
        assert result.run_dir is not None
        print(f"    {shlex.join(result.job.invocation.resume_command(result.run_dir.name))}", file=sys.stderr)
    if len(unfinished) > 1 or len(unfinished) > len(begun):
        waiting = len(unfinished) - len(begun)
        more = f", {waiting} of which were not begun" if waiting else ""
        print(f"{len(unfinished)} of {len(results)} jobs are owed{more}. To play them all:", file=sys.stderr)
        print(f"    {shlex.join(sweep_command)}", file=sys.stderr)
