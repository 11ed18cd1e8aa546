"""A configuration is right, or it is one line that says what is wrong; before anything is started or written."""

from __future__ import annotations

import pytest
import yaml

from fle_ray.config import load_config, plain_config, redacted, settings
from fle_ray.errors import ConfigError
from fle_ray.paths import conf_dir
from tests.experiment.kit import CONF, FAKED, config, launch

SMOKE = "+experiment=smoke"

MISTAKES = [
    ([], "name is not set. Choose an experiment with +experiment=NAME, or give name=..."),
    (
        ["+experiment=lab_ply"],
        "No experiment 'lab_ply'. Did you mean 'lab_play'? There are: lab_play, open_play, smoke.",
    ),
    (["experiment=smoke"], "experiment: To append to your default list use +experiment=smoke"),
    (
        [SMOKE, "tasks=iron_oer_throughput"],
        "No task 'iron_oer_throughput'. Did you mean 'iron_ore_throughput' or 'iron_plate_throughput' or "
        "'iron_gear_wheel_throughput'? `python -m fle_ray.tasks list` shows all 30; further tasks register as entry "
        "points of the group 'fle_ray.tasks'.",
    ),
    (
        [SMOKE, "tasks=[iron_ore_throughput,nothing_*]"],
        "No task 'nothing_*'. `python -m fle_ray.tasks list` shows all 30; further tasks register as entry points of "
        "the group 'fle_ray.tasks'.",
    ),
    ([SMOKE, "tasks=3"], "tasks is 3; expected a task's name or glob, or a list of them."),
    ([SMOKE, "engine=simm"], "No engine 'simm'. Did you mean 'sim'? There are: factorio, sim."),
    (
        [SMOKE, "engine.name=simm"],
        "No engine 'simm'. Did you mean 'sim'? There are: factorio, sim. Or give the import path of a class as engine._target_.",
    ),
    (
        [SMOKE, "runner.instnces=2"],
        "No setting 'runner.instnces'. Did you mean 'runner.instances' or 'runner.cpus_per_instance' or "
        "'runner.max_steps'? docs/configuration.md lists them all.",
    ),
    (
        [SMOKE, "+instances=2"],
        "No setting 'instances'. Did you mean 'runner.instances'? docs/configuration.md lists them all.",
    ),
    ([SMOKE, "runner.instances=two"], "runner.instances is 'two'; expected a whole number of at least 1 or null."),
    ([SMOKE, "runner.instances=0"], "runner.instances is 0; expected a whole number of at least 1 or null."),
    ([SMOKE, "runner.max_steps=2.5"], "runner.max_steps is 2.5; expected a whole number of at least 1 or null."),
    (
        [SMOKE, "runner.fsync=1"],
        "No setting 'runner.fsync'. Did you mean 'dataset.fsync'? docs/configuration.md lists them all.",
    ),
    (
        [SMOKE, "runner.turns=interleavd"],
        "runner.turns is 'interleavd'; expected one of interleaved, agent_by_agent. Did you mean 'interleaved'?",
    ),
    ([SMOKE, "runner.step_wall_s=null"], "runner.step_wall_s is None; expected a number of at least 0.1."),
    (
        [SMOKE, "tracker=wandbb"],
        "No tracker 'wandbb'. Did you mean 'wandb'? There are: mlflow, none, tensorboard, wandb.",
    ),
    ([SMOKE, "tracker.mode=onlin"], "tracker.mode is 'onlin'; expected one of offline, online. Did you mean 'online'?"),
    ([SMOKE, "trials=0"], "trials is 0; expected a whole number of at least 1."),
    ([SMOKE, "seeds=[a]"], "seeds holds 'a'; expected whole numbers, or a range such as 0..9."),
    ([SMOKE, "seeds=-1"], "seeds is -1; expected at least one number from 0 to 2147483647."),
    (
        [SMOKE, "run.id=a/b"],
        "run.id is 'a/b'; expected letters, digits, dots, dashes and underscores, for it names a folder.",
    ),
    ([SMOKE, "run.id=a", "run.resume=b"], "run.id is 'a' and run.resume is 'b'; give one of them, or the same."),
    ([SMOKE, "run.resume=gone"], "No run 'gone'. Runs of 'smoke' lie in {root}/smoke."),
    ([SMOKE, "task.measure=frk"], "Task 'iron_ore_throughput': measure is 'frk'; expected 'in_place' or 'fork'."),
    ([SMOKE, "task.mesure=fork"], "No setting 'task.mesure'. Did you mean 'task.measure'?"),
    (
        [SMOKE, "+agent.foldr=x"],
        "Agent 'scripted' has no parameter 'foldr'. Did you mean 'folder'? It has: folder, afterwards.",
    ),
    (
        [SMOKE, "interpreter.require=[landlok]"],
        "No isolation layer 'landlok'. Did you mean 'landlock'? Layers: environment, descriptors, undumpable, "
        "parent_death, no_new_privs, namespaces, capabilities, landlock, rlimits, seccomp.",
    ),
    (
        [SMOKE, "agent=scripted,idle"],
        "agent=scripted,idle lists several values, which makes a sweep: put -m before the overrides, or write a list "
        "as 'agent=[a,b]'.",
    ),
    (
        [SMOKE, "tasks=open_play", "++agent.folder=docs", "runner.backend=serial"],
        "Nothing to play: none of the tasks is supported yet (open_play: no reference program).",
    ),
    (
        [*FAKED, "tasks=iron_plate_throughput_multiagent_free", "agents=[{name: idle}]"],
        "agents lists 1 agent(s), but task 'iron_plate_throughput_multiagent_free' is for 2. Choose other tasks, or "
        "set agents=null to let `agent` play them all.",
    ),
    (
        [SMOKE, "agent.name=mine", "+agent._target_=tests.fakes.Nobody"],
        "Agent 'mine': _target_ 'tests.fakes.Nobody' cannot be imported: AttributeError: module 'tests.fakes' has no "
        "attribute 'Nobody'",
    ),
]


