# include: basics
# include: bootstrap
# include: power
# two more steam engines and three long-handed inserters by hand, then four engines behind two boilers
craft_by_hand({Prototype.SteamEngine: 2, Prototype.LongHandedInserter: 3})
engines = coal_plant(stacks=2)
sleep(20)
for engine in engines:
    print(engine.position, get_entity(Prototype.SteamEngine, engine.position).warnings)
