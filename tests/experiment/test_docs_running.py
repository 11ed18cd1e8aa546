"""The commands of docs/running.md are ones that the launcher takes."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.experiment.kit import REPOSITORY

PAGE = (REPOSITORY / "docs" / "running.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"```bash\n(.*?)```", PAGE, re.S)
    for line in block.splitlines()
    if line.startswith("python -m fle_ray.launch")
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_plans(command, tmp_path, monkeypatch):
    import fle_ray.launch

    monkeypatch.setattr("sys.argv", ["launch"])
    words = shlex.split(command, comments=True)[3:]
    with pytest.raises(SystemExit) as done:
        fle_ray.launch.main([*words, f"run.root={tmp_path}", "run.dry_run=true"])
    assert done.value.code == 0


def test_the_experiment_of_the_page_can_be_added_by_a_folder_of_ones_own(tmp_path, monkeypatch, capsys):
    import fle_ray.launch

    found = re.search(r"    # my_conf/experiment/mine\.yaml\n((?:    .*\n)+)", PAGE)
    assert found
    folder = tmp_path / "my_conf" / "experiment"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(re.sub(r"^    ", "", found[1], flags=re.M))
    monkeypatch.setattr("sys.argv", ["launch"])
    with pytest.raises(SystemExit) as done:
        fle_ray.launch.main(
            ["--config-dir", str(tmp_path / "my_conf"), "+experiment=mine", f"run.root={tmp_path}", "run.dry_run=true"]
        )
    said = capsys.readouterr()
    assert done.value.code == 0, said.err
    assert "iron_ore_throughput  idle  seed 0" in said.out


def test_every_exit_status_is_on_the_page():
    from fle_ray.experiment import run

    for status in (run.EXIT_OK, run.EXIT_MISTAKE, run.EXIT_OWED, run.EXIT_STOPPED_NOW):
        assert f"| {status} |" in PAGE
