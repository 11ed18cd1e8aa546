# include: basics
# include: solids
# include: raw_belt
# one machine of gears between two of packs, which take their copper from the same belt
raw_belt(2, 1, top=50.5)
makers = [machine_at(level, Prototype.AutomationSciencePack, raw=True) for level in (0, 2)]
machine_at(1, Prototype.IronGearWheel, raw=True)
hand_up(1)
hand_down(1)
chest_near(0)
chest_near(2)
print(one_network(engines[0]), "poles")
sleep(150)
show_faults()
for maker in makers:
    print(get_entity(Prototype.AssemblingMachine2, maker.position))
