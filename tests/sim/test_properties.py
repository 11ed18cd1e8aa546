"""What holds of every world: nothing appears or is lost, and equal pasts give equal futures.

Worlds are made of the parts in factories.py, chosen and varied by hypothesis, and then played with: time passes,
things are carried, turned and mined, worlds are saved and restored.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fle_ray.errors import SnapshotError
from fle_ray.sim import World
from fle_ray.sim.drill import Drill
from fle_ray.sim.state import FORMAT
from tests.sim.factories import BUSY, PARTS, factory

FLUID_EPS = 1e-6  # units; amounts are floats

parts = st.tuples(st.sampled_from(sorted(PARTS)), st.integers(0, 5), st.integers(0, 5))
worlds = st.lists(parts, min_size=1, max_size=4)
actions = st.lists(
    st.one_of(
        st.tuples(st.just("advance"), st.integers(1, 900), st.just(0)),
        st.tuples(st.just("carry"), st.integers(0, 10**6), st.integers(0, 10**6)),
        st.tuples(st.just("rotate"), st.integers(0, 10**6), st.integers(0, 3)),
        st.tuples(st.just("mine"), st.integers(0, 10**6), st.just(0)),
        st.tuples(st.just("restore"), st.just(0), st.just(0)),
    ),
    max_size=12,
)
few = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def items_held(world: World) -> Counter[str]:
    held: Counter[str] = Counter()
    for entity in world.entities.values():
        for inventory, contents in entity.contents().items():
            if inventory != "fluids":
                held.update(contents)
        if isinstance(entity, Drill) and entity.held is not None:
            held[entity.held] += entity.held_count  # out of the ground, but not yet out of the drill
    for character in world.characters:
        held.update(character.inventory)
    return held


def fluids_held(world: World) -> Counter[str]:
    held: Counter[str] = Counter()
    for entity in world.entities.values():
        held.update(entity.contents().get("fluids", {}))
    return held


def balance(world: World, held: Counter[str]) -> dict[str, float]:
    """What there is beyond what was made and not used; it never changes while nothing comes from outside."""
    names = {*held, *world.produced, *world.consumed}
    return {n: held[n] + world.consumed.get(n, 0) - world.produced.get(n, 0) for n in names}


class Play:
    """A world that is played with, and what was taken out of it on the way."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.pocket: Counter[str] = Counter()
        self.fluids_lost = False

    def items(self) -> dict[str, float]:
        """Item -> balance, zeros left out, with what is in the pocket."""
        held = items_held(self.world) + self.pocket
        fluids = self.world.data.fluids
        return {n: v for n, v in balance(self.world, held).items() if v and n not in fluids}

    def _pick(self, number: int):
        entities = list(self.world.entities.values())
        return entities[number % len(entities)] if entities else None

    def act(self, action: tuple[str, int, int]) -> None:
        what, first, second = action
        world = self.world
        if what == "advance":
            world.advance(first)
        elif what == "restore":
            before = world.digest()
            self.world = World.restore(world.snapshot())
            assert self.world.digest() == before
        elif what == "carry":
            giver, taker = self._pick(first), self._pick(second)
            held = Counter()
            for inventory, contents in (giver.contents() if giver else {}).items():
                if inventory not in ("fluids", "hand"):
                    held.update(contents)
            for item in sorted(held)[:1]:
                count = giver.take(item, 1 + second % 7)
                assert 0 <= count <= 1 + second % 7
                put = taker.put(item, count) if not taker.removed else 0
                assert 0 <= put <= count
                self.pocket[item] += count - put
        elif what == "rotate":
            entity = self._pick(first)
            if entity is not None and entity.prototype.type in ("inserter", "transport-belt"):
                world.rotate(entity, 4 * second)
        elif what == "mine":
            entity = self._pick(first)
            if entity is None or getattr(entity, "fluid_boxes", ()) or entity.prototype.fluid_box is not None:
                return
            found = Counter(world.mine(entity))
            for product in entity.prototype.minable.products if entity.prototype.minable else ():
                found[product.name] -= int(product.amount)  # itself, which was not counted while it stood
            if entity.prototype.type == "item-entity":
                found = Counter({entity.item: 1})
            self.pocket.update(found)


