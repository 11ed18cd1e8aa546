# drills of every kind, then plates for the steam engine
until(Prototype.IronPlate, 80)
gather(Resource.Stone, Prototype.Stone, 90)
miners(Resource.Coal, Prototype.WoodenChest, 2)
miners(Resource.IronOre, Prototype.StoneFurnace, 4)
until(Prototype.IronPlate, 40)
miners(Resource.CopperOre, Prototype.StoneFurnace, 2)
until(Prototype.IronPlate, 200)
until(Prototype.CopperPlate, 60)
