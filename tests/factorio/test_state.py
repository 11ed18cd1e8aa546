"""Saved states, research, inventories, blueprints and pictures at the face itself, without FLE."""

from __future__ import annotations

import base64
import json
import struct

import pytest

from fle_ray.factorio.clock import CallClock
from fle_ray.factorio.commands import Fixed, Unknown, understood
from fle_ray.factorio.episode import load_research_state, save_research_state
from fle_ray.factorio.face import Face
from fle_ray.factorio.lua import BadLua, literals
from fle_ray.factorio.saved import load_entity_state, save_entity_state
from fle_ray.game.values import Direction, Prototype
from tests.factorio.test_face import pcall

DONE = '{["a"] = true'


@pytest.fixture
def face() -> Face:
    return Face(CallClock())


def build(face: Face) -> None:
    """A burner drill on iron ore, fuelled."""
    face.begin([{"burner-mining-drill": 2, "coal": 20, "iron-plate": 10}], all_technologies=False)
    ore = face.tool(0, "nearest", ("iron-ore", None))
    face.tool(0, "move_to", ore)
    drill = face.tool(0, "place_entity", Prototype.BurnerMiningDrill, Direction.DOWN, ore)
    face.tool(0, "insert_item", Prototype.Coal, drill, 5)
    face.tool(0, "sleep", 10)


def test_a_saved_world_goes_on_exactly(face):
    build(face)
    face.answer(pcall("craft_item", "1", '"iron-gear-wheel"', "2"))
    saved, crafts = json.dumps(save_entity_state(face, 1)), list(face.crafts)
    face.tool(0, "sleep", 30)
    digest = face.instance.digest()
    other = Face(CallClock())
    load_entity_state(other, 1, saved)
    assert (other.crafts, other.instance.tick) == (crafts, face.instance.tick - 30 * 60)
    other.tool(0, "sleep", 30)
    assert other.instance.digest() == digest


def test_an_agent_who_holds_something_goes_on_holding_that(face):
    build(face)
    saved = json.dumps(save_entity_state(face, 1))
    face.begin([{"wood": 3}])
    load_entity_state(face, 1, saved)
    assert face.instance.inventory(0) == {"wood": 3}
    face.begin([{}])
    load_entity_state(face, 1, saved)
    assert face.instance.inventory(0) == {"burner-mining-drill": 1, "coal": 15, "iron-plate": 10}


def damaged(face: Face) -> list[str]:
    (entry,) = save_entity_state(face, 1)
    snapshot = base64.b64decode(entry["snapshot"])
    flipped = snapshot[:40] + bytes([snapshot[40] ^ 1]) + snapshot[41:]
    return [
        "", "{", "[]", "{}", "[1]", "[{}]", "[[]]", json.dumps([entry, entry]),
        json.dumps([{**entry, "snapshot": "?"}]),
        json.dumps([{**entry, "snapshot": None}]),
        json.dumps([{**entry, "snapshot": base64.b64encode(flipped).decode()}]),
        json.dumps([{**entry, "snapshot": base64.b64encode(snapshot[:60]).decode()}]),
        "[" * 100_000,
    ]  # fmt: skip


def test_a_damaged_state_is_refused_and_changes_nothing(face):
    build(face)
    before = face.instance.digest()
    for text in damaged(face):
        quoted = '"' + text.replace('"', '\\"') + '"'
        assert face.answer(pcall("load_entity_state", "1", quoted)).startswith('{["a"] = false'), text[:80]
    assert face.instance.digest() == before


def test_a_state_of_another_number_of_agents_is_refused(face):
    saved = json.dumps(save_entity_state(face, 1))
    face.begin([{}, {}])
    assert "1 agents; there are 2" in face.answer(pcall("load_entity_state", "1", "'" + saved + "'"))


def test_the_bytes_that_the_client_sends_are_read_as_their_text():
    assert literals(r'"\x5b\x7b\x7D\x5d"') == ["[{}]"]
    with pytest.raises(BadLua, match="UTF-8"):
        literals(r'"\xff"')


def test_loading_the_research_there_is_touches_nothing(face):
    build(face)
    face.answer(pcall("set_research", "1", '"automation"'))
    before = face.instance.digest()
    load_research_state(face, 1, save_research_state(face, 1))
    assert face.instance.digest() == before


def test_endless_technologies_keep_their_level(face):
    face.begin([{}])
    force = face.instance.world.force
    force.learn("mining-productivity-4")
    state, levels = save_research_state(face, 1), dict(force.levels)
    face.begin([{}], all_technologies=False)
    load_research_state(face, 1, state)
    assert face.instance.world.force.levels == levels
    assert face.instance.world.force.bonuses == force.bonuses


@pytest.mark.parametrize(
    "state",
    [
        "1", "{}", "nil", '{["technologies"] = 3}', '{["technologies"] = {["automation"] = {}}}',
        '{["technologies"] = {["automatoin"] = {["researched"] = true, ["level"] = 1}}}',
        '{["technologies"] = {}, ["progress"] = {["automation"] = 2}}',
        '{["technologies"] = {}, ["current_research"] = "rocket-silo"}',
        '{["technologies"] = {}, ["research_queue"] = {"nothing"}}',
    ],
)  # fmt: skip
def test_a_state_of_research_that_cannot_be_is_refused_and_changes_nothing(face, state):
    build(face)
    before = face.instance.digest()
    assert face.answer(pcall("load_research_state", "1", state)).startswith('{["a"] = false')
    assert face.instance.digest() == before


