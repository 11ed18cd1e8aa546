# include: basics
# include: solids
# four furnaces of bricks below the stone field, a belt to one machine of walls
row = smelting_units(-57.5, 4, 20, up=False)
belt((-58.5, row), (-40.5, row))
makers = machines_above(row, (-42.5,), Prototype.AssemblingMachine2, Prototype.StoneWall)
power_from(engines[0], (-41.5, row - 5), (-41.5, row - 1), (-50.5, row - 1), (-50.5, row - 8), (-56.5, row - 8), (-56.5, row - 1))
sleep(120)
show_faults()
print(get_entity(Prototype.AssemblingMachine2, makers[0].position))
