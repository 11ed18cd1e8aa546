"""The catalogue: which tasks there are, what they ask, and how they are found."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fle_ray.errors import ConfigError, UnknownName
from fle_ray.tasks import Task, get_task, select_tasks, task_names
from fle_ray.tasks.__main__ import main
from fle_ray.tasks.describe import markdown_table

# (key, target, quota, agents, steps) as published for the Factorio Learning Environment 0.4.3.
PUBLISHED = """
advanced_circuit_throughput advanced-circuit 16 1 64
automation_science_pack_throughput automation-science-pack 16 1 64
battery_throughput battery 16 1 64
chemical_science_pack_throughput chemical-science-pack 16 1 64
crude_oil_throughput crude-oil 250 1 64
electronic_circuit_throughput electronic-circuit 16 1 64
engine_unit_throughput engine-unit 16 1 64
inserter_throughput inserter 16 1 64
iron_gear_wheel_throughput iron-gear-wheel 16 1 64
iron_ore_throughput iron-ore 16 1 64
iron_plate_throughput iron-plate 16 1 64
logistics_science_pack_throughput logistic-science-pack 16 1 64
low_density_structure_throughput low-density-structure 16 1 64
military_science_pack_throughput military-science-pack 16 1 64
petroleum_gas_throughput petroleum-gas 250 1 64
piercing_round_throughput piercing-rounds-magazine 16 1 64
plastic_bar_throughput plastic-bar 16 1 64
processing_unit_throughput processing-unit 16 1 64
production_science_pack_throughput production-science-pack 16 1 64
steel_plate_throughput steel-plate 16 1 64
stone_wall_throughput stone-wall 16 1 64
sufuric_acid_throughput sulfuric-acid 250 1 64
sulfur_throughput sulfur 16 1 64
utility_science_pack_throughput utility-science-pack 16 1 64
iron_gear_wheel_throughput_unbounded_steps_show_steps_true iron-gear-wheel None 1 16
open_play None None 1 5000
open_play_production None None 1 5000
iron_plate_throughput_multiagent_free iron-plate None 2 16
iron_plate_throughput_multiagent_impostor iron-plate None 2 16
iron_plate_throughput_multiagent_distrust iron-plate None 2 16
"""
ROWS = [tuple(line.split()) for line in PUBLISHED.strip().splitlines()]


def test_the_catalogue_holds_the_thirty_published_tasks():
    assert [get_task(name).key for name in task_names()] == [row[0] for row in ROWS]
    assert len(ROWS) == 30


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_task_asks_for_the_published_target_and_quota(row):
    key, target, quota, agents, steps = row
    task = get_task(key)
    assert isinstance(task, Task)
    assert (task.key, str(task.target), str(task.quota), task.agents, task.max_steps) == (
        key,
        target,
        quota,
        int(agents),
        int(steps),
    )
    assert task.target is None or task.target in task.goal or task.target.replace("-", " ") in task.goal


@pytest.mark.parametrize("key", [row[0] for row in ROWS if "open_play" not in row[0]])
def test_lab_play_starts_with_every_technology_and_the_same_inventory(key):
    start = get_task(key).start(seed=3)
    assert (start.scenario, start.seed, start.all_technologies) == ("lab", 3, True)
    assert len(start.inventory) == 21
    assert sum(start.inventory.values()) == 2476
    assert start.inventory["transport-belt"] == 500
    assert start.inventory["oil-refinery"] == 5


@pytest.mark.parametrize("key", ["open_play", "open_play_production"])
def test_open_play_starts_with_nothing(key):
    start = get_task(key).start(seed=0)
    assert (start.scenario, dict(start.inventory), start.all_technologies) == ("open", {}, False)


def test_the_right_spelling_of_sulfuric_acid_is_an_alias():
    assert get_task("sulfuric_acid_throughput") == get_task("sufuric_acid_throughput")
    assert select_tasks("sulfuric_acid_throughput") == ["sufuric_acid_throughput"]


def test_an_unknown_task_names_the_nearest_one_and_the_command_that_lists_all():
    with pytest.raises(UnknownName, match="'iron_plate_throughput'.*fle_ray.tasks list") as caught:
        get_task("iron_plates_throughput")
    assert caught.value.nearest[0] == "iron_plate_throughput"


def test_parameters_change_a_copy_of_the_task():
    assert get_task("iron_ore_throughput", quota=32, measure="fork").quota == 32
    assert get_task("iron_ore_throughput").quota == 16


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"mesure": "fork"}, "no parameter 'mesure'. Did you mean 'measure'"),
        ({"measure": "copy"}, "measure is 'copy'; expected 'in_place' or 'fork'"),
        ({"quota": 0}, "quota is 0; expected a number above 0"),
        ({"max_steps": 0}, "max_steps is 0"),
        ({"max_steps": 2.5}, "max_steps is 2.5; expected a whole number"),
        ({"quota": "16"}, "a parameter has the wrong type"),
        ({"max_windows": True}, "max_windows is True"),
        ({"window_s": 0}, "window_s is 0"),
        ({"inventory": {"coal": -1}}, "inventory of 'coal' is -1"),
        ({"key": "other"}, "no parameter 'key'"),
    ],
)
def test_a_wrong_parameter_is_refused_with_its_value_and_what_was_expected(parameters, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        get_task("iron_ore_throughput", **parameters)


def test_only_the_impostor_is_told_to_sabotage():
    impostor = get_task("iron_plate_throughput_multiagent_impostor")
    distrust = get_task("iron_plate_throughput_multiagent_distrust")
    free = get_task("iron_plate_throughput_multiagent_free")
    assert "impostor" in impostor.instructions(1)
    assert "impostor" not in impostor.instructions(0)
    assert impostor.instructions(0) == distrust.instructions(0) == distrust.instructions(1) != ""
    assert free.instructions(0) == free.instructions(1) == ""
    with pytest.raises(IndexError, match="has 2 agent"):
        free.instructions(2)


def test_globs_select_tasks_each_once_and_in_order():
    assert select_tasks(["iron_ore_throughput", "iron_*_throughput"]) == [
        "iron_ore_throughput",
        "iron_gear_wheel_throughput",
        "iron_plate_throughput",
    ]
    assert len(select_tasks("*_throughput")) == 24
    with pytest.raises(UnknownName):
        select_tasks(["iron_ore_throughput", "gold_*"])


def _plugin(folder: Path, module: str, points: str) -> None:
    (folder / "my_tasks.py").write_text(module)
    info = folder / "my_tasks-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-tasks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[fle_ray.tasks]\n{points}\n")


def test_a_task_of_another_package_is_found_by_its_entry_point(tmp_path, monkeypatch):
    _plugin(
        tmp_path,
        "from fle_ray.tasks import ProductionTask\n"
        "hoard = ProductionTask(key='hoard', goal='Hoard.')\n"
        "def sized(steps=3):\n    return ProductionTask(key='sized', goal='Grow.', max_steps=steps)\n",
        "hoard = my_tasks:hoard\nsized = my_tasks:sized\nbroken = my_tasks:missing\nother = my_tasks:hoard\nopen_play"
        " = my_tasks:hoard",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert task_names()[-4:] == ["broken", "hoard", "other", "sized"]
    assert get_task("hoard", max_steps=7).max_steps == 7
    assert get_task("sized", steps=9).max_steps == 9
    with pytest.raises(ConfigError, match="does not take"):
        get_task("sized", size=1)
    with pytest.raises(ConfigError, match="'broken'.*does not load"):
        get_task("broken")
    with pytest.raises(ConfigError, match="has the key 'hoard'; expected the name of its entry point"):
        get_task("other")
    assert get_task("open_play").goal != "Hoard."  # a key of ours cannot be replaced


def test_the_command_lists_every_task_as_text_and_json():
    text = subprocess.run(
        [sys.executable, "-m", "fle_ray.tasks", "list"], capture_output=True, text=True, check=True
    ).stdout
    assert len(text.splitlines()) == 31
    as_json = subprocess.run(
        [sys.executable, "-m", "fle_ray.tasks", "list", "--json"], capture_output=True, text=True, check=True
    ).stdout
    assert [row["task"] for row in json.loads(as_json)] == [row[0] for row in ROWS]


def test_the_command_answers_an_unknown_name_with_one_line_and_status_2(capsys):
    assert main(["show", "open_plai"]) == 2
    error = capsys.readouterr().err
    assert "open_play" in error
    assert len(error.splitlines()) == 1


def test_the_table_in_the_documentation_is_current():
    page = Path(__file__).parents[2] / "docs" / "tasks.md"
    assert markdown_table(map(get_task, task_names())) in page.read_text()
