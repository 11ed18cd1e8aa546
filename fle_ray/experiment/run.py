"""One run from its configuration to its exit status.

0   every planned episode ended with a verdict
2   a mistake in the configuration; nothing was started, nothing written
3   some episodes are owed: a fault of ours, a full disk, Ctrl-C; the last line says how to play them
"""

from __future__ import annotations

import os
import secrets
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from fle_ray.config import Config, LlmConfig, redacted
from fle_ray.dataset.records import EpisodeRecord
from fle_ray.errors import ConfigError, EngineError, StorageError, UnknownName
from fle_ray.experiment import build
from fle_ray.experiment.backend import Backend, SerialBackend, Work
from fle_ray.experiment.gateway import Gateway, ReplyCache
from fle_ray.experiment.gateway import Limits as ModelLimits
from fle_ray.experiment.manifest import (
    MANIFEST,
    copy_manifest,
    differences,
    new_manifest,
    now_text,
    read_manifest,
    save_config,
    session_entry,
    write_manifest,
)
from fle_ray.experiment.plan import Plan, budget_of, make_plan
from fle_ray.experiment.progress import Progress, make_progress
from fle_ray.experiment.summary import print_plan, print_summary
from fle_ray.experiment.tracked import make_tracking

__all__ = [
    "EXIT_MISTAKE",
    "EXIT_OK",
    "EXIT_OWED",
    "EXIT_STOPPED_NOW",
    "Invocation",
    "OpenRun",
    "find_run",
    "new_run_id",
    "run_experiment",
]

CACHE = "_llm_cache"  # below run.root
EXIT_OK, EXIT_MISTAKE, EXIT_OWED, EXIT_STOPPED_NOW = 0, 2, 3, 130
STOPPED_NOW = "Stopped at once; everything acknowledged is on disk."


@dataclass(frozen=True)
class Invocation:
    """How a run was asked for.

    Attributes:
        flags: Hydra's flags, e.g. `--config-dir DIR`; overrides: this job's `key=value` words.
        sweep_id: of the sweep it is a job of; None outside of one.
        swept: what the sweep varies, and this job's value of it, e.g. {"agent": "idle", "runner.max_steps": 8}.
        run_id: what the run is called; None leaves it to the configuration.
    """

    flags: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    sweep_id: str | None = None
    swept: Mapping[str, Any] = field(default_factory=dict)
    run_id: str | None = None
    argv: tuple[str, ...] = field(default_factory=lambda: tuple(sys.argv))

    def resume_command(self, run_id: str) -> list[str]:
        """The words of the command that plays what a run owes."""
        kept = [word for word in self.overrides if word.lstrip("+").split("=")[0] not in ("run.id", "run.resume")]
        return ["python", "-m", "fle_ray.launch", *self.flags, *kept, f"run.resume={run_id}"]


