# include: basics
# include: bootstrap
# include: steam
# four more steam engines and a boiler by hand, then six engines behind three boilers
craft_by_hand({Prototype.Boiler: 1, Prototype.SteamEngine: 4})
engine = steam_plant(3)
sleep(20)
for made in get_entities({Prototype.SteamEngine}):
    print(made.position, made.status, made.warnings)
