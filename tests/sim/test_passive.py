"""Things that are placed and do little, and the coverage table."""

from __future__ import annotations

from pathlib import Path

import pytest

from fle_ray.errors import Unsupported
from fle_ray.game.prototypes import load
from fle_ray.sim import World
from fle_ray.sim.__main__ import main
from fle_ray.sim.coverage import render, rows
from fle_ray.sim.passive import MECHANICS

NATURAL = {"tree", "resource", "simple-entity", "fish", "character", "item-entity"}
PLACEABLE = [e.name for e in load().entities.values() if e.type not in NATURAL]
PASSIVE = [e.name for e in load().entities.values() if e.type in MECHANICS]


@pytest.mark.parametrize("name", PLACEABLE)
def test_every_placeable_prototype_stands_is_saved_and_gives_its_place_back(name):
    world = World()
    world.ore("iron-ore", (-5, -5, 5, 5))
    world.well((0.5, 0.5))
    if name == "offshore-pump":
        world.water((-4, -9, 5, 0))
    entity = world.build(name, (0.5, 0.5), direction=0)
    world.advance(5)
    again = World.restore(world.snapshot())
    assert again.digest() == world.digest()
    assert [e.status for e in again.entities.values()] == [entity.status]
    left, top, right, bottom = entity.area
    assert {right - left, bottom - top} == {*map(float, load().entity(name).tiles(0))}
    world.remove(entity)
    assert world.find((-20, -20, 20, 20)) == []


@pytest.mark.parametrize("name", [n for n in PASSIVE if MECHANICS[load().entity(n).type]])
def test_a_setting_of_a_missing_mechanic_names_it(name):
    world = World()
    entity = world.build(name, (0.5, 0.5))
    with pytest.raises(Unsupported) as caught:
        entity.set(condition="iron-plate > 5")
    assert caught.value.mechanic == MECHANICS[load().entity(name).type]


def test_a_gun_turret_holds_ammunition_and_nothing_else():
    turret = World().build("gun-turret", (0, 0))
    assert turret.status == "no_ammo"
    assert turret.put("iron-plate", 5) == 0
    assert turret.put("artillery-shell", 1) == 0
    assert turret.insert("firearm-magazine", 10, "inserter") == 10
    assert not turret.wants("firearm-magazine")
    assert turret.contents() == {"turret_ammo": {"firearm-magazine": 10}}
    assert turret.status == "normal"
    assert turret.world.remove(turret) == {"firearm-magazine": 10}


def test_vehicles_and_wagons_hold_fuel_and_cargo():
    world = World()
    car = world.build("car", (0, 0))
    assert car.put("coal", 100) == 50  # one fuel slot; the rest is for the trunk's own hands
    assert car.contents() == {"fuel": {"coal": 50}}
    wagon = world.build("cargo-wagon", (10, 0))
    assert wagon.put("iron-plate", 10_000) == 4000
    assert wagon.take("iron-plate", 1) == 1


def test_a_radar_draws_300_kw_and_a_combinator_1_kw():
    world = World()
    world.power((0.5, 0.5))
    radar = world.build("radar", (2.5, 2.5))
    combinator = world.build("decider-combinator", (-1.5, 1))
    world.advance(1)
    before = radar.energy_used, combinator.energy_used
    world.advance(600)
    assert radar.energy_used - before[0] == pytest.approx(3_000_000)
    assert combinator.energy_used - before[1] == pytest.approx(10_000)
    assert radar.status == "working"


def test_a_lamp_is_lit_by_night_alone():
    world = World()
    world.always_day = False
    world.power((0.5, 0.5))
    lamp = world.build("small-lamp", (1.5, 0.5))
    world.advance(100)
    assert lamp.status == "turned_off_during_daytime"
    assert lamp.energy_used == 0
    world.advance(25_200 // 2 - 100)  # midnight
    assert lamp.status == "working"
    world.advance(25_200 // 2)  # noon
    assert lamp.status == "turned_off_during_daytime"
    # On between 30 and 50 % of darkness at dusk and at dawn: dark for 2520 ticks, half dark on both sides.
    lit = lamp.energy_used / (5_000 / 60)
    assert 2_520 + 2 * 0.5 * 5_040 <= lit <= 2_520 + 2 * 0.7 * 5_040


def test_a_roboport_fills_its_buffer_then_draws_50_kw():
    world = World()
    world.power((0.5, 0.5))
    port = world.build("roboport", (4, 0))
    world.advance(10 * 60)
    assert port.energy == pytest.approx((5_000_000 - 50_000) * 10, rel=0.01)
    world.advance(12 * 60)
    assert port.energy == 100_000_000
    before = port.energy_used
    world.advance(600)
    assert port.energy_used - before == pytest.approx(500_000)
    assert port.put("logistic-robot", 10) == 10
    assert port.put("repair-pack", 10) == 10
    assert port.put("iron-plate", 10) == 0


def test_a_roboport_looked_at_or_not_ends_the_same():
    def run(looks: int) -> str:
        world = World()
        world.power((0.5, 0.5))
        port = world.build("roboport", (4, 0))
        for _ in range(looks):
            world.advance(2000 // looks)
            assert port.energy > 0
        return world.digest()

    assert run(1) == run(200)


# -- coverage -------------------------------------------------------------------------------------------------------


def test_the_coverage_page_is_what_the_command_prints(capsys):
    assert main(["coverage"]) == 0
    printed = capsys.readouterr().out
    page = Path(__file__).parents[2] / "docs" / "coverage.md"
    assert page.read_text() == printed, "run: python -m fle_ray.sim coverage > docs/coverage.md"


def test_another_command_is_refused_with_the_nearest_name(capsys):
    assert main(["covrage"]) == 2
    assert "coverage" in capsys.readouterr().err


def test_every_prototype_recipe_category_and_effect_has_its_line():
    data = load()
    listed = {(row.kind.split(" (")[0], row.name): row for row in rows()}
    assert {name for kind, name in listed if kind == "prototype"} == set(data.entities)
    assert {name for kind, name in listed if kind == "recipe category"} == {r.category for r in data.recipes.values()}
    assert listed["prototype", "assembling-machine-1"].state == "done"
    assert listed["prototype", "gun-turret"].state == "passive"
    assert listed["prototype", "fish"].state == "unsupported"
    assert listed["recipe category", "rocket-building"].state == "done"
    assert listed["technology effect", "laboratory-speed"].state == "done"
    assert {row.state for row in listed.values()} == {"done", "passive", "unsupported"}
    assert render().startswith("# Coverage")
