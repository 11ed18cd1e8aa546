"""Run by an interpreter that has FLE: its own client builds an iron smelting line on a served world.

Usage: python fle_smelting.py PORT. Prints one JSON line of what it saw.
"""

import json
import sys

from fle.env import FactorioInstance
from fle.env.entities import Direction, Position
from fle.env.game_types import Prototype, Resource
from fle.eval.tasks.throughput_task import ThroughputTask

instance = FactorioInstance(
    address="localhost",
    tcp_port=int(sys.argv[1]),
    fast=True,
    cache_scripts=True,
    inventory={"coal": 100, "burner-mining-drill": 2, "stone-furnace": 2, "burner-inserter": 2, "iron-chest": 2},
    reset_speed=1000,
)
game = instance.namespace
ore = game.nearest(Resource.IronOre)
game.move_to(ore)
drill = game.place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, ore)
drill = game.insert_item(Prototype.Coal, drill, 20)
furnace = game.place_entity(Prototype.StoneFurnace, Direction.UP, drill.drop_position)
furnace = game.insert_item(Prototype.Coal, furnace, 20)
inserter = game.place_entity_next_to(Prototype.BurnerInserter, furnace.position, Direction.DOWN, 0)
inserter = game.rotate_entity(inserter, Direction.DOWN)
inserter = game.insert_item(Prototype.Coal, inserter, 5)
chest = game.place_entity(Prototype.IronChest, Direction.UP, inserter.drop_position)
game.sleep(20)
task = ThroughputTask(
    trajectory_length=1,
    goal_description="",
    task_key="iron_plate_throughput",
    throughput_entity="iron-plate",
    quota=16,
    holdout_wait_period=60,
)
verdict = task.verify(0, instance, {})
first = game.inspect_inventory(chest)["iron-plate"]
game.sleep(60)
second = game.inspect_inventory(chest)["iron-plate"]
taken = game.extract_item(Prototype.IronPlate, chest, 5)
game.move_to(Position(x=ore.x + 5, y=ore.y))
gears = game.craft_item(Prototype.IronGearWheel, 2)
harvested = game.harvest_resource(game.nearest(Resource.IronOre), 3)
refused = ""
try:
    game.place_entity(Prototype.StoneFurnace, Direction.UP, furnace.position)
except Exception as error:
    refused = str(error)
print(
    json.dumps(
        {
            "success": verdict.success,
            "throughput": max(v for v in verdict.meta.values() if isinstance(v, int | float)),
            "technologies": sorted(n for n, t in game._save_research_state().technologies.items() if t.researched),
            "first": first,
            "second": second,
            "taken": taken,
            "gears": gears,
            "harvested": harvested,
            "held": dict(game.inspect_inventory().items()),
            "drill_status": game.get_entity(Prototype.BurnerMiningDrill, drill.position).status.value,
            "kinds": sorted({entity.name for entity in game.get_entities()}),
            "stats": game._get_production_stats(),
            "score": game.score(),
            "ticks": instance.get_elapsed_ticks(),
            "recipe": [(i.name, i.count) for i in game.get_prototype_recipe(Prototype.IronGearWheel).ingredients],
            "refused": refused,
            "warnings": instance.get_warnings(),
        }
    )
)
instance.rcon_client.close()