def new_run_id() -> str:
    """A name that sorts by time and does not collide: `20261202-083205-1f3a9c`."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def job_run_id(sweep_id: str | None, job: int) -> str | None:
    """What job number `job` of a sweep calls its run; None outside of a sweep."""
    return None if sweep_id is None else f"{sweep_id}-{job}"


def run_experiment(
    config: Config,
    invocation: Invocation | None = None,
    *,
    console: Console | None = None,
    on_stop: Callable[[], None] = lambda: None,
) -> int:
    """Plan an experiment, play what is not played yet, and say what came of it.

    Args:
        on_stop: called when the user asks to stop.

    Returns:
        The exit status.

    Raises:
        ConfigError: a mistake in the configuration, before anything is started or written.
    """
    invocation = invocation or Invocation()
    console = console or make_console()
    plan = make_plan(config)
    run_dir, manifest = find_run(config, plan, invocation.run_id)
    if config.run.dry_run:
        print_plan(console, plan, run_dir, needs(config, plan))
        return EXIT_OK
    if config.runner.backend == "ray" and config.runner.address is not None:
        from fle_ray.experiment.driver import start_ray

        start_ray(config.runner)  # before anything is written: the address may be wrong
    else:
        build.check_ready(plan.episodes[0].engine)
    isolation = build.isolation_layers(plan.episodes[0].interpreter)
    began = time.monotonic()
    progress = make_progress(config.runner.progress, len(plan.episodes), console)
    run = OpenRun(config, plan, invocation, run_dir, manifest, isolation, progress)
    work, trouble, code = run.work, "", EXIT_OWED
    backend = make_backend(config, work)

    def drain() -> None:
        on_stop()
        work.stop("drain")

    try:
        if not work.finished:
            backend.prepare()
            with signals(progress, drain, backend.stop_now):
                backend.run(work)
        code = EXIT_OWED if work.owed else EXIT_OK
    except (StorageError, EngineError) as error:
        trouble = str(error)
    except KeyboardInterrupt:
        trouble, code = STOPPED_NOW, EXIT_STOPPED_NOW
    finally:
        progress.close()
        run.close(code)

    if config.runner.progress != "none":
        print_summary(
            console, run.records, run_dir, not_supported=plan.not_supported, wall_s=time.monotonic() - began
        )
    if trouble:
        print(trouble, file=sys.stderr)
    if code != EXIT_OK:
        print(what_is_owed(work), "To play them:", file=sys.stderr)
        print(f"    {shlex.join(invocation.resume_command(run_dir.name))}", file=sys.stderr)
    return code


class OpenRun:
    """A run that this process writes, from its entry in the manifest to its exit status there.

    Args:
        manifest: what `find_run` found; None begins a new run.
        isolation: layers that keep programs in, as the manifest is to say.

    Attributes:
        work: its queue of episodes.

    Raises:
        ConfigError: another process writes it.
        StorageError: the disk is full or cannot be written to.
    """

    def __init__(
        self,
        config: Config,
        plan: Plan,
        invocation: Invocation,
        run_dir: Path,
        manifest: dict[str, Any] | None,
        isolation: list[str] | None,
        progress: Progress,
    ) -> None:
        from fle_ray.dataset.states import KeepStates
        from fle_ray.dataset.writer import RunWriter

        self.run_dir = run_dir
        self._plan = plan
        self._compact = config.dataset.compact
        parts_root = _parts_root(config, run_dir)
        self._parts_root = parts_root
        if manifest is not None:
            _refuse_other_parts(run_dir, manifest, redacted(parts_root))
        try:
            self._writer = RunWriter(
                run_dir,
                keep=KeepStates(config.dataset.states, config.dataset.states_every),
                parts_root=parts_root,
                steps_per_part=config.dataset.steps_per_part,
                fsync=config.dataset.fsync,
            )
        except StorageError as error:
            raise ConfigError(str(error)) from error
        try:
            if manifest is None:
                save_config(run_dir, config)
                manifest = new_manifest(
                    config,
                    plan,
                    run_id=run_dir.name,
                    sweep_id=invocation.sweep_id,
                    swept=invocation.swept,
                    command=invocation.argv,
                    resume_command=invocation.resume_command(run_dir.name),
                    isolation=isolation,
                    parts_root=redacted(parts_root),
                )
            self._manifest = manifest
            manifest["sessions"].append(session_entry(invocation.argv))
            manifest["status"] = "running"
            write_manifest(run_dir, manifest)
            copy_manifest(run_dir, parts_root)
            again = "Going on with" if len(manifest["sessions"]) > 1 else "Run"
            progress.note(f"{again} {run_dir}: {len(plan.episodes)} episode(s).")
            self._tracking = make_tracking(config, len(plan.episodes), self._writer, progress)
            self.work = Work(
                plan.episodes,
                self._writer,
                self._tracking or progress,
                budget=budget_of(config.budgets.run),
                max_episode_retries=config.runner.max_episode_retries,
                log_dir=Path(config.runner.log_dir) if config.runner.log_dir else None,
            )
            if self._tracking is not None:
                self._tracking.begin(self.work.open_steps, resumed=len(manifest["sessions"]) > 1)
        except BaseException:
            self._writer.close()
            raise

    @property
    def records(self) -> list[EpisodeRecord]:
        """Rows of the episodes that are closed, in the order of the plan."""
        records = self.work.records
        return [records[spec.episode_id] for spec in self._plan.episodes if spec.episode_id in records]

    def close(self, code: int) -> None:
        """Write how it ended, and let others write the run.

        Raises:
            StorageError: the run's events could not be written out; they are in its journal.
        """
        self._manifest |= _ending(self.work, code)
        self._manifest["sessions"][-1] |= {"ended_at": now_text(), "exit_code": code}
        _write_manifest_if_possible(self.run_dir, self._manifest, self._parts_root)
        try:
            if self._compact and code != EXIT_STOPPED_NOW:
                self._compact_if_possible()
            if self._tracking is not None:
                self._tracking.end(self._manifest["status"])
        finally:
            self._writer.close()

    def _compact_if_possible(self) -> None:
        """Merge the episodes' small files; where that fails they stay, and hold the same rows."""
        try:
            self._writer.compact()
        except StorageError as error:
            print(f"The run's files were not merged: {error}", file=sys.stderr)


