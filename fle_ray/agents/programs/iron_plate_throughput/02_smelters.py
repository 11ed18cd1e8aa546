# Burner drills that drop their ore straight into stone furnaces: at least 15 plates a minute from each pair.
# A burner inserter empties each furnace into a chest, so that it does not fill up.
COAL = 50


def smelter(near):
    """Drill, furnace, inserter, chest below one another, on the ore that is nearest to `near`; returns the furnace."""
    place = nearest_buildable(Prototype.BurnerMiningDrill, BuildingBox(width=2, height=6), near)
    move_to(place.center)
    top = Position(x=place.left_top.x + 1, y=place.left_top.y + 1)
    drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, top)
    furnace = place_entity_next_to(Prototype.StoneFurnace, drill.position, Direction.DOWN)
    inserter = place_entity_next_to(Prototype.BurnerInserter, furnace.position, Direction.DOWN)
    place_entity_next_to(Prototype.WoodenChest, inserter.position, Direction.DOWN)
    insert_item(Prototype.Coal, drill, COAL)
    insert_item(Prototype.Coal, inserter, 10)
    return insert_item(Prototype.Coal, furnace, COAL)


for _ in range(3):
    furnace = smelter(ore)
    print(f"furnace at {furnace.position}")

sleep(30)
for furnace in get_entities({Prototype.StoneFurnace}):
    print(furnace.position, furnace.status, furnace.furnace_result)
for chest in get_entities({Prototype.WoodenChest}):
    print(chest.position, chest.inventory)
