"""Run an experiment: `python -m fle_ray.launch +experiment=lab_play [key=value ...]`.

Hydra composes the configuration; everything it or we would refuse is found first, by composing every job once, and is
one line on stderr and exit status 2. `-m` sweeps: each job is a run of its own, and the process exits with the largest
of the jobs' statuses. Flags (`--config-dir DIR`, `-m`) go before the overrides. See docs/running.md.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

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
from fle_ray.experiment.plan import make_plan
from fle_ray.experiment.run import EXIT_MISTAKE, Invocation, find_run, job_run_id, new_run_id, run_experiment
from fle_ray.paths import conf_dir

__all__ = ["main"]

_SHOWS_SOMETHING = ("help", "hydra_help", "cfg", "info", "shell_completion", "experimental_rerun")
_RUN_KEYS = re.compile(r"^\+{0,2}run\.(root|id)=")


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
        configs = _check(where, name, args.config_dir, args.overrides, sweep=args.multirun)
        sweep_id = (configs[0].run.id or new_run_id()) if args.multirun else None
        for number, config in enumerate(configs):
            find_run(config, make_plan(config), job_run_id(sweep_id, number))
        sys.argv += _hydra_settings(configs[0], args.overrides)
    except ConfigError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        sys.exit(EXIT_MISTAKE)

    flags = _flags(args.config_path, args.config_name, args.config_dir)
    codes: list[int] = []

    def job(composed: DictConfig) -> None:
        current = HydraConfig.get()
        invocation = Invocation(
            flags=flags,
            overrides=tuple(current.overrides.task),
            sweep_id=sweep_id,
            run_id=job_run_id(sweep_id, current.job.num if sweep_id else 0),
            argv=("python", "-m", "fle_ray.launch", *words),
        )
        codes.append(_guarded(composed, invocation))

    _hydra_main(where, name, job)
    # Hydra's sweeper writes the overrides down as they are, secrets included; our manifests have them without.
    (Path(configs[0].run.root) / "_hydra" / "multirun.yaml").unlink(missing_ok=True)
    sys.exit(max(codes, default=EXIT_MISTAKE))


def _guarded(composed: DictConfig, invocation: Invocation) -> int:
    """A job's exit status; a mistake found only now (a run that is being written) is one line, too."""
    try:
        return run_experiment(load_config(composed), invocation)
    except ConfigError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return EXIT_MISTAKE


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


def _hydra_settings(config: Config, overrides: Sequence[str]) -> list[str]:
    """Where Hydra puts what it writes, and that it logs nothing; the user's own overrides win."""
    root = f"{config.run.root}/_hydra"
    ours = {
        "hydra.run.dir": root,
        "hydra.sweep.dir": root,
        "hydra.sweep.subdir": ".",
        "hydra.output_subdir": "null",
        "hydra/job_logging": "none",
        "hydra/hydra_logging": "none",
    }
    given = {word.lstrip("+~").split("=", 1)[0] for word in overrides}
    return [f"{key}={_quoted(value)}" for key, value in ours.items() if key not in given]


def _quoted(value: str) -> str:
    return value if re.fullmatch(r"[A-Za-z0-9_./-]+", value) else "'" + value.replace("'", "\\'") + "'"


# ---- the check before anything starts


def _check(where: Path, name: str, extra: str | None, overrides: Sequence[str], *, sweep: bool) -> list[Config]:
    """Compose every job and check it against the schema. Raises ConfigError."""
    try:
        parsed = OverridesParser.create().parse_overrides(list(overrides))
    except OverrideParseException as error:
        raise ConfigError(
            f"Override {error.override!r} cannot be read: {str(error).splitlines()[0]}. Write key=value, lists as "
            "'key=[a,b]' in quotes."
        ) from error
    jobs = _jobs(parsed, sweep)
    configs = []
    with ExitStack() as stack:
        stack.enter_context(initialize_config_dir(str(where), version_base="1.3"))
        for job in jobs:
            configs.append(load_config(_composed(name, extra, job)))
    return configs


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
