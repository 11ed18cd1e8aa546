# include: solids
# include: raw_belt
# cable -> circuit -> inserter <- gears -> belts; inserters on one lane and belts on the other of the near belt,
# which runs up past three machines of packs
raw_belt(5, 1, top=44.5)
machine_at(0, Prototype.CopperCable, raw=True)
machine_at(1, Prototype.ElectronicCircuit, raw=True)
machine_at(2, Prototype.Inserter, raw=True)
machine_at(3, Prototype.IronGearWheel, raw=True)
machine_at(4, Prototype.TransportBelt, raw=True)
hand_up(0)
hand_up(1)
hand_down(3)
hand_up(3)
give_near(2)
hand_up(4)
lane = level_y(4) - 3
belt((NEAR_X, level_y(2) + 1), (NEAR_X, level_y(8)))
belt((COLUMN_X, lane), (NEAR_X - 1, lane))
makers = []
for level in (6, 7, 8):
    makers.append(machine_at(level, Prototype.LogisticsSciencePack))
    take_near(level)
    put(Prototype.Inserter, RAW_X + 1, level_y(level), Direction.LEFT)
    put(Prototype.WoodenChest, RAW_X, level_y(level))
print(one_network(engines[0]), "poles")
sleep(240)
show_faults()
for maker in makers:
    print(get_entity(Prototype.AssemblingMachine2, maker.position))
