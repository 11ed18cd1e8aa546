# include: gas
refinery = gas_refinery(jacks, engines[0])
maker = plant(Prototype.PlasticBar, 6.5, 28.5)
pipe(refinery, maker)
# coal: two drills on the lower edge of the field, a belt past the plant
for x in (16.5, 19.5):
    put(Prototype.ElectricMiningDrill, x, 19.5, Direction.DOWN)
belt((20.5, 21.5), (9.5, 21.5), (9.5, 28.5))
pole(14.5, 19.5)
pole(18.5, 22.5)
put(Prototype.Inserter, 8.5, 28.5, Direction.LEFT)
out_to_chest(6.5, 26.5)
power_from(engines[0], (7.5, 26.5), (14.5, 19.5), (18.5, 22.5))
sleep(60)
show_faults()
print(get_entity(Prototype.ChemicalPlant, maker.position))
