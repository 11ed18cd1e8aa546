"""Run an experiment: `python -m fle_ray.launch +experiment=lab_play [key=value ...]`.

Hydra composes the configuration; everything it or we would refuse is found first, by composing every job once, and is
one line on stderr and exit status 2. `-m` sweeps: each job is a run of its own, all of them are played on one pool of
instances, and the process exits with the largest of their statuses. Flags (`--config-dir DIR`, `-m`) go before the
overrides. See docs/running.md.
"""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

import hydra
from hydra import compose, initialize_config_dir
from hydra._internal.utils import get_args_parser
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import (
    ConfigCompositionException,
    HydraException,
    MissingConfigException,
    OverrideParseException,
)
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException

from fle_ray.config import Config, load_config, setting_names, unknown_setting
from fle_ray.errors import ConfigError, UnknownName, nearest_names
from fle_ray.experiment.plan import Plan, make_plan
from fle_ray.experiment.run import (
    EXIT_MISTAKE,
    EXIT_OWED,
    Invocation,
    find_run,
    job_run_id,
    make_console,
    new_run_id,
    run_experiment,
)
from fle_ray.experiment.summary import print_sweep
from fle_ray.experiment.sweep import JobResult, SweepJob, not_begun, play_jobs, say_what_is_owed
from fle_ray.paths import conf_dir

__all__ = ["main"]

_SHOWS_SOMETHING = ("help", "hydra_help", "cfg", "info", "shell_completion", "experimental_rerun")
_LAUNCHER = "hydra_plugins.fle_ray_launcher"
Compose = Callable[[Sequence[str]], DictConfig]


def main(argv: Sequence[str] | None = None) -> None:
    """The command; exits with 0, 2 or 3 as fle_ray.experiment.run says."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        args = get_args_parser().parse_args(words)
        where, name = _config_place(args.config_path, args.config_name)
        sys.argv = [sys.argv[0], *_absolute_config_path(words, args.config_path)]
        if any(getattr(args, flag) for flag in _SHOWS_SOMETHING):
            _hydra_main(where, name, lambda composed: None)
            return
        checked = _check(where, name, args.config_dir, args.overrides, sweep=args.multirun)
        first, fixed = checked[0].config, _fixed_keys(args.overrides)
        sweep_id = (first.run.id or new_run_id()) if args.multirun else None
        for number, job in enumerate(checked):
            with _named(number, [job.overrides for job in checked], fixed):
                find_run(job.config, job.plan, job_run_id(sweep_id, number))
        sys.argv += _hydra_settings(first, args.overrides, sweep=args.multirun)
    except ConfigError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        sys.exit(EXIT_MISTAKE)

    invocation = Invocation(
        flags=_flags(args.config_path, args.config_name, args.config_dir),
        sweep_id=sweep_id,
        argv=("python", "-m", "fle_ray.launch", *words),
    )
    if sweep_id is None:
        sys.exit(_play_one(where, name, invocation))
    sys.exit(_play_sweep(where, name, invocation, checked, fixed))


def _play_one(where: Path, name: str, invocation: Invocation) -> int:
    codes: list[int] = []

    def job(composed: DictConfig) -> None:
        overrides = tuple(HydraConfig.get().overrides.task)
        codes.append(_guarded(composed, replace(invocation, overrides=overrides)))

    _hydra_main(where, name, job)
    return max(codes, default=EXIT_MISTAKE)


def _play_sweep(where: Path, name: str, invocation: Invocation, checked: Sequence[_Checked], fixed: set[str]) -> int:
    """Play all jobs; packed by our launcher, one after another by Hydra's own (`hydra/launcher=basic`)."""
    known = {job.overrides: job for job in checked}
    codes: list[int] = []
    results: list[JobResult] = []
    stop = Event()  # the user has asked to stop: nothing more is begun
    left: list[int] = []  # jobs that were left then, of those that Hydra launches one by one
    began = time.monotonic()

    def of_job(number: int, overrides: Sequence[str]) -> Invocation:
        return replace(
            invocation,
            overrides=tuple(overrides),
            swept=_swept(overrides, fixed),
            run_id=job_run_id(invocation.sweep_id, number),
        )

    def job(composed: DictConfig) -> None:
        current = HydraConfig.get()
        if stop.is_set():
            left.append(current.job.num)
            codes.append(EXIT_OWED)
        else:
            codes.append(_guarded(composed, of_job(current.job.num, current.overrides.task), stop.set))

    def play_sweep(first: int, batch: Sequence[Sequence[str]], compose_job: Compose) -> list[int]:
        jobs, played = [], {}
        for number, overrides in enumerate(batch, first):
            try:
                found = known.get(tuple(overrides)) or _checked(overrides, load_config(compose_job(overrides)))
            except ConfigError as error:  # of a job that a sweeper has made up
                print(f"#{number}: {' '.join(str(error).split())}", file=sys.stderr)
                played[number] = EXIT_MISTAKE
                continue
            jobs.append(SweepJob(number, found.config, found.plan, of_job(number, overrides)))
        for result in [not_begun(one) for one in jobs] if stop.is_set() else play_jobs(jobs, on_stop=stop.set):
            results.append(result)
            played[result.job.number] = result.code
        codes.extend(played.values())
        return [played[number] for number in sorted(played)]

    job.play_sweep = play_sweep  # type: ignore[attr-defined]  # for our launcher
    _hydra_main(where, name, job)
    config = checked[0].config
    # Hydra's sweeper writes the overrides down as they are, secrets included; our manifests have them without.
    (Path(config.run.root) / "_hydra" / "multirun.yaml").unlink(missing_ok=True)
    if results and not config.run.dry_run:
        if config.runner.progress != "none":
            wall_s = time.monotonic() - began
            print_sweep(make_console(), results, sweep_id=str(invocation.sweep_id), wall_s=wall_s)
        say_what_is_owed(results, _sweep_command(invocation))
    if left:
        print(f"{len(left)} jobs were not begun. To play them all:", file=sys.stderr)
        print(f"    {shlex.join(_sweep_command(invocation))}", file=sys.stderr)
    return max(codes, default=EXIT_MISTAKE)


