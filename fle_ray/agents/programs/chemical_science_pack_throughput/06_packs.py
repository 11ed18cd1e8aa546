# engines and advanced circuits meet on one belt; sulfur comes down the other side
lane((-4.5, 29.5), (-4.5, 55.5))
sulfur = set_entity_recipe(put(Prototype.ChemicalPlant, -1.5, 29.5), Prototype.Sulfur)
put(Prototype.Inserter, -3.5, 29.5, Direction.LEFT)
pole(-3.5, 30.5)
water = put(Prototype.OffshorePump, -16.5, 21.5, Direction.DOWN)
print(water.position, sulfur.input_connection_points)
tunnel(water, sulfur)
tunnel(refineries[0], sulfur)
packs = Column(-7.5, 53.5)
makers = []
for level in range(6):
    makers.append(packs.machine(level, Prototype.ChemicalSciencePack))
    packs.take(level, -1)
    packs.take(level, 1)
    packs.chest(level, 1, far=True)
print(one_network(engine), "poles")
sleep(600)
show_faults()
for maker in makers:
    print(get_entity(Prototype.AssemblingMachine2, maker.position).assembling_machine_input)
