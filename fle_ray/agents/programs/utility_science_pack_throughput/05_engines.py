# furnaces
strike(units["steel"])
strike(units["bricks"])
craft_item(Prototype.ElectricFurnace, 40)
# steam engines, with boilers of furnaces of stone; chemical plants and a pump
move_to(nearest(Resource.Stone))
harvest_resource(nearest(Resource.Stone), 25)
craft_item(Prototype.StoneFurnace, 5)
fetch(Prototype.IronPlate, iron, 950)
fetch(Prototype.CopperPlate, copper, 100)
craft_up_to({
    Prototype.Boiler: 12, Prototype.SteamEngine: 24, Prototype.ChemicalPlant: 5, Prototype.OffshorePump: 2,
    Prototype.Splitter: 4, Prototype.Pipe: 400,
})
print(materials())
