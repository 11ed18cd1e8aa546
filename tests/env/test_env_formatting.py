"""Text for models: sections and the three forms of entities, with texts written out by hand."""

from __future__ import annotations

import json

import pytest

from fle_ray.env import FactorioEnv, ObservationFormat, format_observation
from fle_ray.env.entity_text import delta_text, grid_text, list_text, number
from fle_ray.errors import ConfigError, UnknownName
from fle_ray.interpreter.result import ProgramError
from fle_ray.tasks import get_task
from tests.env.fakes import FakeInstance, FakeInterpreter


def drill(x, y, **more):
    return {
        "name": "burner-mining-drill",
        "position": {"x": x, "y": y},
        "direction": 8,
        "status": "working",
        "tile_dimensions": {"tile_width": 2, "tile_height": 2},
        "fuel": {"coal": 5},
        "drop_position": {"x": x - 0.5, "y": y + 1.5},
        "warnings": [],
        **more,
    }


def belt(x, y, direction):
    return {"name": "transport-belt", "position": {"x": x, "y": y}, "direction": direction, "status": "normal"}


def chest(x, y, **inventory):
    return {"name": "wooden-chest", "position": {"x": x, "y": y}, "status": "normal", "inventory": inventory}


@pytest.mark.parametrize(
    ("value", "text"), [(3, "3"), (3.0, "3"), (0.5, "0.5"), (1e7, "10000000"), (1 / 3, "0.33"), (-2.0, "-2")]
)
def test_numbers_are_written_without_needless_digits(value, text):
    assert number(value) == text


def test_equal_machines_share_a_line():
    assert list_text([drill(20, 70), drill(24, 70), drill(28, 70, status="no_fuel", fuel={})]) == (
        "2 x burner-mining-drill, down, working, drops -0.5+1.5 at (20,70) (24,70): fuel coal=5\n"
        "burner-mining-drill, down, no fuel, drops -0.5+1.5 at (28,70)"
    )


def test_contents_recipes_fluids_ore_and_warnings_are_on_the_line():
    machine = {
        "name": "chemical-plant",
        "position": {"x": 0.5, "y": 0.5},
        "direction": 0,
        "status": "no_power",
        "recipe": {"name": "plastic-bar", "energy": 1},
        "assembling_machine_input": {"coal": 3},
        "fluid_box": [{"name": "petroleum-gas", "amount": 12.345, "temperature": 25}],
        "input_connection_points": [{"x": -0.5, "y": 2.0, "type": "petroleum-gas"}],
        "warnings": ["not receiving electricity"],
    }
    assert list_text([machine]) == (
        "chemical-plant, up, no power, recipe plastic-bar, fluid in petroleum-gas-1+1.5, ! not receiving electricity"
        " at (0.5,0.5): in coal=3, fluid petroleum-gas=12.35"
    )


def test_two_places_in_a_list_are_told_one_by_one():
    text = list_text(
        [
            {
                "name": "boiler",
                "position": {"x": 2.0, "y": 5.0},
                "connection_points": [{"x": 0.0, "y": 5.0}, {"x": 4.0, "y": 5.0}],
            }
        ],
        10,
    )
    assert "-2" in text and "+2" in text


def test_machines_that_differ_only_in_what_they_hold_share_a_line():
    assert list_text([chest(0.5, 0.5, coal=1), chest(1.5, 0.5, coal=2), chest(2.5, 0.5, coal=1), chest(3.5, 0.5)]) == (
        "4 x wooden-chest at (0.5,0.5) (2.5,0.5): holds coal=1; (1.5,0.5): holds coal=2; (3.5,0.5)"
    )


@pytest.mark.parametrize(
    ("count", "text"), [(39967, "40k"), (6_240_000, "6.2M"), (624, "620"), (99, "99"), (100, "100")]
)
def test_ore_in_the_ground_is_told_to_two_digits(count, text):
    assert f": fuel coal=5, on iron-ore={text}" in list_text(
        [drill(0, 0, resources=[{"name": "iron-ore", "count": count}])]
    )


def test_a_direction_is_told_only_where_it_means_something():
    front = {"position": {"x": 0.5, "y": 0.5}, "direction": 4, "status": "normal"}
    assert list_text([{"name": "iron-chest", "type": "container", **front}]) == "iron-chest at (0.5,0.5)"
    assert list_text([{"name": "inserter", "type": "inserter", **front}]) == "inserter, right at (0.5,0.5)"
    machine = {"name": "assembling-machine-2", "type": "assembling-machine", **front}
    assert list_text([machine]) == "assembling-machine-2 at (0.5,0.5)"
    assert "right, connects 0-2" in list_text([machine | {"connection_points": [{"x": 0.5, "y": -1.5}]}])


