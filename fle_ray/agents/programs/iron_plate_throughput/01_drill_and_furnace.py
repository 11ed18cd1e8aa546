# A burner drill that drops its ore straight into a stone furnace: 15 plates a minute once it runs.
COAL = 20


def smelting_pair(near):
    """A drill with a furnace below it, on the ore that is nearest to `near`; returns both."""
    box = BuildingBox(width=2, height=4)
    place = nearest_buildable(Prototype.BurnerMiningDrill, box, near)
    top = place.left_top
    move_to(place.center)
    drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, Position(x=top.x + 1, y=top.y + 1))
    furnace = place_entity_next_to(Prototype.StoneFurnace, drill.position, Direction.DOWN, spacing=0)
    drill = insert_item(Prototype.Coal, drill, COAL)
    furnace = insert_item(Prototype.Coal, furnace, COAL)
    return drill, furnace


drill, furnace = smelting_pair(nearest(Resource.IronOre))
sleep(15)
furnace = get_entity(Prototype.StoneFurnace, furnace.position)
print(f"drill at {drill.position}, furnace at {furnace.position}: {furnace.status}")
