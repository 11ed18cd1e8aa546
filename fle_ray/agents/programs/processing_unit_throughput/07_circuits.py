# include: solids
# include: lanes
# include: column
# two columns of three pairs, each a machine of cable above one of circuits, on belts of copper and iron
# copper: rows two and three of its field; iron: rows one and two of its own
smelting_units(-69.5, 8, 88)
lane((-70.5, 83.5), (-44.5, 83.5), (-44.5, 70.5), (4.5, 70.5), (4.5, 32.5))
smelting_units(-69.5, 8, 79)
lane((-70.5, 74.5), (-45.5, 74.5), (-45.5, 69.5), (-6.5, 69.5), (-6.5, 39.5))
smelting_units(16.5, 5, 70)
lane((29.5, 65.5), (5.5, 65.5))
smelting_units(16.5, 5, 79)
lane((29.5, 74.5), (13.5, 74.5), (13.5, 67.5), (-5.5, 67.5))
lane((10.5, 62.5), (10.5, 37.5), (-9.5, 37.5), (-9.5, 59.5))
lane((-0.5, 62.5), (-0.5, 38.5))
for column in (Column(7.5, 61.5), Column(-3.5, 61.5)):
    for level in (0, 2, 4):
        column.machine(level, Prototype.ElectronicCircuit)
        column.take(level, -1)
        column.give(level, 1)
        column.machine(level + 1, Prototype.CopperCable)
        column.take(level + 1, -1)
        column.down(level + 1)
        column.down(level + 1, second=True)
