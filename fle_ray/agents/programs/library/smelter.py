# A burner drill that drops its ore straight into a stone furnace, emptied into a chest: 15 plates a minute.
FUEL = 50


def smelter(near):
    """Drill, furnace, inserter, chest below one another, on the ore that is nearest to `near`; returns the furnace."""
    place = nearest_buildable(Prototype.BurnerMiningDrill, BuildingBox(width=2, height=6), near)
    move_to(place.center)
    top = Position(x=place.left_top.x + 1, y=place.left_top.y + 1)
    drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, top)
    furnace = place_entity_next_to(Prototype.StoneFurnace, drill.position, Direction.DOWN)
    inserter = place_entity_next_to(Prototype.BurnerInserter, furnace.position, Direction.DOWN)
    place_entity_next_to(Prototype.WoodenChest, inserter.position, Direction.DOWN)
    insert_item(Prototype.Coal, drill, FUEL)
    insert_item(Prototype.Coal, inserter, 5)
    return insert_item(Prototype.Coal, furnace, FUEL)


def build_smelters(number, near):
    furnaces = [smelter(near) for _ in range(number)]
    for furnace in furnaces:
        print(f"furnace at {furnace.position}")
    return furnaces


def fuel_up():
    """Give coal to every furnace that has little; returns how many there were."""
    low = [furnace for furnace in get_entities({Prototype.StoneFurnace}) if furnace.fuel.get(Prototype.Coal, 0) < 10]
    for furnace in low:
        move_to(Position(x=furnace.position.x + 3, y=furnace.position.y))
        insert_item(Prototype.Coal, furnace, 20)
    return len(low)
