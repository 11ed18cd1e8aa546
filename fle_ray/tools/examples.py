"""Examples of the tools for the manual, each a program of its own.

A test runs every one of them in a fresh lab-play game (see tests/tools/test_manual.py): they are true, or they
are not here.
"""

from __future__ import annotations

__all__ = ["EXAMPLES", "WALKTHROUGH"]

EXAMPLES: dict[str, str] = {
    "nearest": """
        iron = nearest(Resource.IronOre)
        print(f"iron ore at {iron}")
    """,
    "move_to": """
        where = move_to(nearest(Resource.Coal))
        print(where)
    """,
    "place_entity": """
        spot = nearest(Resource.IronOre)
        move_to(spot)
        drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, spot)
        print(drill.drop_position)
    """,
    "can_place_entity": """
        move_to(Position(x=0, y=0))
        print(can_place_entity(Prototype.WoodenChest, Direction.UP, Position(x=3, y=3)))
    """,
    "place_entity_next_to": """
        move_to(Position(x=0, y=0))
        furnace = place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=2, y=2))
        chest = place_entity_next_to(Prototype.WoodenChest, furnace.position, Direction.RIGHT, spacing=1)
        print(chest.position)
    """,
    "insert_item": """
        move_to(Position(x=0, y=0))
        furnace = place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=2, y=2))
        furnace = insert_item(Prototype.Coal, furnace, 5)
        print(furnace.fuel)
    """,
    "extract_item": """
        move_to(Position(x=0, y=0))
        chest = place_entity(Prototype.WoodenChest, Direction.UP, Position(x=2, y=2))
        insert_item(Prototype.Coal, chest, 20)
        print(extract_item(Prototype.Coal, chest, 12))
    """,
    "craft_item": """
        move_to(nearest(Resource.Stone))
        harvest_resource(nearest(Resource.Stone), 5)
        craft_item(Prototype.StoneFurnace, 1)
        print(inspect_inventory()[Prototype.StoneFurnace])
    """,
    "harvest_resource": """
        coal = nearest(Resource.Coal)
        move_to(coal)
        print(harvest_resource(coal, 10))
    """,
    "get_entity": """
        move_to(Position(x=0, y=0))
        place_entity(Prototype.WoodenChest, Direction.UP, Position(x=2, y=2))
        chest = get_entity(Prototype.WoodenChest, Position(x=2, y=2))
        print(chest.inventory)
    """,
    "get_entities": """
        move_to(Position(x=0, y=0))
        place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=2, y=2))
        for furnace in get_entities({Prototype.StoneFurnace}):
            print(furnace.position, furnace.status, furnace.warnings)
    """,
    "get_resource_patch": """
        patch = get_resource_patch(Resource.CopperOre, nearest(Resource.CopperOre))
        print(patch.size, patch.bounding_box.center)
    """,
    "get_prototype_recipe": """
        recipe = get_prototype_recipe(Prototype.IronGearWheel)
        print(recipe.ingredients, recipe.energy)
    """,
    "inspect_inventory": """
        inventory = inspect_inventory()
        print(inventory[Prototype.BurnerMiningDrill], inventory.get(Prototype.Lab, 0))
    """,
    "nearest_buildable": """
        box = BuildingBox(width=Prototype.ElectricMiningDrill.WIDTH, height=Prototype.ElectricMiningDrill.HEIGHT)
        spot = nearest_buildable(Prototype.ElectricMiningDrill, box, nearest(Resource.IronOre))
        move_to(spot.center)
        drill = place_entity(Prototype.ElectricMiningDrill, Direction.DOWN, spot.center)
        print(drill.resources)
    """,
    "pickup_entity": """
        move_to(Position(x=0, y=0))
        chest = place_entity(Prototype.WoodenChest, Direction.UP, Position(x=2, y=2))
        pickup_entity(chest)
        print(inspect_inventory()[Prototype.WoodenChest])
    """,
    "set_entity_recipe": """
        move_to(Position(x=0, y=0))
        machine = place_entity(Prototype.AssemblingMachine2, Direction.UP, Position(x=3, y=3))
        machine = set_entity_recipe(machine, Prototype.IronGearWheel)
        print(machine.recipe)
    """,
    "rotate_entity": """
        move_to(Position(x=0, y=0))
        inserter = place_entity(Prototype.BurnerInserter, Direction.RIGHT, Position(x=3, y=3))
        inserter = rotate_entity(inserter, Direction.DOWN)
        print(inserter.pickup_position, inserter.drop_position)
    """,
    "set_research": """
        try:
            print(set_research(Technology.Automation))
        except Exception as error:  # lab play knows every technology already
            print(error)
    """,
    "get_research_progress": """
        print(get_research_progress(Technology.Automation))  # [] once it is known
    """,
    "connect_entities": """
        coal = nearest(Resource.Coal)
        move_to(coal)
        drill = place_entity(Prototype.BurnerMiningDrill, Direction.LEFT, coal.right(3))
        insert_item(Prototype.Coal, drill, 5)
        chest = place_entity(Prototype.WoodenChest, Direction.UP, coal.left(8))
        # drill -> belt -> inserter -> chest: a belt ends at what picks up from it
        inserter = place_entity_next_to(Prototype.BurnerInserter, chest.position, Direction.RIGHT)
        inserter = rotate_entity(inserter, Direction.LEFT)
        insert_item(Prototype.Coal, inserter, 2)
        belts = connect_entities(drill, inserter, Prototype.TransportBelt)
        print(len(belts.belts), belts.status)
        sleep(60)
        print(inspect_inventory(chest))
    """,
    "get_connection_amount": """
        here = Position(x=0, y=0)
        needed = get_connection_amount(here, here.right(10), Prototype.TransportBelt)
        print(needed, inspect_inventory()[Prototype.TransportBelt])
    """,
    "launch_rocket": """
        for silo in get_entities({Prototype.RocketSilo}):
            if silo.status == EntityStatus.WAITING_TO_LAUNCH_ROCKET:
                silo = launch_rocket(silo)
        try:
            launch_rocket(Position(x=0, y=0))
        except Exception as error:  # there is no silo yet
            print(error)
    """,
    "score": """
        total, automated = score()
        print(total, automated)
    """,
    "sleep": """
        sleep(10)  # ten seconds of game time, in which the factory works
    """,
    "send_message": """
        send_message("the iron line is done")
    """,
}

WALKTHROUGH = """
# a drill that feeds a furnace, and coal for both
iron = nearest(Resource.IronOre)
move_to(iron)
drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, iron)
furnace = place_entity_next_to(Prototype.StoneFurnace, drill.position, Direction.DOWN)
for machine in (drill, furnace):
    insert_item(Prototype.Coal, machine, 10)
sleep(30)
furnace = get_entity(Prototype.StoneFurnace, furnace.position)
print(furnace.status, furnace.furnace_result)
assert furnace.furnace_result[Prototype.IronPlate] > 0, furnace.warnings
"""
