# include: oil
# include: gas
# two pumpjacks, a refinery, and plastic from its gas and coal, put on the near lane of a belt that runs south
jacks = pumpjacks(2, engines[0])
belt((10.5, 18.5), (10.5, 61.5))
refinery = put(Prototype.OilRefinery, 6.5, 28.5)
refinery = set_entity_recipe(refinery, RecipeName.BasicOilProcessing)
tunnel(jacks[0], refinery)
maker = plant(Prototype.PlasticBar, 13.5, 20.5)
tunnel(refinery, maker)
for x in (16.5, 19.5):
    put(Prototype.ElectricMiningDrill, x, 19.5, Direction.DOWN)
belt((20.5, 21.5), (16.5, 21.5))
put(Prototype.Inserter, 15.5, 21.5, Direction.LEFT)
put(Prototype.Inserter, 11.5, 20.5, Direction.LEFT)
power_from(engines[0], (11.5, 21.5), (15.5, 22.5), (18.5, 22.5))
power_from(engines[0], (2.5, 28.5))
