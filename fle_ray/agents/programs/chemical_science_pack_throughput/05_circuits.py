# advanced circuits in a column on a belt of copper and iron: plastic and circuits come down its right side, what it
# makes goes north on the belt beyond
copper_row = smelting_units(-57.5, 4, 70)
lane((-58.5, copper_row), (-27.5, copper_row))
iron_row = smelting_units(16.5, 2, 79)
lane((20.5, iron_row), (13.5, iron_row), (13.5, 67.5), (-25.5, 67.5))
lane((-26.5, 68.5), (-26.5, 32.5))
lane((14.5, 23.5), (14.5, 27.5), (-20.5, 27.5), (-20.5, 62.5))
lane((-19.5, 62.5), (-19.5, 29.5), (-11.5, 29.5))
circuits = Column(-23.5, 61.5)
for level in (7, 4, 1):
    circuits.machine(level, Prototype.CopperCable)
    circuits.take(level, -1)
    circuits.down(level)
circuits.down(7, second=True)
circuits.up(4)
circuits.up(1)
circuits.machine(6, Prototype.ElectronicCircuit)
circuits.take(6, -1)
circuits.give(6, 1)
for level in (5, 3, 2, 0):
    circuits.machine(level, Prototype.AdvancedCircuit)
    circuits.take(level, 1)
    circuits.give(level, 1, far=True)
