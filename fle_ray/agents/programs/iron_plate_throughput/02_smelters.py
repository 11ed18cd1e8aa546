# Burner drills that drop their ore straight into stone furnaces: at least 15 plates a minute from each pair.
COAL = 30


def smelting_pair(near):
    """A drill with a furnace below it, on the ore that is nearest to `near`; returns both."""
    place = nearest_buildable(Prototype.BurnerMiningDrill, BuildingBox(width=2, height=4), near)
    move_to(place.center)
    top = Position(x=place.left_top.x + 1, y=place.left_top.y + 1)
    drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, top)
    furnace = place_entity_next_to(Prototype.StoneFurnace, drill.position, Direction.DOWN, spacing=0)
    return insert_item(Prototype.Coal, drill, COAL), insert_item(Prototype.Coal, furnace, COAL)


for _ in range(3):
    drill, furnace = smelting_pair(ore)
    print(f"drill at {drill.position}, furnace at {furnace.position}")

sleep(15)
for furnace in get_entities({Prototype.StoneFurnace}):
    print(furnace.position, furnace.status, furnace.furnace_result)
