# include: basics
# include: bootstrap
# include: power
# two more steam engines by hand, then four behind two boilers
craft_by_hand({Prototype.SteamEngine: 2})
engines = coal_plant(stacks=2)
sleep(20)
for engine in engines:
    print(engine.position, get_entity(Prototype.SteamEngine, engine.position).warnings)
