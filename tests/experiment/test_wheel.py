"""A wheel built from the repository and installed elsewhere runs, with its own conf/ and a user's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.experiment.kit import REPOSITORY


@pytest.mark.slow
def test_an_installed_wheel_plays_and_takes_a_users_config_folder(tmp_path):
    source = tmp_path / "source"
    ignore = shutil.ignore_patterns(".git", "data", "outputs", "__pycache__", ".venv", "dist", "build")
    shutil.copytree(REPOSITORY, source, ignore=ignore)
    pip = [sys.executable, "-m", "pip"] if has_pip() else ["uv", "pip"]
    build = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path / "dist"),
        str(source),
    ]
    done = subprocess.run(build, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    site = tmp_path / "site"
    done = subprocess.run(
        [*pip, "install", "--no-deps", "--target", str(site), str(wheel)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (site / "fle_ray" / "conf" / "config.yaml").is_file()

    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "my" / "experiment").mkdir(parents=True)
    (elsewhere / "my" / "experiment" / "mine.yaml").write_text(
        "# @package _global_\ndefaults: [smoke, {override /agent: idle}]\nname: mine\n"
    )
    for words, folder in ((["+experiment=smoke"], "smoke"), (["--config-dir", "my", "+experiment=mine"], "mine")):
        done = launch_from(site, elsewhere, *words, "run.id=x")
        assert done.returncode == 0, done.stderr
        assert (elsewhere / "data" / folder / "x" / "manifest.json").is_file()
    done = launch_from(site, elsewhere, "-m", "+experiment=smoke", "seeds=0,1", "run.id=s")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "job  seeds" in done.stdout  # the table of our launcher, which the wheel has brought along
    assert {p.name for p in (elsewhere / "data" / "smoke").iterdir()} == {"x", "s-0", "s-1"}


def launch_from(site: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(
        [sys.executable, "-m", "fle_ray.launch", *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
        timeout=120,
    )


def has_pip() -> bool:
    return subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0
