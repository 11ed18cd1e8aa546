"""The trackers there are, by name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from fle_ray.errors import ConfigError, UnknownName
from fle_ray.tracking.contract import Tracker

__all__ = ["TRACKERS", "check_tracker", "make_tracker"]

TRACKERS: dict[str, tuple[str, ...]] = {
    "mlflow": ("mlflow", "sqlalchemy", "alembic"),
    "tensorboard": ("tensorboardX",),
    "wandb": ("wandb",),
}
"""Name of a tracker to the modules it needs; the extra of fle-ray that brings them has the tracker's name."""


def check_tracker(name: str) -> None:
    """Refuse a tracker whose library is not installed; imports none.

    Raises:
        ConfigError: it is not.
        UnknownName: there is no such tracker.
    """
    if name not in TRACKERS:
        raise UnknownName("tracker", name, TRACKERS, f"There are: {', '.join(TRACKERS)}.")
    missing = [module for module in TRACKERS[name] if find_spec(module) is None]
    if missing:
        raise ConfigError(
            f"tracker is {name!r}, but {', '.join(missing)} cannot be imported. Install it with "
            f"`pip install 'fle-ray[{name}]'`, or set tracker=none."
        )


def make_tracker(
    name: str, folder: Path, *, project: str | None = None, uri: str | None = None, mode: str = "offline"
) -> Tracker:
    """A tracker by name; its library is imported now.

    Args:
        folder: where it writes what stays on this machine.
        project: W&B's project, MLflow's experiment; None for the experiment's name.
        uri: MLflow's store; None for a SQLite file in the folder.
        mode: of W&B, "offline" or "online".

    Raises:
        ConfigError, UnknownName: as `check_tracker`.
    """
    check_tracker(name)
    if name == "tensorboard":
        from fle_ray.tracking.tensorboard import TensorBoardTracker

        return TensorBoardTracker(folder)
    if name == "mlflow":
        from fle_ray.tracking.mlflow import MlflowTracker

        return MlflowTracker(folder, project=project, uri=uri)
    from fle_ray.tracking.wandb import WandbTracker

    return WandbTracker(folder, project=project, mode=mode)
