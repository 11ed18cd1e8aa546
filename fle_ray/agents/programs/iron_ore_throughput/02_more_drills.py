# Two more of the same, so that 45 ore a minute come in.
for _ in range(2):
    spot = nearest_buildable(Prototype.BurnerMiningDrill, box, drill.position).center
    move_to(spot)
    drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, spot)
    drill = insert_item(Prototype.Coal, drill, 40)
    place_entity(Prototype.WoodenChest, Direction.UP, drill.drop_position)

sleep(5)
for entity in get_entities({Prototype.BurnerMiningDrill}):
    print(entity.position, entity.status, entity.warnings)