@pytest.mark.parametrize(("words", "line"), MISTAKES, ids=[" ".join(words)[-50:] or "nothing" for words, _ in MISTAKES])
def test_a_mistake_is_one_exact_line_before_anything_is_written(words, line, tmp_path, capsys, monkeypatch):
    import fle_ray.launch

    root = tmp_path / "data"
    monkeypatch.setattr("sys.argv", ["launch"])
    with pytest.raises(SystemExit) as caught:
        fle_ray.launch.main([*words, f"run.root={root}"])
    said = capsys.readouterr()
    assert caught.value.code == 2
    assert said.err == line.replace("{root}", str(root)) + "\n" and said.out == ""
    assert not root.exists()


def test_a_mistake_in_a_process_of_its_own_has_exit_status_2_and_no_traceback(tmp_path):
    done = launch("+experiment=smoke", "tasks=iron_oer_throughput", f"run.root={tmp_path / 'data'}")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("No task 'iron_oer_throughput'. Did you mean 'iron_ore_throughput'")
    assert done.stderr.count("\n") == 1 and not (tmp_path / "data").exists()


def test_one_wrong_job_of_a_sweep_stops_the_sweep_before_it_begins(tmp_path):
    done = launch("-m", *FAKED, "runner.turns=interleaved,odd", f"run.root={tmp_path / 'data'}")
    assert done.returncode == 2 and "runner.turns is 'odd'" in done.stderr
    assert not (tmp_path / "data").exists()


def test_every_setting_of_the_schema_is_in_the_packaged_configuration_with_the_same_default(tmp_path):
    from hydra import compose, initialize_config_dir

    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        composed = compose("config", ["+experiment=smoke", "runner=ray"])
    for setting in settings():
        if setting.name.startswith(("agent", "engine", "interpreter")) or setting.name in ("name", "tasks", "task"):
            continue
        value = composed
        for part in setting.name.split("."):
            assert part in value, f"{setting.name} is not in conf/"
            value = value[part]
        if setting.name not in ("description", "runner.max_steps"):  # the experiment's own
            assert value == setting.default, f"{setting.name} is {value!r} in conf/, {setting.default!r} in the schema"


def test_a_saved_configuration_loads_to_the_same_configuration(tmp_path):
    first = config(tmp_path, seeds=[0, 1], budgets={"episode": {"steps": 3}}, agents=[{"name": "idle"}])
    again = load_config(yaml.safe_load(yaml.safe_dump(plain_config(first))))
    first.run.id = None
    assert again == first


def test_secrets_are_redacted_and_names_of_variables_are_kept():
    assert redacted(
        {"agent": {"api_key": "sk-1", "api_key_env": "KEY", "max_tokens": 5, "headers": [{"Authorization": "x"}]}}
    ) == {
        "agent": {
            "api_key": "<redacted>",
            "api_key_env": "KEY",
            "max_tokens": 5,
            "headers": [{"Authorization": "<redacted>"}],
        }
    }


def test_a_wrong_group_is_explained():
    with pytest.raises(ConfigError, match="runner is 3; expected a group of settings"):
        load_config({"name": "x", "tasks": "y", "runner": 3})


def test_the_page_on_configuration_is_the_one_made_from_the_schema():
    from fle_ray.config import documentation
    from tests.experiment.kit import REPOSITORY

    assert (REPOSITORY / "docs" / "configuration.md").read_text() == documentation()


def test_a_users_own_config_folder_adds_experiments(tmp_path):
    done = launch(*FAKED, f"run.root={tmp_path}", "run.id=x", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "20 / 16" in done.stdout and CONF
