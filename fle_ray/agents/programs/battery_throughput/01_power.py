# include: power
engines = coal_plant()
sleep(20)
for engine in engines:
    print(engine.position, get_entity(Prototype.SteamEngine, engine.position).warnings)
