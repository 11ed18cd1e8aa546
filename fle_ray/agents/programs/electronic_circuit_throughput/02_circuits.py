# include: basics
# include: solids
# include: raw_belt
# cable straight into the machine of circuits, both beside a belt of copper and iron
raw_belt(1, 2, top=54.5)
machine_at(0, Prototype.CopperCable, raw=True)
maker = machine_at(1, Prototype.ElectronicCircuit, raw=True)
hand_up(0)
chest_near(1)
print(one_network(engines[0]), "poles")
sleep(150)
show_faults()
print(get_entity(Prototype.AssemblingMachine2, maker.position))
