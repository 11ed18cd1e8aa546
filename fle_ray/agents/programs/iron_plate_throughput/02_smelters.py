# Steam power that feeds itself with coal, then electric drills that drop their ore straight into electric furnaces:
# each pair makes 37.5 plates a minute. A belt gathers them and four chests take them, room for 85 minutes.
# include: power
# include: basics
# include: solids
UNITS, CHESTS = 2, 4

engines = coal_plant()
row = smelting_units(16.5, UNITS, 70)
end = 14.5 - 2 * CHESTS
belt((17.5 + 3 * (UNITS - 1), row), (end, row))
for number in range(CHESTS):
    x = 13.5 - 2 * number
    put(Prototype.Inserter, x, row - 1, Direction.UP)
    put(Prototype.WoodenChest, x, row - 2)
    pole(x + 1, row - 1)
power_from(engines[0], (14.5, row - 1), (17.5, row + 1), (17.5, 73.5))
one_network(engines[0])

sleep(30)
show_faults()
for furnace in get_entities({Prototype.ElectricFurnace}):
    print(furnace.position, furnace.status, furnace.furnace_result)
for chest in get_entities({Prototype.WoodenChest}):
    print(chest.position, chest.inventory)
