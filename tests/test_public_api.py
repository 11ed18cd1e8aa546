"""What `import fle_ray` offers, and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

import fle_ray


def test_the_public_names_are_these_and_all_of_them_are_there():
    assert fle_ray.__all__ == sorted(fle_ray.__all__)
    assert set(fle_ray.__all__) == {
        "FleRayError",
        "__version__",
        "agent_names",
        "get_task",
        "make_agent",
        "make_env",
        "open_run",
        "select_tasks",
        "task_names",
    }
    assert dir(fle_ray) == fle_ray.__all__
    assert all(getattr(fle_ray, name) is not None for name in fle_ray.__all__)


def test_an_unknown_name_says_what_there_is():
    with pytest.raises(AttributeError, match="no attribute 'make_environment'; it has: .*make_env"):
        fle_ray.make_environment  # noqa: B018


def test_importing_starts_nothing_and_stays_light():
    code = (
        "import sys, threading, multiprocessing\n"
        "import fle_ray\n"
        "heavy = {'ray', 'pandas', 'pyarrow', 'hydra', 'omegaconf', 'openai', 'anthropic', 'matplotlib'}\n"
        "print(sorted(heavy & set(sys.modules)), threading.active_count(), multiprocessing.active_children())\n"
        "print([m for m in sys.modules if m.startswith(('fle_ray.sim', 'fle_ray.tools', 'fle_ray.experiment'))])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines() == ["[] 1 []", "[]"]
    assert shown.stderr == ""


def test_without_gymnasium_there_is_nothing_to_register_and_no_error():
    code = "import sys; sys.path.insert(0, '.'); import fle_ray; print(fle_ray.__version__, 'numpy' in sys.modules)"
    shown = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == [fle_ray.__version__, "False"]
