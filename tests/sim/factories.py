"""Parts of factories for tests of the whole world: each closed in itself, built round a corner of its own.

A part is a function (world, x, y, a, b): it builds within 40 x 24 tiles to the south-east of (x, y), whole numbers,
varied by the small numbers a and b. Nothing in a part is endless, so everything in the world can be counted.
"""

from __future__ import annotations

from collections.abc import Callable

from fle_ray.sim import World

WIDTH, HEIGHT = 40, 24
TIERS = ("", "fast-", "express-")

Part = Callable[[World, int, int, int, int], None]


def generator(world: World, x: int, y: int, coal: int) -> None:
    """A pond, a pump, a boiler and two engines in the south of a part, with a pole that reaches up."""
    world.water((x, y + 16, x + 3, y + 22))
    world.build("offshore-pump", (x + 3.5, y + 18.5), 12)
    world.build("pipe", (x + 4.5, y + 18.5))
    boiler = world.build("boiler", (x + 6, y + 20.5), 4)
    world.build("pipe", (x + 5.5, y + 18.5))
    boiler.put("coal", coal)
    world.build("steam-engine", (x + 9.5, y + 20.5), 4)
    world.build("steam-engine", (x + 14.5, y + 20.5), 4)
    world.build("big-electric-pole", (x + 12, y + 18))


def smelter(world: World, x: int, y: int, a: int, b: int) -> None:
    """Chest, burner inserter, furnace, burner inserter, chest; and a chest of coal for the furnace."""
    world.build("iron-chest", (x + 0.5, y + 5.5)).put("iron-ore", 20 + 30 * a)
    world.build("burner-inserter", (x + 1.5, y + 5.5), 12).put("coal", 3)
    furnace = world.build(("stone-furnace", "steel-furnace")[a % 2], (x + 3, y + 6))
    furnace.put("coal", b)
    world.build("burner-inserter", (x + 4.5, y + 5.5), 12).put("coal", 3)
    world.build("wooden-chest", (x + 5.5, y + 5.5))
    world.build("wooden-chest", (x + 2.5, y + 2.5)).put("coal", 10 * b)
    world.build("burner-inserter", (x + 2.5, y + 4.5), 0)


def mine(world: World, x: int, y: int, a: int, b: int) -> None:
    """Burner drills on both sides of a belt that turns, tunnels, splits, and ends at inserters."""
    world.ore("coal", (x, y, x + 10, y + 9), amount=30 + 40 * b)
    tier = TIERS[a % 3]
    for k in range(2 + b % 3):
        world.build("burner-mining-drill", (x + 1 + 2 * k, y + 2), 8).put("coal", 2 + a)
        world.build("burner-mining-drill", (x + 1 + 2 * k, y + 5), 0).put("coal", 2 + b)
    world.belt([(x + 0.5, y + 3.5), (x + 12.5, y + 3.5), (x + 12.5, y + 6.5)], tier + "transport-belt")
    world.build(tier + "underground-belt", (x + 12.5, y + 7.5), 8, type="input")
    world.build(tier + "underground-belt", (x + 12.5, y + 11.5), 8, type="output")
    splitter = world.build(tier + "splitter", (x + 13, y + 12.5), 8)
    if a % 2:
        splitter.set(output_priority=("left", "right")[b % 2])
    world.belt([(x + 12.5, y + 13.5), (x + 12.5, y + 15.5)], tier + "transport-belt")
    world.belt([(x + 13.5, y + 13.5), (x + 17.5, y + 13.5)], tier + "transport-belt")
    world.build("burner-inserter", (x + 11.5, y + 14.5), 4)
    world.build("wooden-chest", (x + 10.5, y + 14.5))
    world.build("burner-inserter", (x + 16.5, y + 12.5), 8)
    world.build("stone-furnace", (x + 17, y + 11))


def assembly(world: World, x: int, y: int, a: int, b: int) -> None:
    """Steam power; gears and cables made into packs by assembling machines that feed each other by inserters."""
    generator(world, x, y, 5 + 5 * b)
    world.build("substation", (x + 8, y + 4))
    level = a % 3 + 1
    world.build("steel-chest", (x + 0.5, y + 7.5)).put("iron-plate", 50 + 40 * a)
    world.build("inserter", (x + 1.5, y + 7.5), 12)
    gears = world.build(f"assembling-machine-{level}", (x + 3.5, y + 7.5), recipe="iron-gear-wheel")
    world.build("fast-inserter", (x + 5.5, y + 7.5), 12)
    packs = world.build("assembling-machine-2", (x + 7.5, y + 7.5), recipe="automation-science-pack")
    if level > 1:
        gears.put(("speed-module", "productivity-module", "efficiency-module")[b % 3], 1)
    packs.put("copper-plate", 10 * b)
    world.build("bulk-inserter", (x + 9.5, y + 7.5), 12)
    world.build("lab", (x + 11.5, y + 7.5)).put("automation-science-pack", a)
    if b % 2:
        world.build("steel-chest", (x + 7.5, y + 10.5)).put("copper-plate", 20 * a)
        world.build("inserter", (x + 7.5, y + 9.5), 8)
    else:
        world.build("steel-chest", (x + 7.5, y + 11.5)).put("copper-plate", 20 * a)
        world.build("long-handed-inserter", (x + 7.5, y + 9.5), 8)