def check_items_are_conserved(chosen, played) -> None:
    play = Play(factory(chosen))
    there = play.items()
    for action in played:
        play.act(action)
        assert play.items() == there, action
    play.act(("advance", 1800, 0))
    assert play.items() == there


@few
@given(chosen=worlds, played=actions)
def test_no_item_appears_or_is_lost_whatever_is_done(chosen, played):
    check_items_are_conserved(chosen, played)


@pytest.mark.slow
@settings(few, max_examples=250)
@given(chosen=worlds, played=actions)
def test_no_item_appears_or_is_lost_in_many_worlds(chosen, played):
    check_items_are_conserved(chosen, played)


@few
@given(chosen=worlds, waits=st.lists(st.integers(1, 1500), min_size=1, max_size=5))
def test_no_fluid_appears_or_is_lost(chosen, waits):
    world = factory(chosen)
    there = balance(world, fluids_held(world))
    fluids = world.data.fluids
    for ticks in waits:
        world.advance(ticks)
        now = balance(world, fluids_held(world))
        for name in fluids:
            assert abs(now.get(name, 0) - there.get(name, 0)) < FLUID_EPS * (1 + world.produced.get(name, 0)), name


@few
@given(chosen=worlds, waits=st.lists(st.integers(1, 1500), min_size=1, max_size=3))
def test_ore_that_was_mined_is_missing_in_the_ground(chosen, waits):
    world = factory(chosen)

    def in_ground() -> Counter[str]:
        left: Counter[str] = Counter()
        for resource in world.map.resources.values():
            if resource.name != "crude-oil":
                left[resource.name] += resource.amount
        return left

    before = in_ground()
    for ticks in waits:
        world.advance(ticks)
        left = in_ground()
        for name in before:
            assert before[name] - left[name] == world.produced.get(name, 0)


@few
@given(chosen=worlds, cut=st.lists(st.integers(1, 1200), min_size=1, max_size=6))
def test_in_how_many_steps_time_passes_makes_no_difference(chosen, cut):
    pieces, whole = factory(chosen), factory(chosen)
    for ticks in cut:
        pieces.advance(ticks)
        pieces.state()  # looking changes nothing
    whole.advance(sum(cut))
    assert pieces.digest() == whole.digest()


@few
@given(
    chosen=st.lists(parts, min_size=2, max_size=5),
    shuffle=st.randoms(use_true_random=False),
    ticks=st.integers(600, 3600),
)
def test_the_order_in_which_unrelated_machines_are_built_changes_no_totals(chosen, shuffle, ticks):
    order = list(range(len(chosen)))
    shuffle.shuffle(order)
    straight, shuffled = factory(chosen), factory(chosen, order)
    for world in (straight, shuffled):
        world.advance(ticks)
    assert items_held(straight) == items_held(shuffled)
    for name in ("produced", "consumed"):
        ours, theirs = getattr(straight, name), getattr(shuffled, name)
        assert ours.keys() == theirs.keys()
        for item in ours:
            assert theirs[item] == pytest.approx(ours[item], rel=1e-9, abs=1e-9), (name, item)


# -- the same again -----------------------------------------------------------------------------------------------

LENGTH = 3600


def digests_along(world: World, until: int, every: int = 300) -> dict[int, str]:
    found = {}
    while world.tick < until:
        world.advance(min(every - world.tick % every, until - world.tick))
        found[world.tick] = world.digest()
    return found


def test_a_busy_factory_is_busy():
    world = factory(BUSY)
    world.advance(LENGTH)
    made = world.produced
    for name in (
        "iron-plate",
        "iron-gear-wheel",
        "automation-science-pack",
        "plastic-bar",
        "coal",
        "steam",
        "petroleum-gas",
    ):
        assert made.get(name, 0) > 0, name
    assert len(world.entities) > 150


def check_restored_at(ticks) -> None:
    straight = factory(BUSY)
    saved = {}
    for tick in sorted(ticks):
        straight.advance(tick - straight.tick)
        saved[tick] = straight.snapshot()
    straight = factory(BUSY)
    never_stopped = digests_along(straight, LENGTH)
    for tick, snapshot in saved.items():
        restored = World.restore(snapshot)
        assert restored.tick == tick
        for when, digest in digests_along(restored, LENGTH).items():
            assert digest == never_stopped[when], f"saved at {tick}, other at {when}"


