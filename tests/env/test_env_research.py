"""Research in observations is what the engine says now, though most of it is kept between observations."""

from __future__ import annotations

from fle_ray.env.observation import ResearchShape
from fle_ray.game.contracts import Start
from fle_ray.tools import LocalInstance


def test_a_technology_that_is_learned_shows_at_once_and_its_observation_shares_nothing_with_the_last():
    game, shape = LocalInstance(), ResearchShape()
    game.reset(Start("open", 0, all_technologies=False))

    def known():
        shown = shape(game.research())["technologies"]
        return shown, {entry["name"] for entry in shown if entry["researched"]}

    first, before = known()
    second, same = known()
    assert first == second and before == same
    for entry in first:
        entry["name"] = "changed by whoever holds it"
        for row in entry["ingredients"]:
            row["amount"] = -1.0
    assert known()[0] == second
    game.world.force.learn("automation")
    assert known()[1] == before | {"automation"}
    game.close()


def test_an_engine_that_gives_a_list_is_read_anew_each_time():
    technologies = [{"name": "automation", "researched": 0}]
    shape = ResearchShape()
    assert shape({"technologies": technologies})["technologies"][0]["researched"] == 0
    technologies[0]["researched"] = 1
    assert shape({"technologies": technologies})["technologies"][0]["researched"] == 1