def make_backend(config: Config, work: Work) -> Backend:
    """The backend of `runner.backend`; Ray is imported only when it is chosen."""
    gateway = gateway_maker(config)
    if config.runner.backend == "serial":
        return SerialBackend(gateway())
    from fle_ray.experiment.driver import RayBackend

    most = build.most_instances(work.specs[0].engine)
    games = len(work.owed) if most is None else min(most, len(work.owed))
    return RayBackend(config.runner, episodes=games, make_gateway=gateway)


def gateway_maker(config: Config) -> Callable[[], Gateway]:
    """What makes the gateway to models of a configuration, wherever it is to be."""
    return partial(make_gateway, config.llm, Path(config.run.root).resolve() / CACHE)


def make_gateway(llm: LlmConfig, cache: Path) -> Gateway:
    """The gateway to models, with its cache in a folder."""
    limits = ModelLimits(llm.first_concurrency, llm.most_concurrency, llm.requests_per_minute, llm.tokens_per_minute)
    return Gateway(limits, ReplyCache(cache, llm.cache))


def make_console() -> Console:
    """The terminal; where there is none, lines are not cut to the width of one."""
    console = Console()
    return console if console.is_terminal else Console(width=120)


# ---- which run


def find_run(config: Config, plan: Plan, run_id: str | None = None) -> tuple[Path, dict[str, Any] | None]:
    """The run's folder, and its manifest when it is there already.

    Args:
        run_id: what the run is called; None leaves it to the configuration.

    Raises:
        ConfigError: `run.resume` names no run, the folder is none of ours, or the run is one of another configuration.
    """
    folder = Path(config.run.root) / config.name
    if config.run.resume is not None and not (folder / config.run.resume / MANIFEST).is_file():
        known = [path.parent.name for path in folder.glob(f"*/{MANIFEST}")]
        raise UnknownName("run", config.run.resume, known, f"Runs of {config.name!r} lie in {folder}.")
    run_dir = folder / (config.run.resume or run_id or config.run.id or new_run_id())
    manifest = read_manifest(run_dir)
    if manifest is not None:
        _refuse_changes(run_dir, manifest, config, plan)
    elif run_dir.is_dir() and any(run_dir.iterdir()):
        raise ConfigError(f"{run_dir} has files in it but no {MANIFEST}, so it is no run of ours. Give another run.id.")
    return run_dir, manifest


def _refuse_changes(run_dir: Path, manifest: dict[str, Any], config: Config, plan: Plan) -> None:
    """Going on with a run needs the same episodes."""
    before = [entry["episode_id"] for entry in manifest["plan"]]
    now = [spec.episode_id for spec in plan.episodes]
    if set(before) == set(now):
        return
    changed = differences(run_dir, config)
    if not changed:  # the same words mean something else: another version of fle_ray, or of a plug-in
        versions = manifest.get("packages", {}).get("fle-ray", "unknown")
        changed = [f"the definition of tasks or agents (the run began with fle_ray {versions})"]
    shown = "; ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
    raise ConfigError(
        f"Run {run_dir.name!r} was made with another configuration. Changed: {shown}. Give what it was made with, or "
        "another run.id for a new run."
    )


