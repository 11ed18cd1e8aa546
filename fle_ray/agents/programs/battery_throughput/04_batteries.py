# sulfur straight up into the acid plant; iron and copper on one belt past it and past two plants of batteries
# include: solids
# include: raw_belt
acid = put(Prototype.ChemicalPlant, 6.5, 24.5, Direction.RIGHT)
acid = set_entity_recipe(acid, RecipeName.SulfuricAcid)
put(Prototype.Inserter, 6.5, 26.5, Direction.UP)
raw_belt(1, 1, top=47.5)
belt((4.5, 47.5), (0.5, 47.5), (0.5, 21.5), (7.5, 21.5))
put(Prototype.Inserter, 6.5, 22.5, Direction.DOWN)
pole(7.5, 22.5)
tunnel(water, acid)
makers = []
for y in (26.5, 31.5):
    maker = plant(Prototype.Battery, -2.5, y)
    put(Prototype.Inserter, -0.5, y, Direction.LEFT)
    put(Prototype.Inserter, -4.5, y, Direction.LEFT)
    put(Prototype.WoodenChest, -5.5, y)
    pole(-0.5, y + 1)
    pole(-4.5, y + 1)
    makers.append(maker)
for maker in makers:
    print(maker.input_connection_points, maker.output_connection_points)
    tunnel(acid, maker)
print(one_network(engines[0]), "poles")
sleep(240)
show_faults()
for maker in makers:
    print(get_entity(Prototype.ChemicalPlant, maker.position))
