# sulfur straight down into the acid plant, which takes iron from the end of the first column's belt; the last column
sulfur = set_entity_recipe(put(Prototype.ChemicalPlant, 1.5, 30.5), Prototype.Sulfur)
acid = set_entity_recipe(put(Prototype.ChemicalPlant, 1.5, 34.5, Direction.LEFT), RecipeName.SulfuricAcid)
put(Prototype.Inserter, 1.5, 32.5, Direction.DOWN)
put(Prototype.Inserter, 3.5, 34.5, Direction.LEFT)
pole(3.5, 32.5)
last = Column(-12.5, 57.5)
makers = []
for level in range(4):
    makers.append(last.machine(level, Prototype.ProcessingUnit))
    last.take(level, 1)
    last.take(level, 1)
    last.take(level, -1)
    last.chest(level, -1, far=True)
# acid: one pipe down beside the column, and from it below the belt to the pipe above each machine
pipes((-18.5, 41.5), (-18.5, 55.5))
tunnel(acid, get_entity(Prototype.Pipe, at(-18.5, 41.5)))
for level in range(4):
    y = last.y(level) - 2
    pipe_below(-17.5, -13.5, y)
    pipes((-12.5, y))
water = put(Prototype.OffshorePump, -16.5, 21.5, Direction.DOWN)
tunnel(water, sulfur)
tunnel(water, acid)
tunnel(refineries[0], sulfur)
print(one_network(engine), "poles")
sleep(420)
show_faults()
for maker in makers:
    now = get_entity(Prototype.AssemblingMachine2, maker.position)
    print(now.assembling_machine_input, now.fluid_box)
