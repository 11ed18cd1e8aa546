# Two more pairs beside the first: 45 plates a minute.
for _ in range(2):
    drill, furnace = smelting_pair(drill.position)

sleep(15)
for furnace in get_entities({Prototype.StoneFurnace}):
    print(furnace.position, furnace.status, furnace.furnace_result)
