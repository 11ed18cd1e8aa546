"""Whatever is done to crafting machines, no item appears or is lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fle_ray.errors import CannotSet
from fle_ray.sim import World

RECIPES = ("iron-gear-wheel", "copper-cable", "electronic-circuit", "pipe", "kovarex-enrichment-process", None)
ITEMS = (
    "iron-plate",
    "copper-plate",
    "copper-cable",
    "iron-ore",
    "iron-gear-wheel",
    "uranium-235",
    "uranium-238",
    "speed-module",
    "productivity-module-3",
    "automation-science-pack",
)

steps = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 4), st.sampled_from(ITEMS), st.integers(1, 120)),
        st.tuples(st.just("take"), st.integers(0, 4), st.sampled_from(ITEMS), st.integers(1, 120)),
        st.tuples(st.just("recipe"), st.integers(0, 1), st.sampled_from(RECIPES), st.just(0)),
        st.tuples(st.just("advance"), st.just(0), st.just(""), st.integers(1, 700)),
        st.tuples(st.just("pole"), st.just(0), st.just(""), st.just(0)),
        st.tuples(st.just("restore"), st.just(0), st.just(""), st.just(0)),
        st.tuples(st.just("remove"), st.integers(0, 4), st.just(""), st.just(0)),
    ),
    max_size=40,
)


def held_by(machines: dict) -> dict[str, int]:
    held: dict[str, int] = {}
    for machine in machines.values():
        for name, contents in machine.contents().items():
            if name != "fluids":
                for item, count in contents.items():
                    held[item] = held.get(item, 0) + count
    return held


@settings(max_examples=60, deadline=None)
@given(steps=steps)
def test_what_was_put_in_and_made_is_taken_out_used_or_there(steps):
    world = World(seed=5)
    world.start_research("automation")
    pole = world.power((2.5, 2.5)).number
    numbers = [
        world.build("assembling-machine-2", (0.5, 0.5)).number,
        world.build("centrifuge", (4.5, 0.5)).number,
        world.build("electric-furnace", (0.5, 4.5)).number,
        world.build("lab", (4.5, 4.5)).number,
        world.build("stone-furnace", (8, 4)).number,
    ]
    mine: dict[str, int] = {}  # what the test holds; below zero for what it gave

    def get(items: dict[str, int]) -> None:
        for item, count in items.items():
            mine[item] = mine.get(item, 0) + count

    for verb, which, name, count in steps:
        machine = world.entities.get(numbers[which])
        if verb == "put" and machine is not None:
            get({name: -machine.put(name, count)})
        elif verb == "take" and machine is not None:
            get({name: machine.take(name, count)})
        elif verb == "recipe" and machine is not None:
            try:
                get(machine.set(recipe=name))
            except CannotSet:
                assert (machine.name == "centrifuge") != (name == "kovarex-enrichment-process")
        elif verb == "advance":
            world.advance(count)
        elif verb == "pole":
            if pole in world.entities:
                world.remove(world.entities[pole])
            else:
                pole = world.power((2.5, 2.5)).number
        elif verb == "restore":
            world = World.restore(world.snapshot())
        elif verb == "remove" and machine is not None:
            get(world.remove(machine))
        machines = {n: world.entities[n] for n in numbers if n in world.entities}
        held = held_by(machines)
        for item in {*held, *mine, *world.produced, *world.consumed}:
            balance = held.get(item, 0) + mine.get(item, 0) + _in_work(machines, item)
            assert balance == world.produced.get(item, 0) - world.consumed.get(item, 0), item


def _in_work(machines: dict, item: str) -> int:
    """Catalysts of a craft under way, which no statistics count as used."""
    count = 0
    for machine in machines.values():
        recipe = getattr(machine, "recipe", None)
        if recipe is not None and machine.busy:
            count += sum(int(part.ignored_by_stats) for part in recipe.ingredients if part.name == item)
    return count
