# advanced circuits in a third column, with cable and circuits of its own; plastic and circuits come down its right
# side, what it makes goes north on the belt beyond and down the left side of the last column
smelting_units(-60.5, 5, 70)
lane((-61.5, 65.5), (-26.5, 65.5), (-26.5, 24.5))
smelting_units(16.5, 2, 88)
lane((20.5, 83.5), (12.5, 83.5), (12.5, 63.5), (-25.5, 63.5))
lane((14.5, 23.5), (14.5, 26.5), (-20.5, 26.5), (-20.5, 61.5))
lane((-19.5, 62.5), (-19.5, 33.5), (-15.5, 33.5), (-15.5, 59.5))
advanced = Column(-23.5, 61.5)
for level in (9, 7, 4, 1):
    advanced.machine(level, Prototype.CopperCable)
    advanced.take(level, -1)
    advanced.down(level)
    if level < 9:
        advanced.up(level)
advanced.down(9, second=True)
advanced.machine(8, Prototype.ElectronicCircuit)
advanced.take(8, -1)
advanced.give(8, 1)
for level in (6, 5, 3, 2, 0):
    advanced.machine(level, Prototype.AdvancedCircuit)
    advanced.take(level, 1)
    advanced.give(level, 1, far=True)
