# include: basics
# include: solids
# four furnaces of bricks below the stone field, a belt to one machine of walls
row = smelting_units(-57.5, 4, 20, up=False)
# half a furnace is idle behind one drill: the outermost gets another, which reaches the field's last row
put(Prototype.ElectricMiningDrill, -60.5, row - 3, Direction.RIGHT)
belt((-58.5, row), (-40.5, row))
makers = machines_above(row, (-42.5,), Prototype.AssemblingMachine2, Prototype.StoneWall)
print(one_network(engines[0]), "poles")
sleep(120)
show_faults()
print(get_entity(Prototype.AssemblingMachine2, makers[0].position))
