"""Run by an interpreter that has FLE: its own client builds a steam power plant and an assembler on it.

Usage: python fle_power.py PORT. Prints one JSON line of what it saw.
"""

import json
import sys

from fle.env import FactorioInstance
from fle.env.entities import Direction, Position
from fle.env.game_types import Prototype, Resource

instance = FactorioInstance(
    address="localhost",
    tcp_port=int(sys.argv[1]),
    fast=True,
    cache_scripts=True,
    inventory={
        "coal": 100,
        "offshore-pump": 1,
        "boiler": 1,
        "steam-engine": 1,
        "pipe": 100,
        "small-electric-pole": 50,
        "assembling-machine-1": 1,
        "inserter": 2,
        "iron-chest": 2,
        "iron-plate": 400,
        "transport-belt": 50,
    },
    reset_speed=1000,
)
game = instance.namespace
water = game.nearest(Resource.Water)
game.move_to(water)
pump = game.place_entity(Prototype.OffshorePump, Direction.UP, water)
boiler_place = Position(x=pump.position.x + 8, y=pump.position.y + 8)
game.move_to(boiler_place)
boiler = game.place_entity(Prototype.Boiler, Direction.RIGHT, boiler_place)
boiler = game.insert_item(Prototype.Coal, boiler, 50)
engine_place = Position(x=boiler.position.x + 9, y=boiler.position.y)
game.move_to(engine_place)
engine = game.place_entity(Prototype.SteamEngine, Direction.RIGHT, engine_place)
water_pipes = game.connect_entities(pump, boiler, Prototype.Pipe)
steam_pipes = game.connect_entities(boiler, engine, Prototype.Pipe)
place = Position(x=engine.position.x + 1.5, y=engine.position.y + 10)
game.move_to(place)
assembler = game.place_entity(Prototype.AssemblingMachine1, Direction.UP, place)
assembler = game.set_entity_recipe(assembler, Prototype.IronGearWheel)
into = game.place_entity_next_to(Prototype.Inserter, assembler.position, Direction.LEFT, 0)
into = game.rotate_entity(into, Direction.RIGHT)
source = game.place_entity(Prototype.IronChest, Direction.UP, into.pickup_position)
source = game.insert_item(Prototype.IronPlate, source, 300)
out = game.place_entity_next_to(Prototype.Inserter, assembler.position, Direction.RIGHT, 0)
out = game.rotate_entity(out, Direction.RIGHT)
chest = game.place_entity(Prototype.IronChest, Direction.UP, out.drop_position)
for inserter in (into, out):
    # a pole right above each: where the client asks for one hangs on the order of a set
    game.place_entity(
        Prototype.SmallElectricPole, Direction.UP, Position(x=inserter.position.x, y=inserter.position.y - 1)
    )
poles = game.connect_entities(engine, assembler, Prototype.SmallElectricPole)
wanted = game.get_connection_amount(
    Position(x=place.x - 10, y=place.y + 8), Position(x=place.x, y=place.y + 8), Prototype.TransportBelt
)
belts = game.connect_entities(
    Position(x=place.x - 10, y=place.y + 8), Position(x=place.x, y=place.y + 8), Prototype.TransportBelt
)
game.sleep(60)
first = game.inspect_inventory(chest)["iron-gear-wheel"]
game.sleep(60)
second = game.inspect_inventory(chest)["iron-gear-wheel"]
print(
    json.dumps(
        {
            "first": first,
            "second": second,
            "engine": game.get_entity(Prototype.SteamEngine, engine.position).status.value,
            "assembler": game.get_entity(Prototype.AssemblingMachine1, assembler.position).status.value,
            "groups": [type(group).__name__ for group in (water_pipes, steam_pipes, poles, belts)],
            "belts": len(belts.belts),
            "wanted": wanted,
            "score": game.score(),
        }
    )
)
instance.rcon_client.close()