def test_new_characters_leave_what_is_built(face):
    build(face)
    assert face.answer(pcall("create_agent_characters", "2")).startswith(DONE)
    assert face.instance.positions() == [(0, 0), (0, 2)]
    assert face.instance.inventory(0) == face.instance.inventory(1) == {}
    assert [entity.name for entity in face.instance.entities(0)] == ["burner-mining-drill"]


def test_a_reset_that_clears_nothing_sets_back_characters_ore_and_knowledge(face):
    build(face)
    face.answer(pcall("reset", '"[{\\"wood\\": 2}]"', "true", "true", "false"))
    assert face.instance.inventory(0) == {"wood": 2}
    assert face.instance.positions() == [(0, 0)]
    assert len(face.instance.entities(0)) == 1
    assert len(face.instance.world.force.researched) == len(face.instance.world.data.technologies)
    assert all(r.amount == r.initial for r in face.instance.world.map.resources.values())
    face.answer(pcall("reset", '"[{}]"', "false", "false", "false"))
    assert face.instance.world.force.researched == {"automation-science-pack"}


def test_inventories_are_set_as_they_are_given_or_not_at_all(face):
    assert face.answer(pcall("set_inventory", "1", '"{\\"coal\\": 4}"')).startswith(DONE)
    assert "cole" in face.answer(pcall("set_inventory", "1", '"{\\"wood\\": 1, \\"cole\\": 4}"'))
    assert face.instance.inventory(0) == {"coal": 4}


def test_clearing_takes_everything_built_and_keeps_knowledge(face):
    build(face)
    assert face.answer(pcall("clear_entities", "1")).startswith(DONE)
    assert (face.instance.entities(0), face.instance.inventory(0)) == ([], {})
    assert face.instance.world.force.researched == {"automation-science-pack"}


def test_pictures_hold_the_land_in_the_form_that_the_client_decodes(face):
    (reply,) = literals(face.answer(pcall("render", "1", "false", "30", '"binary"')))
    found = reply["b"]
    assert found["meta"]["format"] == "v2-binary"
    assert [e["name"] for e in found["entities"]].count("character") == 1
    water = base64.urlsafe_b64decode(found["water_binary"])
    # the pond round (-17, 8): columns -22 to -12, a row of eleven tiles in six bytes, rows -3 to 20
    runs = [struct.unpack("!BhhB", water[at : at + 6]) for at in range(0, len(water), 6)]
    assert runs == [(1, -22, row, 11) for row in range(-3, 21)]
    ore = base64.urlsafe_b64decode(found["resources_binary"])
    kind, patches = struct.unpack_from("!BH", ore)
    assert (kind, patches) == (3, 2)  # coal, on both sides of row 0
    # columns 15 to 29 (centres within 30), rows -4 to 20
    assert (len(ore) - 3 - 2 * 6) / 6 == 15 * 25


@pytest.mark.parametrize("radius", ["-1", "1e9", "nil", '"x"', "true"])
def test_a_radius_that_cannot_be_is_refused(face, radius):
    assert face.answer(pcall("render", "1", "false", radius, '"binary"')).startswith('{["a"] = false')
    assert face.answer(pcall("render_simple", "1", '"radius"', "0", "0", radius)).startswith('{["a"] = false')


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/c rcon.print(storage.agent_characters and #storage.agent_characters or 0)", "agents"),
        ("/c game.players[1].teleport({x=0.5, y=-3})", "nothing"),
        ('/c game.forces["enemy"].kill_all_units()', "nothing"),
        ("/c rendering.clear()", "nothing"),
        ("/sc game.players[1].force.chart_all()", "nothing"),
        ("/c game.players[0].surface.request_to_generate_chunks({x=0,y=0}, 10)", "nothing"),
        ("/silent-command rcon.print(storage.actions.get_walking_queue_length(1))", "queue"),
        ("/silent-command rcon.print(storage.actions.get_resource_name_at_position(1, 20.5, 80))", "resource_at"),
    ],
)
def test_the_fixed_commands_of_fles_other_parts_are_known(text, name):
    command = understood(text)
    assert isinstance(command, Fixed) and command.name == name


def test_a_script_that_asks_for_something_is_not_taken_for_an_upload():
    assert isinstance(understood("/sc local n = 0\nfor _ in pairs({}) do n = n + 1 end\nrcon.print(n)"), Unknown)


def test_the_resource_at_a_place_is_named(face):
    command = "/silent-command rcon.print(storage.actions.get_resource_name_at_position(1, {}))"
    assert face.answer(command.format("20.5, 80.5")) == "iron-ore"
    assert face.answer(command.format("0, 0")) == ""
    assert face.answer(command.format("1e300, 0")).startswith("error: ")
