"""What commands do to a served world, and what they cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fle_ray.errors import ConfigError
from fle_ray.factorio.__main__ import actions_table
from fle_ray.factorio.actions import ACTIONS, UNMAPPED
from fle_ray.factorio.clock import CallClock, WallClock
from fle_ray.factorio.commands import Call, Fixed, Unknown, Upload, understood
from fle_ray.factorio.face import Face

ROOT = Path(__file__).resolve().parents[2]


def pcall(action: str, *arguments: str) -> str:
    inside = ", ".join((f"storage.actions.{action}", ",".join(arguments))) if arguments else f"storage.actions.{action}"
    return f"/silent-command a, b = pcall({inside}); rcon.print(dump({{a=a, b=b}}))"


@pytest.fixture
def face() -> Face:
    return Face(CallClock())


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (pcall("score"), Call("score", ())),
        (pcall("nearest", "1", '"iron-ore"'), Call("nearest", (1, "iron-ore"))),
        (pcall("render_message", "1", '"a); b\nc"'), Call("render_message", (1, "a); b\nc"))),
        ("/sc game.speed = 10", Fixed("speed", ("10",))),
        ("/sc game.tick_paused = true", Fixed("pause", ("true",))),
        ("/c storage.actions.x = function(a)\n  return a\nend", Upload(31 + 1 + 10 + 1 + 3)),
        ("/sc ", Upload(0)),
        ("/sc -- a comment alone", Upload(18)),
        ("/sc game.print('hello')", Unknown("/sc game.print('hello')")),
        ("hello", Unknown("hello")),
    ],
)
def test_commands_are_understood_by_their_form(text, command):
    assert understood(text) == command


def test_a_call_followed_by_other_code_is_not_a_call():
    assert isinstance(understood(pcall("score") + "; game.reset()"), Unknown)


def test_uploads_are_accepted_and_change_nothing(face):
    before = face.instance.digest()
    assert face.answer("/sc storage.actions.nearest = function()\n  game.players[1].insert('coal')\nend") == ""
    assert face.instance.digest() == before


def test_checksums_are_kept_and_cleared(face):
    face.answer("/sc storage.set_lua_script_checksum('agent/nearest/server.lua', 'abc')")
    assert face.answer("/sc rcon.print(storage.get_lua_script_checksums())") == '{"agent/nearest/server.lua": "abc"}'
    face.answer("/sc storage.clear_lua_script_checksums()")
    assert face.answer("/sc rcon.print(storage.get_lua_script_checksums())") == "{}"


def test_an_unknown_command_gets_an_error_and_a_log_line(face, caplog):
    assert face.answer("/sc game.print(1)").startswith("error: ")
    assert "game.print(1)" in caplog.text


def test_an_action_that_is_not_mapped_is_refused_with_its_reason(face):
    assert face.answer(pcall("inspect_entities", "1")).startswith(
        '{["a"] = false,["b"] = "inspect_entities is not supported'
    )


def test_an_unknown_action_offers_the_nearest_name(face):
    assert "place_entity" in face.answer(pcall("place_entitty", "1"))


def test_an_actions_refusal_has_no_colon_for_the_client_to_cut_at(face):
    reply = face.answer(pcall("place_entity", "1", '"stone-furnace"', "0", "0", "0", "true"))
    assert reply.startswith('{["a"] = false,["b"] = "')
    assert ":" not in reply


@pytest.mark.parametrize("player", ["0", "2", "1.5", "true", '"1"', "nil"])
def test_a_player_there_is_not_is_refused(face, player):
    assert face.answer(pcall("nearest", player, '"coal"')).startswith('{["a"] = false')


def test_a_reset_gives_each_agent_its_inventory(face):
    face.answer(pcall("create_agent_characters", "2"))
    face.answer(pcall("reset", '"[{\\"coal\\": 5}, {\\"wood\\": 2}]"', "false", "true", "true"))
    assert (
        face.answer(pcall("inspect_inventory", "1", "true", "0", "0", '""')) == '{["a"] = true,["b"] = {["coal"] = 5}}'
    )
    assert (
        face.answer(pcall("inspect_inventory", "2", "true", "0", "0", '""')) == '{["a"] = true,["b"] = {["wood"] = 2}}'
    )


def test_a_reset_with_an_unknown_item_changes_nothing(face):
    before = face.instance.digest()
    assert face.answer(pcall("reset", '"[{\\"cole\\": 5}]"', "false", "true", "true")).startswith('{["a"] = false')
    assert face.instance.digest() == before


def test_elapsed_ticks_are_what_actions_took(face):
    face.answer(pcall("sleep", "2"))
    assert face.answer("/sc rcon.print(storage.elapsed_ticks or 0)") == "120"
    face.answer("/sc storage.elapsed_ticks = 0")
    assert face.answer("/sc rcon.print(storage.elapsed_ticks or 0)") == "0"


def test_one_action_cannot_hold_the_world_for_ever(face):
    assert face.answer(pcall("sleep", "1e12")).startswith('{["a"] = false')
    assert face.instance.tick == 60 * 60 * 60  # the hour an action may cost


def test_alerts_say_what_is_wrong_now(face):
    face.answer(pcall("reset", '"[{\\"stone-furnace\\": 1}]"', "false", "true", "true"))
    face.answer(pcall("place_entity", "1", '"stone-furnace"', "0", "2", "2", "true"))
    reply = face.answer("/sc rcon.print(dump(storage.get_alerts(10)))")
    assert '["entity_name"] = "stone-furnace"' in reply
    assert "out of fuel" in reply


def test_the_wall_clock_moves_the_world_with_time_and_speed_unless_paused():
    seconds = [0.0]
    face = Face(WallClock(lambda: seconds[0]))
    seconds[0] = 2.0
    face.answer("/sc game.speed = 10")  # 2 s at speed 1
    assert face.instance.tick == 120
    seconds[0] = 3.0
    face.answer("/sc game.tick_paused = true")  # 1 s at speed 10
    assert face.instance.tick == 120 + 600
    seconds[0] = 50.0
    face.answer("/sc game.tick_paused = false")
    assert face.instance.tick == 720


def test_on_the_wall_clock_an_actions_cost_is_not_paid_twice():
    seconds = [0.0]
    face = Face(WallClock(lambda: seconds[0]))
    face.answer(pcall("sleep", "10"))
    assert face.instance.tick == 600
    seconds[0] = 10.0  # the client sleeps as long as the action took
    face.answer(pcall("score"))
    assert face.instance.tick == 600
    seconds[0] = 11.0
    face.answer(pcall("score"))
    assert face.instance.tick == 660


@pytest.mark.parametrize("speed", ["0", "-1", "1e9", "1.2.3"])
def test_a_speed_that_cannot_be_is_refused(face, speed):
    assert face.answer(f"/sc game.speed = {speed}").startswith("error: ")


def test_an_unknown_scenario_is_refused():
    with pytest.raises(ConfigError):
        Face(CallClock(), scenario="labb")


def test_no_action_is_both_mapped_and_not():
    assert not ACTIONS.keys() & UNMAPPED.keys()


def test_the_page_holds_the_generated_list_of_actions():
    assert actions_table() in (ROOT / "docs" / "factorio.md").read_text(encoding="utf-8")


def test_the_default_password_is_not_served_to_other_machines():
    done = subprocess.run(
        [sys.executable, "-m", "fle_ray.factorio", "serve", "--host", "0.0.0.0"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.returncode == 2
    assert "password" in done.stderr


@pytest.mark.parametrize("x", ["1e308", "-2e6", "1000001"])
@pytest.mark.parametrize("scenario", ["lab", "open"])
def test_a_place_beyond_any_map_is_refused(scenario, x):
    face = Face(CallClock(), scenario=scenario)
    reply = face.answer(pcall("place_entity", "1", '"stone-furnace"', "0", x, "0", "true"))
    assert reply.startswith('{["a"] = false') and "beyond the map" in reply


def test_a_full_belt_is_refused_in_the_words_at_which_the_client_stops(face):
    face.begin([{"transport-belt": 1, "coal": 50}])
    face.answer(pcall("place_entity", "1", '"transport-belt"', "0", "2.5", "2.5", "true"))
    replies = [face.answer(pcall("insert_item", "1", '"coal"', "1", "2.5", "2.5", "nil")) for _ in range(9)]
    # a belt has two lanes of four
    assert ['["a"] = true' in reply for reply in replies] == [True] * 8 + [False]
    assert "Could not find" in replies[-1]


@pytest.mark.parametrize(("distance", "named"), [(4, True), (5, False)])
def test_the_end_of_an_underground_belt_is_named_if_the_client_can_find_it(face, distance, named):
    face.begin([{"underground-belt": 2}])
    for x in (0.5, 0.5 + distance):
        face.answer(pcall("place_entity", "1", '"underground-belt"', "4", str(x), "2.5", "true"))
    assert ("connected_to" in face.answer(pcall("get_entities", "1", "50", '"[]"', "0", "0"))) == named
