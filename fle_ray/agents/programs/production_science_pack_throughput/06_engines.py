# steam engines behind boilers of furnaces of stone
move_to(nearest(Resource.Stone))
harvest_resource(nearest(Resource.Stone), 15)
craft_item(Prototype.StoneFurnace, 3)
fetch(Prototype.IronPlate, iron, 700)
craft_up_to({Prototype.Boiler: 11, Prototype.SteamEngine: 22})
print(materials())
