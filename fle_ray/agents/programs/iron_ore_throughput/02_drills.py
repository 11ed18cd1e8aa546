# An electric drill on the edge of the ore, 42 ore a minute, and steam power that feeds itself with coal.
# A belt takes the ore to chests: room for over an hour.
# include: power
# include: basics
CHESTS, ROW = 4, 69.5

engines = coal_plant()
drill = put(Prototype.ElectricMiningDrill, 16.5, ROW + 2, Direction.UP)
belt((16.5, ROW), (14.5 - 2 * CHESTS, ROW))
for number in range(CHESTS):
    x = 13.5 - 2 * number
    put(Prototype.Inserter, x, ROW - 1, Direction.UP)
    put(Prototype.WoodenChest, x, ROW - 2)
    pole(x + 1, ROW - 1)
power_from(engines[0], (14.5, ROW - 1), (14.5, ROW + 2))
one_network(engines[0])
print(f"drill at {drill.position} drops at {drill.drop_position}")

sleep(30)
show_faults()
for chest in get_entities({Prototype.WoodenChest}):
    print(chest.position, chest.inventory)
