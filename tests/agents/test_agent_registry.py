"""Agents by name, by entry point and by import path; wrong settings in one clear line."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fle_ray.agents import Agent, agent_names, make_agent
from fle_ray.agents.registry import BUILT_IN, find_agent
from fle_ray.errors import ConfigError, UnknownName

MODULE = """
from fle_ray.agents import BaseAgent, Policy

class Waiting(BaseAgent):
    def __init__(self, seconds=1):
        self.seconds = seconds
    def act(self, observation):
        return Policy(f"sleep({self.seconds})")

class Nothing:
    pass

number = 7
"""


@pytest.fixture
def own_package(tmp_path, monkeypatch):
    (tmp_path / "my_agents.py").write_text(MODULE)
    info = tmp_path / "my_agents-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-agents\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[fle_ray.agents]\nwaiting = my_agents:Waiting\nidle = my_agents:Waiting\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("my_agents", None)


@pytest.mark.parametrize("name", ["idle", "random", "scripted"])
def test_our_agents_are_made_by_their_names(name):
    assert isinstance(make_agent(name), Agent)


def test_every_registered_name_can_be_found():
    assert all(callable(find_agent(name)) for name in BUILT_IN)


def test_an_agent_of_another_package_is_found_by_its_entry_point(own_package):
    assert agent_names()[-1] == "waiting"
    assert make_agent("waiting", {"seconds": 5}).seconds == 5
    assert not hasattr(make_agent("idle"), "seconds")  # a name of ours cannot be replaced


@pytest.mark.parametrize("path", ["my_agents.Waiting", "my_agents:Waiting"])
def test_any_class_is_an_agent_by_its_import_path(own_package, path):
    assert make_agent("mine", {"seconds": 2}, target=path).seconds == 2


def test_an_unknown_agent_offers_the_nearest_and_lists_all():
    with pytest.raises(UnknownName, match="'scripted'.*anthropic, idle, openai") as caught:
        make_agent("scriptd")
    assert caught.value.nearest == ["scripted"]


@pytest.mark.parametrize(
    ("name", "parameters", "target", "message"),
    [
        ("idle", {"x": 1}, None, "no parameter 'x'"),
        ("mine", {"second": 1}, "my_agents.Waiting", "no parameter 'second'. Did you mean 'seconds'"),
        ("replay", {}, None, "needs agent.run"),
        ("replay", {"run": None}, None, "agent.run is not set"),
        ("mine", {}, "my_agents.Missing", "cannot be imported: AttributeError"),
        ("mine", {}, "no_such_package.Agent", "cannot be imported: ModuleNotFoundError"),
        ("mine", {}, "Waiting", "expected the import path"),
        ("mine", {}, "my_agents.number", "is a int; expected a class"),
        ("mine", {}, "my_agents.Nothing", "without reset, act, observe"),
        ("scripted", {"afterwards": "sleep"}, None, "afterwards is 'sleep'; expected 'idle' or 'stop'"),
        ("scripted", {"folder": "/no/such"}, None, "which is no folder"),
        ("random", {"programs": []}, None, "programs is empty"),
    ],
)
def test_wrong_settings_are_refused_with_what_was_expected(own_package, name, parameters, target, message):
    with pytest.raises(ConfigError, match=message):
        make_agent(name, parameters, target=target)


def test_making_an_agent_imports_no_sdk_and_no_ray():
    code = (
        "import sys, fle_ray\n"
        "fle_ray.make_agent('scripted'); fle_ray.make_agent('idle')\n"
        "print([m for m in ('ray', 'pandas', 'openai', 'anthropic', 'pyarrow') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
