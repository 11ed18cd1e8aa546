# packs: furnaces and modules are handed in from above and below; packs go north on the other lane of the rails' belt
makers = []
for level in (6, 4, 1):
    makers.append(packs.machine(level, Prototype.ProductionSciencePack))
    packs.take(level, 1)
    packs.give(level, 1)
for level in (5, 3, 0):
    packs.up(level)
for level in (7, 5, 2):
    packs.down(level)
set_entity_recipe(put(Prototype.Inserter, 0.5, 25.5, Direction.UP), Prototype.ProductionSciencePack)
put(Prototype.WoodenChest, 0.5, 24.5)
sleep(180)
show_faults()
for maker in makers:
    print(get_entity(Prototype.AssemblingMachine2, maker.position).assembling_machine_input)
