"""Where the packaged configuration lies, and where the source stands."""

from __future__ import annotations

from pathlib import Path

__all__ = ["conf_dir", "source_root"]

_PACKAGE = Path(__file__).resolve().parent


def conf_dir() -> Path:
    """The folder of Hydra's groups: inside the package (a wheel), or beside it (a checkout).

    Raises:
        FileNotFoundError: neither is there; the installation is damaged.
    """
    candidates = (_PACKAGE / "conf", _PACKAGE.parent / "conf")
    for candidate in candidates:
        if (candidate / "config.yaml").is_file():
            return candidate
    raise FileNotFoundError(
        f"conf/config.yaml is missing; looked in {' and '.join(map(str, candidates))}. Reinstall fle_ray."
    )


def source_root() -> Path:
    """The folder that `import fle_ray` was found in: a checkout's top level, or site-packages."""
    return _PACKAGE.parent
