# One burner drill on the iron field that fills a chest: 15 ore a minute.
box = BuildingBox(width=2, height=2)
spot = nearest_buildable(Prototype.BurnerMiningDrill, box, nearest(Resource.IronOre)).center
move_to(spot)
drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, spot)
drill = insert_item(Prototype.Coal, drill, 40)
chest = place_entity(Prototype.WoodenChest, Direction.UP, drill.drop_position)
print(f"drill at {drill.position} drops into the chest at {chest.position}")