def _guarded(composed: DictConfig, invocation: Invocation, on_stop: Callable[[], None] = lambda: None) -> int:
    """A job's exit status; a mistake found only now (a run that is being written) is one line, too."""
    try:
        return run_experiment(load_config(composed), invocation, on_stop=on_stop)
    except ConfigError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return EXIT_MISTAKE


def _sweep_command(invocation: Invocation) -> list[str]:
    """The words of the command that goes on with a whole sweep."""
    kept = [word for word in invocation.argv if word.lstrip("+").split("=")[0] != "run.id"]
    return [*kept, f"run.id={invocation.sweep_id}"]


# ---- what a sweep varies


def _fixed_keys(given: Sequence[str]) -> set[str]:
    """Keys of the overrides that are the same in all jobs; whatever else a job has is of the sweep."""
    parsed = OverridesParser.create().parse_overrides(list(given))
    return {_key(override.input_line or "") for override in parsed if not override.is_sweep_override()}


def _swept(overrides: Sequence[str], fixed: set[str]) -> dict[str, Any]:
    """What a job has of what is swept: numbers, truth values and null as such, all else as it was written."""
    found = {}
    for override in OverridesParser.create().parse_overrides(list(overrides)):
        key = override.get_key_element().lstrip("+~")
        if key not in fixed:
            value = override.value()
            plain = value is None or isinstance(value, (bool, int, float))
            found[key] = value if plain else override.get_value_string().strip("'\"")
    return found


def _key(word: str) -> str:
    return word.lstrip("+~").split("=", 1)[0]


def _hydra_main(where: Path, name: str, job: object) -> None:
    hydra.main(version_base="1.3", config_path=str(where), config_name=name)(job)()  # type: ignore[arg-type]


# ---- flags


def _config_place(path: str | None, name: str | None) -> tuple[Path, str]:
    """Folder and name of the primary configuration; ours unless `--config-path` says otherwise."""
    if path is None:
        return conf_dir(), name or "config"
    folder = Path(path).absolute()
    if not folder.is_dir():
        raise ConfigError(f"--config-path {path!r} is no folder.")
    return folder, name or "config"


