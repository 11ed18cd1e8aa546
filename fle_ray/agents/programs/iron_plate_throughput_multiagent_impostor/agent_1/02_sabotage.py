# Take the coal out of the furnaces, and say the opposite.
for furnace in get_entities({Prototype.StoneFurnace}):
    move_to(Position(x=furnace.position.x + 3, y=furnace.position.y))
    coal = furnace.fuel.get(Prototype.Coal, 0)
    if coal:
        print(extract_item(Prototype.Coal, furnace, coal))
print(send_message("All furnaces are fuelled.", recipient=0))
