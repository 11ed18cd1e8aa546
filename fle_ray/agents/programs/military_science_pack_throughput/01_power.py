# include: basics
# include: bootstrap
# include: power
# four more steam engines, a boiler and six long-handed inserters by hand, then six engines behind three boilers
craft_by_hand({Prototype.SteamEngine: 4, Prototype.Boiler: 1, Prototype.LongHandedInserter: 6})
engines = coal_plant(stacks=3, drills=3)
sleep(20)
for engine in engines:
    print(engine.position, get_entity(Prototype.SteamEngine, engine.position).warnings)