def _absolute_config_path(words: list[str], path: str | None) -> list[str]:
    """Hydra reads a relative --config-path from the folder of this module; people mean their own."""
    if path is None:
        return words
    absolute = str(Path(path).absolute())
    return [absolute if word == path else word.replace(f"={path}", f"={absolute}") for word in words]


def _flags(path: str | None, name: str | None, extra: str | None) -> tuple[str, ...]:
    flags: list[str] = []
    for flag, value in (("--config-path", path), ("--config-name", name), ("--config-dir", extra)):
        flags += [flag, value] if value is not None else []
    return tuple(flags)


def _hydra_settings(config: Config, overrides: Sequence[str], *, sweep: bool) -> list[str]:
    """Where Hydra puts what it writes, that it logs nothing, and what launches jobs; the user's own overrides win."""
    root = f"{config.run.root}/_hydra"
    ours = {
        "hydra.run.dir": root,
        "hydra.sweep.dir": root,
        "hydra.sweep.subdir": ".",
        "hydra.output_subdir": "null",
        "hydra/job_logging": "none",
        "hydra/hydra_logging": "none",
    }
    given = {_key(word) for word in overrides}
    if sweep and "hydra/launcher" not in given:
        if _has_launcher():
            ours["hydra/launcher"] = "fle_ray"
        else:  # a package named hydra_plugins that has an __init__.py hides all others
            print(f"{_LAUNCHER} cannot be imported: the jobs are played one after another.", file=sys.stderr)
    return [f"{key}={_quoted(value)}" for key, value in ours.items() if key not in given]


def _has_launcher() -> bool:
    try:
        return find_spec(_LAUNCHER) is not None
    except ModuleNotFoundError:  # there is no hydra_plugins at all
        return False


def _quoted(value: str) -> str:
    return value if re.fullmatch(r"[A-Za-z0-9_./-]+", value) else "'" + value.replace("'", "\\'") + "'"


# ---- the check before anything starts


@dataclass(frozen=True)
class _Checked:
    """A job that has passed the check."""

    overrides: tuple[str, ...]
    config: Config
    plan: Plan


def _checked(overrides: Sequence[str], config: Config) -> _Checked:
    return _Checked(tuple(overrides), config, make_plan(config))


def _check(where: Path, name: str, extra: str | None, overrides: Sequence[str], *, sweep: bool) -> list[_Checked]:
    """Compose every job, check it against the schema and plan it. Raises ConfigError."""
    try:
        parsed = OverridesParser.create().parse_overrides(list(overrides))
    except OverrideParseException as error:
        raise ConfigError(
            f"Override {error.override!r} cannot be read: {str(error).splitlines()[0]}. Write key=value, lists as "
            "'key=[a,b]' in quotes."
        ) from error
    jobs, fixed = _jobs(parsed, sweep), _fixed_keys(overrides)
    checked: list[_Checked] = []
    with initialize_config_dir(str(where), version_base="1.3"):
        for number, job in enumerate(jobs):
            with _named(number, jobs, fixed):
                checked.append(_checked(job, load_config(_composed(name, extra, job))))
    if sweep:
        _check_together([job.config for job in checked])
    return checked


def _check_together(configs: Sequence[Config]) -> None:
    """Refuse what the jobs of one sweep cannot have."""
    resumed = [config.run.resume for config in configs if config.run.resume is not None]
    if resumed:
        raise ConfigError(
            f"run.resume is {resumed[0]!r}, which is one run. To go on with a sweep give its own id as run.id; to go "
            "on with one job leave out -m."
        )
    ids = sorted({str(config.run.id) for config in configs})
    if len(ids) > 1:
        raise ConfigError(
            f"run.id is swept over {', '.join(ids)}, but it is the id of the whole sweep, whose jobs are <id>-0, "
            "<id>-1 and so on. Give one."
        )
    addresses = {config.runner.address for config in configs if config.runner.backend == "ray"}
    if len(addresses) > 1:
        named = ", ".join(sorted("null" if address is None else address for address in addresses))
        raise ConfigError(f"runner.address is swept over {named}, but the jobs of a sweep play on one Ray.")


