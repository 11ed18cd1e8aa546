"""How a run was made: `manifest.json` and `config.yaml` in its folder, and the comparison with a new configuration."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import socket
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import yaml

import fle_ray
from fle_ray.config import Config, plain_config, redacted, settings
from fle_ray.dataset.layout import atomic_file, storage_errors, temporary_name
from fle_ray.dataset.location import locate
from fle_ray.dataset.records import SCHEMA_VERSION
from fle_ray.errors import ConfigError, StorageError
from fle_ray.experiment import build
from fle_ray.experiment.plan import Plan
from fle_ray.paths import source_root

__all__ = [
    "CONFIG",
    "MANIFEST",
    "config_hash",
    "copy_manifest",
    "differences",
    "new_manifest",
    "now_text",
    "read_manifest",
    "save_config",
    "session_entry",
    "write_manifest",
]

MANIFEST = "manifest.json"
CONFIG = "config.yaml"

_PACKAGES = ("ray", "hydra-core", "omegaconf", "gymnasium", "pyarrow", "pandas", "numpy", "rich", "openai", "anthropic")


def new_manifest(
    config: Config,
    plan: Plan,
    *,
    run_id: str,
    sweep_id: str | None,
    swept: Mapping[str, Any],
    command: Sequence[str],
    resume_command: Sequence[str],
    isolation: Sequence[str] | None,
    parts_root: str | None = None,
) -> dict[str, Any]:
    """What is known of a run before it begins.

    Args:
        swept: what the sweep that it is a job of varies, with its own values; empty outside of one.
        isolation: layers that keep programs in, None where nobody says.
        parts_root: where its finished files are, without secrets; None for its own folder.
    """
    return {
        "format": 1,
        "schema_version": SCHEMA_VERSION,
        "name": config.name,
        "description": config.description,
        "version": config.version,
        "tags": list(config.tags),
        "run_id": run_id,
        "sweep_id": sweep_id,
        "swept": {name: redacted({name.rsplit(".", 1)[-1]: value}).popitem()[1] for name, value in swept.items()},
        "status": "running",
        "exit_code": None,
        "created_at": now_text(),
        "updated_at": now_text(),
        "ended_at": None,
        "sessions": [],
        "parts_root": parts_root,
        "command": _without_secrets(command),
        "resume_command": shlex.join(_without_secrets(resume_command)),
        "config_sha256": config_hash(config),
        "engine": {
            "name": config.engine.name,
            "target": config.engine.target,
            "parameters": redacted(dict(config.engine.parameters)),
            "version": build.engine_version(plan.episodes[0].engine),
            "exact": build.is_exact(plan.episodes[0].engine),
        },
        "interpreter": {
            "name": config.interpreter.name,
            "parameters": redacted(dict(config.interpreter.parameters)),
            "isolation": None if isolation is None else list(isolation),
        },
        "seeds": sorted({spec.seed for spec in plan.episodes}),
        "trials": config.trials,
        "plan": [
            {"episode_id": s.episode_id, "task": s.task, "agent": s.agent_names, "seed": s.seed, "trial": s.trial}
            for s in plan.episodes
        ],
        "not_supported": [{"task": n.task, "why": n.why} for n in plan.not_supported],
        "counts": {},
        **_surroundings(),
    }


def _surroundings() -> dict[str, Any]:
    return {
        "host": {
            "name": socket.gethostname(),
            "platform": platform.platform(),
            "python": platform.python_version(),
            "cpus": os.cpu_count(),
        },
        "packages": {"fle-ray": fle_ray.__version__, **_versions()},
        "git": _git(),
    }


def session_entry(command: Sequence[str]) -> dict[str, Any]:
    """One entry of `sessions`: a process that wrote the run, first or resuming."""
    return {
        "started_at": now_text(),
        "ended_at": None,
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "command": _without_secrets(command),
        "fle_ray": fle_ray.__version__,
        "exit_code": None,
    }


def write_manifest(run_dir: Path, manifest: dict[str, Any]) -> None:
    """Replace the manifest in one piece. Raises StorageError."""
    manifest["updated_at"] = now_text()
    with storage_errors(f"write {run_dir / MANIFEST}"):
        run_dir.mkdir(parents=True, exist_ok=True)
        with atomic_file(run_dir / MANIFEST) as temporary:
            temporary.write_text(json.dumps(manifest, indent=2, default=str) + "\n", encoding="utf-8")


def copy_manifest(run_dir: Path, parts_root: str | None) -> None:
    """Put manifest and configuration beside finished files that are elsewhere, so that they can be read by themselves.

    Args:
        parts_root: folder or URL; None does nothing.

    Raises:
        StorageError: it cannot be written to.
    """
    if parts_root is None:
        return
    target = locate(parts_root)
    with storage_errors(f"write to {target}"):
        for name in (MANIFEST, CONFIG):
            content = (run_dir / name).read_bytes()
            if target.local is not None:
                target.local.mkdir(parents=True, exist_ok=True)
                with atomic_file(target.local / name) as temporary:
                    temporary.write_bytes(content)
            else:
                (target / name).write_bytes(content, temporary_name(name))


def read_manifest(run_dir: Path) -> dict[str, Any] | None:
    """The manifest of a run; None when the folder has none.

    Raises:
        StorageError: it cannot be read.
    """
    path = run_dir / MANIFEST
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise StorageError(f"{path} cannot be read ({error}). Take it from a copy.") from error


def save_config(run_dir: Path, config: Config) -> None:
    """Write the composed configuration, secrets redacted, `run.id` and `run.resume` null."""
    text = (
        f"# The whole configuration of this run. To run it again as a new one:\n"
        f"#   python -m fle_ray.launch --config-path {run_dir} --config-name config\n"
        + yaml.safe_dump(plain_config(config), sort_keys=False, allow_unicode=True, width=110)
    )
    with storage_errors(f"write {run_dir / CONFIG}"):
        run_dir.mkdir(parents=True, exist_ok=True)
        with atomic_file(run_dir / CONFIG) as temporary:
            temporary.write_text(text, encoding="utf-8")


def config_hash(config: Config) -> str:
    """SHA-256 of the settings that define what is played."""
    defining = {name: value for name, value in _flat(plain_config(config)).items() if _defines(name)}
    return hashlib.sha256(json.dumps(defining, sort_keys=True, default=str).encode()).hexdigest()


def differences(run_dir: Path, config: Config) -> list[str]:
    """Settings that define episodes and are not as the run's saved configuration has them, as "x: 1 -> 2"."""
    try:
        saved = yaml.safe_load((run_dir / CONFIG).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{run_dir} has no {CONFIG}, so it cannot be resumed. Give another run.id.") from None
    old, new = _flat(saved), _flat(plain_config(config))
    return [
        f"{name}: {old.get(name, 'not set')!s} -> {new.get(name, 'not set')!s}"
        for name in dict.fromkeys([*old, *new])
        if _defines(name) and old.get(name) != new.get(name)
    ]


def _flat(value: Any, prefix: str = "") -> dict[str, Any]:
    if isinstance(value, Mapping) and value:
        out = {}
        for key, inner in value.items():
            out |= _flat(inner, f"{prefix}.{key}" if prefix else str(key))
        return out
    return {prefix: value}


_HOW_ONLY = {setting.name for setting in settings() if not setting.defining} | {"agent.placement"}


def _defines(name: str) -> bool:
    return not any(name == how or name.startswith(how + ".") for how in _HOW_ONLY)


def _without_secrets(command: Sequence[str]) -> list[str]:
    """Overrides whose name is that of a secret lose their value."""
    out = []
    for word in command:
        key, equals, value = word.partition("=")
        name = key.lstrip("+~").rsplit(".", 1)[-1]
        out.append(f"{key}={redacted({name: value})[name]}" if equals else word)
    return out


def _versions() -> dict[str, str]:
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _git() -> dict[str, Any] | None:
    """Commit and changed files of the checkout that fle_ray was imported from; None outside of one."""

    def git(*words: str) -> str | None:
        try:
            done = subprocess.run(
                ["git", "-C", str(source_root()), *words], capture_output=True, text=True, timeout=10, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None

    inside = git("ls-files", "--error-unmatch", "fle_ray/__init__.py")
    commit = git("rev-parse", "HEAD") if inside else None
    if commit is None:
        return None
    status = git("status", "--porcelain", "--untracked-files=normal") or ""
    dirty = [line[3:] for line in status.splitlines()]
    return {"commit": commit.strip(), "dirty_files": dirty[:200], "dirty_count": len(dirty)}


def now_text() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
