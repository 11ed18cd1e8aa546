# include: solids
# include: raw_belt
# gears, engines, pipes, engines, ... in one column on a belt of iron; steel comes on the near belt
GEARS, ENGINES, PIPES = (0, 4, 8), (1, 3, 5, 7), (2, 6)
row = raw_belt(6, top=level_y(8))
steel_row = steel_makers(row, (14.5, 17.5, 20.5))
belt((21.5, steel_row), (NEAR_X, steel_row), (NEAR_X, level_y(7)))
for level in GEARS:
    machine_at(level, Prototype.IronGearWheel, raw=True)
for level in PIPES:
    machine_at(level, Prototype.Pipe, raw=True)
makers = []
for level in ENGINES:
    makers.append(machine_at(level, Prototype.EngineUnit))
    take_near(level)
    chest_over(level)
for level in GEARS + PIPES:
    if level < 8:
        hand_up(level)
    if level > 0:
        hand_down(level)
print(one_network(engines[0]), "poles")
sleep(300)
show_faults()
for maker in makers:
    print(get_entity(Prototype.AssemblingMachine2, maker.position))