def test_a_group_says_how_many_it_has_and_what_it_carries():
    group = {
        "name": "belt-group",
        "position": {"x": 0.5, "y": 0.5},
        "status": "working",
        "belts": [belt(0.5, 0.5, 4), belt(1.5, 0.5, 4)],
        "inputs": [belt(0.5, 0.5, 4)],
        "outputs": [belt(1.5, 0.5, 4)],
        "inventory": {"left": {"coal": 2}, "right": {"coal": 1, "stone": 1}},
    }
    assert list_text([group]) == (
        "belt-group, working, of 2 belts, from (0.5,0.5), to (1.5,0.5) at (0.5,0.5): holds coal=3 stone=1"
    )


def test_a_pipe_network_tells_what_flows_in_it():
    pipes = [
        {"name": "pipe", "position": {"x": x + 0.5, "y": 0.5}, "fluid": "water", "contents": 150.0} for x in (0, 1)
    ]
    group = {"name": "pipe-group", "position": {"x": 0.5, "y": 0.5}, "status": "working", "pipes": pipes}
    assert list_text([group]) == ("pipe-group, working, of 2 pipes, (0.5,0.5) (1.5,0.5) at (0.5,0.5): fluid water=150")


def test_a_long_group_shows_its_first_and_last_members():
    poles = [{"name": "small-electric-pole", "position": {"x": x + 0.5, "y": 0.5}} for x in range(8)]
    group = {"name": "electricity-group", "position": {"x": 4.0, "y": 0.5}, "status": "working", "poles": poles}
    assert list_text([group]) == (
        "electricity-group, working, of 8 poles, (0.5,0.5) (1.5,0.5) (2.5,0.5) ... (5.5,0.5) (6.5,0.5) (7.5,0.5)"
        " at (4,0.5)"
    )


def test_nothing_built_is_said():
    assert list_text([]) == grid_text([]) == delta_text([], []) == "none"


def test_lines_beyond_the_limit_are_counted():
    text = list_text([{**chest(x + 0.5, 0.5), "name": f"chest-{x}"} for x in range(5)], most_lines=2)
    assert text.splitlines()[-1] == "... 3 more lines"
    assert len(text.splitlines()) == 3


def test_the_delta_form_tells_what_came_went_and_changed():
    before = [drill(20, 70), drill(24, 70), chest(0.5, 0.5, coal=1), chest(5.5, 0.5)]
    now = [drill(20, 70), chest(0.5, 0.5, coal=2), chest(5.5, 0.5), belt(3.5, 3.5, 4)]
    assert delta_text(now, before) == (
        "+ transport-belt, right at (3.5,3.5)\n"
        "- burner-mining-drill (24,70)\n"
        "~ wooden-chest at (0.5,0.5): holds coal=2\n"
        "= 2 as before"
    )


def test_the_grid_form_draws_a_map():
    # A 2x2 drill centred at (1, 1) covers tiles 0..1; belts run right under it and turn up; a chest is at the
    # end.
    things = [
        drill(1, 1, fuel={}),
        belt(0.5, 2.5, 4),
        belt(1.5, 2.5, 4),
        belt(2.5, 2.5, 0),
        chest(2.5, 1.5),
    ]
    assert grid_text(things) == (
        "map from (0,0), x to the right, y down, one character a tile:\n"
        "BB.\n"
        "BBW\n"
        ">>^\n"
        "key: B burner-mining-drill, W wooden-chest; belts ^ > v <"
    )


def test_far_buildings_get_maps_of_their_own_and_troubles_are_listed():
    text = grid_text([chest(0.5, 0.5), chest(100.5, 0.5, coal=2)])
    assert text.splitlines() == [
        "map from (0,0), x to the right, y down, one character a tile:",
        "W",
        "map from (100,0), x to the right, y down, one character a tile:",
        "W",
        "key: W wooden-chest; belts ^ > v <",
        "wooden-chest at (100.5,0.5): holds coal=2",
    ]


def test_a_wide_machine_turned_to_the_side_is_drawn_turned():
    boiler = {
        "name": "boiler",
        "position": {"x": 1.0, "y": 1.5},
        "direction": 4,
        "tile_dimensions": {"tile_width": 3, "tile_height": 2},
    }
    assert grid_text([boiler]).splitlines()[1:4] == ["BB", "BB", "BB"]


