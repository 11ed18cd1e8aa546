"""Run by an interpreter that has FLE: its own client builds a steam power plant and loads it to the full.

Usage: python fle_steam.py PORT. Prints one JSON line of what it saw.
"""

import json
import sys

from fle.env import FactorioInstance
from fle.env.entities import Direction, Position
from fle.env.game_types import Prototype

instance = FactorioInstance(
    address="localhost",
    tcp_port=int(sys.argv[1]),
    fast=True,
    cache_scripts=True,
    inventory={
        "coal": 100,
        "offshore-pump": 1,
        "boiler": 1,
        "steam-engine": 2,
        "pipe": 100,
        "medium-electric-pole": 20,
        "electric-furnace": 11,
        "iron-ore": 1100,
    },
    reset_speed=1000,
)
game = instance.namespace
game.move_to(Position(x=-8, y=9.5))
pump = game.place_entity(Prototype.OffshorePump, Direction.RIGHT, Position(x=-10.5, y=9.5))
game.move_to(Position(x=0, y=8))
boiler = game.place_entity(Prototype.Boiler, Direction.UP, Position(x=2.5, y=9))
game.insert_item(Prototype.Coal, boiler, 50)
engines = [game.place_entity(Prototype.SteamEngine, Direction.UP, Position(x=2.5, y=y)) for y in (5.5, 0.5)]
game.connect_entities(pump, boiler, Prototype.Pipe)
# eleven furnaces in two columns with poles between: 11 * (180 + 6) kW, more than the 1,800 of one boiler
game.move_to(Position(x=10.5, y=-2.5))
places = [Position(x=x, y=y) for y in (-0.5, -3.5, -6.5, -9.5, -12.5, -15.5) for x in (7.5, 12.5)][:11]
furnaces = []
for place in places:
    game.move_to(Position(x=10.5, y=place.y))
    furnace = game.place_entity(Prototype.ElectricFurnace, Direction.UP, place)
    furnaces.append(game.insert_item(Prototype.IronOre, furnace, 100))
for x, y in ((5.5, 0.5), (10.5, -2.5), (10.5, -8.5), (10.5, -14.5)):
    game.move_to(Position(x=10, y=y + 1))
    game.place_entity(Prototype.MediumElectricPole, Direction.UP, Position(x=x, y=y))
game.sleep(20)


def consumed(name):
    return game._get_production_stats()["input"].get(name, 0)


before = {name: consumed(name) for name in ("steam", "coal")}
game.sleep(60)
after = {name: consumed(name) for name in ("steam", "coal")}
print(
    json.dumps(
        {
            "steam": after["steam"] - before["steam"],
            "coal": after["coal"] - before["coal"],
            "engines": [game.get_entity(Prototype.SteamEngine, engine.position).status.value for engine in engines],
            "furnaces": [game.get_entity(Prototype.ElectricFurnace, f.position).status.value for f in furnaces],
            "warnings": instance.get_warnings(),
        }
    )
)
instance.rcon_client.close()
