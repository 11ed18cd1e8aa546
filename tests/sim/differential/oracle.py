"""The same rig in fle_ray and in factory-sim, which was checked tick by tick against the real game."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import fsim
from fsim import lib

from fle_ray.errors import CannotPlace
from fle_ray.sim import World

DIRECTIONS = {"north": 0, "east": 4, "south": 8, "west": 12}


@dataclass(frozen=True)
class Machine:
    """One machine of a rig: where, which way (engine direction), and what is put in at tick 0."""

    name: str
    position: tuple[float, float]
    direction: str = "north"
    contents: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Rig:
    """Ore tiles with their amounts, and machines in the order they are built."""

    ore: tuple[tuple[str, int, int, int], ...]
    machines: tuple[Machine, ...]


def in_fle_ray(rig: Rig) -> World:
    world = World(scenario="empty", seed=0)
    for name, tx, ty, amount in rig.ore:
        world.ore(name, (tx, ty, tx + 1, ty + 1), amount=amount)
    for machine in rig.machines:
        built = world.build(machine.name, machine.position, DIRECTIONS[machine.direction])
        for item, count in sorted(machine.contents.items()):
            built.put(item, count)
    return world


def in_factory_sim(rig: Rig) -> fsim.Sim:
    sim = fsim.Sim(water=[])
    sim.reset(
        {
            "resources": [
                {"name": name, "position": [tx + 0.5, ty + 0.5], "amount": amount} for name, tx, ty, amount in rig.ore
            ],
            "entities": [
                {
                    "name": m.name,
                    "position": list(m.position),
                    "direction": m.direction,
                    "contents": m.contents,
                }
                for m in rig.machines
            ],
            "character": {"position": [100, 100]},
        }
    )
    return sim


def item_name(item: int) -> str | None:
    return fsim.ITEM_NAMES.get(item)


def their_readings(sim: fsim.Sim) -> list[dict]:
    """What factory-sim shows of every machine, in order of building."""
    env = sim.env
    lib.fsim_refresh(env)
    found = []
    for i in range(env.entity_count):
        e = env.entities[i]
        if not e.alive or e.kind == lib.K_PILE:
            continue
        reading = {"name": fsim.KIND_NAME[e.kind]}
        if e.kind == lib.K_CHEST:
            reading["items"] = sim._chest_totals(e)
        else:
            reading["fuel"] = {item_name(e.fuel.item): e.fuel.count} if e.fuel.count else {}
            reading["energy"] = e.energy
            reading["remaining"] = e.remaining
            reading["progress"] = e.progress
            reading["status"] = fsim.STATUS_NAME[e.status]
        if e.kind == lib.K_FURNACE:
            reading["source"] = {item_name(e.source.item): e.source.count} if e.source.count else {}
            reading["result"] = {item_name(e.result.item): e.result.count} if e.result.count else {}
        if e.kind == lib.K_DRILL:
            reading["held"] = item_name(e.held) if e.held else None
        found.append(reading)
    return found


def our_readings(world: World) -> list[dict]:
    """The same of ours."""
    found = []
    for e in world.entities.values():
        if e.name == "item-on-ground":
            continue
        contents = e.contents()
        reading: dict = {"name": e.name}
        if e.name == "wooden-chest":
            reading["items"] = contents.get("inventory", {})
        else:
            reading["fuel"] = contents.get("fuel", {})
            reading["energy"] = e.energy
            reading["remaining"] = e.source.remaining
            reading["progress"] = e.progress
            reading["status"] = e.status
        if e.name == "stone-furnace":
            reading["source"] = contents.get("furnace_source", {})
            reading["result"] = contents.get("furnace_result", {})
        if e.name == "burner-mining-drill":
            reading["held"] = e.held
        found.append(reading)
    return found


def their_piles(sim: fsim.Sim) -> list[tuple[str, int, int]]:
    env = sim.env
    piles = []
    for i in range(env.entity_count):
        e = env.entities[i]
        if e.alive and e.kind == lib.K_PILE and e.pile.count:
            piles.append((item_name(e.pile.item), e.pos.x, e.pos.y))
    return sorted(piles)


def our_piles(world: World) -> list[tuple[str, int, int]]:
    return sorted(
        (e.item, round(e.x * 256), round(e.y * 256)) for e in world.entities.values() if e.name == "item-on-ground"
    )


def first_difference(rig: Rig, ticks: int) -> str | None:
    """Play a rig in both, tick by tick; the first difference in words, None when there is none."""
    world, sim = in_fle_ray(rig), in_factory_sim(rig)
    for tick in range(1, ticks + 1):
        world.advance(1)
        sim.step("wait", {}, 1)
        for number, (ours, theirs) in enumerate(zip(our_readings(world), their_readings(sim), strict=True)):
            for key in theirs:
                a, b = ours[key], theirs[key]
                same = abs(a - b) <= 1e-9 * max(1.0, abs(b)) if isinstance(b, float) else a == b
                if not same:
                    return f"tick {tick}, machine {number} ({theirs['name']}), {key}: ours {a!r}, factory-sim {b!r}"
        if our_piles(world) != their_piles(sim):
            return f"tick {tick}, items on the ground: ours {our_piles(world)}, factory-sim {their_piles(sim)}"
    return None


def ore_left(rig: Rig, world: World, sim: fsim.Sim) -> tuple[int, int]:
    """Ore left in all: ours, theirs."""
    ours = sum(r.amount for r in world.map.resources.values())
    theirs = sum(r.amount for r in (sim.env.resources[i] for i in range(sim.env.resource_count)) if r.alive)
    return ours, theirs


def generate(seed: int) -> Rig:
    """A random rig of burner drills, furnaces and chests with some fuel and ore, close enough to feed each other."""
    draw = random.Random(seed)
    ore_name = draw.choice(["iron-ore", "copper-ore", "coal"])
    amounts = draw.choice([(1000, 1000), (1, 40)])
    ore = tuple(
        (ore_name, tx, ty, draw.randint(*amounts))
        for tx in range(-6, 6)
        for ty in range(-6, 6)
        if draw.random() < 0.9
    )
    scratch = World(scenario="empty", seed=0)
    for name, tx, ty, amount in ore:
        scratch.ore(name, (tx, ty, tx + 1, ty + 1), amount=amount)
    machines: list[Machine] = []
    kinds = ["burner-mining-drill"] * 4 + ["stone-furnace"] * 3 + ["wooden-chest"] * 3
    for _ in range(draw.randint(3, 14)):
        kind = draw.choice(kinds)
        offset = 0.5 if kind == "wooden-chest" else 0.0
        spot = (draw.randint(-6, 6) + offset, draw.randint(-6, 6) + offset)
        facing = draw.choice(list(DIRECTIONS)) if kind == "burner-mining-drill" else "north"
        last = machines[-1] if machines else None
        if last is not None and last.name == "burner-mining-drill" and kind != "burner-mining-drill":
            # half of the time right where the last drill drops, so that things feed each other
            if draw.random() < 0.7:
                x, y = scratch.entities[len(machines)].drop
                spot = (x // 1 + offset, y // 1 + offset)
        try:
            scratch.build(kind, spot, DIRECTIONS[facing])
        except CannotPlace:
            continue
        contents: dict[str, int] = {}
        if kind != "wooden-chest":
            fuel = draw.choice(["coal", "wood"])
            contents[fuel] = draw.choice([0, 1, 2, 5, 20])
        if kind == "stone-furnace" and draw.random() < 0.5:
            contents[draw.choice(["iron-ore", "copper-ore"])] = draw.choice([1, 5, 30, 50])
        machines.append(Machine(kind, spot, facing, {k: v for k, v in contents.items() if v}))
    return Rig(ore, tuple(machines))
