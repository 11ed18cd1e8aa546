# strike the workshop; by hand: what the factory needs beside what is there
strike(units)
strike(plastic_inserter)
print(extract_item(Prototype.PlasticBar, plastic_chest, 100), materials())
craft_up_to({
    Prototype.ElectricFurnace: 15, Prototype.AssemblingMachine2: 25, Prototype.Boiler: 2, Prototype.SteamEngine: 4,
    Prototype.Inserter: 90, Prototype.LongHandedInserter: 10, Prototype.TransportBelt: 600,
})
more_steam(3, 5, 3, 5)
print(one_network(engine), "poles", materials())
