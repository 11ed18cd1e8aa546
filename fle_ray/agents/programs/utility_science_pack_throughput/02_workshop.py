# include: oil_yard
# include: workshop
# plastic, plates, steel and bricks into chests for nineteen minutes, two of them in the next program
refineries = oil_yard(7, 4)
coal_line(3)
plastic_plant()
plastic_plant(23.5)
plastic_inserter, plastic_chest = spare_chest(23.5)
units = workshop(iron=3, steel=2, copper=2, bricks=1)
print(one_network(engine), "poles")
sleep(1000)
