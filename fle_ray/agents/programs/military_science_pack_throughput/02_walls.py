# include: solids
# four furnaces of bricks below the stone field, one machine of walls, and a belt with them down the near side of the
# column to come
row = smelting_units(-57.5, 4, 20, up=False)
# half a furnace is idle behind one drill: the outermost gets another, which reaches the field's last row
put(Prototype.ElectricMiningDrill, -60.5, row - 3, Direction.RIGHT)
belt((-58.5, row), (-40.5, row))
machines_above(row, (-42.5,), Prototype.AssemblingMachine2, Prototype.StoneWall, chest=None)
belt((-42.5, row - 6), (-37.5, row - 6), (-37.5, 27.5), (10.5, 27.5), (10.5, 57.5))
power_from(engines[0], (1.5, 29.5), (-35.5, 29.5))  # south of the pond
print(one_network(engines[0]), "poles")
