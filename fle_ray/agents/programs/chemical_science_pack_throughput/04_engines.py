# include: solids
# include: lanes
# include: column
# engines in a column on a belt of iron and steel, put on a belt that goes north
row = smelting_units(16.5, 3, 70)
lane((23.5, row), (5.5, row))
steel_row = steel_units(16.5, 3, 92)
lane((23.5, steel_row), (2.5, steel_row), (2.5, row), (3.5, row))
lane((4.5, row + 1), (4.5, 20.5))
engines = Column(7.5, 61.5)
gears, makers, pipe_makers = (0, 4, 8), (1, 3, 5, 7, 9), (2, 6, 10)
lane((-10.5, 17.5), (-10.5, 55.5))
lane((10.5, 62.5), (10.5, 18.5), (-9.5, 18.5))
for level in range(11):
    if level in makers:
        engines.machine(level, Prototype.EngineUnit)
        engines.give(level, 1)
    else:
        engines.machine(level, Prototype.IronGearWheel if level in gears else Prototype.Pipe)
        if level < 10:
            engines.up(level)
        if level > 0:
            engines.down(level)
    engines.take(level, -1)
