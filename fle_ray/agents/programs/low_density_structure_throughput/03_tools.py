# strike the workshop; by hand: electric furnaces, steam engines, boilers, long-handed inserters
strike(units)
strike(plastic_inserter)
extract_item(Prototype.PlasticBar, plastic_chest, 200)
print(materials())
craft_up_to({
    Prototype.ElectricFurnace: 20, Prototype.Boiler: 2, Prototype.SteamEngine: 4, Prototype.LongHandedInserter: 6,
})
more_steam(3, 5, 3, 5)
print(stock(Prototype.IronPlate, Prototype.ElectricFurnace, Prototype.Inserter, Prototype.ElectricMiningDrill))
