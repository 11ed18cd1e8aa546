# include: solids
# include: raw_belt
# magazines straight into two machines of piercing rounds; copper and iron on the raw belt, steel on the near one
row = raw_belt(5, 1, top=level_y(3))
steel_row = steel_makers(row, (14.5, 17.5))
belt((18.5, steel_row), (NEAR_X, steel_row), (NEAR_X, level_y(3)))
machine_at(2, Prototype.FirearmMagazine, raw=True)
hand_up(2)
hand_down(2)
makers = []
for level in (1, 3):
    makers.append(machine_at(level, Prototype.PiercingRoundsMagazine, raw=True))
    take_near(level)
    chest_over(level)
print(one_network(engines[0]), "poles")
sleep(240)
show_faults()
for maker in makers:
    print(get_entity(Prototype.AssemblingMachine2, maker.position))
