"""Run by an interpreter that has FLE: its client saves, changes and restores a world, and draws it.

Usage: python fle_state.py PORT. Prints one JSON line of what it saw.
"""

import json
import sys

from fle.commons.models.game_state import GameState
from fle.env import FactorioInstance
from fle.env.entities import Direction, Position
from fle.env.game_types import Prototype, Resource, Technology

instance = FactorioInstance(
    address="localhost",
    tcp_port=int(sys.argv[1]),
    fast=True,
    cache_scripts=True,
    inventory={
        "coal": 100,
        "burner-mining-drill": 2,
        "stone-furnace": 2,
        "burner-inserter": 2,
        "iron-chest": 2,
        "transport-belt": 20,
        "small-electric-pole": 5,
    },
    all_technologies_researched=False,
    reset_speed=1000,
)
game = instance.namespace
seen = {}

ore = game.nearest(Resource.IronOre)
game.move_to(ore)
drill = game.place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, ore)
game.insert_item(Prototype.Coal, drill, 20)
furnace = game.place_entity(Prototype.StoneFurnace, Direction.UP, drill.drop_position)
game.insert_item(Prototype.Coal, furnace, 20)
pole = game.place_entity(Prototype.SmallElectricPole, Direction.UP, Position(x=ore.x - 3, y=ore.y))
game.set_research(Technology.Automation)
game.sleep(60)


def figures():
    made = game._get_production_stats()["output"].get("iron-plate", 0)
    left = game.get_resource_patch(Resource.IronOre, ore).size
    return {"made": made, "left": left, "held": dict(game.inspect_inventory().items())}


def after_a_minute():
    before = figures()
    game.sleep(60)
    after = figures()
    return [after["made"] - before["made"], after["left"] - before["left"]]


saved = GameState.parse_raw(GameState.from_instance(instance).to_raw())
seen["saved"] = figures()
seen["first minute"] = after_a_minute()
game.pickup_entity(furnace)
instance.reset(saved)
seen["restored"] = figures()
seen["second minute"] = after_a_minute()
seen["entities after"] = sorted(entity.name for entity in game.get_entities())
seen["current research"] = game._save_research_state().current_research

# a state that somebody changed: what agents hold is what the state says
saved.inventories = [{"coal": 7}]  # plain: of its own inventories the client loses what they hold
instance.reset(saved)
seen["given"] = dict(game.inspect_inventory().items())
game._set_inventory({"iron-plate": 3, "coal": 1})
seen["set"] = dict(game.inspect_inventory().items())

# research there and back
knowing = game._save_research_state()
knowing.technologies["automation"].researched = True
knowing.current_research = "logistics"
knowing.research_queue = ["logistics"]
knowing.progress = {"logistics": 0.25}
knowing.research_progress = 0.25
game._load_research_state(knowing)
state = game._save_research_state()
seen["knows automation"] = state.technologies["automation"].researched
seen["researches"] = [state.current_research, round(state.research_progress, 3), state.research_queue]
knowing.technologies["automation"].researched = False
knowing.current_research = None
knowing.research_queue = []
knowing.progress = {}
game._load_research_state(knowing)
state = game._save_research_state()
seen["unlearned"] = [state.technologies["automation"].researched, state.current_research]

# blueprints
text, middle = game._save_blueprint()
seen["middle"] = [middle.x, middle.y]
seen["in the way"] = game._load_blueprint(text, middle)
seen["beside"] = game._load_blueprint(text, Position(x=middle.x + 10, y=middle.y))
seen["twice"] = sorted(entity.name for entity in game.get_entities())
for wrong in ("nonsense", ""):
    seen.setdefault("wrong", []).append(game._load_blueprint(wrong, middle))

# pictures
camera = game._get_factory_centroid()
seen["camera"] = [camera.entity_count, camera.centroid.x if hasattr(camera.centroid, "x") else camera.centroid["x"]]
simple = game._render_simple(position=ore)
seen["simple picture"] = list(simple.image.size if hasattr(simple, "image") else simple.size)
try:
    picture = game._render()
    seen["picture"] = len(picture.to_base64()) > 1000
except Exception as error:
    seen["picture"] = repr(error)
decoded = game._render.__wrapped__._get_map_entities(False, 64, "binary")
seen["land"] = {
    "water": len(decoded["water_tiles"]),
    "iron": sum(r["name"] == "iron-ore" for r in decoded["resources"]),
    "amounts": sorted({r["amount"] for r in decoded["resources"] if r["name"] != "crude-oil"})[-1],
    "characters": sum(e["name"] == "character" for e in decoded["entities"]),
}

# the rest
game._regenerate_resources()
seen["regenerated"] = figures()["left"]
instance.reset(clear_entities=False)
seen["kept"] = len(game.get_entities())
game._clear_entities()
seen["cleared"] = [len(game.get_entities()), dict(game.inspect_inventory().items())]
seen["bad state"] = game._load_entity_state([{"name": "stone-furnace", "position": {"x": "1", "y": "1"}}])

# outside its fast mode the client waits for queues and asks what stands where
instance.fast = False
instance.rcon_client.send_command("/sc storage.fast = false")
ore = game.nearest(Resource.IronOre)
game.move_to(ore)
seen["slow harvest"] = game.harvest_resource(ore, 4)
print(json.dumps(seen))
instance.rcon_client.close()
