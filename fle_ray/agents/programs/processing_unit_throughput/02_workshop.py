# include: oil_yard
# include: workshop
# plastic, plates, steel and bricks into chests for twenty minutes
refineries = oil_yard(3, 2)
coal_line()
plastic_plant()
plastic_inserter, plastic_chest = spare_chest()
units = workshop(iron=3, steel=2, copper=2, bricks=1)
print(one_network(engine), "poles")
sleep(1100)
show_faults()
