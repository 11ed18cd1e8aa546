# structures beside copper and steel; plastic comes down their other side, and takes the structures with it
lane((14.5, 23.5), (14.5, 28.5), (10.5, 28.5), (10.5, 63.5), (1.5, 63.5), (1.5, 48.5))
structures = Column(7.5, 61.5)
for level in range(6):
    structures.machine(level, Prototype.LowDensityStructure)
    structures.take(level, -1)
    structures.take(level, 1)
    structures.give(level, 1)
# engines between gears and pipes; they go south on the left lane at x = -30.5
lane((-30.5, 34.5), (-30.5, 62.5))
engines = Column(-33.5, 61.5)
for level in range(5):
    engines.machine(level, (Prototype.IronGearWheel, Prototype.EngineUnit, Prototype.Pipe)[(0, 1, 2, 1, 0)[level]])
    engines.take(level, -1)
for level in (1, 3):
    engines.give(level, 1)
for level in (0, 2):
    engines.up(level)
for level in (2, 4):
    engines.down(level)
# acid at the end of the belt of copper and iron, batteries from it on the right lane at x = -30.5
lane((-19.5, 32.5), (-35.5, 32.5))
sulfur = set_entity_recipe(put(Prototype.ChemicalPlant, -34.5, 39.5), Prototype.Sulfur)
acid = set_entity_recipe(put(Prototype.ChemicalPlant, -34.5, 35.5, Direction.RIGHT), RecipeName.SulfuricAcid)
battery = set_entity_recipe(put(Prototype.ChemicalPlant, -27.5, 35.5), Prototype.Battery)
put(Prototype.Inserter, -34.5, 37.5, Direction.UP)
put(Prototype.Inserter, -34.5, 33.5, Direction.DOWN)
put(Prototype.Inserter, -27.5, 33.5, Direction.DOWN)
put(Prototype.Inserter, -29.5, 35.5, Direction.LEFT)
pole(-32.5, 34.5)
pole(-32.5, 39.5)
pole(-29.5, 33.5)