def observation_after(code, task="open_play"):
    env = FactorioEnv(FakeInstance(), get_task(task), make_session=FakeInterpreter)
    env.reset(seed=0)
    return env, *env.step({"agent_idx": 0, "code": code})


def test_sections_tell_what_happened():
    env, observation, *_, info = observation_after(
        "build('iron-ore', 30)\nsleep(60)\nharvest_resource('coal', 2)\nprint('hello')"
    )
    text = env.text(observation, info)
    assert "## Output\n1: ('hello',)\nProduction score 94 (+94 in this step)" in text  # 30 x 3 + 2 x 2
    assert "## Game\ntime 0:01:00 (tick 3600), production score 94, automated 90, steps left 4999" in text
    assert "## Inventory\ncoal 2" in text
    assert "## Entities\nfake-machine, working at (0.5,0.5)" in text
    assert "## Flows\nmade: coal 2, iron-ore 30\nmined by hand: coal 2" in text
    assert "## Research\neverything is researched" in text
    assert "## Positions\nagent 0 (0,0)" in text
    assert "## Task" not in text
    assert "## Errors" not in text


def test_the_task_is_told_with_the_first_observation_only():
    env = FactorioEnv(FakeInstance(), get_task("open_play"), make_session=FakeInterpreter)
    text = env.text(*env.reset(seed=0))
    assert text.startswith(f"## Task\n{env.task.goal}\nYou may run 5000 programs.")


def test_errors_name_kind_line_and_whether_the_world_was_put_back():
    env, observation, *_, info = observation_after("hang()")
    assert (
        "## Errors\ntimeout: The program ran for more than 120 s and was stopped. What the program did was"
        " undone." in env.text(observation, info)
    )
    text = format_observation(observation, error=ProgramError("exception", "ValueError", "no\nway", 3))
    assert "## Errors\nexception in line 3: ValueError: no\nway" in text


def test_sections_and_output_length_are_chosen_by_configuration():
    _, observation, *_ = observation_after("print('x' * 100)")
    text = format_observation(
        observation, ObservationFormat(sections=("inventory", "output"), max_output_characters=10)
    )
    assert text.startswith("## Inventory\nempty\n\n## Output\n... ")
    assert text.endswith(observation["raw_text"][-10:])


def test_the_delta_form_compares_with_what_the_agent_was_shown_last():
    env = FactorioEnv(
        FakeInstance(),
        get_task("open_play"),
        make_session=FakeInterpreter,
        observation_format=ObservationFormat(form="delta"),
    )
    assert "## Entities\nnone" in env.text(*env.reset(seed=0))
    one = env.step({"agent_idx": 0, "code": "build('coal', 1)"})
    assert "## Entities\n+ fake-machine, working at (0.5,0.5)" in env.text(one[0], one[4])
    two = env.step({"agent_idx": 0, "code": "pass"})
    assert "## Entities\n= 1 as before" in env.text(two[0], two[4])


def test_a_recorded_observation_can_be_formatted_again():
    _, observation, *_ = observation_after("build('coal', 1)")
    assert format_observation(json.loads(json.dumps(observation))) == format_observation(observation)


def test_an_unknown_form_or_section_offers_the_nearest():
    with pytest.raises(UnknownName, match="'delta'"):
        ObservationFormat(form="deltas")
    with pytest.raises(UnknownName, match="'inventory'"):
        ObservationFormat(sections=("inventry",))
    with pytest.raises(ConfigError, match="max_entity_lines is 0"):
        ObservationFormat(max_entity_lines=0)


def test_running_research_tells_progress_and_what_can_be_started():
    _, observation, *_ = observation_after("pass")
    technology = {
        "enabled": 1,
        "level": 1,
        "research_unit_count": 10,
        "research_unit_energy": 600.0,
        "ingredients": (),
    }
    observation["research"] = {
        "technologies": (
            {"name": "automation", "researched": 1, "prerequisites": (), **technology},
            {"name": "logistics", "researched": 0, "prerequisites": (), **technology},
            {"name": "automation-2", "researched": 0, "prerequisites": ("automation", "logistics"), **technology},
        ),
        "current_research": "logistics",
        "research_progress": 0.25,
        "research_queue": ("logistics",),
        "progress": ({"name": "automation-science-pack", "value": 15.0},),
    }
    assert format_observation(observation, ObservationFormat(sections=("research",))) == (
        "## Research\n"
        "in progress: logistics, 25 %, still needs automation-science-pack 15\n"
        "queue: logistics\n"
        "researched 1 of 3: automation\n"
        "can be started: logistics"
    )