def test_a_busy_factory_saved_at_any_tick_goes_on_as_if_never_stopped():
    check_restored_at({1, 2, 3, *random.Random(1).sample(range(4, LENGTH), 12)})


@pytest.mark.slow
def test_a_busy_factory_saved_at_very_many_ticks_goes_on_as_if_never_stopped():
    check_restored_at(random.Random(2).sample(range(1, LENGTH), 120))


def check_goes_on_after_restoring(chosen, played, ticks) -> None:
    play = Play(factory(chosen))
    for action in played:
        if action[0] != "restore":
            play.act(action)
    world = play.world
    restored = World.restore(world.snapshot())
    for part in (1, 2, 57, 400, ticks):
        for each in (world, restored):
            each.advance(part)
        assert restored.digest() == world.digest(), f"{part} ticks on"


@few
@given(chosen=worlds, played=actions, ticks=st.integers(1, 1500))
def test_a_world_that_was_played_with_goes_on_after_restoring(chosen, played, ticks):
    check_goes_on_after_restoring(chosen, played, ticks)


def test_a_belt_that_becomes_a_turn_when_the_one_behind_it_is_mined_goes_on_after_restoring():
    world = World()
    behind, turn = world.belt([(0.5, 0.5), (1.5, 0.5)])
    side = world.belt([(1.5, -1.5), (1.5, -0.5)])
    for position in (0, 64, 128):
        side[0].place("coal", 1, position)
    world.mine(behind)
    restored = World.restore(world.snapshot())
    for each in (world, restored):
        each.advance(70)
    assert restored.digest() == world.digest()
    # inside a turn a lane has 106/256 tile: room for two items 64/256 apart
    assert turn.lanes() == ([("coal", 0), ("coal", 64)], [])


@pytest.mark.slow
@settings(few, max_examples=250)
@given(chosen=worlds, played=actions, ticks=st.integers(1, 1500))
def test_many_worlds_that_were_played_with_go_on_after_restoring(chosen, played, ticks):
    check_goes_on_after_restoring(chosen, played, ticks)


def test_a_world_restored_again_and_again_is_the_world_never_stopped():
    never_stopped = digests_along(factory(BUSY), LENGTH)
    world = factory(BUSY)
    draw = random.Random(7)
    while world.tick < LENGTH:
        stop = min(world.tick + draw.randint(1, 60), (world.tick // 300 + 1) * 300, LENGTH)
        world.advance(stop - world.tick)
        if world.tick % 300 == 0:
            assert world.digest() == never_stopped[world.tick]
        world = World.restore(world.snapshot())


@pytest.mark.parametrize(("change", "made_by"), [(-1, "older"), (1, "newer")])
def test_a_snapshot_of_another_version_is_refused_by_name(change, made_by):
    state = bytearray(World("lab").snapshot())
    state[4:6] = (FORMAT + change).to_bytes(2, "big")  # after the four bytes that say what it is
    both = f"version {FORMAT + change}, this simulator reads version {FORMAT}"
    with pytest.raises(SnapshotError, match=both) as told:
        World.restore(bytes(state))
    assert f"the {made_by} fle_ray that made it" in str(told.value)


def test_a_fork_leaves_the_original_alone():
    world = factory(BUSY)
    world.advance(500)
    before = world.digest()
    other = world.fork()
    other.advance(500)
    assert world.digest() == before
    world.advance(500)
    assert world.digest() == other.digest()


PROGRAM = """
from tests.sim.factories import BUSY, factory
from tests.sim.test_properties import digests_along
from fle_ray.sim import World
world = factory(BUSY)
print(digests_along(world, 2400))
print(World("open", 7).digest(), World("lab").digest())
"""


def test_other_processes_and_hash_seeds_give_the_same_digests():
    answers = set()
    for seed in ("0", "1", "31337"):
        answer = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        )
        answers.add(answer.stdout)
    assert len(answers) == 1
    assert str(digests_along(factory(BUSY), 2400)) in answers.pop()
