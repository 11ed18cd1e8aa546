craft_up_to({Prototype.AssemblingMachine2: 26, Prototype.Boiler: 7, Prototype.SteamEngine: 14})
strike(units["iron"].pop())
print(materials())
