# include: basics
# include: solids
# three furnaces of iron plates, a belt past three furnaces of steel
row = smelting_units(16.5, 3, 70)
belt((23.5, row), (4.5, row))
makers = machines_above(row, (12.5, 9.5, 6.5), Prototype.ElectricFurnace)
power_units(engines[0], row, 16.5, 3)
power_from(engines[0], (7.5, row - 5))
power_from(engines[0], (13.5, row - 1))
sleep(120)
show_faults()
for maker in makers:
    print(get_entity(Prototype.ElectricFurnace, maker.position))
