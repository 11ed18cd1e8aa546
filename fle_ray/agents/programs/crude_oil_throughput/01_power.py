# include: power
engines = steam_plant(Position(x=-10.5, y=73.5))
for engine in engines:
    print(engine.position, engine.status, engine.warnings)