@contextmanager
def _named(number: int, jobs: Sequence[Sequence[str]], fixed: set[str]) -> Iterator[None]:
    """Says in which job of a sweep a mistake is."""
    try:
        yield
    except ConfigError as error:
        if len(jobs) == 1:
            raise
        own = " ".join(word for word in jobs[number] if _key(word) not in fixed)
        raise ConfigError(f"Job #{number} ({own}): {error}") from error


def _jobs(parsed: list[Override], sweep: bool) -> list[list[str]]:
    """The overrides of each job; the same products that Hydra's own sweeper makes."""
    sweeping = [override for override in parsed if override.is_sweep_override()]
    if not sweep:
        if sweeping:
            key = sweeping[0].get_key_element()
            raise ConfigError(
                f"{sweeping[0].input_line} lists several values, which makes a sweep: put -m before the overrides, or "
                f"write a list as '{key}=[a,b]'."
            )
        return [[override.input_line or "" for override in parsed]]
    from hydra._internal.core_plugins.basic_sweeper import BasicSweeper

    plain = [override for override in parsed if not override.get_key_element().startswith("hydra")]
    try:
        return BasicSweeper.split_arguments(plain, None)[0]
    except HydraException as error:
        raise ConfigError(str(error).splitlines()[0]) from error


def _composed(name: str, extra: str | None, overrides: list[str]) -> DictConfig:
    if extra is not None:
        if not Path(extra).is_dir():
            raise ConfigError(f"--config-dir {extra!r} is no folder.")
        overrides = [*overrides, f"hydra.searchpath=[{_quoted('file://' + str(Path(extra).absolute()))}]"]
    try:
        return compose(name, overrides)
    except MissingConfigException as error:
        raise _missing(error, name) from error
    except ConfigCompositionException as error:
        raise _explained(error) from error
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(str(error).splitlines()[0]) from error


def _missing(error: MissingConfigException, name: str) -> ConfigError:
    """No such option of a group, with the nearest one."""
    missing = error.missing_cfg_file or name
    group, _, option = str(missing).lstrip("/").rpartition("/")
    if not group:
        return ConfigError(str(error).splitlines()[0])
    if error.options:
        return UnknownName(group, option, error.options, f"There are: {', '.join(sorted(error.options))}.")
    return ConfigError(
        f"There is no configuration group {group!r} to take {option!r} from. Groups of ours: {', '.join(_groups())}."
    )


def _explained(error: ConfigCompositionException) -> ConfigError:
    """Hydra's complaint about an override, as one line with the nearest known name."""
    text = str(error)
    if found := re.search(r"Could not override '([^']+)'", text):
        key = found[1].split("@")[0]
        if key in setting_names() or key in _groups():
            return ConfigError(f"{key}: {text.splitlines()[-1] if error.__cause__ is None else error.__cause__}")
        if key.split(".")[0] in ("agent", "engine", "interpreter", "task") and "." in key:
            part, rest = key.split(".", 1)
            near = nearest_names(rest, ("measure", "quota", "window_s", "max_windows")) if part == "task" else []
            if near:
                return ConfigError(f"No setting {key!r}. Did you mean 'task.{near[0]}'?")
            return ConfigError(
                f"{key} is not in the configuration of this {part}. If it has a parameter {rest!r}, add it with "
                f"+{key}=VALUE."
            )
        return unknown_setting(key)
    if found := re.search(r"Could not append to config\. An item is already at '([^']+)'", text):
        return ConfigError(f"{found[1]} is there already: write {found[1]}=VALUE without the +.")
    if "Multiple values for" in text:
        return ConfigError(f"{text.splitlines()[0]} Write +experiment=NAME once.")
    return ConfigError(" ".join(text.split()))


def _groups() -> list[str]:
    return sorted(path.name for path in conf_dir().iterdir() if path.is_dir())


if __name__ == "__main__":
    main()
