"""Run by an interpreter that has FLE: its own client builds pumpjacks, a refinery on basic oil and a tank.

Usage: python fle_refinery.py PORT. Prints one JSON line of what it saw.
"""

import json
import sys

from fle.env import FactorioInstance
from fle.env.entities import Direction, Position
from fle.env.game_types import Prototype, RecipeName

instance = FactorioInstance(
    address="localhost",
    tcp_port=int(sys.argv[1]),
    fast=True,
    cache_scripts=True,
    inventory={
        "coal": 200,
        "offshore-pump": 1,
        "boiler": 1,
        "steam-engine": 2,
        "pipe": 400,
        "pipe-to-ground": 100,
        "medium-electric-pole": 50,
        "pumpjack": 2,
        "oil-refinery": 1,
        "storage-tank": 1,
    },
    reset_speed=1000,
)
game = instance.namespace
pipes = {Prototype.Pipe, Prototype.UndergroundPipe}

game.move_to(Position(x=-8, y=9.5))
pump = game.place_entity(Prototype.OffshorePump, Direction.RIGHT, Position(x=-10.5, y=9.5))
game.move_to(Position(x=0, y=8))
boiler = game.place_entity(Prototype.Boiler, Direction.UP, Position(x=2.5, y=9))
game.insert_item(Prototype.Coal, boiler, 50)
engines = [game.place_entity(Prototype.SteamEngine, Direction.UP, Position(x=2.5, y=y)) for y in (5.5, 0.5)]
game.connect_entities(pump, boiler, Prototype.Pipe)

# two wells side by side, each pumpjack's pipe to the west
jacks = []
for y in (40.5, 43.5):
    game.move_to(Position(x=13.5, y=y))
    jacks.append(game.place_entity(Prototype.PumpJack, Direction.LEFT, Position(x=17.5, y=y)))

game.move_to(Position(x=7.5, y=42.5))
refinery = game.place_entity(Prototype.OilRefinery, Direction.UP, Position(x=6.5, y=38.5))
refinery = game.set_entity_recipe(refinery, RecipeName.BasicOilProcessing)
game.move_to(Position(x=7.5, y=34.5))
tank = game.place_entity(Prototype.StorageTank, Direction.UP, Position(x=6.5, y=31.5))
crude_pipes = game.connect_entities(jacks[0], refinery, pipes)
game.connect_entities(jacks[1], crude_pipes, pipes)
game.connect_entities(refinery, tank, pipes)
for consumer in (*jacks, refinery):
    game.connect_entities(engines[0], consumer, Prototype.MediumElectricPole)
game.sleep(60)


def produced(name):
    return game._get_production_stats()["output"].get(name, 0)


first = {name: produced(name) for name in ("crude-oil", "petroleum-gas")}
game.sleep(60)
second = {name: produced(name) for name in ("crude-oil", "petroleum-gas")}
print(
    json.dumps(
        {
            "crude": second["crude-oil"] - first["crude-oil"],
            "gas": second["petroleum-gas"] - first["petroleum-gas"],
            "jacks": [game.get_entity(Prototype.PumpJack, jack.position).status.value for jack in jacks],
            "refinery": game.get_entity(Prototype.OilRefinery, refinery.position).status.value,
            "tank": str(game.get_entity(Prototype.StorageTank, tank.position).fluid_box),
        }
    )
)
instance.rcon_client.close()
