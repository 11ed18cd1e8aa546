# include: raw_belt
# grenades -> packs <- piercing rounds <- magazines -> piercing rounds -> packs <- grenades
GRENADES, PACKS, ROUNDS, MAGAZINES = (1, 7), (2, 6), (3, 5), 4
row = raw_belt(4, 1, top=level_y(7))
# the far belt: steel on its left lane comes up beside the column, coal joins from above on the right lane
steel_row = steel_makers(row, (12.5,))
belt((12.5, steel_row), (14.5, steel_row), (14.5, 25.5), (FAR_X, 25.5), (FAR_X, level_y(1)))
for x in (16.5, 19.5, 22.5):
    put(Prototype.ElectricMiningDrill, x, 19.5, Direction.DOWN)
pole(18.5, 22.5)
belt((23.5, 21.5), (13.5, 21.5), (13.5, 24.5))
machine_at(MAGAZINES, Prototype.FirearmMagazine, raw=True)
hand_up(MAGAZINES)
hand_down(MAGAZINES)
for level in ROUNDS:
    machine_at(level, Prototype.PiercingRoundsMagazine, raw=True)
    take_far(level)
for level in GRENADES:
    machine_at(level, Prototype.Grenade, raw=True)
    take_far(level)
makers = []
for level in PACKS:
    makers.append(machine_at(level, Prototype.MilitarySciencePack))
    take_near(level)
    chest_over(level)
hand_down(3)
hand_up(5)
hand_up(1)
hand_down(7)
print(one_network(engines[0]), "poles")
sleep(240)
show_faults()
for maker in makers:
    print(get_entity(Prototype.AssemblingMachine2, maker.position))
print(get_entity(Prototype.SteamEngine, engines[0].position))
