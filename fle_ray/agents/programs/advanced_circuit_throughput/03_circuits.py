# include: solids
# include: raw_belt
# from the top: cable into circuits, which join the plastic; then advanced circuits, each beside a machine of cable
raw_belt(1, 3, top=level_y(6) - 1)
for level in (6, 3, 1):
    machine_at(level, Prototype.CopperCable, raw=True)
machine_at(5, Prototype.ElectronicCircuit, raw=True)
hand_down(6)
give_near(5)
makers = []
for level in (4, 2, 0):
    makers.append(machine_at(level, Prototype.AdvancedCircuit))
    take_near(level)
    chest_over(level)
hand_up(3)
hand_down(3)
hand_down(1)
print(one_network(engines[0]), "poles")
sleep(300)
show_faults()
for maker in makers:
    print(get_entity(Prototype.AssemblingMachine2, maker.position))
