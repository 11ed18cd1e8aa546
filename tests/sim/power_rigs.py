"""Rigs with power and fluids for the simulator's tests."""

from __future__ import annotations

from fle_ray.sim import World


def steam_plant(world: World, boilers: int = 1, engines: int = 2, coal: int = 50) -> dict:
    """At the shore x = -20: a pump, boilers in a column, and engines in a row to the east of each, no pole."""
    world.water((-40, -10, -20, 40))
    parts: dict = {"pump": world.build("offshore-pump", (-19.5, 0.5), direction=12), "boilers": [], "engines": []}
    for x in (-18.5, -17.5, -16.5):
        world.build("pipe", (x, 0.5))
    for k in range(boilers):
        boiler = world.build("boiler", (-16, 2.5 + 3 * k), direction=4)
        boiler.put("coal", coal)
        parts["boilers"].append(boiler)
        for i in range(engines):
            parts["engines"].append(world.build("steam-engine", (-12.5 + 5 * i, 2.5 + 3 * k), direction=4))
    return parts


def mixed_factory(seed: int = 0) -> World:
    """Steam, sun, accumulators, drills, assemblers, a furnace, oil, all on one network, soon in short supply."""
    world = World("empty", 0)
    world.research("all")
    world.always_day = bool(seed % 2)
    steam_plant(world, boilers=2, engines=2, coal=4 + seed)
    for i in range(6):
        world.build("substation", (-2 + 17 * (i % 3), 0 + 17 * (i // 3)))
    world.ore("iron-ore", (-9, 26, 30, 34))
    for i in range(9):
        world.build("electric-mining-drill", (-6.5 + 4 * i, 28.5), direction=0)
        world.build("steel-chest", (-6.5 + 4 * i, 26.5))
    world.build("substation", (7, -16))
    for i in range(6):
        world.build("radar", (8.5 + 3 * i, -7.5))
    for i in range(3):
        world.build("solar-panel", (5.5 + 3 * i, 4.5))
        world.build("accumulator", (6 + 3 * i, 8))
    for i in range(4):
        machine = world.build("assembling-machine-2", (8.5 + 4 * i, -3.5), recipe="iron-gear-wheel")
        machine.put("iron-plate", 20 + 7 * i + seed)
        chest = world.build("steel-chest", (8.5 + 4 * i, -13.5))
        chest.put("iron-plate", 60)
        world.build("fast-inserter", (8.5 + 4 * i, -12.5), direction=0)
        world.build("assembling-machine-1", (8.5 + 4 * i, -10.5), recipe="copper-cable" if i == 3 else "pipe")
    furnace = world.build("electric-furnace", (6.5, 12.5))
    furnace.put("iron-ore", 9)
    # Oil: two wells, a refinery, a tank, a plant on solid fuel.
    world.well((20.5, 20.5), 300_000)
    world.well((24.5, 20.5), 120_000)
    world.build("pumpjack", (20.5, 20.5), direction=0)
    world.build("pumpjack", (24.5, 20.5), direction=0)
    for x in (21.5, 22.5, 23.5, 24.5, 25.5):
        world.build("pipe", (x, 18.5))
    world.build("pipe", (21.5, 17.5))
    world.build("oil-refinery", (20.5, 14.5), direction=0, recipe="basic-oil-processing")
    world.build("pipe", (22.5, 11.5))
    world.build("storage-tank", (23.5, 9.5), direction=4)
    return world


def electricity_used(world: World) -> float:
    """Joules that consumers have used."""
    return sum(e.energy_used for e in world.entities.values() if _kind(e) == "electric")


def _kind(entity) -> str:
    return getattr(getattr(entity, "source", None), "kind", "")


def electricity_stored(world: World) -> float:
    """Joules in accumulators."""
    return sum(e.energy for e in world.entities.values() if e.name == "accumulator")


def steam_held(world: World) -> float:
    """Joules above 15 C in the steam of all segments."""
    return sum(
        s.level() * 200 * (s.temperature - 15) for s in world.fluids.segments.values() if s.fluid == "steam"
    )


def fuel_burnt(world: World) -> float:
    """Joules that boilers have burnt."""
    return sum(e.energy_used for e in world.entities.values() if e.name == "boiler")


def fluid_held(world: World, fluid: str) -> float:
    """Units of a fluid in segments and machines."""
    held = sum(s.level() for s in world.fluids.segments.values() if s.fluid == fluid)
    for entity in world.entities.values():
        for box in getattr(getattr(entity, "fluids", None), "boxes", ()):
            if box.fluid == fluid:
                held += box.stored
        outlet = getattr(entity, "outlet", None)
        if entity.name == "pumpjack" and outlet.fluid == fluid:
            held += outlet.stored
    return held


__all__ = [
    "electricity_stored",
    "electricity_used",
    "fluid_held",
    "fuel_burnt",
    "mixed_factory",
    "steam_held",
    "steam_plant",
]
