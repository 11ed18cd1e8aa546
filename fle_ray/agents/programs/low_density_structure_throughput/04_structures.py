# include: solids
# include: lanes
# include: column
# copper on the left lane and steel on the right one of a belt up the left side; plastic comes down the right side
row = smelting_units(-69.5, 8, 70)
smelting_units(-51.5, 2, 79)
lane((-52.5, row + 9), (-44.5, row + 9), (-44.5, row + 1))
lane((-70.5, row), (3.5, row))
steel_row = steel_units(16.5, 5, 70)
lane((29.5, steel_row), (5.5, steel_row))
lane((4.5, row + 1), (4.5, 36.5))
lane((14.5, 23.5), (14.5, 26.5), (10.5, 26.5), (10.5, 58.5))
column = Column(7.5, 57.5)
makers = []
for level in range(6):
    makers.append(column.machine(level, Prototype.LowDensityStructure))
    column.take(level, -1)
    column.take(level, 1)
    column.chest(level, -1, far=True)
print(one_network(engine), "poles")
sleep(360)
show_faults()
for maker in makers:
    print(get_entity(Prototype.AssemblingMachine2, maker.position).assembling_machine_input)
