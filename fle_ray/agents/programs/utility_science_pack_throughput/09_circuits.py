# circuits from pairs of machines on both sides of the belt that goes south; they go north on the left lane at
# x = -24.5, steel on the right one, past the frames and on to the processing units
lane((-24.5, 73.5), (-24.5, 24.5), (-6.5, 24.5), (-6.5, 43.5))
lane((-39.5, 75.5), (-39.5, 99.5), (-27.5, 99.5), (-27.5, 72.5), (-25.5, 72.5))
lane((9.5, 84.5), (7.5, 84.5), (7.5, 70.5), (-23.5, 70.5))
for column, raw, pairs in ((Column(-36.5, 97.5), 1, 3), (Column(-30.5, 97.5), -1, 2)):
    for level in range(0, 2 * pairs, 2):
        column.machine(level, Prototype.ElectronicCircuit)
        column.take(level, raw)
        column.give(level, -raw)
        column.machine(level + 1, Prototype.CopperCable)
        column.take(level + 1, raw)
        column.down(level + 1)
        column.down(level + 1, second=True)
# frames go to the right lane of a belt that goes south at x = -4.5
lane((-4.5, 26.5), (-4.5, 60.5))
lane((-23.5, 62.5), (-23.5, 25.5), (-2.5, 25.5), (-2.5, 27.5), (-3.5, 27.5))
# advanced circuits, with circuits of their own; they go north between their column and that of the processing units
lane(
    (20.5, 23.5), (20.5, 26.5), (12.5, 26.5), (12.5, 22.5), (-13.5, 22.5), (-13.5, 61.5),
)
lane((-12.5, 62.5), (-12.5, 32.5))
advanced = Column(-16.5, 61.5)
for level in (7, 4, 1):
    advanced.machine(level, Prototype.CopperCable)
    advanced.take(level, -1)
    advanced.down(level)
advanced.down(7, second=True)
advanced.up(4)
advanced.up(1)
advanced.machine(6, Prototype.ElectronicCircuit)
advanced.take(6, -1)
advanced.give(6, 1)
for level in (5, 3, 2, 0):
    advanced.machine(level, Prototype.AdvancedCircuit)
    advanced.take(level, 1)
    advanced.give(level, 1, far=True)
