# include: basics
# include: solids
# include: raw_belt
# cable -> circuit -> inserter <- gears
raw_belt(3, 1, top=46.5)
machine_at(0, Prototype.CopperCable, raw=True)
machine_at(1, Prototype.ElectronicCircuit, raw=True)
maker = machine_at(2, Prototype.Inserter, raw=True)
machine_at(3, Prototype.IronGearWheel, raw=True)
hand_up(0)
hand_up(1)
hand_down(3)
chest_near(2)
print(one_network(engines[0]), "poles")
sleep(150)
show_faults()
print(get_entity(Prototype.AssemblingMachine2, maker.position))