def carousel(world: World, x: int, y: int, a: int, b: int) -> None:
    """A ring of belt with items going round on it, side-loaded, and inserters that take and give with filters."""
    tier = TIERS[(a + b) % 3]
    ring = world.belt(
        [(x + 2.5, y + 2.5), (x + 12.5, y + 2.5), (x + 12.5, y + 8.5), (x + 2.5, y + 8.5), (x + 2.5, y + 3.5)],
        tier + "transport-belt",
    )
    for k, belt in enumerate(ring[:: 2 + a % 3]):
        belt.place(("iron-plate", "copper-plate", "coal")[k % 3], 1 + k % 2, 64)
    side = world.belt([(x + 6.5, y + 0.5), (x + 6.5, y + 1.5)], tier + "transport-belt")
    for k in range(b % 4):
        side[0].place("stone", 1 + k % 2, 64 * k)
    world.build("burner-inserter", (x + 4.5, y + 9.5), 0, filter="coal").put("coal", 2)
    world.build("wooden-chest", (x + 4.5, y + 10.5))
    world.build("burner-inserter", (x + 8.5, y + 9.5), 8).put("coal", 2)
    world.build("wooden-chest", (x + 8.5, y + 10.5)).put("iron-plate", 7 * a)
    world.build("burner-inserter", (x + 10.5, y + 4.5), 0).put("coal", 2)


def oil(world: World, x: int, y: int, a: int, b: int) -> None:
    """Wells, a refinery, a tank and a plant that makes plastic of the gas and coal from a chest."""
    generator(world, x, y, 10 + 5 * b)
    world.build("substation", (x + 16, y + 12))
    world.well((x + 21.5, y + 17.5), 100_000 + 100_000 * a)
    world.build("pumpjack", (x + 21.5, y + 17.5), 0)
    world.build("pipe", (x + 22.5, y + 15.5))
    world.build("pipe", (x + 22.5, y + 14.5))
    world.build("pipe", (x + 22.5, y + 13.5))
    world.build("oil-refinery", (x + 21.5, y + 10.5), 0, recipe="basic-oil-processing")
    world.build("pipe", (x + 23.5, y + 7.5))
    world.build("storage-tank", (x + 24.5, y + 5.5), 4) if a % 2 else world.build("pipe", (x + 23.5, y + 6.5))
    world.build("pipe", (x + 22.5, y + 7.5))
    world.build("pipe", (x + 21.5, y + 7.5))
    world.build("pipe", (x + 20.5, y + 7.5))
    world.build("pipe", (x + 19.5, y + 7.5))
    world.build("pipe", (x + 18.5, y + 7.5))
    plant = world.build("chemical-plant", (x + 17.5, y + 5.5), 8, recipe="plastic-bar")
    world.build("pipe", (x + 16.5, y + 7.5)) if b % 2 else None
    world.build("steel-chest", (x + 12.5, y + 5.5)).put("coal", 5 + 10 * a)
    world.build("fast-inserter", (x + 13.5, y + 5.5), 12)
    world.build("wooden-chest", (x + 14.5, y + 5.5)).put("coal", b)
    world.build("inserter", (x + 15.5, y + 5.5), 12)
    world.build("inserter", (x + 19.5, y + 5.5), 12)
    world.build("wooden-chest", (x + 20.5, y + 5.5))
    plant.put("coal", b)


def scatter(world: World, x: int, y: int, a: int, b: int) -> None:
    """A drill that lays ore on the ground, inserters that move it from pile to pile, a chest that fills up."""
    world.ore("stone", (x, y, x + 4, y + 4), amount=10 + 5 * a)
    world.build("burner-mining-drill", (x + 2, y + 2), 4).put("coal", 1 + b)
    world.build("burner-inserter", (x + 4.5, y + 1.5), 12).put("coal", 1)
    world.build("burner-inserter", (x + 6.5, y + 1.5), 12).put("coal", 1)
    world.build("wooden-chest", (x + 7.5, y + 1.5)).put("stone", 50 * 16 - a)
    for k in range(b):
        world.drop_on_ground("coal", (x + 10.5 + k, y + 1.5))
    world.build("burner-inserter", (x + 10.5, y + 2.5), 0)
    world.build("wooden-chest", (x + 10.5, y + 3.5))


PARTS: dict[str, Part] = {
    "smelter": smelter,
    "mine": mine,
    "assembly": assembly,
    "carousel": carousel,
    "oil": oil,
    "scatter": scatter,
}


def corner(place: int) -> tuple[int, int]:
    """Where part number `place` begins: four to a row."""
    return place % 4 * WIDTH, place // 4 * HEIGHT


def factory(parts: list[tuple[str, int, int]], order: list[int] | None = None) -> World:
    """A world of parts (name, a, b), each in its own place, built in the given order of places."""
    world = World()
    for name in (
        "automation",
        "logistics",
        "electronics",
        "steam-power",
        "bulk-inserter",
        "plastics",
        "steel-processing",
    ):
        world.research(name)
    world.start_research("stone-wall")
    for place in order if order is not None else range(len(parts)):
        name, a, b = parts[place]
        PARTS[name](world, *corner(place), a, b)
    return world


BUSY = [
    ("smelter", 3, 4),
    ("mine", 1, 2),
    ("assembly", 4, 3),
    ("carousel", 2, 3),
    ("oil", 3, 1),
    ("scatter", 3, 2),
    ("mine", 2, 4),
    ("assembly", 1, 4),
]
"""A mixed factory that is busy for the first minutes: nine kinds of machines, three tiers of belt, four fluids."""
