# packs, between frames, processing units and structures
packs = Column(-1.5, 59.5)
for level in range(3):
    packs.machine(level, Prototype.UtilitySciencePack)
    packs.take(level, -1, far=True)
    packs.take(level, -1)
    packs.take(level, 1)
    packs.chest(level, 1, far=True)
print(one_network(engine), "poles")
sleep(60)
for level in range(3):
    maker = get_entity(Prototype.AssemblingMachine2, at(packs.x, packs.y(level)))
    print(maker.position, maker.status, maker.assembling_machine_input, maker.warnings)