def _parts_root(config: Config, run_dir: Path) -> str | None:
    """Where the run's finished files go; a URL keeps its query at the end."""
    root = config.dataset.parts_root
    if root is None:
        return None
    path, mark, query = root.partition("?") if "://" in root else (root, "", "")
    return f"{path.rstrip('/')}/{config.name}/{run_dir.name}{mark}{query}"


def _refuse_other_parts(run_dir: Path, manifest: dict[str, Any], parts_root: str | None) -> None:
    """What is finished lies where the run began to put it; elsewhere it would be played again."""
    began = manifest.get("parts_root", parts_root)
    if began != parts_root:
        raise ConfigError(
            f"Run {run_dir.name!r} has its finished files at {began or run_dir}, but dataset.parts_root would put them "
            f"at {parts_root or run_dir}. Give the same, or another run.id for a new run."
        )


def needs(config: Config, plan: Plan) -> list[str]:
    """What playing would take, in words."""
    if config.runner.backend == "serial":
        where = "this process, no Ray"
    elif config.runner.address:
        where = f"the Ray cluster at {config.runner.address}"
    else:
        where = "a local Ray, started for the run"
    engines = sorted({spec.engine.name for spec in plan.episodes})
    agents = sorted({agent.name for spec in plan.episodes for agent in spec.agents})
    most = sum(spec.limits.max_steps * len(spec.agents) for spec in plan.episodes)
    return [
        where,
        f"{instances(config)} game(s) at a time (engine {', '.join(engines)})",
        f"agent {', '.join(agents)}",
        f"at most {most} steps",
    ]


def instances(config: Config) -> int:
    """Games at a time."""
    if config.runner.backend == "serial":
        return 1
    return config.runner.instances or os.cpu_count() or 1


# ---- the end


def _ending(work: Work, code: int) -> dict[str, Any]:
    statuses = {EXIT_OK: "complete", EXIT_OWED: "owed", EXIT_STOPPED_NOW: "interrupted"}
    cancelled = any(record.status == "cancelled" for record in work.records.values())
    status = "cancelled" if cancelled and code == EXIT_OWED else statuses[code]
    return {"status": status, "exit_code": code, "ended_at": now_text(), "counts": work.counts()}


def _write_manifest_if_possible(run_dir: Path, manifest: dict[str, Any], parts_root: str | None) -> None:
    """The manifest's last state; on a full disk the one that is there stays, and the cause is told already."""
    try:
        write_manifest(run_dir, manifest)
        copy_manifest(run_dir, parts_root)
    except StorageError as error:
        print(error, file=sys.stderr)


def what_is_owed(work: Work) -> str:
    """What a run owes, as a sentence, e.g. "1 of 3 episodes are owed (1 provider_error)."."""
    owed = work.owed
    by_status: dict[str, int] = {}
    for spec in owed:
        record = work.records.get(spec.episode_id)
        status = "not finished" if record is None else record.status
        by_status[status] = by_status.get(status, 0) + 1
    counts = ", ".join(f"{n} {status}" for status, n in by_status.items())
    if work.budget_reached:
        counts += f"; the run's {work.budget_reached}"
    return f"{len(owed)} of {len(work.specs)} episodes are owed ({counts})."


@contextmanager
def signals(progress: Progress, drain: Callable[[], None], stop_now: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C (or SIGTERM) once drains; the second time stops now. Only in the main thread, where signals arrive."""
    asked = 0

    def asked_to_stop(signum: int, frame: Any) -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            drain()
            progress.note("Stopping after the steps that are being played. Once more: stop now.")
        else:
            stop_now()

    before = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                before[number] = signal.signal(number, asked_to_stop)
            except ValueError:  # not the main thread
                break
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
