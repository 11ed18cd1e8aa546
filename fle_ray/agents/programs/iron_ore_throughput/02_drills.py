# Two burner drills on the ore, each filling a chest: at least 15 ore a minute from each.
box = BuildingBox(width=2, height=2)
for _ in range(2):
    spot = nearest_buildable(Prototype.BurnerMiningDrill, box, ore).center
    move_to(spot)
    drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, spot)
    drill = insert_item(Prototype.Coal, drill, 40)
    chest = place_entity(Prototype.WoodenChest, Direction.UP, drill.drop_position)
    print(f"drill at {drill.position} drops into the chest at {chest.position}")

sleep(5)
for entity in get_entities({Prototype.BurnerMiningDrill}):
    print(entity.position, entity.status, entity.warnings)
