"""Blueprints that players published run, and give what the rates in the game's data promise.

Where the strings come from: blueprints/README.md. Expected figures are worked out here from prototype data.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fle_ray.sim import World
from fle_ray.sim.blueprint import BlueprintReport, import_blueprint

STRINGS = Path(__file__).parent / "blueprints"
MINUTE = 3600


def built(world: World, name: str, **options) -> BlueprintReport:
    return import_blueprint(world, (STRINGS / f"{name}.txt").read_text(), (0, 0), **options)


@pytest.mark.parametrize(
    ("lanes", "shares"),
    [
        # The first splitter sends half on and half onto the right lane, the second half on and half onto the left
        # one. From the right lane: all is on the right after the first, half of it on the left after the second.
        ((2,), (0.5, 0.5)),
        # From the left lane: half on each after the first; then a quarter stays right and all the rest is left.
        ((1,), (0.75, 0.25)),
        ((1, 2), (0.5, 0.5)),
    ],
)
def test_a_lane_balancer_spreads_items_over_its_lanes(lanes, shares):
    world = World()
    report = built(world, "lane-balancer")
    belts = [e for e in report.placed if e.name == "express-transport-belt"]
    start, end = max(belts, key=lambda b: b.y), min(belts, key=lambda b: b.y)
    assert report.version[:2] == (2, 0) and start.direction == end.direction == 0
    for lane in lanes:
        world.source("iron-plate", start.position, lane)
    sink = world.sink(end.position)
    world.advance(600)
    before = sink.count
    on_lanes = [0, 0]
    for _ in range(600):
        world.advance(1)
        for lane, items in enumerate(end.lanes()):
            on_lanes[lane] += len(items)
    # a full lane of an express belt carries 22.5 items a second; two of them fill the belt that comes out
    assert sink.count - before == pytest.approx(225 * len(lanes), abs=3)
    assert on_lanes[0] / sum(on_lanes) == pytest.approx(shares[0], abs=0.02)


@pytest.mark.parametrize(
    ("name", "drills", "at_work", "speed", "watts"),
    [
        # three efficiency modules, -30 % each: use at its floor of a fifth
        ("ore-miners-1", 4, 4, 0.5, 0.2 * 90_000),
        # Three speed modules: speed +60 %, use +150 %. The two drills in the middle face a tile without a belt, over
        # the underground one: each lays one ore on the ground there and waits.
        ("ore-miners-2", 6, 4, 0.5 * 1.6, 2.5 * 90_000),
    ],
)
def test_drills_on_a_belt_give_their_rate_and_use_what_their_modules_say(name, drills, at_work, speed, watts):
    world = World()
    world.ore("iron-ore", (-2, -2, 12, 14), amount=100_000)
    report = built(world, name)
    assert report.version[:3] == (1, 1, 59)
    machines = [e for e in report.placed if e.name == "electric-mining-drill"]
    assert len(machines) == drills
    pole = next(e for e in report.placed if "pole" in e.name)
    world.power((pole.x + 5, pole.y))
    belts = [e for e in report.placed if e.name.endswith("transport-belt")]
    sink = world.sink(max(belts, key=lambda b: b.y).position)
    world.advance(MINUTE)
    working = [m for m in machines if m.status == "working"]
    assert len(working) == at_work
    count, made, used = sink.count, world.produced["iron-ore"], [m.energy_used for m in working]
    world.advance(10 * MINUTE)
    assert sink.count - count == pytest.approx(at_work * speed * 600, abs=at_work)
    assert world.produced["iron-ore"] - made == pytest.approx(at_work * speed * 600, abs=at_work)
    for machine, before in zip(working, used, strict=True):
        assert machine.energy_used - before == pytest.approx(600 * watts, rel=0.001)


@pytest.mark.parametrize(("index", "megawatts"), [(0, 7.2), (1, 14.4)])
def test_steam_engines_give_their_power_for_the_coal_it_takes(index, megawatts):
    world = World()
    report = built(world, "steam-engine-modules", index=index)
    assert report.label == f"{megawatts} MW"
    boilers = [e for e in report.placed if e.name == "boiler"]
    assert sum(e.name == "steam-engine" for e in report.placed) == 2 * len(boilers)
    assert len(boilers) * 1.8 == pytest.approx(megawatts)
    for boiler in boilers:
        boiler.put("coal", 5)  # electric inserters: it has to be started by hand
    for row in {b.y for b in boilers}:
        first = min((b for b in boilers if b.y == row), key=lambda b: b.x)
        side = 0.5 if first.direction == 0 else -0.5
        world.fluid_source("water", (first.x - 2, first.y + side))
    belts = [e for e in report.placed if "transport-belt" in e.name]
    start = min(belts, key=lambda b: (b.x, b.y))
    feeder = world.build(start.name, (start.x - 1, start.y), 4)
    coal = [world.source("coal", feeder.position, lane) for lane in (1, 2)]
    # Just more beacons than it can feed, each drawing 480 kW all the time; many more, and the inserters that fuel
    # the boilers would starve with them.
    last = max((e for e in report.placed if "pole" in e.name), key=lambda e: e.x)
    world.build("medium-electric-pole", (last.x + 6, last.y))
    beacons = []
    for k in range(2):
        substation = world.build("substation", (last.x + 13.5 + 18 * k, last.y + 0.5))
        assert substation.network == last.network
        for row in (-7.5, -4.5, 4.5, 7.5):
            for column in range(6):
                where = (substation.x - 7.5 + 3 * column, substation.y + row)
                if len(beacons) * 0.48 < megawatts:
                    beacons.append(world.build("beacon", where))
    world.advance(2 * MINUTE)
    used = sum(b.energy_used for b in beacons)
    steam, burned = world.consumed["steam"], world.consumed["coal"]
    world.advance(10 * MINUTE)
    assert (sum(b.energy_used for b in beacons) - used) / 600 == pytest.approx(megawatts * 1e6, rel=0.01)
    # 30 kJ a unit of steam, 4 MJ a coal
    assert world.consumed["steam"] - steam == pytest.approx(600 * megawatts * 1e6 / 30_000, rel=0.01)
    assert world.consumed["coal"] - burned == pytest.approx(600 * megawatts * 1e6 / 4e6, rel=0.01)
    assert sum(c.given for c in coal) > 0


@pytest.mark.slow
def test_a_starter_base_makes_thirty_of_each_science_pack_a_minute():
    world = World()
    for name in (
        "logistics", "logistic-science-pack", "stone-wall", "gun-turret", "electric-mining-drill", "steam-power",
        "bulk-inserter", "inserter-capacity-bonus-1", "inserter-capacity-bonus-2",
    ):  # fmt: skip
        world.research(name)
    report = built(world, "starter-base", on_unsupported="skip")
    assert len(report.placed) == 663 and not report.skipped
    assert report.passive == {"constant-combinator": 4, "radar": 1}
    assert report.ignored == {"circuit settings": 33, "bar": 1}
    machines = [e for e in report.placed if e.name == "assembling-machine-1"]
    # Its circuit conditions stop what it makes for its owner's pockets; here those machines get no recipe.
    for machine in machines:
        if machine.recipe.name in ("firearm-magazine", "electric-mining-drill", "gun-turret", "stone-wall"):
            machine.set(recipe=None)
    for chest in report.placed:
        if chest.name == "wooden-chest" and chest.y == 7.5:
            chest.put("steel-plate", 1600)  # full: its owner has taken none
        if chest.position == (42.5, 13.5):
            chest.put("transport-belt", 1600)
    # four combinators on the left name what its four belts bring; the lowest one is told by the furnaces it feeds
    for item, y in (("stone", 0.5), ("iron-ore", 1.5), ("coal", 6.5), ("copper-ore", 9.5)):
        world.build("transport-belt", (2.5, y), 4)
        for lane in (1, 2):
            world.source(item, (2.5, y), lane)
    world.fluid_source("water", (-0.5, 13.5))
    wanted = [
        t.name
        for t in world.data.technologies.values()
        if {pack for pack, _ in t.ingredients} == {"automation-science-pack", "logistic-science-pack"}
        and t.unit_count
        and t.unit_time_s <= 30  # twenty labs use up forty a minute and more
    ]
    wanted.sort(key=lambda name: (-world.data.technologies[name].unit_count, name))

    def play(minutes: int) -> None:
        for _ in range(6 * minutes):
            if world.research_queue.current is None:
                world.start_research(next(n for n in wanted if n not in world.force.researched))
            world.advance(600)

    play(14)
    before = Counter(world.produced), Counter(world.consumed)
    play(6)
    made = Counter(world.produced) - before[0]
    used = Counter(world.consumed) - before[1]
    # six assembling machines at speed 0.5, 6 s a logistic pack: 30 a minute. They are what limits it, as six on
    # automation packs (5 s) could make 36.
    assert made["logistic-science-pack"] / 6 == pytest.approx(30, rel=0.02)
    # labs use as many automation packs as logistic ones
    assert made["automation-science-pack"] / 6 == pytest.approx(30, rel=0.05)
    assert used["logistic-science-pack"] / 6 == pytest.approx(30, rel=0.05)
    # one inserter and one belt for each logistic pack, a gear for each automation pack
    assert used["inserter"] == pytest.approx(made["logistic-science-pack"], abs=8)
    assert used["transport-belt"] == pytest.approx(made["logistic-science-pack"], abs=8)
    packers = [m for m in machines if m.recipe is not None and m.recipe.name == "logistic-science-pack"]
    assert {m.status for m in packers} == {"working"}
