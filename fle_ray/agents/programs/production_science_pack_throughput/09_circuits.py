# advanced circuits in two columns, back to back round three belts: plastic and circuits down one side and up the other,
# advanced circuits north between them
lane((-5.5, 22.5), (-5.5, 55.5))
lane(
    (14.5, 23.5), (14.5, 26.5), (11.5, 26.5), (11.5, 22.5), (-23.5, 22.5), (-23.5, 63.5), (-21.5, 63.5), (-21.5, 24.5),
    (-6.5, 24.5), (-6.5, 55.5),
)
lane((20.5, 23.5), (20.5, 26.5), (15.5, 26.5))
lane((-22.5, 62.5), (-22.5, 23.5), (-6.5, 23.5))
west = Column(-26.5, 61.5)
east = Column(-18.5, 61.5)


def cable(column, level, side, up, down):
    """A machine of cable that takes copper on a side and hands on, each way by so many inserters."""
    column.machine(level, Prototype.CopperCable)
    column.take(level, side)
    for number in range(up):
        column.up(level, second=number == 1)
    for number in range(down):
        column.down(level, second=number == 1)


for column, raw, first, cables, makers in (
    (west, -1, 8, ((9, 0, 2), (7, 1, 1), (4, 1, 1), (1, 1, 1)), (6, 5, 3, 2, 0)),
    (east, 1, 1, ((0, 2, 0), (2, 1, 1), (5, 1, 1), (8, 0, 1)), (3, 4, 6, 7)),
):
    for level, up, down in cables:
        cable(column, level, raw, up, down)
    column.machine(first, Prototype.ElectronicCircuit)
    column.take(first, raw)
    column.give(first, -raw)
    for level in makers:
        column.machine(level, Prototype.AdvancedCircuit)
        column.take(level, -raw)
        column.give(level, -raw, far=True)
