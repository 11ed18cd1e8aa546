# include: basics
# include: oil
jacks = pumpjacks(2, engines[0])
for jack in jacks:
    print(jack.position, jack.connection_points, get_entity(Prototype.PumpJack, jack.position).status)
